"""What tests start from: players, settled rounds, requests that open nights, and nights that are recorded."""

import re
from collections.abc import Sequence
from functools import singledispatch
from itertools import count
from typing import Any

import factory
from faker import Faker
from flask.testing import FlaskClient

from ledger.game import notation
from ledger.game.hands import missing_hands
from ledger.game.night import due_header
from ledger.game.notation import tag
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS
from ledger.recorder import Recorder
from ledger.store import Store
from tests.game.table import page
from tests.recorder import tables
from tests.store.making import MadeNight
from tests.web import phones

_names = Faker("vi_VN")
_names.seed_instance(13)


def friends(count: int) -> list[str]:
    """Different names, with the marks and the đ that broken encodings lose."""
    return [_names.unique.name() for _ in range(count)]


def _settled(ruleset: str, players: int, before: str, places: Sequence[str]) -> str:
    round = _last_round(ruleset, players, before)
    leader = due_header(PRESETS[ruleset], tuple(range(players)), round).leader
    lines = ["round opening" if leader is None else f"round lead {tag(leader)}", f"result {' '.join(places)}"]
    ended = _last_round(ruleset, players, "\n".join([before, *lines]))
    asked = missing_hands(ended) if ended is not None else []
    return "\n".join([*lines, *(f"{tag(player)} declares none" for player in asked), "settle"])


def _last_round(ruleset: str, players: int, story: str) -> Round | None:
    lines = [line for line in map(str.strip, story.splitlines()) if line and line != "settle"]
    numbers = count(1)
    replay = "\n".join(re.sub("^round", lambda _: f"round {next(numbers)}", line) for line in lines)
    night = page(replay, players=players, ruleset=ruleset)
    return notation.replay(notation.read(night)).rounds[-1] if lines else None


class RoundFactory(factory.Factory):  # type: ignore[misc]
    """The lines of a settled round of a ruleset: whoever is due leads, players go out in the order of `places`, and
    nobody held a 2 or a bomb. `before` is the story of the night until then."""

    class Meta:
        model = _settled

    ruleset = "southern-classic"
    players = 4
    before = ""
    places = factory.LazyAttribute(lambda round: [tag(player) for player in range(round.players)])


@singledispatch
def _opened(by: object, **opening: Any) -> Any:
    raise TypeError(by)


@_opened.register
def _(by: Recorder, **opening: Any) -> tables.Table:
    return tables.open_table(by, **opening)


@_opened.register
def _(by: FlaskClient, *, players: int | list[str], holds: str = "", **opening: Any) -> phones.Table:
    names = phones.NAMES[:players] if isinstance(players, int) else players
    table = phones.open_table(by, players=names, **opening)
    phones.take(by, table, *holds.split())
    return table


def _recorded(by: object, story: str, rounds: int, **opening: Any) -> Any:
    if isinstance(by, Store):
        return MadeNight(by).play_a_little()
    for _ in range(rounds):
        about = {"ruleset": opening["ruleset"], "players": opening["players"]}
        story = f"{story}\n{RoundFactory(before=story, **about)}"
    return _opened(by, **opening).tell(story)


class NightFactory(factory.Factory):  # type: ignore[misc]
    """A recorded night: a story, and then so many settled rounds. `NightFactory.create(by=client, rounds=3)`.

    A recorder opens a `tests.recorder.tables.Table`. A client of the interface opens a `tests.web.phones.Table`,
    and takes the links that it `holds`, such as "keeper"; there, `players` may be names. A store, which knows no
    rules, gets a `tests.store.making.MadeNight` with four entries.
    """

    class Meta:
        model = _recorded

    class Params:
        staked = factory.Trait(stake={"amount": "1000", "currency": "VND"})

    players = 4
    ruleset = "southern-classic"
    story = ""
    rounds = 0
