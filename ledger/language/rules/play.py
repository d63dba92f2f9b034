"""Clauses about a round (OPEN, LEAD, PASS, PILE, LATE, DRAW, OUT, KNOCK, END), the record (SEEN, REST,
SHOW, MISSED), and agreements outside of play (CUSTOM)."""

from collections.abc import Iterable, Iterator

from ledger.game.patterns import Kind
from ledger.game.rulesets import Ruleset
from ledger.language.rules.card_clauses import targets
from ledger.language.rules.telling import Content, dealt_out, hand_sizes, lowest_card
from ledger.language.speaker import Speaker


def opening(ruleset: Ruleset, speaker: Speaker) -> Content:
    """Who opens the round, and with what."""
    opening = ruleset.opening
    if opening.every_round:
        yield speaker.say("rules OPEN every")
    else:
        yield speaker.say("rules OPEN")
        if ruleset.instant_wins.hands and opening.after_instant_win:
            yield speaker.say("rules OPEN again")
        if opening.after_player_change:
            yield speaker.say("rules OPEN change")
    if opening.kinds:
        yield speaker.say("rules OPEN kinds", kinds=_kinds(opening.kinds, speaker))
    every = dealt_out(ruleset)
    some = [players for players in ruleset.deal.players if players not in every]
    if every:
        yield speaker.say("rules OPEN all", players=speaker.any_of(every), card=lowest_card(speaker))
        if ruleset.deck.has_twins:
            yield speaker.say("rules OPEN twins")
    if some:
        yield speaker.say("rules OPEN some", players=speaker.any_of(some))
    if opening.forbidden:
        yield speaker.say("rules OPEN forbidden", kinds=_kinds(opening.forbidden, speaker))
    if opening.intruders:
        shapes = speaker.any_of(map(speaker.shape, opening.intruders))
        yield speaker.say("rules OPEN intruders", shapes=shapes)
        if opening.intruders_spare:
            spared = speaker.any_of(targets(opening.intruders_spare, ruleset, speaker))
            yield speaker.say("rules OPEN spared", targets=spared)


def _kinds(kinds: Iterable[Kind], speaker: Speaker) -> str:
    return speaker.any_of(map(speaker.kind, kinds))


def leading(ruleset: Ruleset, speaker: Speaker) -> Content:
    """Who leads a round that is not opened with the lowest card."""
    if ruleset.opening.every_round:
        return
    yield speaker.say("rules LEAD")
    if ruleset.instant_wins.hands and not ruleset.opening.after_instant_win:
        yield speaker.say("rules LEAD claimant")
    yield speaker.say("rules LEAD absent")


def passing(ruleset: Ruleset, speaker: Speaker) -> Content:
    """Whether a pass locks a player out of the pile."""
    yield speaker.say("rules PASS")
    yield speaker.say("rules PASS locks" if ruleset.passing.locks else "rules PASS free")
    yield speaker.say("rules PASS lead twos" if ruleset.passing.twos_pass_lead else "rules PASS lead")


def pile(ruleset: Ruleset, speaker: Speaker) -> Content:
    """When a pile ends, and who leads the next."""
    yield speaker.say("rules PILE")
    if ruleset.passing.late or ruleset.passing.any_time:
        yield speaker.say("rules PILE closes")


def late(ruleset: Ruleset, speaker: Speaker) -> Content:
    """What a player who has passed may still play."""
    shapes, any_time = ruleset.passing.late, ruleset.passing.any_time
    if shapes:
        yield speaker.say("rules LATE", shapes=speaker.any_of(map(speaker.shape, shapes)))
        for row in ruleset.passing.late_on:
            chopped = targets(row.chopped, ruleset, speaker)
            beaten = speaker.any_of(
                (
                    *targets(row.on, ruleset, speaker),
                    *(speaker.say("rules LATE chopped", target=one) for one in chopped),
                )
            )
            if row.shape in shapes:
                yield speaker.say("rules LATE only on", shape=speaker.shape(row.shape), targets=beaten)
    if any_time:
        yield speaker.say("rules LATE any time", shapes=speaker.any_of(map(speaker.shape, any_time)))
    if shapes or any_time:
        yield speaker.say("rules LATE after" if ruleset.passing.locks else "rules LATE after free")
        yield speaker.say("rules LATE lead")


def drawing(ruleset: Ruleset, speaker: Speaker) -> Content:
    """How cards are drawn from the rest of the pack."""
    if ruleset.deal.draw_pile:
        yield speaker.say("rules DRAW")
        yield speaker.say("rules DRAW unknown")


def out(ruleset: Ruleset, speaker: Speaker) -> Content:
    """When a player is out."""
    yield speaker.say("rules OUT")


def knock(ruleset: Ruleset, speaker: Speaker) -> Content:
    """When a player is knocked out."""
    if ruleset.ending.knock_out:
        yield speaker.say("rules KNOCK")


def end(ruleset: Ruleset, speaker: Speaker) -> Content:
    """When a round ends."""
    if ruleset.ending.at_first_out:
        yield speaker.say("rules END first out")
    else:
        yield speaker.say("rules END last left")
        if ruleset.ending.knock_out:
            yield speaker.say("rules END knocked")
    yield speaker.say("rules END pile")
    yield speaker.say("rules END void")
    if ruleset.ending.no_last_two:
        yield speaker.say("rules END never two" if ruleset.passing.twos_pass_lead else "rules END no two")


# The record


def known_hands(ruleset: Ruleset, speaker: Speaker) -> Content:
    """What the record assumes to be known about hands."""
    yield speaker.say("rules SEEN", hand=hand_sizes(ruleset, speaker))
    if ruleset.deck.has_twins:
        yield speaker.say("rules SEEN twins")
    if ruleset.deal.draw_pile:
        yield speaker.say("rules SEEN drawn")


def rest(ruleset: Ruleset, speaker: Speaker) -> Content:
    """With how many players the last hand follows from the others."""
    every = dealt_out(ruleset)
    if every:
        yield speaker.say("rules REST", players=speaker.any_of(every))


def showing(ruleset: Ruleset, speaker: Speaker) -> Content:
    """Who shows cards when a round has ended, and why."""
    if ruleset.payments.special_sets or ruleset.payments.lowest_left:
        yield speaker.say("rules SHOW")
        yield speaker.say("rules SHOW contradicted")


def missed(ruleset: Ruleset, speaker: Speaker) -> Content:
    """That an instant win that was not claimed in time is lost."""
    if ruleset.instant_wins.hands:
        yield speaker.say("rules MISSED")


def customs(ruleset: Ruleset, speaker: Speaker) -> Content:
    """Agreements outside of play, which move no points."""
    sentences = [
        *_debts(ruleset, speaker),
        *_kneeling(ruleset, speaker),
        *map(speaker.custom, ruleset.customs),
    ]
    if sentences:
        yield speaker.say("rules CUSTOM")
        yield from sentences


def _debts(ruleset: Ruleset, speaker: Speaker) -> Iterator[str]:
    debts = ruleset.debts
    if debts.chopped:
        yield speaker.say("rules CUSTOM chopped")
        yield speaker.say(f"rules CUSTOM count {debts.count}")
        yield speaker.say(f"rules CUSTOM card {debts.card}")
    if debts.loser:
        first_out, knock_out = ruleset.ending.at_first_out, ruleset.ending.knock_out
        yield speaker.say("rules CUSTOM loser several" if first_out else "rules CUSTOM loser")
        if knock_out and not first_out:
            yield speaker.say("rules CUSTOM loser knocked out")
    if debts.returned and (debts.chopped or debts.loser):
        yield speaker.say("rules CUSTOM returned")


def _kneeling(ruleset: Ruleset, speaker: Speaker) -> Iterator[str]:
    kneeling = ruleset.kneeling
    if kneeling.last:
        yield speaker.say("rules CUSTOM kneeling last")
    if kneeling.chopped:
        yield speaker.say("rules CUSTOM kneeling chopped")
    if kneeling.last or kneeling.chopped:
        yield speaker.say("rules CUSTOM kneeling until")
