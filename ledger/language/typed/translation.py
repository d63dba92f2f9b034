"""Typed night -> replay, line by line."""

import re
from contextlib import suppress
from itertools import chain, count
from typing import Final, NoReturn

from ledger.game.cards import union
from ledger.game.errors import Refused
from ledger.game.fold import fold_in_place, voided
from ledger.game.moves import Move, Play
from ledger.game.night import judge_terms
from ledger.game.notation import AGREED, RoundScript, Unreadable, read_move, replay_round, tag, words_of
from ledger.game.report import AsReplay
from ledger.game.round import Round
from ledger.language.dictation import Fits, heard
from ledger.language.dictation.words import folded
from ledger.language.typed import words
from ledger.language.typed.errors import Missing, NotUnderstood
from ledger.language.typed.header import Header, HeaderLines, Line
from ledger.language.typed.words import KNOCKED, Place

_LONGEST_LINE: Final = 1000
"""The most characters of a line without its comment."""
_MOST_DICTATED: Final = 1000
"""The most lines whose play is in words: each takes some milliseconds."""
_AS_IT_IS: Final = frozenset({"pay", "note", "="})
"""The first words of lines of the notation that no later line depends on."""


def is_typed(text: str) -> bool:
    """Whether a text begins as neither a replay nor JSON does."""
    lines = filter(None, map(words_of, text.removeprefix("\ufeff").split("\n")))
    return not next(lines, "").casefold().startswith(("tienlen ", "{")) if text.strip() else True


def translate(text: str) -> AsReplay:
    """Translate a typed night. Raises NotUnderstood, or Unreadable at a wrong line of the notation."""
    raw = text.removeprefix("\ufeff").split("\n")
    lines = filter(None, map(_readable, count(1), raw))
    above = HeaderLines()
    below = next((line for line in lines if not above.take(line)), None)
    translation = _Translation(above.complete(below.number if below else len(raw)))
    with suppress(_Stopped):
        for line in chain(filter(None, [below]), lines):
            translation.take(line)
        translation.end_places()
        translation.agree()
    numbers, written = zip(*translation.lines, strict=True)
    return AsReplay("\n".join(written), numbers)


def _readable(number: int, raw: str) -> Line | None:
    """A line without its comment, None if nothing is left. Raises Unreadable."""
    text = words_of(raw)
    if text is None or len(text) > _LONGEST_LINE:
        expected = "text without control characters" if text is None else "a shorter line"
        raise Unreadable(number, expected)
    return Line(number, text) if text else None


class _Stopped(Exception):
    """The rules refuse the last line of the translation."""


class _Translation:
    """The state of translating the lines below a header."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.number = 0
        """The number of the line that is being translated."""
        self.lines = [*header.lines]
        """The translation."""
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
        self.agreed: list[Line] = []
        """The lines of new terms, so far."""
        self.round_at = 0
        """The number of lines above the current round."""

    def fail(self, missing: Missing, understood: str = "", fits: Fits | None = None) -> NoReturn:
        cards = self.header.ruleset.deck.write(union(rank[0] for rank in fits.choices[0])) if fits else ()
        raise NotUnderstood(self.number, missing, self.header.names, understood, fits, " ".join(cards))

    def write(self, line: str) -> None:
        self.lines.append(Line(self.number, line))

    def read_round(self, *lines: str) -> RoundScript:
        """The only round of some lines of the notation."""
        [entry] = self.header.read(*(Line(self.number, line) for line in lines)).rounds
        return entry

    # Entries

    def take(self, numbered: Line) -> None:
        """Translate a line. Raises _Stopped if the rules refuse it, and NotUnderstood."""
        self.number, line = numbered
        first, _, rest = line.partition(" ")
        if first in AGREED:
            self.end_places()
            self.agreed.append(numbered)
            self.write(line)
            return
        self.agree()
        found = self.header.players.first_in(line)
        title = words.TITLE_OF_PLACES.match(line)
        if first == "void" and (self.places or self.current() is not None):
            self.end_places()
            self.take_void(line, rest)
        elif first in _AS_IT_IS or (first == tag(len(self.header.names)) and rest):
            self.end_places()
            self.take_as_it_is(line, rest if first not in _AS_IT_IS else "")
        elif first in ("knocked", "bombed") and self.result:
            self.amend(line)
        elif (times := words.whole_round_times(line)) is not None:
            self.end_places()
            self.take_times(*times)
        elif (head := words.ROUND.fullmatch(line)) and not self.is_a_place(head):
            self.take_round(int(head[1] or head[2]), head[3].strip())
        elif title or self.header.players.names_someone(line):
            self.take_places(line[title.end() :] if title else line, whole=title is not None)
        elif found is not None:
            self.take_move(*found)
        else:
            self.fail(Missing.LINE)

    def take_void(self, line: str, reason: str) -> None:
        self.write(line)
        round = self.current()
        assert round is not None
        self.rounds.append(voided(round, reason))
        self.round, self.before, self.result = None, None, []

    def is_a_place(self, head: re.Match[str]) -> bool:
        """Whether a line such as `2. Bình` is a place in a list of them, and not a round."""
        return head[1] is None and len(self.header.players.places_in(head[3]) or ()) == 1

    def take_as_it_is(self, line: str, name: str) -> None:
        if name:  # somebody joins
            self.header.add(Line(self.number, line), name)
        self.write(line)

    def agree(self) -> None:
        """Let the new terms hold, if there are some. Raises _Stopped if the rules refuse them, and Unreadable."""
        if not self.agreed:
            return
        lines, self.agreed = self.agreed, []
        before, last = self.header.terms, self.current() or (self.rounds[-1] if self.rounds else None)
        new = self.header.agree(lines)
        if judge_terms(before, new, len(self.header.names), last) is not None:
            raise _Stopped

    def take_times(self, times: int, following: bool) -> None:
        """How often the running round counts, or else the next one."""
        round = self.current()
        if following or round is None or round.over:
            self.begin(f"x{times}")
            return
        number, header = self.lines[self.round_at]
        words, stood = re.sub(r" x\d+", "", header.removesuffix(" !")), " !" * header.endswith(" !")
        self.read_round(f"round 1 x{times}")
        self.lines[self.round_at] = Line(number, f"{words} x{times}{stood}")

    def take_round(self, number: int, rest: str) -> None:
        """`Ván 2`, who leads it, its result, and how often it counts."""
        self.end_places()
        rest, times = words.without_times(rest)
        following = len(self.rounds) + 1 + (self.current() is not None)
        if number != following:
            self.fail(Missing.ROUND, str(following))
        found = self.header.players.first_in(rest)
        if found is not None and words.LEADS.fullmatch(found[1]):
            self.begin(f"lead {found[0]}{times}")
        elif rest.split(" ")[0] in ("", "opening", "lead", "!"):
            self.begin(f"{rest}{times}")
        elif (places := self.header.players.places_in(rest)) is not None:
            self.begin(times)
            self.add_result(places)
        else:
            self.fail(Missing.PLACES)

    def begin(self, header: str = "") -> None:
        """Begin the next round."""
        if (round := self.current()) is not None:
            self.rounds.append(round)
        header = f"{len(self.rounds) + 1} {header.strip()}".strip()
        self.round_at = len(self.lines)
        self.write(f"round {header}")
        self.result, self.before = [], None
        self.hands = []
        entry = self.read_round(f"round 1 {header.partition(' ')[2]}")
        try:
            self.round = replay_round(
                self.header.ruleset, len(self.header.names), entry, self.rounds, infer=True
            )
        except Refused:
            raise _Stopped from None

    # Moves

    def take_move(self, player: str, rest: str) -> None:
        """What a player did, in cards, in the notation, in words, or as it is dictated."""
        self.end_places()
        name = self.header.names[int(player[1:]) - 1]
        stood = " !" if rest.endswith("!") else ""
        rest = rest.removesuffix("!").strip()
        if left := words.LEFT.match(rest):
            rest = rest[left.end() :]
            cards = "none" if folded(rest) in words.NOTHING else words.cards_in(rest)
            rest = f"declares {rest if ',' in rest or cards is None else cards}"
            if read_move(self.header.ruleset.deck, f"{player} {rest}") is None:
                self.fail(Missing.CARDS, name)
        elif self.result and (bomb := words.BOMBED.match(rest)):
            beaten = self.header.players.first_in(rest[bomb.end() :])
            cards = words.cards_in(beaten[1]) if beaten else None
            if beaten is None or cards is None:
                self.fail(Missing.CARDS, name)
            self.amend(f"bombed {player} {beaten[0]} {cards}")
            return
        elif words.is_pass(rest):
            rest = "-"
        else:
            rest = words.cards_in(rest) or rest
        move = read_move(self.header.ruleset.deck, f"{player} {rest}{stood}")
        if move is None:
            rest = self.dictated(player, name, rest)
            move = read_move(self.header.ruleset.deck, f"{player} {rest}{stood}")
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
            leads = self.read_round(f"round 1 lead {player}")
            leads.seats = self.round.header.seats
            leading = replay_round(self.header.ruleset, len(self.header.names), leads, (), infer=False)
            found = heard(leading, number, phrase)
        if not found.sure:
            self.fail(Missing.SUITS if found.fits else Missing.MOVE, name, found.fits)
        return "-" if found.passes else " ".join(self.header.ruleset.deck.write(found.plays[0]))

    def add(self, move: Move, line: str) -> None:
        """Add a move to its round, the next one if a play comes after the end of one."""
        round = self.current()
        if round is None or (round.over and isinstance(move, Play)):
            self.begin()
        assert self.round is not None
        self.write(line)
        self.hands += [move] if self.result else []
        try:
            fold_in_place(self.round, [move], infer=True)
        except Refused:
            raise _Stopped from None

    # Results

    def take_places(self, text: str, *, whole: bool) -> None:
        """A list of places. Those of one player a line are collected."""
        places = self.header.players.places_in(text)
        if places is None or (len(places) == 1 and places[0].rank is None and not whole):
            found = None if whole else self.header.players.first_in(text)
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
        self.lines[at:at] = [Line(self.number, line) for line in lines]
        self.result += lines
        self.round = None

    def current(self) -> Round | None:
        """The current round, with its result."""
        if self.round is None and self.before is not None:
            entry = self.read_round("round 1", *self.result)
            try:
                self.round = fold_in_place(self.before.copy(), [*entry.moves, *self.hands])
            except Refused:
                raise _Stopped from None
        return self.round
