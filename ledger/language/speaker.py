"""The speaker of a language: every code, kind and reason in words."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from babel import localedata

from ledger.game.agreed import Need
from ledger.game.cards import Card
from ledger.game.hands import Source
from ledger.game.moves import CoverReason
from ledger.game.report import Words
from ledger.game.rulesets.idle import Idle
from ledger.game.rulesets.overlays import prices
from ledger.game.rulesets.overlays.schemes import RULE as SCHEME
from ledger.game.scoring import Status
from ledger.game.statistics import Heading
from ledger.language.catalogs import LANGUAGES, catalog
from ledger.language.sentences import Sentences

_SUIT = re.compile("(?<=.)[a-z](?=['’]?$)", re.IGNORECASE | re.ASCII)
"""The letter of a suit in a card: after a rank, before the mark of the second pack."""


@dataclass(frozen=True, slots=True, eq=False)
class Speaker(Sentences):
    """All texts of one language. `gettext` and `ngettext` are for the texts of the templates."""

    @property
    def gettext(self) -> Callable[[str], str]:
        return self.catalog.translations.gettext

    @property
    def ngettext(self) -> Callable[[str, str, int], str]:
        return self.catalog.translations.ngettext

    @property
    def words(self) -> Words:
        """The sentences of a report."""
        return Words(self.refusal, self.finding, self.disagreement, self.unreadable, self.idle)

    # The words of the record

    def move_kind(self, kind: str) -> str:
        """The name of a kind of move: play, pass, claim, contract, show, declare or cover."""
        return self.say(f"move {kind}")

    @property
    def cover_reasons(self) -> dict[str, str]:
        """Why a player pays what others owe -> the same in words."""
        return {why: self.say(f"cover {why}") for why in CoverReason}

    def clause(self, clause: str) -> str:
        """The title of a clause, by its id: `S-PASS` is *Passing*."""
        return self.say(f"clause {clause.partition('-')[2]}")

    def status(self, status: str) -> str:
        """How far a round has progressed."""
        return self.say(f"status {Status(status)}")

    def source(self, source: str) -> str:
        """How a hand is known."""
        return self.say(f"source {Source(source)}")

    def reason(self, reason: str, owed_by: str = "") -> str:
        """What a payment is for, and whom, if another player owed it; a reason typed by a person is returned
        unchanged."""
        text = self._named("reason", reason)
        return self.say("reason for another", name=owed_by, reason=text) if owed_by else text

    def heading(self, heading: str) -> str:
        """A source of points, in statistics."""
        return self.say(f"heading {Heading(heading)}")

    def role(self, role: str) -> str:
        """The holder of a link: keeper, seat, watch; or the host."""
        return self.say(f"role {role}")

    def phone(self, phone: str) -> str:
        """The name of a phone in the log: the one that its users gave it, else two words derived from its tag."""
        tag, _, name = phone.partition(" ")
        fruits, colours = (self.say(f"phone {what}").split(", ") for what in ("fruits", "colours"))
        number, fruit = divmod(int(tag, 16), len(fruits))
        return name or self.say("phone", fruit=fruits[fruit], colour=colours[number % len(colours)])

    def knocked_out(self) -> str:
        return self.say("place knocked out")

    def instant_win(self, name: str) -> str:
        """The name of an instant win; one that a table made keeps its own name."""
        return self._named("instant-win", name)

    # The words of the rules

    def ruleset(self, ruleset_id: str) -> str:
        """A ruleset's name; the id of one that is no longer a preset."""
        return self._named("ruleset", ruleset_id)

    def ruleset_line(self, ruleset_id: str) -> str:
        """A ruleset in a line; empty for one that is no longer a preset."""
        key = f"ruleset {ruleset_id} line"
        return self.say(key) if self.knows(key) else ""

    def ruleset_words(self, ruleset_id: str) -> tuple[str, ...]:
        """Other names of a ruleset, for a search; empty for one that is no longer a preset."""
        key = f"ruleset {ruleset_id} words"
        return tuple(self.say(key).split(", ")) if self.knows(key) else ()

    def rule(self, path: str, value: str) -> str:
        """A rule of a table's own: a field (`passing.locks`, `no`), a house rule (`suit-lock`, `forced`), or its
        payment scheme."""
        if path == SCHEME:
            return self.say("rule", name=self.field(path), value=self.scheme(value))
        if "." not in path and value == "yes":
            return self.field(path)
        return self.say("rule", name=self.field(path), value=self.rule_value(value))

    def rule_value(self, value: str) -> str:
        """A field's value or a house rule's choice in words; a number is unchanged."""
        return self._named("rule", value)

    def scheme(self, name: str) -> str:
        """The name of a payment scheme; one that no longer exists keeps its id."""
        return self._named("scheme", name)

    def scheme_line(self, name: str) -> str:
        """A payment scheme in a line."""
        return self.say(f"scheme {name} line")

    def field(self, path: str) -> str:
        """The name of a field of a ruleset, a group of them, a house rule or a price."""
        return self._price(path) if path.startswith(prices.PREFIX) else self.say(f"rule {path}")

    def _price(self, path: str) -> str:
        if path.startswith(prices.PLACES):
            return self.say("price places", count=path.removeprefix(prices.PLACES))
        if path.startswith(prices.SHEETS):
            return self.say("price sheet", count=path.removeprefix(prices.SHEETS))
        if path.startswith(prices.WINS):
            return self.say("price wins", what=self.instant_win(path.removeprefix(prices.WINS)))
        if path.endswith(prices.LEFT):
            return self.say("price left", what=self._price(path.removesuffix(prices.LEFT)))
        name = path.removeprefix(prices.PREFIX)
        if self.knows(f"price {name}"):
            return self.say(f"price {name}")
        target = prices.target_named(name)
        if target is None or target.shape is None:
            return path
        return self.capital(self.shape(target.shape, target.rank))

    def idle(self, rule: Idle) -> str:
        """That a chosen rule has no effect, and what it needs or what overrules it."""
        facts = {"rule": self.rule(rule.path, rule.value)}
        if rule.needs:
            needs = (self.any_of(map(self._need, ways)) for ways in rule.needs)
            sentence = self.say("rule idle without", needs=self.all_of(needs), **facts)
            more = f"idle {rule.path}"
            return f"{sentence} {self.say(more)}" if self.knows(more) else sentence
        if rule.overruled_by:
            others = self.all_of(
                self.rule(path, value) if value else self.field(path) for path, value in rule.overruled_by
            )
            return self.say("rule idle beside", others=others, **facts)
        return self.say("rule idle", **facts)

    def _need(self, need: Need) -> str:
        """What a rule needs: a value of a field, a field that is set, or a fact."""
        if need.value is not None:
            return self.rule(need.name, need.value)
        return self.say(f"need {need.name}") if self.knows(f"need {need.name}") else self.field(need.name)

    def contradiction(self, name: str, other: str, preset: str = "") -> str:
        """Why two house rules contradict each other, or a preset's own sentence (`other`) rules one out."""
        if preset:
            words, ruleset = self.say(f"says {other}"), self.ruleset(preset)
            return self.say("rule contradicts said", name=self.field(name), ruleset=ruleset, other=words)
        return self.say("rule contradicts", name=self.field(name), other=self.field(other))

    def custom(self, name: str) -> str:
        """A custom, an agreement outside of play, in a sentence."""
        return self._named("custom", name)

    def contract(self, name: str) -> str:
        """The name of a contract."""
        return self._named("contract", name)

    def _named(self, what: str, name: str) -> str:
        """The words for a name; a name that has none, such as one that a table gave, is returned unchanged."""
        return self.say(f"{what} {name}") if self.knows(f"{what} {name}") else name

    # What people type

    def suit_keys(self) -> dict[str, str]:
        """The letters by which suits are typed in this language, each with the notation's: `{"r": "d"}`."""
        return dict(pair.split("=") for pair in self.say("suit keys").split())

    def card_typed(self, word: str) -> str:
        """A card typed in this language's letters, as the notation writes it; any other word unchanged.

        Suit symbols are read in every language; letters that mean nothing in this one are read as in the notation.
        """
        letters = self.suit_keys()
        try:
            return str(Card.read(_SUIT.sub(lambda found: letters.get(found[0].lower(), found[0]), word)))
        except ValueError:
            return word

    def cards_to_type(self, cards: Iterable[str]) -> str:
        """Cards in the letters that they are typed with: `2r 2c`, `2d 2h`."""
        letters = {suit: letter for letter, suit in reversed(self.suit_keys().items())}
        return " ".join(_SUIT.sub(lambda found: letters[found[0]], card) for card in cards)

    def word_or_card(self, word: str) -> str:
        """What was typed for a card, as it is shown: with the suit's symbol if it is a card."""
        try:
            return self.card(word)
        except ValueError:
            return word

    def problem(self, code: str, facts: Mapping[str, object] | None = None) -> str:
        """Why a request was not carried out and what to do, with as many of the facts as the texts allow."""
        shown = {name: self._shown(value) for name, value in (facts or {}).items()}
        return self.best(f"problem {code}", shown)

    def term(self, name: str) -> str:
        """What a table agrees on, by the name of the term."""
        return self.say(f"term {name}")

    def unreadable(self, expected: str) -> str:
        """Why a line of a replay cannot be read."""
        return self.say("notation unreadable", expected=self.expected(expected))

    def disagreement(self, missing: Sequence[str], unexpected: Sequence[str]) -> str:
        """How the `=` lines of a replay differ from what the rules say."""
        sentences = [self.say("notation disagrees")]
        if missing:
            sentences.append(self.say("notation missing", payments="; ".join(missing)))
        if unexpected:
            sentences.append(self.say("notation unexpected", payments="; ".join(unexpected)))
        return " ".join(sentences)

    def _shown(self, value: object) -> object:
        """A fact as a sentence shows it; a count stays a number, because it selects the text."""
        match value:
            case str():
                return self.expected(value)
            case Mapping():
                return "; ".join(f"{field}: {self._shown(what)}" for field, what in value.items())
            case list() | tuple():
                return self.all_of(str(self._shown(item)) for item in value)
        return value


@lru_cache(maxsize=len(LANGUAGES))
def speaker(language: str) -> Speaker:
    """The speaker of a language, the same one each time; ValueError if it is not supported."""
    return Speaker(language, catalog(language))


def preload() -> None:
    """Load everything that the languages need, which is otherwise loaded on first use."""
    for language in LANGUAGES:
        speaker(language)
        localedata.load(language)
