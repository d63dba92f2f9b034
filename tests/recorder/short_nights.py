"""Short nights and what they come to, read from `tests/cases/nights/*.txt`.

The format is that of `tests/game/short_rounds.py`, with the entries of `tests/stories.py`. An outcome is
one of:

    409 round-void, round 1    how the last entry is refused: status, code, its clause if it has one; facts
    refuses p1 3s: 409 stale   the same of an entry that is tried after the story
    replays pay p4 p1 7 bia    a line of the night's replay; `omits 3d` is text that is nowhere in it
    moves 2.0 p1 3s            one of VIEWS, of the last round; `struck(1)` is of the first
    round.left p1 12 p2 13     a place in one of SOURCES; below a list, that place in each of its items
    undoable                   an undo restores the board before the last entry, and a redo the one after it
"""

import re
from collections.abc import Callable
from functools import partial
from itertools import accumulate
from typing import Any

import pytest

from ledger.game import notation
from ledger.game.notation import tag
from ledger.language import speaker
from ledger.recorder import Problem, Recorder, audit, export_tln, import_tln
from ledger.recorder.views.round_page import PileView
from ledger.web.api import answers
from tests.case_files import CASES
from tests.game import short_rounds
from tests.game.short_rounds import Case
from tests.recorder.tables import SAY, Table, open_table, plain
from tests.stories import read_story

Data = dict[str, Any]

CASES_OF_NIGHTS = [
    case for path in sorted((CASES / "nights").glob("*.txt")) for case in short_rounds.read(path)
]
WORDS = speaker("en")

SOURCES: dict[str, Callable[[Table, str], Any]] = {
    "board": lambda table, _: table.board(),
    "round": lambda table, _: table.round(),
    "page": lambda table, number: table.page(int(number or table.round()["number"])),
    "piles": lambda table, _: list(map(_pile, table.ask.round_page(table.round()["number"], SAY).piles)),
    "ledger": lambda table, _: table.ask.ledger(),
    "settle-up": lambda table, _: table.ask.settle_up(),
    "agreement": lambda table, _: table.ask.agreement(),
    "payment": lambda table, address: table.ask.payment(address, WORDS),
    "dispute": lambda table, seq: table.ask.dispute(int(seq), WORDS),
    "corrects": lambda table, _: [list(row[1:]) for row in table.contents()["correction"]],
    "replay": lambda table, _: table.replay_text().splitlines(),
}
"""What a place begins with -> where that is; it may have something in parentheses: `page(2).seats`."""


def _moves(page: Data) -> list[list[Any]]:
    """Those that stand: address, player, and cards or kind."""
    return [[row["address"], row["player"], *(row["cards"] or [row["kind"]])] for row in page["moves"]]


def _irregular(page: Data) -> list[list[Any]]:
    """The moves that stood against the rules."""
    return [[row["move"], row["code"]] for row in page["moves"] if row["code"]]


def _struck(page: Data) -> list[list[Any]]:
    """The struck lines: address, player, kind of the entry that struck it, and its reason."""
    rows = [row for row in page["lines"] if "struck_by" in row]
    return [
        [row[name] for name in ("address", "player", "struck_by", "reason") if row.get(name)] for row in rows
    ]


def _pays(page: Data) -> list[list[Any]]:
    """The payments of the round, whether they are posted or not."""
    return [[one[name] for name in ("payer", "payee", "points", "reason")] for one in page["payments"]]


def _pile(pile: PileView) -> Data:
    """A pile, with what its page asks it."""
    shown: Data = plain(pile)
    shown["undone"] = len(pile.undone)
    return shown | {"concerns": [player for player in ("p1", "p2", "p3", "p4") if pile.concerns(player)]}


def _posts(ledger: Data) -> list[list[Any]]:
    """The payments of the ledger that are not reversed."""
    held = [one for one in ledger["payments"] if not one["reverses"] and not one["reversed_by"]]
    return [[one[name] for name in ("payer", "payee", "points", "reason")] for one in held]


VIEWS = {
    "moves": ("page", _moves),
    "irregular": ("page", _irregular),
    "struck": ("page", _struck),
    "pays": ("page", _pays),
    "posts": ("ledger", _posts),
}
"""A word for a part of a source -> the source, and the part."""


def is_undoable(case: Case) -> bool:
    return case.expected == "undoable"


def told(case: Case, recorder: Recorder) -> Table:
    """A new night in which the story of a case was recorded but for its last entry."""
    table = open_table(recorder, case.table.players, ruleset=case.table.ruleset, rules=case.table.rules)
    return table.tell(case.parts[0])


def sound(table: Table) -> None:
    """Check that the audit finds nothing, that the caches equal the store, that the board is what the interface
    promises, that running totals add up, and that the night's replay can be imported."""
    assert list(audit(table.recorder, table.night)) == []
    cold, board = table.restarted(), table.ask.board(table.keeper, SAY)
    assert cold.board() == plain(board)
    assert answers.Board().validate(answers.Board().dump(board)) == {}
    if board.round is not None:
        players = set(board.round.seats)
        assert players == set(board.round.left) == set(board.round.playable) == set(board.round.net)
    for number in range(1, board.round.number + 1 if board.round else 1):
        page = table.ask.round_page(number, SAY)
        assert cold.page(number) == plain(page)
        assert [(step.row, step.move) for step in page.steps] == [
            (row, move) for move, row in enumerate(page.moves, start=1)
        ]
    totals = table.ask.ledger().totals
    assert [line.total["p1"] for line in totals] == list(accumulate(line.net["p1"] for line in totals))
    text = table.replay_text()
    imported = import_tln(table.recorder, notation.replay(notation.read(text)))
    assert export_tln(table.recorder, imported.night) == text


def becomes(case: Case, recorder: Recorder) -> str:
    """The actual outcomes of a case, in the form of the expected ones. Also checks the night, and that the preview
    of the last entry has the balances that it leads to."""
    table, last = told(case, recorder), case.parts[1]
    if not case.expected[0].isdigit():
        ((kind, content),) = read_story(last)
        promised = table.preview(kind, **content)
        board = table.tell(last).board()
        so_far = {name: points + board["provisional"][name] for name, points in board["net"].items()}
        assert sum(so_far.values()) == 0
        assert promised.get("balances", {}).get("after", so_far) == so_far
    found = "; ".join(_outcome(table, part, last) for part in case.expected.split("; "))
    sound(table)
    return found


def _outcome(table: Table, expected: str, last: str) -> str:
    word, _, rest = expected.partition(" ")
    if word.isdigit():
        return _refusal(table, last, expected)
    match word:
        case "refuses":
            line, _, how = rest.rpartition(": ")
            return f"refuses {line}: {_refusal(table, line, how)}"
        case "replays" | "omits":
            text = table.replay_text()
            said = rest in (text.splitlines() if word == "replays" else text)
            return expected if said == (word == "replays") else text
    found = re.fullmatch(r"([\w-]+)(?:\((.*?)\))?\.?(.*)", word)
    assert found, word
    name, argument, path = found.groups(default="")
    source, part = VIEWS.get(name, (name, partial(_within, path=path)))
    value, again = (part(plain(SOURCES[source](phone, argument))) for phone in (table, table.restarted()))
    assert value == again
    return f"{word} {_brief(value)}"


def _within(value: Any, path: str) -> Any:
    for name in filter(None, path.split(".")):
        if not isinstance(value, list):
            value = {str(key): one for key, one in value.items()}[name]
        elif name.lstrip("-").isdigit():
            value = value[int(name)]
        else:
            value = [_within(one, name) for one in value]
    return value


def _refusal(table: Table, line: str, expected: str) -> str:
    """How an entry and its preview are refused, with all facts of the problem, and those that are expected."""
    problem, ((kind, content),) = table.refused(line), read_story(line)
    with pytest.raises(Problem) as previewed:
        table.preview(kind, **content)
    assert (previewed.value.code, previewed.value.facts) == (problem.code, problem.facts)
    facts = dict(problem.facts)
    for name in (fact.split()[0] for fact in expected.split(", ")[1:]):
        if name not in facts and hasattr(problem.refusal, name):
            value = getattr(problem.refusal, name)
            players = value if isinstance(value, tuple) else (value,)
            facts[name] = [*map(tag, players)] if name in ("expected", "holder", "player") else plain(value)
    what = [str(problem.status), problem.code, problem.clause or ""]
    return ", ".join(
        [" ".join(filter(None, what)), *(f"{name} {_brief(fact)}" for name, fact in facts.items())]
    )


def _brief(value: Any) -> str:
    """Plain data in words; commas divide what is a list or an object itself."""
    if value is None or value in ("", [], {}):
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return " ".join(f"{name} {_brief(one)}" for name, one in value.items())
    if isinstance(value, list):
        nested = any(isinstance(one, list | dict) for one in value)
        return (", " if nested else " ").join(map(_brief, value))
    return str(value)
