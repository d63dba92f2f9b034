"""Invalid tokens, cookies, other origins, languages. Permissions are in `test_who_may.py`."""

import json
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from ledger.language import LANGUAGES, speaker
from ledger.recorder import ProblemCode
from ledger.web import Settings, create_app
from ledger.web.problems import WebCode
from tests.case_files import columns
from tests.nights import Data
from tests.web.phones import NIGHTS, Table, answered, new_night, open_table, take


@pytest.mark.parametrize(
    ("authorization", "status"),
    [*columns("requests.txt", "tokens and other schemes"), (json.dumps(f"Bearer {'A' * 6000}"), "404")],
)
def test_what_is_no_token_opens_nothing_and_another_scheme_is_none(
    client: FlaskClient, table: Table, authorization: str, status: str
) -> None:
    headers = {"Authorization": json.loads(authorization)}
    assert client.get(f"{NIGHTS}/{table.night}", headers=headers).status_code == int(status)


# Links and cookies


def test_opening_a_link_changes_nothing_and_its_button_sets_the_cookie(
    client: FlaskClient, table: Table
) -> None:
    address = f"/t/{table.tokens['keeper']}"
    page = client.get(address)
    assert (page.status_code, page.headers["Referrer-Policy"]) == (200, "no-referrer")
    assert "Set-Cookie" not in page.headers
    assert client.get(f"{NIGHTS}/{table.night}").status_code == 401
    # The form is sent with an origin, which a page without a referrer would not have; the referrer leaves out the
    # path.
    assert '<meta name="referrer" content="origin">' in page.text
    taken = client.post(address, headers={"Origin": SAME})
    assert taken.status_code == 303
    assert taken.headers["Referrer-Policy"] == "no-referrer"
    cookie = taken.headers["Set-Cookie"]
    assert cookie.startswith(f"tienlen-{table.night}-keeper={table.tokens['keeper']};")
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert answered(client.get(f"{NIGHTS}/{table.night}"))["role"] == "keeper"


def test_on_https_the_cookie_is_the_hosts_alone(client: FlaskClient, table: Table) -> None:
    secure = {"base_url": "https://ledger.example"}
    taken = client.post(f"/t/{table.tokens['watch']}", **secure)
    cookie = taken.headers["Set-Cookie"]
    assert cookie.startswith(f"__Host-tienlen-{table.night}-watch=")
    assert "Secure" in cookie.split("; ")
    assert taken.headers["Strict-Transport-Security"]
    assert client.get(f"{NIGHTS}/{table.night}", **secure).status_code == 200


def test_a_phone_holds_several_links_and_the_strongest_counts(client: FlaskClient, table: Table) -> None:
    other = open_table(client)
    for token in (
        other.tokens["watch"],
        table.tokens["watch"],
        table.tokens["seats"]["p2"],
        table.tokens["keeper"],
    ):
        client.post(f"/t/{token}")
    assert answered(client.get(f"{NIGHTS}/{table.night}"))["role"] == "keeper"
    assert answered(client.get(f"{NIGHTS}/{other.night}"))["role"] == "watch"


def test_a_bearer_token_goes_before_cookies(client: FlaskClient, table: Table) -> None:
    take(client, table, "keeper")
    assert table.watch.board()["role"] == "watch"


@pytest.mark.parametrize("value", ["", "x", "A" * 48, "other"])
def test_a_cookie_that_is_no_link_opens_nothing(client: FlaskClient, table: Table, value: str) -> None:
    token = table.tokens["watch"] if value == "other" else value
    client.set_cookie(f"tienlen-{table.night}-keeper", token)
    assert client.get(f"{NIGHTS}/{table.night}").status_code == 401


def test_old_cookies_go_before_they_outgrow_the_header(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.web.access.MOST_COOKIES", 3)
    tables = [open_table(client) for _ in range(5)]
    for table in tables:
        take(client, table, "keeper")
    statuses = [client.get(f"{NIGHTS}/{table.night}").status_code for table in tables]
    assert statuses == [401, 401, 200, 200, 200]


def test_a_cookie_is_deleted_with_the_attributes_that_it_was_set_with(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise browsers refuse to delete one whose name begins with `__Host-`."""
    monkeypatch.setattr("ledger.web.access.MOST_COOKIES", 1)
    links = [f"/t/{open_table(client).tokens['keeper']}" for _ in range(2)]
    answers = [client.post(link, base_url="https://localhost") for link in links]
    dropped, kept = sorted(answers[1].headers.getlist("Set-Cookie"), key=lambda one: "Max-Age=0" not in one)
    attributes = {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"}
    for cookie in (dropped, kept):
        assert attributes <= set(cookie.split("; ")), cookie


def test_nights_that_are_only_looked_on_at_go_before_those_that_are_kept(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.web.access.MOST_COOKIES", 3)
    kept, *others = [open_table(client) for _ in range(5)]
    take(client, kept, "keeper")
    for table in others:
        take(client, table, "watch")
    statuses = [client.get(f"{NIGHTS}/{table.night}").status_code for table in (kept, *others)]
    assert statuses == [200, 401, 401, 200, 200]


@pytest.mark.parametrize("token", ["x", "A" * 48, "%00", "..%2F..", "%F0%9F%82%A1"])
def test_a_link_that_is_none_is_not_found(client: FlaskClient, token: str) -> None:
    for response in (client.get(f"/t/{token}"), client.post(f"/t/{token}")):
        assert response.status_code == 404
        assert "Set-Cookie" not in response.headers


# Other sites

SAME, OTHER = "http://localhost", "https://evil.example"


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [(sent, may == "yes") for sent, may in columns("requests.txt", "headers of other sites")],
)
def test_another_site_cannot_write_with_a_visitors_cookies(
    client: FlaskClient, table: Table, headers: str, allowed: bool
) -> None:
    take(client, table, "keeper")
    event = table.keeper.event("round", opening=True)
    response = client.post(f"{NIGHTS}/{table.night}/events", json=event, headers=json.loads(headers))
    assert response.status_code == (201 if allowed else 403)
    if not allowed:
        assert answered(response)["code"] == "other-site"
    assert len(table.watch.log()) == allowed


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://tienlen.example:8443", 201),
        ("http://tienlen.example:8443", 403),
        ("https://tienlen.example", 403),
        ("http://localhost", 403),
    ],
)
def test_behind_a_proxy_a_site_is_what_the_proxy_was_asked_for(
    settings: Settings, origin: str, status: int
) -> None:
    client = create_app(replace(settings, proxies=1)).test_client()
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "tienlen.example:8443"}
    answer = client.post(NIGHTS, json=new_night(), headers={**forwarded, "Origin": origin})
    assert answer.status_code == status


def test_another_site_cannot_make_a_browser_take_links(client: FlaskClient, table: Table) -> None:
    """Too many cookies would exceed the server's header limit, and no page of the host would open. Over plain HTTP,
    `Origin: null` is all that a browser sends from a page without a referrer."""
    for address in (f"/t/{table.tokens['watch']}", "/language", "/phone"):
        refused = client.post(address, headers={"Origin": "null"})
        assert (refused.status_code, "Set-Cookie" in refused.headers) == (403, False)


def test_a_program_with_a_token_may_write_from_anywhere(table: Table) -> None:
    response = table.keeper.post(table.keeper.event("round", opening=True), Origin=OTHER)
    assert response.status_code == 201


def test_another_site_may_not_open_nights(client: FlaskClient) -> None:
    assert client.post(NIGHTS, json=new_night(), headers={"Origin": OTHER}).status_code == 403
    # A browser sends a stored password for this host from any site.
    known = {"Origin": OTHER, "Authorization": "Basic YW46Yg=="}
    assert client.post(NIGHTS, json=new_night(), headers=known).status_code == 403


# Answers


def test_an_error_is_a_problem_for_programs_and_a_page_for_people(client: FlaskClient) -> None:
    for path, accept, content_type in [
        ("/api/v1/nothing", "text/html", "application/problem+json"),
        ("/nothing", "application/json", "application/problem+json"),
        ("/nothing", "text/html,*/*;q=0.8", "text/html; charset=utf-8"),
        ("/nothing", "", "text/html; charset=utf-8"),
        ("/nothing", "image/png", "text/html; charset=utf-8"),
    ]:
        response = client.get(path, headers={"Accept": accept})
        assert (response.status_code, response.content_type) == (404, content_type)


@pytest.mark.parametrize("code", [*WebCode, *ProblemCode])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_has_words(code: str, language: str) -> None:
    assert speaker(language).problem(code, {})


def test_another_method_is_told_which_there_are(client: FlaskClient) -> None:
    response = client.delete("/api/v1/score")
    assert (response.status_code, answered(response)["code"]) == (405, "method-not-allowed")


@pytest.mark.parametrize(("asked", "spoken"), columns("requests.txt", "languages"))
def test_the_language_is_the_visitors(client: FlaskClient, asked: str, spoken: str) -> None:
    details = {language: problem_in(client, language)["detail"] for language in ("vi", "en")}
    header, cookie = map(json.loads, asked.split(" / "))
    if cookie:
        client.set_cookie("tienlen-language", cookie)
    headers = {"Accept-Language": header} if header else {}
    assert answered(client.get("/api/v1/nothing", headers=headers))["detail"] == details[spoken]
    assert details["vi"] != details["en"]


def problem_in(client: FlaskClient, language: str) -> Data:
    return answered(client.get("/api/v1/nothing", headers={"Accept-Language": language}))
