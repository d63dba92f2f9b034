"""Random evenings recorded by a keeper and players, and a simple model of the expected result: it edits every round
as lines of a replay. Each player holds one suit, so that rounds end within a few entries."""

import json
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from ledger.game import notation, scoring
from ledger.game.hands import missing_hands
from ledger.game.night import Night
from ledger.game.notation import Unreadable, tag
from ledger.game.notation.script import ScriptRefused
from ledger.game.round import Round
from ledger.recorder import KINDS, Problem, Recorder, audit, import_tln, moves_file
from ledger.recorder.history import is_recording
from ledger.recorder.moves_file import as_replay
from ledger.recorder.views.ledger import LedgerPayment
from tests.game.table import RANKS
from tests.recorder.tables import CLASSIC, KEY, NAMES, Clock, Table, open_table
from tests.stories import read_story

SUIT: Final = dict(zip(("p1", "p2", "p3", "p4", "p5"), "scdhh", strict=True))
AT_THE_END: Final = ("shows", "declares", "covers")
PLAYING: Final = {"play", "pass", "claim"}  # kinds of events that change only a round's last lines


class Line(NamedTuple):
    """A move as the line of a story, without its mark; its text is None once it is struck."""

    address: str
    text: str | None
    after: str = ""
    """The address of the line that a correction put it after."""


class Change(NamedTuple):
    """A change of a correction: of the entry at an address, or `before` or `after` it, and the new line (None to
    strike)."""

    place: str
    text: str | None
    put: str = ""

    def __str__(self) -> str:
        return f"{self.put} {self.place} = {marked(self.text) if self.text else 'struck'}".strip()


@dataclass(frozen=True)
class ModelRound:
    """A round in the model. `begun` is the seq of its first entry, `void` the address of its voiding."""

    begun: int
    header: Line
    lines: tuple[Line, ...] = ()
    void: str | None = None

    @property
    def standing(self) -> list[str]:
        return [line.text for line in self.lines if line.text]

    @property
    def seats(self) -> list[str]:
        _, how, *seats = (self.header.text or "").split()
        return seats[how == "lead" :]

    def left(self, player: str) -> list[str]:
        played = {card for text in self.standing for card in text.split()}
        return [card for rank in RANKS if (card := rank + SUIT[player]) not in played]

    def written(self, number: int) -> Iterator[str]:
        yield f"round {number} {(self.header.text or '').removeprefix('round ')} !"
        for text in self.standing:
            yield from (
                marked(text).replace(" knocked ", "\nknocked ").replace(" bombed ", "\nbombed ").split("\n")
            )
        if self.void:
            yield "void chia nhầm"

    def changed(self, changes: list[Change], seq: int) -> "ModelRound | None":
        """The round after a correction, whose changes all refer to the round before it."""
        one, lines = self, [(line.address, line) for line in self.lines]
        for part, (place, text, put) in enumerate(changes):
            fresh = Line(f"{seq}.{part}", text)
            if place == self.void:
                one = replace(one, void=None)
            elif place == self.header.address:
                if text is None:
                    return None
                one = replace(one, header=fresh)
            else:
                at = next(at for at, (address, _) in enumerate(lines) if address == place)
                if put == "after":
                    at += 1
                    while at < len(lines) and lines[at][1].after == place:
                        at += 1
                    fresh = fresh._replace(after=place)
                elif not put:
                    fresh = fresh._replace(after=lines[at][1].after)
                lines[at : at + (not put)] = [("" if put else place, fresh)]
        return replace(one, lines=tuple(line for _, line in lines))


def marked(text: str) -> str:
    """The line of a move with the mark that it stood, if it may have one."""
    first, second, *_ = text.split()
    return text if first == "result" or second in AT_THE_END else f"{text} !"


def a_cover(chance: Random, player: str, seats: list[str]) -> str:
    """Who is paid for, and why; in the words of a replay, without who pays."""
    others = chance.sample([seat for seat in seats if seat != player], chance.randint(1, len(seats) - 1))
    return f"covers {' '.join(others)} {chance.choice(['warned', 'let-through', 'lowest-card'])}"


class Evening:
    """A keeper who records, corrects and settles, and players who confirm or dispute."""

    def __init__(self, recorder: Recorder) -> None:
        self.table: Table = open_table(recorder, 4, ruleset=CLASSIC)
        self.rounds: dict[int, ModelRound | None] = {}
        self.done: dict[int, list[ModelRound | None]] = {}  # round -> its states before what can be undone
        self.undone: list[tuple[int, ModelRound | None]] = []
        self.settled: set[int] = set()
        self.paid: list[tuple[int, str]] = []  # the seq and line of each adjustment
        self.joined = 0  # the seq at which a fifth player joined, or 0
        self.agreed: dict[int, set[str]] = {}
        self.disputes: dict[int, tuple[int, str]] = {}  # seq of an open dispute -> its round, and of what
        self.waived: dict[str, tuple[int, str]] = {}  # address of a payment -> the seq and line of its waiver
        self.corrected: dict[int, int] = {}
        self.ended = False
        self.requests: list[Any] = []
        self.changed = True

    # The model

    @property
    def next(self) -> int:
        """The seq of the next entry."""
        return len(self.table.recorded) + 1

    @property
    def players(self) -> list[str]:
        return ["p1", "p2", "p3", "p4", *(["p5"] if self.joined else [])]

    @property
    def newest(self) -> int:
        return max(self.rounds, default=0)

    @property
    def current(self) -> int:
        return max(self.standing, default=0)

    @property
    def standing(self) -> dict[int, ModelRound]:
        """The rounds whose first entry stands."""
        return {number: one for number, one in self.rounds.items() if one}

    @property
    def waiting(self) -> dict[int, ModelRound]:
        """Those that are not settled."""
        return {number: one for number, one in self.standing.items() if number not in self.settled}

    @property
    def paid_lines(self) -> list[tuple[int, str]]:
        """The lines of adjustments, and of waivers whose payment is not reversed."""
        held = {row.address for row in holding_rows(self.table)}
        return [*self.paid, *(line for place, line in self.waived.items() if place in held)]

    def text(self, rounds: dict[int, ModelRound | None]) -> str:
        """The night as a replay, with every move marked as having stood."""
        playing = {number: one for number, one in rounds.items() if one}
        entries: list[tuple[float, list[str]]] = [
            *((one.begun, list(one.written(number))) for number, one in playing.items()),
            *((seq, [line]) for seq, line in self.paid_lines),
        ]
        if self.joined:
            # A player whom a correction seats must have joined before that round.
            seated = (one.begun - 0.5 for one in playing.values() if "p5" in one.seats)
            entries.append((min([self.joined, *seated]), [f"p5 {NAMES[4]}"]))
        names = [f"p{number} {name}" for number, name in enumerate(NAMES[:4], start=1)]
        lines = [line for _, some in sorted(entries, key=lambda entry: entry[0]) for line in some]
        return "\n".join(["tienlen 1", f"ruleset {CLASSIC}", "date 2026-11-20", *names, *lines, ""])

    def night(self) -> Night:
        night = read_back(self.text(self.rounds))
        assert night is not None, self.text(self.rounds)
        return night

    def played(self) -> dict[int, Round]:
        return dict(zip(sorted(self.standing), self.night().rounds, strict=True))

    def can_be(self, number: int, edited: ModelRound | None) -> bool:
        night = None if self.ended else read_back(self.text({**self.rounds, number: edited}))
        if night is None:
            return False
        if edited is None or edited.void:
            return True
        round = night.rounds[number - 1]
        if number in self.settled:
            return can_be_settled(round)
        return round.over or number >= self.current

    # Requests

    def attempt(self, line: str, *, may: bool) -> int:
        """Record a line of a story, and check that it is refused unless `may`; a refusal changes nothing.
        Returns the seq, or 0."""
        before, seq, ((kind, content),) = self.table.board(), 0, read_story(line)
        request, code = self.table.request(kind, content), ""
        try:
            seq = self.table.send(request).seq
        except Problem as problem:
            code = problem.code
        assert bool(seq) == may, (line, code)
        if seq:
            self.requests.append(request)
            self.changed = self.changed or kind not in PLAYING
        else:
            assert self.table.board() == before
        return seq

    def edit(self, number: int, line: str, edited: ModelRound | None, *, may: bool = True) -> int:
        """Record an entry that changes a round and can be undone; returns its seq, or 0."""
        if seq := self.attempt(line, may=may and self.can_be(number, edited)):
            self.done.setdefault(number, []).append(self.rounds.get(number))
            self.rounds[number] = edited
            self.forget_undone(number)
            if line.startswith(("correct", "void")):
                self.agreed.pop(number, None)
                self.corrected[number] = seq
        return seq

    def forget_undone(self, number: int) -> None:
        """An entry about one of the last two rounds leaves nothing to redo."""
        if number >= self.newest - 1:
            self.undone.clear()

    def add(self, number: int, text: str) -> None:
        one = self.rounds[number]
        of = f"of {number} " if text.split()[1] in AT_THE_END else ""
        may = bool(one and not one.void and number not in self.settled)
        edited = one and replace(one, lines=(*one.lines, Line(f"{self.next}.0", text)))
        self.edit(number, of + marked(text), edited, may=may)

    # The keeper

    def a_round_begins(self, chance: Random) -> None:
        seats = chance.sample(self.players, len(self.players))[: chance.choice([2, 2, 3])]
        header = chance.choice(["opening", f"lead {seats[0]}", f"lead {seats[1]}"])
        text = f"round {header} {' '.join(seats)}"
        self.edit(self.current + 1, marked(text), ModelRound(self.next, Line(f"{self.next}.0", text)))

    def somebody_plays(self, chance: Random) -> None:
        if one := self.rounds.get(self.current):
            player, many = chance.choice(one.seats), chance.choice([1, 2, 12])
            if left := one.left(player):
                self.add(self.current, f"{player} {' '.join(left[:many])}")

    def somebody_goes_out(self, chance: Random) -> None:
        if (one := self.rounds.get(self.current)) and (left := one.left(player := chance.choice(one.seats))):
            self.add(self.current, f"{player} {' '.join(left)}")

    def somebody_passes(self, chance: Random) -> None:
        if one := self.rounds.get(self.current):
            self.add(self.current, f"{chance.choice(one.seats)} -")

    def a_result_is_told(self, chance: Random) -> None:
        if one := self.rounds.get(self.current):
            first, second, *others = chance.sample(one.seats, len(one.seats))
            every, behind = " ".join([first, second, *others]), " ".join([second, *others])
            knocked, bombed = f"{first} knocked {behind}", f"{every} bombed {first} {second} 2d"
            self.add(self.current, f"result {chance.choice([every, knocked, bombed])}")

    def a_round_is_played(self, chance: Random) -> None:
        """Play a round to its end, and usually settle it."""
        self.a_round_begins(chance)
        for _ in range(3):
            self.somebody_goes_out(chance)
        self.hands_are_told(chance)
        if chance.random() < 0.7:
            self.a_round_is_settled(chance)

    def hands_are_told(self, chance: Random) -> None:
        """Show or declare the missing hands of all unsettled rounds."""
        for number, round in self.played().items():
            one = self.waiting.get(number)
            if one and not one.void and round.over:
                for player in map(tag, missing_hands(round)):
                    left = (self.rounds[number] or one).left(player)
                    twos = "".join(card for card in left if card[0] == "2") or "none"
                    how = chance.choice([f"shows {' '.join(left)}", f"declares {twos}"])
                    self.add(number, f"{player} {how}")

    def somebody_pays_for_others(self, chance: Random) -> None:
        if self.standing:
            number = chance.choice(list(self.standing))
            seats = self.standing[number].seats
            self.add(number, f"{(player := chance.choice(seats))} {a_cover(chance, player, seats)}")

    def a_round_is_settled(self, chance: Random) -> None:
        if not self.waiting:
            return
        number = chance.choice(list(self.waiting))
        may = not self.ended and can_be_settled(self.played()[number])
        if self.attempt(f"settle {number}", may=may):
            self.settled.add(number)
            self.agreed[number] = set()
            self.forget_undone(number)

    def can_undo(self) -> bool:
        number = self.current
        if self.ended or not number or number in self.settled:
            return False
        return self.done[number][-1] is not None or number == self.newest

    def can_redo(self) -> bool:
        return bool(self.undone) and not self.ended

    def an_entry_is_undone(self, chance: Random) -> None:
        number = self.current
        if self.attempt("undo", may=self.can_undo()):
            self.undone.append((number, self.rounds[number]))
            self.rounds[number] = self.done[number].pop()

    def an_undo_is_undone(self, chance: Random) -> None:
        if self.attempt("redo", may=self.can_redo()):
            number, before = self.undone.pop()
            self.done[number].append(self.rounds[number])
            # A struck line has another address now.
            standing = tuple(line for line in before.lines if line.text) if before else ()
            self.rounds[number] = before and replace(before, lines=standing)

    def entries_are_corrected(self, chance: Random) -> None:
        if not (standing := list(self.standing)):
            return
        number = chance.choice([*standing, max(standing)])
        one, changes = self.standing[number], list[Change]()
        for _ in range(chance.choice([1, 1, 2, 3])):
            change = self.a_change(chance, one)
            if change.put or change.place not in [each.place for each in changes if not each.put]:
                changes.append(change)
        strikes = any(each.place == one.header.address and each.text is None for each in changes)
        may = not (strikes and (one.standing or one.void or any(each.text for each in changes)))
        line = f"correct {' | '.join(map(str, changes))} because ghi nhầm"
        self.previewed(number, line, one.changed(changes, self.next), may=may)
        if chance.random() < 0.3:
            self.an_entry_is_undone(chance)
            self.an_undo_is_undone(chance)

    def a_change(self, chance: Random, one: ModelRound) -> Change:
        what = chance.choice(["replace", "strike", "before", "header", "replace", "after"])
        if one.void and chance.random() < 0.5:
            return Change(one.void, None)
        if what == "header" or not one.lines:
            seats = chance.sample(one.seats, len(one.seats))
            header = chance.choice(["opening", f"lead {seats[0]}", None])
            return Change(one.header.address, header and f"round {header} {' '.join(seats)}")
        place, text, _ = chance.choice(one.lines)
        if what == "strike" and text is not None:
            return Change(place, None)
        # These take the address recorded first at a place, which only an uncorrected line is sure to have.
        put = what if text is not None and what in ("before", "after") else ""
        return Change(place, self.some_move(chance, one), put)

    def some_move(self, chance: Random, one: ModelRound) -> str:
        player = chance.choice(one.seats)
        left = one.left(player) or ["3s"]
        moves = {
            "all": " ".join(left),
            "last": left[-1],
            "low": left[0],
            "run": " ".join(left[:12]),
            "pass": "-",
            "claim": f"claims {' '.join(rank + SUIT[player] for rank in RANKS)}",
            "show": f"shows {' '.join(left)}",
            "declare": "declares none",
            "cover": a_cover(chance, player, one.seats),
        }
        return f"{player} {moves[chance.choice(list(moves))]}"

    def previewed(self, number: int, line: str, edited: ModelRound | None, *, may: bool) -> None:
        """Preview and record a change; the balances must be those of the preview."""
        ((kind, content),) = read_story(line)
        promised: Any = None
        if not self.ended:
            with suppress(Problem):
                promised = self.table.preview(kind, **content)
        if self.edit(number, line, edited, may=may):
            board = self.table.board()
            after = {name: points + board["provisional"][name] for name, points in board["net"].items()}
            assert promised["balances"]["after"] == after

    def a_round_is_voided(self, chance: Random) -> None:
        if not self.rounds:
            return
        # A waived payment is not paid back when its round is voided: rounds with one are preferred here.
        waived = [n for n in sorted(self.rounds) if self.waived.keys() & self.holding(n).keys()]
        number = chance.choice(waived if waived and chance.random() < 0.5 else sorted(self.rounds))
        one = self.rounds[number]
        edited = one and replace(one, void=f"{self.next}.0")
        self.previewed(number, f"void {number} chia nhầm", edited, may=bool(one and not one.void))

    def points_are_adjusted(self, chance: Random) -> None:
        payer, payee = chance.sample(self.players, 2)
        if seq := self.attempt(line := f"pay {payer} {payee} 5 trễ", may=not self.ended):
            self.paid.append((seq, line))

    def somebody_joins(self, chance: Random) -> None:
        if not self.joined:
            self.joined = self.attempt(f"join {NAMES[4]}", may=not self.ended)

    def the_night_ends_or_goes_on(self, chance: Random) -> None:
        over = all(one.void for one in self.waiting.values())
        if self.attempt("reopen còn sớm" if self.ended else "end", may=self.ended or over):
            self.ended = not self.ended

    # The players

    def somebody_agrees(self, chance: Random) -> None:
        if not self.rounds:
            return
        number, player = chance.choice(sorted(self.rounds)), chance.choice(["p1", "p2"])
        one, agreed_by = self.rounds[number], self.agreed.setdefault(number, set())
        may = bool(one and not one.void) and number in self.settled and player not in agreed_by
        if self.attempt(f"{player} confirms {number}", may=may):
            agreed_by.add(player)

    def somebody_disputes(self, chance: Random) -> None:
        if not self.rounds:
            return
        number = chance.choice(sorted(self.rounds))
        one = self.rounds[number]
        about = [f"move {line.address}" for line in one.lines if line.text] if one else []
        if about := [*about, *(f"payment {place}" for place in self.holding(number))]:
            self.dispute(number, chance.choice(about))

    def dispute(self, number: int, about: str) -> int:
        """Dispute a payment or a move; returns the seq, or 0."""
        may = (number, about) not in self.disputes.values()
        if seq := self.attempt(f"p2 disputes {number} {about} không phải", may=may):
            self.disputes[seq] = (number, about)
        return seq

    def a_dispute_is_decided(self, chance: Random) -> None:
        if self.disputes:
            dispute = chance.choice(sorted(self.disputes))
            self.decide(dispute, chance.choice(["kept", "corrected", "waived", "waived"]))

    def a_payment_is_waived(self, chance: Random) -> None:
        """Dispute and waive a payment at once: random disputes are seldom about one that still holds."""
        paid = [(number, f"payment {place}") for number in self.rounds for place in self.holding(number)]
        if paid and (dispute := self.dispute(*chance.choice(paid))):
            self.decide(dispute, "waived")

    def decide(self, dispute: int, decision: str) -> None:
        number, about = self.disputes[dispute]
        place = about.removeprefix("payment ")
        payment = self.holding(number).get(place)
        may = {
            "kept": True,
            "corrected": self.corrected.get(number, 0) > dispute,
            "waived": bool(payment) and place not in self.waived and not self.ended,
        }[decision]
        if seq := self.attempt(f"decide {dispute} {decision} thôi", may=may):
            del self.disputes[dispute]
            if decision == "waived" and payment:
                line = f"pay {payment.payee} {payment.payer} {payment.points} thôi"
                self.waived[place] = seq, line

    def a_transfer_is_handed_over(self, chance: Random) -> None:
        self.attempt("paid p1 p2 3", may=True)

    # Other events

    def the_server_is_started_again(self, chance: Random) -> None:
        self.table.recorder = Recorder(self.table.recorder.store, KEY, Clock())

    def another_keeper_is_late(self, chance: Random) -> None:
        """A keeper who has not seen the last entry is refused as stale."""
        recording = [request for request in self.requests if is_recording(request.kind)]
        if recording and not self.ended:
            late = Table(self.table.recorder, self.table.night, recording[-1].after)
            with pytest.raises(Problem, match="stale"):
                late.record("undo")

    def a_request_comes_twice(self, chance: Random) -> None:
        if self.requests:
            request = chance.choice(self.requests)
            before = self.table.board()
            again = self.table.recorder.record(self.table.night, *self.table.asked(request))
            assert (again.created, again.id) == (False, request.id)
            assert self.table.board() == before

    # Invariants

    def holding(self, number: int) -> dict[str, LedgerPayment]:
        """The payments of a round that are not reversed, by address."""
        return {row.address: row for row in holding_rows(self.table) if row.round == number}

    def check(self) -> None:
        """Check that the recorder says what the lines say, from its memory and from what is stored."""
        board, rows, cold = self.table.board(), holding_rows(self.table), self.table.restarted()
        assert cold.board() == board
        agreed = self.table.ask.agreement().agreed
        for number, one in self.standing.items() if self.changed else ():
            page, agreed_by = self.table.page(number), self.agreed.get(number, set())
            assert cold.page(number) == page
            assert set(page["agreed"]) == set(agreed.get(number, ())) == agreed_by
            assert (number in agreed) == (number in self.settled and not one.void)
        assert self.table.replay_text() == notation.write(self.night())
        totals = Counter(dict.fromkeys(board["net"], 0))
        for number, round in self.played().items():
            counts = number in self.settled and round.void is None
            due = [
                (number, tag(p.payer), tag(p.payee), p.points, str(p.reason), str(p.clause))
                for p in (scoring.payments(round) if counts else ())
            ]
            assert Counter(paid_by(row) for row in rows if row.round == number) == Counter(due)
            for _, payer, payee, points, *_ in due:
                totals.update({payer: -points, payee: points})
        for _, line in self.paid_lines:
            _, payer, payee, paid, _ = line.split()
            totals.update({payer: -int(paid), payee: int(paid)})
        assert board["net"] == totals == self.table.ask.ledger().balances
        assert (board["undo"], board["redo"]) == (self.can_undo(), self.can_redo())

    def goes_on(self, what: str, chance: Random) -> None:
        """Do one thing, which may be refused, and check all invariants."""
        self.changed, recorded = False, len(self.table.recorded)
        getattr(self, "the_night_ends_or_goes_on" if self.ended and chance.random() < 0.5 else what)(chance)
        if len(self.table.recorded) > recorded:
            self.check()

    def is_over(self) -> None:
        every_change_is_explained(self.table)
        assert list(audit(self.table.recorder, self.table.night)) == []
        # An import of the replay has all payments of settled rounds; it also settles every round that it can.
        recorder, whole = self.table.recorder, self.table.ask.whole()
        again = Table(recorder, import_tln(recorder, whole).night)
        settled = Counter(paid_by(row) for row in holding_rows(self.table) if row.round)
        assert not settled - Counter(map(paid_by, holding_rows(again)))
        assert again.replay_text() == self.table.replay_text()
        moves = as_replay(moves_file.write(whole)).text
        assert notation.write(notation.replay(notation.read(moves))) == self.table.replay_text()


@lru_cache(maxsize=8)
def read_back(text: str) -> Night | None:
    """The night of a text, with a round trip checked; None if it is impossible."""
    with suppress(ScriptRefused, Unreadable):
        night = notation.replay(notation.read(text))
        written = notation.write(night)
        assert notation.write(notation.replay(notation.read(written))) == written
        return night
    return None


def can_be_settled(round: Round) -> bool:
    return scoring.status(round) in ("settled", "instant-win")


def holding_rows(table: Table) -> list[LedgerPayment]:
    return [row for row in table.ask.ledger().payments if not row.reverses and not row.reversed_by]


def paid_by(row: LedgerPayment) -> tuple[Any, ...]:
    return (row.round, row.payer, row.payee, row.points, row.reason, row.clause)


def every_change_is_explained(table: Table) -> None:
    """Check that balances change only by payments, each in an event with its actor and reason."""
    net = Counter[str]()
    made: dict[str, dict[str, Any]] = {}
    taken_back: set[str] = set()
    for body in (json.loads(event["body"]) for event in table.log()):
        assert not body["payments"] or KINDS[body["kind"]].posts
        assert body["actor"] in {"keeper", "p1", "p2"}
        if body["payments"] and body["kind"] != "settle":
            assert body["content"]["reason"]
        for idx, payment in enumerate(body["payments"]):
            net.update({payment["payer"]: -payment["points"], payment["payee"]: payment["points"]})
            made[f"{body['seq']}.{idx}"] = payment
            if (place := payment["reverses"]) is not None:
                assert place not in taken_back
                taken_back.add(place)
                first = made[place]
                assert (first["payer"], first["payee"]) == (payment["payee"], payment["payer"])
                assert first["points"] == payment["points"]
        assert body["net"] == {player: net[player] for player in body["net"]}


WHAT_HAPPENS: Final[dict[str, int]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

STEPS: Final = 40  # the number of things that happen in an evening

Steps = list[tuple[str, str]]  # what happens, each with a seed of its own, so that any step can be left out


def some_steps(number: int) -> Steps:
    whats = Random(number).choices(list(WHAT_HAPPENS), list(WHAT_HAPPENS.values()), k=STEPS)
    return [(what, f"{number} {place}") for place, what in enumerate(whats)]


def spend(recorder: Recorder, steps: Steps) -> Evening:
    """Run an evening. Raises AssertionError if the recorder and the model differ."""
    evening = Evening(recorder)
    for what, chance in steps:
        evening.goes_on(what, Random(chance))
    evening.is_over()
    return evening


def fewest(recorder: Recorder, steps: Steps) -> Steps:
    """Reduce failing steps while they still fail."""
    for size in (8, 4, 2, 1, 1):
        for place in range(len(steps) - size, -1, -1):
            fewer = steps[:place] + steps[place + size :]
            try:
                spend(recorder, fewer)
            except Exception:
                steps = fewer
    return steps
