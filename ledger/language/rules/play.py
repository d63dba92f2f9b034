"""A round: clauses OPEN, LEAD, PASS, PILE, LATE, OUT, KNOCK, END."""

from ledger.game.rulesets import Ruleset
from ledger.language.rules.told import Told, dealt_out, late_shapes, lowest_card
from ledger.language.speaker import Speaker


def opening(ruleset: Ruleset, speaker: Speaker) -> Told:
    yield speaker.say("rules OPEN")
    if ruleset.instant_wins.hands and ruleset.opening.after_instant_win:
        yield speaker.say("rules OPEN again")
    every = dealt_out(ruleset)
    some = [players for players in ruleset.deal.players if players not in every]
    if every:
        yield speaker.say("rules OPEN all", players=speaker.any_of(every), card=lowest_card(speaker))
    if some:
        yield speaker.say("rules OPEN some", players=speaker.any_of(some))


def leading(ruleset: Ruleset, speaker: Speaker) -> Told:
    yield speaker.say("rules LEAD")
    if ruleset.instant_wins.hands and not ruleset.opening.after_instant_win:
        yield speaker.say("rules LEAD claimant")
    yield speaker.say("rules LEAD absent")


def passing(ruleset: Ruleset, speaker: Speaker) -> Told:
    yield speaker.say("rules PASS")
    yield speaker.say("rules PASS locks" if ruleset.passing.locks else "rules PASS free")
    yield speaker.say("rules PASS lead")


def pile(ruleset: Ruleset, speaker: Speaker) -> Told:
    yield speaker.say("rules PILE")
    if late_shapes(ruleset):
        yield speaker.say("rules PILE closes")


def late(ruleset: Ruleset, speaker: Speaker) -> Told:
    shapes = late_shapes(ruleset)
    if shapes:
        yield speaker.say("rules LATE", shapes=speaker.any_of(map(speaker.shape, shapes)))
        yield speaker.say("rules LATE after")
        yield speaker.say("rules LATE lead")


def out(ruleset: Ruleset, speaker: Speaker) -> Told:
    yield speaker.say("rules OUT")


def knock(ruleset: Ruleset, speaker: Speaker) -> Told:
    if ruleset.ending.knock_out:
        yield speaker.say("rules KNOCK")


def end(ruleset: Ruleset, speaker: Speaker) -> Told:
    if ruleset.ending.at_first_out:
        yield speaker.say("rules END first out")
    else:
        yield speaker.say("rules END last left")
        if ruleset.ending.knock_out:
            yield speaker.say("rules END knocked")
    yield speaker.say("rules END pile")
