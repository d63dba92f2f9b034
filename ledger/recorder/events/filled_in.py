"""What a correction of one move takes with it: the passes that were filled in because of plays.

A play is recorded with the passes that it implies. Corrected for another player or other cards, it implies others;
so may the plays after it. They are worked out again, as if each play from there on were recorded now, and what
differs is struck or inserted by the same correction. Passes that a person recorded, or put in alone, stay.
"""

from collections.abc import Sequence
from dataclasses import replace

from ledger.game.errors import Refused
from ledger.game.fold import begin, implied_passes, passes_before, replay
from ledger.game.moves import MayStand, Move, Pass, Play
from ledger.game.notation import tag
from ledger.game.round import Round
from ledger.recorder.events.correcting import Change, log_of, parts_of
from ledger.recorder.events.correction import MOST_CHANGES
from ledger.recorder.events.moves import Passed
from ledger.recorder.parts import MOVES, player, read_move
from ledger.recorder.revisions import Entry, RevisionChain, chains_of, standing_moves
from ledger.recorder.round_log import RoundLog, unrecorded
from ledger.recorder.state import NightState


def with_passes(state: NightState, change: Change) -> list[Change]:
    """The change of one move, with those of the passes that follow from it; alone if it is about a pass itself, if
    there are more than one correction takes, or if the round cannot go on so, of which the rules then say why.
    Raises Problem if no round has the entry."""
    log = log_of(state, [change])
    chain = log.chain_at(change.address)
    is_pass = change.put is None and chain and chain.standing and chain.standing.kind == "pass"
    if is_pass and (change.entry is None or isinstance(change.entry, Passed)):
        return [change]
    try:
        changes = _with_passes(state, log, change)
    except Refused:
        return [change]
    return changes if len(changes) <= MOST_CHANGES else [change]


def _with_passes(state: NightState, log: RoundLog, change: Change) -> list[Change]:
    assert log.round is not None
    event = unrecorded(state.head.seq + 1, log.number, "correct", parts_of(state, log, [change]))
    chains = chains_of((*log.events, event))
    at = next(place for place, chain in enumerate(chains) if chain.last.event is event)
    first = _first_filled_in(chains, at)
    before = [read_move(entry.data, log.round.ruleset.deck) for entry in standing_moves(chains[:first])]
    position = _after(begin(log.round.ruleset, log.round.header), before)
    ahead: list[Change] = []
    follow: list[Change] = []
    filled: list[Entry] = []
    for chain in chains[first:]:
        entry = chain.standing
        if entry is None or entry.kind not in MOVES:
            continue
        if _is_filled_in(entry):
            filled.append(entry)
            continue
        move = read_move(entry.data, position.ruleset.deck)
        passes = _passes(position, move, [Pass(player(one.data["player"])) for one in filled])
        kept = _common(filled, passes)
        follow += [Change(one.address, None) for one in filled[kept:]]
        # What is inserted before a move that is inserted itself comes before the same entry, and first.
        inserted = chain.versions[0].event is event
        place = change.address if inserted else chain.versions[0].address
        (ahead if inserted else follow).extend(
            Change(place, Passed(seat=tag(one.player)), "before") for one in passes[kept:]
        )
        position = _after(position, (*passes, move))
        filled = []
    return [*ahead, change, *follow, *(Change(one.address, None) for one in filled)]


def _first_filled_in(chains: Sequence[RevisionChain], at: int) -> int:
    """The place of the first pass that was filled in because of the move at a place, and of what was struck since;
    that place without one."""
    while at and ((entry := chains[at - 1].standing) is None or _is_filled_in(entry)):
        at -= 1
    return at


def _is_filled_in(entry: Entry) -> bool:
    """Whether a pass came with a play: inferred, or inserted by a correction that changed other entries than
    passes."""
    if entry.kind != "pass":
        return False
    with_others = any(part["kind"] != "pass" for part in entry.event.parts)
    return bool(entry.data.get("implied")) or ("before" in entry.data and with_others)


def _passes(position: Round, move: Move, before: Sequence[Pass]) -> Sequence[Pass]:
    """The passes that a move implies at a position; those that were `before` if it would be refused after them."""
    match move:
        case Play():
            passes = implied_passes(position, move)
        case Pass():
            passes = passes_before(position, move.player)
        case _:
            return ()
    try:
        replay(position, (*passes, move))
    except Refused:
        return before
    return passes


def _common(filled: Sequence[Entry], passes: Sequence[Pass]) -> int:
    """How many of the recorded passes stay."""
    pairs = zip(filled, passes, strict=False)
    return next(
        (place for place, (one, other) in enumerate(pairs) if one.data["player"] != tag(other.player)),
        min(len(filled), len(passes)),
    )


def _after(position: Round, moves: Sequence[Move]) -> Round:
    """The position after recorded moves; one that has become irregular stands."""
    try:
        return replay(position, moves)
    except Refused:
        return replay(
            position, [replace(move, stood=True) if isinstance(move, MayStand) else move for move in moves]
        )
