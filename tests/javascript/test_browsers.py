"""The pages use what every promised browser has, or have a fallback. The documents promise the same browsers."""

import json
import re
import tomllib
from itertools import chain
from shutil import copytree, ignore_patterns

import pytest

from tests.javascript.conftest import ROOT, run

HERE, STATIC = "tests/javascript", "ledger/web/static"
PACKAGES = ROOT / HERE / "node_modules"
CHECK = f"{HERE}/browsers/check.mjs"
PROMISED = json.loads((ROOT / HERE / "package.json").read_text(encoding="utf-8"))["browserslist"]
PLANTED = tomllib.loads((ROOT / HERE / "browsers/planted.toml").read_text(encoding="utf-8"))
SOUND = PLANTED.pop("sound")
FOLDERS = {"css": f"{STATIC}/planted", "js": f"{STATIC}/planted", "html": "templates/planted"}

pytestmark = pytest.mark.skipif(
    not (PACKAGES / "css-tree").exists(), reason="scripts/test installs the packages of node"
)


def planted(cases: dict[str, list[str]], name: str) -> list[tuple[str, str]]:
    """The files of some cases, and their texts."""
    return [
        (f"{FOLDERS[kind]}/{name}-{place}.{kind}", text)
        for kind, texts in cases.items()
        for place, text in enumerate(texts)
    ]


FOUND, UNFOUND = planted(PLANTED, "lacking"), planted(SOUND, "sound")


@pytest.fixture(scope="module")
def told(node: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the checks say of the program with everything planted."""
    root = tmp_path_factory.mktemp("planted")
    for folder in (STATIC, HERE, "templates"):
        copytree(ROOT / folder, root / folder, ignore=ignore_patterns("node_modules", "__pycache__"))
    (root / HERE / "node_modules").symlink_to(PACKAGES)
    for path, text in chain(FOUND, UNFOUND):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(f"{text}\n", encoding="utf-8")
    eslint = [f"{HERE}/node_modules/eslint/bin/eslint.js", "--config", f"{HERE}/eslint.config.js"]
    return run(node, root, CHECK).stdout + run(node, root, *eslint, f"{STATIC}/planted").stdout


def test_the_pages_use_only_what_every_promised_browser_has(told: str) -> None:
    assert [
        line for line in told.splitlines() if re.match(r"[\w/.]+:", line) and "/planted/" not in line
    ] == []


@pytest.mark.parametrize(("path", "text"), FOUND, ids=[text for _, text in FOUND])
def test_what_a_promised_browser_lacks_is_found(told: str, path: str, text: str) -> None:
    assert re.search(rf"{path}\b", told), text


@pytest.mark.parametrize(("path", "text"), UNFOUND, ids=[text for _, text in UNFOUND])
def test_what_has_a_fallback_is_not_found(told: str, path: str, text: str) -> None:
    assert not re.search(rf"{path}\b", told), text


@pytest.mark.parametrize("name", ["README.md", "README.vi.md", "DECISIONS.md"])
def test_the_documents_promise_the_browsers_that_are_looked_up(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert ", ".join(PROMISED) in text
    assert set(re.findall(r"(?:Safari|Chrome|Firefox) [\d.]*\d", text)) == set(PROMISED)
