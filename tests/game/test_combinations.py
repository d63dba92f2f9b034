"""What some cards are, and what beats what."""

import pytest

from ledger.game.caches import BoundedCache
from ledger.game.combinations import Combination, CombinationIndex
from ledger.game.patterns import Kind, Pattern
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.southern import CLASSIC
from tests.game.table import cards


def read(text: str) -> Combination | None:
    return compiled(CLASSIC).index.read(cards(text))


def known(text: str) -> Combination:
    combination = read(text)
    assert combination is not None
    return combination


@pytest.mark.parametrize(
    ("text", "kind", "bomb"),
    [
        ("3s", Kind.SINGLE, False),
        ("2h", Kind.SINGLE, False),
        ("7s 7h", Kind.PAIR, False),
        ("2s 2c", Kind.PAIR, False),
        ("Qs Qc Qd", Kind.TRIPLE, False),
        ("2s 2c 2d", Kind.TRIPLE, False),
        ("3s 4c 5d", Kind.SEQUENCE, False),
        ("Qh Ks As", Kind.SEQUENCE, False),
        ("3s 4c 5d 6h 7s 8c 9d Th Js Qc Kd Ah", Kind.SEQUENCE, False),
        ("3s 3c 4s 4c 5s 5c", Kind.PAIR_SEQUENCE, True),
        ("Qs Qh Kc Kd As Ah", Kind.PAIR_SEQUENCE, True),
        ("9s 9c 9d 9h", Kind.FOUR_OF_A_KIND, True),
        ("Js Jc Qs Qc Ks Kc As Ac", Kind.PAIR_SEQUENCE, True),
    ],
)
def test_s_combo_names_what_may_be_played(text: str, kind: Kind, bomb: bool) -> None:
    combination = known(text)
    assert Kind.of(combination.shape) is kind
    assert combination.bomb is bomb
    assert combination.size == len(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "3s 4s",
        "3s 5s 7s",
        "Ks As 2s",
        "Qs Ks As 2s",
        "As 2s 3s",
        "3s 3c 4s",
        "3s 3c 4s 4c",
        "3s 3c 5s 5c 6s 6c",
        "3s 3c 3d 4s 4c",
        "3s 3c 3d 4s 4c 4d 5s 5c 5d",
        "3s 3c 3d 4s 4c 5s",
        "3s 4s 4c 5s",
        "",
    ],
)
def test_s_combo_anything_else_is_nothing(text: str) -> None:
    assert read(text) is None


def test_s_combo_five_pairs_and_more_are_no_combination() -> None:
    assert read("3s 3c 4s 4c 5s 5c 6s 6c 7s 7c") is None
    assert read("3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c") is None


def test_s_combo_pair_sequences_hold_no_two() -> None:
    assert read("Ks Kc As Ac 2s 2c") is None
    assert read("Qs Qc Ks Kc As Ac 2s 2c") is None


def test_s_combo_four_twos_are_four_of_a_kind_and_rank_highest_among_them() -> None:
    assert known("2s 2c 2d 2h").bomb
    assert known("2s 2c 2d 2h").beats(known("As Ac Ad Ah"))
    assert not known("As Ac Ad Ah").beats(known("2s 2c 2d 2h"))


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("3c", "3s"),
        ("4s", "3h"),
        ("2s", "Ah"),
        ("7s 7h", "7c 7d"),
        ("8s 8c", "7d 7h"),
        ("8s 8c 8d", "7s 7c 7h"),
        ("8s 9d Th", "8d 9h Ts"),
        ("9s Tc Jd", "8h 9h Th"),
        ("4s 5s 6s 7c", "4c 5c 6c 7s"),
        ("2d 2h", "As Ac"),
        ("5s 5c 6s 6c 7d 7h", "5d 5h 6d 6h 7s 7c"),
        ("9s 9c 9d 9h", "8s 8c 8d 8h"),
        ("4s 4c 5s 5c 6s 6c 7s 7h", "4d 4h 5d 5h 6d 6h 7c 7d"),
    ],
)
def test_s_compare_the_higher_top_card_wins_among_the_same_kind(higher: str, lower: str) -> None:
    assert known(higher).beats(known(lower))
    assert not known(lower).beats(known(higher))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4s 4c", "3h"),
        ("4s 5s 6s 7s", "3s 4c 5c"),
        ("4s 4c 4d", "3s 3c"),
        ("8s 9s Ts", "7s 7c 7d"),
        ("Ah", "3s 4s 5s"),
    ],
)
def test_s_compare_different_kinds_and_lengths_never_beat_each_other(one: str, other: str) -> None:
    assert not known(one).beats(known(other))
    assert not known(other).beats(known(one))


def test_s_compare_nothing_beats_itself() -> None:
    assert not known("7s 7h").beats(known("7s 7h"))


BOMBS = {
    "three pairs": "3s 3c 4s 4c 5s 5c",
    "four of a kind": "6s 6c 6d 6h",
    "four pairs": "7s 7c 8s 8c 9s 9c Ts Tc",
}
BEATEN = {
    "a two": "2s",
    "a pair of twos": "2s 2c",
    "three pairs": "Qs Qc Ks Kc As Ac",
    "four of a kind": "Js Jc Jd Jh",
    "four pairs": "Js Jc Qs Qc Ks Kc As Ac",
    "three twos": "2s 2c 2d",
    "an ace": "As",
    "a pair of aces": "As Ac",
    "three threes": "3s 3c 3d",
    "a sequence": "3s 4s 5s",
}
S_BOMB = {
    "three pairs": {"a two"},
    "four of a kind": {"a two", "a pair of twos", "three pairs"},
    "four pairs": {"a two", "a pair of twos", "three pairs", "four of a kind"},
}


@pytest.mark.parametrize("target", BEATEN)
@pytest.mark.parametrize("bomb", BOMBS)
def test_s_bomb_a_bomb_beats_what_the_table_says_and_nothing_else(bomb: str, target: str) -> None:
    assert known(BOMBS[bomb]).beats(known(BEATEN[target])) is (target in S_BOMB[bomb])


def test_s_bomb_nothing_beats_a_triple_of_twos() -> None:
    assert not any(known(text).beats(known("2s 2c 2d")) for text in [*BOMBS.values(), *BEATEN.values()])


def test_s_bomb_even_the_lowest_bomb_beats_the_highest_two() -> None:
    assert known("3s 3c 4s 4c 5s 5c").beats(known("2h"))
    assert known("3s 3c 3d 3h").beats(known("2d 2h"))


def test_every_shape_has_a_name() -> None:
    assert [
        Kind.of(Pattern(5)),
        Kind.of(Pattern(3, 2)),
        Kind.of(Pattern(4, 2)),
        Kind.of(Pattern(4, 2, loose=True)),
    ] == [
        Kind.MORE_OF_A_KIND,
        Kind.TRIPLE_SEQUENCE,
        Kind.FOURS,
        Kind.FOURS,
    ]


def test_a_book_answers_the_same_when_its_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["3s", "3s 3c", "3s 4s", "3s 4s 5s", "3s"]
    book, forgetful = (CombinationIndex(CLASSIC.deck, CLASSIC.combinations, CLASSIC.bombs) for _ in range(2))
    expected = [book.read(cards(text)) for text in texts]
    monkeypatch.setattr(BoundedCache, "LIMIT", 2)
    assert [forgetful.read(cards(text)) for text in texts] == expected
    assert expected[0] == expected[-1] is not None
