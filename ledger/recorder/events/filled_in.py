"""What a correction of one move takes with it: the passes around plays, the beginning of a round whose first play
was another player's than whoever was said to lead, and the declarations after a result.

A play is recorded with the passes that it implies. Corrected for another player or other cards, it implies others;
so may the plays after it. They are worked out again, as if each play from there on were recorded now, and what
differs is struck or inserted by the same correction. Passes that a person recorded stay, except those that cannot
have been; where they ended a pile, all others pass.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace

from ledger.game.errors import Refused
from ledger.game.fold import begin, implied_passes, passes_before, positions, replay, turns_by_passing
from ledger.game.hands import missing_hands
from ledger.game.moves import MayStand, Move, Pass, Play
from ledger.game.notation import tag
from ledger.game.round import Header, Round
from ledger.recorder.events.correcting import Change, log_of, parts_of
from ledger.recorder.events.correction import MOST_CHANGES
from ledger.recorder.events.moves import Passed, Played
from ledger.recorder.events.round import RoundBegun
from ledger.recorder.parts import MOVES, player, read_move
from ledger.recorder.revisions import Entry, RevisionChain, chains_of, standing_moves
from ledger.recorder.round_log import RoundLog, unrecorded
from ledger.recorder.state import NightState


def with_passes(state: NightState, change: Change) -> list[Change]:
    """The change of one move, with those that follow from it; alone if it is about a pass itself, if
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


def undeclared(state: NightState, change: Change) -> tuple[list[Entry], list[str]]:
    """What the change of a settled round's result makes of the hands without special sets that came with it: the
    declarations that nobody needs any more, and the players of whom one is needed. Raises Problem if no round has
    the entry."""
    log = log_of(state, [change])
    if not log.settled:
        return [], []
    declared = [entry for entry in log.entries if entry.kind == "declare" and not entry.data["sets"]]
    changes = [change, *(Change(entry.address, None) for entry in declared)]
    event = unrecorded(state.head.seq + 1, log.number, "correct", parts_of(state, log, changes))
    after = RoundLog.fold(state.agreements, log.number, (*log.events, event), log.previous)
    needed = [tag(one) for one in missing_hands(after.round)] if after.round else []
    known = [entry.data["player"] for entry in declared]
    return [entry for entry in declared if entry.data["player"] not in needed], [
        one for one in needed if one not in known
    ]


def _with_passes(state: NightState, log: RoundLog, change: Change) -> list[Change]:
    assert log.round is not None
    event = unrecorded(state.head.seq + 1, log.number, "correct", parts_of(state, log, [change]))
    chains = chains_of((*log.events, event))
    at = next(place for place, chain in enumerate(chains) if chain.last.event is event)
    first = _first_filled_in(chains, at)
    before = [read_move(entry.data, log.round.ruleset.deck) for entry in standing_moves(chains[:first])]
    header, ahead = _beginning(log, chains[at], change)
    position = _after(begin(log.round.ruleset, header), before)
    ended = _ending_piles(log)
    follow: list[Change] = []
    group: list[Entry] = []
    for chain in chains[first:]:
        entry = chain.standing
        if entry is None or entry.kind not in MOVES:
            continue
        changed = entry.event is event
        if entry.kind == "pass" and not changed:
            group.append(entry)
            continue
        move = read_move(entry.data, position.ruleset.deck)
        passes = _passes(position, move, group, ended=any(one.address in ended for one in group))
        changes, further = _changes(group, passes)
        follow += changes
        # What is inserted before a move that is inserted itself comes before the same entry, and first.
        inserted = chain.versions[0].event is event
        place = change.address if inserted else chain.versions[0].address
        (ahead if inserted else follow).extend(Change(place, one, "before") for one in further)
        position = _after(position, (*passes, move))
        group = []
    return [*ahead, change, *follow, *_at_the_end(position, group, ended)]


def _beginning(log: RoundLog, chain: RevisionChain, change: Change) -> tuple[Header, list[Change]]:
    """The beginning of a round after a change, and that of whoever leads, if it was said: the round's first play is
    another player's now."""
    assert log.round is not None
    assert log.header is not None
    header, entry = log.round.header, change.entry
    first = next((one for one in log.entries if one.kind in ("play", "pass")), None)
    is_first = change.put is None and first is not None and chain.versions[-2].address == first.address
    if not (is_first and isinstance(entry, Played)) or header.leader in (None, player(entry.seat)):
        return header, []
    led = RoundBegun(leader=entry.seat, seats=[tag(one) for one in header.seats])
    return header._replace(leader=player(entry.seat)), [Change(log.header.address, led)]


def _ending_piles(log: RoundLog) -> set[str]:
    """The addresses of the passes that ended a pile and that a person recorded together: *All others pass*. Of
    passes that were recorded one by one, whoever did not pass has not passed after a correction either."""
    assert log.round is not None
    found, leading, together = set(), True, set[int]()
    for entry, position in zip(log.entries, positions(log.round), strict=True):
        if entry.kind != "pass":
            together.clear()
        elif not _is_filled_in(entry):
            together.add(entry.event.seq)
            if position.leading and not leading and len(together) == 1:
                found.add(entry.address)
        leading = position.leading
    return found


def _at_the_end(position: Round, group: Sequence[Entry], ended: Collection[str]) -> list[Change]:
    """The changes of the last passes, which no play follows: those that came with a play go with it."""
    entered = [one for one in group if not _is_filled_in(one)]
    passes = _still_passed(position, entered, ended=any(one.address in ended for one in entered))
    changes, further = _changes(group, passes)
    return [*changes, *(Change(group[-1].address, one, "after") for one in further)]


def _changes(recorded: Sequence[Entry], passes: Sequence[Pass]) -> tuple[list[Change], list[Passed]]:
    """The changes that make other passes of recorded ones, and those that come after all of them."""
    changes: list[Change] = []
    fresh: list[Passed] = []
    left = [*recorded]
    for seat in [tag(one.player) for one in passes]:
        place = next((place for place, one in enumerate(left) if one.data["player"] == seat), None)
        if place is None:
            fresh.append(Passed(seat=seat))
            continue
        changes += [Change(one.address, None) for one in left[:place]]
        changes += [Change(left[place].address, one, "before") for one in fresh]
        left, fresh = left[place + 1 :], []
    return [*changes, *(Change(one.address, None) for one in left)], fresh


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


def _passes(position: Round, move: Move, before: Sequence[Entry], *, ended: bool) -> Sequence[Pass]:
    """The passes between a position and a move; those recorded `before` it if it would be refused after others.
    `ended`: a person recorded that they ended the pile."""
    recorded = [Pass(player(one.data["player"])) for one in before]
    passes: Sequence[Pass]
    if all(map(_is_filled_in, before)):
        passes = _implied(position, move)
    else:
        passes = _still_passed(position, before, ended=ended)
        passes = (*passes, *_implied(_after(position, passes), move))
    try:
        replay(position, (*passes, move))
    except Refused:
        return recorded
    return passes


def _implied(position: Round, move: Move) -> Sequence[Pass]:
    match move:
        case Play():
            return implied_passes(position, move)
        case Pass():
            return passes_before(position, move.player)
        case _:
            return ()


def _still_passed(position: Round, recorded: Sequence[Entry], *, ended: bool) -> Sequence[Pass]:
    """The recorded passes that can still be, or all until the pile ends if that is what they did."""
    if ended:
        return max((passes for _, passes in turns_by_passing(position)), key=len, default=())
    passes: list[Pass] = []
    for one in recorded:
        who = player(one.data["player"])
        skipped = (*passes_before(position, who), Pass(who))
        with suppress(Refused):
            position = replay(position, skipped)
            passes += skipped
    return passes


def _after(position: Round, moves: Sequence[Move]) -> Round:
    """The position after recorded moves; one that has become irregular stands."""
    try:
        return replay(position, moves)
    except Refused:
        return replay(
            position, [replace(move, stood=True) if isinstance(move, MayStand) else move for move in moves]
        )
