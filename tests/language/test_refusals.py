"""Refusals, findings and problems in words: always what is wrong, and what to do."""

import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import get_origin, get_type_hints

import pytest

from ledger.game.errors import Clause, Code, Detail, Finding, Notice, Refusal, Verdict
from ledger.game.notation import ScriptRefused
from ledger.language import LANGUAGES, speaker
from tests.case_files import CASES, lines_below_headings
from tests.game import short_rounds

NAMES = {0: "An", 1: "Bình", 2: "Lan"}
CODES = {code.value: code for kind in (Code, Notice) for code in kind}


def read_cases() -> Iterator[tuple[Refusal | Finding, str]]:
    """The refusals and findings of `refusals.txt`, each with what is said, if the line tells it."""
    kinds: dict[str, type[Refusal | Finding]] = {"refusals": Refusal, "findings": Finding}
    for heading, line in lines_below_headings("refusals.txt"):
        facts, _, sentence = line.partition(" => ")
        yield read_facts(kinds[heading], facts), sentence


def read_facts(kind: type[Refusal | Finding], text: str) -> Refusal | Finding:
    (code, clause), *facts = (part.split() for part in text.split(", "))
    assert clause.removeprefix("S-") in list(Clause)
    given: dict[str, object] = {"code": CODES[code], "clause": clause, "player": 0}
    if kind is Refusal:
        given["verdict"] = Verdict.IRREGULAR
    for name, *words in facts:
        hint = get_type_hints(kind)[name]
        values = (Detail(" ".join(words)),) if name == "detail" else tuple(map(read_value, words))
        values = tuple(map(str, values)) if hint is str else values
        is_several = get_origin(hint) is tuple
        given[name] = values if is_several else values[0] if values else True
    return kind(**given)  # type: ignore[arg-type]


def read_value(word: str) -> str | int | None:
    if tag := re.fullmatch("p([0-9]+)", word):
        return int(tag[1]) - 1
    return None if word == "nobody" else int(word) if word.isdigit() else word


def said(one: Refusal | Finding, language: str) -> str:
    speaks = speaker(language)
    return speaks.refusal(one, NAMES) if isinstance(one, Refusal) else speaks.finding(one, NAMES)


TOLD = list(read_cases())
REFUSALS = [one for one, _ in TOLD if isinstance(one, Refusal)]
FINDINGS = [one for one, _ in TOLD if isinstance(one, Finding)]


def test_every_code_has_a_case() -> None:
    assert {one.code for one in REFUSALS} == set(Code)


def test_every_detail_has_a_case_and_no_sentence_is_of_another() -> None:
    assert {one.detail for one in REFUSALS} == {None, *Detail}
    told = {f"{one.code} {one.detail}" for one in REFUSALS if one.detail}
    keys = {
        word.removeprefix("refusal ") for word in speaker("en").catalog.words if word.startswith("refusal ")
    }
    by_what_lies_there = tuple(f"{Code.DOES_NOT_BEAT} {how}" for how in ("on", "beat", "bomb", "unbeatable"))
    assert {key for key in keys - {*Code} if not key.startswith(by_what_lies_there)} == told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_says_what_is_wrong_and_what_to_do(case: Refusal, language: str) -> None:
    text = said(case, language)
    assert len(text.rstrip(".").replace(": ", ". ").split(". ")) > 1
    assert text.endswith(".")
    assert "None" not in text
    assert "%" not in text
    assert "  " not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_cases_read_the_same(language: str) -> None:
    for kind in (Refusal, Finding):
        texts = [said(one, language) for one, sentence in TOLD if isinstance(one, kind) and not sentence]
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(("case", "sentence"), [case for case in TOLD if case[1]])
def test_a_refusal_or_finding_reads_as_its_line_says(case: Refusal | Finding, sentence: str) -> None:
    texts = [said(case, language) for language in LANGUAGES]
    assert any(fnmatchcase(text, sentence) for text in texts), texts


@pytest.mark.parametrize("case", list(short_rounds.read(CASES / "advice.txt")), ids=str)
def test_advice_comes_from_the_rules_of_the_table(case: short_rounds.Case) -> None:
    with pytest.raises(ScriptRefused) as caught:
        case._replace(story=f"round 1 lead p1 !\n{case.story}").played()
    text = speaker("en").refusal(caught.value.refusal, NAMES)
    assert case.expected in text
    assert ("bomb" in text.lower()) == ("bomb" in case.expected.lower())
    theirs = speaker("vi").refusal(caught.value.refusal, NAMES)
    assert ("chặt" in theirs or "hàng" in theirs) == ("bomb" in case.expected.lower())


def test_a_player_without_a_name_goes_by_the_tag() -> None:
    not_seated = next(one for one in REFUSALS if one.code is Code.NOT_SEATED)
    assert "p1" in speaker("en").refusal(not_seated, {})


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_is_a_sentence(language: str) -> None:
    texts = [said(finding, language) for finding in FINDINGS]
    assert all("None" not in one and one.endswith(".") for one in texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_problem_tells_as_much_as_is_known(language: str) -> None:
    problem: Callable[..., str] = speaker(language).problem
    assert "5" in problem("round-settled", {"round": 5})
    assert "None" not in problem("round-settled", {"round": None})
    assert problem("round-settled") == problem("round-settled", {"round": None})
    assert "7" in problem("too-many-requests", {"retry_after": 7})
    assert "3" in problem("unsettled-round", {"rounds": [3, 4]})
    assert "16384" in problem("too-large", {"most_bytes": 16384})


def test_what_was_expected_is_said_in_the_readers_language() -> None:
    fields = {"fields": {"points": ["a whole number from 1 to 999"], "seat": ["a player (p1 to p12)"]}}
    text = speaker("vi").problem("unreadable", fields)
    assert "points: số nguyên từ 1 tới 999; seat: một người chơi (từ p1 tới p12)" in text
    assert "something new" in speaker("vi").unreadable("something new")


def test_a_fact_that_looks_like_a_pattern_stays_what_it_is() -> None:
    assert "%(count)s" in speaker("en").problem("unreadable", {"fields": {"%(count)s": ["missing"]}})


def test_a_disagreement_lists_what_is_missing_and_what_is_too_much() -> None:
    text = speaker("en").disagreement(["p2 p1 2 placement"], ["p3 p1 1 placement"])
    assert "Missing: p2 p1 2 placement." in text
    assert "Unexpected: p3 p1 1 placement." in text
    assert speaker("en").disagreement([], []) == "The = lines disagree with what the rules say."
