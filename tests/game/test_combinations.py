"""The names of combinations; `tests/cases/rounds/combinations.txt` covers what beats what."""

import pytest

from ledger.game.caches import BoundedCache
from ledger.game.combinations import CombinationIndex
from ledger.game.patterns import Kind, Pattern
from ledger.game.rulesets.southern import CLASSIC
from tests.game.table import cards


@pytest.mark.parametrize(
    ("shape", "kind"),
    [
        (Pattern(1), Kind.SINGLE),
        (Pattern(2), Kind.PAIR),
        (Pattern(3), Kind.TRIPLE),
        (Pattern(4), Kind.FOUR_OF_A_KIND),
        (Pattern(5), Kind.MORE_OF_A_KIND),
        (Pattern(1, 3), Kind.SEQUENCE),
        (Pattern(2, 3), Kind.PAIR_SEQUENCE),
        (Pattern(3, 2), Kind.TRIPLE_SEQUENCE),
        (Pattern(4, 2), Kind.FOURS),
        (Pattern(4, 2, loose=True), Kind.FOURS),
    ],
)
def test_every_shape_has_a_name(shape: Pattern, kind: Kind) -> None:
    assert Kind.of(shape) is kind


def test_an_index_answers_the_same_when_its_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["3s", "3s 3c", "3s 4s", "3s 4s 5s", "3s"]
    index, forgetful = (CombinationIndex(CLASSIC.deck, CLASSIC.combinations, CLASSIC.bombs) for _ in range(2))
    expected = [index.read(cards(text)) for text in texts]
    monkeypatch.setattr(BoundedCache, "LIMIT", 2)
    assert [forgetful.read(cards(text)) for text in texts] == expected
    assert expected[0] == expected[-1] is not None
