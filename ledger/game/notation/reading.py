"""Text -> script."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import NoReturn

from ledger.game.cards import Card, Cards, Deck
from ledger.game.moves import Claim, Declare, Move, Pass, Play, Show
from ledger.game.nights import Adjustment, Stake
from ledger.game.notation.script import MOST_PLAYERS, RoundScript, Script, Unreadable, tag
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.data import with_rule
from ledger.game.rulesets.types import Ruleset
from ledger.game.scoring import Reason


def read(text: str) -> Script:
    """The script that a text spells; Unreadable at the first line that is none."""
    return _Reader(text).script()


_PLAYER = re.compile("p([1-9][0-9]?)")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_NAME_LINE = re.compile(r"(p[1-9][0-9]?)\s+(.*)")
_LATER = {"result", "knocked", "bombed", "void"}


class _Reader:
    """Reads one text. Each method takes the words of one line."""

    def __init__(self, text: str) -> None:
        self.line = 0
        self.text = text.removeprefix("\ufeff")
        self.ruleset: Ruleset | None = None
        self.names: list[str] = []
        self.stake: Stake | None = None
        self.date: str | None = None
        self.entries: list[RoundScript | Adjustment] = []
        self.round: RoundScript | None = None
        self.rounds = 0

    def script(self) -> Script:
        version = False
        for raw in self.text.split("\n"):
            self.line += 1
            if self.round is not None and (move := _move_line(raw)) is not None:
                self.record(self.round, move)
            elif words := self.words(raw):
                if version:
                    self.read_line(words)
                elif words.split() != ["tienlen", "1"]:
                    self.fail("tienlen 1")
                version = True
        if not version:
            self.fail("tienlen 1")
        return Script(self.need_header(), self.names, self.stake, self.date, self.entries)

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
            case "=":
                self.read_payment(rest.split())
            case "ruleset" | "rule" | "stake" | "date" if not self.entries and not self.names:
                getattr(self, f"read_{word}")(rest)
            case _ if word in _LATER:
                self.fail(f"a round recorded move by move (this version cannot read {word!r})")
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
        try:
            self.ruleset = with_rule(self.ruleset, field.strip(), value.strip())
        except ValueError as error:
            self.fail(f"a house rule ({error})")
        if self.ruleset.deck != _DECK:
            self.fail("a house rule (replays are of one pack)")

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
        if self.entries:
            self.fail("a move (this version cannot read players who join)")
        if word != tag(len(self.names)) or len(self.names) == MOST_PLAYERS:
            self.fail(f"{tag(len(self.names))}: players are listed in order, {MOST_PLAYERS} at the most")
        self.names.append(" ".join(name.split()))

    def read_round(self, words: list[str]) -> None:
        self.need_header()
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
        seats = tuple(self.player(word) for word in rest)
        if len(set(seats)) != len(seats):
            self.fail("each player once")
        self.round = RoundScript(self.line, opening, leader, seats, stood)
        self.entries.append(self.round)

    def read_adjustment(self, rest: str) -> None:
        payer, payee, points, reason = (*rest.split(None, 3), "", "", "", "")[:4]
        self.need_header()
        paid = self.points(payer, payee, points)
        if not reason:
            self.fail("a reason")
        self.entries.append(Adjustment(*paid, " ".join(reason.split())))

    def read_payment(self, words: list[str]) -> None:
        if self.round is None:
            self.fail("a round before its payments")
        if self.round.paid is None:
            self.round.paid, self.round.paid_line = [], self.line
        if words == ["none"]:
            return
        if len(words) != 4 or words[3] not in set(Reason):
            self.fail("payer, payee, points and reason, or none")
        self.round.paid.append((*self.points(*words[:3]), Reason(words[3])))

    def record(self, round: RoundScript, move: Move) -> None:
        if move.player >= len(self.names):
            self.fail(f"a player of this night ({tag(0)} to {tag(len(self.names) - 1)})")
        round.moves.append(move)
        round.lines.append(self.line)

    def points(self, payer: str, payee: str, points: str) -> tuple[int, int, int]:
        if not re.fullmatch("[1-9][0-9]{0,8}", points):
            self.fail("a whole number of points")
        pair = self.player(payer), self.player(payee)
        if pair[0] == pair[1]:
            self.fail("two different players")
        return *pair, int(points)

    def player(self, word: str) -> int:
        match = _PLAYER.fullmatch(word)
        if not match or int(match[1]) > len(self.names):
            self.fail(f"a player of this night ({tag(0)} to {tag(len(self.names) - 1)})")
        return int(match[1]) - 1

    def need_header(self) -> Ruleset:
        if self.ruleset is None:
            self.fail("a ruleset")
        if len(self.names) < 2:
            self.fail("two players at least")
        return self.ruleset

    def fail(self, expected: str) -> NoReturn:
        raise Unreadable(self.line, expected)


_DECK = Deck()


def _said(raw: str) -> str | None:
    """What a line says beside its comment; None if it holds what no text should."""
    words = raw.partition(";")[0].strip()
    return None if _CONTROL.search(words.replace("\t", " ")) else words


@lru_cache(maxsize=65_536)
def _move_line(raw: str) -> Move | None:
    """The move that a line spells, or None. Lines repeat: within a night and, even more, between nights."""
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
                return Claim(player, *_gather(cards, stood))
            case ["shows", *cards] if not stood:
                cards_shown, _, twice = _gather(cards, stood)
                return Show(player, cards_shown, twice)
            case ["declares", *_] if not stood:
                return _declaration(player, line.split(None, 2)[2:])
            case _:
                return Play(player, *_gather(rest, stood))
    except ValueError:
        return None


def _gather(words: Sequence[str], stood: bool) -> tuple[Cards, bool, Cards]:
    if not words:
        raise ValueError("no cards")
    cards, twice = _DECK.gather(map(Card.read, words))
    return cards, stood, twice


def _declaration(player: int, rest: Sequence[str]) -> Declare:
    if list(rest) == ["none"]:
        return Declare(player, ())
    groups = [_DECK.gather(map(Card.read, group.split())) for group in "".join(rest).split(",")]
    sets = tuple(cards for cards, _ in groups)
    if not all(sets):
        raise ValueError("no cards")
    together = twice = 0
    for cards, again in groups:
        twice |= again | together & cards
        together |= cards
    return Declare(player, sets, twice)
