"""A night as a moves file: JSON lines, the night first, then its events in the form of requests.

    {"kind":"night","ruleset":"southern-classic","players":["An","Bình"],"date":"2026-11-20"}
    {"kind":"round","opening":true}
    {"kind":"play","seat":"p1","cards":["3s"]}

It holds what a replay (`.tln`) holds, and is read as one: each line is validated by the schema of its kind, then
translated to lines of a replay.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from itertools import dropwhile
from typing import Any, ClassVar, Final, TypeVar

from marshmallow import ValidationError
from marshmallow.fields import List, Nested

from ledger.game.customs import Note
from ledger.game.moves import Move
from ledger.game.night import Adjustment, Joined, NewTerms, Night
from ledger.game.notation import ALL_ROUNDS, Unreadable, note_line, tag, words_of
from ledger.game.payments import Reason
from ledger.game.report import AsReplay, NoScore, Report, Words, report_paid, unreadable
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overrides import as_changed, rules_of
from ledger.game.scoring import Status, payments, status
from ledger.game.terms import WRITTEN, Terms, on_a_line
from ledger.recorder import fields
from ledger.recorder.agreements import AGREE
from ledger.recorder.events.index import KINDS
from ledger.recorder.fields import LONGEST_TEXT, Request, wrong_fields
from ledger.recorder.parts import MOVES, Content, move_part
from ledger.recorder.terms import STAKE, Date, NightTerms, TermsSchema, list_of_names, typed_terms
from ledger.store import BodyUnreadable, read_object, write_text

_Answer = TypeVar("_Answer")


class LineText(fields.TypedText):
    """A name or a reason as a replay has it, which may be longer than what people may type, and is not cleaned."""

    openapi: ClassVar = {"minLength": 1}

    def __init__(self, example: str, **kwargs: Any) -> None:
        super().__init__(LONGEST_TEXT, example, **kwargs)

    def read(self, text: str) -> str:
        if not words_of(text) or len(text) > self.characters or not re.fullmatch(self.pattern, text):
            raise self.make_error("invalid")
        return text


class NightLine(NightTerms):
    """The first line: the night's terms and its first players. Later players have a `join` line of their own."""

    kind = fields.KindField("night")
    players = list_of_names(LineText("Bình"))
    date = Date(load_default=None, allow_none=True)
    locals().update(typed_terms(lambda term: LineText(term.example, load_default="")))


class PaymentSchema(Request):
    """What one player owes another for a round."""

    payer = fields.Player(required=True)
    payee = fields.Player(required=True, metadata={"example": "p2"})
    points = fields.points()
    reason = fields.OneWord([*Reason], required=True)


class PaymentsLine(Request):
    """All payments of the round above, to be compared with those computed from its moves."""

    kind = fields.KindField("payments")
    payments = List(Nested(PaymentSchema), required=True, error_messages={"invalid": "a list of payments"})


_TERMS: Final = NightLine(only=(*TermsSchema().fields, "date"))

_LEFT_OUT: Final = {"id", "after", "at", "passed"}
"""Fields of requests that lines do not have: each pass has a line of its own."""


def _line_of(kind: str) -> Request:
    """The schema of a line of a kind."""
    schema = type(KINDS[kind].schema)
    of_the_round_above = {"round"} if kind in MOVES else set()
    exclude = (_LEFT_OUT | of_the_round_above) & schema._declared_fields.keys()
    meta = type("Meta", (Request.Meta,), {"exclude": tuple(exclude)})
    texts = {
        name: LineText(field.metadata["example"], required=field.required)
        for name, field in schema._declared_fields.items()
        if isinstance(field, fields.TypedText)
    }
    own: dict[str, Any] = {"__doc__": schema.__doc__, "Meta": meta, **texts}
    line: type[Request] = type(schema.__name__, (schema,), own)
    return line()


LINES: Final[Mapping[str, Request]] = {
    "night": NightLine(),
    **{kind: _line_of(kind) for kind, event in KINDS.items() if event.in_replays},
    "payments": PaymentsLine(),
}
"""Kind of line -> its schema."""


# Night -> lines


def write(night: Night, *, with_payments: bool = False) -> str:
    """The moves file of a night: the entries that stand, as in its replay, and each round's payments if asked."""
    entries = [*dropwhile(lambda entry: isinstance(entry, Joined), night.entries)]
    later = {entry.player for entry in entries if isinstance(entry, Joined)}
    names = [on_a_line(name) for player, name in enumerate(night.names) if player not in later]
    entry: dict[str, object] = {"kind": "night", "ruleset": night.ruleset.id}
    if rules := rules_of(night.ruleset, PRESETS[night.ruleset.id]):
        entry["rules"] = dict(rules)
    entry["players"] = names
    entry |= {
        name: on_a_line(value) if isinstance(value, str) else value
        for name, value in _TERMS.dump(night.terms).items()
    }
    lines = [entry]
    for kind, content in events_of(replace(night, entries=tuple(entries)), with_payments=with_payments):
        if kind != "settle":
            lines.append({"kind": kind, **content})
    return "".join(f"{write_text(line)}\n" for line in lines)


def events_of(night: Night, *, with_payments: bool = False) -> Iterator[tuple[str, Content]]:
    """The kind and content of every event that records a night, with the settling of its rounds; and, if asked, of
    the lines of payments, which are not events."""
    number, terms = 0, night.terms
    for entry in night.entries:
        if isinstance(entry, Adjustment):
            yield "adjust", asdict(report_paid(entry)) | {"reason": on_a_line(entry.reason)}
            continue
        if isinstance(entry, Note):
            yield "note", {"note": note_line(entry).removeprefix("note ")}
            continue
        if isinstance(entry, NewTerms):
            yield AGREE, agreement(terms, entry)
            terms = entry.terms
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
            yield "payments", {"payments": [asdict(report_paid(one)) for one in payments(entry)]}
        if status(entry) in (Status.SETTLED, Status.INSTANT_WIN):
            yield "settle", {}


def agreement(before: Terms, new: NewTerms) -> Content:
    """The content of the event by which a night gets new terms where others held before."""
    content: dict[str, object] = {}
    stake = new.terms.stake
    preset, rules = as_changed(before.ruleset, new.terms.ruleset)
    if preset:
        content["ruleset"] = preset
    if rules:
        content["rules"] = dict(rules)
    if stake is not None and stake != before.stake:
        content["stake"] = STAKE.dump(stake)
    return content | {"all_rounds": True} if new.all_rounds else content


def _header(round: Round) -> Content:
    header = round.header
    leader: Content = {"opening": True} if header.leader is None else {"leader": tag(header.leader)}
    times = {"times": header.times} if header.times > 1 else {}
    stood = {"stood": True} if header.stood else {}
    return {**leader, "seats": list(map(tag, header.seats)), **times, **stood}


def _move(move: Move, round: Round) -> tuple[str, Content]:
    part = move_part(move, round.ruleset.deck)
    content = {name: value for name, value in part.items() if name not in ("kind", "player", "implied")}
    if not part.get("stood"):
        content.pop("stood", None)
    return move.kind, content if move.kind == "result" else {"seat": part["player"], **content}


# Lines -> replay


_BEGINS: Final = re.compile(r'\ufeff?\s*\{(?!\s*"line")')  # lines of an exact log begin with "line"


def is_moves_file(text: str) -> bool:
    """Whether a text is a moves file, not a replay or an exact log."""
    return _BEGINS.match(text) is not None


def as_replay(text: str) -> AsReplay:
    """Translate a moves file to a replay. Raises Unreadable at the first invalid line."""
    reading = _Reading()
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if line.strip():
            reading.take(number, line)
    return AsReplay("\n".join(reading.text), tuple(reading.lines))


def scored(
    text: str, words: Words, score: Callable[[str], Report[_Answer | NoScore]]
) -> Report[_Answer | NoScore]:
    """The report of `score` on a replay or a moves file; an error has the line number in the text given."""
    if not is_moves_file(text):
        return score(text)
    try:
        replay = as_replay(text)
    except Unreadable as error:
        return unreadable(error.line, error.expected, words)
    return replay.scored(score)


def _new_terms(entry: Content) -> Iterator[str]:
    if "ruleset" in entry:
        yield f"ruleset {entry['ruleset']}"
    for path, value in entry.get("rules", {}).items():
        yield f"rule {path}={value}"
    if "stake" in entry:
        words = ["stake", *entry["stake"].values(), *([ALL_ROUNDS] if entry.get("all_rounds") else [])]
        yield " ".join(words)


class _Reading:
    """The state of reading a moves file."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.lines: list[int] = []
        self.players = 0
        self.rounds = 0

    def take(self, number: int, line: str) -> None:
        """Read the next line that is not blank. Raises Unreadable."""
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
            *(f"{word} {line.write(entry[word])}" for word, line in WRITTEN.items() if entry[word]),
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
                times = [f"x{entry['times']}"] if "times" in entry else []
                words = ["round", str(self.rounds), *begins, *entry.get("seats", ()), *times, *stood]
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
            case "cover":
                words = [entry["seat"], "covers", *entry["covered"], entry["why"]]
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
            case "agree":
                return [*_new_terms(entry)]
            case kind:
                words = [kind, entry["note"]]
        return [" ".join(words)]
