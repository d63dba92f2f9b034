"""Headers of responses that are neither pages nor data: errors, files, streams, redirects; of HTTPS; and cookies.

`Place.ask` asserts the common headers of every route in every role.
"""

from dataclasses import replace
from itertools import product
from unittest.mock import Mock

import pytest

from ledger.recorder import NightSnapshot
from ledger.store import StoreBusy, StoreFailing, StoreFull
from ledger.web import Rate, Settings, create_app, live
from ledger.web.pages.shared.blueprint import STATIC
from tests.nights import new_id
from tests.web.asking import Place, assert_whole
from tests.web.phones import NIGHTS, Table, new_night, open_table, take
from tests.web.routes import FORM, TEXT, Asked

API, PAGES = f"{NIGHTS}/NIGHT", "/n/NIGHT"


@pytest.mark.parametrize(
    ("status", "one"),
    [
        (400, Asked("POST", "/language", body="language=xx", content_type=FORM)),
        (400, Asked("GET", f"{API}/ledger", "limit=x")),
        (400, Asked("GET", f"{PAGES}/compare", "head=x")),
        (401, Asked("GET", f"/n/{new_id()}")),
        (404, Asked("GET", f"{PAGES}/compare.svg", "head=7K3Q9FZDMW2HXA4T")),
        (404, Asked("GET", "/nothing")),
        (404, Asked("GET", f"{STATIC}/nothing.js")),
        (404, Asked("GET", f"{STATIC}/../__init__.py")),
        (404, Asked("GET", "/t/nothing")),
        (404, Asked("GET", f"{PAGES}/rounds/99999999999999999999")),
        (405, Asked("PUT", f"{STATIC}/shared/page.css")),
        (405, Asked("DELETE", f"{API}/ledger")),
        (413, Asked("POST", "/api/v1/score", body="x" * 2**21, content_type=TEXT)),
        (413, Asked("POST", PAGES, body="x" * 2**15, content_type=FORM)),
        (415, Asked("POST", "/phone", body="x", content_type=TEXT)),
        (422, Asked("POST", PAGES, body="kind=play", content_type=FORM)),
    ],
)
def test_an_error_has_every_header(place: Place, status: int, one: Asked) -> None:
    night = place.night
    one = one._replace(path=one.path.replace("NIGHT", night.night))
    with place.ask(one, night.tokens["keeper"], cookie_of=night.night) as response:
        assert response.status_code == status


def test_so_has_the_answer_to_another_site(place: Place) -> None:
    for path in ("/", f"{NIGHTS}/{place.night.night}/events"):
        answer = place.app.test_client().post(path, headers={"Origin": "https://evil.example"})
        assert answer.status_code == 403
        assert_whole(answer.headers, path)


def test_so_has_the_answer_to_whoever_comes_too_often(settings: Settings) -> None:
    client = create_app(replace(settings, writes=Rate(1, seconds=3600))).test_client()
    for path, status in (("/phone", 415), ("/phone", 429), (NIGHTS, 429)):
        answer = client.post(path)
        assert answer.status_code == status
        assert_whole(answer.headers, path)
        assert bool(answer.headers.get("Retry-After")) == (status == 429)


def test_so_has_the_answer_when_something_is_broken(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    errors = {StoreBusy("x"): 503, StoreFull("x"): 503, StoreFailing("x"): 503, KeyError("secret"): 500}
    for (error, status), path in product(errors.items(), (API, PAGES)):
        monkeypatch.setattr(NightSnapshot, "board", Mock(side_effect=error))
        night = place.night
        one = Asked("GET", path.replace("NIGHT", night.night))
        answer = place.ask(one, night.tokens["keeper"], cookie_of=night.night)
        assert answer.status_code == status
        assert "secret" not in answer.text


def test_so_have_streams_and_those_who_find_no_place_in_one(
    table: Table, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LIFE_SECONDS", 0.01)
    for streams, status in ((1, 200), (0, 204)):
        client = create_app(replace(settings, streams=streams)).test_client()
        answer = client.get(f"{NIGHTS}/{table.night}/live", headers=table.watch.headers)
        assert answer.status_code == status
        assert_whole(answer.headers, status)
        answer.close()


def test_so_have_redirects_and_what_has_not_changed(place: Place) -> None:
    table = place.night
    moved = table.client.get("/api/v1//openapi.json")
    assert moved.status_code == 308
    assert_whole(moved.headers, moved)
    unchanged = table.keeper.get(**{"If-None-Match": table.keeper.get().headers["ETag"]})
    assert unchanged.status_code == 304
    assert_whole(unchanged.headers, unchanged)
    with table.client.get(f"{STATIC}/shared/page.css") as file:
        etag = file.headers["ETag"]
    with table.client.get(f"{STATIC}/shared/page.css", headers={"If-None-Match": etag}) as again:
        assert again.status_code == 304
        assert_whole(again.headers, again)


def test_what_is_somebodys_is_never_kept_and_the_service_worker_is_asked_for_again(place: Place) -> None:
    client, table = place.app.test_client(), place.night
    take(client, table, "keeper")
    for path in (
        PAGES,
        f"{PAGES}/links",
        f"{PAGES}/export/csv",
        f"{API}/ledger",
        f"/t/{table.tokens['watch']}",
    ):
        kept = client.get(path.replace("NIGHT", table.night)).headers["Cache-Control"].split(", ")
        assert "no-store" in kept, path
    assert table.keeper.get().headers["Cache-Control"] == "private, no-cache"
    with client.get("/sw.js") as response:
        assert response.headers["Cache-Control"] == "no-cache"
    # The address of a static file changes with its content.
    with client.get(f"{STATIC}/shared/page.css") as response:
        assert "max-age=31536000" in response.headers["Cache-Control"].split(", ")


# HTTPS, terminated by a proxy


@pytest.mark.parametrize(("proxies", "secure"), [(1, True), (0, False)])
def test_https_is_believed_of_a_proxy_that_the_installation_names_alone(
    settings: Settings, *, proxies: int, secure: bool
) -> None:
    client = create_app(replace(settings, proxies=proxies)).test_client()
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "ledger.example"}
    table = open_table(client)
    answer = client.post(f"/t/{table.tokens['watch']}", headers=forwarded)
    assert ("Strict-Transport-Security" in answer.headers) is secure
    assert answer.headers["Set-Cookie"].startswith("__Host-tienlen-" if secure else "tienlen-")
    links = client.post(NIGHTS, json=new_night(), headers=forwarded).get_json()["links"]
    assert links["keeper"].startswith("https://ledger.example/t/" if secure else "http://localhost/t/")


@pytest.mark.parametrize("base", ["http://localhost", "https://ledger.example"])
def test_no_cookie_is_for_scripts_other_sites_or_other_hosts(place: Place, base: str) -> None:
    client, table = place.app.test_client(), place.night
    asked = [
        (f"/t/{table.tokens['keeper']}", ""),
        ("/language", "language=en"),
        ("/phone", "set=suits"),
        ("/", "act=keep&set=Ours&ruleset=southern-classic"),
    ]
    for path, body in asked:
        answer = client.post(path, data=body, content_type=FORM, base_url=base)
        cookies = answer.headers.getlist("Set-Cookie")
        assert cookies, path
        for cookie in cookies:
            attributes = set(cookie.split("; ")[1:])
            assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= attributes
            assert ("Secure" in attributes) is base.startswith("https")
            assert not any(word.startswith("Domain") for word in attributes)


def test_a_cookie_of_plain_http_counts_for_nothing_on_https(place: Place) -> None:
    """A neighbour who can set cookies for the host over HTTP cannot give anyone another link."""
    client, table = place.app.test_client(), place.night
    client.set_cookie(f"tienlen-{table.night}-keeper", table.tokens["keeper"], domain="ledger.example")
    assert client.get(f"/n/{table.night}", base_url="http://ledger.example").status_code == 200
    assert client.get(f"/n/{table.night}", base_url="https://ledger.example").status_code == 401
