"""A table to play at: stories told in the notation, and short answers to what became of them.

A story is the lines below the players. Where it does not begin with a round of its own, the first is opened by
the lowest card.
"""

from collections.abc import Iterable

import pytest

from ledger.game import notation, scoring
from ledger.game.cards import Card, Cards, Deck
from ledger.game.errors import Code, Refusal, Verdict
from ledger.game.explaining import explain
from ledger.game.findings import findings
from ledger.game.night import Night
from ledger.game.notation import ScriptRefused, tag
from ledger.game.payments import Step, post
from ledger.game.round import NOBODY, Round

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
    """The set of the cards that a text names."""
    return DECK.gather(map(Card.read, text.split()))[0]


def page(story: str, *, players: int = 4, ruleset: str = CLASSIC, rules: Iterable[str] = ()) -> str:
    """The whole text of a night."""
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


def told(
    story: str, *, players: int = 4, ruleset: str = CLASSIC, rules: Iterable[str] = (), strict: bool = False
) -> Night:
    """The night that a story tells."""
    text = page(story, players=players, ruleset=ruleset, rules=rules)
    return notation.replay(notation.read(text), strict=strict)


def after(
    story: str, *, players: int = 4, ruleset: str = CLASSIC, rules: Iterable[str] = (), strict: bool = False
) -> Round:
    """The last round of a story."""
    return told(story, players=players, ruleset=ruleset, rules=rules, strict=strict).rounds[-1]


def refused(
    story: str, *, players: int = 4, ruleset: str = CLASSIC, rules: Iterable[str] = (), strict: bool = False
) -> ScriptRefused:
    """How the rules refuse a story."""
    with pytest.raises(ScriptRefused) as caught:
        told(story, players=players, ruleset=ruleset, rules=rules, strict=strict)
    return caught.value


def verdict(refusal: Refusal | None) -> tuple[Code, Verdict, str] | None:
    """The three words of a refusal."""
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
    """What each seat of a round wins or loses."""
    totals = post(scoring.payments(round))
    return [totals.get(player, 0) for player in round.header.seats]


def found(round: Round) -> list[str]:
    """The findings of a round: `not-your-turn S-PASS 9`."""
    return [f"{one.code} {one.clause} {one.move}" for one in findings(round)]


def hands(round: Round) -> dict[str, str]:
    """What is known of the hands left at the end: `{"p4": "shown 2s"}`."""
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


def why_not(round: Round) -> list[str]:
    """What brought nothing: `led bomb p1 S-CHOP 4s 4c 4d 4h @1`."""
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
