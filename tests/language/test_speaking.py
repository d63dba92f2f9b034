"""Cards, combinations, numbers, money and dates."""

from decimal import Decimal

import pytest

from ledger.game.cards import Rank
from ledger.game.patterns import Pattern
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.game.rulesets.overrides import field_lines, with_rules
from ledger.game.rulesets.serialization import fields_of_lines
from ledger.language import LANGUAGES, speaker

VI, EN = speaker("vi"), speaker("en")


def test_a_language_is_spoken_by_one_speaker() -> None:
    assert speaker("vi") is VI
    with pytest.raises(ValueError, match="fr"):
        speaker("fr")


def test_a_card_is_shown_as_it_is_printed() -> None:
    assert [VI.card(card) for card in ("7d", "Th", "2s", "Jc")] == ["7♦", "10♥", "2♠", "J♣"]
    assert EN.cards(["7d", "7h"]) == "7♦ 7♥"


def test_a_card_is_read_out_as_it_is_called() -> None:
    assert [VI.card_name(card) for card in ("7d", "2h", "Ts", "Jc", "Qd", "Kh", "As")] == [
        "7 rô",
        "heo cơ",
        "10 bích",
        "bồi chuồn",
        "đầm rô",
        "già cơ",
        "xì bích",
    ]
    assert EN.card_name("7d") == "7 of diamonds"
    assert EN.card_name("As") == "ace of spades"


def test_a_card_of_the_second_pack_carries_a_mark() -> None:
    assert VI.card("3s'") == "3♠'"
    assert VI.card_name("3s'") == "3 bích bộ thứ hai"
    assert EN.card_name("Kd'") == "king of diamonds, second pack"


def test_some_cards_are_read_out_one_after_the_other() -> None:
    assert VI.card_names(["7d", "7h", "2s"]) == "7 rô, 7 cơ và heo bích"
    assert EN.card_names(["7d"]) == "7 of diamonds"


def test_the_corner_of_a_card_has_its_rank_over_its_suit() -> None:
    assert [(VI.corner(card), VI.glyph(card)) for card in ("Td", "2s", "Kh'")] == [
        ("10", "♦"),
        ("2", "♠"),
        ("K'", "♥"),
    ]


@pytest.mark.parametrize(
    ("cards", "kind", "vi", "en"),
    [
        ("7d", "single", "7♦", "7♦"),
        ("7d 7h", "pair", "đôi 7♦ 7♥", "pair 7♦ 7♥"),
        ("7c 7d 7h", "triple", "sám 7♣ 7♦ 7♥", "triple 7♣ 7♦ 7♥"),
        ("2s 2c 2d 2h", "four-of-a-kind", "tứ quý 2♠ 2♣ 2♦ 2♥", "four of a kind 2♠ 2♣ 2♦ 2♥"),
        ("3s 4d 5h", "sequence", "sảnh 3♠ 4♦ 5♥", "sequence 3♠ 4♦ 5♥"),
        (
            "3s 3d 4s 4d 5s 5d",
            "pair-sequence",
            "ba đôi thông 3♠ 3♦ 4♠ 4♦ 5♠ 5♦",
            "three-pair sequence 3♠ 3♦ 4♠ 4♦ 5♠ 5♦",
        ),
        (
            "5s 5s 5c 5d 5h",
            "more-of-a-kind",
            "năm lá cùng số 5♠ 5♠ 5♣ 5♦ 5♥",
            "five of a kind 5♠ 5♠ 5♣ 5♦ 5♥",
        ),
        (
            "3s 3c 3d 3h 9s 9c 9d 9h",
            "fours",
            "hai tứ quý 3♠ 3♣ 3♦ 3♥ 9♠ 9♣ 9♦ 9♥",
            "two fours of a kind 3♠ 3♣ 3♦ 3♥ 9♠ 9♣ 9♦ 9♥",
        ),
        ("7d 9h", None, "7♦ 9♥", "7♦ 9♥"),
    ],
)
def test_a_combination_is_named_with_its_cards(cards: str, kind: str | None, vi: str, en: str) -> None:
    assert VI.combination(cards.split(), kind) == vi
    assert EN.combination(cards.split(), kind) == en


@pytest.mark.parametrize(
    ("shape", "rank", "vi", "en"),
    [
        (Pattern(1), None, "rác", "single"),
        (Pattern(1), Rank.TWO, "một lá heo", "single 2"),
        (Pattern(5), None, "năm lá cùng số", "five of a kind"),
        (Pattern(6), Rank.TWO, "sáu lá heo", "six 2s"),
        (Pattern(1, 5), Rank.KING, "sảnh năm lá tới già", "sequence of five up to king"),
        (Pattern(4, 2), None, "hai tứ quý liên tiếp", "two consecutive fours of a kind"),
        (Pattern(4, 2, loose=True), None, "hai tứ quý bất kỳ", "two fours of a kind"),
        (Pattern(2, 3, loose=True), None, "ba bộ hai lá", "three sets of two"),
        (Pattern(5, 2), None, "hai bộ năm lá liên tiếp", "two consecutive sets of five"),
        (Pattern(2, 14), None, "14 đôi thông", "14-pair sequence"),
    ],
)
def test_every_shape_has_a_name(shape: Pattern, rank: Rank | None, vi: str, en: str) -> None:
    assert VI.shape(shape, rank) == vi
    assert EN.shape(shape, rank) == en


def test_the_beginning_of_a_sentence_leaves_the_cards_alone() -> None:
    assert VI.capital(VI.combination(["Jd", "Jh"], "pair")) == "Đôi J♦ J♥"


def test_points_are_signed_with_a_real_minus() -> None:
    assert [VI.signed(points) for points in (3, -2, 0)] == ["+3", "−2", "0"]


def test_an_average_is_said_to_a_tenth_in_the_languages_own_figures() -> None:
    assert [VI.average(*some) for some in ((3, 2), (-7, 3), (0, 4), (1, 40))] == [
        "+1,5",
        "−2,3",
        "0,0",
        "0,0",
    ]
    assert EN.average(-7, 3) == "−2.3"
    assert VI.points(3) == "3 điểm"
    assert [EN.points(points) for points in (1, 3, -1, 0)] == ["1 point", "3 points", "−1 point", "0 points"]


@pytest.mark.parametrize(
    ("points", "amount", "currency", "vi", "en"),
    [
        (150, "1000", "VND", "150.000\xa0₫", "₫150,000"),
        (-9, "5000", "VND", "−45.000\xa0₫", "−₫45,000"),
        (3, "0.50", "EUR", "1,50\xa0€", "€1.50"),
        (3, Decimal("0.3333"), "USD", "0,9999\xa0US$", "$0.9999"),
        (3, "0.1", "VND", "0,3\xa0₫", "₫0.3"),
        (0, "1000", "VND", "0\xa0₫", "₫0"),
        (
            10**25 + 1,
            "0.0001",
            "VND",
            "1.000.000.000.000.000.000.000,0001\xa0₫",
            "₫1,000,000,000,000,000,000,000.0001",
        ),
    ],
)
def test_money_is_exact(points: int, amount: str, currency: str, vi: str, en: str) -> None:
    assert VI.money(points, amount, currency) == vi
    assert EN.money(points, amount, currency) == en


def test_money_that_was_won_may_carry_its_sign() -> None:
    assert VI.money(23, "5000", "VND", signed=True) == "+115.000\xa0₫"
    assert VI.money(0, "5000", "VND", signed=True) == "0\xa0₫"
    assert VI.money(-18, "5000", "VND", signed=True) == "−90.000\xa0₫"


def test_how_long_something_took_is_said_in_minutes() -> None:
    assert [VI.minutes(count) for count in (0, 1, 75)] == ["dưới 1 phút", "1 phút", "75 phút"]
    assert [EN.minutes(count) for count in (0, 1, 75)] == ["under 1 min", "1 min", "75 min"]


def test_the_last_place_has_a_name_of_its_own() -> None:
    assert [VI.place(place, 4) for place in range(1, 5)] == ["nhất", "nhì", "ba", "bét"]
    assert [EN.place(place, 6) for place in range(1, 7)] == ["1st", "2nd", "3rd", "4th", "5th", "last"]
    assert VI.place(1, 1) == "nhất"
    assert VI.knocked_out() == "cóng"


def test_the_words_of_the_record() -> None:
    assert EN.kind("pair-sequence") == "pair sequence"
    assert VI.move_kind("pass") == "bỏ lượt"
    assert EN.status("unsettled") == "waiting for hands"
    assert EN.source("deduced") == "deduced"
    assert VI.reason("hoarding-penalty") == "thối"
    assert VI.reason("trả tiền nước") == "trả tiền nước"
    assert VI.role("keeper") == "người ghi"
    assert VI.instant_win("dragon") == "sảnh rồng"


def test_a_ruleset_that_is_no_preset_goes_by_its_id() -> None:
    assert VI.ruleset("southern-winner-takes-all") == "Miền Nam: nhất ăn tất"
    assert VI.ruleset_line("southern-winner-takes-all")
    assert (VI.ruleset("of-our-own"), VI.ruleset_line("of-our-own")) == ("of-our-own", "")


def single_line_rules() -> list[tuple[str, str]]:
    """Every house rule and every field, each with a value."""
    switches = [(rule.name, choice) for rule in HOUSE_RULES.values() for choice in rule.choices]
    return switches + field_lines(PRESETS["southern-classic"])


@pytest.mark.parametrize(
    ("phrase", "sentence"),
    [
        ("a player (p1 to p12)", "một người chơi (từ p1 tới p12)"),
        ("a house rule (no such rule: foo)", "một luật riêng của bàn (không có luật foo)"),
        (
            "a house rule (suit-lock takes forced, loose)",
            "một luật riêng của bàn (suit-lock nhận một trong: forced, loose)",
        ),
        ("a house rule (64 at the most)", "một luật riêng của bàn (nhiều nhất 64)"),
        ("a card (3s, Th)", "một lá bài (3s, Th)"),
        ("a card (*, #)", "một lá bài (*, #)"),
        ("nothing of the kind (no such rule: foo)", "nothing of the kind (no such rule: foo)"),
    ],
)
def test_what_was_expected_is_said_with_what_stands_in_brackets(phrase: str, sentence: str) -> None:
    assert VI.expected(phrase) == sentence
    assert EN.expected(phrase) == phrase


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
@pytest.mark.parametrize(("path", "value"), single_line_rules())
def test_every_house_rule_has_a_name(path: str, value: str, language: str) -> None:
    assert speaker(language).rule(path, value)


def test_a_house_rule_is_said_with_its_value() -> None:
    assert VI.rule("passing.locks", "no") == "Bỏ lượt là nghỉ hết vòng: không"
    assert EN.rule("deal.hand", "17") == "Cards dealt to each player: 17"
    assert EN.rule("triple-beats-ace", "yes") == "A triple beats a single ace"
    assert VI.rule("suit-lock", "optional") == "Sảnh đồng chất khóa vòng: tùy người đánh"


def test_two_house_rules_that_contradict_each_other_are_both_named() -> None:
    sentence = EN.contradiction("no-instant-wins", "five-pairs-win-at-once")
    assert (
        sentence
        == "“No instant wins” contradicts “Five consecutive pairs win at once”. Leave one of them out."
    )


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


def test_the_words_of_a_source_are_quoted_as_they_are() -> None:
    assert EN.say("says no-chops-late") == "“Chops cannot be used out-of-turn, or after a pass.”"
    assert EN.say("says no-trading-or-locks") == "“There are no trading or locks.”"


@pytest.mark.parametrize(
    ("called", "preset"),
    [
        ("đếm lá", "card-count"),
        ("miền Bắc", "northern"),
        ("killer", "hawaii"),
        ("VC", "viet-cong"),
        ("VC", "interns"),
        ("13", "thirteen"),
        ("guaransheed", "pro-play"),
    ],
)
def test_a_ruleset_is_found_by_what_people_call_it(called: str, preset: str) -> None:
    assert called in VI.ruleset_words(preset)
    assert VI.ruleset_words("of-our-own") == ()


def test_what_is_agreed_on_has_words() -> None:
    assert EN.contract("guaransheed") == "guaransheed"
    assert EN.custom("no-trading") == "Cards are not traded."


def test_the_pages_are_answered_by_the_same_speaker() -> None:
    assert VI.gettext("a text that no catalog has") == "a text that no catalog has"
    assert EN.ngettext("%(n)s thing nobody has", "%(n)s things nobody has", 2) == "%(n)s things nobody has"
