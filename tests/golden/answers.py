"""The golden nights with their answers as files: one folder per night, one file per page, call and export.

A screen is kept once in each language, of the night in which most happens; of the others, what programs read.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import NAMESPACE_URL, uuid5

from flask import Flask

from ledger.web.recorder import recorder
from tests.golden.nights import House, Teller, house, old_database, standing
from tests.golden.stories import BETS, CARRIED, EVENING, Story
from tests.golden.surfaces import (
    HOLDERS,
    KEEPER,
    LANGUAGES,
    Answer,
    answer_of,
    as_lines,
    flat,
    one_line,
    screens,
    surfaces,
    token_of,
    visitor_of,
)
from tests.recorder.tables import NAMES
from tests.recorder.test_refusals import BY_THE_RULES

FOLDER = Path(__file__).parent / "answers"
OLDEST = "0001"
"""The revision of the first schema; data of later ones reads the same."""
INTERFACE = "interface"
"""The name of what belongs to no night, but to the interface for programs."""
PAGES, EXPORTS = "pages", "exports"
"""The folders of pages, which are compared word by word, and of downloads, which are compared exactly."""

MOST_LINES = 60
"""The number of lines shown of a file's differences."""

OF_NO_NIGHT = ("/", "/phone", "/verify.html")
AT_THE_TOP = {PAGES: "table", "calls": "board"}
"""The file names of answers whose path is empty after the prefix."""

Files = Mapping[str, str]


def nights() -> Iterator[tuple[str, Files]]:
    """Every golden night, recorded anew, with its files."""
    with TemporaryDirectory() as folder:
        with house(Path(folder)) as made:
            yield "evening", _told_and_asked(made, EVENING)
            yield "bets", _told_and_asked(made, BETS)
            yield "carried", _files(surfaces(made.app, made.carry(CARRIED), [KEEPER], ["vi"], pages=False))
            yield "refusals", {"by-the-rules.txt": _text(_refusals(made))}
            yield "house", _files(_of_the_house(made.app, EVENING.id))
            yield INTERFACE, described(made.app)
        with standing(old_database(Path(folder), OLDEST)) as app:
            yield "old", _files(screens(app, _longest(app), [KEEPER], ["vi"]))


def _told_and_asked(made: House, story: Story) -> Files:
    teller = Teller(made, story)
    teller.tell()
    if story.forgotten:
        with made.recorder() as recorder:
            recorder.forget(story.id)
    answers = screens if story == EVENING else partial(surfaces, pages=False)
    return {"told.txt": _text(_changes(teller)), **_files(answers(made.app, story.id))}


def _changes(teller: Teller) -> Iterator[str]:
    """The answer to each entry of a story, reduced to what differs from the previous answer of the same kind."""
    before: dict[bool, Mapping[str, object]] = {}
    for line, answer in teller.answers:
        tried, now = line.startswith("try "), flat(answer)
        known = before.get(tried, {})
        yield f"== {line}"
        yield from (
            f"{path}: {one_line(value)}" for path, value in now.items() if known.get(path, ...) != value
        )
        yield from (f"{path} is gone" for path in known if path not in now)
        before[tried] = now


def _refusals(made: House) -> Iterator[str]:
    """The interface's refusals by the rules: the whole answer in Vietnamese, and its detail in English."""
    for case in BY_THE_RULES:
        ruleset, (lines, line) = case.table.ruleset, case.parts
        opening = {"ruleset": ruleset, "players": NAMES[: case.table.players]}
        teller = Teller(
            made, Story(str(uuid5(NAMESPACE_URL, f"{ruleset} {lines} {line}")), opening, lines), tries=False
        )
        teller.tell()
        teller.record(f"? {line}")
        teller.language = "en"
        teller.record(f"? {line}")
        (_, vi), (_, en) = teller.answers[-2:]
        yield f"== {ruleset}: {line}, after {' / '.join(lines.splitlines())}"
        yield as_lines(vi)
        yield en["detail"]


def _longest(app: Flask) -> str:
    """The id of the night with the most entries."""
    with app.app_context():
        heads = recorder().heads(night.id for night in recorder().nights())
    return max(heads, key=lambda night: heads[night].seq)


def _of_the_house(app: Flask, of: str) -> Iterator[Answer]:
    """The pages that belong to no night, as shown to a keeper, and the page that each link shows when opened."""
    visitor = visitor_of(app, of, KEEPER)
    asked = [(KEEPER, path, path) for path in OF_NO_NIGHT]
    asked += [(holder, "/t/TOKEN", f"/t/{token_of(app, of, holder)}") for holder in HOLDERS]
    for (holder, named, path), language in product(asked, LANGUAGES):
        text = answer_of(visitor.get(path, headers={"Accept-Language": language})).replace(path, named)
        yield Answer(named, named, holder, language, text)


def described(app: Flask) -> Files:
    """What the OpenAPI text promises to programs, as the one file of INTERFACE."""
    return {"calls/described.txt": _text(_described(app))}


def _described(app: Flask) -> Iterator[str]:
    """Every call with its statuses, every schema with its fields."""
    described = app.test_client().get("/api/v1/openapi.json").get_json()
    for path, methods in sorted(described["paths"].items()):
        for method, call in sorted(methods.items()):
            if "responses" in call:
                yield f"{method.upper()} {path}: {call['operationId']} {' '.join(sorted(call['responses']))}"
    for name, schema in sorted(described["components"]["schemas"].items()):
        required = schema.get("required", ())
        fields = (f"{field}{'*' * (field in required)}" for field in schema.get("properties", ()))
        yield f"{name}: {' '.join(fields) or one_line(schema)}"


def _files(answers: Iterable[Answer]) -> Files:
    by_file: dict[str, list[Answer]] = {}
    for answer in answers:
        by_file.setdefault(file_of(answer.rule, answer.path), []).append(answer)
    files: dict[str, str] = {}
    for name, some in by_file.items():
        if name.startswith(EXPORTS):
            files |= (
                {f"{name}-{one.language}": one.text for one in some}
                if _differ(some)
                else {name: some[0].text}
            )
        else:
            files[f"{name}.txt"] = _text(_sections(some))
    return files


def file_of(rule: str, path: str = "") -> str:
    """The file of the answers of a rule, without its ending: a page, a call, or the export at this path."""
    if "/export/" in rule:
        return f"{EXPORTS}/{path.rpartition('/')[2]}"
    folder = "calls" if rule.startswith("/api/") else PAGES
    rule = re.sub(r"/?<night:night>|^/(api/v1/nights|n)(?=/)|(?<=<)\w+:", "", rule)
    return f"{folder}/{re.sub('[<>]', '', rule).strip('/').replace('/', '-') or AT_THE_TOP[folder]}"


def _differ(answers: Iterable[Answer]) -> bool:
    return len({answer.text for answer in answers}) > 1


def _sections(answers: Iterable[Answer]) -> Iterator[str]:
    """The answers at each address, under who receives them; equal answers appear once."""
    holders: dict[tuple[str, str], list[str]] = {}
    for answer in answers:
        holders.setdefault((answer.path, answer.text), []).append(f"{answer.holder} {answer.language}")
    for (path, text), who in holders.items():
        yield f"== {path}: {', '.join(who)}\n{text}"


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


# Comparing and writing files


def write(night: str, files: Files) -> int:
    """Write the files of a night and delete all others. Returns the number of changed files."""
    kept = _kept(night)
    for name in kept.keys() - files.keys():
        (FOLDER / night / name).unlink()
    changed = [name for name, text in files.items() if not _same(name, kept.get(name), text)]
    for name in changed:
        path = FOLDER / night / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[name], encoding="utf-8", newline="")
    return len(changed) + len(kept.keys() - files.keys())


def differences(night: str, files: Files) -> Iterator[str]:
    """The differences from the kept files, one diff for each file."""
    kept = _kept(night)
    for name in sorted(kept.keys() | files.keys()):
        before, now = kept.get(name), files.get(name)
        if not _same(name, before, now):
            old, new = (text.splitlines(keepends=True) if text else [] for text in (before, now))
            diff = list(unified_diff(old, new, f"{night}/{name} as it was", f"{night}/{name} now", n=1))
            yield "".join(diff[:MOST_LINES]) + (
                f"... and {len(diff) - MOST_LINES} lines\n" if len(diff) > MOST_LINES else ""
            )


def _kept(night: str) -> Files:
    folder = FOLDER / night
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in paths}


def _same(name: str, before: str | None, now: str | None) -> bool:
    """Whether a file is unchanged; line breaks of pages are ignored, since they depend on markup only."""
    if before is None or now is None or not name.startswith(PAGES):
        return before == now
    return before.split() == now.split()
