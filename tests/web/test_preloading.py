"""What is loaded before a server forks its processes, and kept between its starts."""

import os
import tempfile
from pathlib import Path
from typing import NoReturn

import pytest
from flask import Flask, render_template
from jinja2 import DictLoader, Environment, TemplateSyntaxError

from ledger.web.server.serve import preload
from tests.servers import Served


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's temporary folder, in which Jinja keeps a cache per user."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def an_app(**templates: str) -> Flask:
    app = Flask(__name__)
    app.jinja_loader = DictLoader({f"{name}.html": text for name, text in templates.items()})
    return app


def compile_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a template is compiled")

    monkeypatch.setattr(Environment, "_generate", refuse)


def page(app: Flask, name: str) -> str:
    with app.app_context():
        return render_template(f"{name}.html")


def test_a_second_start_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    preload(an_app(one="{{ 1 + 1 }}", two="{% include 'one.html' %}!"))
    compile_no_more(monkeypatch)
    again = an_app(one="{{ 1 + 1 }}", two="{% include 'one.html' %}!")
    preload(again)
    assert page(again, "two") == "2!"


def test_a_process_compiles_nothing_that_was_loaded_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    app = an_app(one="{{ 1 + 1 }}")
    preload(app)
    compile_no_more(monkeypatch)
    assert page(app, "one") == "2"


def test_a_template_that_changed_is_compiled_again() -> None:
    preload(an_app(one="before"))
    app = an_app(one="after")
    preload(app)
    assert page(app, "one") == "after"


def test_a_template_with_an_error_is_told_at_the_start() -> None:
    with pytest.raises(TemplateSyntaxError) as caught:
        preload(an_app(right="1", wrong="1\n{% if %}"))
    assert (caught.value.name, caught.value.lineno) == ("wrong.html", 2)


def test_code_is_not_taken_from_a_folder_of_somebody_else(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: somebody)
    app = an_app(one="1")
    preload(app)
    assert [list(folder.iterdir()) for folder in temporary.iterdir()] == [[]]
    assert page(app, "one") == "1"


def test_a_disk_that_fails_costs_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", fail)
    app = an_app(one="1", two="2")
    preload(app)
    assert [page(app, name) for name in ("one", "two")] == ["1", "2"]


@pytest.mark.slow
def test_what_no_table_needs_is_not_loaded(tmp_path: Path) -> None:
    with Served(tmp_path, environment={"PYTHONPROFILEIMPORTTIME": "1"}) as server:
        loaded = {line.split("|")[-1].strip() for line in server.log.read_text().splitlines() if "|" in line}
    assert "waitress" in loaded
    assert not {"icalendar", "prometheus_client", "rich.console", "segno"} & loaded
