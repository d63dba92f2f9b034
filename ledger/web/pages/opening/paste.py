"""Paste a night: a text or a file is scored and shown as a replay, and can be opened as a night."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from secrets import token_hex
from uuid import uuid4

from flask import make_response, redirect, url_for
from marshmallow import ValidationError
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.night import Adjustment, Night
from ledger.game.notation import Unreadable
from ledger.game.report import NightReport, NoScore, Outcome, Report, ScoreError, score, unreadable
from ledger.game.rulesets.idle import idle_in
from ledger.game.terms import TYPED
from ledger.game.texts import composed, without_heaps
from ledger.language.typed import NotUnderstood, is_typed, translate
from ledger.recorder import MOST_AT_ONCE, Link, NightExists, Role, all_differ, fields, import_tln
from ledger.recorder.moves_file import scored
from ledger.recorder.views.round_page import view_replayed
from ledger.web.access import remember
from ledger.web.heavy_work import costly
from ledger.web.pages.opening.not_understood import examples, why
from ledger.web.pages.shared.blueprint import pages
from ledger.web.pages.table import table_view
from ledger.web.preferences import say_finding, speaker
from ledger.web.reading import render
from ledger.web.recorder import recorder
from ledger.web.request_body import UPLOAD_BYTES, read_upload
from ledger.web.schemas import load
from ledger.web.security import spend

ENTRIES_A_NIGHT = 500
"""For so many entries, opening a night counts once more against the rate limit."""
_LONGEST_SHOWN = 200
"""The most characters shown of a wrong line."""
_PLACE = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,4}))?")


class Opener(fields.Request):
    """The id and secret that make opening a night idempotent."""

    id = fields.Uuid(required=True)
    secret = fields.Secret(required=True)


@dataclass(frozen=True, slots=True)
class Wrong:
    """A line that cannot be read, or that the rules refuse."""

    line: int
    stands: str
    """The text of the line."""
    message: str
    examples: tuple[str, ...] = ()
    """Lines that would be read in its place."""


@pages.get("/paste")
def paste() -> str:
    """The form."""
    return _page("", {})


@pages.post("/paste")
def pasted() -> AnyResponse:
    """The night of the form, scored, with one of its rounds as a replay; nothing is stored. With `open`, opens the
    night and stores the keeper's link. A text that cannot be read stays in the form."""
    sent = read_upload()
    text = (sent.get("file") or sent.get("text", "")).replace("\r\n", "\n")
    try:
        text = composed(text, UPLOAD_BYTES)
    except ValueError:
        return make_response(_page(text, sent, wrong=_heaped(text)), 400)
    with costly("text"):
        report = _scored(text)
        if isinstance(report, Wrong):
            return make_response(_page(text, sent, wrong=report), 400)
        if isinstance(report.answer, NoScore):
            status = 400 if report.outcome is Outcome.UNREADABLE else 422
            return make_response(_page(text, sent, wrong=_wrong(text, report.answer.error)), status)
        night = report.night
        assert night is not None, "a text that has a score tells a night"
        if wrong := next(_untyped(text, night), None):
            return make_response(_page(text, sent, wrong=wrong), 400)
        if "open" in sent and _entries(night) <= MOST_AT_ONCE:
            return _opened(night, sent)
        return make_response(_page(text, sent, night, report.answer.net))


def _scored(text: str) -> Report[NightReport | NoScore] | Wrong:
    """The report of a replay, a moves file, or a night as people type it."""
    words = speaker().words
    score_it = partial(score, words=words)
    if not is_typed(text):
        return scored(text, words, score_it)
    try:
        return translate(text).scored(score_it)
    except Unreadable as error:
        return unreadable(error.line, error.expected, words)
    except NotUnderstood as error:
        wrong = _wrong(text, ScoreError(line=error.line, code="notation", message=why(error)))
        return replace(wrong, examples=examples(error))


def _wrong(text: str, error: ScoreError) -> Wrong:
    lines = text.split("\n")
    stands = lines[error.line - 1].strip() if 0 < error.line <= len(lines) else ""
    return Wrong(error.line, stands[:_LONGEST_SHOWN], error.message)


def _heaped(text: str) -> Wrong:
    """The first line with too many marks in a run."""
    lines = text.split("\n")
    line = next((number for number, line in enumerate(lines, start=1) if without_heaps(line) != line), 1)
    return _wrong(text, _expected(line, "text without heaps of marks"))


def _untyped(text: str, night: Night) -> Iterator[Wrong]:
    """The names and reasons that a form would refuse, each at the first line that has it."""
    reasons = [entry.reason for entry in night.entries if isinstance(entry, Adjustment)]
    reasons += [round.void for round in night.rounds if round.void is not None]
    texts: list[tuple[fields.TypedText, str]] = [(fields.name(), name) for name in night.names]
    texts += [(fields.reason(), reason) for reason in reasons]
    texts += [
        (fields.TypedText(term.most_typed, term.example), agreed)
        for name, term in TYPED.items()
        if (agreed := getattr(night.terms, name))
    ]
    lines = [" ".join(line.split()) for line in text.split("\n")]
    for field, words in texts:
        try:
            field.deserialize(words)
        except ValidationError as error:
            line = next((number for number, line in enumerate(lines, start=1) if words in line), 0)
            yield _wrong(text, _expected(line, str(error.messages[0])))
    for count in range(2, len(night.names) + 1):
        if not all_differ(night.names[:count]):
            name = f"p{count} {night.names[count - 1]}"
            yield _wrong(text, _expected(lines.index(name) + 1 if name in lines else 1, "names that differ"))


def _expected(line: int, expected: str) -> ScoreError:
    return ScoreError(line=line, code="notation", message=speaker().words.unreadable(expected))


def _entries(night: Night) -> int:
    """An upper bound of the number of entries that a night needs: a round's moves and header, and its end."""
    return len(night.entries) + sum(1 + len(round.moves) for round in night.rounds)


def _opened(night: Night, sent: dict[str, str]) -> AnyResponse:
    """Open the night, if not done yet, and store the keeper's link."""
    opener = load(Opener(), {name: sent[name] for name in ("id", "secret") if name in sent})
    id, secret = opener["id"], bytes.fromhex(opener["secret"])
    spend("new-night", 1 + _entries(night) // ENTRIES_A_NIGHT)
    with suppress(NightExists):  # opened by this form before; a wrong secret is refused below
        import_tln(recorder(), night, id, secret)
    tokens = recorder().opened_with(id, secret)
    response = make_response(redirect(url_for("pages.table", night=id), 303))
    remember(response, Link(id, Role.KEEPER), tokens.keeper)
    return response


def _page(
    text: str,
    sent: dict[str, str],
    night: Night | None = None,
    net: dict[str, int] | None = None,
    *,
    wrong: Wrong | None = None,
) -> str:
    """The form with its text, and below it the error, or the night."""
    shown: dict[str, object] = {}
    if night is not None:
        shown = {
            "night": night,
            "board": night.terms,  # partial templates take the stake from it
            "names": dict(zip(net or {}, night.names, strict=True)),
            "net": net,
            "idle": [*map(speaker().idle, idle_in(night.ruleset))],
            "too_long": _entries(night) > MOST_AT_ONCE and MOST_AT_ONCE,
            **_replay(night, sent.get("at", "")),
        }
    return render(
        "opening/paste.html",
        text=text,
        wrong=wrong,
        id=sent.get("id") or str(uuid4()),
        secret=sent.get("secret") or token_hex(16),
        **shown,
    )


def _replay(night: Night, place: str) -> dict[str, object]:
    """A round of the night at one of its moves: `3.12` is move 12 of round 3, `3` its end."""
    if not night.rounds:
        return {}
    found = _PLACE.fullmatch(place)
    number = min(max(int(found[1]) if found else 1, 1), len(night.rounds))
    round = view_replayed(night, number, say_finding)
    last = len(round.steps)
    at = min(int(found[2]), last) if found and found[2] else last
    position = round.steps[at - 1] if at else table_view.beginning(round)
    states = {player: table_view.state(position, round.seats, player) for player in round.seats}
    return {"round": round, "at": at, "last": last, "position": position, "states": states}
