"""What a table agrees on between rounds, in the notation. What is paid is in `tests/cases/rounds/agreed.txt`."""

from dataclasses import replace

import pytest

from ledger.game import notation
from ledger.game.errors import Code, Verdict
from ledger.game.night import NewTerms, judge_terms, worths
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overrides import (
    RuleRefused,
    further_rules,
    own_rules,
    with_further_rules,
)
from ledger.game.rulesets.southern import CLASSIC
from ledger.game.terms import Terms
from tests.case_files import told
from tests.game.table import NAMES, after, page, refused, rule_lines, ruleset_of, verdict

OVER = "result p1 p2 p3 p4"
RUNNING = "p1 3s"


@pytest.mark.parametrize(
    ("story", "code", "line"),
    [
        (f"{RUNNING}\nrule payments.left=2", Code.ROUND_RUNNING, 9),
        (f"{RUNNING}\nruleset card-count", Code.ROUND_RUNNING, 9),
        (f"{RUNNING}\nstake 1000 VND\nrule payments.left=2", Code.ROUND_RUNNING, 9),
        (f"{OVER}\nstake 1000 VND\nround 2\n{RUNNING}\nstake 2000 VND", Code.ROUND_RUNNING, 12),
        (f"{OVER}\nruleset double-deck", Code.WRONG_SEAT_COUNT, 9),
    ],
)
def test_what_cannot_be_agreed_on_then_is_refused_at_its_first_line(
    story: str, code: Code, line: int
) -> None:
    refusal = refused(story)
    clause = "S-DEAL" if code is Code.ROUND_RUNNING else "DD-DEAL"
    assert verdict(refusal.refusal) == (code, Verdict.IMPOSSIBLE, clause)
    assert (refusal.line, refusal.round, refusal.move) == (line, 1 + (line > 10), 0)


@pytest.mark.parametrize(
    "story",
    [
        f"{RUNNING}\nstake 1000 VND",
        f"{RUNNING}\nstake 1000 VND all",
        f"{OVER}\nrule payments.left=2\nstake 1000 VND\np5 Em",
        f"{RUNNING}\nvoid misdealt\nruleset card-count",
        f"{OVER}\np5 Em\np6 Phúc\nruleset core-double\nround 2 lead p1 p1 p2 p3 p4 p5 p6",
    ],
)
def test_what_may_be_agreed_on_then_is_read_and_written(story: str) -> None:
    night = notation.replay(notation.read(page(story)))
    text = notation.write(night)
    assert notation.write(notation.replay(notation.read(text), strict=True)) == text
    assert [entry for entry in night.entries if isinstance(entry, NewTerms)]


def test_before_the_first_round_anything_may_be_agreed_on() -> None:
    terms = Terms(CLASSIC)
    new = NewTerms(replace(terms, ruleset=PRESETS["card-count"]))
    assert judge_terms(terms, new, 4, None) is None
    assert judge_terms(terms, new, 4, after(OVER)) is None


@pytest.mark.parametrize(("before", "lines", "now"), told("agreed.txt", "further rules"))
def test_further_rules_take_the_place_of_those_of_their_names(before: str, lines: str, now: str) -> None:
    had, further = ruleset_of(before), rule_lines(lines)
    has = with_further_rules(had, further)
    assert has == ruleset_of(now)
    led = further_rules(had, has)
    if led is not None:
        assert with_further_rules(had, led) == has


@pytest.mark.parametrize(("before", "now"), told("agreed.txt", "no further rules"))
def test_no_further_rule_takes_one_back(before: str, now: str) -> None:
    assert further_rules(ruleset_of(before), ruleset_of(now)) is None


@pytest.mark.parametrize(("before", "lines", "wrong"), told("agreed.txt", "refused"))
def test_of_rules_that_no_table_can_play_by_the_new_one_is_named(before: str, lines: str, wrong: str) -> None:
    with pytest.raises(RuleRefused) as caught:
        with_further_rules(ruleset_of(before), rule_lines(lines))
    assert caught.value.line == int(wrong)


def test_rules_of_a_preset_that_is_no_longer_there_stay_as_they_are() -> None:
    gone = replace(CLASSIC, id="gone")
    assert with_further_rules(gone, []) == gone
    with pytest.raises(RuleRefused, match="gone"):
        with_further_rules(gone, [("payments.left", "2")])


def test_notes_keep_their_cards_whatever_deck_is_played_with_later() -> None:
    names = "\n".join(f"p{number} {name}" for number, name in enumerate(NAMES, 1))
    text = (
        f"tienlen 1\nruleset southern-classic\n{names}\n\nnote gives p1 p2 2d 2h\n\nruleset double-deck\n"
        "note gives p1 p2 2d' 2h\n\nruleset core-double\nnote gives p2 p1 2h 2h\n"
    )
    assert notation.write(notation.replay(notation.read(text))).replace("\n\n", "\n") == text.replace(
        "\n\n", "\n"
    )


def test_every_rule_of_a_house_is_kept_by_further_ones() -> None:
    had = ruleset_of("southern-classic no-turn-needed=all payments.left=2 price.red-two=6")
    has = with_further_rules(had, [("payments.card", "2")])
    assert {*own_rules(has)} == {*own_rules(had), ("payments.card", "2")}


def test_the_worth_of_all_rounds_is_theirs_and_another_one_is_of_the_next() -> None:
    header = "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\n"
    rounds = [f"round {number} lead p1\nvoid chia nhầm\n" for number in (1, 2, 3)]
    text = f"{header}\n{rounds[0]}stake 1000 VND all\nstake 2000 VND\n{rounds[1]}stake 500 VND\n{rounds[2]}"
    night = notation.replay(notation.read(text))
    assert [one and int(one.amount) for one in worths(night)] == [1000, 2000, 500]
    plain = notation.replay(notation.read(f"{header}\n{rounds[0]}pay p1 p2 3 bia\n"))
    assert worths(plain) == [None]
