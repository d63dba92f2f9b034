"""What stands in a night, worked out from its log without knowledge of the rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

Data = dict[str, Any]
EntryKey = tuple[str, ...]  # an entry in comparable form: its kind, the player, and the cards


class Line(NamedTuple):
    """One line that stands, and the address of its entry."""

    key: EntryKey
    address: str


Lines = tuple[Line, ...]
Stacks = Mapping[
    int, tuple[Lines, ...]
]  # round -> its lines before each entry to undo, or after each to redo


@dataclass(frozen=True, slots=True)
class Standing:
    """The lines of every round, the adjustments, and the stacks of undo and redo. `after` is the id of the last
    entry about the play."""

    after: str
    rounds: Mapping[int, Lines] = field(default_factory=dict)
    adjustments: tuple[EntryKey, ...] = ()
    before: Stacks = field(default_factory=dict)
    undone: Stacks = field(default_factory=dict)

    @property
    def current(self) -> int:
        return max((number for number, lines in self.rounds.items() if lines), default=0)

    @property
    def lines(self) -> list[Line]:
        return [line for number in sorted(self.rounds) for line in self.rounds[number]]

    @property
    def keys(self) -> tuple[list[EntryKey], tuple[EntryKey, ...]]:
        """Everything that stands, in comparable form."""
        return [line.key for line in self.lines], self.adjustments

    @property
    def settled(self) -> bool:
        return any(line.key == ("settle",) for line in self.rounds.get(self.current, ()))

    def round_of(self, address: str) -> int:
        found = (number for number, lines in self.rounds.items() for line in lines if line.address == address)
        return next(found, 0)

    def entered(self, id: str, kind: str, content: Data) -> "Standing":
        """The result of recording an entry next."""
        part = content | {"kind": kind, "player": content.get("seat")}
        number = self.current + (kind == "round")
        if kind == "correct":
            number = self.round_of(content["changes"][0]["target"])
        body = {"seq": id, "id": id, "kind": kind, "round": number, "content": content, "parts": [part]}
        return self.logged(body)

    def logged(self, body: Data) -> "Standing":
        """The result of the next entry of the log."""
        kind, number, content = body["kind"], body["round"], body["content"]
        after, lines = replace(self, after=body["id"]), self.rounds.get(number, ())
        match kind:
            case "round" | "play" | "pass" | "show":
                return after._with(number, (*lines, *_lines(body)))
            case "settle":
                lines = (*lines, Line(("settle",), f"{body['seq']}"))
                return replace(after, rounds={**self.rounds, number: lines}, before={}, undone={})
            case "correct":
                (change,) = content["changes"]
                corrected = Line(entry_key(change["with"]["kind"], change["with"]), f"{body['seq']}.0")
                changed = (corrected if line.address == change["target"] else line for line in lines)
                return after._with(number, tuple(changed))
            case "undo" if self.before.get(number):
                *rest, earlier = self.before[number]
                undone = {**self.undone, number: (*self.undone.get(number, ()), lines)}
                before = {**self.before, number: tuple(rest)}
                return replace(after, rounds={**self.rounds, number: earlier}, before=before, undone=undone)
            case "redo" if self.undone.get(number):
                *rest, later = self.undone[number]
                return replace(after._with(number, later), undone={**self.undone, number: tuple(rest)})
            case "undo" | "redo":
                return after  # entered on a phone, but no longer possible
            case "adjust":
                return replace(after, adjustments=(*self.adjustments, entry_key(kind, content)))
            case _:
                return self

    def _with(self, number: int, lines: Lines) -> "Standing":
        before = {**self.before, number: (*self.before.get(number, ()), self.rounds.get(number, ()))}
        return replace(self, rounds={**self.rounds, number: lines}, before=before, undone={})


def entry_key(kind: str, content: Data) -> EntryKey:
    """An entry in comparable form, without its mark of having stood."""
    if kind == "adjust":
        return kind, content["reason"]
    who = content.get("player") or content.get("seat") or ""
    return kind, who, *content.get("cards", ())


def _lines(body: Data) -> Iterator[Line]:
    """The lines that were entered: passes implied by a play are left out, and are undone with it."""
    for place, part in enumerate(body["parts"]):
        if not part.get("implied"):
            spoken = ("round",) if part["kind"] == "round" else entry_key(part["kind"], part)
            yield Line(spoken, f"{body['seq']}.{place}")
