"""Short rounds and their outcomes, read from `tests/cases/rounds/*.txt`.

A line at the margin is a sentence about the cases below it. Each case is a story, the lines of a replay separated
by ` / `, and after `=>` the outcome of its last round, for a player (`bright p2 ...`), or of the night; a line with
more indentation continues the one above. The default is four players, the southern rules and inferred passes.
`[northern, 2 players, strict, RULE=VALUE]` before a story changes that; on a line of its own, for the rest of the
file. `[under akita]` compares the story with itself under other rules, and the outcome is theirs.

`{knocked} = ...` defines a story to be used as `{knocked}` below; `{whole}` and `{first-out}` are those of
`tests/game/stories.py`; `4s..As` are the cards of one suit from one rank to another.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ledger.game import notation, scoring
from ledger.game.cards import Rank
from ledger.game.comparison import Comparison, Difference, Ruling, compare
from ledger.game.customs import dealer, debts, kneeling, knelt, last, losers, third
from ledger.game.errors import Code, Verdict
from ledger.game.findings import findings
from ledger.game.fold import turns_by_passing
from ledger.game.hands import missing_hands
from ledger.game.legal_cards import legal_cards
from ledger.game.moves import NOBODY, MayStand, Move, Pass
from ledger.game.night import Night, last_counting, sheet_totals, totals
from ledger.game.notation import ScriptRefused, tag
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS
from ledger.game.sheet import sheet_of
from ledger.game.statistics import statistics
from tests.case_files import CASES
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import (
    CLASSIC,
    count_night,
    found,
    hands,
    net,
    paid,
    replay_story,
    resting_on,
    run,
    tags,
    turn,
    why,
    why_not,
)

FOLDER = CASES / "rounds"


class Table(NamedTuple):
    """The players and rules of a case."""

    ruleset: str = CLASSIC
    players: int = 4
    rules: tuple[str, ...] = ()
    strict: bool = False
    under: str = ""
    """The preset with which the case is compared."""


class Case(NamedTuple):
    """One line of a file."""

    place: str
    """`piles.txt:12`."""
    sentence: str
    table: Table
    story: str
    expected: str
    """The expected outcomes, separated by semicolons."""

    def __str__(self) -> str:
        return f"{self.place} {self.sentence}"

    def night(self, mark: str = "") -> Night:
        """The night of the story, with `mark` appended to its last line."""
        table, story = self.table, self.story + mark
        return replay_story(
            story, players=table.players, ruleset=table.ruleset, rules=table.rules, strict=table.strict
        )

    def played(self, mark: str = "") -> Round:
        """The last round of the story, with `mark` appended to its last line."""
        return self.night(mark).rounds[-1]

    @property
    def parts(self) -> tuple[str, str]:
        """The story without its last line, and that line."""
        before, _, last = self.story.rpartition("\n")
        return before, last

    @property
    def refused(self) -> tuple[Code, Verdict, str] | None:
        """Code, verdict and clause if its last line is to be refused; otherwise None."""
        verdict, *rest = self.expected.partition(",")[0].split()
        return (Code(rest[0]), Verdict(verdict), rest[1]) if verdict in ("irregular", "impossible") else None

    def becomes(self) -> str:
        """The actual outcome, in the form of `expected` and limited to what that mentions."""
        parts = self.expected.split("; ")
        try:
            if self.table.under:
                comparison = compare(self.night(), PRESETS[self.table.under])
                return "; ".join(_compared(comparison, part.split()[0]) for part in parts)
            night = self.night()
        except ScriptRefused as refused:
            names = [fact.removeprefix("not ").split()[0] for fact in self.expected.split(", ")[1:]]
            refusal = refused.refusal
            verdict = f"{refusal.verdict} {refusal.code} {refusal.clause}"
            return ", ".join([verdict, *(_fact(refused, name) for name in names)])
        return "; ".join(_outcome(night, *part.split()[:2]) for part in parts)


OUTCOMES: dict[str, Callable[[Round], str]] = {
    "pays": lambda round: _listed(paid(round)),
    "nets": lambda round: " ".join(map(str, net(round))),
    "finds": lambda round: _listed(found(round)),
    "finds-strictly": lambda round: _listed(
        one for one in found(round, strict=True) if one not in found(round)
    ),
    "losers": lambda round: tags(losers(round)) or "nobody",
    "last": lambda round: _tag(last(round)),
    "third": lambda round: _tag(third(round)),
    "passed": lambda round: tags(filter(round.passed, round.header.seats)) or "nobody",
    "places": lambda round: tags(round.places) or "nobody",
    "knocks-out": lambda round: tags(round.seats_in(round.knocked_out)) or "nobody",
    "leaves": lambda round: " ".join(str(round.cards_left[player]) for player in round.header.seats),
    "draws": lambda round: f"{round.drawn} and has {round.to_draw} to draw",
    "knows": lambda round: _listed(f"{player} {hand}" for player, hand in hands(round).items()),
    "misses": lambda round: tags(missing_hands(round)) or "nobody",
    "is": lambda round: scoring.status(round),
    "opens": lambda round: str(round.opening_move),
    "leader": lambda round: _tag(round.header.leader),
    "seats": lambda round: tags(round.header.seats),
    "locks-suit": lambda round: "yes" if round.suit_locked else "no",
    "piles": lambda round: str(len(round.pile)),
    "moves": lambda round: str(len(round.moves)),
    "by": lambda round: " ".join(tag(move.player) + _mark(move) for move in round.moves),
    "proves": lambda round: ", ".join(
        f"{tag(one.player or 0)} {' '.join(one.cards)} {one.move}" for one in findings(round)
    ),
    "scores": lambda round: " ".join(map(str, sheet_of(round).values())) or "nothing",
    "owes": lambda round: _listed(
        f"{tag(one.debtor)} {tag(one.creditor)} {one.count} {one.card}" for one in debts(round)
    ),
    "explains": lambda round: _listed(why(round), " | "),
    "rests-on": lambda round: _listed(resting_on(round), " | "),
    "denies": lambda round: _listed(why_not(round), " | "),
    "prints": repr,
    "wins": lambda round: tags(player for player, _ in round.winning_claims) or "nobody",
}
"""The first word of an outcome -> the rest of it. Any other outcome says who is to act."""

COMPARED: dict[str, Callable[[Comparison], str]] = {
    "differs": lambda comparison: _difference(comparison.first),
    "differs-in": lambda comparison: " ".join(str(one.number) for one in comparison.rounds if one.first),
    "stops": lambda comparison: _difference(comparison.stopped),
    "totals": lambda comparison: ", ".join(" ".join(map(str, side)) for side in comparison.totals()),
    "compares": lambda comparison: f"{len(_rounds_there(comparison))} of {len(comparison.rounds)}",
    "leaves-out": lambda comparison: str(sum(one.left_out for one in comparison.rounds)),
}
"""The first word of an outcome of a comparison -> the rest of it."""


def _compared(comparison: Comparison, word: str) -> str:
    if word in COMPARED:
        return f"{word} {COMPARED[word](comparison)}"
    return _of_a_round(_rounds_there(comparison)[-1], word)


def _rounds_there(comparison: Comparison) -> list[Round]:
    return [one.there for one in comparison.rounds if one.there is not None]


def _difference(found: Difference | None) -> str:
    """Where two rulesets differ, by round and move, and both rulings: `1.6: p3 answers, locked-out T-PASS`."""
    return (
        f"{found.round}.{found.move}: {_ruling(found.here)}, {_ruling(found.there)}" if found else "nowhere"
    )


def _ruling(ruling: Ruling) -> str:
    if ruling.refusal:
        return f"{ruling.refusal.code} {ruling.refusal.clause}"
    who = "anyone" if ruling.turn == NOBODY else tag(ruling.turn)
    return "over" if ruling.over else f"{who} {'leads' if ruling.leads else 'answers'}"


def _listed(parts: Iterable[str], apart: str = ", ") -> str:
    return apart.join(parts) or "nothing"


def _tag(player: int | None) -> str:
    return "nobody" if player is None else tag(player)


def _mark(move: Move) -> str:
    """`-` for a pass, `!` for a move that stood."""
    return "-" if isinstance(move, Pass) else "!" if isinstance(move, MayStand) and move.stood else ""


def _outcome(night: Night, word: str, tag: str = "") -> str:
    if word in OF_A_NIGHT:
        return f"{word} {OF_A_NIGHT[word](night)}"
    if word in OF_A_PLAYER:
        return f"{word} {tag} {OF_A_PLAYER[word](night.rounds[-1], int(tag[1:]) - 1)}"
    return _of_a_round(night.rounds[-1], word)


def _of_a_round(round: Round, word: str) -> str:
    return f"{word} {OUTCOMES[word](round)}" if word in OUTCOMES else turn(round)


def _bright(round: Round, player: int) -> str:
    """The cards that a player may lay: `everything` and `all but 2s` of those that are still unseen."""
    twos = round.ruleset.deck.rank(Rank.TWO)
    named = {round.unseen & ~twos: "all but 2s", round.unseen: "everything", 0: "nothing"}
    bright = legal_cards(round, player)
    return named.get(bright) or " ".join(round.ruleset.deck.write(bright))


def _by_passing(round: Round, player: int) -> str:
    passes = dict(reversed(list(turns_by_passing(round)))).get(player, ())
    return tags(one.player for one in passes) or "nothing"


def _lines(night: Night, word: str) -> str:
    """The lines of the written night that begin with a word, without it."""
    lines = notation.write(night).splitlines()
    return _listed((line.removeprefix(f"{word} ") for line in lines if line.startswith(f"{word} ")), " | ")


OF_A_PLAYER: dict[str, Callable[[Round, int], str]] = {"bright": _bright, "gets-the-turn-by": _by_passing}
"""The first word of an outcome for a player, who is its second word -> the rest of it."""

OF_A_NIGHT: dict[str, Callable[[Night], str]] = {
    "headers": lambda night: _lines(night, "round"),
    "rule-lines": lambda night: _lines(night, "rule"),
    "sheet": lambda night: " ".join(map(str, sheet_totals(night))) or "nothing",
    "counts-2s": lambda night: ", ".join(
        f"{one.twos.times} for {one.twos.points}" for one in statistics([count_night(night)]).people.values()
    ),
    "balances": lambda night: " ".join(map(str, totals(night))),
    "dealt-by": lambda night: _tag(
        dealer(night.ruleset, night.rounds[-1].header.seats, last_counting(night.rounds[:-1]))
    ),
    "kneeling": lambda night: tags(one.player for one in kneeling(map(knelt, night.rounds))) or "nobody",
    "finds-of-debts": lambda night: _listed(
        f"{one.code} {one.clause} {one.move} {tag(one.player or 0)}"
        for one in findings(*reversed(night.rounds[-2:]))
    ),
}
"""The first word of an outcome of the whole night -> the rest of it."""


def _fact(refused: ScriptRefused, name: str) -> str:
    """A fact of a refusal: `card 3s`, `expected p2`, `not bombable`; `at` is the move, `in` the round."""
    value = {"at": refused.move, "in": refused.round}.get(name, getattr(refused.refusal, name, None))
    match name, value:
        case (("holder" | "player"), int(player)):
            return f"{name} {tag(player)}"
        case "expected", tuple(players):
            return f"{name} {tags(players) or 'nobody'}"
        case _, tuple(cards):
            return f"{name} {' '.join(cards) or 'nothing'}"
        case _, bool() | None:
            return name if value else f"not {name}"
    return f"{name} {value}"


@cache
def cases() -> tuple[Case, ...]:
    """The cases of all files."""
    return tuple(case for path in sorted(FOLDER.glob("*.txt")) for case in read(path))


def read(path: Path) -> Iterator[Case]:
    """The cases of a file."""
    table, sentence, named = Table(), "", dict[str, str]()
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, first in enumerate(lines, start=1):
        if first.startswith(_GOES_ON):
            continue
        more = takewhile(lambda line: line.startswith(_GOES_ON), lines[number:])
        line = " ".join([first, *map(str.strip, more)])
        if (" => " in line) is not line.startswith(" ") and not line.startswith("#"):
            raise ValueError(f"{path.name}:{number}: a case is indented and has an outcome: {line}")
        if line.startswith("["):
            table = _table(line, Table())
        elif line.startswith("{"):
            name, _, named[name] = line.partition(" = ")
        elif line.startswith(" "):
            story, _, expected = line.strip().partition(" => ")
            own, story = _table(story, table), re.sub(r"^\[.*?\] ?", "", story)
            story = story_of(story, named, players=own.players)
            yield Case(f"{path.name}:{number}", sentence, own, story, with_runs(expected))
        elif line and not line.startswith("#"):
            sentence = line


_GOES_ON = " " * 4


def _table(text: str, table: Table) -> Table:
    """A table changed by what a line begins with in brackets."""
    named = re.match(r"\[(.*?)\]", text)
    for part in named[1].split(", ") if named else ():
        if part.endswith(" players"):
            table = table._replace(players=int(part.split()[0]))
        elif part == "strict":
            table = table._replace(strict=True)
        elif part.startswith("under "):
            table = table._replace(under=part.removeprefix("under "))
        elif "=" in part:
            table = table._replace(rules=(*table.rules, part))
        else:
            table = table._replace(ruleset=part)
    return table


def story_of(text: str, named: Mapping[str, str] = MappingProxyType({}), *, players: int = 4) -> str:
    """The lines of a story, with what stands in braces."""
    whole = {"{whole}": WHOLE_ROUND, "{first-out}": FIRST_OUT}
    while found := re.search(r"{[\w-]+}", text):
        name = found[0]
        text = text.replace(name, whole[name][players] if name in whole else named[name])
    return with_runs(text).replace(" / ", "\n")


def with_runs(text: str) -> str:
    """The text with the cards of one suit for `4s..As`."""
    return re.sub(r"(\w)([scdh])\.\.(\w)\2", lambda found: run(found[2], found[1], found[3]), text)
