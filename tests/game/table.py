"""Helpers that play stories in the notation, and summarize rounds in short text.

A story is the lines below the players. If it does not begin with a round or a payment, an opening round is put
before it.
"""

from collections.abc import Iterable

import pytest

from ledger.game import notation, scoring
from ledger.game.cards import Card, Cards, Deck
from ledger.game.errors import Code, Refusal, Verdict
from ledger.game.explaining import explain
from ledger.game.findings import findings
from ledger.game.moves import NOBODY
from ledger.game.night import Night
from ledger.game.notation import ScriptRefused, tag
from ledger.game.payments import Step, post
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overlays.house_rules import laid_over, lay_unjudged, with_choice
from ledger.game.rulesets.overrides import with_rules
from ledger.game.statistics import NightCount, count_round

CLASSIC = "southern-classic"
WINNER_TAKES_ALL = "southern-winner-takes-all"
NAMES = ("An", "Bình", "Chi", "Dũng", "Em", "Phúc", "Giang", "Hoa")
RANKS = "3456789TJQKA2"
SUITS = "scdh"
DECK = Deck()
ALL_CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)


def run(suit: str, low: str = "3", high: str = "A") -> str:
    """The cards of one suit from one rank to another: `run("s", "3", "5")` is `3s 4s 5s`."""
    return " ".join(rank + suit for rank in RANKS[RANKS.index(low) : RANKS.index(high) + 1])


def cards(text: str) -> Cards:
    """The set of the cards in a text."""
    return DECK.gather(map(Card.read, text.split()))[0]


def lay_all(ruleset: Ruleset, lines: Iterable[str]) -> Ruleset:
    """Apply several house rules, given as `rule` lines."""
    chosen = laid_over(ruleset)
    for line in lines:
        name, _, choice = line.partition("=")
        chosen = with_choice(ruleset.id, chosen, name, choice)
    return lay_unjudged(ruleset, chosen) if chosen else ruleset


def page(story: str, *, players: int = 4, ruleset: str = CLASSIC, rules: Iterable[str] = ()) -> str:
    """The complete replay of a story."""
    story = "\n".join(line.strip() for line in story.strip().splitlines())
    if not story.startswith(("round", "pay")):
        story = f"round 1 opening\n{story}"
    return "\n".join(
        [
            "tienlen 1",
            f"ruleset {ruleset}",
            *(f"rule {rule}" for rule in rules),
            *(f"{tag(player)} {name}" for player, name in enumerate(NAMES[:players])),
            f"{story}\n",
        ]
    )


def rule_lines(text: str) -> list[tuple[str, str]]:
    """The path and value of each line in `deal.hand=11 passing.locks=no`."""
    return [(path, value) for path, _, value in (line.partition("=") for line in text.split())]


def ruleset_of(text: str) -> Ruleset:
    """A preset changed by `rule` lines: `southern-classic deal.hand=11`."""
    preset, _, rules = text.partition(" ")
    return with_rules(PRESETS[preset], rule_lines(rules))


def replay_story(
    story: str, *, players: int = 4, ruleset: str = CLASSIC, rules: Iterable[str] = (), strict: bool = False
) -> Night:
    """The night that a story tells."""
    text = page(story, players=players, ruleset=ruleset, rules=rules)
    return notation.replay(notation.read(text), strict=strict)


def after(
    story: str, *, players: int = 4, ruleset: str = CLASSIC, rules: Iterable[str] = (), strict: bool = False
) -> Round:
    """The last round of a story."""
    return replay_story(story, players=players, ruleset=ruleset, rules=rules, strict=strict).rounds[-1]


def refused(
    story: str, *, players: int = 4, ruleset: str = CLASSIC, rules: Iterable[str] = (), strict: bool = False
) -> ScriptRefused:
    """The refusal of a story; fails if it is accepted."""
    with pytest.raises(ScriptRefused) as caught:
        replay_story(story, players=players, ruleset=ruleset, rules=rules, strict=strict)
    return caught.value


def verdict(refusal: Refusal | None) -> tuple[Code, Verdict, str] | None:
    """Code, verdict and clause of a refusal."""
    return None if refusal is None else (refusal.code, refusal.verdict, refusal.clause)


def turn(round: Round) -> str:
    """Who is to act: `p2 leads`, `p3 answers`, `anyone leads`, `over`."""
    if round.over:
        return "over"
    who = "anyone" if round.turn == NOBODY else tag(round.turn)
    return f"{who} leads" if round.leading else f"{who} answers"


def tags(players: Iterable[int]) -> str:
    return " ".join(map(tag, players))


def paid(round: Round) -> list[str]:
    """The payments of a round: `p4 p1 2 placement S-PLACE`."""
    return [
        f"{tag(one.payer)} {tag(one.payee)} {one.points} {one.reason} {one.clause}"
        for one in scoring.payments(round)
    ]


def net(round: Round) -> list[int]:
    """The points that each seat of a round wins or loses."""
    totals = post(scoring.payments(round))
    return [totals.get(player, 0) for player in round.header.seats]


def found(round: Round, *, strict: bool = False) -> list[str]:
    """The findings of a round: `not-your-turn S-PASS 9`."""
    return [f"{one.code} {one.clause} {one.move}" for one in findings(round, strict=strict)]


def hands(round: Round) -> dict[str, str]:
    """The known hands at the end of a round, with their source: `{"p4": "shown 2s"}`."""
    return {
        tag(player): " ".join([hand.source, *round.ruleset.deck.write(hand.cards)])
        for player, hand in scoring.hands(round).items()
    }


def why(round: Round) -> list[str]:
    """The explanations of a round: `p4 p1 2: place 4→1 2`."""
    return [
        f"{tag(one.payer)} {tag(one.payee)} {one.points}: "
        + ", ".join(_step(round, step) for step in one.steps)
        for one in explain(round).why
    ]


def _step(round: Round, step: Step) -> str:
    facts = [
        *round.ruleset.deck.write(step.cards),
        f"@{step.move}" if step.move else "",
        f"{step.count}×{step.each}" if step.each else f"×{step.count}" if step.count else "",
        step.name,
        "→".join(map(str, step.places)) if any(step.places) else "",
    ]
    return " ".join([step.kind, *filter(None, facts), f"= {step.points}"])


def resting_on(round: Round) -> list[str]:
    """What each payment of a round rests on: clauses, cards, moves, a hand's source, and `?` if it may change."""
    write = round.ruleset.deck.write
    return [
        " ".join(
            [
                *one.clauses,
                *write(one.cards),
                *(f"@{move}" for move in one.moves),
                *([one.source] if one.source else []),
                *(["?"] if one.provisional else []),
            ]
        )
        for one in explain(round).why
    ]


def why_not(round: Round) -> list[str]:
    """The reasons why things were not paid: `led bomb p1 S-CHOP 4s 4c 4d 4h @1`."""
    write = round.ruleset.deck.write
    return [
        " ".join(
            [
                one.reason,
                *([] if one.player is None else [tag(one.player)]),
                *([] if one.other is None else [tag(one.other)]),
                one.clause,
                *write(one.cards),
                *([f"@{one.move}"] if one.move else []),
                *(["by", *write(one.by)] if one.by else []),
                *([f"place {one.place}"] if one.place else []),
            ]
        )
        for one in explain(round).why_not
    ]


def count_night(night: Night) -> NightCount:
    """The numbers of a whole night."""
    return NightCount(night.names, [*map(count_round, night.rounds)], post(night.adjustments))
