"""Fixtures for all tests: a browser and a PostgreSQL server, if installed; and the profiles of Hypothesis."""

from tests.rules_coverage import rules_coverage  # before the program is imported

# isort: split

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from unittest.mock import patch

import pytest
import pytest_timeout
from flask import Flask
from hypothesis import HealthCheck, settings
from jinja2.bccache import Bucket, BytecodeCache
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests import soaking
from tests.browser import fonts
from tests.patience import SECONDS, watch
from tests.postgresql import Cluster, running_cluster
from tests.progress import SECONDS_OF_FILES, Progress
from tests.servers import UNCOUNTED, Served

# CI uses the same examples in every run, so that a failure is caused by a change, not by chance.
settings.register_profile(
    "ci", derandomize=True, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

os.environ |= fonts.environment()  # of every browser that the tests or a harness start


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run what soaks, too: more of what is asked anyway")


def pytest_configure(config: pytest.Config) -> None:
    soaking.asked = config.getoption("--soak")
    if rules_coverage:
        config.pluginmanager.register(rules_coverage)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Progress(config))


def pytest_timeout_set_timer(item: pytest.Item, settings: pytest_timeout.Settings) -> bool:
    """Let the limit of a test be in seconds that the machine has given (`tests/patience.py`)."""

    def cancel() -> None:
        watch().limit(0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)

    give_up: Callable[..., object] = pytest_timeout.timeout_sigalrm
    signal.signal(signal.SIGALRM, lambda *_: give_up(item, settings))
    item.cancel_timeout = cancel  # type: ignore[attr-defined]
    watch().limit(settings.timeout)
    return True


def pytest_report_header() -> str:
    if not fonts.installed():
        return f"fonts: {fonts.NOT_INSTALLED}"
    return f"fonts: {', '.join(fonts.families())}; {fonts.FAMILIES[0]} where none is named"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip soak tests unless `--soak` is given; the summary has one line for each reason."""
    soaks = item.get_closest_marker("soak")
    if soaks and not item.config.getoption("--soak"):
        pytest.skip(f"{soaks.args[0]}: scripts/test --soak")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the tests of the rules first (`tests/rules_coverage.py`); of these and of the others, the files that took
    longest the last time: `--dist loadfile` gives them to processes in this order."""
    cache = getattr(config, "cache", None)
    seconds: dict[str, float] = cache.get(SECONDS_OF_FILES, {}) if cache else {}
    by_file: dict[str, list[pytest.Item]] = {}
    for item in items:
        by_file.setdefault(item.nodeid.partition("::")[0], []).append(item)
    unknown = max(seconds.values(), default=0.0)
    files = sorted(
        by_file, key=lambda file: (not file.startswith("tests/game/"), -seconds.get(file, unknown))
    )
    items[:] = [item for file in files for item in by_file[file]]


@pytest.fixture(scope="session", autouse=True)
def own_priority() -> Iterator[None]:
    """Fail whatever lowers the priority of a process of the tests, which cannot be raised again: `tienlen` of
    tests/cli/commands.py runs a command that does."""
    with patch(
        "os.setpriority", side_effect=AssertionError("a test would lower the priority of all later ones")
    ):
        yield


@pytest.fixture(scope="session", autouse=True)
def patient_locks() -> Iterator[None]:
    """Whoever waits in a test for the lock of a database waits for as long as tests do: what empties the log in the
    background may hold it for seconds on a slow disk."""
    with patch("ledger.store.systems.locks._PATIENCE", SECONDS):
        yield


CHROMIUM_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
CHROMIUM_PLACES = (
    Path("/usr/lib/chromium/chromium"),
    Path("/opt/google/chrome/chrome"),
    Path("/snap/bin/chromium"),
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
)


def find_chromium() -> Path | None:
    """The installed Chromium or Chrome: the one that CHROMIUM names, else the first one found. The shell without
    windows takes about two thirds of the time of the whole program."""
    if named := os.environ.get("CHROMIUM"):
        return Path(named)
    on_path = (Path(found) for name in CHROMIUM_NAMES if (found := shutil.which(name)))
    installed = (place for place in CHROMIUM_PLACES if place.is_file())
    return next(on_path, None) or next(installed, None)


def chromium_arguments() -> list[str]:
    """The arguments of Chromium: no sandbox for root, which lacks the rights for one in a container."""
    return ["--no-sandbox"] if os.geteuid() == 0 else []


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The installed browser for Playwright; tests download none."""
    found = find_chromium()
    if found is None:
        pytest.skip("no Chromium found: install Debian's chromium-headless-shell package")
    return found


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def own_fonts() -> None:
    """Skips tests of what browsers draw if the fonts of the tests are not installed."""
    if not fonts.installed():
        pytest.skip(fonts.NOT_INSTALLED)


@pytest.fixture(scope="session")
def browser(playwright: Playwright, chromium: Path, own_fonts: None) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=chromium, args=chromium_arguments())
    yield browser
    browser.close()


PINNED_NODE = Path(__file__).parents[1] / ".venv" / "peers" / "nodejs" / "bin" / "node"


@pytest.fixture(scope="session")
def node() -> str:
    """The path of node."""
    found = str(PINNED_NODE) if PINNED_NODE.exists() else shutil.which("node")
    if found is None:
        pytest.skip("no node found: scripts/test installs one, or Debian's nodejs package does")
    return found


class CompiledTemplates(BytecodeCache):
    """A cache of compiled templates, shared by all applications that the tests make."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, CodeType]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        checksum, code = self._known.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code

    def dump_bytecode(self, bucket: Bucket) -> None:
        assert bucket.code is not None
        self._known[bucket.key] = bucket.checksum, bucket.code


Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": CompiledTemplates()}


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A freshly migrated database, for tests to copy."""
    from ledger.store import migrate  # not above: the process that hands out the tests needs no program

    path = tmp_path_factory.mktemp("empty") / "ledger.db"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server that only the tests use."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A running server of two processes, for tests that use nights of their own and leave it as it is."""
    with Served(tmp_path_factory.mktemp("served"), plant=UNCOUNTED) as server:
        yield server


@pytest.fixture
def set_timezone() -> Iterator[Callable[[str], None]]:
    """A function that sets the time zone of this process: `Asia/Ho_Chi_Minh`."""
    with pytest.MonkeyPatch.context() as patched:

        def stands(place: str) -> None:
            patched.setenv("TZ", place)
            time.tzset()

        yield stands
    time.tzset()
