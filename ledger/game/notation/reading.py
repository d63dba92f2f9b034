"""Text -> script."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import lru_cache, partial
from typing import NoReturn

from ledger.game.cards import Card, Cards, Deck
from ledger.game.moves import Bid, Bombed, Claim, Declare, Move, Pass, Play, Result, Show
from ledger.game.nights import Adjustment, Joined, Stake
from ledger.game.notation.notes import read_note
from ledger.game.notation.script import MOST_PLAYERS, Paid, RoundScript, Script, ScriptEntry, Unreadable, tag
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.data import with_rules
from ledger.game.rulesets.types import Ruleset
from ledger.game.scoring import Reason


def read(text: str) -> Script:
    """The script that a text spells; Unreadable at the first line that is none."""
    return _Reader(text).script()


def can_join(name: str, deck: Deck) -> bool:
    """Whether a player of this name can join below a round, where what reads as a move is one: nobody called 2h."""
    return _lines_of(deck)(f"{tag(0)} {name}") is None


_PLAYER = re.compile("p([1-9][0-9]?)")
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
_NAME_LINE = re.compile(r"(p[1-9][0-9]?)\s+(.*)")
_POINTS = re.compile("[1-9][0-9]{0,8}")
_REASONS = frozenset(Reason)
_NEXT_ROUND = "the next round (this one is void)"


class _Reader:
    """Reads one text. Each method takes the words of one line."""

    def __init__(self, text: str) -> None:
        self.line = 0
        self.version = False
        self.text = text.removeprefix("\ufeff")
        self.ruleset: Ruleset | None = None
        self.rules: list[tuple[str, str]] = []
        self.names: list[str] = []
        self.stake: Stake | None = None
        self.date: str | None = None
        self.entries: list[ScriptEntry] = []
        self.round: RoundScript | None = None
        self.move_line = _lines_of(Deck())
        self.rounds = 0

    def script(self) -> Script:
        lines = enumerate(self.text.split("\n"), start=1)
        while (raw := self.read_moves(lines)) is not None:
            self.read_other(raw)
        if not self.version:
            self.fail("tienlen 1")
        return Script(self.need_header(), self.names, self.stake, self.date, self.entries)

    def read_moves(self, lines: Iterator[tuple[int, str]]) -> str | None:
        """Take the moves that follow, and answer the first line that is none of this round; None at the end.

        Moves are what a replay is made of: they are known by their whole line.
        """
        round, players = self.round, len(self.names)
        if round is None or round.void is not None:
            self.line, raw = next(lines, (self.line, None))
            return raw
        read, add, add_line = self.move_line, round.moves.append, round.lines.append
        for self.line, raw in lines:
            move = read(raw)
            if move is None or move.player >= players:
                return raw
            add(move)
            add_line(self.line)
        return None

    def read_other(self, raw: str) -> None:
        """A line that is no move of a round, of whatever kind it is."""
        if self.round is not None:
            if (move := self.move_line(raw)) is not None:
                self.fail(self.a_player() if move.player >= len(self.names) else _NEXT_ROUND)
            if (paid := self.payment(raw)) is not None:
                self.paid(self.round).append(paid)
                return
        if words := self.words(raw):
            if self.version:
                self.read_line(words)
            elif words.split() != ["tienlen", "1"]:
                self.fail("tienlen 1")
            self.version = True

    def add(self, move: Move) -> None:
        """One more move of the round."""
        if self.round is None:
            self.fail("a round before its moves")
        if self.round.void is not None:
            self.fail(_NEXT_ROUND)
        self.round.moves.append(move)
        self.round.lines.append(self.line)

    def payment(self, raw: str) -> Paid | None:
        paid = _payment_line(raw)
        return None if paid is None or max(paid[0], paid[1]) >= len(self.names) else paid

    def words(self, raw: str) -> str:
        words = _said(raw)
        if words is None:
            self.fail("text without control characters")
        return words

    def read_line(self, line: str) -> None:
        word, rest = (*line.split(None, 1), "")[:2]
        match word:
            case "round":
                self.read_round(rest.split())
            case "pay":
                self.read_adjustment(rest)
            case "note":
                self.read_note(rest.split())
            case "=":
                self.read_payment(rest.split())
            case "ruleset" | "rule" | "stake" | "date" if not self.entries and not self.names:
                getattr(self, f"read_{word}")(rest)
            case "result" | "knocked" | "bombed":
                getattr(self, f"read_{word}")(rest.split())
            case "void":
                self.read_void(rest)
            case _ if match := _NAME_LINE.fullmatch(line):
                self.read_player(match[1], match[2])
            case _:
                self.fail("a line of the replay notation" if self.entries else "a header line or a round")

    def read_ruleset(self, rest: str) -> None:
        if self.ruleset is not None:
            self.fail("one ruleset only")
        self.ruleset = PRESETS.get(rest)
        if self.ruleset is None:
            self.fail(f"a preset's id ({', '.join(PRESETS)})")

    def read_rule(self, rest: str) -> None:
        field, found, value = rest.partition("=")
        if self.ruleset is None or not found:
            self.fail("FIELD=VALUE below the ruleset")
        self.rules.append((field.strip(), value.strip()))
        try:
            self.ruleset = with_rules(PRESETS[self.ruleset.id], self.rules)
        except ValueError as error:
            self.fail(f"a house rule ({error})")

    def read_stake(self, rest: str) -> None:
        match = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,4})?)\s+([A-Z]{3})", rest)
        if not match or not Decimal(match[1]):
            self.fail("an amount and a currency (1000 VND)")
        self.stake = Stake(Decimal(match[1]), match[2])

    def read_date(self, rest: str) -> None:
        try:
            self.date = date.fromisoformat(rest).isoformat()
        except ValueError:
            self.fail("a date (2026-11-20)")

    def read_player(self, word: str, name: str) -> None:
        number = len(self.names)
        if self.entries and word in map(tag, range(number)):
            self.fail("a move")
        if word != tag(number) or number == MOST_PLAYERS:
            self.fail(f"{tag(number)}: players are listed in order, {MOST_PLAYERS} at the most")
        self.names.append(" ".join(name.split()))
        if self.entries:
            self.need_header()
            self.entries.append(Joined(number))

    def read_round(self, words: list[str]) -> None:
        self.move_line = _lines_of(self.need_header().deck)
        stood = words[-1:] == ["!"]
        words = words[:-1] if stood else words
        self.rounds += 1
        if words[:1] != [str(self.rounds)]:
            self.fail(f"round {self.rounds}")
        opening: bool | None = None
        leader: int | None = None
        rest = words[1:]
        if rest[:1] == ["opening"]:
            opening, rest = True, rest[1:]
        elif rest[:1] == ["lead"]:
            opening, leader, rest = False, self.player("".join(rest[1:2])), rest[2:]
        self.round = RoundScript(self.line, opening, leader, self.players(rest), stood)
        self.entries.append(self.round)

    def read_result(self, words: list[str]) -> None:
        """How a round came out; who had played nothing and what bombs took are told in lines below."""
        if not words:
            self.fail("who came in first, then the others in their order (result p3 p5 p1)")
        self.add(Result(self.players(words)))

    def read_knocked(self, words: list[str]) -> None:
        result = self.result()
        if result.knocked or not words:
            self.fail("one line with everyone who had played nothing (knocked p2 p4)")
        self.amend(replace(result, knocked=self.players(words)))

    def read_bombed(self, words: list[str]) -> None:
        result = self.result()
        try:
            player, beaten, *cards = words
            captured, _, twice = _gather(self.need_header().deck, cards, stood=False)
        except ValueError:
            self.fail("whose bomb it was, whom it beat, and the cards that it took (bombed p5 p1 2d 2h)")
        bomb = Bombed(*self.two(player, beaten), captured, twice)
        self.amend(replace(result, bombs=(*result.bombs, bomb)))

    def result(self) -> Result:
        """The result that a line below it tells more of."""
        last = self.round.moves[-1:] if self.round is not None and self.round.void is None else []
        if not last or not isinstance(last[0], Result):
            self.fail("a result right above it")
        return last[0]

    def amend(self, result: Result) -> None:
        assert self.round is not None
        self.round.moves[-1] = result

    def read_void(self, reason: str) -> None:
        if self.round is None or self.round.void is not None:
            self.fail("a round, once, that does not count")
        if not reason:
            self.fail("a reason")
        self.round.void = " ".join(reason.split())

    def read_adjustment(self, rest: str) -> None:
        payer, payee, points, reason = (*rest.split(None, 3), "", "", "", "")[:4]
        self.need_header()
        paid = self.points(payer, payee, points)
        if not reason:
            self.fail("a reason")
        self.entries.append(Adjustment(*paid, " ".join(reason.split())))

    def read_note(self, words: list[str]) -> None:
        try:
            self.entries.append(read_note(words, self.player, self.need_header().deck))
        except ValueError:
            self.fail("a note (note owes p1 p3 2 highest-two)")

    def read_payment(self, words: list[str]) -> None:
        """A line of payments that is not one payment: `none`, or what is wrong with it."""
        if self.round is None:
            self.fail("a round before its payments")
        if words == ["none"]:
            self.paid(self.round)
            return
        if len(words) == 4 and words[3] in _REASONS:
            self.points(*words[:3])
        self.fail("payer, payee, points and reason, or none")

    def paid(self, round: RoundScript) -> list[Paid]:
        """What the round's `=` lines state; it has one now."""
        if round.paid is None:
            round.paid, round.paid_line = [], self.line
        return round.paid

    def points(self, payer: str, payee: str, points: str) -> tuple[int, int, int]:
        if not _POINTS.fullmatch(points):
            self.fail("a whole number of points")
        return *self.two(payer, payee), int(points)

    def two(self, one: str, other: str) -> tuple[int, int]:
        pair = self.player(one), self.player(other)
        if pair[0] == pair[1]:
            self.fail("two different players")
        return pair

    def players(self, words: Sequence[str]) -> tuple[int, ...]:
        players = tuple(map(self.player, words))
        if len(set(players)) != len(players):
            self.fail("each player once")
        return players

    def player(self, word: str) -> int:
        match = _PLAYER.fullmatch(word)
        if not match or int(match[1]) > len(self.names):
            self.fail(self.a_player())
        return int(match[1]) - 1

    def a_player(self) -> str:
        return f"a player of this night ({tag(0)} to {tag(len(self.names) - 1)})"

    def need_header(self) -> Ruleset:
        if self.ruleset is None:
            self.fail("a ruleset")
        if len(self.names) < 2:
            self.fail("two players at least")
        return self.ruleset

    def fail(self, expected: str) -> NoReturn:
        raise Unreadable(self.line, expected)


def _said(raw: str) -> str | None:
    """What a line says beside its comment; None if it holds what no text should."""
    words = raw.partition(";")[0].strip()
    return None if _CONTROL.search(words) else words


@lru_cache(maxsize=16_384)
def _payment_line(raw: str) -> Paid | None:
    """The payment that an `=` line states, or None; players are not yet known to be of the night."""
    words = (_said(raw) or "").split()
    if len(words) != 5 or words[0] != "=" or not _POINTS.fullmatch(words[3]) or words[4] not in _REASONS:
        return None
    payer, payee = _PLAYER.fullmatch(words[1]), _PLAYER.fullmatch(words[2])
    if not payer or not payee or payer[1] == payee[1]:
        return None
    return int(payer[1]) - 1, int(payee[1]) - 1, int(words[3]), Reason(words[4])


@lru_cache(maxsize=8)
def _lines_of(deck: Deck) -> Callable[[str], Move | None]:
    """Reads lines as moves, with the cards of a deck. Lines repeat within a night, and even more between nights."""
    return lru_cache(maxsize=65_536)(partial(_move_line, deck))


def _move_line(deck: Deck, raw: str) -> Move | None:
    """The move that a line spells, or None."""
    line = _said(raw) or ""
    words = line.split()
    match = _PLAYER.fullmatch(words[0]) if len(words) > 1 else None
    if not match:
        return None
    player = int(match[1]) - 1
    stood = words[-1] == "!"
    rest = words[1:-1] if stood else words[1:]
    try:
        match rest:
            case ["-" | "–"]:
                return Pass(player, stood)
            case ["claims", *cards]:
                return Claim(player, *_gather(deck, cards, stood))
            case ["shows", *cards] if not stood:
                cards_shown, _, twice = _gather(deck, cards, stood)
                return Show(player, cards_shown, twice)
            case ["declares", *_] if not stood:
                return _declaration(player, deck, line.split(None, 2)[2:])
            case ["contract", contract] if not stood:
                return Bid(player, contract)
            case _:
                return _play(player, deck, rest, stood)
    except ValueError:
        return None


def _play(player: int, deck: Deck, words: Sequence[str], stood: bool) -> Play:
    """A play: `forward` and `locks` or `unlocks` may come before its cards."""
    forward = words[:1] == ["forward"]
    words = words[1:] if forward else words
    locks = {"locks": True, "unlocks": False}.get(words[0]) if words else None
    return Play(player, *_gather(deck, words if locks is None else words[1:], stood), forward, locks)


def _gather(deck: Deck, words: Sequence[str], stood: bool) -> tuple[Cards, bool, Cards]:
    if not words:
        raise ValueError("no cards")
    cards, twice = deck.gather(map(Card.read, words))
    return cards, stood, twice


def _declaration(player: int, deck: Deck, rest: Sequence[str]) -> Declare:
    if list(rest) == ["none"]:
        return Declare(player, ())
    sets: list[Cards] = []
    together = twice = 0
    for group in "".join(rest).split(","):
        cards, again = deck.gather(map(Card.read, group.split()))
        if not cards:
            raise ValueError("no cards")
        cards = deck.unseen_twins(cards, together) if deck.has_twins else cards
        twice |= again | together & cards
        together |= cards
        sets.append(cards)
    return Declare(player, tuple(sets), twice)
