"""One installation and a client that requests any route in any role."""

import sqlite3

import pytest
from flask import Flask
from werkzeug.datastructures import Headers
from werkzeug.test import TestResponse

from ledger.resources import as_sent, part, policy_hash
from ledger.store import migrate
from ledger.store.systems import log_emptier
from ledger.web import Rate, Settings, create_app
from tests.web.phones import Table, open_table
from tests.web.routes import Asked, Route, asked, played

NO_TOKEN = "A" * 48


def as_bytes(text: str) -> bytes:
    """Bytes that are written with escapes."""
    return text.encode().decode("unicode_escape").encode("latin-1")


POLICY = {
    "default-src 'none'",
    "style-src 'self'",
    f"script-src 'self' '{policy_hash(as_sent(part('shared/again.js')))}'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}
ALWAYS = {
    "Cross-Origin-Opener-Policy": ["same-origin"],
    "Cross-Origin-Resource-Policy": ["same-origin"],
    "X-Content-Type-Options": ["nosniff"],
}


def assert_whole(headers: Headers, call: object) -> None:
    """Assert that a response has every security header once, and no header that grants access to another origin."""
    assert {name: headers.getlist(name) for name in ALWAYS} == ALWAYS, call
    assert set(headers["Content-Security-Policy"].split("; ")) == POLICY, call
    features = headers["Permissions-Policy"].split(", ")
    assert {"camera=()", "geolocation=()", "microphone=()"} <= set(features), call
    assert all(feature.endswith("=()") for feature in features), call
    assert headers["Referrer-Policy"] in ("same-origin", "no-referrer"), call
    assert headers["Cache-Control"] in (
        "no-store",
        "no-store, no-transform",
        "no-cache",
        "private, no-cache",
        "public, max-age=31536000",
    ), call
    assert not {name for name, _ in headers if name.startswith("Access-Control-")}, call


class Place:
    """An installation for many requests: `night` was played; `far` is another night, with different players."""

    def __init__(self, url: str) -> None:
        migrate(url)
        self._patched = pytest.MonkeyPatch()
        self._patched.setattr(log_emptier, "SECONDS", 3600.0)  # a log that is emptied would count as written
        often = Rate(1_000_000)
        settings = Settings(
            database_url=url, key=bytes(32), writes=often, new_nights=often, wrong_tokens=often
        )
        self.app: Flask = create_app(settings)
        self.app.config["PROPAGATE_EXCEPTIONS"] = False
        self._watching = sqlite3.connect(f"file:{url.removeprefix('sqlite:///')}?mode=ro", uri=True)
        self.night, self.far = self.played(), open_table(self.app.test_client())
        self.app.test_client().post("/example")  # recorded once, for all visitors

    def played(self) -> Table:
        return played(self.app)

    def close(self) -> None:
        self._watching.close()
        self._patched.undo()

    def written(self) -> int:
        """A number that changes with every write to the database, by any connection."""
        (number,) = self._watching.execute("PRAGMA data_version").fetchone()
        return int(number)

    def entries(self) -> int:
        """The number of entries in the logs of all nights and groups."""
        tables = ("night", "event", "group_entry")
        counted = "SELECT " + " + ".join(f"(SELECT count(*) FROM {table})" for table in tables)
        (number,) = self._watching.execute(counted).fetchone()
        return int(number)

    def tokens(self, night: Table, role: str) -> list[str]:
        """The tokens that a request in this role may carry."""
        seats = night.tokens["seats"]
        match role:
            case "nobody":
                return [""]
            case "wrong":
                return [NO_TOKEN]
            case "seat" | "other":
                return [seats["p1" if role == "seat" else "p2"]]
            case "far":
                return [self.far.tokens["watch"], self.far.tokens["seats"]["p1"], self.far.tokens["keeper"]]
        return [night.tokens[role]]

    def ask(self, one: Asked, token: str, *, cookie_of: str = "", method: str = "") -> TestResponse:
        """Send a request with a token, or with the cookie that the token's page sets.

        Asserts the security headers of every response.
        """
        client, headers = self.app.test_client(), {"Sec-Fetch-Site": "same-origin"}
        if not cookie_of:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
        elif token == NO_TOKEN:
            client.set_cookie(f"tienlen-{cookie_of}-keeper", token)
        elif token:
            assert client.post(f"/t/{token}").status_code == 303
        response = client.open(
            one.path,
            method=method or one.method,
            query_string=one.query,
            data=one.body or None,
            content_type=one.content_type or None,
            headers=headers,
        )
        assert_whole(response.headers, (method, one))
        return response

    def answer(self, route: Route, night: Table, token: str, method: str = "") -> TestResponse:
        """Send a request as the route's clients do: people with cookies, programs with tokens."""
        one = asked(self.app, route, night, token=token)
        by_cookie = night.night if route.rule.startswith("/n/") else ""
        return self.ask(one, token, cookie_of=by_cookie, method=method)
