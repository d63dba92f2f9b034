"""An independent scorer, which shares no code with the program: `python3 totals.py RULES NIGHT.tln…` prints totals
from the moves alone; exit 1 names the first round whose `=` lines differ. RULES is what `tienlen rules ID --lines`
prints, the nights after it are what `tienlen corpus` writes, both with the same `--rule` options. Nights open with
the last RULES; those before, each in a file ID.rules, are of presets that tables change to. It reads every preset
with any prices, and refuses what no preset pays by. totals.mjs is the same in JavaScript."""

import re
import sys
from collections import Counter, namedtuple
from itertools import pairwise
from pathlib import Path

from rules import ACE, CARDS, SUITS, TWO, Pattern, blocks, read_pattern, read_rules, worth

Play = namedtuple("Play", "seat cards out bomb")


def bonuses(pile, rules):
    """The payments for the bombs of a closed pile: payer, payee, points."""
    sets, way = rules["captured"] or rules["special_sets"], rules["chain"]
    values = [worth(play.cards, sets, rules, rules["captured_whole"]) for play in pile[:-1]]
    chops = [(*both, value) for both, value in zip(pairwise(pile), values, strict=True) if both[1].bomb]
    if way in ("whole-pile", "cut"):
        taken = sum(values if way == "whole-pile" else [value for _, _, value in chops])
        chops = [(payer, bomb, taken) for payer, bomb, _ in chops[-1:] if bomb is pile[-1]]
    for count, (payer, bomb, value) in enumerate(chops, start=1):
        if not (payer.out and rules["chop_free_if_out"]):
            yield payer.seat, bomb.seat, rules["chop_unit"] * count if way == "counting" else value


def winning_cards(win, hand, opening, rules):
    """The cards by which a hand meets the condition of an instant win; none if it does not."""
    suits, found = "suit" if "in_one_suit" in win else "colour" if "one_colour_pairs" in win else "", []
    for name, value in win.items():
        if name in ("pairs", "triples", "fours"):
            alike = Pattern({"pairs": 2, "triples": 3, "fours": 4}[name], 1, False, None)
            strict = rules | {"one_colour": suits == "colour" or rules["one_colour"]}
            if worth(hand, [(alike, 1, SUITS)], strict) >= int(value):
                found = blocks(hand, alike, strict)
        elif name == "one_colour":
            colours = ([card for card in hand if card.suit // 2 == colour] for colour in (0, 1))
            found = [cards for cards in colours if len(cards) >= int(value)]
        elif name in ("block", "bomb_with"):
            shapes = [read_pattern(value)] if name == "block" else rules["bombs"]
            found = [block for shape in shapes for block in blocks(hand, shape, rules, suits, ACE)]
            found = [block for block in found if name == "block" or CARDS[value] in block]
    return max(found, key=max, default=()) if opening or "opening_only" not in win else ()


def instant_wins(claims, opening, seats, rules):
    """The payments for claims of instant wins, seat -> hand: payer, payee, points."""
    won = []
    for seat, hand in claims.items():
        ways = [winning_cards(win, hand, opening, rules) for win in rules["hands"]]
        place = next(place for place, cards in enumerate(ways) if cards)
        won.append((-place, max(ways[place]), seat))
    for place, _, seat in [max(won)] if rules["several"] == "strongest" else won:
        points = int(rules["hands"][-place].get("points", rules["points"]))
        yield from ((other, seat, points) for other in seats)


def at_the_end(seats, places, latest, knocked, left, played, hands, rules):
    """The payments for places and hands when a round has ended: payer, payee, points."""
    winner, last, lowest, price = places[0], played[places[0]][-1], [CARDS["3s"]], rules["card"]
    if rules["last_twos"] and (twos := sum(card.rank == TWO for card in last)):
        yield from ((winner, seat, twos * rules["last_twos"]) for seat in seats)
        return
    for seat in seats:
        hand, sets, untouched = hands[seat], rules["special_sets"], not played[seat]
        if rules["full_hand"] and (seat in knocked or untouched or left[seat] >= (rules["full_from"] or 99)):
            yield seat, winner, rules["full_hand"]
        elif seat not in places:
            yield seat, winner, rules["left"]
        else:
            rows = [row[2:] for row in rules["places"] if row[:2] == (len(seats), places.index(seat) + 1)]
            yield from ((seat, places[payee - 1], points) for payee, points in rows)
        if price and left[seat]:
            fixed = untouched and rules["unplayed"]
            if rules["unplayed_replaces"] or not fixed:  # sets cost their value instead of their cards
                sets = [(one, points - price * one.width * one.length, suits) for one, points, suits in sets]
            yield seat, winner, (fixed or price * left[seat]) + worth(hand, sets, rules)
        elif rules["hoarding"] and not price:
            to_winner = seat in knocked or rules["hoard_payee"] == "winner"
            yield seat, winner if to_winner else latest, worth(hand, sets, rules)
        yield seat, winner, rules["lowest_left"] * (hand == lowest) + rules["lowest_last"] * (last == lowest)


def payments(seats, opening, moves, rules):
    """The payments of a round: payer, payee, points."""
    pack = [card for card in CARDS.values() if not card.back or rules["backs"]]
    pack = Counter(pack * (1 if rules["backs"] else rules["packs"]))
    stock = (pack.total() - rules["hand"] * len(seats)) * rules["draw_pile"]
    left, played = dict.fromkeys(seats, rules["hand"]), {seat: [] for seat in seats}
    told, seen = {"contract": {}, "claims": {}, "shows": {}}, Counter()
    places, knocked, pile, active, free, leader, late = [], [], [], seats, seats, None, []
    for seat, word, *words in moves:
        cards = [CARDS[card] for card in [word, *words] if card in CARDS]
        seen.update(cards)
        if word in told:
            told[word][seat] = cards or words[0]
            continue
        if word == "-":
            free, left[seat] = [one for one in free if one != seat], left[seat] + (stock > 0)
            stock -= stock > 0
        else:
            if seat == leader and word != "forward":
                yield from bonuses(pile, rules)
                pile, free = [], active
            played[seat].append(cards)
            left[seat] -= len(cards)
            found = (block for shape in rules["bombs"] for block in blocks(cards, shape, rules))
            pile.append(Play(seat, cards, not left[seat], any(len(block) == len(cards) for block in found)))
            if not left[seat]:
                idle = [one for one in seats if not played[one]]
                late += [(one, seat, rules["got_to_get_in"]) for one in idle]
                knocked = idle if rules["knock_out"] and not places else knocked
                places.append(seat)
            active = [one for one in seats if one not in places + knocked]
            alone = word == "forward" or (rules["last_play_stands"] and not left[seat])
            free = [] if alone else free if rules["locks"] else active
        waiting = [one for one in active if one in free and one != pile[-1].seat]
        after = (seats * 2)[seats.index(pile[-1].seat) :]
        leader = None if waiting else next((one for one in after if one in active), None)
    if told["claims"]:
        yield from instant_wins(told["claims"], opening, seats, rules)
    elif places:
        yield from (*bonuses(pile, rules), *late)
        rest = [*(pack - seen).elements()]  # known, if they are all of one player
        hands = {seat: told["shows"].get(seat) or rest * (len(rest) == left[seat]) for seat in seats}
        ended = places if rules["at_first_out"] else places + active
        yield from at_the_end(seats, ended, places[-1], knocked, left, played, hands, rules)
        for seat, name in told["contract"].items():
            (gain, loss), won = rules["contracts"][name], seat == places[0]
            yield from ((other, seat, gain) if won else (seat, other, loss) for other in seats)


def post(payments, seats):
    """Each seat's net points from payments."""
    net = dict.fromkeys(seats, 0)
    for payer, payee, points in payments:
        net[payer] -= points
        net[payee] += points
    return net


def agreed(fields, known, text):
    """The fields of a ruleset after what a table agrees on below a round."""
    for line in re.findall("^rule.*", text, re.MULTILINE):
        word, what = line.split()
        if word == "ruleset" and what in known:
            fields = known[what]
        elif re.match(r"(?!price)\w+\.", what):
            fields += f"\n{line}"
        else:
            sys.exit(f"{line} is not read here")
    return fields


known, opened = {}, ""
for path in sys.argv[1:]:
    head, *rounds = Path(path).read_text(encoding="utf-8").split("\nround ")
    if head.startswith("rule "):
        known[Path(path).stem] = opened = head
        read_rules(opened)
        continue
    fields, above = opened, head.partition("\np1 ")[2]
    seats = everybody = re.findall(r"^p\d+", head, re.MULTILINE)
    nets = []
    for number, text in enumerate(rounds, start=1):
        fields = agreed(fields, known, above)
        rules, above = read_rules(fields), text
        (_, how, *listed), *lines = [line.removesuffix(" !").split() for line in text.splitlines() if line]
        times = int(listed.pop()[1:]) if listed and listed[-1][0] == "x" else 1
        seats, void = listed[how == "lead" :] or seats, any(words[0] == "void" for words in lines)
        moves = [words for words in lines if words[0] in seats and not void]
        stated = [(words[1], words[2], int(words[3])) for words in lines if words[0] == "=" and words[2:]]
        made = [(*who, points * times) for *who, points in payments(seats, how == "opening", moves, rules)]
        net, paid = post(made, everybody), post(stated, everybody)
        if net != paid:
            sys.exit(f"{path}: round {number}: {net} by the moves, {paid} by its = lines")
        nets.append(net)
        seats = seats[::-1] if rules["direction"] == "alternating" and not void else seats
    print(path, *(f"{seat} {sum(net[seat] for net in nets):+}" for seat in everybody))
