"""Whatever is recorded in whatever order, a simple model knows what can be undone and what comes back.

Everyone at the table holds thirteen cards of one suit, so that rounds end within a few entries.
"""

from collections import Counter, defaultdict
from random import Random
from typing import Any, Final

import pytest

from ledger.recorder import Problem, Recorder
from ledger.recorder.views.round import LAST_ROWS
from tests.recorder.tables import NAMES, RANKS, WINNER_TAKES_ALL, Table, open_table
from tests.soaking import further

SUITS: Final = "scdh"
PLAYERS: Final = tuple(f"p{number}" for number in range(1, len(NAMES) + 1))


class Recording:
    """A keeper who records, takes back, settles now or later, as chance has it."""

    def __init__(self, recorder: Recorder, chance: Random) -> None:
        self.table: Table = open_table(recorder, len(PLAYERS), ruleset=WINNER_TAKES_ALL)
        self.chance = chance
        self.done: dict[int, list[tuple[str, Any]]] = defaultdict(list)
        """Round -> what stands and may be undone: its kind, and the round before it."""
        self.undone: list[tuple[int, str, Any, Any]] = []
        """What may be redone: its round, its kind, the round before it and with it."""
        self.settled: set[int] = set()
        self.rounds: list[int] = []
        """The numbers of the rounds whose headers stand."""
        self.newest = 0
        self.net = dict.fromkeys(PLAYERS, 0)

    # What the keeper sees

    def seen(self, number: int) -> Any:
        """A round as a board has it."""
        page = self.table.page(number)
        return {name: page[name] for name in self.table.round()} | {"moves": page["moves"][-LAST_ROWS:]}

    def asked(self, kind: str, content: dict[str, Any]) -> Problem | None:
        """Record something; why it was not, if it was not."""
        try:
            self.table.record(kind, **content)
        except Problem as problem:
            return problem
        return None

    def try_to(self, kind: str, content: dict[str, Any], *, round: int | None = None) -> None:
        """Record it if the rules let it be; what is refused leaves nothing behind."""
        contents, number = self.table.contents(), round or max(self.rounds, default=0)
        before = self.seen(number) if number else None
        problem = self.asked(kind, content)
        if problem is not None:
            assert problem.refusal is not None, problem.code
            assert self.table.contents() == contents
            return
        if kind == "round":
            number += 1
            assert self.table.round()["number"] == number
            self.rounds.append(number)
            self.newest = max(self.newest, number)
        self.done[number].append((kind, before))
        if number >= self.newest - 1:
            self.undone.clear()

    def suit(self, player: str) -> str:
        seats = self.table.round()["seats"]
        return SUITS[seats.index(player)] if player in seats else "h"

    def left(self, player: str) -> list[str]:
        """The cards that a player still holds."""
        seen = self.table.round()["seen"]
        return [rank + self.suit(player) for rank in RANKS if rank + self.suit(player) not in seen]

    def running(self) -> bool:
        round = self.table.board()["round"]
        return round is not None and not round["over"]

    # What the keeper does

    def do_something(self) -> None:
        """One thing that may be refused, and then all that always holds."""
        what = self.chance.choices(*WHAT_HAPPENS)[0]
        what(self)
        self.memory_holds_what_is_stored()
        self.the_model_agrees()

    def a_round_begins(self) -> None:
        if self.running():
            return
        seats = self.chance.sample(PLAYERS, self.chance.choice([2, 2, 3, 4]))
        due = self.table.board()["next"]
        header: dict[str, Any] = {"opening": True, "stood": True}
        if due["leader"] in seats:
            header = {"leader": self.chance.choice([due["leader"], seats[0]]), "stood": True}
        self.try_to("round", header | {"seats": seats})

    def somebody_plays(self) -> None:
        if self.running():
            round = self.table.round()
            player = round["turn"] or self.chance.choice(round["seats"])
            held = self.left(player)
            many = self.chance.choice([1, 12])
            chosen = held[:many] if round["to"] == "lead" else held[-many:]
            stood = {"stood": True} if self.chance.random() < 0.3 else {}
            self.try_to("play", {"seat": player, "cards": chosen} | stood)

    def somebody_goes_out(self) -> None:
        """Nobody beats a sequence of twelve; then the last card follows."""
        if not self.running() or self.table.round()["to"] != "lead":
            return
        player = self.table.round()["turn"] or self.table.round()["seats"][0]
        self.try_to("play", {"seat": player, "cards": self.left(player)[:12]})
        while self.running() and self.table.round()["to"] == "answer":
            self.somebody_passes()
        if self.running():
            self.try_to("play", {"seat": player, "cards": self.left(player)})

    def somebody_skips_others(self) -> None:
        if self.running():
            player = self.chance.choice(self.table.round()["seats"])
            self.try_to("play", {"seat": player, "cards": self.left(player)[-1:]})

    def somebody_passes(self) -> None:
        if self.running() and self.table.round()["turn"]:
            self.try_to("pass", {"seat": self.table.round()["turn"]})

    def somebody_claims_a_dragon(self) -> None:
        if self.running():
            player = self.chance.choice(self.table.round()["seats"])
            self.try_to("claim", {"seat": player, "cards": [rank + self.suit(player) for rank in RANKS]})

    def a_hand_is_told(self) -> None:
        """In any round that is not settled yet."""
        for number in self.chance.sample(unsettled := self.table.board()["unsettled"], len(unsettled)):
            page = self.table.page(number)
            for player in page["needed"]:
                suit = SUITS[page["seats"].index(player)]
                rest = [rank + suit for rank in RANKS if rank + suit not in page["seen"]]
                of = {} if number == max(self.rounds) else {"round": number}
                sets = [[card] for card in rest if card[0] == "2"]
                if self.chance.random() < 0.5:
                    self.try_to("show", {"seat": player, "cards": rest} | of, round=number)
                else:
                    self.try_to("declare", {"seat": player, "sets": sets} | of, round=number)
                return

    def a_round_is_settled(self) -> None:
        unsettled = self.table.board()["unsettled"]
        if not unsettled:
            return
        number = self.chance.choice(unsettled)
        page = self.table.page(number)
        problem = self.asked("settle", {"round": number})
        assert page["can_settle"] == (problem is None)
        if problem is not None:
            assert problem.code in ("hands-missing", "round-not-over")
            return
        self.settled.add(number)
        for player, points in page["net"].items():
            self.net[player] += points
        if number >= self.newest - 1:
            self.undone.clear()

    def an_entry_is_undone(self) -> None:
        if not self.can_undo():
            with pytest.raises(Problem, match="nothing-to-undo"):
                self.table.record("undo")
            return
        number = max(self.rounds)
        kind, before = self.done[number].pop()
        with_it = self.seen(number)
        self.table.record("undo")
        if kind == "round":
            self.rounds.remove(number)
        else:
            assert self.table.round() == self.seen(number) == before
        self.undone.append((number, kind, before, with_it))

    def can_undo(self) -> bool:
        number = max(self.rounds, default=0)
        if not number or number in self.settled:
            return False
        lost = number < self.newest and self.done[number][-1][0] == "round"
        return not lost

    def an_undo_is_undone(self) -> None:
        if not self.undone:
            with pytest.raises(Problem, match="nothing-to-redo"):
                self.table.record("redo")
            return
        number, kind, before, with_it = self.undone.pop()
        self.table.record("redo")
        assert self.table.round() == with_it
        self.done[number].append((kind, before))
        if kind == "round":
            self.rounds.append(number)

    # What always holds

    def memory_holds_what_is_stored(self) -> None:
        cold = self.table.restarted()
        assert cold.board() == self.table.board()
        for number in self.rounds:
            assert cold.page(number) == self.table.page(number)

    def the_model_agrees(self) -> None:
        board = self.table.board()
        assert board["unsettled"] == sorted(set(self.rounds) - self.settled)
        assert board["net"] == self.net == self.table.ask.ledger().balances
        assert (board["undo"], board["redo"]) == (self.can_undo(), bool(self.undone))
        assert sum(board["provisional"].values()) == 0
        assert (board["round"] or {}).get("number", 0) == max(self.rounds, default=0)


WHAT_HAPPENS: Final = (
    [
        Recording.a_round_begins,
        Recording.somebody_plays,
        Recording.somebody_goes_out,
        Recording.somebody_skips_others,
        Recording.somebody_passes,
        Recording.somebody_claims_a_dragon,
        Recording.a_hand_is_told,
        Recording.a_round_is_settled,
        Recording.an_entry_is_undone,
        Recording.an_undo_is_undone,
    ],
    [6, 4, 4, 1, 2, 1, 4, 3, 4, 3],
)
"""And how often."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", further([31, 5, 9, 25]))
def test_undo_and_redo_by_a_model(recorder: Recorder, seed: int) -> None:
    recording = Recording(recorder, Random(seed))
    for _ in range(60):
        recording.do_something()
    kinds = Counter(entry["kind"] for entry in recording.table.log())
    assert kinds["undo"] > 1 < kinds["redo"] + kinds["round"], kinds
