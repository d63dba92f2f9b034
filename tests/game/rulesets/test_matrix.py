"""Every preset compared with its sources, parameter by parameter: `tests/cases/presets.ini`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from configparser import ConfigParser
from operator import attrgetter
from typing import NamedTuple

import pytest

from ledger.game.cards import Card, Cards
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.paying import Chain
from ledger.game.rulesets.serialization import net_of_places, write_field
from tests.case_files import CASES

ROWS = ConfigParser(interpolation=None, delimiters=(":",), default_section="")
ROWS.read_string((CASES / "presets.ini").read_text(encoding="utf-8"))
OPEN = "? "
"""Before a cell that its source leaves open."""


class Column(NamedTuple):
    tell: Callable[[Ruleset], str]
    fields: tuple[str, ...]
    """The fields of which one must be listed in `Ruleset.open`."""


def field(path: str, *more: str) -> Column:
    """A column of one field's value, as a `rule` line writes it."""
    return Column(lambda ruleset: write_field(attrgetter(path)(ruleset), " "), (path, *more))


def names(some: Iterable[str]) -> str:
    return ", ".join(some) or "none"


def those_set(group: object, *fields: str) -> str:
    return names(field.replace("_", " ") for field in fields if getattr(group, field))


def instant_wins(ruleset: Ruleset, *, opening_only: bool) -> str:
    wins = ruleset.instant_wins.hands
    return names(sorted(win.name for win in wins if win.opening_only is opening_only))


def read(ruleset: Ruleset, cards: str) -> Cards:
    return ruleset.deck.gather(map(Card.read, cards.split()))[0]


WORTH = ("2s", "2d", "4s 4c 5s 5c 6s 6c", "4s 4c 4d 4h", "4s 4c 5s 5c 6s 6c 7s 7c")


def payments(ruleset: Ruleset) -> str:
    paid, book = ruleset.payments, compiled(ruleset)
    places = [[row for row in paid.places if row.players == players] for players in ruleset.deal.players]
    amounts = {
        "left": [paid.left],
        "full hand": [paid.full_hand],
        "card": [paid.card],
        "unplayed": [paid.unplayed],
        "chop": [paid.chop_unit],
        "hoarded": [book.hand_values.total(read(ruleset, cards)) for cards in WORTH],
        "captured": [book.capture_values.total(read(ruleset, cards)) for cards in WORTH],
    }
    chain = [] if paid.chain is Chain.WHOLE_PILE else [f"chain {paid.chain}"]
    return names(
        [
            *(net_of_places(rows, rows[0].players) for rows in places if rows),
            *(f"{name} {' '.join(map(str, points))}" for name, points in amounts.items() if any(points)),
            *chain,
        ]
    )


LOW = {
    "single": "8s",
    "ace": "As",
    "pair": "8s 8c",
    "2": "2h",
    "22": "2d 2h",
    "222": "2c 2d 2h",
    "3 pairs": "3s 3c 4s 4c 5s 5c",
    "4 of a kind": "3s 3c 3d 3h",
    "4 pairs": "3s 3c 4s 4c 5s 5c 6s 6c",
    "5 pairs": "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c",
}
HIGH = {
    "3 pairs": "Qs Qc Ks Kc As Ac",
    "4 of a kind": "As Ac Ad Ah",
    "4 pairs": "Js Jc Qs Qc Ks Kc As Ac",
    "5 pairs": "Ts Tc Js Jc Qs Qc Ks Kc As Ac",
}
PROBES = {
    "triple on ace": ("3s 3c 3d", "As"),
    "triple on king": ("3s 3c 3d", "Ks"),
    "dragon on pair": ("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As", "8s 8c"),
    "sequence on 4 of a kind": ("3s 4s 5s 6s 7s", "3s 3c 3d 3h"),
    "two fours on 22": ("Ks Kc Kd Kh As Ac Ad Ah", "2d 2h"),
    "three fours on 222": ("Qs Qc Qd Qh Ks Kc Kd Kh As Ac Ad Ah", "2c 2d 2h"),
    "two fours apart on 22": ("3s 3c 3d 3h As Ac Ad Ah", "2d 2h"),
    "three triples on 22": ("Qs Qc Qd Ks Kc Kd As Ac Ad", "2d 2h"),
    "four 2s on 5 pairs": ("2s 2c 2d 2h", "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c"),
    "6 pairs on 222": ("9s 9c Ts Tc Js Jc Qs Qc Ks Kc As Ac", "2c 2d 2h"),
    "3d on pair": ("3d", "8s 8c"),
    "3h on pair": ("3h", "8s 8c"),
    "Kd on 2": ("Kd", "2h"),
}


def lies_on(ruleset: Ruleset, higher: str, lower: str) -> bool:
    above, below = (compiled(ruleset).index.read(read(ruleset, cards)) for cards in (higher, lower))
    return above is not None and below is not None and above.beats(below)


def beaten(name: str, *fields: str) -> Column:
    """A column of what the highest bomb of a shape beats."""

    def tell(ruleset: Ruleset) -> str:
        if compiled(ruleset).index.read(read(ruleset, HIGH[name])) is None:
            return "cannot be played"
        return names(target for target, cards in LOW.items() if lies_on(ruleset, HIGH[name], cards))

    return Column(tell, ("bombs", *fields))


COLUMNS: Mapping[str, Column] = {
    # The table, the lead, the turn
    "players": field("deal.players"),
    "cards": Column(lambda r: f"{r.deal.hand} of {52 * r.deal.packs}", ("deal.hand", "deal.equal")),
    "backs": field("deal.backs"),
    "four hands": field("deal.four_hands"),
    "draw pile": field("deal.draw_pile"),
    "direction": field("deal.direction"),
    "dealer": field("deal.dealer"),
    "opening form": Column(lambda r: ", ".join(r.opening.kinds) or "any", ("opening", "opening.kinds")),
    "opened again": Column(
        lambda r: those_set(r.opening, "every_round", "after_instant_win", "after_player_change"),
        ("opening", "opening.every_round", "opening.after_instant_win"),
    ),
    "pass locks": field("passing.locks"),
    "out of turn": Column(
        lambda r: write_field((*r.passing.late, *r.passing.any_time), " "), ("passing.late",)
    ),
    # Combinations, suits, instant wins
    "of a kind": field("combinations.same_rank"),
    "pair sequences": field("combinations.pair_sequences"),
    "triple sequences": field("combinations.triple_sequences", "combinations.fours"),
    "fours": field("combinations.fours"),
    "consecutive fours": field("combinations.fours_consecutive", "combinations.fours"),
    "sequences up to": field("combinations.top_of_sequences"),
    "pair sequences up to": field("combinations.top_of_pair_sequences"),
    "suit lock": field("combinations.suit_lock"),
    "suits": Column(
        lambda r: those_set(
            r.combinations, "one_suit", "one_colour", "one_colour_throughout", "follow_suits"
        ),
        ("combinations.one_suit",),
    ),
    "instant wins": Column(lambda r: instant_wins(r, opening_only=False), ("instant_wins.hands",)),
    "first round wins": Column(lambda r: instant_wins(r, opening_only=True), ("instant_wins.hands",)),
    "instant pay": Column(
        lambda r: str(r.instant_wins.points if r.instant_wins.hands else 0), ("instant_wins.points",)
    ),
    # The end, and money
    "stops at first out": field("ending.at_first_out"),
    "knock-out": field("ending.knock_out"),
    "last play stands": field("ending.last_play_stands"),
    "never out with a 2": field("ending.no_last_two"),
    "goes forward": field("passing.forward"),
    "payments": Column(payments, ("payments", "payments.places", "payments.chain")),
    "kneels": Column(lambda r: those_set(r.kneeling, "last", "chopped"), ("kneeling",)),
    "contracts": Column(
        lambda r: names(f"{bet.name} {bet.gain}/-{bet.loss}" for bet in r.contracts), ("contracts",)
    ),
    "customs": Column(lambda r: names(sorted(r.customs)), ("customs",)),
    # Bombs
    "3 pairs beat": beaten("3 pairs"),
    "4 of a kind beats": beaten("4 of a kind", "combinations.same_rank"),
    "4 pairs beat": beaten("4 pairs", "combinations.pair_sequences"),
    "5 pairs beat": beaten("5 pairs", "combinations.pair_sequences"),
    "other bombs": Column(
        lambda r: names(name for name, (higher, lower) in PROBES.items() if lies_on(r, higher, lower)),
        ("bombs", "trumps"),
    ),
}


def expected(preset: str, column: str) -> str:
    """A cell, from the nearest ancestor that has it."""
    row = ROWS[preset]
    return (
        " ".join(row[column].removeprefix(OPEN).split()) if column in row else expected(row["like"], column)
    )


def left_open(preset: str) -> Iterator[str]:
    """The fields that a preset or one of its parents lists as open."""
    while preset:
        yield from PRESETS[preset].open
        preset = PRESETS[preset].parent


def test_every_preset_has_a_section_and_no_section_or_line_is_of_anything_else() -> None:
    assert sorted(ROWS.sections()) == sorted(PRESETS)
    assert set(ROWS["southern-classic"]) == set(COLUMNS)
    assert {column for preset in ROWS.sections() for column in ROWS[preset]} == {"like", *COLUMNS}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_plays_what_its_sources_say(preset: str) -> None:
    played = {name: column.tell(PRESETS[preset]) for name, column in COLUMNS.items()}
    assert played == {name: expected(preset, name) for name in COLUMNS}


@pytest.mark.parametrize("preset", PRESETS)
def test_what_the_sources_leave_open_is_said_to_be(preset: str) -> None:
    for column in (name for name, cell in ROWS[preset].items() if cell.startswith(OPEN)):
        fields = COLUMNS[column].fields
        assert any(path in fields or path.startswith(fields) for path in left_open(preset)), column
