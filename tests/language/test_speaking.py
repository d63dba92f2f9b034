"""Cards, combinations, numbers, money and dates: what is said of them (`tests/cases/said.txt`)."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from ledger.game.patterns import Target
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.game.rulesets.overrides import field_lines, with_rules
from ledger.game.rulesets.serialization import fields_of_lines, read_field
from ledger.language import LANGUAGES, Speaker, currency_typed, speaker
from tests.case_files import lines_below_headings
from tests.game.rulesets.agreed import SWITCHES

VI, EN = speaker("vi"), speaker("en")


def combination(say: Speaker, text: str) -> str:
    kind, _, cards = text.partition(": ")
    return say.combination(cards.split(), None if kind == "none" else kind)


def shape(say: Speaker, text: str) -> str:
    target = read_field(Target, text)
    return say.shape(target.shape, target.rank)


def money(say: Speaker, text: str, *, signed: bool = False) -> str:
    points, _, amount, currency = text.split()
    said = say.money(int(points), amount, currency, signed=signed)
    assert said == say.money(int(points), Decimal(amount), currency, signed=signed)
    return said


def place(say: Speaker, text: str) -> str:
    return say.knocked_out() if text == "knocked out" else say.place(*map(int, text.split(" of ")))


def rulesets_called(say: Speaker, called: str) -> str:
    return " ".join(id for id in PRESETS if called in say.ruleset_words(id))


def word(say: Speaker, text: str) -> str:
    method, _, asked = text.partition(" ")
    return str(getattr(say, method)(asked))


SAYS: dict[str, Callable[[Speaker, str], str]] = {
    "a card": lambda say, card: say.card(card),
    "cards": lambda say, cards: say.cards(cards.split()),
    "a card read out": lambda say, card: say.card_name(card),
    "cards read out": lambda say, cards: say.card_names(cards.split()),
    "the corner of a card": lambda say, card: f"{say.corner(card)} {say.glyph(card)}",
    "a combination": combination,
    "a combination at the beginning of a sentence": lambda say, text: say.capital(combination(say, text)),
    "a shape": shape,
    "points with their sign": lambda say, points: say.signed(int(points)),
    "an average": lambda say, text: say.average(*map(int, text.split("/"))),
    "points": lambda say, points: say.points(int(points)),
    "money": money,
    "money that was won": lambda say, text: money(say, text, signed=True),
    "minutes": lambda say, count: say.minutes(int(count)),
    "a place": place,
    "a word of the record": word,
    "what was expected": lambda say, phrase: say.expected(phrase),
    "an unreadable line": lambda say, phrase: say.unreadable(phrase),
    "a rule": lambda say, line: say.rule(*line.split("=")),
    "the rulesets that people call so": rulesets_called,
    "the currency of": lambda say, typed: currency_typed(typed),
    "a contradiction": lambda say, names: say.contradiction(*names.split()),
}
"""What a heading of `said.txt` asks for."""


def test_a_language_is_spoken_by_one_speaker() -> None:
    assert speaker("vi") is VI
    with pytest.raises(ValueError, match="fr"):
        speaker("fr")


@pytest.mark.parametrize(("heading", "line"), list(lines_below_headings("said.txt")))
def test_what_is_said_is_what_the_line_tells(heading: str, line: str) -> None:
    given, _, answers = line.partition(" => ")
    for say, answer in zip((VI, EN), answers.split(" | "), strict=True):
        assert answer == "*" or SAYS[heading](say, given) == answer.replace("~", "\xa0")


def test_a_ruleset_of_our_own_has_no_line_of_its_own() -> None:
    assert VI.ruleset_line("southern-winner-takes-all")
    assert VI.ruleset_line("of-our-own") == ""
    assert VI.ruleset_words("of-our-own") == ()


def wrong_rules() -> set[str]:
    """The reasons for refusing one rule, or several together."""
    preset = PRESETS["southern-classic"]
    named = (*fields_of_lines(), *HOUSE_RULES, "scheme", "foo")
    asked = [[(path, text)] for path in named for text in ("foo", "0", "9999", "9")]
    asked += [[("payments.captured", text)] for text in ("4:2,4:3", "any:1", ",".join(["4@A:1"] * 30))]
    asked += [[("trumps", "3s':1")], [("combinations.same_rank", "1,9")]]
    asked += [[("passing.locks", "no"), ("passing.locks", "yes")]]
    asked += [[(path, "yes") for path in ("nothing-beats-several-twos", "four-of-a-kind-beats-any-twos")]]
    found = set()
    for rules in asked:
        try:
            with_rules(preset, rules)
        except ValueError as error:
            found.add(str(error))
    return found


def test_why_a_house_rule_is_refused_is_said_in_the_readers_language() -> None:
    whys = wrong_rules()
    assert len(whys) > 50
    assert [why for why in whys if why in VI.expected(f"a house rule ({why})")] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("path", "value"), [*SWITCHES, *field_lines(PRESETS["southern-classic"])])
def test_every_house_rule_has_a_name(path: str, value: str, language: str) -> None:
    assert speaker(language).rule(path, value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_house_rule_that_a_ruleset_rules_out_is_refused_with_its_words(language: str) -> None:
    say = speaker(language)
    sentence = say.contradiction("four-pairs-chop-late", "no-chops-late", "melbourne")
    assert say.say("says no-chops-late") in sentence
    assert say.field("four-pairs-chop-late") in sentence
    assert say.ruleset("melbourne") in sentence
    line = say.expected("a house rule (suit-lock contradicts no-trading-or-locks, which hawaii says)")
    assert say.say("says no-trading-or-locks") in line
    assert "no-trading-or-locks" not in line


def test_many_things_are_counted_even_where_no_catalog_has_them() -> None:
    assert EN.ngettext("%(n)s thing nobody has", "%(n)s things nobody has", 2) == "%(n)s things nobody has"
