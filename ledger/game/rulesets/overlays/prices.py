"""Prices: what a table pays for one thing, each a `rule` line over any ruleset, as NOTATION.md lists them.

The values of special sets, places and instant wins are lists in a ruleset. A price changes one value of a list and
leaves the others unchanged; other numbers have fields (`payments.card=2`).
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from ledger.game.agreed import MOST
from ledger.game.cards import BLACK, RED, Suit
from ledger.game.patterns import (
    FIVE_PAIRS,
    FOUR_OF_A_KIND,
    FOUR_PAIRS,
    THREE_PAIRS,
    TWO,
    Pattern,
    SpecialSet,
    Target,
)
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overlays.edits import as_played, bomb_shapes, change
from ledger.game.rulesets.paying import PlacePayment, PlaceScores
from ledger.game.rulesets.serialization import net_of_places, read_field, write_field

PREFIX, LEFT = "price.", ".left"
"""The prefix of a price's path, and the suffix for cards that are left in a hand."""
PLACES, SHEETS, WINS = f"{PREFIX}places.", f"{PREFIX}sheet.", f"{PREFIX}wins."
FULL_HAND = f"{PREFIX}full-hand"
PRICED = (
    *("payments.special_sets", "payments.captured", "payments.places", "instant_wins.hands"),
    *("payments.full_hand", "payments.unplayed", "payments.sheets"),
)
"""The fields that prices change."""
_NAMED: Mapping[str, SpecialSet] = MappingProxyType(
    {
        "black-two": SpecialSet(TWO, 0, suits=BLACK),
        "red-two": SpecialSet(TWO, 0, suits=RED),
        "three-pairs": SpecialSet(Target(THREE_PAIRS), 0),
        "four-of-a-kind": SpecialSet(Target(FOUR_OF_A_KIND), 0),
        "four-pairs": SpecialSet(Target(FOUR_PAIRS), 0),
        "five-pairs": SpecialSet(Target(FIVE_PAIRS), 0),
        "six-pairs": SpecialSet(Target(Pattern(2, 6)), 0),
    }
)
"""Special sets that have a name; others are named as in `rule` lines: `price.3x3`, `price.2x4@2`."""


class NothingToPay(ValueError):
    """A price of something that the ruleset does not have."""

    def __init__(self, path: str) -> None:
        super().__init__(f"these rules have nothing for {path} to pay")


def lay(ruleset: Ruleset, path: str, text: str) -> Ruleset:
    """The ruleset with one price replaced. NothingToPay if it has nothing of that name; ValueError if the text is
    no price.

    >>> from ledger.game.rulesets.southern import CLASSIC
    >>> write_field(lay(CLASSIC, "price.red-two", "6").payments.special_sets[:2])
    '1@2:1:suits=sc,1@2:6:suits=dh'
    """
    if path.startswith(PLACES):
        return _with_places(ruleset, path, text)
    if path.startswith(SHEETS):
        return _with_sheet(ruleset, path, text)
    try:
        points = read_field(int, text)
    except ValueError:
        raise ValueError(f"{path} takes a whole number from 0 to {MOST}") from None
    if path == FULL_HAND:
        return change(ruleset, "payments", **{_full_hand(ruleset): points})
    if path.startswith(WINS):
        return _with_win(ruleset, path, points)
    priced = sets_of(ruleset).get(path.removeprefix(PREFIX).removesuffix(LEFT))
    if priced is None:
        raise NothingToPay(path)
    paid, priced = ruleset.payments, replace(priced, points=points)
    captured = paid.captured and _priced(ruleset, paid.captured, priced)
    if path.endswith(LEFT):
        captured = paid.captured or paid.special_sets or (replace(priced, points=0),)
    listed = _priced(ruleset, paid.special_sets, priced)
    return change(ruleset, "payments", special_sets=listed, captured=captured)


def order(path: str) -> tuple[bool, str]:
    """The sort key of prices: those for cards left in a hand come last."""
    return path.endswith(LEFT), path


def sets_of(ruleset: Ruleset) -> dict[str, SpecialSet]:
    """Name -> special set that can have a price under a ruleset, without points: both 2s, bombs, and sets it pays
    for."""
    paid = ruleset.payments
    paid_for = (one.target for one in (*paid.special_sets, *paid.captured))
    targets = dict.fromkeys([TWO, *map(Target, bomb_shapes(ruleset)), *paid_for])
    named = {name: one for name, one in _NAMED.items() if one.target in targets}
    called = {one.target for one in named.values()}
    return named | {write_field(target): SpecialSet(target, 0) for target in targets if target not in called}


def target_named(name: str) -> Target | None:
    """The target that has this name in a price; None if there is none."""
    try:
        return _NAMED[name].target if name in _NAMED else read_field(Target, name)
    except (ValueError, LookupError):
        return None


def prices_of(ruleset: Ruleset) -> dict[str, str]:
    """Path -> text of every price of a ruleset; special sets have two, bombed and left in a hand. A text is empty
    if the cards that share the price are not worth the same."""
    paid, found = ruleset.payments, dict[str, str]()
    for name, priced in sets_of(ruleset).items():
        found[PREFIX + name] = _worth(paid.captured or paid.special_sets, priced)
        found[PREFIX + name + LEFT] = _worth(paid.special_sets, priced)
    found[FULL_HAND] = str(getattr(paid, _full_hand(ruleset)))
    for players in ruleset.deal.players:
        rows = (row for row in paid.places if row.players == players)
        found[f"{PLACES}{players}"] = net_of_places(rows, players)
        scores = (row for row in paid.sheets if len(row.points) == players)
        found[f"{SHEETS}{players}"] = write_field(next(scores, PlaceScores((0,) * players)))
    for win in ruleset.instant_wins.hands:
        points = ruleset.instant_wins.points if win.points is None else win.points
        found[f"{WINS}{win.name}"] = str(points)
    return found


def lines_between(base: Ruleset, ruleset: Ruleset) -> list[tuple[str, str]] | None:
    """The prices that turn `base` into a ruleset that differs only in `PRICED`; None if no prices do."""
    before, now = prices_of(base), prices_of(ruleset)
    changed = {path: text for path, text in now.items() if before.get(path) != text}
    for left in [path for path in now if path.endswith(LEFT)]:
        both = left.removesuffix(LEFT)
        if both not in changed and left not in changed:
            continue
        if now[left] == now[both]:
            changed[both] = changed.pop(left, now[both])
        else:
            changed[left] = now[left]
    try:
        for path in sorted(changed, key=order):
            base = lay(base, path, changed[path])
    except ValueError:
        return None
    return list(changed.items()) if base == ruleset else None


def fields_of(ruleset: Ruleset, path: str) -> tuple[str, ...]:
    """The paths of the fields that a price changes."""
    fields = {PLACES: "payments.places", SHEETS: "payments.sheets", WINS: "instant_wins.hands"}
    fields[FULL_HAND] = f"payments.{_full_hand(ruleset)}"
    if field := next((field for prefix, field in fields.items() if path.startswith(prefix)), None):
        return (field,)
    is_captured = ruleset.payments.captured and not path.endswith(LEFT)
    return ("payments.special_sets", "payments.captured") if is_captured else ("payments.special_sets",)


def _full_hand(ruleset: Ruleset) -> str:
    """The field for the price of a full hand, which depends on whether cards are counted."""
    return "unplayed" if ruleset.payments.card else "full_hand"


def _with_places(ruleset: Ruleset, path: str, text: str) -> Ruleset:
    players = {str(players): players for players in ruleset.deal.players}.get(path.removeprefix(PLACES))
    if players is None:
        raise NothingToPay(path)
    try:
        priced = read_field(tuple[PlacePayment, ...], text)
        if text.count("/") != players - 1 or "," in text:
            raise ValueError(text)
    except ValueError:
        needed = f"{players} whole numbers that come to 0, the first place never less than the next"
        raise ValueError(f"{path} takes {needed} (3/1/-1/-3)") from None
    rows = ruleset.payments.places
    at = next((number for number, row in enumerate(rows) if row.players == players), len(rows))
    others = tuple(row for row in rows if row.players != players)
    return change(ruleset, "payments", places=(*others[:at], *priced, *others[at:]))


def _with_sheet(ruleset: Ruleset, path: str, text: str) -> Ruleset:
    players = {str(players): players for players in ruleset.deal.players}.get(path.removeprefix(SHEETS))
    if players is None:
        raise NothingToPay(path)
    try:
        scores = read_field(PlaceScores, text)
        if len(scores.points) != players:
            raise ValueError(text)
    except ValueError:
        raise ValueError(f"{path} takes {players} whole numbers from 0 to {MOST} (4/3/2/1)") from None
    rows = [row for row in ruleset.payments.sheets if len(row.points) != players]
    rows += [scores] if any(scores.points) else []
    return change(ruleset, "payments", sheets=tuple(sorted(rows, key=lambda row: -len(row.points))))


def _with_win(ruleset: Ruleset, path: str, points: int) -> Ruleset:
    hands = ruleset.instant_wins.hands
    if path.removeprefix(WINS) not in (win.name for win in hands):
        raise NothingToPay(path)
    priced = (replace(win, points=points) if WINS + win.name == path else win for win in hands)
    return change(ruleset, "instant_wins", hands=tuple(priced))


def _priced(ruleset: Ruleset, listed: tuple[SpecialSet, ...], priced: SpecialSet) -> tuple[SpecialSet, ...]:
    """The list with the points of one special set replaced, or with the set at its end if not listed."""
    suits, rows, found = set(priced.suits or Suit), list[SpecialSet](), False
    for row in listed:
        held = row.suits or tuple(Suit)
        if row.target != priced.target or suits.isdisjoint(held):
            rows.append(row)
            continue
        found = True
        if suits.issuperset(held):
            rows.append(replace(row, points=priced.points))
        else:
            rows += [priced, replace(row, suits=tuple(suit for suit in held if suit not in suits))]
    if not found and priced.points:
        rows += as_played(priced, ruleset)
    return tuple(rows)


def _worth(listed: tuple[SpecialSet, ...], priced: SpecialSet) -> str:
    suits = set(priced.suits or Suit)
    alike = (row for row in listed if row.target == priced.target)
    points = {row.points for row in alike if not suits.isdisjoint(row.suits or Suit)} or {0}
    return str(*points) if len(points) == 1 else ""
