"""Random evenings recorded by a keeper and players, and a simple model of the expected result.

The model stores every round as lines of a replay and edits them itself; payments are computed from that text. Each
player holds one suit, so that rounds end within a few entries.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any, Final

import pytest

from ledger.game import notation, scoring
from ledger.game.hands import missing_hands
from ledger.game.night import Night
from ledger.game.notation import Unreadable, tag
from ledger.game.notation.script import ScriptRefused
from ledger.game.round import Round
from ledger.recorder import Problem, Recorded, Recorder, audit, import_tln, moves_file
from ledger.recorder.moves_file import as_replay
from ledger.recorder.state import is_recording
from ledger.recorder.views.ledger import LedgerPayment
from tests.recorder.tables import CLASSIC, KEY, NAMES, RANKS, Clock, Table, open_table, read_story

SUIT: Final = dict(zip(("p1", "p2", "p3", "p4", "p5"), "scdhh", strict=True))
PAYING: Final = {"settle", "correct", "void", "adjust", "decide"}
"""The kinds of events that may change a balance; all but `settle` have a reason."""
MARKED: Final = {"play", "pass", "claim"}


@dataclass(frozen=True)
class Line:
    """A move as the line of a story, without its mark; its text is None once it is struck."""

    address: str
    text: str | None


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
        words = (self.header.text or "").split()
        return words[2:] if words[0] == "lead" else words[1:]

    def written(self, number: int) -> Iterator[str]:
        yield f"round {number} {self.header.text} !"
        for text in self.standing:
            ((kind, _),) = read_story(text)
            yield from (
                (f"{text} !" if kind in MARKED else text)
                .replace(" knocked ", "\nknocked ")
                .replace(" bombed ", "\nbombed ")
                .split("\n")
            )
        if self.void:
            yield "void chia nhầm"


Edit = Callable[[int], ModelRound | None]
"""Seq of an entry -> the round in the model after it."""


class Evening:
    """A keeper who records, corrects and settles, and players who confirm or dispute."""

    def __init__(self, recorder: Recorder) -> None:
        self.table: Table = open_table(recorder, 4, ruleset=CLASSIC)
        self.players = 4
        self.rounds: dict[int, ModelRound | None] = {}
        self.done: dict[int, list[ModelRound | None]] = {}
        """Round -> its states before each entry that can be undone."""
        self.undone: list[tuple[int, ModelRound | None]] = []
        self.settled: set[int] = set()
        self.paid: list[tuple[int, str]] = []
        """The seq and line of each adjustment."""
        self.joined: dict[str, int] = {}
        self.agreed: dict[int, set[str]] = {}
        self.disputes: dict[int, tuple[int, str]] = {}
        """Seq of an open dispute -> its round, and the disputed payment or move."""
        self.waived: dict[str, tuple[int, str]] = {}
        """Address of a payment -> the seq and line of its waiver."""
        self.corrected: dict[int, int] = {}
        self.ended = False
        self.requests: list[Any] = []
        self.changed = True

    # The model

    @property
    def newest(self) -> int:
        return max(self.rounds, default=0)

    @property
    def current(self) -> int:
        return max((number for number, one in self.rounds.items() if one), default=0)

    @property
    def standing(self) -> dict[int, ModelRound]:
        """The rounds whose first entry stands."""
        return {number: one for number, one in self.rounds.items() if one}

    @property
    def paid_lines(self) -> list[tuple[int, str]]:
        """The lines of adjustments, and of waivers whose payment is not reversed."""
        held = {row.address for row in holding_rows(self.table)}
        return [*self.paid, *(line for place, line in self.waived.items() if place in held)]

    def text(self, rounds: dict[int, ModelRound | None]) -> str:
        """The night as a replay, with every move marked as having stood."""
        playing = {number: one for number, one in rounds.items() if one}
        entries = [(one.begun, list(one.written(number))) for number, one in playing.items()]
        entries += [(seq, [line]) for seq, line in self.paid_lines]
        for player, seq in self.joined.items():
            # A player whom a correction seats must have joined before that round.
            first = min([seq, *(one.begun - 0.5 for one in playing.values() if player in one.seats)])
            entries.append((first, [f"{player} {NAMES[int(player[1:]) - 1]}"]))  # type: ignore[arg-type]
        head = ["tienlen 1", f"ruleset {CLASSIC}", "date 2026-11-20"]
        names = [f"p{number} {name}" for number, name in enumerate(NAMES[:4], start=1)]
        lines = [line for _, some in sorted(entries, key=lambda entry: entry[0]) for line in some]
        return "\n".join([*head, *names, *lines, ""])

    def read(self, rounds: dict[int, ModelRound | None]) -> Night | None:
        """The night read from that replay; None if it is impossible."""
        return read_back(self.text(rounds))

    def played(self) -> dict[int, Round]:
        """The rounds folded by the rules."""
        night = self.read(self.rounds)
        assert night is not None, self.text(self.rounds)
        numbers = sorted(number for number, one in self.rounds.items() if one)
        return dict(zip(numbers, night.rounds, strict=True))

    def can_be(self, number: int, edited: ModelRound | None) -> bool:
        """Whether a round may be changed to `edited`."""
        if self.ended:
            return False
        night = self.read({**self.rounds, number: edited})
        if night is None:
            return False
        if edited is None or edited.void:
            return True
        round = night.rounds[number - 1]
        if number in self.settled:
            return scoring.status(round) in ("settled", "instant-win")
        return round.over or number >= self.current

    # Requests

    def attempt(self, kind: str, content: dict[str, Any], *, may: bool) -> Recorded | None:
        """Record something, and check that it is refused unless `may`; a refusal must change nothing."""
        before = self.table.board()
        request = self.table.request(kind, content)
        recorded: Recorded | str = "recorded"
        try:
            recorded = self.table.send(request)
        except Problem as problem:
            recorded = problem.code
        if isinstance(recorded, str):
            assert not may, (kind, content, recorded)
            assert self.table.board() == before
            return None
        assert may, (kind, content)
        self.requests.append(request)
        self.changed = self.changed or kind not in MARKED
        return recorded

    def edit(self, number: int, kind: str, content: dict[str, Any], edit: Edit, *, may: bool = True) -> bool:
        """Record an entry that changes a round and can be undone; returns whether it was recorded."""
        recorded = self.attempt(kind, content, may=may and self.can_be(number, edit(10**6)))
        if recorded is None:
            return False
        self.done.setdefault(number, []).append(self.rounds.get(number))
        self.rounds[number] = edit(recorded.seq)
        if number >= self.newest - 1:
            self.undone.clear()
        if kind in ("correct", "void"):
            self.agreed.pop(number, None)
            self.corrected[number] = recorded.seq
        return True

    def adds(self, number: int, text: str) -> None:
        """Append a move to a round."""
        ((kind, content),) = read_story(f"{text} !" if text.split()[1] not in ("shows", "declares") else text)
        one = self.rounds.get(number)
        content |= {"round": number} if kind in ("show", "declare") else {}

        def edited(seq: int) -> ModelRound | None:
            return one and replace(one, lines=(*one.lines, Line(f"{seq}.0", text)))

        self.edit(
            number, kind, content, edited, may=bool(one and not one.void and number not in self.settled)
        )

    def left(self, one: ModelRound, player: str) -> list[str]:
        """The cards of a player's suit that are not in the lines of a round."""
        played_cards = {card for text in one.standing for card in text.split()}
        return [card for rank in RANKS if (card := rank + SUIT[player]) not in played_cards]

    def some_move(self, chance: Random, one: ModelRound) -> str:
        """A random move of a random player."""
        player = chance.choice(one.seats)
        left = self.left(one, player) or ["3s"]
        how = chance.choice(["all", "last", "low", "run", "pass", "claim", "show", "declare"])
        chosen = {"all": left, "last": left[-1:], "low": left[:1], "run": left[:12]}
        if how in chosen:
            return f"{player} {' '.join(chosen[how])}"
        if how == "pass":
            return f"{player} -"
        if how == "claim":
            return f"{player} claims {' '.join(rank + SUIT[player] for rank in RANKS)}"
        return f"{player} shows {' '.join(left)}" if how == "show" else f"{player} declares none"

    # The keeper

    def a_round_begins(self, chance: Random) -> None:
        players = [f"p{number}" for number in range(1, self.players + 1)]
        seats = chance.sample(players, len(players))[: chance.choice([2, 2, 3])]
        header = chance.choice(["opening", f"lead {seats[0]}", f"lead {seats[1]}"])
        text = f"{header} {' '.join(seats)}"
        ((kind, content),) = read_story(f"round {text} !")
        self.edit(self.current + 1, kind, content, lambda seq: ModelRound(seq, Line(f"{seq}.0", text)))

    def somebody_plays(self, chance: Random) -> None:
        if (one := self.rounds.get(self.current)) is not None:
            player = chance.choice(one.seats)
            left = self.left(one, player)
            many = chance.choice([1, 2, 12])
            if left:
                self.adds(self.current, f"{player} {' '.join(left[:many])}")

    def somebody_goes_out(self, chance: Random) -> None:
        one = self.rounds.get(self.current)
        if one is not None and (player := chance.choice(one.seats)) and self.left(one, player):
            self.adds(self.current, f"{player} {' '.join(self.left(one, player))}")

    def somebody_passes(self, chance: Random) -> None:
        if (one := self.rounds.get(self.current)) is not None:
            self.adds(self.current, f"{chance.choice(one.seats)} -")

    def a_result_is_told(self, chance: Random) -> None:
        one = self.rounds.get(self.current)
        if one is None:
            return
        first, second, *others = chance.sample(one.seats, len(one.seats))
        places = chance.choice(
            [
                " ".join([first, second, *others]),
                f"{first} knocked {' '.join([second, *others])}",
                f"{' '.join([first, second, *others])} bombed {first} {second} 2d",
            ]
        )
        text = f"result {places}"
        ((kind, content),) = read_story(text)
        may = not one.void and self.current not in self.settled

        def edited(seq: int) -> ModelRound:
            return replace(one, lines=(*one.lines, Line(f"{seq}.0", text)))

        self.edit(self.current, kind, content, edited, may=may)

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
            one = self.rounds[number]
            if one is None or number in self.settled or one.void or not round.over:
                continue
            for player in map(tag, missing_hands(round)):
                rest = self.left(one, player)
                shows = f"{player} shows {' '.join(rest)}"
                twos = [card for card in rest if card[0] == "2"]
                self.adds(
                    number,
                    chance.choice([shows, f"{player} declares {''.join(twos) or 'none'}"]),
                )
                one = self.rounds[number] or one

    def a_round_is_settled(self, chance: Random) -> None:
        waiting = [number for number, one in self.rounds.items() if one and number not in self.settled]
        if not waiting:
            return
        number = chance.choice(waiting)
        status = scoring.status(self.played()[number])
        may = not self.ended and status in ("settled", "instant-win")
        if self.attempt("settle", {"round": number}, may=may):
            self.settled.add(number)
            self.agreed[number] = set()
            if number >= self.newest - 1:
                self.undone.clear()

    def can_undo(self) -> bool:
        number = self.current
        if self.ended or not number or number in self.settled:
            return False
        return self.done[number][-1] is not None or number == self.newest

    def an_entry_is_undone(self, chance: Random) -> None:
        number, may = self.current, self.can_undo()
        if self.attempt("undo", {}, may=may):
            self.undone.append((number, self.rounds[number]))
            self.rounds[number] = self.done[number].pop()

    def an_undo_is_undone(self, chance: Random) -> None:
        if self.attempt("redo", {}, may=bool(self.undone) and not self.ended):
            number, before = self.undone.pop()
            self.done[number].append(self.rounds[number])
            # A struck line has another address now.
            self.rounds[number] = before and replace(
                before, lines=tuple(line for line in before.lines if line.text)
            )

    def entries_are_corrected(self, chance: Random) -> None:
        standing = list(self.standing)
        if not standing:
            return
        number = chance.choice([*standing, max(standing)])
        one = self.rounds[number]
        assert one is not None
        changes: list[tuple[str, str, str | None]] = []
        for _ in range(chance.choice([1, 1, 2, 3])):
            change = self.a_change(chance, one)
            if change[0] == "before" or change[1] not in {
                place for how, place, _ in changes if how == "target"
            }:
                changes.append(change)
        may = not (
            one.header.address in [place for _, place, text in changes if text is None]
            and (one.standing or one.void or any(text for _, _, text in changes))
        )
        content = {"changes": [asked(one, change) for change in changes], "reason": "ghi nhầm"}
        self.previewed(number, "correct", content, lambda seq: changed(one, changes, seq), may=may)
        if chance.random() < 0.3:
            self.an_entry_is_undone(chance)
            self.an_undo_is_undone(chance)

    def a_change(self, chance: Random, one: ModelRound) -> tuple[str, str, str | None]:
        """A random change: `target` or `before`, an address, and the new line (None to strike)."""
        places = [line.address for line in one.lines]
        what = chance.choice(["replace", "strike", "before", "header", "replace"])
        if one.void and chance.random() < 0.5:
            return "target", one.void, None
        if what == "header" or not places:
            seats = chance.sample(one.seats, len(one.seats))
            header = chance.choice(["opening", f"lead {seats[0]}", None])
            return "target", one.header.address, header and f"{header} {' '.join(seats)}"
        place = chance.choice(places)
        struck = next(line for line in one.lines if line.address == place).text is None
        if what == "strike" and not struck:
            return "target", place, None
        if struck or what == "replace":
            return "target", place, self.some_move(chance, one)
        # `before` takes the address recorded first at a place, which only an uncorrected line is sure to have.
        return "before", place, self.some_move(chance, one)

    def previewed(self, number: int, kind: str, content: dict[str, Any], edit: Edit, *, may: bool) -> None:
        """Preview and record a change; the balances must be those of the preview."""
        promised: Any = None
        if not self.ended:
            with suppress(Problem):
                promised = self.table.preview(kind, **content)
        if self.edit(number, kind, content, edit, may=may):
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
        content = {"round": number, "reason": "chia nhầm"}

        def edited(seq: int) -> ModelRound | None:
            return one and replace(one, void=f"{seq}.0")

        self.previewed(number, "void", content, edited, may=bool(one and not one.void))

    def points_are_adjusted(self, chance: Random) -> None:
        payer, payee = chance.sample([f"p{number}" for number in range(1, self.players + 1)], 2)
        content = {"payer": payer, "payee": payee, "points": 5, "reason": "trễ"}
        if recorded := self.attempt("adjust", content, may=not self.ended):
            self.paid.append((recorded.seq, f"pay {payer} {payee} 5 trễ"))

    def somebody_joins(self, chance: Random) -> None:
        if self.players == 4 and self.attempt("join", {"name": NAMES[4]}, may=not self.ended):
            self.players = 5
            self.joined["p5"] = self.table.recorded[-1].seq

    def the_night_ends_or_goes_on(self, chance: Random) -> None:
        waiting = [n for n, one in self.rounds.items() if one and not one.void and n not in self.settled]
        kind, content = ("reopen", {"reason": "còn sớm"}) if self.ended else ("end", {})
        if self.attempt(kind, content, may=self.ended or not waiting):
            self.ended = not self.ended

    # The players

    def somebody_agrees(self, chance: Random) -> None:
        if not self.rounds:
            return
        number, player = (
            chance.choice(sorted(self.rounds)),
            chance.choice(["p1", "p2"]),
        )
        one = self.rounds[number]
        agreed_by = self.agreed.setdefault(number, set())
        may = bool(one and not one.void) and number in self.settled and player not in agreed_by
        if self.attempt("confirm", {"player": player, "round": number}, may=may):
            agreed_by.add(player)

    def somebody_disputes(self, chance: Random) -> None:
        if not self.rounds:
            return
        number = chance.choice(sorted(self.rounds))
        one = self.rounds[number]
        moves = [("move", line.address) for line in one.lines if line.text] if one else []
        holding = [("payment", place) for place in self.holding(number)]
        if not (about := moves + holding):
            return
        self.dispute(number, *chance.choice(about))

    def dispute(self, number: int, what: str, place: str) -> int | None:
        """Dispute a payment or a move; returns the seq if it was recorded."""
        seq, idx = map(int, place.split("."))
        content = {"player": "p2", "round": number, "reason": "không phải"}
        content |= {"payment": {"seq": seq, "idx": idx}} if what == "payment" else {"move": place}
        may = (number, f"{what} {place}") not in self.disputes.values()
        if not (recorded := self.attempt("dispute", content, may=may)):
            return None
        self.disputes[recorded.seq] = (number, f"{what} {place}")
        return recorded.seq

    def a_dispute_is_decided(self, chance: Random) -> None:
        if not self.disputes:
            return
        dispute = chance.choice(sorted(self.disputes))
        self.decide(dispute, chance.choice(["kept", "corrected", "waived", "waived"]))

    def a_payment_is_waived(self, chance: Random) -> None:
        """Dispute and waive a payment at once: random disputes are seldom about one that still holds."""
        paid = [(number, "payment", place) for number in self.rounds for place in self.holding(number)]
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
        content = {"dispute": dispute, "decision": decision, "reason": "thôi"}
        if recorded := self.attempt("decide", content, may=may):
            del self.disputes[dispute]
            if decision == "waived" and payment:
                line = f"pay {payment.payee} {payment.payer} {payment.points} thôi"
                self.waived[place] = recorded.seq, line

    def a_transfer_is_handed_over(self, chance: Random) -> None:
        self.attempt("paid", {"payer": "p1", "payee": "p2", "points": 3}, may=True)

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
        rows = holding_rows(self.table)
        return {row.address: row for row in rows if row.round == number}

    def memory_holds_what_is_stored(self) -> None:
        cold = self.table.restarted()
        assert cold.board() == self.table.board()
        for number in self.standing if self.changed else ():
            assert cold.page(number) == self.table.page(number)

    def balances_are_those_of_the_lines(self) -> None:
        board, rows = self.table.board(), holding_rows(self.table)
        totals = dict.fromkeys(board["net"], 0)
        for number, round in self.played().items():
            counts = number in self.settled and round.void is None
            due = scoring.payments(round) if counts else ()
            wanted = Counter(
                (tag(p.payer), tag(p.payee), p.points, str(p.reason), str(p.clause)) for p in due
            )
            held = Counter(paid_by(row)[1:] for row in rows if row.round == number)
            assert held == wanted
            for payment in due:
                totals[tag(payment.payer)] -= payment.points
                totals[tag(payment.payee)] += payment.points
        for _, line in self.paid_lines:
            _, payer, payee, points, _ = line.split()
            totals[payer] -= int(points)
            totals[payee] += int(points)
        assert board["net"] == totals == self.table.ask.ledger().balances
        assert board["undo"] == self.can_undo()
        assert board["redo"] == (bool(self.undone) and not self.ended)

    def the_replay_is_that_of_the_lines(self) -> None:
        night = self.read(self.rounds)
        assert night is not None
        assert self.table.replay_text() == notation.write(night)

    def who_agrees_is_known(self) -> None:
        agreed = self.table.ask.agreement().agreed
        for number, one in self.standing.items() if self.changed else ():
            agreed_by = self.agreed.get(number, set())
            assert set(self.table.page(number)["agreed"]) == agreed_by
            assert (number in agreed) == (number in self.settled and not one.void)
            assert set(agreed.get(number, ())) == agreed_by

    def goes_on(self, what: str, chance: Random) -> None:
        """Do one thing, which may be refused, and check all invariants."""
        self.changed, recorded = False, len(self.table.recorded)
        getattr(self, "the_night_ends_or_goes_on" if self.ended and chance.random() < 0.5 else what)(chance)
        if len(self.table.recorded) == recorded:
            return
        self.memory_holds_what_is_stored()
        self.balances_are_those_of_the_lines()
        self.the_replay_is_that_of_the_lines()
        self.who_agrees_is_known()

    def is_over(self) -> None:
        """Check the whole night."""
        every_change_is_explained(self.table)
        assert list(audit(self.table.recorder, self.table.night)) == []
        self.the_replay_brings_the_same_payments()

    def the_replay_brings_the_same_payments(self) -> None:
        """An import of the replay has all payments of settled rounds; it also settles every round that it can."""
        again = Table(
            self.table.recorder,
            import_tln(self.table.recorder, self.table.ask.whole()).night,
        )
        settled = [row for row in holding_rows(self.table) if row.round]
        there = Counter(map(paid_by, holding_rows(again)))
        assert not Counter(map(paid_by, settled)) - there
        assert again.replay_text() == self.table.replay_text()
        moves = as_replay(moves_file.write(self.table.ask.whole())).text
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


def asked(one: ModelRound, change: tuple[str, str, str | None]) -> dict[str, Any]:
    """A change in the form of a request."""
    how, place, text = change
    if text is None:
        return {how: place, "with": None}
    line = f"round {text} !" if place == one.header.address else text
    ((kind, content),) = read_story(
        f"{line} !" if " shows " not in line and " declares " not in line and "!" not in line else line
    )
    return {how: place, "with": {"kind": kind, **content}}


def changed(one: ModelRound, changes: list[tuple[str, str, str | None]], seq: int) -> ModelRound | None:
    """A round after a correction."""
    for part, (how, place, text) in enumerate(changes):
        fresh = Line(f"{seq}.{part}", text)
        if place == one.void:
            one = replace(one, void=None)
        elif place == one.header.address:
            if text is None:
                return None
            one = replace(one, header=fresh)
        else:
            # All changes of a correction refer to the round before it: old addresses are kept until the end.
            at = next(
                at
                for at, line in enumerate(one.lines)
                if line.address.partition("<")[0] == place or line.address.endswith(f"<{place}")
            )
            if how == "before":
                one = replace(one, lines=(*one.lines[:at], fresh, *one.lines[at:]))
            else:
                kept = replace(fresh, address=f"{fresh.address}<{place}")
                one = replace(one, lines=(*one.lines[:at], kept, *one.lines[at + 1 :]))
    return replace(
        one, lines=tuple(replace(line, address=line.address.partition("<")[0]) for line in one.lines)
    )


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
        assert not body["payments"] or body["kind"] in PAYING
        assert body["kind"] in PAYING - {"settle"} <= set() or body["actor"] in {"keeper", "p1", "p2"}
        if body["payments"] and body["kind"] != "settle":
            assert body["content"]["reason"]
        for idx, payment in enumerate(body["payments"]):
            net[payment["payer"]] -= payment["points"]
            net[payment["payee"]] += payment["points"]
            made[f"{body['seq']}.{idx}"] = payment
            if (place := payment["reverses"]) is not None:
                assert place not in taken_back
                taken_back.add(place)
                first = made[place]
                assert (first["payer"], first["payee"]) == (payment["payee"], payment["payer"])
                assert first["points"] == payment["points"]
        assert body["net"] == {player: net[player] for player in body["net"]}


WHAT_HAPPENS: Final = {
    "a_round_is_played": 8,
    "a_round_begins": 5,
    "somebody_plays": 3,
    "somebody_goes_out": 5,
    "somebody_passes": 1,
    "a_result_is_told": 2,
    "hands_are_told": 5,
    "a_round_is_settled": 6,
    "an_entry_is_undone": 4,
    "an_undo_is_undone": 4,
    "entries_are_corrected": 16,
    "a_round_is_voided": 3,
    "points_are_adjusted": 1,
    "somebody_joins": 1,
    "the_night_ends_or_goes_on": 1,
    "somebody_agrees": 2,
    "somebody_disputes": 3,
    "a_dispute_is_decided": 3,
    "a_payment_is_waived": 2,
    "a_transfer_is_handed_over": 1,
    "the_server_is_started_again": 3,
    "another_keeper_is_late": 1,
    "a_request_comes_twice": 2,
}
"""What may happen -> its relative frequency."""

STEPS: Final = 40
"""The number of things that happen in an evening."""

Steps = list[tuple[str, str]]
"""What happens, each with a seed of its own, so that any step can be left out."""


def some_steps(number: int) -> Steps:
    """The steps of an evening, the same at every run."""
    whats = Random(number).choices(list(WHAT_HAPPENS), list(WHAT_HAPPENS.values()), k=STEPS)
    return [(what, f"{number} {place}") for place, what in enumerate(whats)]


def spend(recorder: Recorder, steps: Steps) -> Evening:
    """Run an evening. Raises AssertionError if the recorder and the model differ."""
    evening = Evening(recorder)
    for what, chance in steps:
        evening.goes_on(what, Random(chance))
    evening.is_over()
    return evening


def fails(recorder: Recorder, steps: Steps) -> bool:
    """Whether an evening of these steps fails."""
    try:
        spend(recorder, steps)
    except Exception:
        return True
    return False


def fewest(recorder: Recorder, steps: Steps) -> Steps:
    """Reduce failing steps while they still fail."""
    for size in (8, 4, 2, 1, 1):
        for place in range(len(steps) - size, -1, -1):
            fewer = steps[:place] + steps[place + size :]
            if fails(recorder, fewer):
                steps = fewer
    return steps
