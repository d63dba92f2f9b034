"""Each of twenty questions is answered within two clicks of the first page."""

import re
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient

from ledger.resources import DOCUMENTS
from tests.web.browsing import visit
from tests.web.questions import QUESTIONS, Question, is_answered


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.asked)
def test_a_question_is_answered_within_two_clicks(client: FlaskClient, question: Question) -> None:
    assert len(question.clicks) <= 2
    assert is_answered(question, lambda page: client.get(page, headers={"Accept-Language": "en"}).text)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_link_of_a_document_leads_there(client: FlaskClient, name: str) -> None:
    page = visit(client, f"/documents/{name}")
    assert (page.status, len(re.findall("<h1", page.response.text))) == (200, 1)
    for link in page.links:
        if "://" not in link:
            place, _, heading = urljoin(page.path, link).partition("#")
            found = visit(client, place)
            assert found.status == 200, link
            assert not heading or heading in found.ids, link


def test_nothing_else_is_served_as_a_document(client: FlaskClient) -> None:
    for name in ("README.md", "pyproject.toml", "..%2FLICENSE", "OPERATING"):
        assert client.get(f"/documents/{name}").status_code == 404
