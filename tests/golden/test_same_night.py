"""A night answers the same on every page, call and file: where it was recorded, after a restart of the server, and
imported elsewhere from its exact log or from a replay."""

import re
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from difflib import unified_diff
from functools import cached_property
from itertools import product, zip_longest
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar
from uuid import NAMESPACE_URL, uuid5

import pytest

from ledger.language import speaker
from ledger.recorder import KINDS, import_log
from ledger.recorder.exports import Format, export
from ledger.web.schemas import NewNight
from tests.game.table import run
from tests.golden.nights import House, Teller, house, standing
from tests.golden.openings import FIELDS, NOT_AGREED_ON, PLAIN, WHOSE
from tests.golden.stories import Story
from tests.golden.surfaces import KEEPER, Answer, surfaces
from tests.processes import end_with_parent
from tests.recorder.examples import EXAMPLES, EXAMPLES_IN
from tests.stories import read_story

IN_A_REPLAY = {"settle", *(kind for kind, event in KINDS.items() if event.in_replays)}
"""Kinds of entries that a replay carries: it settles a round that is over without a line."""
ASKED_EVERY = 20
"""Everything is requested after this many entries, so that the caches hold old values."""


def story(name: str, lines: str, **opening: object) -> Story:
    return Story(str(uuid5(NAMESPACE_URL, name)), {**PLAIN, **opening}, lines)


A_ROUND = f"""
    round opening p1 p2
    p1 3s
    p2 4c
    p1 2s
    p2 -
    p1 {run("s", "4")}
    p2 shows 3c {run("c", "5", "2")}
    settle
"""
EVENINGS = {f"examples of {id}": story(id, lines, ruleset=id) for id, lines in EXAMPLES_IN.items()}
OPENED = {f"opened with {name}": story(name, A_ROUND, **{name: value}) for name, value in FIELDS.items()}
PLAINLY, IN_FULL = "opened plainly", "opened with every field"
STORIES = {
    **EVENINGS,
    **OPENED,
    PLAINLY: story("plain", A_ROUND),
    IN_FULL: story("in full", A_ROUND, **FIELDS),
}


def replayed(recorded: Story) -> Story:
    """A story without the entries that no replay carries."""
    lines = [line for line in recorded.lines.splitlines() if line.strip()]
    kept = [line for line in lines if next(read_story(line))[0] in IN_A_REPLAY]
    return replace(recorded, id=str(uuid5(NAMESPACE_URL, f"replay of {recorded.id}")), lines="\n".join(kept))


REPLAYED = {f"{name}, without what no replay carries": replayed(one) for name, one in EVENINGS.items()}
ALL = {**STORIES, **REPLAYED}
SIMPLE = [IN_FULL, *REPLAYED]
"""Nights that a replay carries completely."""

CARRYING = (Format.TLN, Format.JSONL)
"""The formats that carry a night as its moves."""

Answers = list[Answer]
Key = TypeVar("Key")


class Tellings:
    """The answers of every night where it was recorded and where it was imported. Each installation is asked once,
    by the first test that needs it."""

    def __init__(self, houses: list[House], process: Executor, file: Path) -> None:
        self.house, self._exact, self._replayed = houses
        self._process = process
        self._file = file
        self._recorded: dict[str, Answers] = {}

    def at_once(self, name: str) -> Answers:
        """The answers where it was recorded."""
        if name not in self._recorded:
            self._recorded[name] = tell(self.house, ALL[name])
        return self._recorded[name]

    @cached_property
    def restarted(self) -> dict[str, Answers]:
        """The answers there, after a restart of the server."""
        names = [*EVENINGS, IN_FULL]
        for name in names:
            self.at_once(name)
        return self._elsewhere(self.house, {name: ALL[name].id for name in names})

    @cached_property
    def exact(self) -> dict[str, Answers]:
        """The answers of an installation that imported exact logs."""
        for name in EVENINGS:
            self.at_once(name)
        with self.house.recorder() as source, self._exact.recorder() as target:
            for name in EVENINGS:
                import_log(target, list(source.store.export_log(ALL[name].id)))
        return self._elsewhere(self._exact, {name: ALL[name].id for name in EVENINGS})

    @cached_property
    def replayed(self) -> dict[tuple[str, Format], Answers]:
        """The answers of an installation that imported nights as replays and as moves files."""
        nights: dict[tuple[str, Format], str] = {}
        for name, format in product(SIMPLE, CARRYING):
            self.at_once(name)
            with self.house.recorder() as source:
                text = export(source, ALL[name].id, format, speaker("en")).text
            self._file.write_text(text, encoding="utf-8")
            nights[name, format] = self._replayed.carry(self._file, seed=f"{format} {name}")
        return self._elsewhere(self._replayed, nights)

    def _elsewhere(self, house: House, nights: dict[Key, str]) -> dict[Key, Answers]:
        answers = self._process.submit(everything, house.url, list(nights.values())).result(240)
        return dict(zip(nights, answers, strict=True))


def everything(url: str, nights: list[str]) -> list[Answers]:
    """All answers of nights to their keepers, from a newly started server."""
    with standing(url) as app:
        return [[*surfaces(app, night, [KEEPER], ["vi"])] for night in nights]


@pytest.fixture(scope="module")
def tellings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tellings]:
    """Three installations, and a process in which their servers are restarted."""
    folders = [tmp_path_factory.mktemp(name) for name in ("told", "exact", "replayed")]
    with ExitStack() as stack:
        houses = [stack.enter_context(house(folder)) for folder in folders]
        process = stack.enter_context(ProcessPoolExecutor(1, get_context("spawn"), end_with_parent))
        yield Tellings(houses, process, folders[0] / "night.tln")


def tell(made: House, one: Story) -> Answers:
    """Record a story, requesting everything again and again meanwhile."""
    teller = Teller(made, one)
    teller.open()
    for number, line in enumerate(filter(None, map(str.strip, one.lines.splitlines())), start=1):
        teller.record(line)
        if number % ASKED_EVERY == 0:
            _ = [*surfaces(made.app, one.id, [KEEPER], ["vi"])]
    return [*surfaces(made.app, one.id, [KEEPER], ["vi"])]


def test_every_kind_of_entry_has_an_example() -> None:
    assert EXAMPLES.keys() == KINDS.keys()


def test_every_field_of_an_opening_has_an_example() -> None:
    assert FIELDS.keys() | set(WHOSE) == NewNight().fields.keys()
    assert NOT_AGREED_ON.keys() < FIELDS.keys()


@pytest.mark.parametrize("name", [*EVENINGS, IN_FULL])
def test_a_server_that_was_started_again_answers_the_same(tellings: Tellings, name: str) -> None:
    assert_same(tellings.at_once(name), tellings.restarted[name])


@pytest.mark.parametrize("name", EVENINGS)
def test_a_night_that_was_carried_exactly_answers_the_same(tellings: Tellings, name: str) -> None:
    assert_same(tellings.at_once(name), tellings.exact[name])


@pytest.mark.parametrize("format", CARRYING)
@pytest.mark.parametrize("name", SIMPLE)
def test_a_night_that_was_carried_as_its_moves_answers_the_same(
    tellings: Tellings, name: str, format: Format
) -> None:
    """Apart from when, by whom and as which entry it was recorded."""
    assert_same(by_content(tellings.at_once(name)), by_content(tellings.replayed[name, format]))


NOT_THERE = {("zone", "board"): "the day is asked of the ledger"}
WHERE = ("export/tln", "export/jsonl", "export/json", "board", "page")


@pytest.mark.parametrize(("field", "where"), sorted({*product(FIELDS, WHERE)} - NOT_THERE.keys()))
def test_what_is_agreed_on_is_said(tellings: Tellings, field: str, where: str) -> None:
    """A night with one field set differs from a plain one in every file of a whole night, in its board, and on its
    page."""
    one, plain = (tellings.at_once(name) for name in (f"opened with {field}", PLAINLY))
    assert texts_at(by_content(one), where) != texts_at(by_content(plain), where)


@pytest.mark.parametrize("field", FIELDS)
def test_an_opening_that_is_repeated_with_another_field_is_another(tellings: Tellings, field: str) -> None:
    tellings.at_once(PLAINLY)
    plain, other = STORIES[PLAINLY], STORIES[f"opened with {field}"]
    assert "tokens" in Teller(tellings.house, plain).send_opening()
    differing = Teller(tellings.house, replace(plain, opening=other.opening))
    answer = differing.send_opening()
    assert (answer.get("code") == "id-reused") == (field not in NOT_AGREED_ON)


_OF_THE_RECORDING = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # ids
    r"|[0-9a-f]{64}"
    r"|#?\b\d+\.\d+(?![\d,]| €)"  # addresses of entries
    r"|#\d+( · \w{4}(-\w{4}){3})?|\d+-[0-9A-Z]{16}"  # heads
    r"|\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)|\d\d:\d\d(:\d\d)?(, \d+/\d+)?"
    r"|–{[^}]*} \d\d:\d\d"  # a round's end, where it is another minute
    r"|\bseq\W+\d+|\bở mục \d+|(dưới )?\d+ phút"
    r"|\b(keeper|host)\b|\(?(người ghi|nhập từ tệp)\)?"  # who recorded it
)
_THE_RECORDING_ITSELF = re.compile("/events|/export/exact|/links")


def by_content(answers: Iterable[Answer]) -> Answers:
    """Answers without details of the recording: ids, heads, addresses, times, and who recorded."""
    return [
        answer._replace(path=strip(answer.path), text=strip(answer.text))
        for answer in answers
        if not _THE_RECORDING_ITSELF.search(answer.path)
    ]


def strip(text: str) -> str:
    lines = (" ".join(line.split()) for line in _OF_THE_RECORDING.sub(" ", text).splitlines())
    return "\n".join(filter(None, lines))


def assert_same(some: Iterable[Answer], others: Iterable[Answer]) -> None:
    """Assert equal answers at equal addresses, in order."""
    found = [diff for pair in zip_longest(some, others) if (diff := differing(*pair))]
    assert not found, "\n" + "\n".join(found[:5])


def differing(one: Answer | None, other: Answer | None) -> str:
    """A diff of two answers; empty if they are equal."""
    if one == other:
        return ""
    here, there = (f"{answer.path}\n{answer.text}".splitlines() if answer else [] for answer in (one, other))
    return "\n".join(list(unified_diff(here, there, n=0, lineterm=""))[:12])


def texts_at(answers: Iterable[Answer], where: str) -> list[str]:
    """The answers of the interface's board, of all pages, or of one file."""
    if where == "page":
        return [answer.text for answer in answers if re.match(r"/n/NIGHT(?!.*/export/)", answer.path)]
    ending = "/api/v1/nights/NIGHT" if where == "board" else where
    return [answer.text for answer in answers if answer.path.endswith(ending)]
