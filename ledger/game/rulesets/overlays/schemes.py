"""Payment schemes: ways of paying that a table may apply to any ruleset.

A scheme replaces all payments of a ruleset, the points of instant wins, and as much of the ending as its payments
need. A ruleset keeps the name of its scheme in `scheme`, as in a `rule` line: `scheme=card-count`.

Where a source gives no number, as for more players or a larger hand, the plainest reading is used, and is open.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from ledger.game.cards import BLACK, RED
from ledger.game.patterns import (
    FOUR_OF_A_KIND,
    FOUR_PAIRS,
    SINGLE,
    THREE_PAIRS,
    TWO,
    SpecialSet,
    Target,
)
from ledger.game.rulesets.card_count import CARD_COUNT
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overlays.edits import as_played, bomb_shapes
from ledger.game.rulesets.paying import Chain, Payee, Payments, PlacePayment
from ledger.game.rulesets.regional import AMSTERDAM
from ledger.game.rulesets.serialization import PLAIN, with_field
from ledger.game.rulesets.southern import CLASSIC, WINNER_TAKES_ALL
from ledger.game.rulesets.thirteen import POINTS

RULE = "scheme"
"""The name of the `rule` line."""

TABLES = range(2, 9)
"""The numbers of players for which schemes have rows."""

_HAND = 13
"""The hand size that the sources assume."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """One way of paying; `payments` is for hands of 13 cards and any number of players."""

    name: str
    payments: Payments
    instant_win: int
    """What each other player pays for an instant win."""
    at_first_out: bool | None = None
    """Whether a round ends when the first player goes out; None: as the ruleset says."""
    knock_out: bool | None = None
    """Whether players are knocked out; None: as the ruleset says."""
    by_hand: bool = False
    """Whether the prices of an unplayed hand and of an instant win are in proportion to the hand size."""
    bomb: int = 0
    """The value of every bomb of a ruleset that `payments` does not list."""
    players: tuple[int, ...] = tuple(TABLES)
    """The numbers of players that its source covers."""
    open: tuple[str, ...] = ()
    """Fields that its source leaves open."""


def find(name: str) -> Scheme:
    """The scheme of a name; ValueError if there is none."""
    if name not in SCHEMES:
        raise ValueError(f"{RULE} takes {', '.join(SCHEMES)}")
    return SCHEMES[name]


def lay(ruleset: Ruleset, name: str) -> Ruleset:
    """Apply a scheme to a ruleset; ValueError if it does not exist, or another is applied already.

    >>> lay(CLASSIC, "card-count").payments.card
    1
    """
    scheme = find(name)
    if ruleset.scheme == name:
        return ruleset
    if ruleset.scheme:
        raise ValueError(f"{RULE} is said twice")
    ending, wins = ruleset.ending, ruleset.instant_wins
    return replace(
        ruleset,
        scheme=name,
        payments=_payments(scheme, ruleset),
        instant_wins=replace(
            wins,
            hands=tuple(replace(win, points=None) for win in wins.hands),
            points=_by_hand(scheme, ruleset, scheme.instant_win),
        ),
        ending=replace(
            ending,
            at_first_out=ending.at_first_out if scheme.at_first_out is None else scheme.at_first_out,
            knock_out=ending.knock_out if scheme.knock_out is None else scheme.knock_out,
        ),
        contracts=ruleset.contracts if scheme.payments != NOTHING else (),
        open=tuple(_open(scheme, ruleset)),
    )


def cannot_matter(ruleset: Ruleset, name: str) -> bool:
    """Whether a ruleset already pays as the scheme does."""
    plain = replace(ruleset, scheme="")
    return _what_matters(lay(plain, name)) == _what_matters(plain)


def _what_matters(ruleset: Ruleset) -> Ruleset:
    """The ruleset without rows for tables that it does not seat, and points of instant wins that it does not
    have."""
    wins = ruleset.instant_wins
    return replace(
        ruleset,
        scheme="",
        open=(),
        payments=replace(ruleset.payments, places=_seated(ruleset, ruleset.payments.places)),
        instant_wins=wins if wins.hands else replace(wins, points=0),
    )


def _seated(ruleset: Ruleset, places: tuple[PlacePayment, ...]) -> tuple[PlacePayment, ...]:
    return tuple(row for row in places if row.players in ruleset.deal.players)


def _payments(scheme: Scheme, ruleset: Ruleset) -> Payments:
    """A scheme's payments, adapted to the players, the hands and the bombs of a ruleset."""
    paid = scheme.payments
    return replace(
        paid,
        places=_seated(ruleset, paid.places),
        unplayed=_by_hand(scheme, ruleset, paid.unplayed),
        special_sets=_special_sets(scheme, ruleset, paid.special_sets),
        captured=_special_sets(scheme, ruleset, paid.captured),
    )


def _by_hand(scheme: Scheme, ruleset: Ruleset, points: int) -> int:
    return points * ruleset.deal.hand // _HAND if scheme.by_hand else points


def _special_sets(scheme: Scheme, ruleset: Ruleset, listed: tuple[SpecialSet, ...]) -> tuple[SpecialSet, ...]:
    """The 2s of a list and the special sets that are bombs under the ruleset, then the bombs that it does not name.

    A longer bomb needs no value of its own: it is worth the special sets that it holds.
    """
    bombs = bomb_shapes(ruleset)
    found = [special for special in listed if special.shape == SINGLE or special.shape in bombs]
    if listed and scheme.bomb:
        for shape in bombs:
            if not any(special.shape != SINGLE and shape.holds(special.shape) for special in found):
                found.append(SpecialSet(Target(shape), scheme.bomb))
    return tuple(changed for special in found for changed in as_played(special, ruleset))


def _open(scheme: Scheme, ruleset: Ruleset) -> Iterator[str]:
    """The open fields: the ruleset's own, except payments, and the scheme's."""
    group, points = "payments", "instant_wins.points"
    yield from (path for path in ruleset.open if path.partition(".")[0] != group and path != points)
    yield from scheme.open
    rows = scheme.payments.places and not set(ruleset.deal.players) <= set(scheme.players)
    if rows:
        yield "payments.places"
    named = {special.shape for special in scheme.payments.special_sets}
    if named and not named.issuperset(bomb_shapes(ruleset)):
        yield "payments.special_sets"
    if scheme.by_hand and ruleset.deal.hand != _HAND:
        yield "payments.unplayed"


def _outer_and_inner_places(outer: int, inner: int) -> tuple[PlacePayment, ...]:
    """From four players on, the last place pays the first, and the last but one the second; places in between
    neither pay nor are paid. No source covers more than four."""
    return tuple(
        row
        for players in TABLES
        if players >= 4
        for row in (
            PlacePayment(players=players, payer=players, payee=1, points=outer),
            PlacePayment(players=players, payer=players - 1, payee=2, points=inner),
        )
    )


def _each_pays_first() -> tuple[PlacePayment, ...]:
    """Every other player pays the first place 1."""
    return tuple(
        PlacePayment(players=count, payer=place, payee=1, points=1)
        for count in TABLES
        for place in range(2, count + 1)
    )


def _last_pays_first(points: int, *players: int) -> tuple[PlacePayment, ...]:
    return tuple(PlacePayment(players=count, payer=count, payee=1, points=points) for count in players)


def _values(black: int, red: int, three: int, four: int, four_pairs: int) -> tuple[SpecialSet, ...]:
    """The special sets with these values: a black 2, a red one, three pairs, four of a kind and four pairs."""
    return (
        SpecialSet(TWO, black, suits=BLACK),
        SpecialSet(TWO, red, suits=RED),
        SpecialSet(Target(THREE_PAIRS), three),
        SpecialSet(Target(FOUR_OF_A_KIND), four),
        SpecialSet(Target(FOUR_PAIRS), four_pairs),
    )


NOTHING = PLAIN.payments
_LOSER_PAYS_EACH = ",".join("1/" * (count - 1) + f"-{count - 1}" for count in TABLES)
_SMALL_TABLES = tuple(row for row in CLASSIC.payments.places if row.players < 4)
_UP_TO_FOUR = (2, 3, 4)

_SCHEMES = (
    # Nothing is paid, not even contracts
    Scheme("ranks-only", NOTHING, instant_win=0),
    # The southern table: 2 and 1 for four; for three the winner takes 1 and 2; for two 2
    Scheme(
        "places",
        replace(CLASSIC.payments, places=(*_outer_and_inner_places(2, 1), *_SMALL_TABLES)),
        instant_win=CLASSIC.instant_wins.points,
        at_first_out=False,
        knock_out=True,
        players=_UP_TO_FOUR,
    ),
    # A public rules text (uongsuadaubung): 3 and 1 for four; for three the last pays 2, for two 1; chops 1, 2, 3, 4
    # and 6, what is hoarded goes to the winner. It says nothing about unplayed hands, bombs on bombs and
    # instant wins: here no player is knocked out, and an instant win earns what the last place pays.
    Scheme(
        "places-3-1",
        Payments(
            places=(*_outer_and_inner_places(3, 1), *_last_pays_first(2, 3), *_last_pays_first(1, 2)),
            left=0,
            full_hand=0,
            special_sets=_values(1, 2, 3, 4, 6),
            hoard_payee=Payee.WINNER,
        ),
        instant_win=3,
        at_first_out=False,
        knock_out=False,
        players=_UP_TO_FOUR,
        open=("ending.knock_out", "instant_wins.points", "payments.chain"),
    ),
    # A public rules text (BaiViet), places: of three only the ends pay. Its stake is 2 here, so that its halves are
    # whole points: places 4 and 2, smaller tables 2, an unplayed hand and an instant win 4, a black 2 1.
    Scheme(
        "first-and-last",
        Payments(
            places=(*_outer_and_inner_places(4, 2), *_last_pays_first(2, 3, 2)),
            left=0,
            full_hand=4,
            special_sets=_values(1, 2, 3, 6, 6),
            hoard_payee=Payee.WINNER,
            chain=Chain.CUT,
        ),
        instant_win=4,
        at_first_out=False,
        knock_out=True,
        players=_UP_TO_FOUR,
    ),
    Scheme(
        "winner-takes-all",
        WINNER_TAKES_ALL.payments,
        instant_win=WINNER_TAKES_ALL.instant_wins.points,
        at_first_out=True,
        knock_out=False,
    ),
    # The core rules: nothing else is paid. That an instant win brings a stake from each is the plainest reading.
    Scheme(
        "loser-pays-each",
        with_field(PLAIN, "payments.places", _LOSER_PAYS_EACH).payments,
        instant_win=1,
        at_first_out=False,
        knock_out=False,
        open=("instant_wins.points",),
    ),
    # Amsterdam: chops cost 1, 2, 3, whatever is chopped. It has no instant wins: 1 from each is the plainest
    # reading.
    Scheme(
        "loser-pays-winner",
        replace(AMSTERDAM.payments, places=_last_pays_first(1, *TABLES)),
        instant_win=1,
        at_first_out=False,
        knock_out=False,
        players=AMSTERDAM.deal.players,
        open=("instant_wins.points", "payments.chain"),
    ),
    # 26, for an unplayed hand and for an instant win, is a hand of 13 twice
    Scheme(
        "card-count",
        CARD_COUNT.payments,
        instant_win=CARD_COUNT.instant_wins.points,
        at_first_out=True,
        knock_out=False,
        by_hand=True,
        open=("payments.chain",),
    ),
    # Whether play goes on after the first out is open in the source: as the ruleset says
    Scheme(
        "thirteen-points",
        replace(POINTS.payments, places=_each_pays_first()),
        instant_win=POINTS.instant_wins.points,
        bomb=2,
        open=tuple(path for path in POINTS.open if path.startswith(("payments.", "instant_wins."))),
    ),
)

SCHEMES: Mapping[str, Scheme] = MappingProxyType({scheme.name: scheme for scheme in _SCHEMES})
"""Every scheme by its name."""
