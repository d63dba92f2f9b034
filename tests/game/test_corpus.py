"""Random nights of every ruleset: they are settled, and equal on every machine."""

from collections import Counter
from hashlib import sha256
from random import Random

import pytest

from ledger.game import notation
from ledger.game.corpus import TEMPERAMENTS, made_up
from ledger.game.moves import Bid, Pass, Play
from ledger.game.night import Night
from ledger.game.payments import Reason
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overrides import with_rules
from ledger.game.scoring import Status, payments, status

SEED = 7
DIGEST = "84888c6d98ca1fcd7dbe07fba467e499fb2baced93bd1b0518157cd35e553472"
"""The digest of a night of two rounds of each preset. If it changes, seeds make other nights than before: the
CHANGELOG must say so."""


def text_of(night: Night) -> str:
    return notation.write(night, with_payments=True)


def is_read_again(night: Night) -> bool:
    """Whether a strict replay of its text gives the same text and the same payments."""
    script = notation.read(text_of(night))
    again = notation.replay(script, strict=True)
    return text_of(again) == text_of(night) and not list(notation.disagreements(script, again))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_night_of_any_ruleset_is_settled_and_can_be_read_again(preset: str) -> None:
    night = made_up(Random(f"{preset} {SEED}"), PRESETS[preset], 3)
    assert is_read_again(night)
    assert {status(round) for round in night.rounds} <= {Status.SETTLED, Status.INSTANT_WIN}


def test_a_night_by_a_tables_own_values_pays_these() -> None:
    rules = [("price.red-two", "60"), ("price.black-two", "60"), ("scheme", "card-count")]
    night = made_up(Random(SEED), with_rules(PRESETS["southern-classic"], rules), 12)
    assert is_read_again(night)
    assert any(payment.points >= 60 for round in night.rounds for payment in payments(round))


def test_a_round_that_comes_to_no_end_is_void() -> None:
    rules = [("passing.twos_pass_lead", "yes"), ("ending.no_last_two", "yes"), ("deal.hand", "2")]
    night = made_up(Random(0), with_rules(PRESETS["southern-classic"], rules), 40)
    assert {status(round) for round in night.rounds} >= {Status.SETTLED, Status.VOID}
    assert is_read_again(night)


def test_a_night_is_the_same_to_the_byte_everywhere() -> None:
    chance = Random(SEED)
    texts = [text_of(made_up(chance, ruleset, 2)) for ruleset in PRESETS.values()]
    assert sha256("".join(texts).encode()).hexdigest() == DIGEST


def test_nights_hold_what_the_rules_are_about() -> None:
    chance = Random(SEED)
    nights = {preset: made_up(chance, ruleset, 12) for preset, ruleset in PRESETS.items()}
    rounds = [round for night in nights.values() for round in night.rounds]
    reasons = {payment.reason for round in rounds for payment in payments(round)}
    assert reasons >= {*Reason} - {Reason.LAST_CARD}
    assert any(round.claims for round in rounds)
    assert any(round.knocked_out for round in rounds)
    assert any(round.drawn for round in nights["draw-pile"].rounds)
    assert any(isinstance(move, Bid) for round in nights["pro-play"].rounds for move in round.moves)
    assert any(isinstance(move, Play) and move.forward for move in nights["family"].rounds[0].moves)
    assert len({len(night.names) for night in nights.values()}) > 3


def test_each_temperament_plays_in_its_own_way() -> None:
    chance, moves = Random(SEED), (Play(0, 0b1), Play(0, 0b110), Pass(0))
    chosen = [Counter(choose(chance, moves) for _ in range(100)) for choose in TEMPERAMENTS]
    assert chosen[0] == {moves[1]: 100}
    assert chosen[1][moves[2]] > 50
    assert min(chosen[2][move] for move in moves) > 20
