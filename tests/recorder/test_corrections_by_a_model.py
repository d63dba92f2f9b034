"""Random corrections, settlements, disputes and decisions in any order agree with a model of plain replay lines.
`TIENLEN_EVENINGS=500 pytest --soak` tries more evenings."""

import os
from collections.abc import Callable
from typing import Any, Final

import pytest

from ledger.game.night import begin_round
from ledger.game.round import Header, Round
from ledger.game.rulesets.model import Ruleset
from ledger.recorder import Problem, Recorder, round_log
from ledger.recorder.events import correcting
from ledger.recorder.events.correction import RoundVoided
from ledger.recorder.revisions import Entry, RevisionChain
from ledger.recorder.round_log import Preceding, RoundLog
from ledger.recorder.state import counting_before
from ledger.store import NewPayment
from tests.soak.corrections import fewest, some_steps, spend
from tests.soaking import PLANTED, further

pytestmark = pytest.mark.slow

EVENINGS: Final = int(os.environ.get("TIENLEN_EVENINGS", "6"))


@pytest.mark.parametrize("number", further(range(EVENINGS), plain=2))
def test_corrections_by_a_model(recorder: Recorder, number: int) -> None:
    steps = some_steps(number)
    try:
        spend(recorder, steps)
    except Exception:
        spend(recorder, fewest(recorder, steps))  # a failure with fewer steps is easier to read
        raise


# Defects that it must find

Plant = Callable[[pytest.MonkeyPatch], None]


def a_correction_that_forgets_to_reverse(patch: pytest.MonkeyPatch) -> None:
    difference = correcting._difference

    def forgetful(log: RoundLog) -> list[NewPayment]:
        return [payment for payment in difference(log) if payment.reverses is None]

    patch.setattr(correcting, "_difference", forgetful)


def an_undo_of_a_correction_that_strikes(patch: pytest.MonkeyPatch) -> None:
    standing = RevisionChain.standing.fget  # type: ignore[attr-defined]

    def wrong(chain: RevisionChain) -> Entry | None:
        return None if chain.last.kind == "undo" else standing(chain)

    patch.setattr(RevisionChain, "standing", property(wrong))


def a_header_that_is_not_judged_again(patch: pytest.MonkeyPatch) -> None:
    def unjudged(ruleset: Ruleset, players: int, header: Header, previous: Round | None) -> Round:
        return begin_round(ruleset, players, header, None)

    patch.setattr(round_log, "begin_round", unjudged)


def a_void_that_leaves_payments(patch: pytest.MonkeyPatch) -> None:
    drafted = RoundVoided.draft
    patch.setattr(RoundVoided, "draft", lambda self, state: drafted(self, state)._replace(payments=()))


def a_memory_that_forgets_who_came_before(patch: pytest.MonkeyPatch) -> None:
    """A former defect: if the rounds before were not cached, the round counted as the first of the night."""
    counting = counting_before

    def near(logs: Any, number: int) -> Any:
        return counting({at: log for at, log in logs.items() if at != number}, number)

    patch.setattr("ledger.recorder.state.counting_before", near)


def a_memory_that_sees_no_further_than_the_rounds_in_it(patch: pytest.MonkeyPatch) -> None:
    """A former defect: after voided rounds there was no winner if the round before them was not cached."""

    def remembered_before(logs: Any, number: int) -> Preceding | None:
        counting = [log for at, log in logs.items() if at < number and log.stands]
        known = logs[number].previous if number in logs else None
        last = max(counting, key=lambda log: log.number, default=None)
        return Preceding(last.number, last.round) if last else known

    patch.setattr("ledger.recorder.state.counting_before", remembered_before)


def a_waiver_that_outlives_its_payment(patch: pytest.MonkeyPatch) -> None:
    """A former defect: a waived payment was paid back again when its round was voided."""
    patch.setattr(correcting, "waivers", lambda log: {})


@pytest.mark.parametrize(
    "planted",
    further(
        [
            (a_correction_that_forgets_to_reverse, 1),
            (an_undo_of_a_correction_that_strikes, 0),
            (a_header_that_is_not_judged_again, 1),
            (a_void_that_leaves_payments, 1),
            (a_memory_that_forgets_who_came_before, 1),
            (a_memory_that_sees_no_further_than_the_rounds_in_it, 1),
            (a_waiver_that_outlives_its_payment, 5),
        ],
        PLANTED,
    ),
    ids=lambda planted: planted[0].__name__,
)
def test_the_model_finds(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch, planted: tuple[Plant, int]
) -> None:
    plant, evening = planted
    steps = some_steps(evening)
    spend(recorder, steps)
    plant(monkeypatch)
    with pytest.raises((AssertionError, Problem)):
        spend(recorder, steps)
