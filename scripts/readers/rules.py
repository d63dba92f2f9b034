"""What totals.py reads of a ruleset in the lines of `tienlen rules ID --lines`, and what cards are worth by it."""

import re
import sys
from collections import namedtuple
from functools import cache
from itertools import combinations, product

UNREAD = (
    "chain=[adfgl]|payee=[st]|several=f|ties=[le]|:bombs=|(_lead|opens|equal|leaves|_cards|twos|doubles)=yes"
)
RANKS, SUITS, ACE, TWO = "3456789TJQKA2", "scdh", 11, 12
Card = namedtuple("Card", "rank suit back")  # in the order of cards
CARDS = {RANKS[a] + SUITS[b] + c: Card(a, b, c) for a, b, c in product(range(13), range(4), ["", "'"])}
Pattern = namedtuple("Pattern", "width length loose top")  # 2x3@2, three pairs up to 2s: 2, 3, False, TWO


def read_pattern(text):
    found = re.fullmatch(r"(\d)([x+]?)(\d*)(?:@(.))?", text) or sys.exit(f"{text} is not read here")
    width, joined, length, top = found.groups()
    return Pattern(int(width), int(length or 1), joined == "+", top and RANKS.index(top))


def read_rules(text):
    """The fields of a ruleset by their last names: numbers, truth values, words, or lists of what a field holds."""
    if found := re.search(UNREAD, text):
        sys.exit(f"{found[0]} is not read here")
    said = dict(re.findall(r"^rule (?!debts|kneeling).*?(\w+)=(.*)", text, re.MULTILINE))
    rows = {name: [row.split(":") for row in text.split(",") if row != "none"] for name, text in said.items()}
    words = {"yes": True, "no": False}
    rules = {name: int(text) if text.isdigit() else words.get(text, text) for name, text in said.items()}
    for name in ("special_sets", "captured"):
        sets = [(*row, "suits=" + SUITS)[:3] for row in rows[name]]
        rules[name] = [(read_pattern(shape), int(points), suits[6:]) for shape, points, suits in sets]
    bombs = [row[0] + "@2" * ("rank=2" in row) for row in rows["bombs"] if "plain" not in row]
    rules["bombs"] = [*map(read_pattern, bombs)]
    rules["hands"] = [dict(part.partition("=")[::2] for part in row[1:]) for row in rows["hands"]]
    rules["contracts"] = {name: (int(gain), int(loss)) for name, gain, loss in rows["contracts"]}
    rules["places"] = [payment for row in rows["places"] for payment in read_places(*row)]
    return rules


def read_places(text, *row):
    """Who pays whom: players, payer, payee, points. The last place pays first, to the best not yet paid in full."""
    if row:
        return [(int(text), *map(int, row))]
    due = [*enumerate(map(int, text.split("/")), start=1)]
    payers = [place for place, points in reversed(due) for _ in range(-points)]
    payees = [place for place, points in due for _ in range(points)]
    return [(len(due), payer, payee, 1) for payer, payee in zip(payers, payees, strict=True)]


def blocks(cards, pattern, rules, suits="", highest=None):
    """All blocks of a pattern in some cards: of one `suit` or `colour`, if asked, in a row up to the highest."""
    width, length, loose, top = pattern
    in_row = RANKS.index(str(rules["top_of_sequences" if width == 1 else "top_of_pair_sequences"]))
    ranks = range((TWO if length == 1 or loose else (highest or in_row) if top is None else top) + 1)
    in_rows = zip(*(ranks[low:] for low in range(length)), strict=False)
    for row in combinations(ranks, length) if loose else in_rows:
        held = ([card for card in cards if card.rank == rank and top in (None, row[-1])] for rank in row)
        for parts in product(*(combinations(some, width) for some in held)):
            paired = width == 2 and rules["one_colour"] and not (rules["follow_suits"] and row == (TWO,))
            alike = [sum(parts, ())] if suits else parts if paired else []
            if all(len({card.suit // (1 if suits == "suit" else 2) for card in some}) == 1 for some in alike):
                yield sum(parts, ())


def worth(cards, sets, rules, whole=False):
    """The highest total of special sets in some cards, each card in at most one set; with `whole`, cards that are
    exactly one set have its points."""
    cards, found = [card._replace(back=place) for place, card in enumerate(cards)], []  # now twins differ
    for pattern, points, suits in (one for one in sets if one[1] > 0):
        some = [card for card in cards if SUITS[card.suit] in suits]
        found += [(points, {*block}, pattern.loose) for block in blocks(some, pattern, rules)]
    if whole and (as_one := [points for points, block, _ in found if len(block) == len(cards)]):
        return max(as_one)
    found = [(points, block) for points, block, loose in found if not loose]

    @cache
    def best(left):
        first = min(left, default=None)
        used = [(points, left - block) for points, block in found if first in block <= left]
        return max(points + best(rest) for points, rest in [(0, left - {first}), *used]) if left else 0

    return best(frozenset(cards))
