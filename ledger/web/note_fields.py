"""Notes as pages and forms have them: a field for each word of the notation."""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ledger.game.cards import Card, Deck
from ledger.game.customs import Note
from ledger.game.notation import note_line
from ledger.game.rulesets.model import Dealer, Ruleset
from ledger.web.forms import Fields, cards_typed, one
from ledger.web.preferences import speaker

Data = dict[str, Any]

WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "deals": ("player",),
        "kneels": ("player", "until"),
        "sits": ("player",),
        "owes": ("player", "other", "count", "card"),
        "gives": ("player", "other", "cards"),
        "swaps": ("player", "other"),
        "clears": ("player", "clearing"),
    }
)
"""Kind of note -> what its words say, in the order of the notation; cards come last, a word each."""

FIELDS = ("note", "player", "other", "count", "card", "until", "clearing", "cards")
"""What the form of a note asks for; its kind is `note`."""

_COUNT = re.compile("[1-9][0-9]?")


def told(note: Note, deck: Deck) -> Data:
    """A note by its kind and the fields of its kind."""
    _, kind, *words = note_line(note, deck).split()
    names = WORDS[kind]
    data: Data = {"kind": kind, **dict(zip(names, words, strict=False))}
    if "count" in names:
        data["count"] = int(data["count"])
    if "cards" in names:
        data["cards"] = words[names.index("cards") :]
    return data


def spelled(note: Data) -> str:
    """Such a note in the words of the notation, as the recorder takes it."""
    values = (note[name] for name in WORDS[note["kind"]])
    return " ".join([note["kind"], *_words(values)])


def _words(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, list):
            yield from value
        else:
            yield str(value)


def typed(fields: Fields) -> dict[str, str]:
    """What a form says of a note, as it was typed."""
    return {name: one(fields, name) for name in FIELDS}


def read(typed: Mapping[str, str]) -> Data:
    """The note that was typed, unjudged; cards are written as the notation writes them, if they are such."""
    return {**typed, "kind": typed["note"], "cards": cards_typed(typed["cards"])}


def mistakes(note: Data, deck: Deck) -> Iterator[tuple[str, str]]:
    """The fields of a note that cannot be, each with what is wrong in it: a card, where it is about one."""
    names = WORDS.get(note["kind"])
    if names is None:
        yield "note", ""
        return
    if "other" in names and note["other"] == note["player"]:
        yield "other", ""
    if "count" in names and not _COUNT.fullmatch(note["count"]):
        yield "count", ""
    if "cards" in names and (wrong := wrong_card(note["cards"], deck)):
        yield "cards", wrong


def of_use(ruleset: Ruleset, players: int) -> list[str]:
    """The kinds of note that a table of so many players has a use for by its rules."""
    customs, kneeling, debts = ruleset.customs, ruleset.kneeling, ruleset.debts
    kneels, owes = kneeling.last or kneeling.chopped, debts.chopped or debts.loser
    uses = {
        "deals": ruleset.deal.dealer is not Dealer.OPEN,
        "kneels": kneels,
        "sits": kneels,
        "owes": owes,
        "gives": owes or "trading" in customs or "trading-before-play" in customs,
        "swaps": players > max(ruleset.deal.players) or "losers-spot" in customs,
        "clears": "winner-chooses-clearing" in customs,
    }
    return [kind for kind, use in uses.items() if use]


def wrong_card(words: Iterable[str], deck: Deck) -> str:
    """The first word that is no card of the deck, or one card too many; empty if there is none."""
    cards = []
    for word in words:
        try:
            cards.append(Card.read(word))
            twice = deck.gather(cards)[1]
        except ValueError:
            return word
        if twice:
            return word
    return ""


def no_card(word: str) -> str:
    """What is said to somebody who typed it."""
    words = speaker()
    sentence = words.gettext(
        "%(card)s is no card of this deck, or stands here twice. Write cards such as %(example)s."
    )
    return sentence % {"card": words.word_or_card(word), "example": words.cards_to_type(["2d", "2h"])}
