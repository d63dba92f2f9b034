"""Every page, call and file of a night, as text that can be compared."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.recorder import Tokens
from ledger.recorder.exports import Format
from ledger.recorder.views.ledger import LedgerPayment
from ledger.web.recorder import recorder
from tests.golden.page_text import page_text

Data = dict[str, Any]

KEEPER, WATCH, SEAT = "keeper", "watch", "p2"
HOLDERS = (KEEPER, WATCH, SEAT)
LANGUAGES = ("vi", "en")
UNDER = ("southern-winner-takes-all", "thirteen-points")
LEFT_OUT = {
    "/n/<night:night>/compare.svg": "a picture of what the page beside it says",
    "/api/v1/nights/<night:night>/live": "a stream of heads, which the board says too",
}
"""Addresses that are not requested, with the reason."""
OF_PROGRAMS = ("/export/json", "/export/ihatemoney")
"""Files in which a language changes a word or two."""


class Answer(NamedTuple):
    """The answer to one link at an address. The night's id is replaced by NIGHT, except in files."""

    rule: str
    path: str
    holder: str
    language: str
    text: str


def surfaces(
    app: Flask,
    night: str,
    holders: Sequence[str] = HOLDERS,
    languages: Sequence[str] = LANGUAGES,
    *,
    pages: bool = True,
) -> Iterator[Answer]:
    """Every answer of a night to some links in some languages, or only its calls and files. Where all links get the
    same, only the first asks; a file that people do not read, and a search, is in the first language only."""
    asking = _Asking(app, night)
    for rule, path in asking.addresses():
        if pages or not is_page_of_a_night(rule):
            of_all = "?" in path or not is_page_of_a_night(rule)
            one_language = "?" in path or path.endswith(OF_PROGRAMS)
            yield from asking.answers(
                rule, path, holders[:1] if of_all else holders, languages[:1] if one_language else languages
            )


def screens(
    app: Flask, night: str, holders: Sequence[str] = HOLDERS, languages: Sequence[str] = LANGUAGES
) -> Iterator[Answer]:
    """Every call and file of a night, and each of its screens once: at the address of its rule with the longest
    answer, to the first link in all languages, and to the others in the first language."""
    yield from surfaces(app, night, holders, languages, pages=False)
    asking, by_rule = _Asking(app, night), defaultdict[str, list[str]](list)
    for rule, path in asking.addresses():
        if is_page_of_a_night(rule):
            by_rule[rule].append(path)
    for rule, paths in by_rule.items():
        fullest = max(paths, key=lambda path: len(asking.ask(path, holders[0], languages[0])))
        yield from asking.answers(rule, fullest, holders[:1], languages)
        yield from asking.answers(rule, fullest, holders[1:], languages[:1])


def is_page_of_a_night(rule: str) -> bool:
    """Whether an address shows a screen of a night: neither a call of the interface nor a file."""
    return rule.startswith("/n/<night:night>") and "/export/" not in rule and rule not in LEFT_OUT


class _Asking:
    """A client that requests everything of a night, with each of its links."""

    def __init__(self, app: Flask, night: str) -> None:
        self.app, self.night = app, night
        with app.app_context(), recorder().night(night) as snapshot:
            self.tokens = snapshot.tokens()
            self.account = snapshot.ledger()
            self.disputes = snapshot.agreement().disputes
            log = [json.loads(event.body) for event in snapshot.log().events]
        of_rounds = (body for body in reversed(log) if body["round"])
        self.entries = {body["kind"]: (body["round"], f"{body['seq']}.0") for body in of_rounds}
        self.visitors = {holder: visitor_of(app, night, holder) for holder in HOLDERS}

    def answers(
        self, rule: str, path: str, holders: Iterable[str], languages: Iterable[str]
    ) -> Iterator[Answer]:
        for holder, language in product(holders, languages):
            named = path.replace(self.night, "NIGHT")
            yield Answer(rule, named, holder, language, self.ask(path, holder, language))

    def ask(self, path: str, holder: str, language: str) -> str:
        """The answer as text: a page's words, a call's values, or a file unchanged."""
        headers = {"Accept-Language": language}
        if path.startswith("/api/"):
            headers["Authorization"] = f"Bearer {_token(self.tokens, holder)}"
            return answer_of(self.app.test_client().get(path, headers=headers)).replace(self.night, "NIGHT")
        response = self.visitors[holder].get(path, headers=headers)
        if "/export/" in path:
            return response.text
        return answer_of(response, whole=path == f"/n/{self.night}").replace(self.night, "NIGHT")

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Every address of the night that answers GET, as its rule and itself."""
        for rule in sorted(
            rule.rule for rule in self.app.url_map.iter_rules() if "GET" in (rule.methods or ())
        ):
            if "<night:night>" in rule and rule not in LEFT_OUT:
                for path in self._filled(rule.replace("<night:night>", self.night)):
                    yield from ((rule, f"{path}{query}") for query in self._queries(path))

    def _filled(self, rule: str) -> list[str]:
        paths = [rule.replace("<int:seq>.<int:idx>", "<payment>")]
        for part, name in re.findall(r"(<(?:\w+:)?(\w+)>)", paths[0]):
            paths = [path.replace(part, value) for path in paths for value in self._values(name)]
        return paths

    def _values(self, name: str) -> Iterable[str]:
        """The values to request for one variable of a rule."""
        match name:
            case "number":
                return [str(line.number) for line in self.account.rounds]
            case "payment":
                return _one_of_each_sort(self.account.payments)
            case "seq":
                return [str(dispute.seq) for dispute in self.disputes]
            case "holder":
                return [WATCH, *self.tokens.seats]
            case "player":
                return list(self.tokens.seats)
            case "preset":
                return UNDER
            case "format":
                return list(Format)
        raise AssertionError(f"nobody has said what to ask for where an address has a {name}")

    def _queries(self, path: str) -> Iterator[str]:
        """The queries to append to an address."""
        if path.endswith("/events"):
            yield from ("?limit=1", "?after=2&limit=1")
            return
        yield ""
        if path.endswith("/rounds"):
            yield from ("?player=p2", "?heading=bombs", "?bomber=p3&bombed=p2")
        if path.endswith(("/correct", "/dispute")):
            word = "target" if path.endswith("/correct") else "move"
            yield from (f"?{word}={at}" for round, at in self.entries.values() if f"/rounds/{round}/" in path)


def addresses_of(app: Flask, night: str) -> Iterator[tuple[str, str]]:
    """Every address of a night that answers GET, as its rule and itself."""
    return _Asking(app, night).addresses()


def visitor_of(app: Flask, night: str, holder: str) -> FlaskClient:
    """A browser that has accepted a link of a night."""
    client = app.test_client()
    assert client.post(f"/t/{token_of(app, night, holder)}").status_code == 303
    return client


def token_of(app: Flask, night: str, holder: str) -> str:
    """The token of one of the links of a night."""
    with app.app_context(), recorder().night(night) as snapshot:
        return _token(snapshot.tokens(), holder)


def _token(tokens: Tokens, holder: str) -> str:
    return tokens.seats.get(holder) or getattr(tokens, holder)


def answer_of(response: TestResponse, *, whole: bool = False) -> str:
    """The text of an answer: a page without its frame, unless `whole`."""
    assert response.status_code in (200, 302, 403, 404), f"{response.request.path}: {response.status}"
    if response.status_code == 302:
        answer_text = response.headers["Location"]
    elif response.content_type.startswith("text/html"):
        answer_text = page_text(response.text if whole else _middle(response.text))
    else:
        answer_text = as_lines(response.get_json()) if response.is_json else response.text
    return answer_text if response.status_code == 200 else f"{response.status_code} {answer_text}"


def _one_of_each_sort(payments: Iterable[LedgerPayment]) -> list[str]:
    """The addresses of some payments: the first for each combination of reason, clause and state."""
    found: dict[tuple[object, ...], str] = {}
    for row in payments:
        fate = (getattr(row, name) is None for name in ("reverses", "reversed_by", "dispute"))
        found.setdefault((row.reason, row.clause, row.round > 0, *fate), row.address)
    return list(found.values())


def _middle(html: str) -> str:
    """A page without the frame that all pages of a night share: its title and `<main>`."""
    title, main = html[html.index("<title>") :], html[html.index("<main>") :]
    return title[: title.index("</title>")] + "</title>" + main[: main.index("</main>")]


def as_lines(answer: Data) -> str:
    """A JSON answer, one line for each value."""
    return "\n".join(f"{path}: {one_line(value)}" for path, value in flat(answer).items())


def one_line(value: object) -> str:
    """A value as JSON with sorted keys."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def flat(value: Any, path: str = "") -> Mapping[str, Any]:
    """The values of an answer by their paths. An object or list that holds only plain values is one value."""
    if isinstance(value, dict) and not all(map(_is_plain, value.values())):
        inner = {f"{path}.{key}".removeprefix("."): value[key] for key in sorted(value)}
    elif isinstance(value, list) and not all(map(_is_plain, value)):
        inner = {f"{path}[{at}]": one for at, one in enumerate(value)}
    else:
        return {path: value}
    return {name: one for below, each in inner.items() for name, one in flat(each, below).items()}


def _is_plain(value: object) -> bool:
    inner = value if isinstance(value, list) else [value]
    return not any(isinstance(one, dict | list) for one in inner)
