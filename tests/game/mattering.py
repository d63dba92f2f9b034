"""Rounds in which a field of a ruleset matters: `tests/cases/fields.toml`, each played with two values of it."""

import tomllib
import types
import typing
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any

from ledger.game import customs, notation
from ledger.game.cards import Card
from ledger.game.findings import findings
from ledger.game.hands import missing_hands
from ledger.game.legal_cards import legal_cards
from ledger.game.night import due_header, seats_after
from ledger.game.notation import ScriptRefused
from ledger.game.notation.script import RoundScript, Script
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.overrides import with_rules
from ledger.game.rulesets.serialization import from_data, to_data
from ledger.game.scoring import payments
from ledger.game.sheet import sheet_of
from ledger.game.translation import under
from tests.case_files import CASES
from tests.game.table import page


@dataclass(frozen=True)
class Case:
    """A story, and two rulesets that differ in one field."""

    field: str
    """`Payments.left`."""
    shows: str
    """The key of `results` that the change affects."""
    before: Ruleset
    after: Ruleset
    players: int
    story: tuple[str, ...]
    path: str
    """The path of the changed field in a ruleset: `payments.places`."""

    def results(self, ruleset: Ruleset, *, stood: bool = False) -> dict[str, object]:
        """The observable results of the story under a ruleset; only the verdict if it is refused. With `stood`,
        everything stands that the rules let stand."""
        story = "\n".join(f"{line} !" if stood and _may_stand(line) else line for line in self.story)
        script = notation.read(page(story, players=self.players, ruleset=self.before.id))
        try:
            rounds = notation.replay(_under(script, ruleset), strict=True).rounds
        except ScriptRefused as refused:
            return {"verdict": (refused.round, refused.move, refused.refusal.code)}
        return seen(rounds, self.players) | {"verdict": None}


def _under(script: Script, ruleset: Ruleset) -> Script:
    """The script under another ruleset, with its cards translated to that deck."""
    here = script.terms.ruleset
    for entry in script.entries:
        if isinstance(entry, RoundScript):
            entry.moves[:] = [
                under(move, here, ruleset) if here.deck != ruleset.deck else move for move in entry.moves
            ]
    return replace(script, terms=replace(script.terms, ruleset=ruleset))


def _may_stand(line: str) -> bool:
    return line[:2] in ("p1", "p2", "p3", "p4", "ro") and not {"shows", "declares", "contract", "!"} & {
        *line.split()
    }


def seen(rounds: Sequence[Round], players: int) -> dict[str, object]:
    """What is seen at the end of some rounds."""
    last, before = rounds[-1], rounds[-2] if len(rounds) > 1 else None
    seats, ruleset = last.header.seats, last.ruleset
    newcomer = (*seats[:-1], players)
    return {
        "legal": (
            last.turn,
            last.cards_left,
            [ruleset.deck.write(legal_cards(last, seat)) for seat in seats],
        ),
        "payments": [payment[:5] for payment in payments(last)],
        "sheet": sheet_of(last),
        "waits": missing_hands(last) if last.over else [],
        "next": (
            [due_header(ruleset, some, last).leader for some in (seats, newcomer)] if last.over else None,
            seats_after(last),
            [customs.dealer(ruleset, some, last) for some in (seats, newcomer)],
        ),
        "noted": (customs.debts(last), customs.kneeling(map(customs.knelt, rounds)), findings(last, before)),
    }


@cache
def rows() -> dict[str, dict[str, Any]]:
    """All cases of the file, as they are written: by the field that differs."""
    return tomllib.loads((CASES / "fields.toml").read_text(encoding="utf-8"))


@cache
def cases() -> dict[str, Case]:
    """All cases of the file, by the field that differs."""
    return {field: _case(field, row) for field, row in rows().items()}


def _case(field: str, row: dict[str, Any]) -> Case:
    preset = PRESETS[row.get("ruleset", "southern-classic")]
    lines = [tuple(line.split("=", 1)) for line in row.get("rules", ())]
    before = _changed(with_rules(preset, lines), row.get("given", {}))
    after = _changed(before, row["set"])
    return Case(
        field, row["shows"], before, after, row.get("players", 4), tuple(row.get("story", ())), path_of(row)
    )


def path_of(row: dict[str, Any]) -> str:
    """The path in a ruleset of the field that a case changes: `payments.places`."""
    (place,) = row["set"]
    return ".".join(step for step in place.split(".")[:2] if not step.isdigit())


def _changed(ruleset: Ruleset, values: dict[str, Any]) -> Ruleset:
    """The ruleset with some values of its data replaced by path: `bombs.0.rank`."""
    data: Any = deepcopy(to_data(ruleset))
    for path, value in values.items():
        *way, last = path.split(".")
        place: Any = data
        for step in way:
            place = place[int(step)] if isinstance(place, list) else place.setdefault(step, {})
        place[int(last) if isinstance(place, list) else last] = value
    return from_data(data)


def every_field() -> Iterator[str]:
    """The fields of a ruleset and of the types in it; for a group, its fields instead of the group itself."""
    yield from _fields(Ruleset, set())


def _fields(group: type, visited: set[type]) -> Iterator[str]:
    if group in visited:
        return
    visited.add(group)
    hints = typing.get_type_hints(group)
    for field in fields(group):
        wanted = hints[field.name]
        if not (group is Ruleset and is_dataclass(wanted)):
            yield f"{group.__name__}.{field.name}"
        for inner in _groups(wanted):
            yield from _fields(inner, visited)


def _groups(wanted: Any) -> Iterator[type]:
    if typing.get_origin(wanted) in (tuple, types.UnionType):
        for one in typing.get_args(wanted):
            yield from _groups(one)
    elif is_dataclass(wanted) and isinstance(wanted, type) and wanted is not Card:
        yield wanted
