"""Texts about bombs, special sets and refused plays agree with the rows of every ruleset."""

from ledger.game.errors import Clause, Code
from ledger.game.judge import judge
from ledger.game.moves import Play
from ledger.game.patterns import PAIR, SINGLE
from ledger.game.rulesets import Ruleset
from ledger.language import LANGUAGES, Speaker, rules_page, speaker
from tests.case_files import of_each
from tests.game.rulesets.agreed import paying_tables, playing_tables
from tests.game.rulesets.positions import positions, read

NAMES: dict[int, str] = {}


SPEAKERS = tuple(map(speaker, LANGUAGES))


@of_each(playing_tables)
def test_nobody_is_told_to_play_higher_what_was_higher(ruleset: Ruleset) -> None:
    for top, round, offers in positions(ruleset):
        if top is None or top.shape in (SINGLE, PAIR):
            continue
        for cards in offers:
            refusal, play = judge(round, Play(1, cards)), read(ruleset).read(cards)
            if refusal is None or refusal.code is not Code.DOES_NOT_BEAT or play is None:
                continue
            if play.shape == top.shape and play.key > top.key:
                for voice in SPEAKERS:
                    shape = voice.shape(top.shape)
                    advice = [
                        voice.say(f"refusal does-not-beat {how}", shape=shape) for how in ("beat", "bomb")
                    ]
                    assert not voice.refusal(refusal, NAMES).endswith(tuple(advice)), refusal


@of_each(playing_tables)
def test_every_bomb_that_can_be_played_has_a_row_and_a_name_of_its_own(ruleset: Ruleset) -> None:
    shapes = set(ruleset.combinations.shapes())
    bombs = [row for row in ruleset.bombs if row.shape.shape in shapes and not row.plain]
    for voice in SPEAKERS:
        names = [name for name, *_ in rows(ruleset, voice, Clause.BOMB)]
        assert len(names) == len(set(names)) == len(bombs)


@of_each(paying_tables)
def test_every_special_set_has_a_row_and_a_name_of_its_own(ruleset: Ruleset) -> None:
    paid = ruleset.payments
    sets = [
        {(special.target, special.suits) for special in some}
        for some in (paid.special_sets, paid.captured, paid.special_sets + paid.captured)
    ]
    for voice in SPEAKERS:
        names = [name for name, *_ in rows(ruleset, voice, Clause.SPECIAL)]
        assert len(names) == len(set(names))
        assert not names or len(names) in map(len, sets)


def rows(ruleset: Ruleset, voice: Speaker, clause: Clause) -> list[tuple[str, ...]]:
    """The rows of a clause's table."""
    wanted = ruleset.clause(clause)
    printed = [one for section in rules_page(ruleset, voice) for one in section.clauses if one.id == wanted]
    return [row for one in printed if one.table is not None for row in one.table.rows]
