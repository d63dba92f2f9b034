"""The customs of a night: what players have noted, and what is due by the rules. Shown, never enforced."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ledger.game.customs import Deals, Knelt, Note, dealer, debts, kneeling, knelt
from ledger.game.rulesets.model import Kneeling, Ruleset
from ledger.recorder.events.note import note_of
from ledger.recorder.history import read_events
from ledger.recorder.round_log import RoundLog
from ledger.recorder.rounds import Rounds
from ledger.recorder.state import NightState
from ledger.store import EventBody


class Customs(NamedTuple):
    """The customs of a night as it stands."""

    ruleset: Ruleset
    """The rules of the running round, or of the next one."""
    due: tuple[Note, ...]
    """Who deals, kneels or owes cards before the next round by the rules, whether noted or not."""
    noted: Sequence[tuple[int, Sequence[Note]]]
    """(Round, notes since it began) for each round with notes, the last first; 0 is before the first round."""


class Begun(NamedTuple):
    """What customs need to know of a round; small enough to be cached."""

    at: int
    """The seq of the event that began it."""
    knelt: Knelt


def customs(state: NightState, rounds: Rounds) -> Customs:
    """The customs of a night. Rounds are read only if notes or the ruleset need them and they are not cached."""
    ruleset = state.terms.ruleset
    notes = read_events(rounds.reader.events_of_kinds(state.night, ("note",)))
    wanted = range(1, state.newest + 1) if notes or ruleset.kneeling != Kneeling() else ()
    begun = [round for round in rounds.derived(_begun, wanted).values() if round is not None]
    return Customs(ruleset, _due(state, begun), _noted(notes, begun))


def _begun(log: RoundLog) -> Begun | None:
    """None if the beginning of the round was undone."""
    return None if log.round is None else Begun(log.begun_at, knelt(log.round))


def _due(state: NightState, rounds: Iterable[Begun]) -> tuple[Note, ...]:
    last = state.previous
    if last is None or not last.over:
        return ()
    deals = dealer(last.ruleset, last.header.seats, last)
    kneels = kneeling(round.knelt for round in rounds)
    return (*([] if deals is None else [Deals(deals)]), *kneels, *debts(last))


def _noted(notes: Iterable[EventBody], rounds: Iterable[Begun]) -> list[tuple[int, Sequence[Note]]]:
    found: dict[int, list[Note]] = {}
    for event in notes:
        found.setdefault(sum(round.at < event.seq for round in rounds), []).append(note_of(event))
    return sorted(found.items(), reverse=True)
