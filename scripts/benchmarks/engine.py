"""The rules against other games' libraries."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import pairwise, product
from statistics import median

from benchmarks import environments, peers, records
from benchmarks.measuring import Effort, Figure, Goal, Pass, Row, ratios, take_turns
from ledger.game import notation
from ledger.game.fold import apply, begin
from ledger.game.legal_cards import legal_cards
from ledger.game.moves import Play
from ledger.game.night import Night
from ledger.game.round import Round
from ledger.game.scoring import payments


def rows(effort: Effort) -> Iterator[Row]:
    """Replaying, and the cards playable from an unknown hand."""
    nights = records.nights()[-effort.records :] if effort.records else records.nights()
    yield from replaying(nights, effort)
    yield from presets(effort)
    yield classifying(nights, effort)
    # Not in turn with the others: so many positions would push their data out of the processor's caches.
    yield asking(nights, effort)


def replaying(nights: list[Night], effort: Effort) -> Iterator[Row]:
    """Whole nights from text, beside whole games of others."""
    texts = [notation.write(night) for night in nights]
    games, hands = peers.chess_games(), peers.poker_hands()
    passes = {
        "ours": Pass(lambda: score(texts), move_count(nights)),
        "chess": Pass(lambda: peers.play_chess(games), sum(map(len, games))),
        "poker": Pass(lambda: peers.play_poker(hands), sum(hand.played for hand in hands)),
        "floor": Pass(lambda: walk(texts), move_count(nights)),
    }
    with ExitStack() as stack:
        if python := environments.python_of("rlcard"):
            doudizhu = stack.enter_context(peers.DouDizhu(python))
            passes["doudizhu"] = Pass(doudizhu.play, doudizhu.actions)
        times = take_turns(passes, effort.turns)
    ours = {"a move": Figure(median(times["ours"]))}
    yield Row(
        name="replay-chess",
        title="replay and score, against python-chess",
        values=ratios(times["chess"], times["ours"]),
        goal=Goal(10, least=True),
        same_work="Whole recorded nights from text: every line read, every move judged, every round paid; by move. "
        "Whole recorded games from UCI texts, read, judged and played by Board.push_uci; by ply.",
        measured=ours | {"a ply": Figure(median(times["chess"]))},
    )
    yield Row(
        name="replay-pokerkit",
        title="replay and score, against pokerkit",
        values=ratios(times["poker"], times["ours"]),
        goal=Goal(80, least=True),
        same_work="The same nights; by move. Whole no-limit hold'em hands from PHH texts, read, judged and played "
        "by parse_action, from the deal to the chips; by the players' action: dealing is done on the way, as "
        "beginning and paying are here.",
        measured=ours | {"an action": Figure(median(times["poker"]))},
    )
    yield against_rlcard(times["ours"], times.get("doudizhu", []))
    yield Row(
        name="replay-floor",
        title="replay and score, against reading the text alone",
        values=ratios(times["ours"], times["floor"]),
        same_work="The same nights; by move. The floor takes every line apart and looks every card up, in Python, "
        "and judges nothing.",
        measured=ours | {"a line": Figure(median(times["floor"]))},
    )


def against_rlcard(ours: list[float], theirs: list[float]) -> Row:
    """µs a move and µs an action, which may not have been measured."""
    return Row(
        name="replay-rlcard",
        title="replay and score, against rlcard",
        values=ratios(theirs, ours) if theirs else (),
        same_work="The same nights; by move. Whole games of dou dizhu, each dealt by its seed and played by its "
        "recorded actions, passes too: looked up among those that the game allows, step, judge_payoffs; by action.",
        measured={
            "a move": Figure(median(ours)),
            "an action": Figure(median(theirs)),
            "in a second": Figure(1e6 / median(ours), "moves"),
            "of these in a second": Figure(1e6 / median(theirs), "actions"),
        }
        if theirs
        else {},
        missing="" if theirs else environments.MISSING,
    )


def asking(nights: list[Night], effort: Effort) -> Row:
    """Which cards can be played from an unknown hand."""
    asked = [(round, player) for round in positions(nights) for player in round.header.seats]
    questions = Pass(lambda: [legal_cards(round, player) for round, player in asked], len(asked))
    times = take_turns({"playable": questions}, effort.turns)
    return Row(
        name="playable",
        title="cards playable from an unknown hand",
        values=times["playable"],
        unit="µs",
        goal=Goal(20, unit="µs"),
        same_work=f"Every seat in every position of the same nights: {len(asked):,} questions; by question.",
        measured={"a question": Figure(median(times["playable"]))},
    )


def classifying(nights: list[Night], effort: Effort) -> Row:
    """What some cards are, and whether they beat others."""
    pairs = [
        (round.rules.index, one.cards, other.cards)
        for night in nights
        for round in night.rounds
        for one, other in pairwise(move for move in round.moves if isinstance(move, Play))
    ]

    def compare() -> None:
        for book, cards, others in pairs:
            under, over = book.read(cards), book.read(others)
            if under is not None and over is not None:
                over.beats(under)

    times = take_turns({"pairs": Pass(compare, len(pairs))}, effort.turns)["pairs"]
    return Row(
        name="classify-and-beat",
        title="two sets of cards read as combinations and compared",
        values=[1e6 / time for time in times],
        unit="a second",
        same_work="Every two plays that follow each other in the same nights. What a book has read before it "
        "remembers, as at a table.",
        measured={"a pair": Figure(median(times))},
    )


def presets(effort: Effort) -> Iterator[Row]:
    """Replaying made-up rounds of each preset: the slowest of all, and the southern classic."""
    passes = {}
    for name, nights in records.generated(effort.rounds).items():
        texts = [notation.write(night) for night in nights]
        passes[name] = Pass(partial(score, texts), move_count(nights))
    speeds = {
        name: [1e6 / time for time in times] for name, times in take_turns(passes, effort.turns).items()
    }
    slowest = min(speeds, key=lambda name: median(speeds[name]))
    for row, name in (("replay-slowest-preset", slowest), ("replay-southern", "southern-classic")):
        yield Row(
            name=row,
            title=f"replay and score, made-up rounds of {name}",
            values=speeds[name],
            unit="moves/s",
            goal=Goal(60_000, unit="moves/s", least=True),
            same_work=f"{effort.rounds} rounds with bombs and many passes, as many players as the ruleset takes, "
            f"text in, payments out; all {len(speeds)} presets in turn, of which {slowest} is the slowest.",
            measured={"a move": Figure(1e6 / median(speeds[name]))},
        )


def score(texts: list[str]) -> None:
    """Replay and score nights: text in, payments out."""
    for text in texts:
        night = notation.replay(notation.read(text))
        for round in night.rounds:
            payments(round)


_CARDS = {f"{rank}{suit}": 1 << place for place, (rank, suit) in enumerate(product("3456789TJQKA2", "scdh"))}


def walk(texts: list[str]) -> None:
    """The least that a loop over the same texts can do."""
    for text in texts:
        for line in text.splitlines():
            seen = 0
            for word in line.split():
                seen |= _CARDS.get(word, 0)


def move_count(nights: list[Night]) -> int:
    return sum(len(round.moves) for night in nights for round in night.rounds)


def positions(nights: list[Night]) -> Iterator[Round]:
    """Every position that a recorded round went through, the last one of each included."""
    for night in nights:
        for recorded in night.rounds:
            position = begin(recorded.ruleset, recorded.header)
            yield position
            for move in recorded.moves:
                position = apply(position, move)
                yield position
