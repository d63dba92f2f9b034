"""What the record can know: clauses SEEN, REST, SHOW, MISSED."""

from ledger.game.rulesets import Ruleset
from ledger.language.rules.told import Told, dealt_out
from ledger.language.speaker import Speaker


def seen(ruleset: Ruleset, speaker: Speaker) -> Told:
    yield speaker.say("rules SEEN", hand=ruleset.deal.hand)


def rest(ruleset: Ruleset, speaker: Speaker) -> Told:
    every = dealt_out(ruleset)
    if every:
        yield speaker.say("rules REST", players=speaker.any_of(every))


def showing(ruleset: Ruleset, speaker: Speaker) -> Told:
    if ruleset.payments.special_sets:
        yield speaker.say("rules SHOW")
        yield speaker.say("rules SHOW contradicted")


def missed(ruleset: Ruleset, speaker: Speaker) -> Told:
    if ruleset.instant_wins.hands:
        yield speaker.say("rules MISSED")
