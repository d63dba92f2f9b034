"""Pages for newcomers: help, how the program works, an example night, and how Tiến lên is played."""

from collections.abc import Iterator

from flask import Response, make_response, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.cards import Card, Rank, Suit, bits
from ledger.game.errors import Clause, Refusal
from ledger.game.fold import begin
from ledger.game.judge import judge
from ledger.game.moves import Play
from ledger.game.night import totals
from ledger.game.patterns import Kind, Pattern
from ledger.game.payments import Reason
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.scoring import payments
from ledger.game.settlement import fewest_transfers
from ledger.language import rules_page
from ledger.recorder.operations.demo import corrected_night, example_id, example_night
from ledger.resources import DOCUMENTS
from ledger.web.access import NightVisit, remember
from ledger.web.pages.shared.blueprint import night_page, pages
from ledger.web.pages.shared.page_cache import cached_page
from ledger.web.preferences import say_finding, speaker
from ledger.web.reading import render, snapshot
from ledger.web.recorder import recorder

Hand = tuple[str, ...]
"""Cards drawn next to each other."""


@pages.app_template_test("example")
def is_example(night: str) -> bool:
    """Whether a night is the shared example night."""
    return night == example_id(recorder())


@pages.post("/example")
def example() -> AnyResponse:
    """Open the example night for this visitor; it is recorded on first use."""
    link = example_night(recorder(), say_finding)
    token = snapshot().night(link.night).tokens().watch
    response = make_response(redirect(url_for("pages.ledger", night=link.night), 303))
    remember(response, link, token)
    return response


@pages.get("/help")
def help_page() -> str:
    """Help: how to record, read a payment, dispute one, settle up."""
    return render("help/help.html", documents=DOCUMENTS)


@pages.get("/n/<night:night>/help")
@cached_page
def help_at_table(visit: NightVisit) -> Response:
    """The same within a night, whose bar leads back."""
    return night_page("help/help.html", visit.board(), documents=DOCUMENTS)


@pages.get("/how-it-works")
def how_it_works() -> str:
    """From names to money in five pictures of the example night."""
    night = corrected_night()
    round, net = night.rounds[0], dict(enumerate(totals(night)))
    payment = next(one for one in payments(round) if one.reason is Reason.BOMB_BONUS)
    before, after = (
        begin(round.ruleset, round.header, round.moves[:last]) for last in (payment.move - 1, payment.move)
    )
    beaten, bomb = after.pile[-2:]
    assert bomb.combination is not None
    refused, refusal = _refused(before, bomb.player)
    write = night.ruleset.deck.write
    return render(
        "help/how_it_works.html",
        names=dict(enumerate(night.names)),
        hand=night.ruleset.deal.hand,
        bomb=speaker().combination(write(bomb.cards), Kind.of(bomb.combination.shape)),
        cards=write(bomb.cards),
        beaten=write(beaten.cards),
        refused=refused,
        refusal=refusal,
        payment=payment,
        net=net,
        transfers=fewest_transfers(net),
        stake=night.terms.stake,
    )


def _refused(position: Round, player: int) -> tuple[Hand, Refusal]:
    """A card that a player may not play on the pile, and why."""
    for index in bits(position.unseen):
        if refusal := judge(position, Play(player, 1 << index)):
            return position.ruleset.deck.write(1 << index), refusal
    raise AssertionError("something lies that not every card beats")


TAUGHT = "southern-classic"
"""The ruleset to teach: most tables play it first."""
LESSONS = (
    *(Clause.DEAL, Clause.OUT, Clause.RANK, Clause.COMBO, Clause.COMPARE, Clause.OPEN, Clause.LEAD),
    *(Clause.PASS, Clause.PILE, Clause.BOMB, Clause.KNOCK, Clause.PLACE, Clause.HOARD),
)
"""The clauses that a beginner needs, in order of teaching."""


@pages.get("/how-to-play")
def how_to_play() -> str:
    """How Tiến lên is played: the clauses that a beginner needs, with pictures of cards."""
    ruleset, words = PRESETS[TAUGHT], speaker()
    printed = {clause.id: clause for section in rules_page(ruleset, words) for clause in section.clauses}
    return render(
        "help/how_to_play.html",
        ruleset=ruleset,
        lessons=[(printed[ruleset.clause(clause)], _pictures(clause, ruleset)) for clause in LESSONS],
    )


def _pictures(clause: Clause, ruleset: Ruleset) -> Iterator[tuple[Hand, ...]]:
    """The pictures of a clause, each a sequence of hands."""
    match clause:
        case Clause.RANK:
            yield (tuple(str(Card(rank, Suit.SPADES)) for rank in Rank),)
            yield (tuple(str(Card(Rank.TWO, suit)) for suit in Suit),)
        case Clause.COMBO:
            shapes = reversed(list(ruleset.combinations.shapes()))
            shortest = {Kind.of(shape): shape for shape in shapes}
            yield from ((_sample(shape),) for shape in reversed(shortest.values()))
        case Clause.COMPARE:
            yield ("7c", "7d"), ("7s", "7h")
            yield ("8d", "9h", "Ts"), ("8s", "9d", "Th")
        case Clause.BOMB:
            yield from ((("2h",), _sample(bomb.shape)) for bomb in ruleset.bombs)


def _sample(shape: Pattern) -> Hand:
    """Sample cards of a shape, from the 5 up."""
    cards = (
        Card(Rank(Rank.FIVE + step), Suit((step + place) % len(Suit)))
        for step in range(shape.length)
        for place in range(shape.width)
    )
    return tuple(map(str, sorted(cards)))
