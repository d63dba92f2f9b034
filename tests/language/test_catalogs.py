"""The catalogs: no text is missing, unused, or in one language only."""

import ast
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from enum import StrEnum
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from marshmallow.fields import List, Nested

from ledger.game.cards import Rank, Suit
from ledger.game.errors import Clause, Code, Notice
from ledger.game.explaining import WhyNot
from ledger.game.hands import Source
from ledger.game.moves import CoverReason
from ledger.game.patterns import Kind, SuitRule
from ledger.game.payments import Reason, StepKind
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.overlays.clashes import WORDS_OF_PRESETS
from ledger.game.rulesets.overlays.edits import Contradiction
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES, lay
from ledger.game.rulesets.overlays.schemes import SCHEMES
from ledger.game.rulesets.serialization import fields_of_lines
from ledger.game.scoring import Status
from ledger.game.statistics import Heading
from ledger.game.terms import TYPED, WRITTEN
from ledger.language import LANGUAGES
from ledger.language.catalogs import catalog, messages
from ledger.recorder import KINDS, fields
from ledger.recorder.exports.tables import PAYMENTS, SEASON
from ledger.recorder.problems import ProblemCode
from ledger.web.problems import WebCode
from ledger.web.schemas import NewNight

PROGRAM = Path(__file__).parents[2] / "ledger"
DOMAINS = ("words", "pages")

STANDING = {
    *(Code.NOT_IN_ROUND, Code.NOT_A_COMBINATION, Code.LOCKED_OUT, Code.NOT_YOUR_TURN, Code.MUST_OPEN_LOWEST),
    *(Code.DOES_NOT_BEAT, Code.PASS_ON_EMPTY_PILE, Code.OPENING_FORM, Code.SUIT_LOCKED, Code.LAST_CARD_TWO),
    *(Code.WRONG_LEADER, Code.CLAIM_TOO_LATE, Code.NOT_AN_INSTANT_WIN),
}
"""Codes of irregular moves: they stand, and become findings."""

PROBLEMS = {
    *("unreadable", "unauthorized", "forbidden", "not-found", "stale", "night-ended", "round-settled"),
    *("nothing-to-undo", "nothing-to-redo", "already-corrected", "already-disputed", "unsettled-round"),
    *("too-large", "unsupported-type", "id-reused", "too-many-requests", "busy", "full"),
}
"""Problem codes in the interface's description."""


def rulesets() -> Iterator[Ruleset]:
    """Every preset, and every preset with each house rule that does not contradict it."""
    for preset in PRESETS.values():
        yield preset
        for rule in HOUSE_RULES.values():
            for choice in rule.choices:
                try:
                    yield lay(preset, rule.name, choice)
                except Contradiction:
                    continue


RULESETS = list(rulesets())


def paths() -> set[str]:
    """Every group of a ruleset, and every field in one."""
    return {path.partition(".")[0] for path in fields_of_lines()} | fields_of_lines().keys()


def values() -> Iterator[str]:
    """Every word that is a value of a field or a house rule."""
    for hint in fields_of_lines().values():
        if isinstance(hint, type) and issubclass(hint, StrEnum):
            yield from hint
    yield from (choice for rule in HOUSE_RULES.values() for choice in rule.choices)


FAMILIES: Mapping[str, AbstractSet[str]] = {
    "suit": {suit.letter for suit in Suit},
    "rank": {rank.letter for rank in Rank},
    "ranks": {rank.letter for rank in Rank},
    "number": {str(number) for number in range(1, 14)},
    "kind": set(Kind),
    "shape": {rule.name.lower() for rule in SuitRule if rule},
    "combination": set(Kind),
    "move": {"play", "pass", "claim", "contract", "show", "declare", "cover"},
    "cover": set(CoverReason),
    "status": set(Status),
    "source": set(Source),
    "reason": {*Reason, "adjustment", "for another"},
    "heading": set(Heading),
    "role": {"keeper", "seat", "watch", "host"},
    "instant-win": {win.name for ruleset in RULESETS for win in ruleset.instant_wins.hands},
    "contract": {contract.name for ruleset in RULESETS for contract in ruleset.contracts},
    "custom": {custom for ruleset in RULESETS for custom in ruleset.customs},
    "ruleset": {id + text for id in PRESETS for text in ("", " line", " words")},
    "scheme": {name + text for name in SCHEMES for text in ("", " line")},
    "rule": {"yes", "no", "scheme", *paths(), *values(), *HOUSE_RULES},
    "says": {words.id for several in WORDS_OF_PRESETS.values() for words in several},
    "reading": {rule.name for rule in HOUSE_RULES.values() if rule.open},
    "clause": set(Clause),
    "finding": {*STANDING, *Notice},
    "step": {*StepKind, "total", "provisional", "covered", "unlisted"},
    "why-not": set(WhyNot),
    "csv": {*PAYMENTS, *SEASON},
    "entered": {"moves", "result"},
    "refusal": set(Code) - {Code.DOES_NOT_BEAT},
    "problem": {*PROBLEMS, *ProblemCode, *WebCode},
}
"""The first word of a key -> the words that may follow, for closed lists."""


def entries(language: str, domain: str) -> list[Message]:
    return [message for message in messages(language, domain) if message.id]


def key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def texts(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_item_of_a_closed_list_has_a_text(family: str, language: str) -> None:
    words = catalog(language).words
    assert {item for item in FAMILIES[family] if f"{family} {item}" not in words} == set()


@pytest.mark.parametrize("domain", DOMAINS)
def test_both_languages_have_the_same_texts_with_the_same_facts(domain: str) -> None:
    vi, en = ({key(one): facts(one) for one in entries(language, domain)} for language in ("vi", "en"))
    assert vi == en


def facts(message: Message) -> set[str]:
    return {name for text in texts(message) for name in re.findall(r"%\((\w+)\)s", text)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("domain", DOMAINS)
def test_no_text_is_written_twice_or_missing_or_doubtful(domain: str, language: str) -> None:
    """A catalog with the same key twice would silently use one of the texts."""
    written = (PROGRAM / "language" / language / f"{domain}.po").read_text(encoding="utf-8")
    found, header = entries(language, domain), 1
    assert len(re.findall("^msgid ", written, re.MULTILINE)) == header + len(found)
    assert [key(one) for one in found if one.fuzzy or not all(texts(one))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_has_no_percent_sign_that_is_not_a_fact(language: str) -> None:
    for message in entries(language, "words"):
        for text in texts(message):
            assert "%" not in re.sub(r"%\(\w+\)s", "", text)


def nodes(folder: Path) -> Iterator[ast.AST]:
    """The syntax of all modules in a folder."""
    for path in folder.rglob("*.py"):
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def literals(folder: Path) -> set[str]:
    """The string literals in a folder, with `*` for interpolated parts."""
    return {text for node in nodes(folder) for text in texts_of(node)}


def texts_of(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in parts)
        case ast.IfExp(body=one, orelse=other):
            yield from (*texts_of(one), *texts_of(other))


def test_every_word_is_used() -> None:
    sources = literals(PROGRAM / "language")
    unused = [word for word in catalog("vi").words if not is_used(word, sources)]
    assert unused == []


def is_used(word: str, sources: set[str]) -> bool:
    """Whether a key belongs to a closed list, to a special case of one, or occurs in the source."""
    first, _, rest = word.partition(" ")
    if first in FAMILIES:
        item, _, case = rest.partition(" ")
        known = item in FAMILIES[first] or rest in FAMILIES[first]
        told_by_its_facts = re.fullmatch(r"\([a-z_ ]+\)", case) is not None
        if known and (rest in FAMILIES[first] or told_by_its_facts or {case, f" {case}"} & sources):
            return True
        sources = {text for text in sources if text.strip("*") != f"{first} "}
    return any(matches(text, word) for text in sources if text.strip("*"))


def matches(pattern: str, word: str) -> bool:
    return compiled(pattern).fullmatch(word) is not None


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(re.escape(pattern).replace(r"\*", ".+"))


def test_whatever_is_expected_somewhere_is_said_in_the_readers_language() -> None:
    phrases = {*arguments(-1, "fail", "unreadable", "Unreadable")} - {"*: *"}  # a field's name, and its own
    assert "a reason" in phrases
    phrases |= {term.expected for term in WRITTEN.values()} | {*expected_by_fields()}
    keys = {f"expected {shape(phrase.partition(' (')[0].replace('*:', 'p*:'))}" for phrase in phrases}
    assert keys - catalog("vi").words == set()


def test_every_term_that_people_type_has_a_name_in_the_readers_language() -> None:
    assert {f"term {name}" for name in TYPED} - catalog("vi").words == set()


def test_whatever_a_ruleset_needs_is_said_in_the_readers_language() -> None:
    said = {shape(word) for word in catalog("vi").words if word.startswith("detail ")}
    assert {f"detail {shape(phrase)}" for phrase in arguments(0, "Unplayable")} - said == set()


def test_whatever_the_catalogs_know_as_expected_is_expected_somewhere() -> None:
    parts = {part.removesuffix(")") for text in literals(PROGRAM) for part in text.partition(" (")[::2]}
    said = {re.sub("[0-9]+", "#", part) for part in parts if re.search("[A-Za-z]{2}", part)}
    keys = {word for word in catalog("vi").words if word.startswith(("expected ", "detail "))}
    phrases = {word: word.partition(" ")[2] for word in keys}
    unused = {word for word, phrase in phrases.items() if phrase not in said}
    loose = [re.escape(part).replace(r"\*", ".*") for part in said if "*" in part]
    assert [word for word in unused if not any(re.fullmatch(part, phrases[word]) for part in loose)] == []


def arguments(place: int, *functions: str) -> Iterator[str]:
    """A literal argument of every call of some functions, with `*` for its interpolated parts."""
    for node in nodes(PROGRAM):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[_, *_]) if (
                name in functions
            ):
                yield from texts_of(node.args[place])


def expected_by_fields() -> Iterator[str]:
    """What the fields of requests expect."""
    schemas = (NewNight(), *(event.schema for event in KINDS.values()))
    left = [field for schema in schemas for field in schema.fields.values()]
    while left:
        field = left.pop()
        if not isinstance(field, fields.KindField) and (invalid := field.error_messages.get("invalid")):
            yield str(invalid)
        if isinstance(field, List):
            left.append(field.inner)
        if isinstance(field, Nested):
            left += field.schema.fields.values()


def shape(phrase: str) -> str:
    """A phrase with `#` for its numbers and interpolated parts, as keys have it."""
    return re.sub("[*#]|[0-9]+", "#", phrase)


def test_a_language_that_nobody_speaks_is_refused() -> None:
    with pytest.raises(ValueError, match="fr"):
        catalog("fr")


def test_a_key_that_is_not_there_is_an_error_of_the_program() -> None:
    with pytest.raises(KeyError):
        catalog("vi").word("refusal of nothing", {})
