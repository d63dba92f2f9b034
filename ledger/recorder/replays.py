"""A stored night as a value of the rules."""

from itertools import groupby

from ledger.game.nights import Adjustment, Entry, Joined, Night
from ledger.game.notation import read_note
from ledger.game.state import Round
from ledger.recorder.bodies import Logged, read_night
from ledger.recorder.parts import player
from ledger.recorder.rounds import RoundLog
from ledger.recorder.state import read_events
from ledger.store import NightRow, Reader


def night_of(reader: Reader, row: NightRow) -> Night:
    """A whole night; rounds that were undone are not in it, adjustments follow the round they came in."""
    terms = read_night(row)
    events = read_events(reader.events(row.id))
    by_round: dict[int, list[Logged]] = {}
    for number, some in groupby(
        sorted(events, key=lambda event: (event.round, event.seq)), lambda event: event.round
    ):
        by_round[number] = list(some)
    dated: list[tuple[int, Entry]] = []
    for event in by_round.pop(0, []):
        if event.kind == "adjust":
            dated.append((event.seq, _adjustment(event)))
        elif event.kind == "join":
            dated.append((event.seq, Joined(player(event.parts[0]["player"]))))
        elif event.kind == "note":
            note = read_note(event.content["note"].split(), player, terms.ruleset.deck)
            dated.append((event.seq, note))
    previous: Round | None = None
    for number, some_events in by_round.items():
        log = RoundLog.fold(terms.ruleset, number, tuple(some_events), previous)
        if log.round is not None:
            previous = log.round if log.counts else previous
            dated.append((log.begun_at, log.round))
    dated.sort(key=lambda entry: entry[0])
    return Night(
        ruleset=terms.ruleset,
        names=tuple(reader.names(row.id).values()),
        stake=terms.stake,
        date=terms.date,
        entries=tuple(entry for _, entry in dated),
    )


def _adjustment(event: Logged) -> Adjustment:
    content = event.content
    return Adjustment(
        player(content["payer"]), player(content["payee"]), content["points"], content["reason"]
    )
