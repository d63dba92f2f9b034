"""Taking a night along: the page that lists the files, and the files."""

import re
from gzip import decompress
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.recorder.exports import Format
from tests.factories import NewNightFactory, StakedNightFactory
from tests.web.browsing import send, visit
from tests.web.phones import Table, open_table, settle_a_round
from tests.web.test_pages_night import MOST_BYTES, weight

NASTY = ["=1+1", 'Tú", filename="x.exe', "../../etc", "<b>An</b>"]


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """A settled night whose watcher's link is in the visitor's cookies."""
    table = open_table(client, **StakedNightFactory(players=["An", "Bình", "Chi", "Dũng"]))
    settle_a_round(table.keeper)
    send(client, f"/t/{table.tokens['watch']}", [])
    return table


@pytest.mark.parametrize("language", ["vi", "en"])
def test_the_page_lists_every_file_and_shows_the_lines_for_the_chat(
    client: FlaskClient, night: Table, language: str
) -> None:
    page = visit(client, f"/n/{night.night}/export", language)
    assert (page.status, page.language) == (200, language)
    files = [link for link in page.links if "/export/" in link]
    assert {link.rpartition("/")[2] for link in files} == set(Format) - {Format.SHARE}
    assert [client.get(link).status_code for link in files] == [200] * len(files)
    assert ("Trả:" if language == "vi" else "Pay:") in page.text
    assert "http://" not in chat(page.response.text)
    assert weight(client, page) < MOST_BYTES


def chat(page: str) -> str:
    """The lines for the chat on a page."""
    (lines,) = re.findall(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
    return str(lines)


@pytest.mark.parametrize("place", ["export", "settle-up"])
def test_a_night_that_has_come_to_something_can_be_logged_in_bg_stats(
    client: FlaskClient, night: Table, place: str
) -> None:
    def links(table: Table) -> list[str]:
        client.post(f"/t/{table.tokens['watch']}")
        return [link for link in visit(client, f"/n/{table.night}/{place}").links if "bgstats" in link]

    (link,) = links(night)
    assert quote(night.night) in link
    assert links(open_table(client)) == []


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
    # Only the keeper hands links on; nothing leads where no other phone comes; and nobody gets one unasked.
    lan, here, query = "192.168.1.7", "127.0.0.1", "?link=watch"
    for who, host, how in (("watch", lan, query), ("keeper", here, query), ("keeper", lan, "")):
        assert "/t/" not in shown(asked(who, host, how))


@pytest.mark.parametrize("format", Format)
def test_a_file_is_saved_and_never_shown_or_guessed_at(
    client: FlaskClient, night: Table, format: Format
) -> None:
    response = client.get(f"/n/{night.night}/export/{format}")
    assert response.status_code == 200
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Cache-Control"] == "no-store"
    assert re.fullmatch(
        r"attachment; filename=tienlen-[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9a-f]{8}(-[a-z]+)?\.[a-z]+",
        response.headers["Content-Disposition"],
    )
    assert response.content_type.endswith("; charset=utf-8")
    assert "html" not in response.content_type
    assert response.data.decode()


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


def test_the_exact_log_is_the_one_of_the_interface(client: FlaskClient, night: Table) -> None:
    lines = client.get(f"/n/{night.night}/export/exact").text.splitlines()
    assert [line for line in lines if '"line":"event"' in line][-1].endswith(
        f'"hash":"{night.keeper.board()["hash"]}"}}'
    )


def test_what_a_visitor_may_not_read_is_not_handed_out(client: FlaskClient, night: Table) -> None:
    other = open_table(client)
    stranger = client.application.test_client()
    for path in ("", *(f"/{format}" for format in Format)):
        assert client.get(f"/n/{other.night}/export{path}").status_code == 401
        assert stranger.get(f"/n/{night.night}/export{path}").status_code == 401


def test_every_reader_may_have_the_files(client: FlaskClient, night: Table) -> None:
    for phone in (night.keeper, night.watch, night.seat("p3")):
        response = client.application.test_client().get(f"/n/{night.night}/export/csv", headers=phone.headers)
        assert response.status_code == 200


@pytest.mark.parametrize("format", ["pdf", "CSV", "tln.exe", "..%2f"])
def test_a_format_that_there_is_not_is_not_found(client: FlaskClient, night: Table, format: str) -> None:
    assert client.get(f"/n/{night.night}/export/{format}").status_code == 404


def test_names_decide_nothing_about_a_file_but_what_is_in_it(client: FlaskClient) -> None:
    table = open_table(client, **NewNightFactory(players=NASTY))
    settle_a_round(table.keeper)
    for format in Format:
        response = client.get(f"/n/{table.night}/export/{format}", headers=table.keeper.headers)
        assert response.status_code == 200
        assert f"-{table.night[:8]}" in response.headers["Content-Disposition"]
    page = client.get(f"/n/{table.night}/export", headers=table.keeper.headers)
    assert "&lt;b&gt;An&lt;/b&gt;" in page.text


def test_reading_changes_nothing(client: FlaskClient, night: Table) -> None:
    before = night.keeper.log()
    visit(client, f"/n/{night.night}/export")
    for format in Format:
        client.get(f"/n/{night.night}/export/{format}")
    assert night.keeper.log() == before
