"""Typed night -> replay, line by line."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NoReturn

from ledger.game import notation
from ledger.game.cards import union
from ledger.game.errors import Refused
from ledger.game.fold import fold_in_place, voided
from ledger.game.moves import Move, Play
from ledger.game.notation import Unreadable, read_move, replay_round, tag, words_of
from ledger.game.report import AsReplay
from ledger.game.round import Round
from ledger.game.rulesets.validation import MOST_PLAYERS
from ledger.game.terms import WRITTEN
from ledger.language.dictation import Fits, heard
from ledger.language.dictation.words import folded
from ledger.language.typed import words
from ledger.language.typed.words import KNOCKED, Place, Players

_USUAL_RULES: Final = "southern-classic"
_LONGEST_LINE: Final = 1000
"""The most characters of a line without its comment."""
_MOST_DICTATED: Final = 1000
"""The most lines whose play is in words: each takes some milliseconds."""
_AS_IT_IS: Final = frozenset({"pay", "note", "="})
"""The first words of lines of the notation that no later line depends on."""


class Missing(StrEnum):
    """What a line lacks to be understood."""

    NAMES = "names"
    """The names of the players."""
    LINE = "line"
    """A player, or another beginning of a line."""
    MOVE = "move"
    """What a player did."""
    SUITS = "suits"
    """The suits of a play."""
    ROUND = "round"
    """The number of the round that comes next."""
    PLACES = "places"
    """Players in their order, each once."""
    CARDS = "cards"
    """The cards that a bomb took, or that a player was left with."""


class NotUnderstood(Exception):
    """A line that is not understood: its number, what it lacks, and what was understood of it."""

    def __init__(
        self,
        line: int,
        missing: Missing,
        names: Sequence[str],
        understood: str,
        fits: Fits | None,
        cards: str,
    ) -> None:
        super().__init__(f"line {line}: {missing}")
        self.line = line
        self.missing = missing
        self.names = names
        """The players so far."""
        self.understood = understood
        """The name of the player, if one was found; or the number of the round that comes next."""
        self.fits = fits
        """The plays that are meant, if only their suits are missing."""
        self.cards = cards
        """The cards of one of these."""


def is_typed(text: str) -> bool:
    """Whether a text begins as neither a replay nor JSON does."""
    lines = filter(None, map(words_of, text.removeprefix("\ufeff").split("\n")))
    return not next(lines, "").casefold().startswith(("tienlen ", "{")) if text.strip() else True


def translate(text: str) -> AsReplay:
    """Translate a typed night. Raises NotUnderstood, or Unreadable at a wrong line of the notation."""
    return _Translation().of(text)


class _Stopped(Exception):
    """The rules refuse the last line of the translation."""


class _Translation:
    """The state of translating one text."""

    def __init__(self) -> None:
        self.number = 0
        """The number of the line that is being translated."""
        self.header: list[tuple[int, str]] = []
        """The lines above the names."""
        self.names: list[tuple[int, str]] = []
        self.players: Players | None = None
        """None until the header is complete."""
        self.lines: list[tuple[int, str]] = []
        """The translation, with the number of the line that each was made from."""
        self.rounds: list[Round] = []
        """The rounds before the current one."""
        self.round: Round | None = None
        self.before: Round | None = None
        """The current round before its result."""
        self.result: list[str] = []
        """The lines of its result, which is judged when the last of them is known."""
        self.result_at = 0
        """The number of lines above it."""
        self.hands: list[Move] = []
        """What was declared and shown below it."""
        self.dictations = 0
        self.places: list[Place] = []
        """Places on lines of their own, so far."""
        self.placed_at = 0
        """The number of the last of these lines."""

    def of(self, text: str) -> AsReplay:
        try:
            for raw in text.removeprefix("\ufeff").split("\n"):
                self.number += 1
                line = words_of(raw)
                if line is None or len(line) > _LONGEST_LINE:
                    expected = "text without control characters" if line is None else "a shorter line"
                    raise Unreadable(self.number, expected)
                if line:
                    self.take(line)
            self.end_header()
            self.end_places()
        except _Stopped:
            pass
        numbers, lines = zip(*self.lines, strict=True)
        return AsReplay("\n".join(lines), numbers)

    def take(self, line: str) -> None:
        """Translate a line that is not blank."""
        first, _, rest = line.partition(" ")
        if self.players is None and first in ("ruleset", "rule", *WRITTEN):
            self.header.append((self.number, line))
        elif self.players is None and first == tag(len(self.names)) and (rest or not self.names):
            self.names.append((self.number, rest.strip()))
        elif not self.names:
            self.take_names(line)
        else:
            self.end_header()
            self.take_entry(line, first, rest)

    def fail(self, missing: Missing, understood: str = "", fits: Fits | None = None) -> NoReturn:
        cards = self.ruleset.deck.write(union(rank[0] for rank in fits.choices[0])) if fits else ()
        names = [name for _, name in self.names]
        raise NotUnderstood(self.number, missing, names, understood, fits, " ".join(cards))

    # The header

    def take_names(self, line: str) -> None:
        names = words.listed(words.TITLE_OF_NAMES.sub("", line, count=1))
        apart = len({*map(str.casefold, names)}) == len(names)
        if not 2 <= len(names) <= MOST_PLAYERS or not apart or any(map(str.isdecimal, "".join(names))):
            self.fail(Missing.NAMES)
        self.names = [(self.number, name) for name in names]

    def end_header(self) -> None:
        """Write the header, once, when a line of another kind begins."""
        if self.players is not None:
            return
        if len(self.names) < 2:
            self.fail(Missing.NAMES)
        begins = self.names[0][0]
        rules = (
            [] if any(line.startswith("ruleset ") for _, line in self.header) else [f"ruleset {_USUAL_RULES}"]
        )
        self.lines = [
            *((begins, line) for line in ("tienlen 1", *rules)),
            *self.header,
            *((number, f"{tag(place)} {name}") for place, (number, name) in enumerate(self.names)),
        ]
        self.head = tuple(self.lines)
        self.ruleset = self.read().terms.ruleset
        self.players = Players([name for _, name in self.names])

    def read(self, *more: str) -> notation.Script:
        """The script of the header and these lines. Raises Unreadable with the number of a line as typed."""
        lines = [*self.head, *((self.number, line) for line in more)]
        try:
            return notation.read("\n".join(line for _, line in lines))
        except Unreadable as error:
            raise Unreadable(lines[error.line - 1][0], error.expected) from None

    # Entries

    def take_entry(self, line: str, first: str, rest: str) -> None:
        assert self.players is not None
        found = self.players.first_in(line)
        title = words.TITLE_OF_PLACES.match(line)
        if first == "void" and (self.places or self.current() is not None):
            self.end_places()
            self.take_void(line, rest)
        elif first in _AS_IT_IS or (first == tag(len(self.names)) and rest):
            self.end_places()
            self.take_as_it_is(line, rest if first not in _AS_IT_IS else "")
        elif first in ("knocked", "bombed") and self.result:
            self.amend(line)
        elif (head := words.ROUND.fullmatch(line)) and not self.is_a_place(head):
            self.take_round(int(head[1] or head[2]), head[3].strip())
        elif title or self.players.names_someone(line):
            self.take_places(line[title.end() :] if title else line, whole=title is not None)
        elif found is not None:
            self.take_move(*found)
        else:
            self.fail(Missing.LINE)

    def take_void(self, line: str, reason: str) -> None:
        self.lines.append((self.number, line))
        round = self.current()
        assert round is not None
        self.rounds.append(voided(round, reason))
        self.round, self.before, self.result = None, None, []

    def is_a_place(self, head: re.Match[str]) -> bool:
        """Whether a line such as `2. Bình` is a place in a list of them, and not a round."""
        assert self.players is not None
        return head[1] is None and len(self.players.places_in(head[3]) or ()) == 1

    def take_as_it_is(self, line: str, name: str) -> None:
        if name:  # somebody joins
            self.names.append((self.number, name))
            self.players = Players([name for _, name in self.names])
            self.head = (*self.head, (self.number, line))
        self.lines.append((self.number, line))

    def take_round(self, number: int, rest: str) -> None:
        """`Ván 2`, who leads it, or its result."""
        assert self.players is not None
        self.end_places()
        following = len(self.rounds) + 1 + (self.current() is not None)
        if number != following:
            self.fail(Missing.ROUND, str(following))
        found = self.players.first_in(rest)
        if found is not None and words.LEADS.fullmatch(found[1]):
            self.begin(f"lead {found[0]}")
        elif rest.split(" ")[0] in ("", "opening", "lead", "!"):
            self.begin(rest)
        elif (places := self.players.places_in(rest)) is not None:
            self.begin()
            self.add_result(places)
        else:
            self.fail(Missing.PLACES)

    def begin(self, header: str = "") -> None:
        """Begin the next round."""
        if (round := self.current()) is not None:
            self.rounds.append(round)
        header = f"{len(self.rounds) + 1} {header}".strip()
        self.lines.append((self.number, f"round {header}"))
        self.result, self.before = [], None
        self.hands = []
        [entry] = self.read(f"round 1 {header.partition(' ')[2]}").rounds
        try:
            self.round = replay_round(self.ruleset, len(self.names), entry, self.rounds, infer=True)
        except Refused:
            raise _Stopped from None

    # Moves

    def take_move(self, player: str, rest: str) -> None:
        """What a player did, in cards, in the notation, in words, or as it is dictated."""
        self.end_places()
        name = self.names[int(player[1:]) - 1][1]
        stood = " !" if rest.endswith("!") else ""
        rest = rest.removesuffix("!").strip()
        if left := words.LEFT.match(rest):
            rest = rest[left.end() :]
            cards = "none" if folded(rest) in words.NOTHING else words.cards_in(rest)
            rest = f"declares {rest if ',' in rest or cards is None else cards}"
            if read_move(self.ruleset.deck, f"{player} {rest}") is None:
                self.fail(Missing.CARDS, name)
        elif self.result and (bomb := words.BOMBED.match(rest)):
            assert self.players is not None
            beaten = self.players.first_in(rest[bomb.end() :])
            cards = words.cards_in(beaten[1]) if beaten else None
            if beaten is None or cards is None:
                self.fail(Missing.CARDS, name)
            self.amend(f"bombed {player} {beaten[0]} {cards}")
            return
        elif words.is_pass(rest):
            rest = "-"
        else:
            rest = words.cards_in(rest) or rest
        move = read_move(self.ruleset.deck, f"{player} {rest}{stood}")
        if move is None:
            rest = self.dictated(player, name, rest)
            move = read_move(self.ruleset.deck, f"{player} {rest}{stood}")
            assert move is not None, rest
        self.add(move, f"{player} {rest}{stood}")

    def dictated(self, player: str, name: str, phrase: str) -> str:
        """A phrase as a move of the notation: what is meant by it now, or else what it would mean on the lead."""
        round = self.current()
        if round is None or round.over:
            self.begin()
        assert self.round is not None
        self.dictations += 1
        if self.dictations > _MOST_DICTATED:
            raise Unreadable(self.number, f"{_MOST_DICTATED} plays in words at the most")
        number = int(player[1:]) - 1
        found = heard(self.round, number, phrase)
        if not (found.sure or found.fits):
            [leads] = self.read(f"round 1 lead {player}").rounds
            leads.seats = self.round.header.seats
            found = heard(replay_round(self.ruleset, len(self.names), leads, (), infer=False), number, phrase)
        if not found.sure:
            self.fail(Missing.SUITS if found.fits else Missing.MOVE, name, found.fits)
        return "-" if found.passes else " ".join(self.ruleset.deck.write(found.plays[0]))

    def add(self, move: Move, line: str) -> None:
        """Add a move to its round, the next one if a play comes after the end of one."""
        round = self.current()
        if round is None or (round.over and isinstance(move, Play)):
            self.begin()
        assert self.round is not None
        self.lines.append((self.number, line))
        self.hands += [move] if self.result else []
        try:
            fold_in_place(self.round, [move], infer=True)
        except Refused:
            raise _Stopped from None

    # Results

    def take_places(self, text: str, *, whole: bool) -> None:
        """A list of places. Those of one player a line are collected."""
        assert self.players is not None
        places = self.players.places_in(text)
        if places is None or (len(places) == 1 and places[0].rank is None and not whole):
            found = None if whole else self.players.first_in(text)
            if found is not None and not re.search("[,>/]", text):
                self.take_move(*found)
                return
            self.fail(Missing.PLACES)
        if len(places) > 1 or whole:
            self.end_places()
            self.add_result(places)
        elif places[0].rank == KNOCKED and self.result and not self.places:
            self.amend(f"knocked {places[0].player}")
        else:
            if places[0].player in {place.player for place in self.places}:
                self.end_places()
            self.places.append(places[0])
            self.placed_at = self.number

    def end_places(self) -> None:
        """Add the places that were collected."""
        if self.places:
            places, self.places = self.places, []
            self.number, here = self.placed_at, self.number
            self.add_result(places)
            self.number = here

    def add_result(self, places: list[Place]) -> None:
        """Add a result to the current round, or to the next one if that is over."""
        if len({place.player for place in places}) != len(places):
            self.fail(Missing.PLACES)
        inside = [place for place in places if place.rank != KNOCKED]
        if all(place.rank is not None for place in inside):
            inside = sorted(inside, key=lambda place: place.rank or 0)
        order = [place.player for place in inside]
        round = self.current()
        out = [tag(player) for player in round.places] if round is not None and not self.result else []
        if round is not None and round.over:
            if order == out[: len(order)]:
                return  # the order in which they went out, told again
            out = []
        if round is None or round.over:
            self.begin()
        self.before, self.result = self.round, []
        self.result_at = len(self.lines)
        order = [*(player for player in out if player not in order), *order]
        knocked = [place.player for place in places if place.rank == KNOCKED]
        self.amend(" ".join(["result", *order]), *([" ".join(["knocked", *knocked])] if knocked else []))

    def amend(self, *lines: str) -> None:
        """Add lines to the result of the current round, above the hands that were declared since."""
        at = self.result_at + len(self.result)
        self.lines[at:at] = [(self.number, line) for line in lines]
        self.result += lines
        self.round = None

    def current(self) -> Round | None:
        """The current round, with its result."""
        if self.round is None and self.before is not None:
            [entry] = self.read("round 1", *self.result).rounds
            try:
                self.round = fold_in_place(self.before.copy(), [*entry.moves, *self.hands])
            except Refused:
                raise _Stopped from None
        return self.round
