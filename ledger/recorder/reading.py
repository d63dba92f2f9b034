"""What can be read of nights: pages, the interface and exports ask for it, and nothing of it is recorded."""

from collections.abc import Callable, Hashable, Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from ledger.game.nights import Night
from ledger.game.rulesets.types import Ruleset
from ledger.game.state import Round
from ledger.recorder import accounts, evidence, people, views
from ledger.recorder.accounts import RoundAccount, round_accounts
from ledger.recorder.agreement import agreement, handed_over
from ledger.recorder.beside import Begun, Customs, customs
from ledger.recorder.bodies import read_night
from ledger.recorder.outlines import Outline
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.remembering import Made, Remembered
from ledger.recorder.replays import night_of
from ledger.recorder.rounds import RoundLog
from ledger.recorder.settling_up import settle_up
from ledger.recorder.state import NightState, StateCache, in_sight
from ledger.recorder.stories import Told, stories
from ledger.resources import release
from ledger.store import (
    Count,
    Glance,
    Head,
    Link,
    NightRow,
    Reader,
    Store,
    key_digest,
    read_token,
    require_key,
)

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody comes to a night: by which link, and what the night was like then."""

    link: Link
    night: Glance

    def etag(self, language: str) -> str:
        """Changes whenever the board does: over head, names, language and role."""
        names = sorted(self.night.names.items())
        seen = (self.night.head.hash.hex(), names, self.link.role, self.link.player, language)
        return sha256(repr(seen).encode()).hexdigest()[:32]


class Reading:
    """The use cases that change nothing, each one transaction. Problem says why something is not to be read."""

    def __init__(self, store: Store, key: bytes | None) -> None:
        """`key` signs links; without one they are neither made nor read, which raises StoreAddressUnusable."""
        self.store = store
        self._key = key
        self._states = StateCache()
        self._outlines = Remembered[Outline]()
        self._stories = Remembered[Told | None](in_a_row=True)
        self._begun = Remembered[Begun | None]()

    def warm_up(self) -> None:
        """Make ready what the first requests would wait for; the store's errors say why it cannot be."""
        self.store.warm_up()

    def check(self) -> None:
        """Return if nights can be read and recorded; the store's errors say why not."""
        self.store.check()

    def has_another_key(self) -> bool:
        """Whether the links of these nights were made with another key, so that none of them is good here."""
        noted = self.store.key_digest()
        return noted is not None and noted != key_digest(require_key(self._key))

    def status(self) -> Data:
        """What this installation is and how much lies in it, with nothing in it that is anybody's."""
        return {
            "version": release(),
            **asdict(self.store.describe()),
            "differences": list(self.store.differences()),
        }

    # Nights and links

    def nights(self) -> list[Data]:
        """All nights, the newest first: id, when they were opened, ruleset and names."""
        with self.store.reading() as reader:
            return [
                {
                    "id": row.id,
                    "created_at": row.created_at,
                    "ruleset": read_night(row).ruleset.id,
                    "names": reader.names(row.id),
                }
                for row in reader.nights()
            ]

    def tokens(self, night: str) -> Data:
        """The tokens of a night's links as they are now: the keeper's, the watchers' and each player's."""
        with self.store.reading() as reader:
            found(reader, night)
            return people.tokens(require_key(self._key), reader, night)

    def read_tokens(self, tokens: Iterable[str]) -> dict[str, Visit]:
        """What each token opens; one that was not made here, or has been revoked since, is left out."""
        return self._visits(tokens, self._glance)

    def recall_tokens(self, tokens: Iterable[str]) -> dict[str, Visit]:
        """The same as this process saw the nights last, and none that it has not: to be relied on by whoever
        appends to a night just there, which the database refuses if it has become another one since."""
        return self._visits(tokens, self._states.last_seen)

    def _glance(self, night: str) -> Glance | None:
        seen = self.store.glance(night)
        if seen is not None:
            self._states.see(night, seen)
        return seen

    def _visits(self, tokens: Iterable[str], see: Callable[[str], Glance | None]) -> dict[str, Visit]:
        key = require_key(self._key)
        links = {token: link for token in tokens if (link := read_token(key, token))}
        nights = {night: see(night) for night in {link.night for link in links.values()}}
        return {
            token: Visit(link, night)
            for token, link in links.items()
            if (night := nights[link.night]) is not None and night.holds(link)
        }

    # A night

    def board(self, night: str, actor: Link, say: views.Say) -> Data:
        """Everything that a page needs, so that no page judges anything itself; findings as `say` words them."""
        with self.store.reading() as reader:
            state = self._state(reader, night)
            return views.board(state, reader.names(night), actor, say)

    def watching(self) -> AbstractContextManager[Callable[[], bool]]:
        """A question for one thread: was anything recorded since it asked last, by whichever process?"""
        return self.store.watching()

    def count(self, whose: bytes, seconds: float, by: int) -> Count | None:
        """Raise a count that all hosts on the store share, and that lasts so long; None where there is one host."""
        return self.store.count(whose, seconds, by)

    def heads(self, nights: Iterable[str]) -> dict[str, Data]:
        """Where the chain of each of some nights has come to."""
        with self.store.reading() as reader:
            return {night: views.head_data(reader.head(night)) for night in nights}

    def log(self, night: str, *, after: int = 0, limit: int | None = None) -> Data:
        """The head, and the events after a seq, bodies and hashes as stored; from the start, the night's own
        text with them, so that the chain can be checked from what was read."""
        with self.store.reading() as reader:
            row = found(reader, night)
            head = reader.head(night)
            own = {"night": {"body": row.body, "hash": row.hash.hex()}} if after == 0 else {}
            events = [views.log_entry(row) for row in reader.events(night, after=after, limit=limit)]
            return {**views.head_data(head), **own, "events": events}

    def ledger(self, night: str, *, after_round: int = 0, limit: int | None = None) -> Data:
        """Payments, balances, running totals by round, and every round in a line."""
        with self.store.reading() as reader:
            state = self._state(reader, night)
            return accounts.ledger(reader, state, self._outlines, after_round=after_round, limit=limit)

    def account(
        self, actor: Link, how: Hashable, known: Remembered[Made], write: Callable[[Data, RoundAccount], Made]
    ) -> tuple[Data, dict[int, Made]]:
        """A night without its rounds, and what somebody writes of each round that has payments or disputes: they
        are asked for those that are not as they were when it was written before. `how` tells languages apart, and
        whatever else is written otherwise of the same."""
        night = actor.night
        with self.store.reading() as reader:
            seen = reader.glance(night)
            if seen is None:
                raise Problem(ProblemCode.NOT_FOUND)
            state = self._states.load(reader, night, seen.head)
            called = tuple(seen.names.items())
            still = known.still(reader, night, seen.head, by=how, beside=called)
            rounds = reader.accounted_rounds(night)
            anew = [number for number in rounds if number not in still]
            changed = list(round_accounts(reader, state, self._outlines, anew)) if anew else []
        board = views.frame(state, seen.names, actor)
        made = {**still, **{round.number: write(board, round) for round in changed}}
        written = {number: made[number] for number in rounds}
        known.keep(night, seen.head, written, by=how, beside=called)
        return board, written

    def stories(self, night: str, *, heading: str | None = None, **players: str | None) -> Data:
        """Every round with its story, or those that are looked for: by what is paid in them, and by the players
        that a Search names."""
        with self.store.reading() as reader:
            return stories(reader, found(reader, night), self._stories, heading, players)

    def agreement(self, night: str) -> Data:
        """Who agrees with which settled round, and every dispute with its decision."""
        with self.store.reading() as reader:
            found(reader, night)
            return agreement(reader, night)

    def settle_up(self, night: str) -> Data:
        """The account of a night, what was handed over of it, and the fewest transfers that clear the rest."""
        with self.store.reading() as reader:
            state = self._state(reader, night)
            account = accounts.ledger(reader, state, self._outlines)
            return settle_up(account, night, handed_over(reader, night))

    def round_page(self, night: str, number: int, say: views.Say) -> Data:
        """One round, move by move."""
        with self.store.reading() as reader:
            state = self._state(reader, night)
            return views.round_page(reader, state, self._round(reader, state, number), say)

    def fresh_round(self, night: str, say: views.Say) -> Data:
        """The round that would come next, before anything is played in it."""
        with self.store.reading() as reader:
            return views.fresh_round(self._state(reader, night), reader.names(night), say)

    def why(self, night: str, number: int, words: evidence.Words) -> Data:
        """One round, why each payment of it is made, and why others are not."""
        with self.store.reading() as reader:
            state = self._state(reader, night)
            return evidence.why(reader, state, self._round(reader, state, number), words)

    def payment(self, night: str, place: str, words: evidence.Words) -> Data:
        """A posted payment, by its `seq.idx`: why it was made, and what became of it."""
        with self.store.reading() as reader:
            return evidence.payment(reader, self._state(reader, night), place, words)

    def dispute(self, night: str, seq: int, words: evidence.Words) -> Data:
        """A dispute with what it is about, and what lies around that."""
        with self.store.reading() as reader:
            return evidence.dispute(reader, self._state(reader, night), seq, words)

    def round(self, night: str, number: int) -> Round:
        """One round as a value of the rules."""
        with self.store.reading() as reader:
            round = self._round(reader, self._state(reader, night), number).round
            assert round is not None
            return round

    def only_round(self, night: str, number: int) -> Night:
        """The night as if that round had been all of it: to see it under other rules."""
        with self.store.reading() as reader:
            state = self._state(reader, night)
            log = self._round(reader, state, number)
            assert log.round is not None
            names = tuple(reader.names(night).values())
            return Night(state.terms.ruleset, names, state.terms.stake, entries=(log.round,))

    def night(self, night: str) -> Night:
        """The whole night as a value of the rules."""
        with self.store.reading() as reader:
            return night_of(reader, found(reader, night))

    def customs(self, night: str) -> Customs:
        """What is beside the play: what was noted, and what is due before the next round."""
        with self.store.reading() as reader:
            return customs(reader, self._state(reader, night), self._begun)

    def names(self, night: str) -> dict[str, str]:
        """The name of each player of a night; an erased one goes by its tag."""
        with self.store.reading() as reader:
            found(reader, night)
            return reader.names(night)

    def ruleset(self, night: str) -> Ruleset:
        """What the night agreed on."""
        with self.store.reading() as reader:
            return read_night(found(reader, night)).ruleset

    def _round(self, reader: Reader, state: NightState, number: int) -> RoundLog:
        """The log of a round that there is; Problem if there is none."""
        log = in_sight(reader, state, number).logs.get(number) if number else None
        if log is None or log.round is None:
            raise Problem(ProblemCode.NOT_FOUND)
        return log

    def _state(self, reader: Reader, night: str) -> NightState:
        return self._states.load(reader, night, found_head(reader, night))


def found(reader: Reader, night: str) -> NightRow:
    """The row of a night; Problem if there is none."""
    row = reader.night(night)
    if row is None:
        raise Problem(ProblemCode.NOT_FOUND)
    return row


def found_head(reader: Reader, night: str) -> Head:
    """Where the chain of a night has come to; Problem if there is none."""
    try:
        return reader.head(night)
    except LookupError:
        raise Problem(ProblemCode.NOT_FOUND) from None
