"""Clauses about a round (OPEN, LATE), the record (SEEN, REST), and agreements outside of play (CUSTOM)."""

from collections.abc import Iterable

from ledger.game.patterns import Kind
from ledger.game.rulesets import Ruleset
from ledger.language.rules.card_clauses import targets
from ledger.language.rules.telling import Content, dealt_out, hand_sizes, lowest_card, sentences
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


_DEBTS_AND_KNEELING = sentences(
    ("rules CUSTOM chopped", "debts.chopped"),
    ("rules CUSTOM count flat", "debts.chopped debts.count=flat"),
    ("rules CUSTOM count stacking", "debts.chopped debts.count=stacking"),
    ("rules CUSTOM count doubling", "debts.chopped debts.count=doubling"),
    ("rules CUSTOM card highest-two", "debts.chopped debts.card=highest-two"),
    ("rules CUSTOM card any-two", "debts.chopped debts.card=any-two"),
    ("rules CUSTOM card highest-card", "debts.chopped debts.card=highest-card"),
    ("rules CUSTOM loser several", "debts.loser ending.at_first_out"),
    ("rules CUSTOM loser", "debts.loser ending.at_first_out=no"),
    ("rules CUSTOM loser knocked out", "debts.loser ending.at_first_out=no ending.knock_out"),
    ("rules CUSTOM returned", "debts.returned debts.chopped|debts.loser"),
    ("rules CUSTOM kneeling last", "kneeling.last"),
    ("rules CUSTOM kneeling chopped", "kneeling.chopped"),
    ("rules CUSTOM kneeling until", "kneeling.last|kneeling.chopped"),
)


def customs(ruleset: Ruleset, speaker: Speaker) -> Content:
    """Agreements outside of play, which move no points."""
    agreements = [*_DEBTS_AND_KNEELING(ruleset, speaker), *map(speaker.custom, ruleset.customs)]
    if agreements:
        yield speaker.say("rules CUSTOM")
        yield from agreements
