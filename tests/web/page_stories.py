"""Stories of pages, read from `tests/cases/pages/WORD/*.txt`: what people press, and what they are answered.

A line at the margin is the sentence that its story shows; each indented line is a step, and after `=>` stands what
is true then, separated by semicolons; a line with more indentation continues the one above. The steps below a line
in brackets come first in every story up to the next such line. `where X, Y are a : b | c : d` tells the story once
for each row, with the row's values for `{X}` and `{Y}`.

    opens players=5 stake=1000/VND   a night, of five friends or of An+Bình; the keeper's phone shows it
    tells round opening / p1 3s      the keeper, or a seat, records these lines by the interface; 3s..As is a run
    as p2+p3                         the phone with these links goes on, at the page where it was
    reads en                         its pages are in English from now on
    sets NAME=VALUE                  its cookie
    get rounds/1                     an address below the night's, or one that begins with /
    press act:look cards=2d+2h       the button with this value of `act` (or `kind`), after changes; `act:*`: any
    enter players=An+Bình            the last form of the page, as by its first button: it may open the night
    fill play seat=p1                the same, but the form is not sent yet
    send, send anew, send anew x=1   the last form once more, with a new id, with a field more; `-x` with one less
    follow *dispute?move=*           the first such link of the page
    call season, call link 2         `{season}` is this page's address from now on, `{season id}` its end; `{link}`
                                     is the second address to be copied
    scans head                       `{head}` is the code of the log now; `{head mistaken}` ends otherwise
    ticks p3 p1 5                    the transfer of 5 from p3 to p1
    taps p2 p1                       the players on the form of a result, in this order
    post notes due=kneels            a form that no page has; `id=new` and `after=now` are filled in

In values, `+` separates several, `none` is no value, and a last `…` stands for any others. An answer has status
200, unless another is the first check. `CHECKS` describes the others; `never` before a check is its opposite.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from flask.testing import FlaskClient

from tests.case_files import CASES
from tests.factories import friends
from tests.game.short_rounds import with_runs
from tests.nights import Data, new_id
from tests.stories import read_story
from tests.web.browsing import MOST_BYTES, Form, Page, send, visit, weight
from tests.web.phones import Phone, Table, open_table, take

Fields = list[tuple[str, str]]


class Story(NamedTuple):
    """The steps of a story, with the sentence that it shows."""

    file: str
    sentence: str
    steps: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}: {self.sentence}"


def stories() -> Iterator[Story]:
    """The stories of all files, each as often as it has rows."""
    for path in sorted((CASES / "pages").glob("*/*.txt")):
        text = re.sub(r"\n    +", " ", path.read_text(encoding="utf-8"))
        beginning: tuple[str, ...] = ()
        for part in re.split(r"\n(?=[^ \n#])", re.sub(r"(?m)^#.*\n", "", f"\n{text}"))[1:]:
            sentence, *lines = filter(None, map(str.strip, part.splitlines()))
            if sentence.startswith("["):
                beginning = tuple(lines)
            else:
                yield from _told(Story(f"{path.parent.name}/{path.stem}", sentence, (*beginning, *lines)))


def _told(story: Story) -> Iterator[Story]:
    outlines = [step for step in story.steps if step.startswith("where ")]
    if not outlines:
        yield story
        return
    names, _, rows = outlines[0].removeprefix("where ").partition(" are ")
    for row in f" {rows} ".split(" | "):
        text = "\n".join(step for step in story.steps if step not in outlines)
        for name, value in zip(names.split(", "), f" {row} ".split(" : "), strict=True):
            text = text.replace(f"{{{name}}}", value.strip())
        yield Story(story.file, f"{story.sentence}: {row.strip()}", tuple(text.splitlines()))


def pairs(words: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Names with their values: `cards=3s+4c`, `seat=p1`."""
    named = (word.partition("=") for word in words)
    return [(name, [] if value == "none" else value.split("+")) for name, _, value in named]


def like(pattern: str, text: str) -> bool:
    """Whether a text is like a pattern, in which `*` stands for anything."""
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*?"), text, re.DOTALL) is not None


class Evening:
    """A night as it is told: its table, its phones, and the page that each of them shows."""

    def __init__(self, client: FlaskClient) -> None:
        self._visitor = client.application.test_client
        self.holders = "nobody"
        self.phones = {self.holders: self._visitor()}
        self.pages: dict[str, Page] = {}
        self.form: tuple[str, Fields] = "", []
        self.typed: dict[str, list[str]] = {}
        self.called: dict[str, str] = {}

    @property
    def phone(self) -> FlaskClient:
        return self.phones[self.holders]

    @property
    def page(self) -> Page:
        return self.pages[self.holders]

    @page.setter
    def page(self, page: Page) -> None:
        self.pages[self.holders] = page

    def address(self, place: str) -> str:
        """An address as an absolute path; `.` is the table's own."""
        if place == ".":
            return f"/n/{self.table.night}"
        return place if place.startswith(("/", "*")) else f"/n/{self.table.night}/{place}"

    def take(self, step: str) -> None:
        """Take a step, and check what is true then."""
        for name, value in self.called.items():
            step = step.replace(f"{{{name}}}", value)
        done, _, expected = step.partition("=>")
        verb, _, rest = done.strip().partition(" ")
        asked = verb in ("get", "follow", "press", "enter", "send", "post", "ticks")
        if verb:
            getattr(self, f"_{verb}")(rest.strip())
        checks = [check.strip() for check in expected.split("; ") if check.strip()]
        if asked and not (checks and checks[0].isdigit()):
            checks.insert(0, "200")
        for check in checks:
            self._check(check, step)

    def _check(self, check: str, step: str) -> None:
        if check.isdigit():
            assert self.page.status == int(check), f"{step}\nis answered with {self.page.status}, not {check}"
            return
        name, _, argument = check.removeprefix("never ").partition(" ")
        found, expected = CHECKS[name](self, argument)
        holds = (found == expected) is not check.startswith("never ")
        assert holds, f"{step}\n`{check}` does not hold: {str(found)[:300]}"

    # Steps

    def _opens(self, text: str) -> None:
        asked: Data = {}
        for name, values in pairs(shlex.split(text)):
            match name, values:
                case "players", [number] if number.isdigit():
                    asked[name] = friends(int(number))
                case "players", names:
                    asked[name] = names
                case "rules", rules:
                    asked[name] = dict(rule.split(":") for rule in rules)
                case "stake", [stake]:
                    asked[name] = dict(zip(("amount", "currency"), stake.split("/"), strict=True))
                case _:
                    (asked[name],) = values
        self.table: Table = open_table(self.phones["nobody"], **asked)
        self._as("keeper")
        take(self.phone, self.table, "keeper")
        self._get(".")

    def _tells(self, text: str) -> None:
        story = with_runs(text.replace(" / ", "\n"))
        after = self.table.caught_up().after
        for kind, content in read_story(story):
            player = content.pop("player", "") if kind in ("confirm", "dispute") else ""
            phone: Phone = self.table.seat(player) if player else self.table.keeper
            phone.after = after
            phone.record(kind, **content)
            after = phone.after

    def _as(self, holders: str) -> None:
        if holders not in self.phones:
            links = [] if holders == "stranger" else holders.split("+")
            self.phones[holders] = self.table.phone(*links)
        self.holders = holders

    def _reads(self, language: str) -> None:
        self._sets(f"tienlen-language={language}")

    def _sets(self, cookie: str) -> None:
        name, _, value = cookie.partition("=")
        self.phone.set_cookie(name, value)

    def _get(self, place: str) -> None:
        self.page = visit(self.phone, self.address(place))

    def _follow(self, pattern: str) -> None:
        self._get(self.links_like(pattern)[0])

    def _call(self, text: str) -> None:
        name, _, number = text.partition(" ")
        address = urlsplit(self.copied()[int(number) - 1]).path if number else self.page.path
        self.called[name] = address
        self.called[f"{name} id"] = address.rpartition("/")[2]

    def _scans(self, name: str) -> None:
        number, code = self.table.keeper.board()["code"].removeprefix("#").split(" · ")
        self.called[name] = head = f"{number}-{code.replace('-', '')}"
        self.called[f"{name} mistaken"] = f"{head[:-4]}0000"

    def _ticks(self, transfer: str) -> None:
        form = next(form for form, found in self.transfers() if found == transfer)
        self.form = form.action, [(control.name, control.value) for control in form.controls]
        self._send("")

    def _taps(self, players: str) -> None:
        for player in players.split():
            self._press(f"'tap {player}'")
            self._check("200", f"taps {player}")

    def _fill(self, text: str) -> tuple[Form, str, str]:
        """Fill in the form of a button; returns the form, and the button's name and value."""
        button, *changed = shlex.split(text)
        name, _, value = button.rpartition(":")
        name = name or "kind"
        if value == "*":
            controls = (control for form in self.page.forms for control in form.controls)
            value = next(control.value for control in controls if control.name == name)
        form = self.page.form_of(name, value)
        self._type(form, changed)
        self.form[1].append((name, value))
        return form, name, value

    def _type(self, form: Form, changed: list[str]) -> None:
        self.typed = dict(pairs(changed))
        self.form = form.action, form.filled(self.typed)

    def _press(self, text: str) -> None:
        form, name, value = self._fill(text)
        if form.gets(name, value):
            self._get(f"{form.action}?{urlencode(self.form[1])}")
        else:
            self._send("")

    def _enter(self, text: str) -> None:
        self._type(self.page.forms[-1], shlex.split(text))
        self._send("")
        if opened := re.fullmatch("/n/([^/]+)", self.page.path):
            cookie = self.phone.get_cookie(f"tienlen-{opened[1]}-keeper")
            assert cookie is not None
            self.table = Table(self.phone, opened[1], {"keeper": cookie.value})
            self.phones["keeper"] = self.phone

    def _send(self, how: str) -> None:
        path, fields = self.form
        for word in shlex.split(how):
            if word == "anew":
                fields = [(name, new_id() if name == "id" else value) for name, value in fields]
            elif word.startswith("-"):
                fields = [field for field in fields if field[0] != word[1:]]
            else:
                fields = [*fields, *_flat(pairs([word]))]
        self.page = send(self.phone, path, fields)

    def _post(self, text: str) -> None:
        place, *words = shlex.split(text)
        new: dict[str, Callable[[], str]] = {
            "id=new": new_id,
            "after=now": lambda: self.table.caught_up().after,
        }
        words = [word.partition("=")[0] + f"={new[word]()}" if word in new else word for word in words]
        self.page = send(self.phone, self.address(place), _flat(pairs(words)))

    # What is true then

    def log(self) -> list[Data]:
        return [json.loads(event["body"]) for event in self.table.keeper.log()]

    def copied(self) -> list[str]:
        """The addresses that the page offers to copy."""
        return [given["value"] for _, given in self.page.elements if "readonly" in given]

    def transfers(self) -> Iterator[tuple[Form, str]]:
        """The forms with a transfer, and the transfer as `p3 p1 5`."""
        for form in self.page.forms:
            fields = {control.name: control.value for control in form.controls}
            if fields.get("kind") == "paid":
                yield form, " ".join(fields[name] for name in ("payer", "payee", "points"))

    def marked(self) -> list[str]:
        return [given["name"] for _, given in self.page.elements if given.get("aria-invalid")]

    def closed(self, name: str) -> list[str]:
        elements = (given for _, given in self.page.elements if given.get("name") == name)
        return [given["value"] for given in elements if "disabled" in given]

    def described(self) -> int:
        """How many fields are marked as wrong and described by an element of the page."""
        marked = [given for _, given in self.page.elements if given.get("aria-invalid")]
        return sum(given.get("aria-describedby") in self.page.ids for given in marked)

    def round(self) -> Data:
        found: Data = self.table.keeper.board()["round"]
        return found

    def last(self, text: str) -> tuple[Any, Any]:
        kind, _, content = text.partition(" ")
        entry, expected = self.log()[-1], json.loads(content or "{}")
        return (entry["kind"], {name: entry["content"].get(name) for name in expected}), (kind, expected)

    def declared(self, text: str) -> tuple[Any, Any]:
        sets = [entry["content"]["sets"] for entry in self.log() if entry["kind"] == "declare"]
        return sets, json.loads(text)

    def board(self, text: str) -> tuple[Any, Any]:
        path, _, expected = text.partition(" ")
        value: Any = self.table.keeper.board()
        for name in path.split("."):
            value = value[int(name) if isinstance(value, list) else name]
        return value, json.loads(expected)

    def links_like(self, text: str) -> list[str]:
        return [link for link in self.page.links if like(self.address(text), link)]


def _flat(named: list[tuple[str, list[str]]]) -> Fields:
    return [(name, value) for name, values in named for value in values]


def _of_page(evening: Evening, text: str, find: Callable[[Page, str], list[str]]) -> tuple[Any, Any]:
    expected = dict(pairs(shlex.split(text)))
    found = {name: find(evening.page, name) for name in expected}
    for name, values in expected.items():
        if values[-1:] == ["…"]:
            found[name] = [*found[name][: len(values) - 1], "…"]
    return found, expected


def _kept(evening: Evening, text: str) -> tuple[Any, Any]:
    names = text.split() or evening.typed
    expected = {name: evening.typed[name] for name in names}
    return {name: evening.page.chosen(name) for name in names}, expected


def _notes(evening: Evening, text: str) -> tuple[Any, Any]:
    lines = evening.table.keeper.get("/replay").text.splitlines()
    return [line[5:] for line in lines if line.startswith("note ")], text.split(" / ") if text else []


def _controls(page: Page) -> set[str]:
    return {control.name for form in page.forms for control in form.controls}


CHECKS: dict[str, Callable[[Evening, str], tuple[Any, Any]]] = {
    "says": lambda evening, text: (text in evening.page.text, True),
    # `times 2 bỏ lượt`: how often it says so
    "times": lambda evening, text: (evening.page.text.count(text.partition(" ")[2]), int(text.split()[0])),
    "at": lambda evening, text: (like(evening.address(text), evening.page.path), True),
    "alert": lambda evening, _: ('role="alert"' in evening.page.response.text, True),
    "links": lambda evening, text: (bool(evening.links_like(text)), True),
    # `single *mend*`: just one address is like this
    "single": lambda evening, text: (len({*evening.links_like(text)}), 1),
    # whether the page weighs little, with all that it fetches
    "light": lambda evening, _: (weight(evening.phone, evening.page) < MOST_BYTES, True),
    # `markup <s>*3♠*</s>`, `written 1 <s>`: what stands in the HTML, and how often
    "markup": lambda evening, text: (like(f"*{text}*", evening.page.response.text), True),
    "written": lambda evening, text: (
        evening.page.response.text.count(text.partition(" ")[2]),
        int(text.split()[0]),
    ),
    # `queries *mend?* move=2 / move=3`: those of the links that are like this
    "queries": lambda evening, text: (
        [link.partition("?")[2] for link in evening.links_like(text.split()[0])],
        text.partition(" ")[2].split(" / "),
    ),
    # a button's value, and those of all buttons
    "buttons": lambda evening, text: (evening.page.buttons(), text.split()),
    "offers": lambda evening, text: (text in evening.page.buttons(), True),
    # `chosen cards=3s+4c`: what is sent if nothing is changed; `kept`: what was typed is, in all or these fields
    "chosen": lambda evening, text: _of_page(evening, text, Page.chosen),
    "kept": _kept,
    # `transfers p4 p1 8 / p2 p1 4`: those with a button, in order
    "transfers": lambda evening, text: (" / ".join(found for _, found in evening.transfers()), text),
    # a field of a form
    "asks": lambda evening, text: (text in _controls(evening.page), True),
    # the fields marked as wrong; `wrong 2`, `described 1`: how many, and how many of them with a reason
    "marks": lambda evening, text: (list(dict.fromkeys(evening.marked())), text.split()),
    "wrong": lambda evening, text: (len(evening.marked()), int(text)),
    "described": lambda evening, text: (evening.described(), int(text)),
    # `closed cards=3s`: what cannot be chosen
    "closed": lambda evening, text: _of_page(evening, text, lambda page, name: evening.closed(name)),
    # `ends cards=2d`: what is sent last of such a field
    "ends": lambda evening, text: _of_page(evening, text, lambda page, name: page.chosen(name)[-1:]),
    # `picked rule=a+b`: what is sent, but for empty values
    "picked": lambda evening, text: _of_page(
        evening, text, lambda page, name: [value for value in page.chosen(name) if value]
    ),
    # `carries 2 change`: how often a field is sent
    "carries": lambda evening, text: (len(evening.page.chosen(text.split()[1])), int(text.split()[0])),
    # the values of all elements of a name, and of all that a form could send, with the options of a list
    "values": lambda evening, text: _of_page(
        evening,
        text,
        lambda page, name: [
            one["value"] for tag, one in page.elements if (one.get("name"), tag != "select") == (name, True)
        ],
    ),
    "options": lambda evening, text: _of_page(
        evening,
        text,
        lambda page, name: [one.value for form in page.forms for one in form.controls if one.name == name],
    ),
    # the kinds of all entries; `once settle`: one is of this kind; `last undo {…}`: the last, and its content;
    # `moves play pass`: the kinds of the moves of the round on the board
    "moves": lambda evening, text: ([row["kind"] for row in evening.round()["moves"]], text.split()),
    # `declared [[["2s"]]]`: the sets of each declaration
    "recorded": lambda evening, text: ([entry["kind"] for entry in evening.log()], text.split()),
    "once": lambda evening, text: ([entry["kind"] for entry in evening.log()].count(text), 1),
    "last": Evening.last,
    "declared": Evening.declared,
    # `notes deals p1 / swaps p2 p3`: those of the replay
    "notes": _notes,
    # `board net.p1 4`: a value of the board
    "board": Evening.board,
}
