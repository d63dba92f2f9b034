"""What it costs that templates print the rows of a page, against the least that Python takes to print them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from flask import template_rendered
from jinja2 import Template
from markupsafe import Markup, escape

from benchmarks.measuring import Effort, Figure, Goal, Pass, Row, ratios, take_turns
from benchmarks.nights import prepare
from ledger.recorder import Installation, Remembered, RoundAccount, require_key
from ledger.recorder.views.night import Frame
from ledger.web import Settings, create_app
from ledger.web.access import keeper_link
from ledger.web.pages.accounts import Section, section_of, total_line
from ledger.web.pages.lines import PaymentLine
from ledger.web.recording import recorder

_ROUNDS = 40
_ROWS = re.compile(r"(?<=<tbody>).*?(?=</tbody>)|<section aria-.*</ul>\s*</section>", re.DOTALL)
"""Those of the ledger's page: the running totals, and the payments round by round."""

Data = dict[str, Any]
TotalLine = tuple[str, str, list[tuple[str, str]]]
Values = tuple[Section, list[TotalLine]]
"""Of one round, what the page prints."""


def rows(effort: Effort) -> Iterator[Row]:
    """The ledger's page, which has the most rows."""
    with TemporaryDirectory(prefix="tienlen-bench-") as name:
        installation = Installation.find(f"sqlite:///{Path(name) / 'ledger.db'}")
        night, token = prepare(installation, _ROUNDS)
        app = create_app(Settings(database_url=installation.database_url, key=require_key(installation.key)))
        said: list[tuple[Template, Data]] = []

        def hear(_: object, template: Template, context: Data) -> None:
            said.append((template, context))

        with template_rendered.connected_to(hear, app):
            bearer = {"Authorization": f"Bearer {token}"}
            page = app.test_client().get(f"/n/{night}/ledger", headers=bearer).text
        ((template, context),) = said
        frame = _ROWS.split(page)
        bare = context | {"sections": "", "total_lines": ""}
        with app.test_request_context(f"/n/{night}/ledger", headers=bearer):
            _, rounds = recorder().account(keeper_link(night), "", Remembered(), _values)

            def printed() -> str:
                macros: Any = app.jinja_env.get_template("ledger_round.html").module
                sections = [macros.section(*section) for section, _ in reversed(rounds.values())]
                lines = [macros.total_line(*line) for _, some in rounds.values() for line in some]
                written = {"sections": Markup("\n".join(sections)), "total_lines": Markup("\n".join(lines))}
                return template.render(context | written)

            by_hand = partial(_page, frame, list(rounds.values()))
            if not _plain(by_hand()) == _plain(printed()) == _plain(page):
                raise RuntimeError("the f-strings make another page than the template")
            times = take_turns(
                {
                    "template": Pass(printed, 1),
                    "without its rows": Pass(lambda: template.render(bare), 1),
                    "f-strings": Pass(by_hand, 1),
                },
                effort.turns,
            )
    yield Row(
        name="template-ledger",
        title="the ledger's page from its template, against f-strings",
        values=ratios(times["template"], times["f-strings"]),
        goal=Goal(3),
        same_work=f"The page of a night of {_ROUNDS} rounds, of the very same values: each row by f-strings, all "
        "escaped; what is round the rows, which the template makes as well, is given to them.",
        measured={name: Figure(median(some)) for name, some in times.items()},
    )


def _values(board: Frame, round: RoundAccount) -> Values:
    return section_of(board, round), [total_line(board.names, line) for line in round.totals]


def _page(frame: list[str], rounds: Sequence[Values]) -> str:
    before, between, after = frame
    totals = _totals(line for _, some in rounds for line in some)
    return f"{before}{totals}{between}{_sections(section for section, _ in reversed(rounds))}{after}"


def _totals(told: Iterable[TotalLine]) -> str:
    lines = []
    for round, _, cells in told:
        line = [
            f'<td class="n">{escape(total)} <small class="muted">({escape(net)})</small></td>'
            for total, net in cells
        ]
        lines.append(f'<tr><th scope="row">{escape(round)}</th>{"".join(line)}</tr>')
    return "\n".join(lines)


def _sections(rounds: Iterable[Section]) -> str:
    """Of a night in which nothing was corrected, disputed or paid by hand, as the one that is measured is."""
    sections = []
    for section in rounds:
        number, agreed = escape(section.number), escape(section.agreed)
        lists = []
        for _, lines, net in section.entries:
            sum = f'<li class="sum"><span>{escape(net)}</span></li>'
            lists.append(f'<ul class="lines">{"".join(map(_line, lines))}{sum}</ul>')
        sections.append(
            f'<section aria-labelledby="round-{number}"><h3 id="round-{number}">'
            f'<a href="{escape(section.address)}">{escape(section.title)}</a>'
            f' <small class="muted">{agreed}</small></h3>{"".join(lists)}</section>'
        )
    return "\n".join(sections)


def _line(line: PaymentLine) -> str:
    move = f' · <a href="{escape(line.move_address)}">{escape(line.move)}</a>' if line.move else ""
    return (
        f'<li id="pay-{escape(line.place)}"><span><a href="{escape(line.address)}">{escape(line.who)}</a></span>'
        f'<span class="points">{escape(line.points)}</span><small>{escape(line.reason)} · '
        f'<a href="{escape(line.clause_address)}">{escape(line.clause)}</a>{move}</small></li>'
    )


def _plain(page: str) -> str:
    """A page without the spaces between its tags, and without the ids that its forms make each time."""
    return re.sub(r'name="id" value="[^"]*"', "", re.sub(r"\s*(<[^>]*>)\s*", r"\1", page))
