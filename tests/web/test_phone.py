"""What a phone is given beside the pages: settings of its own, a manifest, a service worker; little to carry."""

from gzip import decompress
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from tests.web.browsing import Page, visit
from tests.web.phones import Table


def test_a_phone_keeps_its_settings_and_goes_back_to_where_it_was(client: FlaskClient, table: Table) -> None:
    client.post(f"/t/{table.tokens['keeper']}")
    night = f"/n/{table.night}"
    coloured, hiding = ("html", "four-colours"), ("details", "hides")
    assert not {coloured, hiding} & classes(visit(client, night))
    kept = client.post("/phone", data={"back": night, "set": ["suits", "totals"]})
    assert (kept.status_code, kept.location) == (303, night)
    assert {coloured, hiding} <= classes(visit(client, night))
    assert checked(visit(client, f"/phone?back={night}")) == {"suits", "totals"}
    client.post("/phone", data={"back": night})
    assert not {coloured, hiding} & classes(visit(client, night))


def classes(page: Page) -> set[tuple[str, str | None]]:
    return {(tag, given.get("class")) for tag, given in page.elements}


def checked(page: Page) -> set[str | None]:
    return {given["value"] for tag, given in page.elements if tag == "input" and "checked" in given}


@pytest.mark.parametrize("back", ["//elsewhere.example", "https://elsewhere.example", "/\\elsewhere", ""])
def test_nobody_is_sent_elsewhere_from_the_settings(client: FlaskClient, back: str) -> None:
    assert client.post("/phone", data={"back": back}).location == "/"
    form = visit(client, f"/phone?{urlencode({'back': back})}")
    assert [given["value"] for _, given in form.elements if given.get("name") == "back"][-1] == "/"


def test_what_a_cookie_says_that_is_no_setting_says_nothing(client: FlaskClient) -> None:
    client.set_cookie("tienlen-phone", "suits.singles.nonsense.<b>")
    assert checked(visit(client, "/phone")) == {"suits", "singles"}


def test_the_manifest_speaks_the_language_of_the_phone(client: FlaskClient) -> None:
    for language, name in (("vi", "Sổ tiến lên"), ("en", "Tiến lên ledger")):
        response = client.get("/manifest.webmanifest", headers={"Accept-Language": language})
        assert response.content_type == "application/manifest+json"
        manifest = response.get_json(force=True)
        assert (manifest["name"], manifest["lang"], manifest["display"]) == (name, language, "standalone")
        for icon in manifest["icons"]:
            with client.get(icon["src"]) as picture:
                assert picture.mimetype == icon["type"]


def test_the_service_worker_lies_at_the_root_and_is_asked_for_anew(client: FlaskClient) -> None:
    with client.get("/sw.js") as response:
        assert response.status_code == 200
        assert response.content_type.startswith("text/javascript")
        assert response.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("path", ["/static/page.css", "/static/record.js", "/sw.js"])
def test_styles_and_scripts_go_out_compressed_to_whoever_takes_it(client: FlaskClient, path: str) -> None:
    with client.get(path) as plain, client.get(path, headers={"Accept-Encoding": "br, gzip"}) as packed:
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert decompress(packed.data) == plain.data
        assert len(packed.data) < len(plain.data) / 2
        assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
        known = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    with client.get(path, headers=known) as again:
        assert (again.status_code, again.data) == (304, b"")


def test_pages_and_data_are_not_compressed_beside_their_secrets(client: FlaskClient, table: Table) -> None:
    client.post(f"/t/{table.tokens['keeper']}")
    for path in (f"/n/{table.night}", f"/n/{table.night}/links", f"/api/v1/nights/{table.night}"):
        response = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert response.status_code == 200
        assert "Content-Encoding" not in response.headers
