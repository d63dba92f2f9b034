"""Money as people type it, in the page's language."""

import pytest

from ledger.language import currency_typed, speaker


@pytest.mark.parametrize(
    ("language", "typed", "currency", "meant"),
    [
        ("vi", "5000", "VND", "5000"),
        ("vi", "5.000", "VND", "5000"),
        ("vi", "5,000", "VND", "5000"),
        ("en", "5.000", "VND", "5000"),
        ("vi", "1.000", "JPY", "1000"),
        ("en", "10,000", "KRW", "10000"),
        ("vi", "1.234.567", "VND", "1234567"),
        ("vi", "10 000", "VND", "10000"),
        ("vi", " 10\u00a0000 ", "VND", "10000"),
        ("en", "10\u202f000", "EUR", "10000"),
        ("vi", "5.000", "USD", "5000"),
        ("en", "5,000", "USD", "5000"),
        ("vi", "0,50", "EUR", "0.50"),
        ("vi", "0.50", "EUR", "0.50"),
        ("en", "0,5", "EUR", "0.5"),
        ("en", "0.125", "USD", "0.125"),
        ("vi", "1.234,50", "USD", "1234.50"),
        ("en", "1,234.50", "USD", "1234.50"),
        ("en", "1.234.567", "EUR", "1234567"),
        ("vi", "5k", "VND", "5000"),
        ("vi", "1,5 K", "VND", "1500"),
        ("en", "2k", "USD", "2000"),
        ("vi", "5.000đ", "VND", "5000"),
        ("vi", "20k VNĐ", "VND", "20000"),
        ("vi", "5000 ₫", "VND", "5000"),
        ("vi", "5 nghìn", "VND", "5000"),
        ("vi", "1,5 Ngàn đồng", "VND", "1500"),
        ("vi", "5kđ", "VND", "5000"),
        ("vi", "5.000 đồng", "VND", "5000"),
        ("en", "5000 KRW", "KRW", "5000"),
        ("en", "5kkrw", "KRW", "5000"),
        ("en", "0.50€", "EUR", "0.50"),
        ("en", "0.50 usd", "USD", "0.50"),
    ],
)
def test_an_amount_is_read_as_people_write_it(language: str, typed: str, currency: str, meant: str) -> None:
    assert speaker(language).amount(typed, currency) == meant


@pytest.mark.parametrize(
    ("language", "typed", "less", "more"),
    [("en", "5.000", "5", "5000"), ("vi", "5,250", "5,25", "5250"), ("en", "12.500", "12.5", "12500")],
)
def test_what_could_be_a_thousand_times_as_much_is_refused_with_both_readings(
    language: str, typed: str, less: str, more: str
) -> None:
    with pytest.raises(ValueError, match=rf"{typed} USD .* {less} \w+ {more}\."):
        speaker(language).amount(typed, "USD")
    assert speaker(language).amount(less, "USD") == less.replace(",", ".")


@pytest.mark.parametrize(
    "typed",
    [
        "0,5",
        "0.50",
        "0.500",
        "5.00",
        "5.0000",
        "5.000,00",
        "12.34.567",
        "nhiều",
        "-5",
        "5.000k",
        "5 nghìn nghìn",
        "nghìn",
        "5€",
        "k",
        "đ",
    ],
)
def test_a_currency_without_decimals_takes_whole_numbers_only(typed: str) -> None:
    with pytest.raises(ValueError, match=r"VND.*5\.000"):
        speaker("vi").amount(typed, "VND")


@pytest.mark.parametrize("typed", ["nhiều", "1e3", "-5", "1 00", "1.000.00", "1,234,5", "NaN", "٥", ".5"])
def test_what_is_no_amount_is_refused_with_examples(typed: str) -> None:
    with pytest.raises(ValueError, match=r"5,000.*0\.50"):
        speaker("en").amount(typed, "USD")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("đ", "VND"), ("Đ", "VND"), ("₫", "VND"), ("VNĐ", "VND"), ("vnd", "VND"), ("€", "EUR"), ("usd", "USD")],
)
def test_a_currency_is_known_by_its_code_or_by_what_people_write_for_it(typed: str, meant: str) -> None:
    assert currency_typed(typed) == meant


def test_a_sign_that_several_currencies_have_is_none() -> None:
    assert currency_typed("$") == "$"
