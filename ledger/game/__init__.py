"""The rules of the game: values and functions, standard library only; no clock, no chance, no I/O.

In reading order; each example continues the one before.

1. `texts` that come in. `cards`: a set of cards is an integer with one bit per card, the lowest card in the
   lowest bit.

   >>> from ledger.game.cards import Card, Deck
   >>> deck = Deck()
   >>> pair, _ = deck.gather(map(Card.read, ["4c", "4s"]))
   >>> deck.write(pair)
   ('4s', '4c')

2. `patterns`: the shapes that cards can form. `blocks`: the search for them in a set of cards.

   >>> from ledger.game.blocks import is_block
   >>> from ledger.game.patterns import PAIR
   >>> is_block(deck, PAIR, pair)
   True

3. `rulesets.model`: what a table agreed on, as a value; `rulesets.overlays`: its changes to a preset.
   `combinations` and `special_sets`: what beats what, and what cards are worth; `rulesets.compiled`: both for
   one ruleset.

   >>> from ledger.game.rulesets import PRESETS
   >>> from ledger.game.rulesets.compiled import compiled
   >>> southern = PRESETS["southern-classic"]
   >>> rules = compiled(southern)
   >>> rules.index.read(pair).shape == PAIR
   True
   >>> rules.hand_values.total(deck.bit(Card.read("2h")))
   2

4. `moves`, `round`: what players did, and the state of a round after it.
5. `fold`: a round is a fold of moves.

   >>> from ledger.game.moves import Pass, Play
   >>> from ledger.game.fold import apply, begin
   >>> from ledger.game.round import Header
   >>> round = begin(southern, Header(seats=(0, 1, 2, 3), leader=0))
   >>> round = apply(round, Play(0, pair))
   >>> round
   <Round of southern-classic | p1 11, p2 13, p3 13, p4 13 | 4s 4c | p2 to act>

6. `judge`: legal, irregular or impossible, and by which clause. `legal_cards`: which cards may be played.

   >>> from ledger.game.judge import judge
   >>> judge(round, Pass(1)) is None
   True
   >>> refusal = judge(round, Pass(2))
   >>> refusal.code.value, refusal.verdict.value, refusal.clause
   ('not-your-turn', 'irregular', 'S-PASS')

7. `hands`: what is known of the cards that players are left with. `payments`: payments with the steps of their
   sums, and posting them to balances; `scoring`: a round -> payments. Here p3 came in first, and p1 bombed
   p2's 2♦.

   >>> from ledger.game.moves import Bombed, Declare, Result
   >>> from ledger.game.payments import post
   >>> from ledger.game.scoring import hands, hoard_payee, payments, place_rows, status
   >>> bomb = Bombed(player=0, beaten=1, captured=deck.bit(Card.read("2d")))
   >>> came_in = Result(places=(2, 0, 1, 3), bombs=(bomb,))
   >>> ended = begin(southern, Header((0, 1, 2, 3)), [came_in, Declare(3, ())])
   >>> for one in payments(ended):
   ...     print(one.payer, one.payee, one.points, one.reason, one.clause, [str(step.kind) for step in one.steps])
   1 0 2 bomb-bonus S-CHOP ['special-set']
   1 0 1 placement S-PLACE ['place']
   3 2 2 placement S-PLACE ['place']
   >>> post(payments(ended))
   {1: -3, 0: 3, 3: -2, 2: 2}
   >>> status(ended).value, hands(ended)
   ('settled', {3: Hand(source=<Source.DECLARED: 'declared'>, cards=<no cards>)})
   >>> [row.points for row in place_rows(ended)], hoard_payee(ended, payer=3)
   ([2, 1], 1)

8. `terms`: what is agreed; `night`: a fold of rounds; `settlement`: the fewest transfers that clear its balances.

   >>> from ledger.game.night import Night, totals
   >>> from ledger.game.terms import Terms
   >>> from ledger.game.settlement import fewest_transfers
   >>> night = Night(Terms(southern), ("An", "Bình", "Chi", "Dũng"), entries=(ended,))
   >>> balances = dict(zip(night.names, totals(night)))
   >>> fewest_transfers(balances)[0]
   Transfer(payer='Bình', payee='An', points=3)

9. `notation`: a night as text, and back.

   >>> from ledger.game import notation
   >>> text = notation.write(night)
   >>> text.splitlines()[-3:]
   ['result p3 p1 p2 p4', 'bombed p1 p2 2d', 'p4 declares none']
   >>> totals(notation.replay(notation.read(text)))
   [3, -3, 2, -2]

10. `explaining`: why payments were made and others were not. `report`, `statistics`, `stories`, `comparison`:
    other summaries of nights.

    >>> from ledger.game.explaining import explain
    >>> [str(one.reason) for one in explain(ended).why_not]
    []

11. `deals`: a round whose hands are known, and its legal moves. To check other engines, `perft` counts sequences
    of moves and `corpus` generates random nights.

    >>> from ledger.game.deals import read_deal
    >>> from ledger.game.perft import perft
    >>> perft(read_deal("p1 3s 3c\\np2 4s 4c", southern), 2)
    3
"""
