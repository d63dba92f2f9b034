"""An independent scorer of southern-classic: `python3 totals.py NIGHT.tln…` prints the totals from the moves alone;
exit 1 names the first round whose `=` lines differ. It reads what `tienlen corpus` writes, with any prices except
those of instant wins, and shares no code with the program. totals.mjs is the same in JavaScript."""

import sys
from collections import Counter
from pathlib import Path

PRICES = """places.2=2/-2 places.3=3/-1/-2 places.4=2/1/-1/-2 full-hand=4
    black-two=1 red-two=2 three-pairs=2 four-of-a-kind=3 four-pairs=4"""
SETS = ("three-pairs", 3, 2), ("four-of-a-kind", 1, 4), ("four-pairs", 4, 2)  # ranks in a row, cards of each
RANKS = "3456789TJQKA"


def worth(cards, price):
    """The highest total value of special sets in some cards, each card in at most one set."""
    twos = sum(price["red-two" if suit in "dh" else "black-two"] for rank, suit in cards if rank == "2")
    return twos + blocks([sum(card[0] == rank for card in cards) for rank in RANKS], price)


def blocks(counts, price):
    """The same without twos, from the number of cards of each rank."""
    best = blocks(counts[1:], price) if counts else 0
    for name, length, width in SETS:
        if len(counts) >= length and min(counts[:length]) >= width:
            rest = [count - width for count in counts[:length]] + counts[length:]
            best = max(best, price[name] + blocks(rest, price))
    return best


def bombed(pile, price):
    """The payment for a bomb on top: it captures the cards below, unless the beaten player went out with them."""
    *_, (beaten, _, out), (winner, top, _) = [("", [], True), *pile]
    if not out and len(top) >= 4 and len(top) >= 2 * len({rank for rank, _ in top}):
        yield beaten, winner, sum(worth(cards, price) for _, cards, _ in pile[:-1])


def payments(seats, moves, price):
    """The payments of a round: payer, payee, points."""
    played, shown, places, knocked, pile, free = {seat: [] for seat in seats}, {}, [], [], [], seats
    for seat, *words in moves:
        if words[0] == "claims":
            yield from ((other, seat, 2) for other in seats)
        elif words[0] == "shows":
            shown[seat] = words[1:]
        elif words == ["-"]:
            free = [one for one in free if one != seat]
        else:
            winner = pile[-1][0] if pile else seats[0]
            active = [one for one in (seats * 2)[seats.index(winner) :] if one not in places + knocked]
            if seat == active[0] and not {*free} & {*active} - {winner}:  # a lead; else a play on the pile
                yield from bombed(pile, price)
                pile, free = [], seats
            played[seat] += words
            pile.append((seat, words, len(played[seat]) == 13))
            if len(played[seat]) == 13:
                knocked = knocked if places else [one for one in seats if not played[one]]
                places.append(seat)
    if not places:
        return
    yield from bombed(pile, price)
    latest, last = places[-1], [one for one in seats if one not in places + knocked]
    places += last + knocked
    due = [*zip(places, price[f"places.{len(seats)}"], strict=True)]
    payers = [seat for seat, points in reversed(due) for _ in range(-points)]
    payees = [seat for seat, points in due for _ in range(points)]
    yield from ((one, other, 1) for one, other in zip(payers, payees, strict=True) if one not in knocked)
    yield from ((seat, places[0], price["full-hand"]) for seat in knocked)
    seen = {card for cards in (*played.values(), *shown.values()) for card in cards}
    rest = [rank + suit for rank in RANKS + "2" for suit in "scdh" if rank + suit not in seen]
    left = price | {name[: -len(".left")]: points for name, points in price.items() if name.endswith(".left")}
    for seat in seats:
        hand = shown.get(seat) or (rest if len(rest) == 13 - len(played[seat]) else [])
        yield seat, places[0] if seat in knocked else latest, worth(hand, left)


def post(payments):
    """Each seat's net points from payments."""
    net = Counter()
    for payer, payee, points in payments:
        net[payer] -= points
        net[payee] += points
    return net


for path in sys.argv[1:]:
    lines = [line.split() for line in Path(path).read_text(encoding="utf-8").splitlines()]
    agreed = [words[1].removeprefix("price.") for words in lines if words[:1] == ["rule"]]
    said = [price.partition("=") for price in PRICES.split() + agreed]
    price = {name: [*map(int, value.split("/"))] if "/" in value else int(value) for name, _, value in said}
    seats, rounds, night = [], [], Counter()
    for words in lines:
        if words[:1] == ["round"]:
            rounds.append(([], []))
        elif words[:1] == ["="] and words != ["=", "none"]:
            rounds[-1][1].append((words[1], words[2], int(words[3])))
        elif words and words[0][0] == "p":
            (rounds[-1][0].append(words) if rounds else seats.append(words[0]))
    for number, (moves, stated) in enumerate(rounds, start=1):
        net, paid = post(payments(seats, moves, price)), post(stated)
        if net != paid:
            sys.exit(f"{path}: round {number}: {dict(net)} by the moves, {dict(paid)} by its = lines")
        night.update(net)
    print(path, *(f"{seat} {night[seat]:+}" for seat in seats))
