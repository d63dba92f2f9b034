"""Cards and combinations: clauses RANK, DEAL, COMBO, COMPARE, SUIT-LOCK."""

from collections.abc import Iterator

from ledger.game.cards import Card, Rank, Suit
from ledger.game.patterns import Combinations, Kind, Pattern, SuitLock
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.model import Dealer
from ledger.language.rules.told import Table, Told, beats, head, lowest_card
from ledger.language.speaker import Speaker
from ledger.language.voice import glyph, label


def rank(ruleset: Ruleset, speaker: Speaker) -> Told:
    """The order of ranks and suits, and how equal cards of two packs compare."""
    ranks = " ".join(map(label, Rank))
    suits = " ".join(glyph(suit) for suit in Suit)
    yield speaker.say("rules RANK", ranks=ranks, suits=suits)
    (highest,) = ruleset.deck.write(1 << ruleset.deck.all.bit_length() - 1)
    yield speaker.say("rules RANK order", lowest=lowest_card(speaker), highest=speaker.card(highest))
    if ruleset.deck.has_twins:
        yield speaker.say(f"rules RANK twins {ruleset.combinations.ties}")
    elif ruleset.deal.packs > 1:
        yield speaker.say("rules RANK backs", card=speaker.card(str(Card(min(Rank), min(Suit), 1))))


def deal(ruleset: Ruleset, speaker: Speaker) -> Told:
    """How many cards everyone is dealt, by whom, and what becomes of the rest."""
    deal = ruleset.deal
    facts = {
        "players": speaker.any_of(deal.players),
        "hand": deal.hand,
        "count": deal.packs,
        "packs": speaker.number(deal.packs),
    }
    rest = {seats: 52 * deal.packs - seats * deal.hand_of(seats) for seats in deal.players}
    yield speaker.say("rules DEAL equal" if deal.equal else "rules DEAL", **facts)
    if deal.equal:
        rows = tuple((str(seats), str(deal.hand_of(seats)), str(aside)) for seats, aside in rest.items())
        yield Table(head(speaker, "players", "each", "aside"), rows)
    yield speaker.say(f"rules DEAL {deal.direction}")
    if deal.four_hands:
        yield speaker.say("rules DEAL four hands")
    for seats, aside in rest.items():
        if aside > 0 and not deal.equal:
            key = "rules DEAL pile" if deal.draw_pile else "rules DEAL rest"
            yield speaker.say(key, players=seats, count=aside)
    if deal.dealer is not Dealer.OPEN:
        yield speaker.say(f"rules DEAL dealer {deal.dealer}")
    if deal.first_dealer_by_lot:
        yield speaker.say("rules DEAL first dealer")


def combination(ruleset: Ruleset, speaker: Speaker) -> Told:
    """The combinations that may be played, and how high sequences reach."""
    combinations = ruleset.combinations
    yield speaker.say("rules COMBO")
    rows = tuple((speaker.capital(name), what) for name, what in _combinations(combinations, speaker))
    yield Table(head(speaker, "combination", "cards"), rows)
    yield from _tops(combinations, speaker)
    if 4 in combinations.same_rank:
        yield speaker.say("rules COMBO four twos")


def _combinations(rules: Combinations, speaker: Speaker) -> Iterator[tuple[str, str]]:
    """What each kind is called, and what it is."""

    def several(kind: Kind, key: str, lengths: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        if lengths:
            yield speaker.kind(kind), speaker.say(f"rules COMBO {key}", lengths=speaker.any_of(lengths))

    for width in rules.same_rank:
        key = "rules COMBO single" if width == 1 else "rules COMBO same"
        what = speaker.say(key, number=speaker.number(width))
        yield speaker.shape(Pattern(width)), _coloured(what, rules, speaker) if width == 2 else what
    if _has_sequences(rules):
        key = "rules COMBO sequence suited" if rules.one_suit else "rules COMBO sequence"
        yield speaker.kind(Kind.SEQUENCE), speaker.say(key, count=rules.sequence_from)
    for name, what in several(Kind.PAIR_SEQUENCE, "pair-sequence", rules.pair_sequences):
        if rules.one_colour_throughout:
            yield name, speaker.say("rules COMBO one colour throughout", what=what)
        else:
            yield name, speaker.say("rules COMBO one colour each", what=what) if rules.one_colour else what
    yield from several(Kind.TRIPLE_SEQUENCE, "triple-sequence", rules.triple_sequences)
    yield from several(Kind.FOURS, "fours", rules.fours)
    yield from several(Kind.FOURS, "fours consecutive", rules.fours_consecutive)


def _coloured(pair: str, rules: Combinations, speaker: Speaker) -> str:
    """What a pair is, with what its colours must be."""
    if not rules.one_colour:
        return pair
    # 2s that follow no suit need not match in a pair either.
    key = "rules COMBO one colour but twos" if rules.follow_suits else "rules COMBO one colour"
    return speaker.say(key, what=pair)


def _has_sequences(rules: Combinations) -> bool:
    return rules.sequence_from <= rules.top_of_sequences + 1


def _tops(rules: Combinations, speaker: Speaker) -> Iterator[str]:
    """How high sequences reach."""
    tops = {}
    if _has_sequences(rules):
        tops["sequence"] = rules.top_of_sequences
    if rules.pair_sequences or rules.triple_sequences or rules.fours_consecutive:
        tops["pair-sequence"] = rules.top_of_pair_sequences
    if len(tops) == 2 and len(set(tops.values())) == 1:
        yield speaker.say("rules COMBO top", rank=label(rules.top_of_sequences))
    else:
        for kind, top in tops.items():
            yield speaker.say(f"rules COMBO top {kind}", rank=label(top))
    if tops and max(tops.values()) < Rank.TWO:
        yield speaker.say("rules COMBO no twos" if len(tops) == 2 else "rules COMBO no two")
    elif tops:
        yield speaker.say("rules COMBO two on top")


_COMPARED = (("7s 7h", "7c 7d"), ("8s 9d Th", "8d 9h Ts"))


def comparing(ruleset: Ruleset, speaker: Speaker) -> Told:
    """When a combination beats another of its kind, with examples that the engine has compared."""
    same_length = ruleset.combinations.equal_length
    yield speaker.say("rules COMPARE" if same_length else "rules COMPARE any length")
    for higher, lower in _COMPARED:
        if beats(ruleset, higher, lower):
            shown = {"higher": speaker.cards(higher.split()), "lower": speaker.cards(lower.split())}
            yield speaker.say("rules COMPARE example", **shown)
    if ruleset.combinations.follow_suits:
        yield speaker.say("rules COMPARE suits")


def suit_lock(ruleset: Ruleset, speaker: Speaker) -> Told:
    """When a pile is locked to one suit, where the ruleset has it."""
    lock = ruleset.combinations.suit_lock
    if lock is not SuitLock.NONE:
        yield speaker.say(f"rules SUIT-LOCK {lock}")
        yield speaker.say("rules SUIT-LOCK answers")
