"""What stands in a night, worked out from its log without knowledge of the rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

Data = dict[str, Any]
EntryKey = tuple[str, ...]
"""An entry in comparable form: its kind, the player, and the cards."""


class Line(NamedTuple):
    """One line that stands, and the address of its entry."""

    key: EntryKey
    address: str


Lines = tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """The lines of every round, the adjustments, and the stacks of undo and redo.

    `after` is the id of the last entry about the play.
    """

    after: str
    rounds: Mapping[int, Lines] = field(default_factory=dict)
    adjustments: tuple[EntryKey, ...] = ()
    before: Mapping[int, tuple[Lines, ...]] = field(default_factory=dict)
    undone: Mapping[int, tuple[Lines, ...]] = field(default_factory=dict)

    @property
    def current(self) -> int:
        return max((number for number, lines in self.rounds.items() if lines), default=0)

    @property
    def lines(self) -> list[Line]:
        """The lines of all rounds, in order."""
        return [line for number in sorted(self.rounds) for line in self.rounds[number]]

    @property
    def keys(self) -> tuple[list[EntryKey], tuple[EntryKey, ...]]:
        """Everything that stands, in comparable form."""
        return [line.key for line in self.lines], self.adjustments

    @property
    def settled(self) -> bool:
        """Whether the current round is settled."""
        return any(line.key == ("settle",) for line in self.rounds.get(self.current, ()))

    def round_of(self, address: str) -> int:
        return next(
            (
                number
                for number, lines in self.rounds.items()
                if any(line.address == address for line in lines)
            ),
            0,
        )

    def entered(self, id: str, kind: str, content: Data) -> "Standing":
        """The result of recording an entry next."""
        part = content | {"kind": kind, "player": content.get("seat")}
        number = self.current + (kind == "round")
        if kind == "correct":
            number = self.round_of(content["changes"][0]["target"])
        return self.logged(
            {"seq": id, "id": id, "kind": kind, "round": number, "content": content, "parts": [part]}
        )

    def logged(self, body: Data) -> "Standing":
        """The result of the next entry of the log."""
        kind, number, content = body["kind"], body["round"], body["content"]
        after = replace(self, after=body["id"])
        match kind:
            case "round" | "play" | "pass" | "show":
                return after._with(number, (*self.rounds.get(number, ()), *_lines(body)))
            case "settle":
                lines = (*self.rounds.get(number, ()), Line(("settle",), f"{body['seq']}"))
                return replace(after, rounds={**self.rounds, number: lines}, before={}, undone={})
            case "correct":
                (change,) = content["changes"]
                corrected = Line(entry_key(change["with"]["kind"], change["with"]), f"{body['seq']}.0")
                lines = tuple(
                    corrected if line.address == change["target"] else line
                    for line in self.rounds.get(number, ())
                )
                return after._with(number, lines)
            case "undo":
                return after._moved(number, "before", "undone")
            case "redo":
                return after._moved(number, "undone", "before")
            case "adjust":
                return replace(after, adjustments=(*self.adjustments, entry_key(kind, content)))
            case _:
                return self

    def _with(self, number: int, lines: Lines) -> "Standing":
        before = (*self.before.get(number, ()), self.rounds.get(number, ()))
        return replace(
            self,
            rounds={**self.rounds, number: lines},
            before={**self.before, number: before},
            undone={},
        )

    def _moved(self, number: int, source: str, target: str) -> "Standing":
        """Undo or redo: move the lines of a round from one stack to the other."""
        stacks: dict[str, Mapping[int, tuple[Lines, ...]]] = {"before": self.before, "undone": self.undone}
        if not stacks[source].get(number):
            return self  # entered on a phone, but no longer possible
        *rest, lines = stacks[source][number]
        kept = (*stacks[target].get(number, ()), self.rounds[number])
        stacks[source] = {**stacks[source], number: tuple(rest)}
        stacks[target] = {**stacks[target], number: kept}
        return replace(
            self, rounds={**self.rounds, number: lines}, before=stacks["before"], undone=stacks["undone"]
        )


def entry_key(kind: str, content: Data) -> EntryKey:
    """An entry in comparable form, without its mark of having stood."""
    if kind == "adjust":
        return kind, content["reason"]
    who = content.get("player") or content.get("seat") or ""
    return kind, who, *content.get("cards", ())


def _lines(body: Data) -> Iterator[Line]:
    """The lines that were entered: passes implied by a play are left out, and are undone with it."""
    for place, part in enumerate(body["parts"]):
        if part.get("implied"):
            continue
        spoken = ("round",) if part["kind"] == "round" else entry_key(part["kind"], part)
        yield Line(spoken, f"{body['seq']}.{place}")
