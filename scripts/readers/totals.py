"""What everybody won in nights of southern-classic, from the moves alone: `python3 totals.py NIGHT.tln…` prints the
totals; exit 1 names the first round whose `=` lines say otherwise. It reads what `tienlen corpus` writes (passes,
shown hands, nothing irregular), and shares nothing with the program. totals.mjs is the same in JavaScript."""

import sys
from pathlib import Path

PLACES = {
    2: {2: (1, 2)},
    3: {2: (1, 1), 3: (1, 2)},
    4: {3: (2, 1), 4: (1, 2)},
}  # players, place: payee's place, points


def worth(cards):
    """The most that special sets in some cards come to, each card in one set."""
    twos = sum(2 if card[1] in "dh" else 1 for card in cards if card[0] == "2")
    return twos + blocks([sum(card[0] == rank for card in cards) for rank in "3456789TJQKA"])


def blocks(counts):
    """The same of fours of a kind and three or four pairs in sequence, by how many cards there are of each rank."""
    if not counts:
        return 0
    best = blocks(counts[1:]) + (3 if counts[0] == 4 else 0)
    for length, points in (3, 2), (4, 4):
        if len(counts) >= length and min(counts[:length]) >= 2:
            best = max(best, points + blocks([n - 2 for n in counts[:length]] + counts[length:]))
    return best


def scored(seats, moves):
    """What each player wins in a round."""
    net, played, shown = dict.fromkeys(seats, 0), {seat: [] for seat in seats}, {}
    active, free, places, knocked, pile, leader = list(seats), set(seats), [], set(), [], None

    def pay(payer, payee, points):
        net[payer] -= points
        net[payee] += points

    def close():
        """A pile is over: a bomb on top takes what lies below, unless whose play it beat went out with that."""
        top = pile[-1][1] if len(pile) > 1 and not pile[-2][2] else []
        if len(top) >= 4 and 2 * len({card[0] for card in top}) <= len(top):
            pay(pile[-2][0], pile[-1][0], sum(worth(cards) for _, cards, _ in pile[:-1]))

    for seat, *words in moves:
        if words[0] == "claims":
            [pay(other, seat, 2) for other in seats]
        elif words[0] == "shows":
            shown[seat] = words[1:]
        elif words == ["-"]:
            free.discard(seat)
        else:
            if seat == leader:
                close()
                pile, free = [], set(active)
            played[seat] += words
            pile.append((seat, words, len(played[seat]) == 13))
            if pile[-1][2]:
                knocked = knocked if places else {one for one in seats if not played[one]}
                places.append(seat)
                active = [one for one in active if one != seat and one not in knocked]
                free &= set(active)
        winner = pile[-1][0] if pile else seats[0]
        in_turn = seats[seats.index(winner) :] + seats[: seats.index(winner)]
        leader = None if free - {winner} else next((one for one in in_turn if one in active), None)
    if not places:
        return net
    close()
    latest, places = places[-1], places + active
    seen = {card for cards in (*played.values(), *shown.values()) for card in cards}
    rest = [rank + suit for rank in "3456789TJQKA2" for suit in "scdh" if rank + suit not in seen]
    for place, seat in enumerate([*places, *knocked], start=1):
        payee, points = (1, 4) if seat in knocked else PLACES[len(seats)].get(place, (1, 0))
        pay(seat, places[payee - 1], points)
        left = shown.get(seat, rest if len(seats) == 4 and len(rest) == 13 - len(played[seat]) else [])
        pay(seat, places[0] if seat in knocked else latest, worth(left))
    return net


for path in sys.argv[1:]:
    seats, rounds = [], []
    for words in map(str.split, Path(path).read_text(encoding="utf-8").splitlines()):
        if words[:1] == ["round"]:
            rounds.append(([], dict.fromkeys(seats, 0)))
        elif words[:1] == ["="] and words[1:] != ["none"]:
            rounds[-1][1][words[1]] -= int(words[3])
            rounds[-1][1][words[2]] += int(words[3])
        elif words and words[0][0] == "p":
            (rounds[-1][0].append(words) if rounds else seats.append(words[0]))
    night = dict.fromkeys(seats, 0)
    for number, (moves, paid) in enumerate(rounds, start=1):
        net = scored(seats, moves)
        if net != paid:
            sys.exit(f"{path}: round {number}: {net} by the moves, {paid} by its = lines")
        night = {seat: night[seat] + net[seat] for seat in seats}
    print(path, *(f"{seat} {points:+}" for seat, points in night.items()))
