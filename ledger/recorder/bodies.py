"""What the texts of the log mean: what a night agreed on when it was opened, and each of its events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import NamedTuple

from marshmallow import ValidationError

from ledger.game.night import Stake
from ledger.game.rulesets.model import Chain, Direction, Ruleset
from ledger.game.rulesets.overrides import own_rules
from ledger.game.rulesets.serialization import to_data
from ledger.recorder.parts import Content, Part
from ledger.recorder.schemas import logged
from ledger.recorder.schemas.request import wrong_fields
from ledger.store import (
    FORMAT,
    BodyUnreadable,
    EntryUnreadable,
    Event,
    EventBody,
    NewPayment,
    Night,
    read_object,
    write_text,
)
from ledger.store import read_event as read_text

ENGINE = "3"
"""Rises whenever a fix of the rules changes what an old round pays; `mended_since` says which."""
ENGINES = tuple(map(str, range(1, int(ENGINE) + 1)))
"""This one and those before it: what names another was written by none."""


@dataclass(frozen=True)
class Terms:
    """What a night agreed on when it was opened."""

    night: str
    ruleset: Ruleset
    stake: Stake | None
    players: tuple[str, ...]
    """The tags of those who were there then, p1 first."""
    names: tuple[str, ...]
    """The commitments to their names."""
    date: str
    """The day of the night: when it was opened, unless it was carried in later."""

    @cached_property
    def rules(self) -> tuple[tuple[str, str], ...]:
        """The `rule` lines that make its ruleset of the preset."""
        return tuple(own_rules(self.ruleset))


class Logged(NamedTuple):
    """An event of the log, its body read."""

    seq: int
    id: str
    kind: str
    round: int
    hash: bytes
    after: str | None
    actor: str
    at: str
    content: Content
    parts: Sequence[Part]
    payments: Sequence[NewPayment]
    net: Mapping[str, int]
    engine: str


def mended_since(event: Logged, ruleset: Ruleset) -> bool:
    """Whether a fix of the rules since an event was written may change what it comes to under its night's ruleset.

    False for events of the engine of now, and of one that never was.
    """
    # Engine 1 posted anew what a correction did not change, fined every counted bomb of a result 1, never changed
    # the direction, and let nobody come in late where a pass locks nobody out; where cards are counted it counted
    # some twice, and 2s of less value than a card as less. Engines 1 and 2 knew of one trump only, where two packs
    # have it twice.
    if event.engine in ("1", "2") and ruleset.trumps and ruleset.deck.has_twins:
        return True
    rules, passing = ruleset.payments, ruleset.passing
    return event.engine == "1" and (
        event.kind == "correct"
        or rules.chain is Chain.COUNTING
        or ruleset.deal.direction is Direction.ALTERNATING
        or bool(passing.late and not passing.locks)
        or bool(rules.card and (rules.hoarding or any(rules.card > one.points for one in rules.special_sets)))
    )


def write_night(
    night: str,
    ruleset: Ruleset,
    stake: Stake | None,
    commitments: Mapping[str, str],
    created_at: str,
    date: str,
) -> str:
    """A night's own text. `commitments` stands for the names, by player; `date` is its day where it is played."""
    return write_text(
        {
            "format": FORMAT,
            "night": night,
            "ruleset": to_data(ruleset),
            "stake": {"amount": f"{stake.amount:f}", "currency": stake.currency} if stake else None,
            "players": dict(commitments),
            "created_at": created_at,
            "date": date,
        }
    )


def read_night(row: Night) -> Terms:
    """What a night's own text says. EntryUnreadable if that is no such text any more."""
    return _read_night(row.id, row.body)


@lru_cache(maxsize=256)
def _read_night(id: str, text: str) -> Terms:
    try:
        body = read_object(text)
        _require_format(body.get("format"))
        said = logged.read_night({name: value for name, value in body.items() if name != "format"})
    except (BodyUnreadable, ValidationError) as error:
        raise EntryUnreadable(id, 0, _wrong(error)) from error
    stake, players = said["stake"], said["players"]
    return Terms(
        night=said["night"],
        ruleset=said["ruleset"],
        stake=Stake(Decimal(stake["amount"]), stake["currency"]) if stake else None,
        players=tuple(players),
        names=tuple(players.values()),
        # Nights of the first versions name no day but that of UTC.
        date=said["date"] or said["created_at"][:10],
    )


def _require_format(format: object) -> None:
    if format != FORMAT:
        raise BodyUnreadable(f"format: {FORMAT} is expected")


def _wrong(error: BodyUnreadable | ValidationError) -> str:
    """What is wrong with a text, in a line."""
    if isinstance(error, BodyUnreadable):
        return str(error)
    return "; ".join(f"{field}: {', '.join(said)}" for field, said in wrong_fields(error).items())


def read_event(row: Event, said: EventBody | None = None) -> Logged:
    """What an event's text says; `said` is what has been read of it already.

    EntryUnreadable if that is no such text any more.
    """
    try:
        said = said or read_text(row.body)
        _require_format(said.format)
        logged.require_event(row.kind, row.id, said.after, said.actor, said.at, said.client_at, said.content)
    except (BodyUnreadable, ValidationError) as error:
        raise EntryUnreadable(row.night, row.seq, _wrong(error)) from error
    return Logged(
        row.seq,
        row.id,
        row.kind,
        row.round,
        row.hash,
        said.after,
        said.actor,
        said.at,
        said.content,
        said.parts,
        said.payments,
        said.net,
        said.engine,
    )
