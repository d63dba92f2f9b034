"""Every preset compared with its sources, parameter by parameter.

The rows were read from the sources by hand. A column that a row lacks is the parent's; `Open` marks what the source
leaves open, which the preset must list as open too.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from ledger.game.cards import Card, Rank
from ledger.game.patterns import Kind, SuitLock
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Dealer, Direction
from ledger.game.rulesets.paying import Chain


class Open(NamedTuple):
    """The value of a preset where its source is silent."""

    value: object


class Row(NamedTuple):
    parent: str
    """The preset whose row supplies missing cells."""
    cells: Mapping[str, object]


class Pays(NamedTuple):
    """Payments by place (players -> points of each), by players left, for cards, and for special sets."""

    places: Mapping[int, tuple[int, ...]] = {}
    left: int = 0
    full_hand: int = 0
    card: int = 0
    unplayed: int = 0
    hoarded: tuple[int, ...] = (0, 0, 0, 0, 0)
    """For a black 2, a red 2, three pairs, four of a kind, and four pairs."""
    captured: tuple[int, ...] = (0, 0, 0, 0, 0)
    chain: Chain = Chain.WHOLE_PILE
    chop: int = 0


class Column(NamedTuple):
    tell: Callable[[Ruleset], object]
    fields: tuple[str, ...]
    """The fields of which one must be listed in `Ruleset.open`."""


_WORTH = ("2s", "2d", "4s 4c 5s 5c 6s 6c", "4s 4c 4d 4h", "4s 4c 5s 5c 6s 6c 7s 7c")


def read(ruleset: Ruleset, cards: str) -> int:
    return ruleset.deck.gather(map(Card.read, cards.split()))[0]


def pays(ruleset: Ruleset) -> Pays:
    paid = ruleset.payments
    places: dict[int, list[int]] = {}
    for row in paid.places:
        if row.players in ruleset.deal.players:
            received = places.setdefault(row.players, [0] * row.players)
            received[row.payer - 1] -= row.points
            received[row.payee - 1] += row.points
    return Pays(
        {players: tuple(received) for players, received in places.items()},
        paid.left,
        paid.full_hand,
        paid.card,
        paid.unplayed,
        tuple(compiled(ruleset).hand_values.total(read(ruleset, cards)) for cards in _WORTH),
        tuple(compiled(ruleset).capture_values.total(read(ruleset, cards)) for cards in _WORTH),
        paid.chain,
        paid.chop_unit,
    )


LOW = {
    "single": "8s",
    "ace": "As",
    "pair": "8s 8c",
    "2": "2h",
    "22": "2d 2h",
    "222": "2c 2d 2h",
    "ds3": "3s 3c 4s 4c 5s 5c",
    "quad": "3s 3c 3d 3h",
    "ds4": "3s 3c 4s 4c 5s 5c 6s 6c",
    "ds5": "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c",
}
HIGH = {
    "ds3": "Qs Qc Ks Kc As Ac",
    "quad": "As Ac Ad Ah",
    "ds4": "Js Jc Qs Qc Ks Kc As Ac",
    "ds5": "Ts Tc Js Jc Qs Qc Ks Kc As Ac",
}
PROBES = {
    "triple on ace": ("3s 3c 3d", "As"),
    "triple on king": ("3s 3c 3d", "Ks"),
    "dragon on pair": ("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As", "8s 8c"),
    "sequence on quad": ("3s 4s 5s 6s 7s", "3s 3c 3d 3h"),
    "two fours on 22": ("Ks Kc Kd Kh As Ac Ad Ah", "2d 2h"),
    "three fours on 222": ("Qs Qc Qd Qh Ks Kc Kd Kh As Ac Ad Ah", "2c 2d 2h"),
    "two fours apart on 22": ("3s 3c 3d 3h As Ac Ad Ah", "2d 2h"),
    "three triples on 22": ("Qs Qc Qd Ks Kc Kd As Ac Ad", "2d 2h"),
    "four twos on ds5": ("2s 2c 2d 2h", "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c"),
    "ds6 on 222": ("9s 9c Ts Tc Js Jc Qs Qc Ks Kc As Ac", "2c 2d 2h"),
    "3d on pair": ("3d", "8s 8c"),
    "3h on pair": ("3h", "8s 8c"),
    "Kd on 2": ("Kd", "2h"),
}


def lies_on(ruleset: Ruleset, higher: str, lower: str) -> bool:
    above, below = (compiled(ruleset).index.read(read(ruleset, cards)) for cards in (higher, lower))
    return above is not None and below is not None and above.beats(below)


def beaten(name: str) -> Callable[[Ruleset], str | None]:
    """A function that returns what the highest bomb of a shape beats; None if it cannot be played at all."""

    def tell(ruleset: Ruleset) -> str | None:
        if compiled(ruleset).index.read(read(ruleset, HIGH[name])) is None:
            return None
        return " ".join(target for target, cards in LOW.items() if lies_on(ruleset, HIGH[name], cards))

    return tell


def others(ruleset: Ruleset) -> set[str]:
    return {name for name, (higher, lower) in PROBES.items() if lies_on(ruleset, higher, lower)}


COLUMNS: Mapping[str, Column] = {
    # The table, the lead, the turn
    "players": Column(lambda r: r.deal.players, ("deal.players",)),
    "cards": Column(lambda r: (r.deal.hand, r.deal.packs), ("deal.hand", "deal.equal")),
    "backs": Column(lambda r: r.deal.backs, ("deal.backs",)),
    "four hands": Column(lambda r: r.deal.four_hands, ("deal.four_hands",)),
    "draw pile": Column(lambda r: r.deal.draw_pile, ("deal.draw_pile",)),
    "direction": Column(lambda r: r.deal.direction, ("deal.direction",)),
    "dealer": Column(lambda r: r.deal.dealer, ("deal.dealer",)),
    "opening form": Column(lambda r: r.opening.kinds, ("opening", "opening.kinds")),
    "opened again": Column(
        lambda r: {
            name
            for name in ("every_round", "after_instant_win", "after_player_change")
            if getattr(r.opening, name)
        },
        ("opening", "opening.every_round", "opening.after_instant_win"),
    ),
    "pass locks": Column(lambda r: r.passing.locks, ("passing.locks",)),
    "out of turn": Column(
        lambda r: {str(shape.length) for shape in (*r.passing.late, *r.passing.any_time)}, ("passing.late",)
    ),
    # Combinations, suits, instant wins
    "of a kind": Column(lambda r: r.combinations.same_rank, ("combinations.same_rank",)),
    "pair sequences": Column(lambda r: r.combinations.pair_sequences, ("combinations.pair_sequences",)),
    "triples, fours": Column(
        lambda r: (
            r.combinations.triple_sequences,
            r.combinations.fours,
            r.combinations.fours_consecutive,
        ),
        ("combinations.fours",),
    ),
    "2 in a run": Column(
        lambda r: r.combinations.top_of_sequences is Rank.TWO, ("combinations.top_of_sequences",)
    ),
    "2 in pairs": Column(
        lambda r: r.combinations.top_of_pair_sequences is Rank.TWO, ("combinations.top_of_pair_sequences",)
    ),
    "suit lock": Column(lambda r: r.combinations.suit_lock, ("combinations.suit_lock",)),
    "suits": Column(
        lambda r: {
            name
            for name in ("one_suit", "one_colour", "one_colour_throughout", "follow_suits")
            if getattr(r.combinations, name)
        },
        ("combinations.one_suit",),
    ),
    "instant wins": Column(
        lambda r: {win.name for win in r.instant_wins.hands if not win.opening_only}, ("instant_wins.hands",)
    ),
    "first round wins": Column(
        lambda r: {win.name for win in r.instant_wins.hands if win.opening_only}, ("instant_wins.hands",)
    ),
    "instant pay": Column(
        lambda r: r.instant_wins.points if r.instant_wins.hands else 0, ("instant_wins.points",)
    ),
    # The end, and money
    "stops at first out": Column(lambda r: r.ending.at_first_out, ("ending.at_first_out",)),
    "knock-out": Column(lambda r: r.ending.knock_out, ("ending.knock_out",)),
    "last play stands": Column(lambda r: r.ending.last_play_stands, ("ending.last_play_stands",)),
    "out with a 2": Column(lambda r: not r.ending.no_last_two, ("ending.no_last_two",)),
    "goes forward": Column(lambda r: r.passing.forward, ("passing.forward",)),
    "payments": Column(pays, ("payments", "payments.places", "payments.chain")),
    "kneels": Column(lambda r: (r.kneeling.last, r.kneeling.chopped), ("kneeling",)),
    "contracts": Column(lambda r: {bet.name: (bet.gain, bet.loss) for bet in r.contracts}, ("contracts",)),
    "customs": Column(lambda r: set(r.customs), ("customs",)),
    # Bombs
    "ds3": Column(beaten("ds3"), ("bombs",)),
    "quad": Column(beaten("quad"), ("bombs", "combinations.same_rank")),
    "ds4": Column(beaten("ds4"), ("bombs", "combinations.pair_sequences")),
    "ds5": Column(beaten("ds5"), ("bombs", "combinations.pair_sequences")),
    "other bombs": Column(others, ("bombs", "trumps")),
}

PLACES = {2: (2, -2), 3: (3, -1, -2), 4: (2, 1, -1, -2)}
SOUTHERN_VALUES = (1, 2, 2, 3, 4)
ANYTHING = "single ace pair 2 22 222 ds3 quad ds4 ds5"

ROWS: Mapping[str, Row] = {
    "southern-classic": Row(
        "",
        {
            "players": (2, 3, 4),
            "cards": (13, 1),
            "backs": False,
            "four hands": False,
            "draw pile": False,
            "direction": Direction.ANTICLOCKWISE,
            "dealer": Open(Dealer.OPEN),
            "opening form": (),
            "opened again": {"after_instant_win"},
            "pass locks": True,
            "out of turn": {"4"},
            "of a kind": (1, 2, 3, 4),
            "pair sequences": (3, 4),
            "triples, fours": ((), (), ()),
            "2 in a run": False,
            "2 in pairs": False,
            "suit lock": SuitLock.NONE,
            "suits": set(),
            "instant wins": {
                *("dragon", "four-twos", "six-pairs", "five-consecutive-pairs", "three-consecutive-triples"),
            },
            "first round wins": {"bomb-with-lowest"},
            "instant pay": 2,
            "stops at first out": False,
            "knock-out": True,
            "last play stands": False,
            "out with a 2": True,
            "goes forward": False,
            "payments": Pays(PLACES, full_hand=4, hoarded=SOUTHERN_VALUES, captured=SOUTHERN_VALUES),
            "kneels": (False, False),
            "contracts": {},
            "customs": set(),
            "ds3": "2 ds3",
            "quad": "2 22 ds3 quad",
            "ds4": "2 22 ds3 quad ds4",
            "ds5": None,
            "other bombs": set(),
        },
    ),
    "southern-winner-takes-all": Row(
        "southern-classic",
        {
            "stops at first out": True,
            "knock-out": False,
            "payments": Pays(left=2, full_hand=4, hoarded=SOUTHERN_VALUES, captured=SOUTHERN_VALUES),
        },
    ),
    "card-count": Row(
        "southern-winner-takes-all",
        {
            "opened again": Open({"after_instant_win"}),
            "instant wins": {"dragon", "four-twos", "five-consecutive-pairs", "six-pairs", "one-colour"},
            "first round wins": {"four-threes"},
            "instant pay": 26,
            "payments": Pays(
                card=1,
                unplayed=26,
                hoarded=(3, 6, 9, 12, 18),
                captured=(3, 6, 9, 12, 18),
                chain=Chain.CUT,
            ),
        },
    ),
    "northern": Row(
        "card-count",
        {
            "out of turn": set(),
            "pair sequences": (3, 4, 5),
            "suits": {"one_suit", "one_colour", "one_colour_throughout", "follow_suits"},
            "instant wins": {
                *("four-twos", "dragon-of-one-suit", "six-pairs-of-one-colour"),
                *("five-consecutive-pairs-of-one-colour", "one-colour"),
            },
            "instant pay": 13,
            "out with a 2": False,
            "payments": Pays(
                card=1, unplayed=26, hoarded=(2, 4, 6, 8, 8), captured=(2, 4, 6, 8, 8), chain=Chain.EACH
            ),
            "ds3": "2 ds3",
            "quad": "2 22 ds3 quad",
            "ds4": "2 22 ds3 quad ds4",
            "ds5": "2 22 222 ds3 quad ds4 ds5",
            "other bombs": {"sequence on quad"},
        },
    ),
    "family": Row(
        "southern-classic",
        {
            "customs": {"card-count-untold"},
            "players": Open((4,)),
            "dealer": Dealer.LAST,
            "opened again": set(),
            "out of turn": set(),
            "instant wins": set(),
            "first round wins": set(),
            "instant pay": 0,
            "knock-out": False,
            "goes forward": Open(True),
            "payments": Pays(),
            "ds3": "2 ds3",
            "quad": "2 quad",
            "ds4": "2 22 ds4",
            "ds5": None,
        },
    ),
    "core": Row(
        "thirteen",
        {
            "dealer": Dealer.LAST,
            "opening form": (Kind.SINGLE,),
            "opened again": set(),
            "2 in a run": True,
            "2 in pairs": Open(True),
            "instant wins": set(),
            "instant pay": 0,
            "goes forward": Open(False),
            "payments": Pays({2: (1, -1), 3: (1, 1, -2), 4: (1, 1, 1, -3)}),
        },
    ),
    "core-17": Row(
        "core",
        {
            "players": (3,),
            "cards": (17, 1),
            "opening form": Open((Kind.SINGLE,)),
            "pair sequences": (3, 4, 5, 6, 7, 8),
            "payments": Pays({3: (1, 1, -2)}),
        },
    ),
    "core-double": Row(
        "core",
        {
            "players": (5, 6, 7, 8),
            "cards": Open((13, 2)),
            "opening form": Open((Kind.SINGLE,)),
            "of a kind": Open((1, 2, 3, 4)),
            "pair sequences": (3, 4, 5, 6, 7, 8, 9, 10),
            "payments": Pays({count: (*(1,) * (count - 1), 1 - count) for count in (5, 6, 7, 8)}),
        },
    ),
    "viet-cong": Row(
        "core",
        {
            "opening form": (),
            "out of turn": Open(set()),
            "triples, fours": ((), (), (2, 3)),
            "2 in a run": False,
            "suit lock": Open(SuitLock.NONE),
            "instant wins": Open(set()),
            "payments": Open(Pays({2: (1, -1), 3: (1, 1, -2), 4: (1, 1, 1, -3)})),
            "ds4": Open("2 22 ds4"),
            "ds5": "22 ds5",
            "other bombs": {"two fours on 22", "three fours on 222"},
        },
    ),
    "thirteen": Row(
        "southern-classic",
        {
            "direction": Direction.CLOCKWISE,
            "dealer": Open(Dealer.OPEN),
            "opened again": {"every_round"},
            "out of turn": set(),
            "pair sequences": (3, 4, 5, 6),
            "instant wins": {"four-twos", "six-pairs", "dragon"},
            "first round wins": set(),
            "instant pay": 0,
            "knock-out": False,
            "payments": Pays(),
            "ds3": "2 ds3",
            "quad": "2 quad",
            "ds4": "2 22 ds4",
            "ds5": "2 22 222 ds5",
            "other bombs": {"ds6 on 222"},
        },
    ),
    "thirteen-points": Row(
        "thirteen",
        {
            "instant pay": Open(1),
            "stops at first out": Open(False),
            "payments": Open(
                Pays(
                    {2: (1, -1), 3: (2, -1, -1), 4: (3, -1, -1, -1)},
                    left=1,
                    hoarded=(1, 2, 2, 2, 2),
                    captured=(1, 1, 2, 2, 2),
                    chain=Chain.EACH,
                )
            ),
        },
    ),
    "thirteen-kneeling": Row("thirteen", {"dealer": Dealer.THIRD, "kneels": Open((True, True))}),
    "asian-deuces": Row("thirteen", {"customs": {"winner-chooses-clearing"}}),
    "draw-pile": Row("thirteen", {"players": (3,), "draw pile": True, "pass locks": Open(True)}),
    "double-deck": Row(
        "thirteen",
        {
            "players": (8,),
            "cards": (13, 2),
            "backs": Open(True),
            "of a kind": Open((1, 2, 3, 4)),
            "instant wins": set(),
            "payments": Open(Pays()),
            "other bombs": Open({"ds6 on 222", "Kd on 2"}),
        },
    ),
    "hawaii": Row(
        "thirteen",
        {
            "customs": {"no-trading"},
            "players": Open((2, 4)),
            "direction": Open(Direction.CLOCKWISE),
            "opening form": (Kind.SINGLE, Kind.PAIR, Kind.SEQUENCE),
            "opened again": Open({"every_round"}),
            "payments": Open(Pays()),
            "quad": "2 ds3 quad",
            "ds4": Open("2 ds4"),
            "ds5": Open("2 ds5"),
            "other bombs": set(),
        },
    ),
    "akita": Row(
        "thirteen",
        {
            "customs": {"no-trading"},
            "dealer": Dealer.LAST,
            "pass locks": False,
            "pair sequences": Open((3, 4, 5)),
            "suit lock": SuitLock.FORCED,
            "last play stands": True,
            "payments": Open(Pays()),
            "ds3": ANYTHING,
            "quad": ANYTHING,
            "ds4": Open("ds4"),
            "ds5": Open("ds5"),
            "other bombs": {"dragon on pair", "triple on ace", "four twos on ds5"},
        },
    ),
    "melbourne": Row(
        "thirteen",
        {
            "direction": Open(Direction.CLOCKWISE),
            "opened again": {"after_player_change"},
            "suit lock": SuitLock.FORCED,
            "payments": Open(Pays()),
            "ds4": "ds4",
            "ds5": "ds5",
            "other bombs": {"triple on ace"},
        },
    ),
    "amsterdam": Row(
        "thirteen",
        {
            "customs": {"no-trading"},
            "players": (3, 4),
            "four hands": True,
            "pair sequences": Open((3, 4, 5, 6)),
            "instant wins": set(),
            "stops at first out": Open(False),
            "payments": Pays({3: (1, 0, -1), 4: (1, 0, 0, -1)}, chain=Chain.COUNTING, chop=1),
            "ds3": Open("2 ds3 quad"),
            "quad": Open("2 ds3 quad"),
            "ds4": Open("ds4"),
            "ds5": Open("ds5"),
            "other bombs": {"3d on pair", "3h on pair"},
        },
    ),
    "interns": Row(
        "thirteen",
        {
            "customs": {"no-trading", "losers-spot", "two-rounds-a-deal"},
            "four hands": True,
            "dealer": Dealer.NEWCOMER_ELSE_LAST,
            "suit lock": SuitLock.FORCED,
            "instant wins": set(),
            "quad": Open("quad"),
            "ds4": Open("ds4"),
            "ds5": Open("ds5"),
            "other bombs": set(),
        },
    ),
    "pro-play": Row(
        "thirteen",
        {
            "contracts": Open({"guaransheed": (1, 2), "blind-guaransheed": (2, 2)}),
            "triples, fours": ((3, 4), (2, 3), ()),
            "2 in a run": True,
            "2 in pairs": True,
            "instant wins": set(),
            "knock-out": True,
            "payments": Open(Pays(PLACES, full_hand=4, captured=(1, 1, 1, 1, 2), chain=Chain.CUT)),
            "ds3": "2 ds3",
            "quad": "2 ds3 quad",
            "ds4": "2 22 ds3 quad ds4",
            "ds5": "2 22 222 ds3 quad ds4 ds5",
            "other bombs": {
                *("two fours on 22", "two fours apart on 22", "three fours on 222", "three triples on 22"),
                *("four twos on ds5", "ds6 on 222"),
            },
        },
    ),
    "casual": Row(
        "thirteen",
        {
            "customs": Open({"trading"}),
            "direction": Direction.ALTERNATING,
            "dealer": Dealer.LAST,
            "opened again": Open({"every_round"}),
            "instant wins": Open({"four-twos", "dragon", "four-triples", "three-fours", "six-pairs"}),
            "ds3": "single ace pair 2 22 222 ds3",
            "quad": "single ace pair 2 22 222 ds3 quad ds4 ds5",
            "ds4": "single ace pair 2 22 222 ds4",
            "ds5": "single ace pair 2 22 222 ds5",
            "other bombs": {"ds6 on 222", "four twos on ds5"},
        },
    ),
}
"""Preset -> the values from its sources; the parent's where they are silent or say that it is as usual."""

CELLS = [pytest.param(preset, column, id=f"{preset}-{column}") for preset in PRESETS for column in COLUMNS]


def expected(preset: str, column: str) -> Any:
    """A cell, from the nearest ancestor that has it."""
    row = ROWS[preset]
    return row.cells[column] if column in row.cells else _plain(expected(row.parent, column))


def _plain(cell: Any) -> Any:
    return cell.value if isinstance(cell, Open) else cell


def left_open(preset: str) -> Iterator[str]:
    """The fields that a preset or one of its parents lists as open."""
    while preset:
        yield from PRESETS[preset].open
        preset = PRESETS[preset].parent


def test_every_preset_has_a_row_and_no_row_is_of_anything_else() -> None:
    assert set(ROWS) == set(PRESETS)
    assert set(ROWS["southern-classic"].cells) == set(COLUMNS)
    assert all(set(row.cells) <= set(COLUMNS) for row in ROWS.values())


@pytest.mark.parametrize(("preset", "column"), CELLS)
def test_a_preset_plays_what_its_sources_say(preset: str, column: str) -> None:
    assert COLUMNS[column].tell(PRESETS[preset]) == _plain(expected(preset, column))


@pytest.mark.parametrize(
    ("preset", "column"),
    [
        pytest.param(preset, column, id=f"{preset}-{column}")
        for preset, row in ROWS.items()
        for column, cell in row.cells.items()
        if isinstance(cell, Open)
    ],
)
def test_what_the_sources_leave_open_is_said_to_be(preset: str, column: str) -> None:
    fields = COLUMNS[column].fields
    assert any(path in fields or path.startswith(fields) for path in left_open(preset)), column
