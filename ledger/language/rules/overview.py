"""All rulesets side by side, a row each in every table, made from the data like the rules pages."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from ledger.game.cards import Rank
from ledger.game.patterns import PAIR, SINGLE, TRIPLE, Pattern, Target
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.overlays.schemes import SCHEMES, cannot_matter
from ledger.language.speaker import Speaker

OPEN = "*"
"""The mark of a cell that a ruleset's source leaves open."""


class Overview(NamedTuple):
    """One table: its title, the heads of its columns, and each ruleset's cells by its id."""

    title: str
    head: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]

    @property
    def answers(self) -> Mapping[str, Mapping[str, list[str]]]:
        """The same by column: head -> cell -> the ids of the rulesets with this cell."""
        found: dict[str, dict[str, list[str]]] = {head: {} for head in self.head}
        for id, cells in self.rows.items():
            for head, cell in zip(self.head, cells, strict=True):
                found[head].setdefault(cell, []).append(id)
        return found


Cell: TypeAlias = Callable[[Ruleset, Speaker], str]


def overviews(speaker: Speaker) -> list[Overview]:
    """Every preset, in a table for each section of the rules."""
    return [
        Overview(
            speaker.say(f"section {section}"),
            tuple(speaker.say(f"column {name}") for name in columns),
            {
                id: tuple(
                    tell(ruleset, speaker) + (OPEN if _is_open(ruleset, fields) else "")
                    for tell, fields in columns.values()
                )
                for id, ruleset in PRESETS.items()
            },
        )
        for section, columns in COLUMNS.items()
    ]


def _is_open(ruleset: Ruleset, fields: tuple[str, ...]) -> bool:
    """Whether a source leaves a field open, or the whole group that it is in."""
    groups = {field.partition(".")[0] for field in fields}
    return any(path in fields or path in groups for path in ruleset.open)


def _players(ruleset: Ruleset, speaker: Speaker) -> str:
    players = ruleset.deal.players
    if len(players) > 2 and players[-1] - players[0] == len(players) - 1:
        return f"{players[0]}–{players[-1]}"
    return ", ".join(map(str, players))


def _cards(ruleset: Ruleset, speaker: Speaker) -> str:
    deal = ruleset.deal
    return str(deal.hand) if deal.packs == 1 else f"{deal.hand} ({deal.packs} × 52)"


def _beating(shape: Pattern) -> Cell:
    """The cell that lists the bombs that beat 2s of this shape."""

    def tell(ruleset: Ruleset, speaker: Speaker) -> str:
        return _listed(
            (
                bomb.shape
                for bomb in ruleset.playable_bombs
                if any(target.includes(Target(shape, Rank.TWO, plain=True)) for target in bomb.beats)
            ),
            ruleset,
            speaker,
        )

    return tell


def _paid(ruleset: Ruleset, speaker: Speaker) -> str:
    """The scheme that a ruleset pays by, or words for payments of its own."""
    alike = (speaker.scheme(name) for name in SCHEMES if cannot_matter(ruleset, name))
    return next(alike, speaker.say("column own payments"))


def _yes(holds: bool, speaker: Speaker) -> str:
    return speaker.say("rule yes" if holds else "rule no")


def _listed(shapes: Iterable[Pattern], ruleset: Ruleset, speaker: Speaker) -> str:
    """Bombs, each once; where several longer ones of a kind follow, the shortest has a `+` instead of them."""
    found, bombs = dict.fromkeys(shapes), {bomb.shape for bomb in ruleset.playable_bombs}
    names = (
        speaker.shape(shape) + "+" * _and_longer(shape, found, bombs)
        for shape in found
        if not any(_lengthens(shape, other) and _and_longer(other, found, bombs) for other in found)
    )
    return ", ".join(names) or "–"


def _and_longer(shape: Pattern, found: Iterable[Pattern], bombs: set[Pattern]) -> bool:
    """Whether several bombs of a shape's kind are longer, and all of them are among `found`."""
    longer = {other for other in bombs if _lengthens(other, shape)}
    return len(longer) > 1 and longer <= set(found)


def _lengthens(longer: Pattern, shape: Pattern) -> bool:
    """Whether one sequence is longer than another of the same kind."""
    return replace(longer, length=shape.length) == shape and longer.length > shape.length > 1


Columns: TypeAlias = Mapping[str, tuple[Cell, tuple[str, ...]]]
"""Columns, each with the function for its cells and the fields that these show."""

COLUMNS: Mapping[str, Columns] = {
    "play": {
        "players": (_players, ("deal.players",)),
        "cards": (_cards, ("deal.hand", "deal.packs", "deal.equal", "deal.backs")),
        "direction": (lambda r, s: s.say(f"rule {r.deal.direction}"), ("deal.direction",)),
        "dealer": (lambda r, s: s.say(f"rule {r.deal.dealer}"), ("deal.dealer",)),
        "opening": (
            lambda r, s: s.say("column every round" if r.opening.every_round else "column first round"),
            ("opening.every_round",),
        ),
        "locks": (lambda r, s: _yes(r.passing.locks, s), ("passing.locks",)),
        "late": (
            lambda r, s: _listed((*r.passing.late, *r.passing.any_time), r, s),
            ("passing.late", "passing.any_time"),
        ),
    },
    "cards": {
        "twos": (
            lambda r, s: _yes(r.combinations.top_of_sequences is Rank.TWO, s),
            ("combinations.top_of_sequences",),
        ),
        "suit lock": (lambda r, s: s.say(f"rule {r.combinations.suit_lock}"), ("combinations.suit_lock",)),
        "one two": (_beating(SINGLE), ("bombs",)),
        "two twos": (_beating(PAIR), ("bombs",)),
        "three twos": (_beating(TRIPLE), ("bombs",)),
    },
    "payments": {
        "end": (
            lambda r, s: s.say("column first out" if r.ending.at_first_out else "column one left"),
            ("ending.at_first_out",),
        ),
        "knock-out": (lambda r, s: _yes(r.ending.knock_out, s), ("ending.knock_out",)),
        "payments": (_paid, ("payments.places", "payments.chain")),
        "instant wins": (lambda r, s: str(len(r.instant_wins.hands) or "–"), ("instant_wins.hands",)),
    },
}
"""The columns, by the section of the rules that they belong to."""
