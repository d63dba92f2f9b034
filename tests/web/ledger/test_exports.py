"""Exporting a night: the page that lists the files, and the files."""

import re
from gzip import decompress

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.recorder.exports import Format
from tests.factories import NightFactory
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.phones import Table


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """A settled night whose watcher's link is in the visitor's cookies."""
    table: Table = NightFactory.create(by=client, holds="watch", story=A_SETTLED_ROUND_OF_FOUR, staked=True)
    return table


def chat(page: str) -> str:
    """The lines for the chat on the page."""
    (lines,) = re.findall(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
    return str(lines)


@pytest.mark.parametrize("place", ["export", "settle-up"])
def test_the_keeper_may_end_the_lines_for_the_chat_with_a_link_that_opens(
    client: FlaskClient, night: Table, place: str
) -> None:
    def asked(who: str, host: str, query: str = "?link=watch") -> TestResponse:
        headers = {"Authorization": f"Bearer {night.tokens[who]}", "Accept-Encoding": "gzip"}
        return client.get(f"/n/{night.night}/{place}{query}", base_url=f"http://{host}", headers=headers)

    def shown(answer: TestResponse) -> str:
        return chat(decompress(answer.data).decode())

    watch = f"http://192.168.1.7:8000/t/{night.tokens['watch']}"
    linked = asked("keeper", "192.168.1.7:8000")
    assert shown(linked).splitlines()[-1] == watch
    assert client.get(watch).status_code == 200
    assert len(linked.data) > len(decompress(linked.data)), "a page with a secret is not compressed"
    # Only the keeper shares links, only at an address other phones can reach, and only on request.
    lan, here, query = "192.168.1.7", "127.0.0.1", "?link=watch"
    for who, host, how in (("watch", lan, query), ("keeper", here, query), ("keeper", lan, "")):
        assert "/t/" not in shown(asked(who, host, how))


def test_a_file_is_saved_and_never_shown_or_guessed_at(client: FlaskClient, night: Table) -> None:
    for format in Format:
        response = client.get(f"/n/{night.night}/export/{format}")
        assert response.status_code == 200
        assert re.fullmatch(
            rf"attachment; filename=tienlen-\d{{4}}-\d\d-\d\d-{night.night[:8]}(-[a-z]+)?\.[a-z]+",
            response.headers["Content-Disposition"],
        )
        assert response.content_type.endswith("; charset=utf-8")
        assert "html" not in response.content_type


@pytest.mark.parametrize(
    ("place", "vi", "en"),
    [
        ("csv", "Mã khoản,Ván,", "Payment,Round,"),
        ("csv?columns=codes", "address,round,", "address,round,"),
        ("totals", "Ván,An,", "Round,An,"),
        ("totals?columns=codes", "round,An,", "round,An,"),
    ],
)
def test_tables_are_in_the_readers_language_or_for_programs(
    client: FlaskClient, night: Table, place: str, vi: str, en: str
) -> None:
    for language, head in (("vi", vi), ("en", en)):
        response = client.get(f"/n/{night.night}/export/{place}", headers={"Accept-Language": language})
        assert response.text.startswith(f"\ufeff{head}")
