"""Scoring a text."""

from flask import Response

from ledger.game.report import Words, score
from ledger.web.api import answers
from ledger.web.api.blueprint import JSON, TEXT, answer, call
from ledger.web.bodies import read_text
from ledger.web.speaking import speaker


@call(
    "/score",
    "POST",
    takes={"text/plain": TEXT},
    answers={200: {JSON: answers.Score}},
    errors=(400, 403, 413, 415, 429),
    public=True,
)
def score_text() -> Response:
    """Replay and score a night written in the replay notation; nothing is stored.

    A text that the rules refuse, or that is no replay, is answered with `error`: that is its score.
    """
    voice = speaker()
    words = Words(voice.refusal, voice.finding, voice.disagreement, voice.unreadable)
    return answer(score(read_text(), words).data)
