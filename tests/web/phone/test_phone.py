"""What a phone gets besides pages: folded totals, a manifest, a service worker; all of it small."""

import re
from gzip import decompress
from struct import unpack

import pytest
from flask.testing import FlaskClient

from ledger.web.pages.shared.blueprint import STATIC
from tests.factories import NightFactory
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.browsing import Page, visit
from tests.web.phones import Table, take
from tests.web.shared.test_pages_of_a_night import places


def test_a_phone_that_hides_totals_hides_all_that_tells_them(client: FlaskClient) -> None:
    table: Table = NightFactory.create(
        by=client, holds="watch", story=A_SETTLED_ROUND_OF_FOUR, stake={"amount": "5000", "currency": "VND"}
    )
    totals = ['<table class="sheet">', '<span class="whole">', "<svg", "Running totals"]
    place = f"/n/{table.night}/ledger"
    assert [word in open_to_see(visit(client, place, "en")) for word in totals] == [True] * 4
    client.post("/phone", data={"back": place, "set": "totals"})
    assert [word in open_to_see(visit(client, place, "en")) for word in totals] == [False] * 4
    assert all(word in visit(client, place, "en").response.text for word in totals)


def open_to_see(page: Page) -> str:
    """The text of a page without the folded totals."""
    return re.sub(
        r'(?s)<details class="hides">.*?(<details>.*?</details>.*?)?</details>', "", page.response.text
    )


def test_the_manifest_speaks_the_language_of_the_phone(client: FlaskClient) -> None:
    for language, name in (("vi", "Sổ tiến lên"), ("en", "Tiến lên ledger")):
        response = client.get("/manifest.webmanifest", headers={"Accept-Language": language})
        assert response.content_type == "application/manifest+json"
        manifest = response.get_json(force=True)
        assert (manifest["name"], manifest["lang"], manifest["display"]) == (name, language, "standalone")
        sizes = {}
        for icon in manifest["icons"]:
            with client.get(icon["src"]) as picture:
                assert picture.mimetype == icon["type"]
                sizes[icon["type"]] = (icon["sizes"], picture.data)
        stated_size, drawn = sizes["image/png"]
        assert stated_size == "x".join(map(str, unpack(">II", drawn[16:24])))


@pytest.mark.parametrize(
    "path", [f"{STATIC}/shared/page.css", f"{STATIC}/table/record.js", f"{STATIC}/proof/chain.js", "/sw.js"]
)
def test_styles_and_scripts_go_out_compressed_and_without_comments_to_whoever_takes_it(
    client: FlaskClient, path: str
) -> None:
    with client.get(path) as plain, client.get(path, headers={"Accept-Encoding": "br, gzip"}) as packed:
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert code_of(sent := decompress(packed.data).decode()) == code_of(plain.data.decode())
        assert not re.search(r"^\s*(//|/\*[^*]*\*/$)|^\s|; //", sent, re.MULTILINE)
        assert len(packed.data) < len(plain.data) / 2
        assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
        known = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    with client.get(path, headers=known) as again:
        assert (again.status_code, again.data) == (304, b"")


def code_of(text: str) -> list[str]:
    """The words of a stylesheet or script without comments."""
    return re.sub(r"/\*.*?\*/", "", re.sub(r"(?m)(^\s*|(?<=[;{]) )//.*$", "", text), flags=re.DOTALL).split()


def test_what_holds_a_link_is_not_compressed_beside_names_and_other_pages_are(
    client: FlaskClient, table: Table
) -> None:
    take(client, table, "keeper")
    tokens = [table.tokens["keeper"], table.tokens["watch"], *table.tokens["seats"].values()]
    compressed = set()
    more = (f"/n/{table.night}/links/p2", f"/t/{tokens[-1]}", f"/api/v1/nights/{table.night}")
    for path in (*places(table.night), *more):
        response = client.get(path, headers={"Accept-Encoding": "gzip"})
        if "Content-Encoding" in response.headers:
            text = decompress(response.data).decode()
            assert "</html>" in text
            if len(response.data) >= len(text.encode()):
                continue  # in compressed form, but not smaller, so that no proxy compresses it
            compressed.add(path)
            assert not [token for token in tokens if token in text], path
    assert f"/n/{table.night}" in compressed
    assert not [path for path in compressed if "/links" in path or "/t/" in path or "/api/" in path]
