"""The calls of the API: open a night, record in it, read it; and score a text."""

from dataclasses import replace

from flask import Response, request
from werkzeug.http import quote_etag

from ledger.game.notation import write
from ledger.game.report import NightReport, NoScore, Report, score
from ledger.game.rulesets.idle import idle_in
from ledger.game.side_by_side import ComparisonReport, score_under
from ledger.recorder import KINDS, Problem, ProblemCode, Role
from ledger.recorder import preview as preview_of
from ledger.recorder.agreements import agreed_ruleset
from ledger.recorder.moves_file import scored
from ledger.recorder.moves_file import write as write_moves
from ledger.web import forms, opening, schemas
from ledger.web.access import NightVisit, remember_renewed, visit_night
from ledger.web.api import answers
from ledger.web.api.answers import OpenedNight, RecordedEvent
from ledger.web.api.calls import JSON, JSON_LINES, TEXT, answer, call
from ledger.web.chosen_rules import TableRules
from ledger.web.heavy_work import costly, costly_page
from ledger.web.live import live
from ledger.web.pages.people import addresses
from ledger.web.preferences import language, say_finding, speaker
from ledger.web.reading import release
from ledger.web.request_body import TEXT_BYTES, read_json, read_text, whole_number
from ledger.web.schemas import load, load_query

_NEW_NIGHT, _RECORDING = schemas.NewNight(), schemas.Recording()
_LEDGER_PAGE, _LOG_PAGE, _FOLLOWING = schemas.LedgerPage(), schemas.LogPage(), schemas.Following()
_SCORING, _TEXT = schemas.Scoring(), schemas.ScoredText()
_REVALIDATED = {"Cache-Control": "private, no-cache", "Vary": "Accept-Language, Authorization, Cookie"}
"""For answers that phones poll: only the phone may cache them, and must revalidate."""


@call(
    "/nights",
    "POST",
    takes={JSON: schemas.NewNight},
    answers={201: {JSON: answers.Opened}, 200: {JSON: answers.Opened}},
    errors=(400, 403, 409, 413, 415, 422, 429, 503),
    public=True,
)
def open_night() -> Response:
    """Open a night and answer its links.

    Repeated with the same secret and the same terms, it answers the same, at any time, with the current links.
    Without that secret it is answered with 409 and no link.
    """
    asked = load(_NEW_NIGHT, read_json())
    night, opened = opening.open_night(**asked)
    rules, idle = asked["rules"], None
    if rules:
        idle = [*map(speaker().idle, idle_in(agreed_ruleset(asked["ruleset"], rules)))] or None
    described = OpenedNight(night, opened.seq, opened.hash, addresses(opened.tokens), opened.tokens, idle)
    return answer(described, 201 if opened.created else 200)


@call(
    "/nights/<night:night>", answers={200: {JSON: answers.Board}, 304: {}}, errors=(400, 401, 404, 429, 503)
)
def read_board(night: str) -> Response:
    """The board: everything that a page needs, so that no page judges anything itself.

    Asked again with its `ETag`, it is answered with 304 where nothing has changed.
    """
    visit = visit_night(night)
    etag = visit.etag(language())
    about = {**_REVALIDATED, "ETag": quote_etag(etag)}
    if request.if_none_match.contains_weak(etag):
        return Response(status=304, headers=about, content_type=JSON)
    response = answer(visit.board())
    response.headers.extend(about)
    return response


@call(
    "/nights/<night:night>/ledger",
    query=schemas.LedgerPage,
    answers={200: {JSON: answers.Ledger}},
    errors=(400, 401, 404, 429, 503),
)
def read_ledger(night: str) -> Response:
    """The payments of some rounds, the balances of all, and the running totals by round.

    Payments that belong to no round (by hand, waivers) come with the first rounds: requested in parts, each payment
    comes once.
    """
    visit, page = visit_night(night), load_query(_LEDGER_PAGE)
    return answer(visit.night.ledger(after_round=page["after"], limit=page["limit"]))


@call(
    "/nights/<night:night>/events",
    "POST",
    takes={
        JSON: {
            "oneOf": [*(kind.schema for kind in KINDS.values()), schemas.QueuedForm],
            "discriminator": {"propertyName": "kind"},
        }
    },
    query=schemas.Recording,
    answers={201: {JSON: answers.Recorded}, 200: {JSON: {"oneOf": [answers.Recorded, answers.Preview]}}},
    errors=(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
)
def record_event(night: str) -> Response:
    """Record one event. The same event twice is recorded once. With `preview`, tell what it would change.

    The answer to `join` and `revoke` has the links of the night as they are then.
    """
    visit = visit_night(night)
    if visit.link.role is Role.WATCH:
        raise Problem(ProblemCode.FORBIDDEN)
    event, preview = forms.event_in_body(read_json()), load_query(_RECORDING)["preview"]
    link = visit.link_for(event.kind)
    if preview:
        return answer(preview_of(visit.night, event, link, say_finding))
    (recorded,) = visit.record(event, link=link)
    board = recorded.board(link, say_finding)
    described = RecordedEvent(recorded.id, recorded.seq, recorded.hash, board)
    if KINDS[event.kind].gives_links:
        tokens = visit.night.tokens()
        described = replace(described, links=addresses(tokens), tokens=tokens)
    response = answer(described, 201 if recorded.created else 200)
    if described.tokens:
        remember_renewed(response, visit.held, described.tokens)
    return response


@call(
    "/nights/<night:night>/events",
    query=schemas.LogPage,
    answers={200: {JSON: answers.Log}},
    errors=(400, 401, 404, 429, 503),
)
def read_log(night: str) -> Response:
    """The log, bodies and hashes as stored.

    The hash of an entry covers its body and the hash before it: INTERFACE.md says how.
    """
    visit, page = visit_night(night), load_query(_LOG_PAGE)
    return answer(visit.night.log(after=page["after"], limit=page["limit"]))


@call(
    "/nights/<night:night>/live",
    query=schemas.Following,
    answers={200: {"text/event-stream": answers.Message}, 204: {}},
    errors=(400, 401, 404, 429, 503),
)
def follow_night(night: str) -> Response:
    """Server-sent events: the head after every change, with its seq as the `id`; resumes from `Last-Event-ID`.

    204 if too many streams are open: poll the board with its `ETag` then.
    """
    visit_night(night)
    after: int = load_query(_FOLLOWING)["after"]
    last = whole_number(request.headers.get("Last-Event-ID", ""), 15)
    release()  # the head is read once the stream has its place
    return live(night, after if last is None else last)


@call("/nights/<night:night>/moves", answers={200: {JSON_LINES: TEXT}}, errors=(401, 404, 429, 503))
@costly_page
def read_moves(visit: NightVisit) -> Response:
    """The night as JSON lines: first the night, then one event a line.

    Each event is as in a request to record it, without ids; `/moves-schema.json` describes a line. `/score` takes
    the lines, and so does the import of another installation.
    """
    whole = visit.night.whole()
    release()
    return Response(write_moves(whole), content_type=JSON_LINES)


@call("/nights/<night:night>/replay", answers={200: {"text/plain": TEXT}}, errors=(401, 404, 429, 503))
@costly_page
def read_replay(visit: NightVisit) -> Response:
    """The night as text, in the replay notation.

    `/score` takes it, and so does the import of another installation.
    """
    whole = visit.night.whole()
    release()
    return Response(write(whole), content_type="text/plain; charset=utf-8")


@call(
    "/score",
    "POST",
    takes={"text/plain": TEXT, JSON_LINES: TEXT, JSON: schemas.ScoredText},
    query=schemas.Scoring,
    answers={200: {JSON: {"oneOf": [answers.Score, answers.NoScore, answers.ScoreUnder]}}},
    errors=(400, 403, 413, 415, 429, 503),
    public=True,
)
def score_text() -> Response:
    """Replay and score a night written in the replay notation, or as a moves file; nothing is stored.

    A text that the rules refuse, or that is no replay, is answered with `error`: that is its score. With `under`,
    the night is compared with itself under another ruleset, changed by each `rule`; the answer has the point where
    the two first differ.
    """
    voice, asked = speaker(), load_query(_SCORING)
    under: str | None = asked["under"]
    text = load(_TEXT, read_json(TEXT_BYTES))["text"] if request.mimetype == JSON else read_text()
    ruleset = under and agreed_ruleset(under, TableRules(under, asked["rule"]).by_name, field="under")

    def scored_as_asked(replay: str) -> Report[NightReport | ComparisonReport | NoScore]:
        if not ruleset:
            return score(replay, voice.words)
        return score_under(replay, ruleset, voice.words, voice.ruling)

    with costly("text"):
        return answer(scored(text, voice.words, scored_as_asked).answer)
