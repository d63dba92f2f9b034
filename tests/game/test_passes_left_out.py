"""Passes that are left out are filled in where the rules leave one reading only."""

from collections.abc import Iterator
from random import Random

import pytest

from ledger.game.corpus import at_random, greedy, patient
from ledger.game.deals import Dealt
from ledger.game.fold import apply, begin, implied_passes, replay
from ledger.game.judge import judge
from ledger.game.moves import NOBODY, Move, Pass, Play
from ledger.game.round import Header, Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from tests.game.generator import layable, play_round
from tests.soaking import further


def whole_rounds(ruleset: Ruleset, seed: int) -> Iterator[list[Dealt]]:
    """Every position of a round of each temperament."""
    for choose in (greedy, at_random, patient):
        chance = Random(f"{ruleset.id} {choose.__name__} {seed}")
        header = Header(tuple(range(chance.choice(ruleset.deal.players))))
        yield list(play_round(chance, ruleset, header, choose, bombs=chance.random() < 0.5))


def without_passes(round: Round) -> list[Move]:
    return [move for move in round.moves if not isinstance(move, Pass)]


def readings(round: Round, play: Play) -> Iterator[tuple[Pass, ...]]:
    """All numbers of passes after which a play is legal, tried one by one."""
    passes: tuple[Pass, ...] = ()
    while True:
        if judge(round, play) is None:
            yield passes
        if round.turn == NOBODY or judge(round, skipped := Pass(round.turn)):
            return
        round, passes = apply(round, skipped), (*passes, skipped)


@pytest.mark.parametrize("seed", further(range(20)))
@pytest.mark.parametrize("preset", PRESETS)
def test_no_other_passes_make_a_play_legal_than_those_filled_in(preset: str, seed: int) -> None:
    """Whatever a player holds is played at once, before those who are to act have passed."""
    chance = Random(f"{preset} {seed}")
    for dealt in (dealt for played in whole_rounds(PRESETS[preset], seed) for dealt in played[::7]):
        for player in dealt.round.header.seats:
            plays = list(layable(dealt.left(player), dealt.round.ruleset))
            for cards in chance.sample(plays, min(3, len(plays))):
                play = Play(player, cards)
                found, filled = list(readings(dealt.round, play)), implied_passes(dealt.round, play)
                if () in found:
                    assert not filled  # a play that is legal as it stands implies nothing
                elif found:
                    others = found[1:]  # a bomb may also be allowed after its player has passed
                    assert found[0] == filled
                    assert not others or Pass(player) not in filled
                    assert all(Pass(player) in other for other in others)
                else:
                    assert judge(replay(dealt.round, filled), play) is not None


@pytest.mark.parametrize("seed", further(range(20)))
def test_a_round_is_read_back_without_its_passes(seed: int) -> None:
    """A play that would also be legal before some of the passes is not told from one made then."""
    read_back = 0
    rounds = [played[-1].round for ruleset in PRESETS.values() for played in whole_rounds(ruleset, seed)]
    for round in filter(only_after_its_passes, rounds):
        read_back += 1
        assert begin(round.ruleset, round.header, without_passes(round), infer=True).moves == round.moves
    assert read_back > len(rounds) / 2


def only_after_its_passes(round: Round) -> bool:
    """Whether each play of a round would not have been legal before the passes that came before it."""
    position = start = begin(round.ruleset, round.header)
    for move in round.moves:
        if isinstance(move, Play) and start is not position and judge(start, move) is None:
            return False
        position = apply(position, move)
        start = start if isinstance(move, Pass) else position
    return position is start
