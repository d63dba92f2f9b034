"""What an unknown hand may still play, compared with every play of unseen cards."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest

from ledger.game import notation
from ledger.game.cards import Cards, Rank, bits, union
from ledger.game.corpus import at_random, greedy, patient
from ledger.game.fold import apply, begin
from ledger.game.judge import judge
from ledger.game.legal_cards import higher_singles, legal_cards, legal_choices, legal_combinations
from ledger.game.moves import NOBODY, Pass, Play
from ledger.game.patterns import SINGLE, Ties
from ledger.game.round import Header, Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.southern import CLASSIC, WINNER_TAKES_ALL
from tests.case_files import told
from tests.game.generator import play_round
from tests.game.table import DECK, after, cards, lay_all, ruleset_of, run
from tests.soaking import further


def everything(stock: Cards, ruleset: Ruleset = CLASSIC) -> Iterator[Cards]:
    """Every block among some cards, of the shapes of a ruleset, in all suits."""
    held = [list(bits(stock & ruleset.deck.rank(rank))) for rank in Rank]
    for shape in compiled(ruleset).index.shapes:
        parts = [[sum(some) for some in combinations(rank, shape.width)] for rank in held]
        places = (range(low, low + shape.length) for low in range(14 - shape.length))
        for ranks in combinations(range(13), shape.length) if shape.loose else places:
            yield from map(sum, product(*(parts[rank] for rank in ranks)))


def legal(round: Round, player: int) -> Callable[[Cards], bool]:
    """A function that tells whether a play of unseen cards is legal now, or after passes of the players before."""
    brought = round
    while not brought.over and not brought.leading and brought.turn != player:
        brought = apply(brought, Pass(brought.turn))
    places = [round, brought] if brought.turn in (NOBODY, player) else [round]
    return lambda play: (
        play.bit_count() <= round.cards_left[player]
        and any(judge(place, Play(player, play)) is None for place in places)
    )


def brute_force(round: Round, player: int) -> Cards:
    """The union of all plays that would be legal."""
    is_legal = legal(round, player)
    found: Cards = 0
    for play in everything(round.unseen, round.ruleset):
        if play & ~found and is_legal(play):
            found |= play
    return found


def is_brute_force(round: Round, player: int) -> bool:
    """Whether what is playable is what brute force finds, of twins either."""
    write = round.ruleset.deck.write
    return write(legal_cards(round, player)) == write(brute_force(round, player))


def running(chance: Random, ruleset: Ruleset, header: Header) -> list[Round]:
    """The positions of a random round before its end."""
    choose = chance.choice((greedy, at_random, patient))
    rounds = [dealt.round for dealt in play_round(chance, ruleset, header, choose, bombs=True)]
    return [round for round in rounds if not round.over]


def sampled(chance: Random, rounds: list[Round], most: int = 6) -> list[Round]:
    return chance.sample(rounds, min(most, len(rounds)))


@pytest.mark.parametrize("seed", further(range(40), plain=5))
def test_playable_is_what_brute_force_finds_late_in_a_round(seed: int) -> None:
    chance = Random(seed)
    ruleset = chance.choice((CLASSIC, WINNER_TAKES_ALL))
    rounds = running(chance, ruleset, Header((0, 1, 2, 3), chance.choice((None, 0))))
    for round in sampled(chance, [round for round in rounds if round.unseen.bit_count() <= 22]):
        assert all(is_brute_force(round, player) for player in range(4)), round.moves


ELSEWHERE = {
    (one.deck, one.opening, one.passing, one.combinations, one.bombs, one.trumps, one.ending): one
    for one in PRESETS.values()
}
"""One preset for each kind of rules: loose shapes, trumps, following and locking suits, two packs, openings."""
HOUSE_RULES = [
    "southern-classic no-turn-needed=all",
    "southern-classic no-turn-needed=not-four-pairs three-pairs-without-lead=yes",
    "southern-classic four-pairs-beat-pair-of-twos-late=yes five-pairs-chop-late=yes",
    "southern-classic sequences-of-one-suit=yes pairs-of-one-colour=yes",
    "southern-classic passing-forfeits-nothing=yes suit-lock=forced",
    "southern-classic no-pair-sequence-first=yes twos-top-sequences=yes",
    "southern-classic opening.led_bombs_alike=yes passing.twos_pass_lead=yes ending.no_last_two=yes",
    "southern-classic passing.bomb_reopens=yes",
    "southern-classic passing.late_on=2x4:1@2:chopped=2x4|4",
    "thirteen opening.led_bombs_alike=yes passing.twos_pass_lead=yes ending.no_last_two=yes",
    "thirteen two-consecutive-pairs=yes suit-lock=optional",
    "thirteen three-pairs-without-lead=yes three-pairs-without-lead-beat-no-two=yes triple-beats-ace=yes",
    "southern-classic combinations.follow_suits=yes",
    "core-double combinations.follow_suits=yes",
    *(f"core-double combinations.ties={ties}" for ties in Ties),
    *(f"{preset} combinations.equal_length=no" for preset in ("thirteen", "northern", "akita")),
]


RULESETS = {ruleset.id: ruleset for ruleset in ELSEWHERE.values()} | {
    text: ruleset_of(text) for text in HOUSE_RULES
}


@pytest.mark.parametrize("seed", further(range(3)))
@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_playable_is_what_brute_force_finds_at_other_tables(ruleset: Ruleset, seed: int) -> None:
    chance = Random(f"{ruleset.id} {ruleset.house_rules} {seed}")
    players = chance.choice(ruleset.deal.players)
    header = Header(tuple(range(players)), chance.choice((None, 0)))
    for round in sampled(chance, running(chance, ruleset, header)):
        narrowed = seen_but_for(chance, round, 18)
        for player in header.seats:
            assert is_brute_force(narrowed, player), (notation.tag(player), narrowed.moves)


@pytest.mark.parametrize("seed", further(range(3)))
@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_playable_is_what_brute_force_finds_where_the_lowest_card_opens(ruleset: Ruleset, seed: int) -> None:
    chance = Random(seed)
    header = Header(tuple(range(max(ruleset.deal.players))))
    assert is_brute_force(seen_but_for(chance, begin(ruleset, header), 14), 0)


@pytest.mark.parametrize("name", [name for name, one in RULESETS.items() if one.deck.packs == 1])
def test_what_can_be_played_together_is_every_legal_play_of_several_cards(name: str) -> None:
    ruleset, chance = RULESETS[name], Random(name)
    header = Header(tuple(range(max(ruleset.deal.players))), chance.choice((None, 0)))
    positions = running(chance, ruleset, header)
    for round in (positions[0], *sampled(chance, positions, 4)):
        narrowed = seen_but_for(chance, round, 16)
        for player in header.seats:
            ways = list(legal_combinations(narrowed, player))
            made = [play for way in ways for play in way.each(ruleset.deck)]
            read = {play: compiled(ruleset).index.read(play) for play in everything(narrowed.unseen, ruleset)}
            several = [
                play for play, one in read.items() if one and one.shape.size > 1 and not one.shape.loose
            ]
            write = ruleset.deck.write
            expected = filter(legal(narrowed, player), several)
            assert sorted(map(write, made)) == sorted(map(write, expected)), (player, narrowed.moves)


@pytest.mark.parametrize("name", RULESETS)
def test_the_choices_of_some_ranks_make_every_legal_play_of_them(name: str) -> None:
    ruleset, chance = RULESETS[name], Random(name)
    header = Header(tuple(range(max(ruleset.deal.players))), chance.choice((None, 0)))
    positions = running(chance, ruleset, header)
    for round in (positions[0], *sampled(chance, positions, 4)):
        narrowed, player = seen_but_for(chance, round, 14), chance.choice(header.seats)
        is_legal, plays = legal(narrowed, player), set(everything(narrowed.unseen, ruleset))
        plays |= set(bits(narrowed.unseen))
        of_ranks: dict[tuple[int, tuple[Rank, ...]], set[Cards]] = {}
        for play in plays:
            ranks = [card.rank for card in ruleset.deck.cards(play)]
            size = (ranks.count(ranks[0]), tuple(sorted(set(ranks))))
            of_ranks.setdefault(size, set()).update([play] if is_legal(play) else [])
        for (width, several), expected in of_ranks.items():
            choices = legal_choices(narrowed, player, width, several)
            made = {union(some) for one in choices for some in product(*one)}
            assert set(map(ruleset.deck.write, made)) == set(map(ruleset.deck.write, expected)), (
                width,
                several,
            )


def test_of_fours_played_together_the_highest_must_beat_the_top() -> None:
    fours = "5s 5c 5d 5h 8s 8c 8d 8h"
    round = after(f"round 1 lead p1\np1 {fours}", ruleset="pro-play")
    assert not [one for one in legal_choices(round, 1, 4, (Rank.SIX, Rank.SEVEN)) if all(one)]
    assert [one for one in legal_choices(round, 1, 4, (Rank.SIX, Rank.NINE)) if all(one)]


def test_what_can_be_played_together_by_hand() -> None:
    round = after("round 1 lead p1\np1 3s 4d 5c")
    round.seen |= DECK.all & ~cards("3h 4h 5d 5h 6s 7c")
    beat = ["3h 4h 5d", "3h 4h 5h", "5d 6s 7c", "5h 6s 7c", "4h 5d 6s", "4h 5h 6s"]
    longer = [
        f"{low} {five} 6s{high}" for low in ("4h", "3h 4h") for five in ("5d", "5h") for high in ("", " 7c")
    ]
    assert written(round, 1) == written(round, 2) == sorted(beat)
    assert written(round, 0) == sorted({*beat, *longer, "5d 5h"})


def written(round: Round, player: int) -> list[str]:
    """The combinations of several cards that this player may lay, as text."""
    ways = legal_combinations(round, player)
    made = (play for way in ways for play in way.each(DECK))
    return sorted(" ".join(DECK.write(play)) for play in made)


def test_of_two_packs_nothing_is_said_to_be_playable_together() -> None:
    assert not list(legal_combinations(begin(PRESETS["double-deck"], Header(tuple(range(8)), 0)), 0))


def test_nothing_can_be_played_together_once_a_round_is_over() -> None:
    assert not list(legal_combinations(after(f"round 1 lead p1\np1 {run('s')}\np1 2s"), 1))


def test_only_fours_of_a_kind_go_with_the_lowest_four_where_several_are_played_together() -> None:
    round = begin(PRESETS["pro-play"], Header((0, 1, 2, 3)))
    fours = cards("3s 3c 3d 3h 8s 8c 8d 8h")
    round.seen |= DECK.all & ~(fours | cards("6h As 2c"))
    assert legal_cards(round, 0) == brute_force(round, 0) == fours


def test_nobody_comes_in_without_the_lead_with_more_cards_than_were_dealt() -> None:
    ruleset = lay_all(CLASSIC, ["three-pairs-without-lead=yes"])
    few = replace(ruleset, deal=replace(ruleset.deal, hand=5))
    assert legal_cards(begin(ruleset, Header((0, 1), 0)), 1) == DECK.all & ~DECK.rank(Rank.TWO)
    assert legal_cards(begin(few, Header((0, 1), 0)), 1) == 0


def seen_but_for(chance: Random, round: Round, count: int) -> Round:
    """The round with all but `count` cards of near ranks marked as seen, so that all plays can be tried."""
    narrowed = round.copy()
    deck = round.ruleset.deck
    near = sorted(
        bits(round.unseen), key=lambda bit: bit.bit_length() / deck.rank_bits + chance.gauss(0, 2.5)
    )
    start = chance.randrange(len(near) or 1)
    kept = [*near[start:], *near[:start]][:count]
    if round.must_open and 1 not in kept:
        kept[-1:] = [1]
    narrowed.seen |= deck.all & ~sum(kept)
    return narrowed


BOMBS_AND_TWOS = cards("3s 3c 3d 3h 4s 4c 4d 4h 5d 5h 6d 6h 7d 7h 8d 8h 2s 2c 2d 2h")


@pytest.mark.parametrize("story", told("few-cards.txt", "stories"))
def test_playable_is_what_brute_force_finds_with_few_cards_left(story: tuple[str]) -> None:
    # Marks all other cards as seen: a story would need too many moves.
    round = after(story[0].replace(" / ", "\n"))
    round.seen |= DECK.all & ~BOMBS_AND_TWOS
    assert all(is_brute_force(round, player) for player in range(4))


def test_s_open_nobody_can_open_without_the_lowest_card() -> None:
    # This cannot happen before the opening; if it did, nothing would be playable.
    round = after("p1 - !")
    round.seen |= cards("3s")
    assert legal_cards(round, 1) == 0


@pytest.mark.parametrize("seed", range(4))
def test_the_cards_that_can_be_played_alone_are_those_that_are_judged_to_beat_a_single(seed: int) -> None:
    chance = Random(seed)
    for dealt in play_round(chance, CLASSIC, Header((0, 1, 2, 3), 0), chance.choice((greedy, patient))):
        round = dealt.round
        if round.over:
            continue
        player = round.turn
        top = round.pile[-1].combination if round.pile and not round.leading else None
        single = top is not None and top.shape == SINGLE
        beating = sum(
            card for card in bits(round.unseen) if single and judge(round, Play(player, card)) is None
        )
        assert higher_singles(round) & legal_cards(round, player) == beating
