"""Slips of a keeper, put right on the phone: is the round then the one without the slip, and how many taps is that?

A round is dealt, played to its end, and recorded as a keeper records it: most passes are left out. Now and then a
play is recorded wrongly. That is noticed some plays later, at the latest when the phone refuses one of them. The
keeper corrects it by the pages, and goes on.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from fnmatch import filter as like
from itertools import product
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from flask import Flask
from flask.testing import FlaskClient

from ledger.game.cards import Card, Rank, bits, taken_for
from ledger.game.corpus import NAMES
from ledger.game.deals import Dealt
from ledger.game.fold import apply, begin, implied_passes
from ledger.game.hands import missing_hands
from ledger.game.moves import Bid, Move, Pass, Play, Show
from ledger.game.notation import tag
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS
from ledger.game.scoring import payments
from ledger.recorder import Problem, ProblemCode
from ledger.recorder.views.entry import EntryRow
from ledger.store import migrate
from ledger.web import Rate, Settings, create_app
from ledger.web.recorder import recorder
from tests.game.generator import whole_round
from tests.recorder import tables
from tests.soak.running import Tally, in_processes, row, scratch
from tests.web import phones
from tests.web.browsing import Page, visit

MOST_TAPS: Final = 4
"""The most that a slip costs. Of a play that was forgotten, one card counts: they are tapped once in any case."""
LATEST: Final = 6
"""The most plays after which a slip is noticed."""


class Slip(StrEnum):
    SEAT = "another player"
    SUIT = "another suit"
    RANK = "one rank off"
    FORGOTTEN = "forgotten"
    DOUBLED = "recorded twice"


class Kept(NamedTuple):
    """What a keeper records at once."""

    move: Move | None
    """None: *All others pass*."""
    done: int
    """The number of the round's moves that are recorded with it."""


class Planted(NamedTuple):
    """A slip at one play of a round."""

    slip: Slip
    place: int
    """Its place among what is kept."""
    wrong: Play | None
    """What is recorded instead, or once more; None if it is forgotten."""
    later: int
    """The plays after which it is noticed."""


class Found(NamedTuple):
    """What came of a slip."""

    ruleset: str
    slip: Slip
    taps: int
    """0 if it could not be put right."""
    wrong: str = ""


class NotMended(Exception):
    """Why a slip is not put right."""


def as_kept(round: Round, chance: Random) -> Iterator[Kept]:
    """The moves of a round that a keeper records: a play implies the passes before it where the rules leave one
    reading; that all others pass is recorded now and then."""
    position = start = begin(round.ruleset, round.header)
    passes: list[Kept] = []
    for done, move in enumerate(round.moves, start=1):
        if isinstance(move, Pass):
            passes.append(Kept(move, done))
        elif isinstance(move, Bid | Play):
            implied = isinstance(move, Play) and implied_passes(start, move) == tuple(
                one.move for one in passes
            )
            if implied and passes and position.leading and chance.random() < 0.3:
                yield Kept(None, done - 1)
            elif not implied:
                yield from passes
            yield Kept(move, done)
            passes = []
        else:
            break
        position = apply(position, move)
        start = start if passes else position
    yield from passes


@dataclass
class Keeper:
    """A keeper with a phone at a table where a round has begun."""

    table: tables.Table
    phone: FlaskClient

    @classmethod
    def seated(cls, app: Flask, round: Round) -> "Keeper":
        phone, header = app.test_client(), round.header
        night = phones.open_table(phone, ruleset=round.ruleset.id, players=NAMES[: len(header.seats)])
        phones.take(phone, night, "keeper")
        table = tables.Table(recorder(), night.night)
        leads = {"opening": True} if header.leader is None else {"leader": tag(header.leader)}
        table.record("round", **leads)
        return cls(table, phone)

    @property
    def round(self) -> Round:
        return self.table.ask.round(1)

    def record(self, move: Move | None) -> None:
        """Record a move. Raises Problem if it is refused, or has no button now."""
        write = self.round.ruleset.deck.write
        match move:
            case None:
                shown = self.table.round()
                if shown["to"] != "answer":
                    raise Problem(ProblemCode.NOT_FOUND)
                *passed, last = shown["waiting"]
                self.table.record("pass", seat=last, **({"passed": passed} if passed else {}))
            case Play():
                forward = {"forward": True} if move.forward else {}
                self.table.record("play", seat=tag(move.player), cards=list(write(move.cards)), **forward)
            case Show():
                self.table.record("show", seat=tag(move.player), cards=list(write(move.cards)))
            case Bid():
                self.table.record("contract", seat=tag(move.player), contract=move.contract)
            case _:
                self.table.record(move.kind, seat=tag(move.player))

    def rows(self) -> list[EntryRow]:
        """The rows of the moves that stand."""
        return [
            one for one in self.table.ask.round_page(1, tables.SAY).moves if one.move and not one.struck_by
        ]

    def mend(self, wrong: EntryRow, meant: Play) -> int:
        """Correct a play; returns the taps."""
        taps, page = self._page_of(wrong, self.round.ruleset.deck.write(meant.cards))
        return taps + self._put(page, meant, page.chosen("cards"))

    def strike(self, wrong: EntryRow) -> int:
        """Take out a play that never happened; returns the taps."""
        taps, page = self._page_of(wrong)
        self._recorded(page.press("strike"))
        return taps + 1

    def insert(self, before: EntryRow, meant: Play) -> int:
        """Put in a play that was forgotten before another play, or that its player's pass stands for; returns the
        taps."""
        listed, place = self._follow(self._here(), "*/rounds/1/mend"), f"*target={before.address}"
        gaps = [f"{place}&how=before&seat={tag(meant.player)}", f"{place}&how=before&seat=*"]
        places = [place] if before.kind == "pass" else [one for one in gaps if like(listed.links, one)]
        return 2 + self._put(self._follow(listed, places[0]), meant, ()) - (meant.cards.bit_count() - 1)

    def _here(self) -> Page:
        """The page that the phone shows after a move."""
        return visit(self.phone, f"/n/{self.table.night}{'/rounds/1/settle' if self.round.over else ''}")

    def _follow(self, page: Page, pattern: str) -> Page:
        """The page of the first such link."""
        found = like(page.links, pattern)
        if not found:
            raise NotMended(f"no link {pattern} at {page.path}")
        return visit(self.phone, found[0])

    def _page_of(self, wrong: EntryRow, meant: Sequence[str] = ()) -> tuple[int, Page]:
        """The taps that lead to the page that corrects a play: the pencil of its row; else its wrong card on the
        table, or among those that nobody played, and the right one; else its row in the list of moves."""
        here, pencil = self._here(), f"*/mend?target={wrong.address}"
        if like(here.links, pencil):
            return 1, self._follow(here, pencil)
        old, new = Counter(wrong.cards) - Counter(meant), Counter(meant) - Counter(wrong.cards)
        for card, other in product(old, new) if old.total() == 1 else ():
            swap = f"/n/{self.table.night}/rounds/1/mend?move={wrong.move}&swap={card}+{other}"
            alike = other in map(str, taken_for(Card.read(card))) and self.round.ruleset.deck.packs == 1
            if alike and (not self.round.over or swap in here.links):
                return 2, visit(self.phone, swap)
        return 2, self._follow(self._follow(here, "*/rounds/1/mend"), pencil)

    def _put(self, page: Page, meant: Play, chosen: Iterable[str]) -> int:
        """Tap what is right; the page's script asks what follows. Then tap the button."""
        cards = list(self.round.ruleset.deck.write(meant.cards))
        old, new = Counter(chosen), Counter(cards)
        taps = (old - new).total() + (new - old).total() + (page.chosen("seat") != [tag(meant.player)]) + 1
        form = page.form_of("kind", "correct")
        filled = form.filled({"seat": tag(meant.player), "cards": cards})
        asked = page.send(form.action, [*filled, ("kind", "follows")])
        forward = meant.forward and not asked.chosen("forward")
        self._recorded(asked.press("forward" if forward else "correct"))
        return taps

    def _recorded(self, answer: Page) -> None:
        night = f"/n/{self.table.night}"
        if answer.path not in (night, f"{night}/rounds/1/settle"):
            said = re.findall(r'role="alert">\s*<p>([^<]*)', answer.response.text)
            raise NotMended(f"not recorded: {' '.join(said)}")
        self.table.after = self.table.board()["after"]


def plant(chance: Random, round: Round, kept: Sequence[Kept], place: int) -> Planted | None:
    """A slip at one play, or None if the chosen one is impossible there."""
    play, deck = kept[place].move, round.ruleset.deck
    assert isinstance(play, Play)
    slip, later = chance.choice([*Slip]), chance.randint(0, LATEST)
    others = [seat for seat in round.header.seats if seat != play.player]
    if slip is Slip.FORGOTTEN:
        return Planted(slip, place, None, later)
    if slip is Slip.SEAT:
        return Planted(slip, place, replace(play, player=chance.choice(others)), later)
    card = chance.choice([*bits(play.cards)])
    (right,) = deck.cards(card)
    suits = [one for one in deck.cards(deck.rank(right.rank)) if one.suit != right.suit]
    ranks = [Card(rank, right.suit, right.back) for rank in Rank if abs(rank - right.rank) == 1]
    taken = {Slip.SUIT: suits, Slip.RANK: ranks, Slip.DOUBLED: [right, *suits, *ranks]}[slip]
    cards = [play.cards & ~card | other for other in map(deck.bit, taken) if not other & play.cards & ~card]
    if not cards:
        return None
    seat = chance.choice(round.header.seats) if slip is Slip.DOUBLED else play.player
    return Planted(slip, place, replace(play, player=seat, cards=chance.choice(cards)), later)


class Trial:
    """A round that is recorded with slips."""

    def __init__(self, app: Flask, dealt: Dealt, chance: Random) -> None:
        self.round, self.keeper = dealt.round, Keeper.seated(app, dealt.round)
        self.kept = [*as_kept(dealt.round, chance)]
        self.at = 0
        """How much of that is recorded."""

    def go_on(self, plays: int) -> bool:
        """Record what follows, up to so many plays; whether none of it was refused."""
        while plays and self.at < len(self.kept):
            move = self.kept[self.at].move
            try:
                self.keeper.record(move)
            except Problem:
                return False
            self.at += 1
            plays -= isinstance(move, Play)
        return True

    def put_right(self, planted: Planted) -> int:
        """Record a slip, go on until it is noticed, and put it right; the taps, 0 if nothing was recorded."""
        play, keeper, address = self.kept[planted.place].move, self.keeper, ""
        assert isinstance(play, Play)
        if planted.slip is Slip.DOUBLED:
            self.go_on(1)
        if planted.wrong:
            try:
                keeper.record(planted.wrong)
            except Problem:
                return 0
            address = keeper.rows()[-1].address
        self.at = planted.place + 1
        since = len(keeper.rows())
        self.go_on(planted.later)
        later = keeper.rows()[since:]
        following = next((place for place, one in enumerate(later) if one.kind == "play"), len(later))
        its = next((one for one in later[:following] if one.player == tag(play.player)), None)
        if wrong := next((one for one in keeper.rows() if one.address == address), None):
            taps = keeper.strike(wrong) if planted.slip is Slip.DOUBLED else keeper.mend(wrong, play)
        elif its or later[following:]:
            taps = keeper.insert(its or later[following], play)
        else:  # it is only recorded now, as what comes next
            taps, self.at = 0, planted.place
        self._compare()
        return taps

    def _compare(self) -> None:
        """Raise NotMended if the record is not the round as far as it was recorded, except for its last passes."""
        made, meant = self.keeper.round, self.round.moves
        if made.moves != meant[: len(made.moves)] or made.findings:
            pairs = enumerate(zip(made.moves, meant, strict=False))
            same = next((number for number, (one, other) in pairs if one != other), len(meant))
            raise NotMended(f"{self.told(made.moves[same:])} for {self.told(meant[same:][:9])}")
        recorded = sum(one.done <= len(made.moves) for one in self.kept)
        if lost := [one.move for one in self.kept[recorded : self.at] if isinstance(one.move, Play)]:
            raise NotMended(f"lost {self.told(lost)}")
        self.at = recorded

    def told(self, moves: Iterable[Move | None]) -> str:
        """Moves in a line; those of several players, and none, are `…`."""
        write = self.round.ruleset.deck.write
        cards = [(one, write(one.cards) if isinstance(one, Play) else "-") for one in moves if one]
        return " / ".join(" ".join([tag(one.player), *some]) for one, some in cards) or "…"


def trial(app: Flask, ruleset: str, seed: int, most: int = 1_000) -> Iterator[Found]:
    """Plant up to so many slips into a round, each once the one before is put right."""
    chance = Random(f"{ruleset} {seed}")
    *_, dealt = whole_round(chance, PRESETS[ruleset])
    trial = Trial(app, dealt, chance)
    kept = trial.kept
    trial.go_on(chance.randrange(max(1, len(kept) // 2)))
    while most and trial.at < len(kept):
        place = trial.at
        planted = plant(chance, dealt.round, kept, place) if isinstance(kept[place].move, Play) else None
        if planted is None:
            assert trial.go_on(1), trial.told([kept[trial.at].move])
            continue
        taps, wrong = 0, ""
        try:
            taps = trial.put_right(planted)
            wrong = f"{taps} taps" if taps > MOST_TAPS else ""
        except NotMended as error:
            wrong = str(error)
        if taps or wrong:
            most -= 1
            near = trial.told(one.move for one in kept[max(0, place - 4) : place + 8])
            said = (
                f"{trial.told([planted.wrong])} for {trial.told([kept[place].move])}, {planted.later} later"
            )
            yield Found(
                ruleset, planted.slip, taps, wrong and f"{ruleset} {seed}: {said}: {wrong}, in {near}"
            )
        if wrong and not taps:
            return
    if most:
        yield from _settled(trial, dealt, ruleset, seed)


def _settled(trial: Trial, dealt: Dealt, ruleset: str, seed: int) -> Iterator[Found]:
    """What is wrong with the payments once the hands are shown."""
    for player in missing_hands(trial.keeper.round):
        trial.keeper.record(Show(player, dealt.left(player)))
    meant = begin(dealt.round.ruleset, dealt.round.header, trial.keeper.round.moves)
    if trial.keeper.round.over and payments(trial.keeper.round) != payments(meant):
        yield Found(ruleset, Slip.SEAT, 0, f"{ruleset} {seed}: other payments")


@contextmanager
def host(folder: Path) -> Iterator[Flask]:
    """An application over a new database."""
    url, often = f"sqlite:///{folder / 'ledger.db'}", Rate(1_000_000)
    migrate(url)
    settings = Settings(database_url=url, key=bytes(32), writes=often, new_nights=often, wrong_tokens=often)
    app = create_app(settings)
    with app.app_context():
        yield app
        recorder().store.close()


def slips_in(job: tuple[str, int, int]) -> list[Found]:
    """What came of the slips in some rounds of a ruleset."""
    ruleset, first, rounds = job
    with scratch(in_memory=True) as folder, host(folder) as app:
        return [found for seed in range(first, first + rounds) for found in trial(app, ruleset, seed)]


def soak(*, rounds: int = 20, seed: int = 1) -> Tally:
    """Plant slips into some rounds of every ruleset, and put them right."""
    jobs = [(ruleset, seed, rounds) for ruleset in PRESETS]
    found = [one for some in in_processes(slips_in, jobs, "rulesets") for one in some]
    row("slips, and the most taps", *(f"{slip:>17}" for slip in Slip))
    for ruleset in PRESETS:
        taps = {
            slip: [one.taps for one in found if (one.ruleset, one.slip) == (ruleset, slip)] for slip in Slip
        }
        row(ruleset, *(f"{len(some):>11,} {max(some, default=0):>5}" for some in taps.values()))
    return Tally({"slips": len(found)}, [one.wrong for one in found if one.wrong])
