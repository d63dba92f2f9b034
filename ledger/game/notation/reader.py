"""Text -> script."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Any, NoReturn

from ledger.game.cards import Deck
from ledger.game.fold import MOST_ENTRIES
from ledger.game.moves import Bombed, Cover, Move, Result
from ledger.game.night import Adjustment, Joined
from ledger.game.notation.new_terms import AGREED, ALL_ROUNDS, read_new_terms
from ledger.game.notation.notes import read_note
from ledger.game.notation.script import (
    PLAYERS,
    Paid,
    RoundScript,
    Script,
    ScriptEntry,
    TermsScript,
    Unreadable,
    gather,
    read_move,
    tag,
    tagging,
    words_of,
)
from ledger.game.payments import Reason
from ledger.game.round import MOST_TIMES
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overrides import RuleRefused, with_rules
from ledger.game.rulesets.validation import MOST_PLAYERS
from ledger.game.terms import WRITTEN, Terms


def read(text: str) -> Script:
    """Parse a text; Unreadable at the first line that is not in the notation."""
    return _Reader(text).script()


def can_join(name: str, deck: Deck) -> bool:
    """Whether a player of this name can join below a round, where a name such as `2h` would read as a move."""
    return read_move(deck, f"{tag(0)} {name}") is None


LONGEST_LINE = 10_000
"""The most characters of a line without its comment: no log keeps a longer name or reason."""
_LONGEST_CACHED = 120
"""The most characters of a line whose move is cached: any client may send longer ones."""
_NAME_LINE = re.compile(r"(p[1-9][0-9]?)\s+(.*)")
_TIMES = re.compile("x[0-9]{1,9}")
_POINTS = re.compile("[1-9][0-9]{0,8}")
_REASONS = frozenset(Reason)


class _Reader:
    """Reads one text. Each method takes the words of one line."""

    def __init__(self, text: str) -> None:
        self.line = 0
        """The number of the line that is being read."""
        self.version = False
        self.lines = text.removeprefix("\ufeff").split("\n")
        self.preset: Ruleset | None = None
        self.rules: dict[int, tuple[str, str]] = {}
        """Line number -> rule."""
        self.ruleset: Ruleset | None = None
        """The preset with the rules; None while there is none, or more rules may follow."""
        self.names: list[str] = []
        self.terms: dict[str, Any] = {}
        """Attribute of `Terms` -> its value in the header, without the ruleset."""
        self.entries: list[ScriptEntry] = []
        self.round: RoundScript | None = None
        self.read_short_move: Callable[[str], Move | None]
        """`read_move` for the night's deck, cached; set once there is a round."""
        self.rounds = 0
        self.opened: Terms | None = None
        """The terms of the opening; None above the players."""
        self.now: Terms
        """The terms that hold, without those that are being read; set with `opened`."""
        self.new: dict[int, tuple[str, str]] = {}
        """Line number -> word and rest of the lines of new terms."""
        self.between = False
        """Whether there are new terms since the last round."""

    def script(self) -> Script:
        for raw in self.lines:
            self.line += 1
            move = self.move_of(raw)
            if move is None:
                self.read_other(raw)
            else:
                self.add(move)
        if not self.version:
            self.fail("tienlen 1")
        self.lay_rules()
        self.lay_new_terms()
        return Script(self.opened or Terms(self.need_header(), **self.terms), self.names, self.entries)

    def move_of(self, raw: str) -> Move | None:
        """The move of a line with tags below the header of a round; else None."""
        if self.round is None:
            return None
        short = len(raw) <= _LONGEST_CACHED
        move = self.read_short_move(raw) if short else read_move(self.need_header().deck, raw)
        if move is None or move.player >= len(self.names):
            return None
        return None if isinstance(move, Cover) and max(move.covered) >= len(self.names) else move

    def move_with_names(self, line: str) -> Move | None:
        """The move of a line that has names instead of tags; None if it is none."""
        line = self.tagged(line, 1)
        match line.split():
            case [player, "covers", *covered, why]:
                line = " ".join([player, "covers", self.tagged(" ".join(covered), MOST_PLAYERS), why])
        return read_move(self.need_header().deck, line)

    def read_other(self, raw: str) -> None:
        """Read a line that is no move with tags."""
        words = words_of(raw)
        if words is None:
            self.fail("text without control characters")
        if len(words) > LONGEST_LINE:
            self.fail("a shorter line")
        if words:
            if self.version:
                self.read_line(words)
            elif words.split() != ["tienlen", "1"]:
                self.fail("tienlen 1")
            self.version = True

    def tagged(self, text: str, most: int = 0) -> str:
        """A text with tags for names: for all, or for at most `most` at its beginning."""
        return tagging(tuple(self.names))(text, most)

    def add(self, move: Move) -> None:
        """Add a move to the round."""
        if self.round is None:
            self.fail("a round before its moves")
        if self.round.void is not None:
            self.fail("the next round (this one is void)")
        self.require_old_terms()
        self.round.moves.append(move)
        self.round.lines.append(self.line)

    def read_line(self, line: str) -> None:
        word, rest = (*line.split(None, 1), "")[:2]
        if word != "rule":
            self.lay_rules()
        if word in AGREED and self.names:
            self.need_header()
            if word == "stake" and any(rest.endswith(f" {ALL_ROUNDS}") for _, rest in self.new.values()):
                self.lay_new_terms()  # the worth of the rounds so far, and then another
            self.new[self.line], self.between = (word, rest), True
            return
        self.lay_new_terms()
        match word:
            case "round":
                self.read_round(self.tagged(rest).split())
            case "pay":
                self.read_adjustment(self.tagged(rest, 2))
            case "note":
                self.read_note(self.tagged(rest).split())
            case "=":
                self.read_payment(self.tagged(rest, 2).split())
            case "ruleset" | "rule":
                getattr(self, f"read_{word}")(rest)
            case _ if word in WRITTEN and not self.entries and not self.names:
                self.read_term(word, rest)
            case _ if word in WRITTEN and not self.entries:
                self.fail("this line above the players")
            case "result" | "knocked" | "bombed":
                getattr(self, f"read_{word}")(self.tagged(rest).split())
            case "void":
                self.read_void(rest)
            case _ if match := _NAME_LINE.fullmatch(line):
                self.read_player(line, match[1], match[2])
            case _ if self.round and (move := self.move_with_names(line)):
                self.add(move)
            case _:
                self.fail(
                    "a line of the replay notation (p1 3s 3c, p1 -, result p3 p1)"
                    if self.entries
                    else "a header line or a round (p1 An, round 1)"
                )

    def read_ruleset(self, rest: str) -> None:
        if self.preset is not None:
            self.fail("one ruleset only")
        self.preset = PRESETS.get(rest)
        if self.preset is None:
            self.fail(f"a preset's id ({', '.join(PRESETS)})")

    def read_rule(self, rest: str) -> None:
        field, found, value = rest.partition("=")
        if self.preset is None or not found:
            self.fail("FIELD=VALUE below the ruleset")
        self.rules[self.line], self.ruleset = (field.strip(), value.strip()), None

    def lay_rules(self) -> None:
        """Apply all `rule` lines at once: one may be valid only together with those below it."""
        if self.preset is None or self.ruleset is not None:
            return
        try:
            self.ruleset = with_rules(self.preset, self.rules.values()) if self.rules else self.preset
        except RuleRefused as error:
            raise Unreadable(list(self.rules)[error.line], f"a house rule ({error})") from None

    def require_old_terms(self) -> None:
        """Fail if there are new terms below the round, and so it is over."""
        if self.between:
            self.fail("the next round (new terms come between rounds)")

    def lay_new_terms(self) -> None:
        """Add the terms of the lines read since the last entry."""
        if not self.new:
            return
        if self.opened is None:
            self.opened = self.now = Terms(self.need_header(), **self.terms)
        lines, self.new = self.new, {}
        new = read_new_terms(self.now, lines)
        self.entries.append(TermsScript(next(iter(lines)), new))
        self.now, self.ruleset = new.terms, new.terms.ruleset

    def read_term(self, word: str, rest: str) -> None:
        if word in self.terms:
            self.fail("each term once")
        try:
            self.terms[word] = WRITTEN[word].value(rest)
        except ValueError:
            self.fail(WRITTEN[word].expected)

    def read_player(self, line: str, word: str, name: str) -> None:
        if self.round is not None and read_move(self.need_header().deck, line) is not None:
            self.fail(self.a_player())
        number = len(self.names)
        if self.entries and word in map(tag, range(number)):
            self.fail("a move")
        if word != tag(number) or number == MOST_PLAYERS:
            self.fail(f"{tag(number)}: players are listed in order, {MOST_PLAYERS} at the most")
        self.names.append(" ".join(name.split()))
        if self.entries:
            self.entries.append(Joined(number))

    def read_round(self, words: list[str]) -> None:
        self.read_short_move = _moves_of(self.need_header().deck)
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
        times = self.times(rest.pop()) if rest and _TIMES.fullmatch(rest[-1]) else 1
        self.round = RoundScript(self.line, opening, leader, self.players(rest), stood, times)
        self.entries.append(self.round)
        self.between = False

    def times(self, word: str) -> int:
        """The factor of a round's payments: `x2`."""
        if not 2 <= (times := int(word[1:])) <= MOST_TIMES:
            self.fail(f"a factor from x2 to x{MOST_TIMES}")
        return times

    def read_result(self, words: list[str]) -> None:
        """Read the places of a result; the lines below add who had played nothing and what bombs took."""
        if not words:
            self.fail("who came in first, then the others in their order (result p3 p5 p1)")
        self.add(Result(self.players(words)))

    def read_knocked(self, words: list[str]) -> None:
        result = self.result()
        if result.never_played or not words:
            self.fail("one line with everyone who had played nothing (knocked p2 p4)")
        self.amend(replace(result, never_played=self.players(words)))

    def read_bombed(self, words: list[str]) -> None:
        result = self.result()
        if len(result.bombs) == self.need_header().deck.all.bit_count():
            self.fail("no more bombs than there are cards")
        try:
            player, beaten, *cards = words
            captured, _, twice = gather(self.need_header().deck, cards, stood=False)
        except ValueError:
            self.fail("whose bomb it was, whom it beat, and the cards that it took (bombed p5 p1 2d 2h)")
        bomb = Bombed(*self.two(player, beaten), captured, twice)
        self.amend(replace(result, bombs=(*result.bombs, bomb)))

    def result(self) -> Result:
        """The result to which the current line adds."""
        self.require_old_terms()
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
        self.require_old_terms()
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
        """One payment of the round, or `none`."""
        if self.round is None:
            self.fail("a round before its payments")
        self.require_old_terms()
        if len(self.round.paid or ()) == MOST_ENTRIES:
            self.fail(f"{MOST_ENTRIES} payments of a round at the most")
        if words != ["none"] and (len(words) != 4 or words[3] not in _REASONS):
            self.fail("payer, payee, points and reason, or none")
        paid = [] if words == ["none"] else [Paid(*self.points(*words[:3]), Reason(words[3]))]
        if self.round.paid is None:
            self.round.paid, self.round.paid_line = [], self.line
        self.round.paid += paid

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
        player = PLAYERS.get(word)
        if player is None or player >= len(self.names):
            self.fail(self.a_player())
        return player

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


@cache
def _moves_of(deck: Deck) -> Callable[[str], Move | None]:
    """`read_move` for a deck, cached: lines repeat within a night, and even more between nights."""
    return lru_cache(maxsize=20_000)(partial(read_move, deck))
