"""Night -> canonical text."""

from collections.abc import Iterable, Iterator
from itertools import dropwhile
from typing import assert_never

from ledger.game.cards import Cards, Deck
from ledger.game.customs import Note
from ledger.game.moves import Bid, Claim, Cover, Declare, Move, Pass, Play, Result, Show
from ledger.game.night import Adjustment, Joined, NewTerms, Night, seats_after
from ledger.game.notation.new_terms import new_terms_lines
from ledger.game.notation.notes import note_line
from ledger.game.notation.script import tag
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overrides import rules_of
from ledger.game.scoring import payments
from ledger.game.terms import on_a_line, term_lines


def write(night: Night, *, with_payments: bool = False) -> str:
    """The canonical text of a night; reading it and writing it again gives the same bytes."""
    return "\n".join(_lines(night, with_payments)) + "\n"


def _lines(night: Night, with_payments: bool) -> Iterator[str]:
    yield "tienlen 1"
    preset = PRESETS[night.ruleset.id]
    yield f"ruleset {preset.id}"
    for path, value in rules_of(night.ruleset, preset):
        yield f"rule {path}={value}"
    yield from term_lines(night.terms)
    # Players who joined before anything else happened count as present from the start.
    entries = list(dropwhile(lambda entry: isinstance(entry, Joined), night.entries))
    players = len(night.names) - sum(isinstance(entry, Joined) for entry in entries)
    yield from (_name_line(night, player) for player in range(players))
    seats: tuple[int, ...] = ()
    number, terms = 0, night.terms
    for index, entry in enumerate(entries):
        if isinstance(entry, Round):
            number += 1
            yield ""
            yield from _round_lines(entry, number, seats or tuple(range(players)))
            seats = seats_after(entry)
            if with_payments:
                yield from payment_lines(entry)
        elif isinstance(entry, NewTerms):
            yield ""
            yield from new_terms_lines(terms, entry)
            terms = entry.terms
        else:
            players += isinstance(entry, Joined)
            if not index:
                yield ""
            yield _entry_line(entry, night)


def _entry_line(entry: Adjustment | Note | Joined, night: Night) -> str:
    match entry:
        case Adjustment():
            return f"pay {tag(entry.payer)} {tag(entry.payee)} {entry.points} {on_a_line(entry.reason)}"
        case Joined():
            return _name_line(night, entry.player)
        case _:
            return note_line(entry)


def _name_line(night: Night, player: int) -> str:
    return f"{tag(player)} {on_a_line(night.names[player])}"


def _round_lines(round: Round, number: int, seats: tuple[int, ...]) -> Iterator[str]:
    header = round.header
    words = ["opening"] if header.leader is None else ["lead", tag(header.leader)]
    if header.seats != seats:
        words += map(tag, header.seats)
    words += [f"x{header.times}"] if header.times > 1 else []
    yield " ".join(["round", str(number), *words, *(["!"] if header.stood else [])])
    for move in round.moves:
        yield move_line(move, round.ruleset.deck)
    if round.void is not None:
        yield f"void {on_a_line(round.void)}"


def move_line(move: Move, deck: Deck) -> str:
    """A move as its line; a result as its lines."""

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
        case Cover(covered=covered, why=why):
            return " ".join([who, "covers", *map(tag, covered), why])
        case Bid(contract=contract):
            return f"{who} contract {contract}"
        case Result():
            return "\n".join(_result_lines(move, deck))
        case _:
            assert_never(move)


def _result_lines(result: Result, deck: Deck) -> Iterator[str]:
    yield " ".join(["result", *map(tag, result.places)])
    if result.never_played:
        yield " ".join(["knocked", *map(tag, result.never_played)])
    for bomb in result.bombs:
        yield " ".join(["bombed", tag(bomb.player), tag(bomb.beaten), *deck.write(bomb.captured)])


def _mark(stood: bool) -> str:
    return " !" if stood else ""


def payment_lines(round: Round) -> Iterable[str]:
    """The `=` lines of a round."""
    lines = [
        f"= {tag(payment.payer)} {tag(payment.payee)} {payment.points} {payment.reason}"
        for payment in payments(round)
    ]
    return lines or ["= none"]
