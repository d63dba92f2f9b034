"""The core rules, their larger deals and Viet Cong: what the encyclopedias say, with every example they print."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from ledger.game.cards import Card, Cards, Rank, bits
from ledger.game.errors import Code
from ledger.game.fold import apply, begin, replay
from ledger.game.hands import deduced_player
from ledger.game.judge import judge
from ledger.game.legal_cards import legal_cards
from ledger.game.moves import Declare, Move, Pass, Play, Show
from ledger.game.patterns import SuitLock, Ties
from ledger.game.round import Header, Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.core import CORE_DOUBLE
from ledger.game.rulesets.model import Dealer, Direction, Ruleset
from tests.game.generator import layable
from tests.game.rulesets.asking import beats, read, wins_at_once
from tests.game.rulesets.counting import beats_between, blocks, counted
from tests.game.rulesets.laws import hold
from tests.game.table import after, found, net, paid, refused, run, told, turn
from tests.soaking import further

ALL = {suit: f"{run(suit)} 2{suit}" for suit in "scdh"}
"""All thirteen cards of each suit."""


def one_by_one(players: int) -> str:
    """p1 opens with 3♠ and goes out with the other spades; each next player goes out with a whole suit."""
    others = [f"p{seat} -\n" for seat in range(2, players + 1)]
    story = f"p1 3s\n{''.join(others)}p1 {run('s', '4')} 2s\n{''.join(others) if players > 2 else ''}"
    for seat, suit in zip(range(2, players), "cdh", strict=False):
        story += f"p{seat} {ALL[suit]}\n" + ("".join(others[seat - 1 :]) if seat < players - 1 else "")
    return story


# The core rules


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_loser_pays_each_other_player_a_fixed_stake(players: int) -> None:
    round = after(one_by_one(players), players=players, ruleset="core")
    assert round.over
    assert round.places == list(range(players))
    assert net(round) == [1] * (players - 1) + [1 - players]
    assert paid(round) == [f"p{players} p{place} 1 placement C-PLACE" for place in range(1, players)]


def test_the_first_hand_begins_with_the_lowest_card_played_singly() -> None:
    assert turn(after("p1 3s", ruleset="core")) == "p2 answers"
    for play, code in (
        ("3s 3c", Code.OPENING_FORM),
        ("3s 4s 5s", Code.OPENING_FORM),
        ("3c", Code.MUST_OPEN_LOWEST),
    ):
        refusal = refused(f"p1 {play}", ruleset="core").refusal
        assert (refusal.code, refusal.clause) == (code, "C-OPEN")
    before = begin(PRESETS["core"], Header((0, 1, 2, 3)))
    assert before.ruleset.deck.write(legal_cards(before, 2)) == ("3s",)


def test_with_two_or_three_players_the_lowest_card_dealt_is_played_singly() -> None:
    assert turn(after("p2 5d", players=2, ruleset="core")) == "p1 answers"
    assert refused("p2 5d 5h", players=2, ruleset="core").refusal.code == Code.OPENING_FORM
    assert found(after("p2 5d\np1 6s\np2 -\np1 4s", players=2, ruleset="core")) == [
        "opening-not-lowest C-OPEN 4"
    ]


def test_in_subsequent_hands_the_winner_may_begin_with_any_combination() -> None:
    night = told(f"round 1 opening\n{one_by_one(4)}round 2\np1 9s 9d", ruleset="core")
    assert night.rounds[1].header.leader == 0


def test_once_a_player_has_passed_they_may_not_play_again_to_this_pile() -> None:
    story = "round 1 lead p1\np1 9s\np2 -\np3 2s\np4 -\np1 -\np2 4s 4c 5s 5c 6s 6c 7s 7c"
    refusal = refused(story, ruleset="core").refusal
    assert (refusal.code, refusal.clause) == (Code.LOCKED_OUT, "C-PASS")


def test_a_player_may_contribute_several_times_before_passing() -> None:
    assert turn(after("p1 3s\np2 4s\np3 -\np4 -\np1 5s\np2 6s", ruleset="core")) == "p1 answers"


def test_if_the_leader_has_no_cards_the_lead_passes_to_the_next_active_player() -> None:
    story = f"p1 3s\np2 -\np3 -\np4 -\np1 {run('s', '4')} 2s\np2 -\np3 -\n"
    assert turn(after(f"{story}p4 -", ruleset="core")) == "p2 leads"


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("4s 4h", (2, 1)),
        ("9d 9c 9s", (3, 1)),
        ("Ah Ad Ac As", (4, 1)),
        ("9c Td Jc", (1, 3)),
        ("5c 5s 6h 6d 7c 7d", (2, 3)),
        ("Kc Ad 2c", (1, 3)),
        ("Ks Kc As Ac 2s 2c", (2, 3)),
        ("3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c", (2, 6)),
        (ALL["s"], (1, 13)),
    ],
)
def test_what_the_article_lists_may_be_led(cards: str, kind: tuple[int, int]) -> None:
    combination = read("core", cards)
    assert combination is not None
    assert (combination.shape.width, combination.shape.length) == kind
    assert turn(after(f"round 1 lead p1\np1 {cards}", ruleset="core")).startswith("p2")


@pytest.mark.parametrize(
    "cards", ["Ad 2c 3h", "Kc Ad 2c 3h", "3s 2s As", "4s 5s", "5s 5c 6s 6c", "As Ac 2s 2c 3s 3c"]
)
def test_sequences_do_not_go_around_the_corner_nor_are_they_short(cards: str) -> None:
    assert read("core", cards) is None


@pytest.mark.slow
def test_combinations_are_as_many_as_can_be_counted() -> None:
    for size in (3, 4, 6, 8):
        expected = {(1, size): (13 - size + 1) * 4**size}
        if size in (3, 4):
            expected[size, 1] = 13 * (4 if size == 3 else 1)
        if size in (6, 8):
            expected[2, size // 2] = (13 - size // 2 + 1) * 6 ** (size // 2)
        assert counted("core", size) == Counter(expected)


def test_the_highest_card_decides() -> None:
    assert beats("core", "9s Ts Jd", "9h Td Jc")
    assert beats("core", "Ts Js Qs", "9h Td Jc")
    assert not beats("core", "9h Td Jc", "9s Ts Jd")
    assert beats("core", "2s", "Ah")


TOPS = ("Ah", "2h", "2d 2h", "2c 2d 2h", "2s 2c 2d 2h", "Qs Ks As", "8s 8c 8d 8h")


@pytest.mark.parametrize(
    ("bomb", "beaten"),
    [
        # The article's own examples
        ("3h 3d 3c 3s", ["2h"]),
        ("4c 4s 5h 5d 6c 6d", ["2h"]),
        ("4c 4s 5h 5d 6c 6d 7s 7h", ["2h", "2d 2h"]),
        ("4c 4s 5h 5d 6c 6d 7s 7h 8d 8c", ["2h", "2d 2h", "2c 2d 2h"]),
        # And one pair more
        ("4c 4s 5h 5d 6c 6d 7s 7h 8d 8c 9s 9c", ["2h", "2d 2h", "2c 2d 2h"]),
        ("9s 9c 9d 9h", ["2h", "8s 8c 8d 8h"]),
    ],
)
def test_bombs_beat_presently_winning_2s_only(bomb: str, beaten: list[str]) -> None:
    assert beats_between("core", (bomb, *TOPS)).get(bomb) == beaten


def test_once_played_a_bomb_is_beaten_by_its_own_type_only() -> None:
    pile = "round 1 lead p1\np1 2h\np2 4c 4s 5h 5d 6c 6d\n"
    assert refused(f"{pile}p3 7s 7c 7d 7h", ruleset="core").refusal.clause == "C-BOMB"
    assert refused(f"{pile}p3 7s 7c 8s 8c 9s 9c Ts Tc", ruleset="core").refusal.code == Code.DOES_NOT_BEAT
    assert turn(after(f"{pile}p3 7s 7c 8s 8c 9s 9c", ruleset="core")) == "p4 answers"


def test_nobody_is_paid_for_a_bomb_or_for_what_is_left_in_hand() -> None:
    assert paid(after("round 1 lead p1\np1 2h\np2 4c 4s 5h 5d 6c 6d", ruleset="core")) == []


def test_deal_and_play_is_clockwise_and_the_loser_deals() -> None:
    deal = PRESETS["core"].deal
    assert (deal.players, deal.hand, deal.packs) == ((2, 3, 4), 13, 1)
    assert (deal.direction, deal.dealer) == (Direction.CLOCKWISE, Dealer.LAST)
    assert deal.first_dealer_by_lot


def test_no_hand_of_the_core_rules_wins_at_once() -> None:
    assert wins_at_once("core", ALL["s"], opening=True) is None


def test_what_the_core_rules_leave_open_is_the_tables_choice() -> None:
    assert set(PRESETS["core"].open) == {
        "combinations.top_of_pair_sequences",
        "combinations.equal_length",
        "passing.forward",
    }
    for child in ("core-17", "core-double", "viet-cong"):
        assert PRESETS[child].parent == "core"
        assert set(PRESETS["core"].open) <= set(PRESETS[child].open)


# Three players with 17 cards


def test_three_players_may_be_dealt_17_cards_each() -> None:
    deal = PRESETS["core-17"].deal
    assert (deal.players, deal.hand, deal.hand_of(3)) == ((3,), 17, 17)
    assert refused("p1 3s", ruleset="core-17").refusal.code == Code.WRONG_SEAT_COUNT


def test_one_card_is_aside_so_that_the_lowest_card_dealt_may_be_another() -> None:
    assert turn(after("p2 3c", players=3, ruleset="core-17")) == "p3 answers"
    story = "p2 3c\np3 4c\np1 -\np2 -\np3 3s"
    assert found(after(story, players=3, ruleset="core-17")) == ["opening-not-lowest C-OPEN 5"]


def test_seven_and_eight_pairs_in_a_row_fit_in_17_cards() -> None:
    seven = "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c 9s 9c"
    assert read("core", seven) is None
    for bomb in (seven, f"{seven} Ts Tc"):
        assert beats_between("core-17", (bomb, *TOPS))[bomb] == ["2h", "2d 2h", "2c 2d 2h"]


def test_nobody_lays_more_than_17_cards() -> None:
    story = f"p1 3s\np2 -\np3 -\np1 {run('s', '4')} 2s\np2 -\np3 -\np1 "
    assert after(f"{story}4c 4d 4h", players=3, ruleset="core-17").cards_left[0] == 1
    refusal = refused(f"{story}4c 5c 6c 7c 8c", players=3, ruleset="core-17").refusal
    assert (refusal.code, refusal.count) == (Code.TOO_MANY_CARDS, 4)


# Two packs


def double(story: str, *, players: int = 5) -> Round:
    return after(story, players=players, ruleset="core-double")


def test_five_to_eight_play_with_a_doubled_deck() -> None:
    deal = PRESETS["core-double"].deal
    assert (deal.players, deal.packs, deal.backs) == ((5, 6, 7, 8), 2, False)
    assert PRESETS["core-double"].deck.all.bit_count() == 104
    assert refused("p1 3s", players=4, ruleset="core-double").refusal.code == Code.WRONG_SEAT_COUNT


def test_either_13_cards_each_or_as_many_as_may_be_dealt_equally() -> None:
    equal = replace(CORE_DOUBLE, deal=replace(CORE_DOUBLE.deal, equal=True))
    assert [CORE_DOUBLE.deal.hand_of(players) for players in (5, 6, 7, 8)] == [13] * 4
    assert [equal.deal.hand_of(players) for players in (5, 6, 7, 8)] == [20, 17, 14, 13]
    assert [players for players in (5, 6, 7, 8) if equal.deals_all(players)] == [8]
    assert "deal.equal" in CORE_DOUBLE.open
    dealt = after("p1 3s", players=5, ruleset="core-double", rules=["deal.equal=yes"])
    assert dealt.cards_left == [19, 20, 20, 20, 20]


@pytest.mark.parametrize("players", [5, 6, 7, 8])
def test_with_two_packs_the_loser_pays_everyone_else_too(players: int) -> None:
    assert [row for row in CORE_DOUBLE.payments.places if row.players == players] == [
        row
        for row in CORE_DOUBLE.payments.places
        if (row.players, row.payer, row.points) == (players, players, 1)
    ]
    assert sum(row.players == players for row in CORE_DOUBLE.payments.places) == players - 1


def test_the_same_card_is_there_twice_and_never_three_times() -> None:
    round = double("p1 3s\np2 7d\np3 -\np4 -\np5 -\np1 -\np2 7d")
    assert turn(round) == "p3 answers"
    refusal = refused(
        "p1 3s\np2 7d\np3 -\np4 -\np5 -\np1 -\np2 7d\np3 -\np4 7d", players=5, ruleset="core-double"
    ).refusal
    assert (refusal.code, refusal.card, refusal.clause) == (Code.CARD_ALREADY_PLAYED, "7d", "C-SEEN")
    assert (refusal.move, refusal.holder) in ((2, 1), (7, 1))


def test_a_pair_of_the_same_card_is_a_pair_and_needs_both() -> None:
    assert turn(double("round 1 lead p1\np1 7d 7d")) == "p2 answers"
    story = "round 1 lead p1\np1 7d\np2 -\np3 -\np4 -\np5 -\np1 7d 7d"
    assert refused(story, players=5, ruleset="core-double").refusal.code == Code.CARD_ALREADY_PLAYED
    refusal = refused("round 1 lead p1\np1 7d 7d 7d", players=5, ruleset="core-double").refusal
    assert (refusal.code, refusal.card) == (Code.CARD_TWICE, "7d")


def test_a_pack_is_not_named_where_nobody_can_tell_which_it_is() -> None:
    assert read("core-double", "7d 7d") is not None
    with pytest.raises(ValueError, match="no such pack"):
        read("core-double", "7d'")


def test_either_three_of_spades_may_begin_and_the_second_one_ties() -> None:
    for seat in (1, 4):
        assert turn(double(f"p{seat} 3s")) == f"p{seat + 1} answers"
    refusal = refused("p1 3s\np2 3s", players=5, ruleset="core-double").refusal
    assert (refusal.code, refusal.clause) == (Code.DOES_NOT_BEAT, "C-COMPARE")


def test_no_opening_is_known_to_be_too_high_because_of_the_second_three_of_spades() -> None:
    story = "p1 3s\np2 4s\np3 -\np4 -\np5 -\np1 -\np2 3s"
    assert found(double(story)) == []
    assert found(double("p1 3c\np2 4s\np3 -\np4 -\np5 -\np1 -\np2 3s")) == ["opening-not-lowest C-OPEN 7"]


def test_eight_players_are_dealt_every_card_so_that_the_lowest_must_open() -> None:
    refusal = refused("p1 3c", players=8, ruleset="core-double").refusal
    assert (refusal.code, refusal.card) == (Code.MUST_OPEN_LOWEST, "3s")
    assert turn(double("p8 3s", players=8)) == "p1 answers"


def test_five_of_a_kind_is_nothing_unless_the_table_says_so() -> None:
    five = "7s 7s 7c 7d 7h"
    assert read("core-double", five) is None
    assert "combinations.same_rank" in CORE_DOUBLE.open
    rules = replace(CORE_DOUBLE.combinations, same_rank=(1, 2, 3, 4, 5, 6, 7, 8))
    deck, book = CORE_DOUBLE.deck, compiled(replace(CORE_DOUBLE, combinations=rules)).index
    lower, higher = (
        book.read(deck.gather(map(Card.read, text.split()))[0]) for text in (five, "8s 8s 8c 8c 8d")
    )
    assert lower is not None
    assert higher is not None
    assert higher.beats(lower)
    assert not lower.beats(higher)


@pytest.mark.slow
def test_combinations_of_two_packs_are_as_many_as_can_be_counted() -> None:
    assert counted("core-double", 1) == {(1, 1): 104}
    assert counted("core-double", 2) == {(2, 1): 13 * 28}
    assert counted("core-double", 3) == {(3, 1): 13 * 56, (1, 3): 11 * 8**3}
    assert counted("core-double", 4) == {(4, 1): 13 * 70, (1, 4): 10 * 8**4}
    assert counted("core-double", 6) == {(2, 3): 11 * 28**3, (1, 6): 8 * 8**6}
    assert blocks("core-double", 2, 3) == 11 * 28**3


TIED = "round 1 lead p1\np1 9s 9h\np2 9d 9h\n"


def test_a_tie_is_not_higher_and_may_not_be_played() -> None:
    refusal = refused(TIED, players=5, ruleset="core-double").refusal
    assert (refusal.code, refusal.clause) == (Code.DOES_NOT_BEAT, "C-COMPARE")
    assert "combinations.ties" in CORE_DOUBLE.open


def tied(ties: Ties, story: str = TIED) -> Round:
    return after(story, players=5, ruleset="core-double", rules=[f"combinations.ties={ties}"])


def test_a_table_may_let_the_later_of_two_equal_plays_win() -> None:
    assert turn(tied(Ties.LATER_WINS, f"{TIED}p3 -\np4 -\np5 -\np1 -")) == "p2 leads"


def test_a_table_may_let_the_earlier_of_two_equal_plays_stand() -> None:
    assert turn(tied(Ties.EARLIER_STANDS, f"{TIED}p3 -\np4 -\np5 -\n")) == "p2 answers"
    assert turn(tied(Ties.EARLIER_STANDS, f"{TIED}p3 -\np4 -\np5 -\np2 -")) == "p1 leads"


def ruled(ties: Ties, *, equal: bool = False) -> Ruleset:
    return replace(
        CORE_DOUBLE,
        combinations=replace(CORE_DOUBLE.combinations, ties=ties),
        deal=replace(CORE_DOUBLE.deal, equal=equal),
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", further(range(3)))
@pytest.mark.parametrize("players", [5, 8])
@pytest.mark.parametrize("ties", Ties)
def test_the_laws_hold_whatever_becomes_of_ties(ties: Ties, players: int, seed: int) -> None:
    hold(ruled(ties, equal=True), players, seed)


@pytest.mark.slow
@pytest.mark.parametrize("ties", Ties)
def test_what_is_bright_with_two_packs_is_what_could_be_laid(ties: Ties) -> None:
    chance = Random(5)
    ruleset = ruled(ties)
    few = _gathered(ruleset, "3s 3s 3c 4s 4c 4h 5s 5d 5d 6d 6h 6h 2h 2h 2s 9s 9s 9d 9d 9c 9h")
    for top in (
        "5d",
        "9s",
        "9s 9d",
        "3s 3s",
        "3s 4s 5d",
        "2h",
        "2s 2h",
        "3s 3s 4s 4c 5d 5d",
        "2h 2h",
        "9c 9d 9d",
    ):
        for seen in ("", "9h", "6h 6h"):
            round = begin(ruleset, Header((0, 1, 2, 3, 4), 0))
            round.seen |= ruleset.deck.all & ~few
            round = apply(round, Play(0, _gathered(ruleset, top)))
            round.seen |= _gathered(ruleset, seen)
            player = chance.choice((1, 2))
            assert _names(ruleset, legal_cards(round, player)) == _names(ruleset, _laid(round, player)), (
                top,
                seen,
            )


def _laid(round: Round, player: int) -> Cards:
    """The cards of everything that a player could lay, were the seats before to pass."""
    while round.turn != player:
        round = apply(round, Pass(round.turn))
    found: Cards = 0
    for cards in (*layable(round.unseen, round.ruleset), *_sequences(round)):
        if cards.bit_count() <= round.cards_left[player] and judge(round, Play(player, cards)) is None:
            found |= cards
    return found


def _sequences(round: Round) -> Iterator[Cards]:
    """Every sequence of unseen cards."""
    ranks = [list(bits(round.unseen & round.ruleset.deck.rank(rank))) for rank in Rank]
    for low in Rank:
        for high in range(low + 2, len(Rank)):
            yield from map(sum, product(*ranks[low : high + 1]))


def _gathered(ruleset: Ruleset, text: str) -> Cards:
    return ruleset.deck.gather(map(Card.read, text.split()))[0]


def _names(ruleset: Ruleset, cards: Cards) -> set[str]:
    return set(ruleset.deck.write(cards))


def test_hands_left_at_the_end_may_hold_the_same_card() -> None:
    """Two packs, and a table that charges what is left: showing and declaring tell twins apart too."""
    southern = PRESETS["southern-winner-takes-all"]
    ruleset = replace(
        CORE_DOUBLE, ending=replace(southern.ending), payments=replace(southern.payments, left=0, full_hand=0)
    )
    out: list[Move] = [Play(0, _gathered(ruleset, "3s")), *(Pass(seat) for seat in (1, 2, 3, 4))]
    out += [Play(0, _gathered(ruleset, f"{run('s', '4')} 2s"))]
    round = replay(begin(ruleset, Header((0, 1, 2, 3, 4))), out)
    assert round.over
    two = _gathered(ruleset, "2h")
    rest = _gathered(ruleset, f"2h {run('c')}")
    round = replay(round, [Declare(1, (two,)), Declare(2, (two,))])
    assert judge(round, Declare(3, (two,))).code == Code.DECLARATION_CONTRADICTED  # type: ignore[union-attr]
    assert judge(round, Show(3, rest)).code == Code.DECLARATION_CONTRADICTED  # type: ignore[union-attr]
    round = apply(round, Show(2, rest))
    round = apply(round, Show(1, _gathered(ruleset, f"2h {run('d')}")))
    assert judge(round, Show(3, _gathered(ruleset, f"2h {run('h')}"))).code == (  # type: ignore[union-attr]
        Code.SHOWN_ALREADY_PLAYED
    )
    assert deduced_player(round) is None


# Viet Cong


def test_the_first_viet_cong_hand_may_begin_with_any_combination_that_holds_the_three_of_spades() -> None:
    for play in ("3s", "3s 3h", "3s 4d 5c", "3s 3c 3d 3h 4s 4c 4d 4h"):
        assert turn(after(f"p1 {play}", ruleset="viet-cong")) == "p2 answers"
    assert refused("p1 3c", ruleset="viet-cong").refusal.code == Code.MUST_OPEN_LOWEST


def test_2s_may_not_be_used_in_a_viet_cong_sequence() -> None:
    assert read("viet-cong", "Ks As 2s") is None
    assert read("core", "Ks As 2s") is not None


@pytest.mark.parametrize(
    ("slam", "beaten"),
    [
        ("4s 4c 4d 4h", ["2h"]),
        ("4c 4s 5h 5d 6c 6d", ["2h"]),
        ("4c 4s 5h 5d 6c 6d 7s 7h", ["2h", "2d 2h"]),
        ("4c 4s 5h 5d 6c 6d 7s 7h 8d 8c", ["2d 2h"]),
        ("4c 4s 5h 5d 6c 6d 7s 7h 8d 8c 9s 9c", ["2d 2h"]),
        ("4s 4c 4d 4h 5s 5c 5d 5h", ["2d 2h"]),
        ("4s 4c 4d 4h 5s 5c 5d 5h 6s 6c 6d 6h", ["2c 2d 2h"]),
    ],
)
def test_slams_take_one_2_a_pair_or_a_triple(slam: str, beaten: list[str]) -> None:
    assert beats_between("viet-cong", (slam, *TOPS)).get(slam) == beaten


def test_a_slam_is_beaten_by_the_same_type_only() -> None:
    slams = (
        "4s 4c 4d 4h",
        "7s 7c 7d 7h",
        "4c 4s 5h 5d 6c 6d",
        "7c 7s 8h 8d 9c 9d",
        "4c 4s 5h 5d 6c 6d 7s 7h 8d 8c",
        "9c 9s Th Td Jc Jd Qs Qh Kd Kc",
        "4s 4c 4d 4h 5s 5c 5d 5h",
        "7s 7c 7d 7h 8s 8c 8d 8h",
    )
    assert beats_between("viet-cong", slams) == {slams[1]: [slams[0]], slams[3]: [slams[2]]} | {
        slams[5]: [slams[4]],
        slams[7]: [slams[6]],
    }


@pytest.mark.slow
def test_fours_together_must_be_consecutive_and_hold_no_2s() -> None:
    assert read("viet-cong", "4s 4c 4d 4h 6s 6c 6d 6h") is None
    assert read("core", "4s 4c 4d 4h 5s 5c 5d 5h") is None
    assert counted("viet-cong", 8)[4, 2] == 12


def test_what_is_not_known_of_viet_cong_is_the_core_rules_and_the_tables_choice() -> None:
    core, viet_cong = PRESETS["core"], PRESETS["viet-cong"]
    assert {"bombs", "combinations.suit_lock", "passing.late", "payments", "instant_wins.hands"} <= set(
        viet_cong.open
    )
    assert viet_cong.combinations.suit_lock is SuitLock.NONE
    assert (viet_cong.payments, viet_cong.passing) == (core.payments, core.passing)
    assert viet_cong.combinations.top_of_pair_sequences is core.combinations.top_of_pair_sequences
