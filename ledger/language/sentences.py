"""Refusals, findings, payments, and the rulings of two rulesets on one move, as sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ledger.game.cards import Cards, Deck
from ledger.game.comparison import Ruling
from ledger.game.errors import Clause, Code, Detail, Finding, Notice, Refusal, Verdict
from ledger.game.explaining import Unpaid
from ledger.game.moves import NOBODY
from ledger.game.notation import tag
from ledger.game.patterns import PAIR, SINGLE, Pattern
from ledger.game.payments import Payment, Step, StepKind
from ledger.game.rulesets.serialization import read_field
from ledger.game.side_by_side import ComparedRoundReport, ComparisonReport
from ledger.language.voice import Voice

Names = Mapping[int, str]
"""Player -> name; a player without one is called by the tag."""


@dataclass(frozen=True, slots=True, eq=False)
class Sentences(Voice):
    """Sentences about moves and payments. Names are by player number."""

    def refusal(self, refusal: Refusal, names: Names) -> str:
        """Why a move is refused, with the cards and the move, and what to do."""
        facts = _facts(self, refusal, names)
        if refusal.code is Code.DOES_NOT_BEAT:
            return _does_not_beat(self, refusal, facts)
        key = f"refusal {refusal.code} {refusal.detail}" if refusal.detail else f"refusal {refusal.code}"
        return self.say(key, **facts)

    def blocked(self, refusal: Refusal, names: Names, move: int) -> str:
        """Why a correction that makes a later move impossible is refused."""
        return self.say("correction blocked", move=move, why=self.refusal(refusal, names))

    def finding(self, finding: Finding, names: Names) -> str:
        """A finding; for an irregular move, that it stood."""
        facts: dict[str, object] = {
            "player": name_of(names, finding.player),
            "cards": self.cards(finding.cards),
        }
        if finding.code is Notice.OPENING_NOT_LOWEST:
            facts |= zip(("lower", "opened"), map(self.card, finding.cards), strict=True)
        return self.say(f"finding {finding.code}{_finding_variant(finding)}", **facts)

    def ruling(self, ruling: Ruling, names: Names) -> str:
        """A ruleset's ruling on a move: whether it is allowed, and what follows from it."""
        return " ".join(self._ruled(ruling, names))

    def _ruled(self, ruling: Ruling, names: Names) -> Iterator[str]:
        if ruling.refusal is None:
            yield self.say("ruling allowed")
        else:
            yield self.refusal(ruling.refusal, names)
            if ruling.refusal.verdict is Verdict.IMPOSSIBLE:
                return
        if ruling.knocked_out:
            out = self.all_of(name_of(names, player) for player in ruling.knocked_out)
            yield self.say("ruling knocked out", names=out)
        if ruling.over:
            yield self.say("ruling over")
        elif ruling.turn == NOBODY:
            yield self.say("ruling opens")
        else:
            name = name_of(names, ruling.turn)
            yield self.say("ruling leads" if ruling.leads else "ruling answers", name=name)

    def difference(self, comparison: ComparisonReport, *, with_move: bool = False) -> str:
        """Where two rulesets first differ on a night, with the move on request; or that they do not."""
        first = comparison.first
        if first is None:
            return self.say("comparison none")
        key = "comparison place" if first.move else "comparison header"
        place = self.say(key, round=first.round, move=first.move)
        if with_move and first.line:
            place = f"{place}: {first.line}"
        sentence = self.say("comparison first", place=place)
        return f"{sentence}. {self.say('comparison stopped')}" if comparison.stopped == first else sentence

    def left_out(self, round: ComparedRoundReport) -> str:
        """How much of a compared round the other rules leave out; empty if nothing."""
        return self.say("comparison left out", count=round.left_out) if round.left_out else ""

    def explanation(self, payment: Payment, deck: Deck, names: Names) -> str:
        """The arithmetic of a payment: `2♦ (2) + J♠ J♣ Q♠ Q♦ K♣ K♥ (2) = 4`; for whom it
        is made, if for another player."""
        sentence = _sum(self, deck, payment.steps)
        if len(payment.steps) > 1 or payment.steps[0].kind in _PRODUCTS:
            sentence = self.say("step total", sum=sentence, points=self.plain(payment.points))
        if covering := payment.covering:
            why, name = self.say(f"cover {covering.why}"), name_of(names, covering.owed_by)
            sentence = self.say("step covered", said=sentence, name=name, why=why)
        return self.say("step provisional", said=sentence) if payment.provisional else sentence

    def unpaid(self, unpaid: Unpaid, deck: Deck, names: Names) -> str:
        """Why something earned nothing."""
        particular = f"why-not {unpaid.reason} {unpaid.about}"
        sentence = self.say(
            particular if self.knows(particular) else f"why-not {unpaid.reason}",
            player=name_of(names, unpaid.player),
            other=name_of(names, unpaid.other),
            cards=_cards(self, deck, unpaid.cards),
            by=_cards(self, deck, unpaid.by),
            place=self.ordinal(unpaid.place),
        )
        return f"{self.capital(sentence)}."


def _facts(voice: Voice, refusal: Refusal, names: Names) -> dict[str, object]:
    return {
        "player": name_of(names, refusal.player),
        "holder": name_of(names, refusal.holder),
        "expected": voice.all_of(name_of(names, player) for player in refusal.expected),
        "offered": voice.cards(refusal.offered),
        "number": len(refusal.offered),
        "top": voice.cards(refusal.top),
        "card": voice.card(refusal.card) if refusal.card else "",
        "move": refusal.move,
        "count": refusal.count,
        "counts": voice.any_of(refusal.counts),
    }


def name_of(names: Names, player: int | None) -> str:
    """A player's name, or tag if there is none; empty for None."""
    return "" if player is None else names.get(player, tag(player))


def _does_not_beat(voice: Voice, refusal: Refusal, facts: dict[str, object]) -> str:
    """Names what is on the table, or compares the two plays; then says what would beat it."""
    if not refusal.on:
        return voice.say(f"refusal does-not-beat {refusal.detail}", **facts)
    on = read_field(Pattern, refusal.on)
    name, pile = voice.shape(on), f"refusal does-not-beat on {on.width}"
    if refusal.detail is Detail.LOWER:
        wrong = voice.say("refusal does-not-beat lower", **facts)
    elif refusal.detail:
        return voice.say(f"refusal does-not-beat {refusal.detail}", shape=name, **facts)
    elif on.length == 1 and voice.knows(pile):
        wrong = voice.say(pile)
    else:
        wrong = voice.say("refusal does-not-beat on", shape=name)
    return f"{wrong} {voice.say(f'refusal does-not-beat {_advice(refusal, on.shape)}', shape=name)}"


def _advice(refusal: Refusal, on: Pattern) -> str:
    """The key of the advice on answering a play of this shape, by the table's rules."""
    if not refusal.beatable:
        return "bomb alone" if refusal.bombable else "unbeatable"
    how = "bomb" if refusal.bombable else "beat"
    return f"{how} {on.width}" if on in (SINGLE, PAIR) else how


def _finding_variant(finding: Finding) -> str:
    """The end of the key of its sentence, which differs for a pass, a play forward, and an opening."""
    if finding.code is Code.NOT_YOUR_TURN and finding.clause.endswith(f"-{Clause.FORWARD}"):
        return " forward"
    if finding.code is Code.WRONG_LEADER:
        return "" if finding.player is not None else " lowest"
    if finding.code in (Code.NOT_IN_ROUND, Code.LOCKED_OUT, Code.NOT_YOUR_TURN):
        return "" if finding.cards else " pass"
    return ""


# Payments

_PRODUCTS = (StepKind.CHOP, StepKind.CARDS, StepKind.LAST_TWOS)
"""Steps that are written as a product."""


def _sum(voice: Voice, deck: Deck, steps: Sequence[Step]) -> str:
    """The steps with signs between them; a factor puts what is before it in brackets."""
    sentence = ""
    for index, step in enumerate(steps):
        text = _step(voice, deck, step)
        if step.kind in (StepKind.DOUBLING, StepKind.ROUND_COUNTS):
            sentence = f"({sentence}) {text}" if index > 1 else f"{sentence} {text}"
        else:
            sentence = f"{sentence} + {text}" if sentence else text
    return sentence


def _step(voice: Voice, deck: Deck, step: Step) -> str:
    """One step of a sum: `2♦ (2)`."""
    payer, payee = (voice.place(place, step.count) for place in step.places)
    return voice.say(
        f"step {step.kind}",
        cards=_cards(voice, deck, step.cards),
        points=voice.plain(step.points),
        count=step.count,
        each=step.each,
        own=step.count - step.points,
        name=_name(voice, step),
        payer=payer,
        payee=payee,
    )


def _name(voice: Voice, step: Step) -> str:
    if step.kind is StepKind.CONTRACT:
        return voice.say(f"contract {step.name}")
    return voice.say(f"instant-win {step.name}") if step.name else voice.say("step unlisted")


def _cards(voice: Voice, deck: Deck, cards: Cards) -> str:
    return voice.cards(deck.write(cards))
