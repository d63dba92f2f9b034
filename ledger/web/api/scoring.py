"""Scoring a text."""

from flask import Response, request

from ledger.game.report import NightReport, NoScore, Report, score
from ledger.game.side_by_side import ComparisonReport, score_under
from ledger.recorder.moves_file import scored
from ledger.web import schemas
from ledger.web.api import answers
from ledger.web.api.calls import JSON, JSON_LINES, TEXT, answer, call
from ledger.web.chosen_rules import TableRules
from ledger.web.opening import agreed_ruleset
from ledger.web.preferences import speaker
from ledger.web.request_body import TEXT_BYTES, read_json, read_text
from ledger.web.schemas import load, load_query
from ledger.web.server.heavy_work import costly

_SCORING, _TEXT = schemas.Scoring(), schemas.ScoredText()


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
    the night is told beside itself under another ruleset, with the rules of each `rule` over it, and where the two
    first differ.
    """
    voice, asked = speaker(), load_query(_SCORING)
    under: str | None = asked["under"]
    text = load(_TEXT, read_json(TEXT_BYTES))["text"] if request.mimetype == JSON else read_text()
    ruleset = under and agreed_ruleset(under, TableRules(under, asked["rule"]).by_name, field="under")

    def told(replay: str) -> Report[NightReport | ComparisonReport | NoScore]:
        if not ruleset:
            return score(replay, voice.words)
        return score_under(replay, ruleset, voice.words, voice.ruling)

    with costly("text"):
        return answer(scored(text, voice.words, told).told)
