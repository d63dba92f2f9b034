"""A pinned set installs the same after newer versions of every package have been published."""

import json
import os
import re
import subprocess
import sys
import venv
from contextlib import AbstractContextManager
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.installing.registry import Asks, normalised, published
from tests.soaking import PLANTED

ROOT = Path(__file__).parent.parent.parent
OLDEST_PIP = Path(__file__).with_name("oldest-pip.txt")
SETS = sorted(
    (path.stem for path in (ROOT / "requirements").glob("*.txt")), key="run test".find, reverse=True
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def old_pip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel of the oldest pip among those of supported Pythons."""
    folder = tmp_path_factory.mktemp("pip")
    from_registry("download", "--no-deps", "--require-hashes", "-r", OLDEST_PIP, "-d", folder)
    return folder


@pytest.mark.soak("pinned sets, after newer versions were published")
@pytest.mark.parametrize("pinned", SETS)
def test_a_set_installs_when_everything_is_newer(pinned: str, old_pip: Path, tmp_path: Path) -> None:
    pins, wanted, environment = a_later_day(pinned, old_pip, tmp_path)
    with environment as index:
        done = setup(f"install_pinned '{tmp_path}/env' '{wanted}' && pip_of '{tmp_path}/env' check", index)
    assert done.returncode == 0, done.stderr
    assert installed_in(tmp_path / "env") == pins


@pytest.mark.soak(PLANTED)
def test_a_set_whose_dependencies_are_resolved_is_refused_on_such_a_day(
    old_pip: Path, tmp_path: Path
) -> None:
    """Shows that the test above can fail."""
    _, wanted, environment = a_later_day("test", old_pip, tmp_path)
    with environment as index:
        done = setup(f"pip_of '{tmp_path}/env' install --require-hashes --requirement '{wanted}'", index)
    assert done.returncode != 0
    assert "coverage" in done.stderr


def a_later_day(
    pinned: str, old_pip: Path, folder: Path
) -> tuple[dict[str, str], Path, AbstractContextManager[str]]:
    """A pinned set as installed here after newer versions were published.

    Returns the pins for this machine, version by name; a requirements file like the set's own, with the hashes of
    the registry's wheels; and the registry, not yet served. Makes an environment with the oldest pip in `folder`.
    """
    source = ROOT / "requirements" / f"{pinned}.txt"
    pins = pinned_here(source)
    registry, hashes = published(pins.items(), what_they_ask_for(source, pins))
    wanted = folder / "wanted.txt"
    wanted.write_text(
        "".join(f"{name}=={pins[name]} --hash=sha256:{each}\n" for name, each in hashes.items())
    )
    venv.create(folder / "env", with_pip=False)
    (wheel,) = old_pip.glob("pip-*.whl")
    subprocess.run(
        [folder / "env/bin/python", f"{wheel}/pip", "install", "-q", "--no-index", "--no-deps", wheel],
        check=True,
        env=without_settings_of_pip(),
    )
    return pins, wanted, registry.serving()


def setup(command: str, index: str) -> subprocess.CompletedProcess[str]:
    """Run a command with the functions of scripts/setup, using only this registry."""
    return subprocess.run(
        ["bash", "-c", f"set -euo pipefail; source scripts/setup; {command}"],
        cwd=ROOT,
        env=without_settings_of_pip() | {"PIP_INDEX_URL": index},
        capture_output=True,
        text=True,
        check=False,
    )


def without_settings_of_pip() -> dict[str, str]:
    """The environment without any configuration of pip."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    return plain | {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_CACHE_DIR": "1"}


def pinned_here(source: Path) -> dict[str, str]:
    """Version by name of a pinned file, without what other platforms need."""
    text = re.sub(r"\\\n|--hash=\S+", " ", source.read_text(encoding="utf-8"))
    lines = (line.strip() for line in text.splitlines())
    wanted = [Requirement(line) for line in lines if line and not line.startswith("--")]
    return {
        normalised(each.name): str(each.specifier).removeprefix("==")
        for each in wanted
        if each.marker is None or each.marker.evaluate()
    }


def what_they_ask_for(source: Path, pins: dict[str, str]) -> dict[str, Asks]:
    """The requirements of each pinned package: from the installed one, else from the registry."""
    known = {
        normalised(each.name): Asks(
            tuple(each.requires or ()), tuple(each.metadata.get_all("Provides-Extra") or ())
        )
        for each in distributions()
        if pins.get(normalised(each.name)) == each.version
    }
    if known.keys() == pins.keys():
        return known
    report = json.loads(
        from_registry("install", "--dry-run", "--no-deps", "--require-hashes", "-r", source, "--report", "-")
    )
    for each in report["install"]:
        about = each["metadata"]
        asks = Asks(tuple(about.get("requires_dist", ())), tuple(about.get("provides_extra", ())))
        known[normalised(about["name"])] = asks
    return known


def installed_in(environment: Path) -> dict[str, str]:
    """Version by name of the packages in an environment, except pip."""
    (packages,) = environment.glob("lib/*/site-packages")
    found = {normalised(each.name): each.version for each in distributions(path=[str(packages)])}
    del found["pip"]
    return found


def from_registry(*arguments: str | Path) -> str:
    """pip's output from the registry that this machine uses; skips without one."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check", "--no-input"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode and "No matching distribution found" in done.stderr:
        pytest.skip("no package registry within reach")
    assert done.returncode == 0, done.stderr
    return done.stdout
