"""Twenty questions of players, hosts and programmers: each is answered within two clicks of where they begin."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.browsing import visit

ROOT = Path(__file__).parents[2]
PLAYER, README = "/", "README.md"
QUESTIONS = [
    (PLAYER, "/help", "takes back the last thing"),
    (PLAYER, "/help", "tap the pencil on its row|the pencil on the row"),
    (PLAYER, "/help", "is kept on this phone, and is recorded once"),
    (PLAYER, "/help", "in as few transfers as there can be"),
    (PLAYER, "/help", "and why. The keeper corrects it"),
    (PLAYER, "/help", "Any phone goes on with the keeper's link"),
    (PLAYER, "/how-to-play", "the first to get rid of all cards|first to get rid of all cards"),
    (PLAYER, "/rules", "Northern"),
    (README, "OPERATING.md", "docker compose .* up"),
    (README, "OPERATING.md", "systemctl enable"),
    (README, "OPERATING.md", r"## HTTPS at home"),
    (README, "OPERATING.md", "tienlen backup"),
    (README, "OPERATING.md", r"tables \| looking on"),
    (README, "OPERATING.md", "tienlen doctor"),
    (README, "SECURITY.md", "## What is not claimed"),
    (README, "INTERFACE.md", "`POST /api/v1/nights`"),
    (README, "INTERFACE.md", "Authorization: Bearer"),
    (README, "INTERFACE.md", r"sha256\("),
    (README, "NOTATION.md", "`p1 claims"),
    (README, "CONTRIBUTING.md", "## A ruleset"),
]
"""Where somebody begins, what is clicked there, and what the answer holds."""


@pytest.mark.parametrize(("start", "click", "answer"), QUESTIONS)
def test_a_question_is_answered_within_two_clicks(
    client: FlaskClient, start: str, click: str, answer: str
) -> None:
    if start == PLAYER:
        assert click in visit(client, start, "en").links
        found = visit(client, click, "en").text
    else:
        assert f"]({click})" in (ROOT / start).read_text(encoding="utf-8")
        found = (ROOT / click).read_text(encoding="utf-8")
    assert re.search(answer, found)
