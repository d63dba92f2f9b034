"""Judging everything again that was ever recorded."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.engine import score
from benchmarks.measuring import Effort, Figure, Goal, Row, as_in_service
from benchmarks.nights import Night, some_rounds
from ledger.game import notation
from ledger.recorder import Installation, Recorder, audit, processors

_ROUNDS_A_NIGHT = 20
_WHOLE = 10_000


def rows(effort: Effort) -> Iterator[Row]:
    """By rounds: so many nights as a person records in years."""
    rounds = some_rounds(effort.audited)
    with TemporaryDirectory(prefix="tienlen-bench-") as folder:
        installation = Installation.find(f"sqlite:///{Path(folder) / 'ledger.db'}")
        installation.migrate()
        with closing((recorder := installation.open()).store):
            nights = [
                Night(recorder, rounds[first : first + _ROUNDS_A_NIGHT])
                for first in range(0, len(rounds), _ROUNDS_A_NIGHT)
            ]
            texts = [notation.write(recorder.night(night.id)) for night in nights]
            as_in_service()
            audited, alone = _seconds_of(recorder, processors()), _seconds_of(recorder, 1)
        started = perf_counter()
        score(texts)
        scored = perf_counter() - started
    moves = sum(len(round.moves) for round in rounds)
    share = _WHOLE / effort.audited
    yield Row(
        name="audit",
        title=f"`tienlen audit` of {_WHOLE:,} rounds",
        values=[audited * share],
        unit="s",
        goal=Goal(2, unit="s"),
        same_work=f"Measured with {effort.audited:,} recorded rounds of {moves:,} moves "
        "and given by round: every hash and text read, every entry drafted again from its request, each column and "
        f"payment compared, by as many processes as there are processors ({processors()}). Beside it by one "
        "process, and the same rounds replayed and scored as text.",
        measured={
            "in one process": Figure(alone * share, "s"),
            "an entry": Figure(alone / (moves + 2 * effort.audited) * 1e6),
            "the rules alone": Figure(scored * share, "s"),
        },
    )


def _seconds_of(recorder: Recorder, jobs: int) -> float:
    started = perf_counter()
    differences = list(audit(recorder, jobs=jobs))
    audited = perf_counter() - started
    assert not differences
    return audited
