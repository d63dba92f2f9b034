"""What stands in a night, as somebody works it out who reads its log and knows none of the rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

Data = dict[str, Any]
Said = tuple[str, ...]
"""An entry in words that can be compared: its kind, who, and the cards."""


class Line(NamedTuple):
    """One line that stands, and the entry it stands by."""

    said: Said
    address: str


Lines = tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """The lines of every round, what is paid beside them, and what an undo and a redo would bring back.

    `after` is the last entry that recorded something about the play.
    """

    after: str
    rounds: Mapping[int, Lines] = field(default_factory=dict)
    beside: tuple[Said, ...] = ()
    before: Mapping[int, tuple[Lines, ...]] = field(default_factory=dict)
    undone: Mapping[int, tuple[Lines, ...]] = field(default_factory=dict)

    @property
    def current(self) -> int:
        return max((number for number, lines in self.rounds.items() if lines), default=0)

    @property
    def lines(self) -> list[Line]:
        """Of all rounds, in order."""
        return [line for number in sorted(self.rounds) for line in self.rounds[number]]

    @property
    def told(self) -> tuple[list[Said], tuple[Said, ...]]:
        """Everything that stands, to be compared."""
        return [line.said for line in self.lines], self.beside

    @property
    def settled(self) -> bool:
        """Whether the last round is."""
        return any(line.said == ("settle",) for line in self.rounds.get(self.current, ()))

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
        """What will stand once an entry is recorded after this."""
        part = content | {"kind": kind, "player": content.get("seat")}
        number = self.current + (kind == "round")
        if kind == "correct":
            number = self.round_of(content["changes"][0]["target"])
        return self.logged(
            {"seq": id, "id": id, "kind": kind, "round": number, "content": content, "parts": [part]}
        )

    def logged(self, body: Data) -> "Standing":
        """What stands after one more entry of the log."""
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
                corrected = Line(said(change["with"]["kind"], change["with"]), f"{body['seq']}.0")
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
                return replace(after, beside=(*self.beside, said(kind, content)))
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
        """Undo and redo: what was before is now, and what is now can be had back."""
        stacks: dict[str, Mapping[int, tuple[Lines, ...]]] = {"before": self.before, "undone": self.undone}
        if not stacks[source].get(number):
            return self  # entered on a phone, and not possible any more
        *rest, lines = stacks[source][number]
        kept = (*stacks[target].get(number, ()), self.rounds[number])
        stacks[source] = {**stacks[source], number: tuple(rest)}
        stacks[target] = {**stacks[target], number: kept}
        return replace(
            self, rounds={**self.rounds, number: lines}, before=stacks["before"], undone=stacks["undone"]
        )


def said(kind: str, content: Data) -> Said:
    """An entry in words; whether it was marked as having stood is not what it says."""
    if kind == "adjust":
        return kind, content["reason"]
    who = content.get("player") or content.get("seat") or ""
    return kind, who, *content.get("cards", ())


def _lines(body: Data) -> Iterator[Line]:
    """Those that somebody has entered: passes that a play implies are nobody's, and are taken back with it."""
    for place, part in enumerate(body["parts"]):
        if part.get("implied"):
            continue
        spoken = ("round",) if part["kind"] == "round" else said(part["kind"], part)
        yield Line(spoken, f"{body['seq']}.{place}")
