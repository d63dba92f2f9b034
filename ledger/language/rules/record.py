"""What the record can know, and what is beside the play: clauses SEEN, REST, SHOW, MISSED, CUSTOM."""

from ledger.game.rulesets import Ruleset
from ledger.language.rules.told import Told, dealt_out, hand_sizes
from ledger.language.speaker import Speaker


def seen(ruleset: Ruleset, speaker: Speaker) -> Told:
    """What the record takes for known of the hands."""
    yield speaker.say("rules SEEN", hand=hand_sizes(ruleset, speaker))
    if ruleset.deck.has_twins:
        yield speaker.say("rules SEEN twins")
    if ruleset.deal.draw_pile:
        yield speaker.say("rules SEEN drawn")


def rest(ruleset: Ruleset, speaker: Speaker) -> Told:
    """With how many players the last hand follows from the others."""
    every = dealt_out(ruleset)
    if every:
        yield speaker.say("rules REST", players=speaker.any_of(every))


def showing(ruleset: Ruleset, speaker: Speaker) -> Told:
    """Who shows cards when a round has ended, and why."""
    if ruleset.payments.special_sets or ruleset.payments.lowest_left:
        yield speaker.say("rules SHOW")
        yield speaker.say("rules SHOW contradicted")


def missed(ruleset: Ruleset, speaker: Speaker) -> Told:
    """That an instant win that was not claimed in time is lost."""
    if ruleset.instant_wins.hands:
        yield speaker.say("rules MISSED")


def customs(ruleset: Ruleset, speaker: Speaker) -> Told:
    """What is agreed on beside the play, and moves no points."""
    told = [*_debts(ruleset, speaker), *_kneeling(ruleset, speaker), *map(speaker.custom, ruleset.customs)]
    if told:
        yield speaker.say("rules CUSTOM")
        yield from told


def _debts(ruleset: Ruleset, speaker: Speaker) -> list[str]:
    debts = ruleset.debts
    told = []
    if debts.chopped:
        told.append(speaker.say("rules CUSTOM chopped"))
        told.append(speaker.say(f"rules CUSTOM count {debts.count}"))
        told.append(speaker.say(f"rules CUSTOM card {debts.card}"))
    if debts.loser:
        first_out, knock_out = ruleset.ending.at_first_out, ruleset.ending.knock_out
        told.append(speaker.say("rules CUSTOM loser several" if first_out else "rules CUSTOM loser"))
        if knock_out and not first_out:
            told.append(speaker.say("rules CUSTOM loser knocked out"))
    if told and debts.returned:
        told.append(speaker.say("rules CUSTOM returned"))
    return told


def _kneeling(ruleset: Ruleset, speaker: Speaker) -> list[str]:
    kneeling = ruleset.kneeling
    told = []
    if kneeling.last:
        told.append(speaker.say("rules CUSTOM kneeling last"))
    if kneeling.chopped:
        told.append(speaker.say("rules CUSTOM kneeling chopped"))
    if told:
        told.append(speaker.say("rules CUSTOM kneeling until"))
    return told
