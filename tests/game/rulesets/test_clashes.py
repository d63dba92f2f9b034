"""House rules that contradict each other, or the text of a preset."""

import pytest

from ledger.game.cards import Rank
from ledger.game.notation import Unreadable, read
from ledger.game.patterns import FOUR_PAIRS, PAIR, SINGLE, TRIPLE, SuitLock, Target
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.clashes import CONTRADICTIONS, WORDS_OF_PRESETS
from ledger.game.rulesets.overlays.edits import Contradiction
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES, find, lay
from ledger.game.rulesets.southern import CLASSIC
from tests.case_files import told
from tests.game.rulesets.clashing import PAIRS, RULED_OUT, line
from tests.game.table import lay_all, page


def test_the_contradictions_are_these() -> None:
    contradictions = {frozenset((one, other)) for one, others in CONTRADICTIONS.items() for other in others}
    assert contradictions == set(map(frozenset, PAIRS))


@pytest.mark.parametrize(("one", "other"), [pair[::way] for pair in PAIRS for way in (1, -1)])
def test_a_contradiction_is_refused_with_both_names(one: str, other: str) -> None:
    first, second = line(one).partition("=")[0], line(other).partition("=")[0]
    text = page("p1 3s", ruleset="thirteen", rules=[line(one), line(other)])
    with pytest.raises(Unreadable, match=f"{second} contradicts {first}") as caught:
        read(text)
    assert caught.value.line == 4


@pytest.mark.parametrize(("one", "other"), told("clashes.txt", "held together"))
@pytest.mark.parametrize("preset", ["thirteen", "southern-classic"])
def test_what_does_not_clash_in_words_is_not_refused(preset: str, one: str, other: str) -> None:
    lines = (line(one), line(other))
    assert lay_all(PRESETS[preset], lines) == lay_all(PRESETS[preset], reversed(lines))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_refuses_the_switches_that_its_own_text_rules_out_and_no_other(preset: str) -> None:
    refused = RULED_OUT.get(preset, [])
    for rule in HOUSE_RULES.values():
        for choice in rule.choices:
            bullet = f"{rule.number}={choice}" if len(rule.choices) > 1 else rule.number
            if bullet not in refused:
                assert lay(PRESETS[preset], rule.name, choice).house_rules == (f"{rule.name}={choice}",)
                continue
            with pytest.raises(Contradiction) as caught:
                lay(PRESETS[preset], rule.name, choice)
            assert caught.value.names[0] == rule.name
            assert caught.value.names[1] in {words.id for words in WORDS_OF_PRESETS[preset]}
            assert caught.value.preset == preset


def test_the_words_of_a_preset_are_about_switches_and_fields_that_there_are() -> None:
    assert set(WORDS_OF_PRESETS) <= set(PRESETS)
    for words in (one for several in WORDS_OF_PRESETS.values() for one in several):
        for bullet in words.rules:
            number, _, choice = bullet.partition("=")
            assert choice in ("", *find(number).choices)


@pytest.mark.parametrize("preset", PRESETS)
def test_h28_and_h11_spare_what_they_say_wherever_they_are_laid(preset: str) -> None:
    for name, spared in (("nothing-beats-several-twos", (PAIR, TRIPLE)), ("bombs-of-exact-size", (SINGLE,))):
        try:
            ruleset = lay(PRESETS[preset], name)
        except Contradiction:
            continue
        for bomb in ruleset.bombs:
            concerned = not bomb.plain and (spared != (SINGLE,) or bomb.shape == FOUR_PAIRS)
            if concerned and bomb.rank is None:
                twos = [Target(shape, Rank.TWO, plain=True) for shape in spared]
                assert not any(target.includes(two) for target in bomb.beats for two in twos)


def test_a_switch_takes_the_place_of_what_the_preset_plays() -> None:
    assert not lay(CLASSIC, "passing-forfeits-nothing").passing.locks
    one_suit = lay(PRESETS["akita"], "sequences-of-one-suit").combinations
    assert (one_suit.one_suit, one_suit.suit_lock) == (True, SuitLock.NONE)
    assert lay(PRESETS["core"], "five-pairs-win-at-once").instant_wins.hands
    assert lay(CLASSIC, "no-turn-needed", "not-four-pairs").passing.late == ()
