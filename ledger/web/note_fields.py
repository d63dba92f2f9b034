"""Notes as pages and forms have them: a field for each word of the notation."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType

from ledger.game.cards import Card, Deck
from ledger.game.customs import Note
from ledger.game.notation import note_line
from ledger.game.rulesets.model import Dealer, Ruleset
from ledger.web.forms import Fields, cards_typed, one
from ledger.web.preferences import speaker

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


@dataclass(frozen=True, slots=True)
class NoteView:
    """A note by its kind and the words of its kind; of a form, unjudged."""

    kind: str
    player: str = ""
    other: str = ""
    count: str = ""
    card: str = ""
    until: str = ""
    clearing: str = ""
    cards: tuple[str, ...] = ()


def told(note: Note, deck: Deck) -> NoteView:
    """A note that was recorded, or is due."""
    _, kind, *words = note_line(note, deck).split()
    names = [name for name in WORDS[kind] if name != "cards"]
    view = NoteView(kind, **dict(zip(names, words, strict=False)))  # type: ignore[arg-type]
    return replace(view, cards=tuple(words[len(names) :])) if "cards" in WORDS[kind] else view


def spelled(note: NoteView) -> str:
    """Such a note in the words of the notation, as the recorder takes it."""
    said = (getattr(note, name) for name in WORDS[note.kind])
    words = ((one,) if isinstance(one, str) else one for one in said)
    return " ".join(chain((note.kind,), *words))


def typed(fields: Fields) -> dict[str, str]:
    """What a form says of a note, as it was typed."""
    return {name: one(fields, name) for name in FIELDS}


def read(typed: Mapping[str, str]) -> NoteView:
    """The note that was typed; cards are written as the notation writes them, if they are such."""
    values = {name: typed[name] for name in FIELDS if name not in ("note", "cards")}
    return NoteView(typed["note"], **values, cards=tuple(cards_typed(typed["cards"])))


def mistakes(note: NoteView, deck: Deck) -> Iterator[tuple[str, str]]:
    """The fields of a note that cannot be, each with what is wrong in it: a card, where it is about one."""
    names = WORDS.get(note.kind)
    if names is None:
        yield "note", ""
        return
    if "other" in names and note.other == note.player:
        yield "other", ""
    if "count" in names and not _COUNT.fullmatch(note.count):
        yield "count", ""
    if "cards" in names and (wrong := wrong_card(note.cards, deck)):
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
