"""A browser without scripts: parses the forms of a page, fills them in and submits them as a browser would."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from gzip import decompress
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin, urlsplit

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.web.pages.shared.blueprint import STATIC

MOST_BYTES = 60_000
"""The most that a page weighs."""
INERT = frozenset({"template", "dialog"})
"""Elements whose forms only a script can reach."""


@dataclass
class Control:
    """One form field that can be submitted."""

    type: str
    name: str
    value: str
    checked: bool
    disabled: bool
    form: str
    method: str = ""
    """The button's `formmethod`; empty if the form's own method applies."""


@dataclass
class Form:
    """A form: its address, method and fields."""

    id: str
    action: str
    method: str
    controls: list[Control] = field(default_factory=list)

    def gets(self, name: str, value: str) -> bool:
        """Whether a button asks by GET."""
        return any((c.name, c.value, c.method) == (name, value, "get") for c in self.controls)

    def filled(self, changes: Mapping[str, str | list[str]]) -> list[tuple[str, str]]:
        """The fields as submitted after these changes, without the button."""
        sent = []
        for control in self.controls:
            if control.type == "button" or control.name in changes or control.disabled or not control.name:
                continue
            if control.type not in ("checkbox", "radio", "option") or control.checked:
                sent.append((control.name, control.value))
        for name, values in changes.items():
            choices = {c.value for c in self.controls if c.name == name and not c.disabled}
            kinds = {c.type for c in self.controls if c.name == name}
            for value in [values] if isinstance(values, str) else values:
                assert kinds, f"no field {name}"
                assert kinds == {"text"} or value in choices, f"{name} cannot be {value}"
                sent.append((name, value))
        return sent


class Page(HTMLParser):
    """A page as received."""

    def __init__(self, client: FlaskClient, response: TestResponse) -> None:
        super().__init__()
        self.client = client
        self.response = response
        self.status = response.status_code
        self.path = response.request.path
        self.language = ""
        self.ids: list[str] = []
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.words: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self._inert: list[str] = []
        self._open_form: Form | None = None
        self._select: dict[str, str] | None = None
        self._loose: list[tuple[str, Control]] = []
        self.feed(response.text)
        self.close()
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.ids.append(given["id"])
        if "template" not in self._inert:
            self.elements.append((tag, given))
        if tag in INERT:
            self._inert.append(tag)
        if self._inert:
            return
        match tag:
            case "html":
                self.language = given["lang"]
            case "a" if "href" in given:
                self.links.append(given["href"])
            case "form":
                self._open_form = Form(
                    given.get("id", ""), given.get("action") or self.path, given.get("method", "get")
                )
                self.forms.append(self._open_form)
            case "select":
                self._select = given
            case "option" if self._select is not None:
                self._add(self._select | given, "option", "selected" in given)
            case "input":
                kind = given.get("type", "text")
                self._add(
                    given, kind if kind in ("checkbox", "radio", "hidden") else "text", "checked" in given
                )
            case "textarea":
                self._add(given, "text", False)
            case "button" if given.get("type") != "button":
                self._add(given, "button", False)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open_form = None
        if tag in INERT:
            self._inert.pop()

    def close(self) -> None:
        """Give each field that stands outside of its form to it."""
        super().close()
        for owner, control in self._loose:
            for form in self.forms:
                if form.id == owner and control.type != "button":
                    form.controls.append(control)

    def handle_data(self, data: str) -> None:
        if "template" not in self._inert:
            self.words.append(data)

    def _add(self, given: dict[str, str], kind: str, checked: bool) -> None:
        owner = given.get("form") or (self._open_form.id if self._open_form else "")
        control = Control(
            kind,
            given.get("name", ""),
            given.get("value", ""),
            checked,
            "disabled" in given,
            given.get("form", ""),
            given.get("formmethod", ""),
        )
        if control.form or self._open_form is None:
            self._loose.append((owner, control))
        else:
            self._open_form.controls.append(control)

    def buttons(self) -> list[str]:
        """The values of all enabled buttons."""
        inside = [control for form in self.forms for control in form.controls]
        return [
            c.value
            for c in [*inside, *(control for _, control in self._loose)]
            if c.type == "button" and not c.disabled
        ]

    def press(self, value: str, name: str = "kind", **changes: str | list[str]) -> "Page":
        """Press a button after changing some fields, and follow redirects."""
        form = self.form_of(name, value)
        fields = [*form.filled(changes), (name, value)]
        if form.gets(name, value):
            return visit(self.client, f"{form.action}?{urlencode(fields)}")
        return self.send(form.action, fields)

    def body(
        self, value: str, name: str = "kind", **changes: str | list[str]
    ) -> tuple[str, list[tuple[str, str]]]:
        """The address and fields that pressing a button would send: to send them twice, or late."""
        form = self.form_of(name, value)
        return form.action, [*form.filled(changes), (name, value)]

    def send(self, path: str, fields: list[tuple[str, str]]) -> "Page":
        return send(self.client, path, fields)

    def form_of(self, name: str, value: str) -> Form:
        """The form of a button."""
        for form in self.forms:
            if any(
                (c.type, c.name, c.value, c.disabled) == ("button", name, value, False) for c in form.controls
            ):
                return form
        for owner, control in self._loose:
            if (control.name, control.value, control.disabled) == (name, value, False):
                return next(form for form in self.forms if form.id == owner)
        raise AssertionError(f"no button {name}={value}: {self.buttons()}")

    def chosen(self, name: str) -> list[str]:
        """The values of a field that would be submitted unchanged."""
        return [value for form in self.forms for sent, value in form.filled({}) if sent == name]


def visit(client: FlaskClient, path: str, language: str | None = None) -> Page:
    """Open an address."""
    headers = {"Accept": "text/html"} | ({"Accept-Language": language} if language else {})
    return Page(client, client.get(path, headers=headers, follow_redirects=True))


def preview(client: FlaskClient, path: str) -> dict[str, str]:
    """The link preview of a page, as a chat's server fetches it: without cookies or a language."""
    page = visit(client.application.test_client(use_cookies=False), path)
    tags = [given for tag, given in page.elements if tag == "meta" and "property" in given]
    return {str(given["property"]): str(given["content"]) for given in tags}


def send(client: FlaskClient, path: str, fields: list[tuple[str, str]]) -> Page:
    """Send a form as a browser does."""
    response = client.post(
        urlsplit(path).path,
        data=urlencode(fields),
        content_type="application/x-www-form-urlencoded",
        headers={"Accept": "text/html", "Sec-Fetch-Site": "same-origin"},
        follow_redirects=True,
    )
    return Page(client, response)


def weight(client: FlaskClient, page: Page) -> int:
    """The bytes of a page as sent, with its styles, scripts, pictures and imported scripts."""
    fetched = {
        given[name]
        for tag, given in page.elements
        for name in ("src", "href")
        if tag in ("link", "script", "img") and name in given
    }
    assert all(address.startswith((f"{STATIC}/", "/manifest")) or ".svg?" in address for address in fetched)
    asked = page.response.request
    headers = {**asked.headers, "Accept-Encoding": "gzip"}
    total, waiting = len(client.get(asked.full_path, headers=headers).data), sorted(fetched)
    for address in waiting:
        with client.get(address, headers={"Accept-Encoding": "gzip"}) as response:
            total += len(response.data)
            packed = response.content_encoding == "gzip"
            text = (decompress(response.data) if packed else response.data).decode()
            imported = re.findall(r'^import (?:.* from )?"(\.[a-z./]+\.js)";$', text, re.M)
            waiting += sorted({urljoin(address, name) for name in imported} - set(waiting))
    return total
