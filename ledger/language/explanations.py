"""Why a payment is made, as the sum that it is; and why something brought nothing, in a sentence."""

from collections.abc import Sequence

from ledger.game.cards import Cards, Deck
from ledger.game.explaining import Unpaid
from ledger.game.payments import Payment, Step, StepKind
from ledger.language.refusals import Names, name_of
from ledger.language.voice import Voice

_PRODUCTS = (StepKind.CHOP, StepKind.CARDS, StepKind.LAST_TWOS)
"""Steps that are said as so many times so much."""


def explanation_text(voice: Voice, deck: Deck, payment: Payment) -> str:
    """The arithmetic of a payment: `2♦ (2) + J♠ J♣ Q♠ Q♦ K♣ K♥ (2) = 4`."""
    said = _sum(voice, deck, payment.steps)
    if len(payment.steps) > 1 or payment.steps[0].kind in _PRODUCTS:
        said = voice.say("step total", sum=said, points=voice.plain(payment.points))
    return voice.say("step provisional", said=said) if payment.provisional else said


def unpaid_text(voice: Voice, deck: Deck, unpaid: Unpaid, names: Names) -> str:
    """Why something brought nothing. Names are by player number."""
    particular = f"why-not {unpaid.reason} {unpaid.about}"
    said = voice.say(
        particular if voice.knows(particular) else f"why-not {unpaid.reason}",
        player=name_of(names, unpaid.player),
        other=name_of(names, unpaid.other),
        cards=_cards(voice, deck, unpaid.cards),
        by=_cards(voice, deck, unpaid.by),
        place=voice.ordinal(unpaid.place),
    )
    return f"{voice.capital(said)}."


def _sum(voice: Voice, deck: Deck, steps: Sequence[Step]) -> str:
    """The steps with signs between them; doubling takes what is before it in brackets."""
    said = ""
    for place, step in enumerate(steps):
        text = _step(voice, deck, step)
        if step.kind is StepKind.DOUBLING:
            said = f"({said}) {text}" if place > 1 else f"{said} {text}"
        else:
            said = f"{said} + {text}" if said else text
    return said


def _step(voice: Voice, deck: Deck, step: Step) -> str:
    """One step of it: `2♦ (2)`."""
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
