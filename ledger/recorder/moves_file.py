"""A night as a moves file: JSON lines, the night first, then what happened, each as it is asked to be recorded.

    {"kind":"night","ruleset":"southern-classic","players":["An","Bình"],"date":"2026-11-20"}
    {"kind":"round","opening":true}
    {"kind":"play","seat":"p1","cards":["3s"]}

It holds what a replay (`.tln`) holds, and is read as one: each line is judged by the schema of its kind, and then
said as the replay says it.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import dropwhile
from typing import Final, TypeVar

from marshmallow import ValidationError
from marshmallow.fields import List, Nested

from ledger.game.customs import Note
from ledger.game.moves import Move
from ledger.game.night import Adjustment, Joined, Night
from ledger.game.notation import TERM_LINES, Unreadable, note_line, on_a_line, tag
from ledger.game.payments import Payment, Reason
from ledger.game.report import (
    NoScore,
    PaidReport,
    Report,
    Words,
    payment_columns,
    report_adjustment,
    unreadable,
)
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overrides import rules_of
from ledger.game.scoring import Status, payments, status
from ledger.recorder import fields
from ledger.recorder.events.index import KINDS
from ledger.recorder.fields import Request, wrong_fields
from ledger.recorder.parts import MOVES, Content, move_part
from ledger.recorder.terms import Date, NightTerms, TermsSchema
from ledger.store import BodyUnreadable, read_object, write_text

_Answer = TypeVar("_Answer")


class NightLine(NightTerms):
    """The first line: what the night agreed on, and who was there. Who came later joins in a line below."""

    kind = fields.Kind("night")
    date = Date(load_default=None, allow_none=True)


class PaymentSchema(Request):
    """What one player owes another for a round."""

    payer = fields.Player(required=True)
    payee = fields.Player(required=True, metadata={"example": "p2"})
    points = fields.points()
    reason = fields.OneWord([*Reason], required=True)


class PaymentsLine(Request):
    """All payments of the round above, to be compared with what its moves come to."""

    kind = fields.Kind("payments")
    payments = List(Nested(PaymentSchema), required=True, error_messages={"invalid": "a list of payments"})


_TERMS: Final = NightLine(only=(*TermsSchema().fields, "date"))

_EVENTS: Final = ("round", *sorted(MOVES), "void", "adjust", "note", "join")
_LEFT_OUT: Final = {"id", "after", "at", "passed"}
"""What a request may say that no line does: each pass has a line of its own."""


def _line_of(kind: str) -> Request:
    """What a line of a kind is read by."""
    schema = type(KINDS[kind].schema)
    of_the_round_above = {"round"} if kind in MOVES else set()
    exclude = (_LEFT_OUT | of_the_round_above) & schema._declared_fields.keys()
    meta = type("Meta", (Request.Meta,), {"exclude": tuple(exclude)})
    line: type[Request] = type(schema.__name__, (schema,), {"__doc__": schema.__doc__, "Meta": meta})
    return line()


LINES: Final[Mapping[str, Request]] = {
    "night": NightLine(),
    **{kind: _line_of(kind) for kind in _EVENTS},
    "payments": PaymentsLine(),
}
"""What each kind of line is read by."""


# Night -> lines


def write(night: Night, *, with_payments: bool = False) -> str:
    """The moves file of a night: what stands of it, as its replay says it; the payments of each round, if asked."""
    entries = [*dropwhile(lambda entry: isinstance(entry, Joined), night.entries)]
    later = {entry.player for entry in entries if isinstance(entry, Joined)}
    names = [on_a_line(name) for player, name in enumerate(night.names) if player not in later]
    entry: dict[str, object] = {"kind": "night", "ruleset": night.ruleset.id}
    if rules := rules_of(night.ruleset, PRESETS[night.ruleset.id]):
        entry["rules"] = dict(rules)
    entry["players"] = names
    entry |= _TERMS.dump(night.terms)
    lines = [entry]
    for kind, content in events_of(replace(night, entries=tuple(entries)), with_payments=with_payments):
        if kind != "settle":
            lines.append({"kind": kind, **content})
    return "".join(f"{write_text(line)}\n" for line in lines)


def events_of(night: Night, *, with_payments: bool = False) -> Iterator[tuple[str, Content]]:
    """The kind and the content of every event that a night comes to, and of the settling of its rounds; and of the
    lines with their payments, which are no events."""
    number = 0
    for entry in night.entries:
        if isinstance(entry, Adjustment):
            paid = asdict(report_adjustment(entry))
            yield "adjust", {**paid, "reason": on_a_line(entry.reason)}
            continue
        if isinstance(entry, Note):
            yield "note", {"note": note_line(entry, night.ruleset.deck).removeprefix("note ")}
            continue
        if isinstance(entry, Joined):
            yield "join", {"name": on_a_line(night.names[entry.player])}
            continue
        number += 1
        yield "round", _header(entry)
        for move in entry.moves:
            yield _move(move, entry)
        if entry.void is not None:
            yield "void", {"round": number, "reason": on_a_line(entry.void)}
        if with_payments:
            yield "payments", {"payments": [_payment(payment) for payment in payments(entry)]}
        if status(entry) in (Status.SETTLED, Status.INSTANT_WIN):
            yield "settle", {}


def _header(round: Round) -> Content:
    header = round.header
    leader: Content = {"opening": True} if header.leader is None else {"leader": tag(header.leader)}
    return {**leader, "seats": list(map(tag, header.seats)), **({"stood": True} if header.stood else {})}


def _move(move: Move, round: Round) -> tuple[str, Content]:
    part = move_part(move, round.ruleset.deck)
    content = {name: value for name, value in part.items() if name not in ("kind", "player", "implied")}
    if not part.get("stood"):
        content.pop("stood", None)
    return move.kind, content if move.kind == "result" else {"seat": part["player"], **content}


def _payment(payment: Payment) -> Content:
    return asdict(PaidReport(*payment_columns(payment)[:4]))


# Lines -> replay


@dataclass(frozen=True, slots=True)
class AsReplay:
    """The replay that a moves file says, and for each of its lines which line of the file says it."""

    text: str
    lines: tuple[int, ...]


_BEGINS: Final = re.compile(r'\ufeff?\s*\{(?!\s*"line")')  # which an exact log says first


def is_moves_file(text: str) -> bool:
    """Whether a text is to be read as a moves file: neither as a replay, nor as an exact log."""
    return _BEGINS.match(text) is not None


def as_replay(text: str) -> AsReplay:
    """The replay that a moves file says. Unreadable at the first line that says nothing."""
    reading = _Reading()
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if line.strip():
            reading.take(number, line)
    return AsReplay("\n".join(reading.text), tuple(reading.lines))


def scored(
    text: str, words: Words, score: Callable[[str], Report[_Answer | NoScore]]
) -> Report[_Answer | NoScore]:
    """What `score` reports of a replay, or of what a moves file says, by its own lines."""
    if not is_moves_file(text):
        return score(text)
    try:
        replay = as_replay(text)
    except Unreadable as error:
        return unreadable(error.line, error.expected, words)
    report = score(replay.text)
    if not isinstance(report.answer, NoScore):
        return report
    error_there = report.answer.error
    here = replay.lines[error_there.line - 1]
    return Report(report.outcome, NoScore(replace(error_there, line=here)), report.night)


class _Reading:
    """A moves file as it is being read."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.lines: list[int] = []
        self.players = 0
        self.rounds = 0

    def take(self, number: int, line: str) -> None:
        """Take the next line that says something. Unreadable where it is none."""
        try:
            entry = self._read(line)
            lines = self._night(entry) if entry["kind"] == "night" else self._event(entry)
        except BodyUnreadable as error:
            wrong = error.__cause__
            if isinstance(wrong, json.JSONDecodeError):
                raise Unreadable(number, f"JSON (column {wrong.colno})") from None
            raise Unreadable(number, "a JSON object, each key once") from None
        except ValidationError as error:
            field, (expected, *_) = next(iter(wrong_fields(error).items()))
            raise Unreadable(number, f"{field}: {expected}") from None
        self.text += lines
        self.lines += [number] * len(lines)

    def _read(self, line: str) -> Content:
        entry = read_object(line)
        first, *later = LINES
        kinds = later if self.text else [first]
        if entry.get("kind") not in kinds:
            raise ValidationError({"kind": [f"a kind of line ({', '.join(kinds)})"]})
        read: Content = LINES[entry["kind"]].load(entry)
        return read

    def _night(self, entry: Content) -> list[str]:
        self.players = len(entry["players"])
        return [
            "tienlen 1",
            f"ruleset {entry['ruleset']}",
            *(f"rule {path}={value}" for path, value in entry["rules"].items()),
            *(f"{word} {line.write(entry[word])}" for word, line in TERM_LINES.items() if entry[word]),
            *(f"{tag(player)} {name}" for player, name in enumerate(entry["players"])),
        ]

    def _event(self, entry: Content) -> list[str]:
        if entry["kind"] in MOVES and not self.rounds:
            raise ValidationError({"kind": ["a round before its moves"]})
        stood = ["!"] if entry.get("stood") else []
        match entry["kind"]:
            case "round":
                self.rounds += 1
                begins = ["lead", entry["leader"]] if "leader" in entry else ["opening"]
                words = ["round", str(self.rounds), *begins, *entry.get("seats", ()), *stood]
            case "play":
                how = {None: [], True: ["locks"], False: ["unlocks"]}[entry.get("locks")]
                words = [
                    entry["seat"],
                    *(["forward"] if entry.get("forward") else []),
                    *how,
                    *entry["cards"],
                    *stood,
                ]
            case "pass":
                words = [entry["seat"], "-", *stood]
            case "claim":
                words = [entry["seat"], "claims", *entry["cards"], *stood]
            case "contract":
                words = [entry["seat"], "contract", entry["contract"]]
            case "show":
                words = [entry["seat"], "shows", *entry["cards"]]
            case "declare":
                words = [entry["seat"], "declares", ", ".join(map(" ".join, entry["sets"])) or "none"]
            case "result":
                knocked, bombs = entry.get("knocked_out"), entry.get("bombs", ())
                return [
                    " ".join(["result", *entry["places"]]),
                    *([" ".join(["knocked", *knocked])] if knocked else []),
                    *(" ".join(["bombed", bomb["seat"], bomb["beat"], *bomb["captured"]]) for bomb in bombs),
                ]
            case "void":
                if entry["round"] != self.rounds:
                    raise ValidationError({"round": [f"the round above ({self.rounds})"]})
                words = ["void", entry["reason"]]
            case "adjust":
                words = ["pay", entry["payer"], entry["payee"], str(entry["points"]), entry["reason"]]
            case "payments":
                stated = entry["payments"]
                return ["= {payer} {payee} {points} {reason}".format_map(one) for one in stated] or ["= none"]
            case "join":
                self.players += 1
                words = [tag(self.players - 1), entry["name"]]
            case kind:
                words = [kind, entry["note"]]
        return [" ".join(words)]
