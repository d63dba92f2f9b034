"""Judging everything again that was ever recorded."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.engine import score
from benchmarks.measuring import Effort, Figure, Goal, Row
from benchmarks.nights import Night, some_rounds
from ledger.recorder import Installation, export_tln

_ROUNDS_A_NIGHT = 20
_WHOLE = 10_000


def rows(effort: Effort) -> Iterator[Row]:
    """By rounds: so many nights as a person records in years."""
    rounds = some_rounds(effort.audited)
    with TemporaryDirectory(prefix="tienlen-bench-") as folder:
        installation, nothing = _installation(folder, "ledger.db"), _installation(folder, "nothing.db")
        with closing((recorder := installation.open()).store):
            nights = [
                Night(recorder, rounds[first : first + _ROUNDS_A_NIGHT])
                for first in range(0, len(rounds), _ROUNDS_A_NIGHT)
            ]
            texts = [export_tln(recorder, night.id) for night in nights]
        starting = _seconds_to_audit_nothing(nothing)
        audited = _seconds_of(installation)
        started = perf_counter()
        score(texts)
        scored = perf_counter() - started
    moves = sum(len(round.moves) for round in rounds)
    share = _WHOLE / effort.audited
    yield Row(
        name="audit",
        title=f"`tienlen audit` of {_WHOLE:,} rounds",
        values=[starting + audited * share],
        unit="s",
        goal=Goal(2, unit="s"),
        same_work=f"Measured with {effort.audited:,} recorded rounds of {moves:,} moves "
        "and given by round: every hash and text read, every entry drafted again from its request, each column and "
        "payment compared, by one process, and the command started once. Beside it the same rounds replayed "
        "and scored as text.",
        measured={
            "an entry": Figure(audited / (moves + 2 * effort.audited) * 1e6),
            "the rules alone": Figure(scored * share, "s"),
        },
    )


def _installation(folder: str, file: str) -> Installation:
    installation = Installation.find(f"sqlite:///{Path(folder) / file}")
    installation.migrate()
    return installation


def _seconds_to_audit_nothing(nothing: Installation) -> float:
    """The command as somebody runs it, from its start to its end."""
    started = perf_counter()
    _python("from ledger.cli import main; main()", "--database", nothing.database_url, "audit")
    return perf_counter() - started


def _seconds_of(installation: Installation) -> float:
    """What the command does once it has started, in a process that has audited nothing before."""
    return float(_python(_AUDIT, installation.database_url))


_AUDIT = """
import sys
from time import perf_counter
from ledger.recorder import Installation, audit
recorder = Installation.find(sys.argv[1]).open()
started = perf_counter()
assert not list(audit(recorder))
print(perf_counter() - started)
"""


def _python(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout
