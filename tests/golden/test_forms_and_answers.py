"""A refused form comes back with what was typed, and names the fields as on the page; the interface answers what it
describes; and a replay can be pasted as rules."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from typing import Any
from urllib.parse import urlencode
from uuid import NAMESPACE_URL, uuid5

import pytest
from flask import Flask, Response, request, request_finished
from flask.testing import FlaskClient
from jsonschema_rs import Draft202012Validator
from werkzeug.datastructures import MultiDict

from ledger.recorder import KINDS, export_tln
from ledger.web.schemas import NewNight
from tests.golden.nights import NIGHTS, House, Teller, house
from tests.golden.openings import FIELDS, PLAIN, WHOSE
from tests.golden.stories import BETS, EVENING, Story
from tests.golden.surfaces import KEEPER, SEAT, addresses_of, token_of, visitor_of
from tests.golden.test_same_night import EVENINGS, OPENED
from tests.web.browsing import Control, Form, Page, visit

Data = dict[str, Any]
Called = tuple[tuple[str, str, str], Any]
"""A call (path, method, status) and its answer."""

TOO_LONG = 300
"""A length in characters that no field accepts."""


@dataclass
class Evenings:
    """An installation with the example nights, and their answers."""

    house: House
    tellers: list[Teller]
    answers: list[Called]


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evenings]:
    with house(tmp_path_factory.mktemp("evenings")) as made:
        tellers = [Teller(made, story) for story in EVENINGS.values()]
        with collected(made.app) as answers:
            for teller in tellers:
                teller.tell()
        yield Evenings(made, tellers, answers)


def test_what_was_typed_comes_again_and_what_is_wrong_is_named_as_on_the_page(evenings: Evenings) -> None:
    """Tries every form with text fields once, with each of them too long in turn."""
    wrong, refused, tried = [], 0, set[tuple[str, ...]]()
    for night in (teller.story.id for teller in evenings.tellers):
        visitor = visitor_of(evenings.house.app, night, KEEPER)
        visitor.post(f"/t/{token_of(evenings.house.app, night, SEAT)}")
        for path in ["/", *pages_of(evenings.house, night)]:
            for form in visit(visitor, path, "vi").forms:
                if (sort := sort_of(form)) in tried:
                    continue
                tried.add(sort)
                for texts, button in product(each_too_long(form), buttons(form)):
                    page = answer_to(visitor, form, button, texts)
                    if page is not None:
                        refused += 1
                        wrong += [f"{form.action}, {button.value}: {text}" for text in lacking(page, texts)]
    assert not wrong, "\n".join(wrong)
    assert refused > 20


def sort_of(form: Form) -> tuple[str, ...]:
    """What two forms have in common that differ in their night, their round or their entry only."""
    names = (f"{one.name}={one.value}" if one.type == "button" else one.name for one in form.controls)
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d+", "", form.action), *sorted(set(names))


def pages_of(house: House, night: str) -> list[str]:
    """The first page for each rule of addresses."""
    found: dict[str, str] = {}
    for rule, path in addresses_of(house.app, night):
        if not rule.startswith("/api/") and "/export" not in rule:
            found.setdefault(rule, path)
    return list(found.values())


def each_too_long(form: Form) -> Iterator[list[str]]:
    """Texts for the fields of a form that is posted, each of them too long in turn."""
    count = len(typed(form)) if form.method == "post" else 0
    for too_long in range(count):
        yield [f"chữ {at}." + "x" * (at == too_long) * TOO_LONG for at in range(count)]


def buttons(form: Form) -> list[Control]:
    return [control for control in form.controls if control.type == "button" and not control.disabled]


def typed(form: Form) -> list[Control]:
    return [one for one in form.controls if one.type == "text" and one.name and not one.disabled]


def answer_to(visitor: FlaskClient, form: Form, button: Control, texts: list[str]) -> Page | None:
    """The answer to a form with these texts if it is refused; otherwise None."""
    left = iter(texts)
    sent = [
        (one.name, next(left) if one in typed(form) else one.value)
        for one in form.controls
        if one.name and not one.disabled and one.type != "button"
        if one.type not in ("checkbox", "radio", "option") or one.checked
    ]
    response = visitor.post(
        form.action,
        data=urlencode([*sent, (button.name, button.value)]),
        content_type="application/x-www-form-urlencoded",
        headers={"Accept": "text/html", "Accept-Language": "vi", "Sec-Fetch-Site": "same-origin"},
    )
    assert response.status_code < 500, form.action
    return Page(visitor, response) if response.status_code >= 400 else None


def lacking(page: Page, texts: list[str]) -> Iterator[str]:
    """Faults of a page that refuses a form: a text that is lost, and a field called by its internal name."""
    again = [control.value for form in page.forms for control in typed(form)]
    yield from (f"forgets {text[:20]}" for text in texts if text not in again and text not in page.text)
    names = {name for event in KINDS.values() for name in event.schema.fields} | NewNight().fields.keys()
    yield from (f"calls a field {name}" for name in sorted(names) if re.search(rf"\b{name}:", page.text))


def test_the_first_page_opens_the_night_that_a_program_opens(evenings: Evenings) -> None:
    """Sets each field of an opening in turn."""
    app, asked = evenings.house.app, {**PLAIN, "zone": "+07:00"}
    for field, value in FIELDS.items():
        terms = asked | {field: value}
        page = visit(app.test_client(), "/", "vi")
        (form,) = (form for form in page.forms if "players" in (one.name for one in form.controls))
        own = dict(zip(WHOSE, (str(uuid5(NAMESPACE_URL, f"typed {field}")), "0" * 32), strict=True))
        sent = [*own.items(), *chain.from_iterable(typed_as(*term) for term in terms.items())]
        assert {name for name, _ in sent} - {"rule"} <= {one.name for one in form.controls}
        assert app.test_client().post("/", data=MultiDict(sent)).status_code == 303
        teller = Teller(evenings.house, Story(str(uuid5(NAMESPACE_URL, field)), terms, ""))
        teller.open()
        with evenings.house.recorder() as recorder:
            one, other = (recorder.night(night) for night in (own["id"], teller.story.id))
            with one as typed_in, other as posted:
                assert (typed_in.terms, typed_in.names) == (posted.terms, posted.names)


def typed_as(field: str, value: Any) -> list[tuple[str, str]]:
    """A field of an opening as the fields of the form."""
    match field:
        case "players":
            return [("players", name) for name in value]
        case "rules":
            return [("rule", f"{rule}={choice}") for rule, choice in value.items()]
        case "stake":
            return list(value.items())
    return [(field, value)]


def test_the_interface_answers_what_it_describes(evenings: Evenings) -> None:
    """Each answer as JSON has every field that its description requires, no field that it lacks, and its types."""
    app, described = evenings.house.app, Description(evenings.house.app)
    with collected(app) as answers:
        tellers = [Teller(evenings.house, story) for story in (EVENING, BETS)]
        for teller in tellers:
            teller.tell()
            teller.send_opening()
        for night in (teller.story.id for teller in [*tellers, *evenings.tellers]):
            headers = {"Authorization": f"Bearer {token_of(app, night, KEEPER)}"}
            for path in ("", "/events", "/events?after=3&limit=2", "/ledger", "/ledger?after=0&limit=1"):
                assert app.test_client().get(f"{NIGHTS}/{night}{path}", headers=headers).status_code == 200
            replay = app.test_client().get(f"{NIGHTS}/{night}/replay", headers=headers).text
            for text, under in product((replay, "no replay"), ("", "?under=thirteen-points")):
                app.test_client().post(f"/api/v1/score{under}", json={"text": text})
    wrong = {text for answer in [*evenings.answers, *answers] for text in described.differences(answer)}
    assert not wrong, "\n".join(sorted(wrong))
    assert described.seen == described.kinds()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("more", 1),
        ("seq", None),
        ("seq", "1"),
        ("round.moves.0.sets", 1),
        ("round.more", 1),
        ("players.0.name", None),
    ],
)
def test_an_answer_that_differs_from_its_description_is_found(
    evenings: Evenings, path: str, value: object
) -> None:
    night = evenings.tellers[0].story.id
    headers = {"Authorization": f"Bearer {token_of(evenings.house.app, night, KEEPER)}"}
    with collected(evenings.house.app) as answers:
        evenings.house.app.test_client().get(f"{NIGHTS}/{night}", headers=headers)
    ((call, board),) = answers
    described = Description(evenings.house.app)
    assert not described.differences((call, board))
    *way, name = path.split(".")
    inner: Any = board
    for step in way:
        inner = inner[int(step) if step.isdecimal() else step]
    if value is None:
        del inner[name]
    else:
        inner[name] = value
    assert described.differences((call, board))


@contextmanager
def collected(app: Flask) -> Iterator[list[Called]]:
    """Collect the interface's answers as JSON, each with the call that it answers and its status."""
    answers: list[Called] = []

    def collect(app: Flask, response: Response, **_: object) -> None:
        rule = str(request.url_rule).replace("<night:night>", "{night}")
        if response.is_json:
            answers.append(((rule, request.method.lower(), str(response.status_code)), response.get_json()))

    with request_finished.connected_to(collect, app):
        yield answers


class Description:
    """The description of the interface, where an object has no fields but those described."""

    def __init__(self, app: Flask) -> None:
        self._text: Data = app.test_client().get("/api/v1/openapi.json").get_json()
        for schema in self._text["components"]["schemas"].values():
            schema.setdefault("additionalProperties", False)
        self.seen: set[str] = set()

    def kinds(self) -> set[str]:
        """The schemas of all answers as JSON."""
        calls = [
            call for path in self._text["paths"].values() for call in path.values() if "responses" in call
        ]
        return {
            one["$ref"]
            for call in calls
            for response in call["responses"].values()
            for one in self._schemas(response)
        }

    def differences(self, answer: Called) -> list[str]:
        """What an answer has otherwise than the schema that fits best."""
        (path, method, status), data = answer
        found: dict[str, list[str]] = {}
        for schema in self._schemas(self._text["paths"][path][method]["responses"][status]):
            validator = self._validator(schema["$ref"])
            errors = validator.iter_errors(data)
            found[schema["$ref"]] = [f"{path}: {error.instance_path}: {error.message}" for error in errors]
        best, wrong = min(found.items(), key=lambda one: len(one[1]))
        self.seen.add(best)
        return wrong

    def _schemas(self, response: Data) -> list[Data]:
        """The schemas of which one fits an answer as JSON."""
        if "$ref" in response:
            response = self._text["components"]["responses"][response["$ref"].rpartition("/")[2]]
        for media_type, content in response.get("content", {}).items():
            if media_type.endswith("json"):
                schemas: list[Data] = content["schema"].get("oneOf", [content["schema"]])
                return schemas
        return []

    @cache  # noqa: B019
    def _validator(self, schema: str) -> Draft202012Validator:
        return Draft202012Validator({"$ref": schema, "components": self._text["components"]})


@pytest.mark.parametrize("name", OPENED)
def test_a_replay_can_be_pasted_where_rules_are_whatever_its_header_begins_with(
    evenings: Evenings, name: str
) -> None:
    teller = Teller(evenings.house, OPENED[name])
    teller.open()
    with evenings.house.recorder() as recorder:
        text = export_tln(recorder, teller.story.id)
    first, ruleset, *lines = text.splitlines()
    players = next(at for at, line in enumerate(lines) if line.startswith("p1 "))
    header = [line for line in lines[:players] if not line.startswith("rule ")]
    assert header
    for line in header:
        pasted = "\n".join([first, ruleset, line, *lines])
        page = visit(evenings.house.app.test_client(), "/").press("read", name="act", lines=pasted)
        assert (page.status, page.chosen("ruleset")) == (200, [ruleset.split()[1]]), line
