"""What people are told of bombs, special sets and refused plays, against what the rows of every ruleset say."""

from collections.abc import Iterator

import pytest

from ledger.game.errors import Clause, Code
from ledger.game.judge import judge
from ledger.game.moves import Play
from ledger.game.patterns import PAIR, SINGLE
from ledger.game.rulesets import Ruleset
from ledger.language import LANGUAGES, rules_page, speaker
from ledger.language.rules import Table
from tests.game.rulesets.agreed import PAID, PLAYED
from tests.game.rulesets.positions import positions, read

NAMES: dict[int, str] = {}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", PLAYED)
def test_nobody_is_told_to_play_higher_what_was_higher(ruleset: Ruleset, language: str) -> None:
    told = speaker(language)
    for top, round, offers in positions(ruleset):
        if top is None or top.shape in (SINGLE, PAIR):
            continue
        shape = told.shape(top.shape)
        advice = tuple(told.say(f"refusal does-not-beat {how}", shape=shape) for how in ("beat", "bomb"))
        for cards in offers:
            refusal, laid = judge(round, Play(1, cards)), read(ruleset).read(cards)
            if refusal is None or refusal.code is not Code.DOES_NOT_BEAT or laid is None:
                continue
            if laid.shape == top.shape and laid.key > top.key:
                assert not told.refusal(refusal, NAMES).endswith(advice), refusal


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", PLAYED)
def test_every_bomb_that_can_be_played_has_a_row_and_a_name_of_its_own(
    ruleset: Ruleset, language: str
) -> None:
    shapes = set(ruleset.combinations.shapes())
    bombs = [row for row in ruleset.bombs if row.shape.shape in shapes and not row.plain]
    names = [name for name, *_ in rows(ruleset, language, Clause.BOMB)]
    assert len(names) == len(set(names)) == len(bombs)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", PAID)
def test_every_special_set_has_a_row_and_a_name_of_its_own(ruleset: Ruleset, language: str) -> None:
    printed = rows(ruleset, language, Clause.SPECIAL)
    names = [name for name, *_ in printed]
    assert len(names) == len(set(names))
    paid = ruleset.payments
    told = [
        {(special.target, special.suits) for special in sets}
        for sets in (paid.special_sets, paid.captured, paid.special_sets + paid.captured)
    ]
    assert not printed or len(printed) in map(len, told)


def rows(ruleset: Ruleset, language: str, clause: Clause) -> list[tuple[str, ...]]:
    """The table of a clause."""
    wanted = ruleset.clause(clause)
    return [row for table in _tables(ruleset, language, wanted) for row in table.rows]


def _tables(ruleset: Ruleset, language: str, wanted: str) -> Iterator[Table]:
    for section in rules_page(ruleset, speaker(language)):
        for printed in section.clauses:
            if printed.id == wanted and printed.table is not None:
                yield printed.table
