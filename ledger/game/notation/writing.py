"""Night -> canonical text."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from ledger.game.cards import Cards, Deck
from ledger.game.customs import Note
from ledger.game.moves import Bid, Claim, Declare, Move, Pass, Play, Show
from ledger.game.nights import Adjustment, Night
from ledger.game.notation.notes import note_line
from ledger.game.notation.script import tag
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.data import rules_of
from ledger.game.scoring import payments
from ledger.game.state import Round


def write(night: Night, *, with_payments: bool = False) -> str:
    """The canonical text of a night; read and written again it is the same bytes."""
    return "\n".join(_lines(night, with_payments)) + "\n"


def _lines(night: Night, with_payments: bool) -> Iterator[str]:
    yield "tienlen 1"
    preset = PRESETS[night.ruleset.id]
    yield f"ruleset {preset.id}"
    for path, value in rules_of(night.ruleset, preset):
        yield f"rule {path}={value}"
    if night.stake:
        yield f"stake {night.stake.amount:f} {night.stake.currency}"
    if night.date:
        yield f"date {night.date}"
    yield from (f"{tag(player)} {name}" for player, name in enumerate(night.names))
    seats = tuple(range(len(night.names)))
    number = 0
    fresh = True
    for entry in night.entries:
        if not isinstance(entry, Round):
            if fresh:
                yield ""
            yield _entry_line(entry, night.ruleset.deck)
        else:
            number += 1
            yield ""
            yield from _round_lines(entry, number, seats)
            seats = entry.header.seats
            if with_payments:
                yield from payment_lines(entry)
        fresh = False


def _entry_line(entry: Adjustment | Note, deck: Deck) -> str:
    if isinstance(entry, Adjustment):
        return f"pay {tag(entry.payer)} {tag(entry.payee)} {entry.points} {entry.reason}"
    return note_line(entry, deck)


def _round_lines(round: Round, number: int, seats: tuple[int, ...]) -> Iterator[str]:
    header = round.header
    words = ["opening"] if header.leader is None else ["lead", tag(header.leader)]
    if header.seats != seats:
        words += map(tag, header.seats)
    yield " ".join(["round", str(number), *words, *(["!"] if header.stood else [])])
    for move in round.moves:
        yield move_line(move, round.ruleset.deck)


def move_line(move: Move, deck: Deck) -> str:
    """A move as its line."""

    def text(cards: Cards) -> str:
        return " ".join(deck.write(cards))

    who = tag(move.player)
    match move:
        case Pass(stood=stood):
            return f"{who} -{_mark(stood)}"
        case Play(cards=cards, stood=stood, forward=forward, locks=locks):
            lock = "" if locks is None else "locks " if locks else "unlocks "
            return f"{who} {'forward ' if forward else ''}{lock}{text(cards)}{_mark(stood)}"
        case Claim(cards=cards, stood=stood):
            return f"{who} claims {text(cards)}{_mark(stood)}"
        case Show(cards=cards):
            return f"{who} shows {text(cards)}"
        case Declare(sets=sets):
            return f"{who} declares {', '.join(map(text, sets)) or 'none'}"
        case Bid(contract=contract):
            return f"{who} contract {contract}"
        case _:
            assert_never(move)


def _mark(stood: bool) -> str:
    return " !" if stood else ""


def payment_lines(round: Round) -> Iterable[str]:
    """The `=` lines of a round."""
    lines = [
        f"= {tag(payment.payer)} {tag(payment.payee)} {payment.points} {payment.reason}"
        for payment in payments(round)
    ]
    return lines or ["= none"]
