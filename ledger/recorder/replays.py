"""A stored night as a `Night` of the rules."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ledger.game.night import Adjustment, Entry, Joined, NewTerms, Night
from ledger.game.round import Round
from ledger.game.terms import Stake, Terms
from ledger.recorder.agreements import AGREE, Agreements
from ledger.recorder.drafts import ADJUSTMENT
from ledger.recorder.events.note import note_of
from ledger.recorder.history import read_events
from ledger.recorder.parts import player
from ledger.recorder.revisions import standing
from ledger.recorder.round_log import Preceding, RoundLog
from ledger.recorder.terms import Opening
from ledger.store import EventBody, NewPayment, Reader


def night_of(reader: Reader, opening: Opening, agreements: Agreements) -> Night:
    """A whole night, without undone rounds and agreements. Adjustments follow the round they came in; those of
    decisions, unless reversed since, the round that they waive a payment of, since its points are worth the same.
    Players who joined come before the first round that seats them, even if a correction seated them."""
    events = read_events(reader.events(opening.night))
    dated: list[tuple[int, Entry]] = []
    joined: list[tuple[int, Joined]] = []
    gone = {payment.reverses for event in events for payment in event.payments}
    waived: dict[int, list[Adjustment]] = defaultdict(list)
    for event in events:
        adjustments = [
            _adjustment(event, payment)
            for idx, payment in enumerate(event.payments)
            if payment.reason == ADJUSTMENT and not payment.reverses and (event.seq, idx) not in gone
        ]
        if event.round:
            waived[event.round] += adjustments
        else:
            dated += [(event.seq, one) for one in adjustments]
        if event.kind == "join":
            joined.append((event.seq, Joined(player(event.parts[0]["player"]))))
        elif event.kind == "note":
            dated.append((event.seq, note_of(event)))
    for log in _round_logs(agreements, events):
        if log.round is not None:
            dated.append((log.begun_at, log.round))
            dated += [(log.begun_at, one) for one in waived[log.number]]
        for entry in standing(log.chains):
            if entry.kind == AGREE:
                terms = agreements.at(entry.event.seq).terms
                dated.append((entry.event.seq, NewTerms(terms, entry.data.get("all_rounds", False))))
    # At equal seqs, players who join come first.
    dated = sorted([*_seated(joined, dated), *dated], key=lambda entry: entry[0])
    names = tuple(reader.names(opening.night).values())
    return Night(opening.terms, names, tuple(_agreed_once(opening.terms, (entry for _, entry in dated))))


def _agreed_once(terms: Terms, entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries of a night opened with these terms; of agreements that follow each other the last alone, and none
    that leads back to the terms before. A worth of all rounds that the last one replaced comes before it."""
    waiting: Terms | None = None
    of_all: Stake | None = None
    for entry in (*entries, None):
        if isinstance(entry, NewTerms):
            waiting = entry.terms
            of_all = waiting.stake if entry.all_rounds else of_all
            continue
        if waiting is not None and of_all is not None:
            yield NewTerms(replace(waiting, stake=of_all), all_rounds=True)
            terms = replace(waiting, stake=of_all)
        if waiting is not None and waiting != terms:
            yield NewTerms(waiting)
            terms = waiting
        waiting = of_all = None
        if entry is not None:
            yield entry


def _round_logs(agreements: Agreements, events: Iterable[EventBody]) -> Iterator[RoundLog]:
    """The logs of all rounds of a night, in order, from its events in order."""
    previous: Preceding | None = None
    by_round: dict[int, list[EventBody]] = {}
    for event in events:
        by_round.setdefault(event.round, []).append(event)
    by_round.pop(0, None)
    for number, some in sorted(by_round.items()):
        log = RoundLog.fold(agreements, number, tuple(some), previous)
        if log.stands and log.round is not None:
            previous = Preceding(number, log.round)
        yield log


def _seated(joined: list[tuple[int, Joined]], rounds: list[tuple[int, Entry]]) -> list[tuple[int, Joined]]:
    """Players who joined, each no later than the first round that seats them, and in the order of joining."""
    found: list[tuple[int, Joined]] = []
    latest = None
    for seq, entry in reversed(joined):
        seats = [at for at, one in rounds if isinstance(one, Round) and entry.player in one.header.seats]
        latest = min([seq, *seats, *([] if latest is None else [latest])])
        found.insert(0, (latest, entry))
    return found


def _adjustment(event: EventBody, payment: NewPayment) -> Adjustment:
    payer, payee = player(payment.payer), player(payment.payee)
    return Adjustment(payer, payee, payment.points, event.content["reason"])
