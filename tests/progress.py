"""What a run of pytest prints as it goes, so that the log of a run that was cut off says where it stood.

Each test that fails is named at once, with the first line of its error, and each that took long with its seconds;
every minute a line says how many tests have ended and which run. A run that is told to terminate stops as at
Ctrl-C, and still prints its summary.
"""

import signal
import time
from collections import defaultdict

import pytest

SECONDS_OF_LONG_TESTS = 10.0
"""A test that took as long is named when it ends."""
SECONDS_BETWEEN_LINES = 60.0

SECONDS_OF_FILES = "tienlen/seconds"
"""Where pytest's cache holds the seconds of each file's tests, by path."""


class Progress:
    """In the process that reports: what runs, and what each file has taken."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._began = self._last_line = time.monotonic()
        self._running: dict[str, float] = {}
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._seconds_of_files: defaultdict[str, float] = defaultdict(float)
        self._ended = 0

    def pytest_sessionstart(self) -> None:
        signal.signal(signal.SIGTERM, signal.default_int_handler)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._running[nodeid] = time.monotonic()

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] += report.duration
        self._seconds_of_files[report.nodeid.partition("::")[0]] += report.duration
        if report.failed:
            self._write(f"FAILED {report.nodeid}: {_first_line(report)}")

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._running.pop(nodeid, None)
        self._ended += 1
        if (seconds := self._seconds.pop(nodeid, 0)) >= SECONDS_OF_LONG_TESTS:
            self._write(f"{seconds:.0f} s {nodeid}")
        if (now := time.monotonic()) >= self._last_line + SECONDS_BETWEEN_LINES:
            self._last_line = now
            self._write(f"{now - self._began:.0f} s: {self._ended} tests have ended; {self._standing()}")

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self) -> None:
        if self._running:
            self._write(f"cut off; {self._standing()}")

    def pytest_sessionfinish(self) -> None:
        """Keep what each file took, for the order of the next run, also where this one was cut off."""
        if (cache := getattr(self._config, "cache", None)) and self._seconds_of_files:
            cache.set(SECONDS_OF_FILES, cache.get(SECONDS_OF_FILES, {}) | self._seconds_of_files)

    def _standing(self) -> str:
        now = time.monotonic()
        running = [f"{test} ({now - since:.0f} s)" for test, since in self._running.items()]
        return f"running: {', '.join(running) or 'none'}"

    def _write(self, line: str) -> None:
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        assert isinstance(terminal, pytest.TerminalReporter)
        terminal.write(f"\n{line}\n", flush=True)  # after the dots of this line


def _first_line(report: pytest.TestReport) -> str:
    """The first line of the error of a test that failed: its message, or the last line where it has none."""
    crash = getattr(report.longrepr, "reprcrash", None)
    message = str(crash.message if crash else report.longreprtext).strip()
    return message.splitlines()[0] if message else "no message"
