"""Cards, combinations, numbers, money and dates in one language; and parsing of typed amounts of money, with digits
in groups of three and the decimals of their currency."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Context, Decimal, localcontext
from functools import lru_cache

from babel import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import (
    format_currency,
    format_decimal,
    get_currency_precision,
    get_group_symbol,
    list_currencies,
)
from babel.units import format_unit

from ledger.game.cards import Card, Rank, Suit
from ledger.game.patterns import Kind, Pattern
from ledger.language.catalogs import LANGUAGES, Catalog

_MINUS = "−"
_NUMBER = re.compile("[0-9]+")
_FREE = re.compile("[#*]")
# Enough digits for any points times any stake: a product has no more digits than its factors together.
_EXACT = 1_000

CURRENCIES = tuple(sorted(list_currencies()))
"""The ISO 4217 codes of all currencies, past and present."""
_PLAIN = re.compile(r"(?P<figures>\d+)([.,](?P<decimals>\d{1,4}))?", re.ASCII)
_GROUPED = re.compile(
    r"(?P<figures>[1-9]\d{0,2}(?P<mark>[., ])\d{3}((?P=mark)\d{3})*)((?!(?P=mark))[.,](?P<decimals>\d{1,2}))?",
    re.ASCII,
)
_OF_THOUSANDS = re.compile(r"\d{1,6}([.,]\d{1,2})?", re.ASCII)
_SIGNS = {"đ": "VND", "₫": "VND", "vnđ": "VND", "đồng": "VND", "€": "EUR"}
"""Ways of writing a currency that are unambiguous, in lower case."""
_TWO_GROUPS = 6
"""The most digits in two groups of three."""


@dataclass(frozen=True, slots=True, eq=False)
class Voice:
    """Texts that do not depend on who did what. Cards are given as texts (`7d`)."""

    language: str
    catalog: Catalog

    def say(self, key: str, **facts: object) -> str:
        """The text under a key of the words, with the facts filled in; KeyError if there is none."""
        return self.catalog.word(key, facts)

    def knows(self, key: str) -> bool:
        """Whether there is a text under a key of the words."""
        return key in self.catalog.words

    # Cards

    def card(self, card: str) -> str:
        """`7d` as `7♦`; the ten as `10♦`; a card of the second pack with a mark."""
        return face(Card.read(card))

    def cards(self, cards: Iterable[str]) -> str:
        """Some cards, in the order given: `7♦ 7♥`."""
        return " ".join(map(self.card, cards))

    def card_name(self, card: str) -> str:
        """A card as it is read aloud: `7 rô`, `heo cơ`; `7 of diamonds`."""
        read = Card.read(card)
        name = self.say("card name", rank=self.rank(read.rank), suit=self.say(f"suit {read.suit.letter}"))
        return self.say("card name second", card=name) if read.back else name

    def card_names(self, cards: Iterable[str]) -> str:
        """Some cards as they are read aloud: `7 rô và heo cơ`."""
        return self.all_of(map(self.card_name, cards))

    def corner(self, card: str) -> str:
        """The text in the corner of a card, over its suit: `10`; with a mark for the second pack."""
        read = Card.read(card)
        return label(read.rank) + "'" * read.back

    def glyph(self, card: str) -> str:
        """The symbol of a card's suit: `♦`."""
        return glyph(Card.read(card).suit)

    def rank(self, rank: Rank) -> str:
        """A rank as it is read aloud: `heo`, `2`."""
        return self.say(f"rank {rank.letter}")

    def ranks(self, rank: Rank) -> str:
        """Several cards of a rank: `heo`, `2s`."""
        return self.say(f"ranks {rank.letter}")

    def kind(self, kind: str) -> str:
        """The name of a kind of combination."""
        return self.say(f"kind {Kind(kind)}")

    def combination(self, cards: Sequence[str], kind: str | None) -> str:
        """Cards with the name of their combination: `đôi 7♦ 7♥`, `pair 7♦ 7♥`; bare cards if they form none."""
        if kind is None:
            return self.cards(cards)
        return self.say(
            f"combination {Kind(kind)}",
            cards=self.cards(cards),
            number=self.number(len({Card.read(card).rank for card in cards})),
            count=self.number(len(cards)),
        )

    def shape(self, shape: Pattern, rank: Rank | None = None) -> str:
        """The name of a pattern: `đôi heo`, `ba đôi thông`, `sảnh 6 lá đồng chất`."""
        if shape.suits:
            name = self.shape(shape.shape, rank)
            return self.say(f"shape {shape.suits.name.lower()}", shape=name)
        number = self.number(shape.width if shape.length == 1 else shape.length)
        if shape.length == 1:
            key = f"same {shape.width}" if self.knows(f"same {shape.width}") else "same many"
            if rank is None:
                return self.say(key, number=number)
            return self.say(f"{key} of", number=number, rank=self.rank(rank), ranks=self.ranks(rank))
        kind = "loose" if shape.loose else "run"
        key = f"{kind} {shape.width}" if self.knows(f"{kind} {shape.width}") else f"{kind} many"
        name = self.say(key, number=number, width=self.number(shape.width))
        return name if rank is None else self.say("run up to", run=name, rank=self.rank(rank))

    def play_of_ranks(self, pattern: Pattern, ranks: Sequence[Rank]) -> str:
        """A play whose suits are not known: `đôi heo`, `sảnh 5 6 7`; `pair of 2s`."""
        if pattern.length == 1:
            return self.shape(pattern, ranks[0])
        return self.say(
            f"combination {Kind.of(pattern)}",
            cards=" ".join(map(label, ranks)),
            number=self.number(pattern.length),
            count=self.number(pattern.size),
        )

    # Numbers

    def number(self, number: int) -> str:
        """A small number as a word, a greater one in figures."""
        return self.say(f"number {number}") if self.knows(f"number {number}") else str(number)

    def ordinal(self, place: int) -> str:
        """A finishing place, for any number of players: `nhất`, `nhì`, `ba`."""
        return self.say(f"place {place}" if self.knows(f"place {place}") else "place other", place=place)

    def place(self, place: int, players: int) -> str:
        """A finishing place among so many players: `nhất`, `nhì`, `ba`, `bét`."""
        if place == players > 1:
            return self.say("place last")
        return self.ordinal(place)

    def signed(self, number: int) -> str:
        """`+3`, `−2`, `0`."""
        return f"+{number}" if number > 0 else self.plain(number)

    def plain(self, number: int) -> str:
        """A whole number with a real minus."""
        return str(number) if number >= 0 else _MINUS + str(-number)

    def points(self, count: int) -> str:
        """`3 điểm`, `1 point`."""
        return self.say("points", count=abs(count), number=self.plain(count))

    def average(self, points: int, rounds: int) -> str:
        """Points per round, to a tenth: `+1,5`, `+1.5`."""
        tenths = (Decimal(points) / rounds).quantize(Decimal("0.1"))
        text = format_decimal(abs(tenths), format="0.0", locale=self.language)
        if not tenths:
            return text
        return f"+{text}" if tenths > 0 else _MINUS + text

    def money(self, points: int, amount: str | Decimal, currency: str, *, signed: bool = False) -> str:
        """The value of points at `amount` each, exactly: without rounding or floats."""
        with localcontext(Context(prec=_EXACT)):
            worth = Decimal(amount) * points
            text = format_currency(abs(worth), currency, locale=self.language, decimal_quantization=False)
        if worth < 0:
            return _MINUS + text
        return f"+{text}" if signed and worth else text

    def amount(self, typed: str, currency: str) -> str:
        """A typed amount as a plain number: `5.000` dong, `5k`, `5 nghìn` and `5.000đ` are `5000`, `0,50` euros
        `0.50`.

        Raises ValueError, with a sentence that says how to write it, for what is no amount of the currency or is
        ambiguous: three digits after a mark are thousands if the currency has no decimals or the language writes
        thousands so.
        """
        text, thousands = _taken_apart(typed, currency)
        whole = not get_currency_precision(currency)
        if thousands and _OF_THOUSANDS.fullmatch(text):
            return f"{Decimal(text.replace(',', '.')) * 1000:.0f}"
        found = None if thousands else _GROUPED.fullmatch(text) or _PLAIN.fullmatch(text)
        if found is None or (whole and found["decimals"]):
            raise ValueError(self._how_to_write(currency, whole=whole))
        figures, decimals = re.sub("[., ]", "", found["figures"]), found["decimals"]
        mark = found.groupdict().get("mark")
        once = mark in (".", ",") and not decimals and len(figures) <= _TWO_GROUPS
        if once and not whole and mark != get_group_symbol(self.language):
            less = format_decimal(Decimal(figures) / 1000, locale=self.language)
            raise ValueError(self.say("amount two ways", typed=f"{text} {currency}", less=less, more=figures))
        return f"{figures}.{decimals}" if decimals else figures

    def _how_to_write(self, currency: str, *, whole: bool) -> str:
        thousands = format_decimal(5000, locale=self.language)
        if whole:
            return self.say("amount whole", currency=currency, example=thousands)
        half = format_decimal(Decimal("0.5"), "0.00", locale=self.language)
        return self.say("amount", example=thousands, decimals=half)

    # Days and minutes

    def day(self, day: date) -> str:
        """A day of this year: `20/11`, `20 Nov`."""
        return format_date(day, self.say("day pattern"), locale=self.language)

    def full_day(self, day: date) -> str:
        """A day with its year: `20/11/2026`, `20 Nov 2026`."""
        return format_date(day, self.say("full day pattern"), locale=self.language)

    def minutes(self, count: int) -> str:
        """A duration: `7 phút`, `7 min`; its own words for less than one."""
        if not count:
            return self.say("under a minute")
        return format_unit(count, "minute", "short", locale=self.language)

    # Sentences

    def all_of(self, items: Iterable[str]) -> str:
        """`An, Bình và Chi`."""
        return format_list(list(items), locale=_locale(self.language))

    def any_of(self, items: Iterable[object]) -> str:
        """`2, 3 hoặc 4`."""
        return format_list([str(item) for item in items], style="or", locale=_locale(self.language))

    def capital(self, text: str) -> str:
        """The text with its first letter in upper case; the rest unchanged."""
        return text[:1].upper() + text[1:]

    def expected(self, phrase: str) -> str:
        """Translate an English phrase for what was expected; numbers, an example in brackets, and the name of a
        field before it are kept. A phrase that is not in the catalog stays English."""
        what, bracket, more = phrase.partition(" (")
        key = f"expected {_NUMBER.sub('#', what)}"
        if not self.knows(key):
            field, colon, of_it = phrase.partition(": ")
            return f"{field}: {self.expected(of_it)}" if colon and " " not in field else phrase
        sentence = _filled(self.say(key), _NUMBER.findall(what))
        return f"{sentence} ({self._detail(more.removesuffix(')'))})" if bracket else sentence

    def _detail(self, detail: str) -> str:
        """Translate the brackets after an expectation; an example, which is not in the catalog, is unchanged."""
        for shape, pattern in _details(self.catalog.words):
            if found := pattern.fullmatch(detail):
                return _filled(self.say(f"detail {shape}"), map(self._quoted, found.groups()))
        return detail

    def _quoted(self, part: str) -> str:
        """A preset's sentence by its id; any other part unchanged."""
        return self.say(f"says {part}") if self.knows(f"says {part}") else part

    def best(self, key: str, facts: Mapping[str, object]) -> str:
        """The text under a key that uses most of the facts. KeyError if there is none.

        A text that needs facts names them in its key: `problem stale (count)`.
        """
        given = {name for name, value in facts.items() if value is not None}
        found = [
            (len(needed), word)
            for word in self.catalog.words
            if (needed := _needed(word, key)) is not None and needed <= given
        ]
        if not found:
            raise KeyError(key)
        return self.say(max(found)[1], **facts)


def currency_typed(typed: str) -> str:
    """The code of a currency as people type it, `đ` or `vnd`; anything else in upper case."""
    return _SIGNS.get(typed.lower(), typed.upper())


def _taken_apart(typed: str, currency: str) -> tuple[str, bool]:
    """A typed amount without the currency and the word for thousands, and whether that word was there."""
    text = " ".join(typed.split())
    signs = "|".join(map(re.escape, (currency, *(sign for sign, code in _SIGNS.items() if code == currency))))
    found = re.fullmatch(rf"(?P<number>.*\d) ?(?P<thousands>k|nghìn|ngàn)? ?({signs})?", text, re.IGNORECASE)
    return (found["number"], bool(found["thousands"])) if found else (text, False)


@lru_cache(maxsize=len(LANGUAGES))
def _locale(language: str) -> Locale:
    """The locale of a language, which Babel would load again at every use."""
    return Locale(language)


def face(card: Card) -> str:
    """The text on a card, with a mark for the second pack: `7♦`, `7♦'`."""
    return label(card.rank) + glyph(card.suit) + "'" * card.back


def label(rank: Rank) -> str:
    """The text on cards of a rank: `10`, `J`."""
    return "10" if rank is Rank.TEN else rank.letter


def glyph(suit: Suit) -> str:
    """The symbol of a suit."""
    return "♠♣♦♥"[suit]


def _filled(text: str, parts: Iterable[str]) -> str:
    """A text of the catalog with numbers for `#` and words for `*`, in order."""
    left = iter(parts)
    return _FREE.sub(lambda _: next(left), text)


@lru_cache(maxsize=len(LANGUAGES))
def _details(words: frozenset[str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The bracketed texts of the catalog, each with its regular expression, the most specific first."""
    shapes = [word.removeprefix("detail ") for word in words if word.startswith("detail ")]
    return tuple(
        (shape, re.compile(re.escape(shape).replace(r"\#", "([0-9]+)").replace(r"\*", "(.+?)")))
        for shape in sorted(shapes, key=lambda shape: (-len(_FREE.sub("", shape)), shape))
    )


def _needed(word: str, key: str) -> set[str] | None:
    """The facts that a text under this key needs; None if it is not under it."""
    if word == key:
        return set()
    if word.startswith(f"{key} (") and word.endswith(")"):
        return set(word[len(key) + 2 : -1].split())
    return None
