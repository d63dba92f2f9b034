"""Measures which lines and branches of `ledger/game` the tests of the rules reach, if RULES_COVERAGE is set.

SlipCover takes a probe out of the code once it was reached, so that measuring costs little, and uses
`sys.monitoring` on Pythons that have it. The files of `tests/game` run first (`tests/conftest.py`), and a
process stops counting at its first test from elsewhere: what only other tests reach is missing and fails the run.
None of them is slow, so that a quick run reaches the same as a whole one.
"""

import json
import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
RULES, TESTS = ROOT / "ledger" / "game", ROOT / "tests" / "game"


class RulesCoverage:
    """What the tests of the rules reach: in each process that runs tests, and together in the one that reports."""

    def __init__(self) -> None:
        slipcover: Any = import_module("slipcover")  # untyped
        self._probes = slipcover.Slipcover(branch=True, source=[str(RULES)])
        self._merge = slipcover.merge_coverage
        self._reached: dict[str, Any] | None = None
        slipcover.ImportManager(self._probes, slipcover.FileMatcher(sources=[RULES])).__enter__()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if self._reached is None and not item.path.is_relative_to(TESTS):
            self._reached = self._probes.get_coverage()
            # Taking probes out calls 50,000 functions, in the middle of whatever the next tests count the calls of:
            # they are left where they are, and what is called instead is no Python function.
            self._probes.deinstrument_seen = bool
        return (yield)

    def pytest_testnodedown(self, node: Any) -> None:
        """Add what another process reached."""
        if "rules_coverage" in (output := getattr(node, "workeroutput", {})):
            found = json.loads(output["rules_coverage"])
            self._reached = self._merge(self._reached, found) if self._reached else found

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._reached = self._reached or self._probes.get_coverage()
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["rules_coverage"] = json.dumps(self._reached)
        elif any(self._missing()) and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("lines and branches of the rules that their tests do not reach")
        for line in self._missing():
            terminalreporter.write_line(line, red=True)
        assert self._reached is not None
        summary = self._reached["summary"]
        terminalreporter.write_line(
            f"{summary['covered_lines']} lines and {summary['covered_branches']} branches of ledger/game reached"
        )

    def _missing(self) -> Iterator[str]:
        assert self._reached is not None
        for name, file in sorted(self._reached["files"].items()):
            never = _unreachable(ROOT / name)
            lines = set(file["missing_lines"]) - never
            branches = [
                f"{a}->{b or 'exit'}" for a, b in file["missing_branches"] if not {a, b} & (lines | never)
            ]
            if lines or branches:
                yield f"{name}: {', '.join([*map(str, sorted(lines)), *branches])}"


def _unreachable(path: Path) -> set[int]:
    """The lines with `assert_never`, and the `case` above each of them."""
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return {place for number, line in lines if "assert_never(" in line for place in (number - 1, number)}


rules_coverage = RulesCoverage() if os.environ.get("RULES_COVERAGE") else None
"""Made when this module is imported, which must be before the rules are."""
