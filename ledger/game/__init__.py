"""The rules of the game: values and functions, standard library only; no clock, no chance, no I/O.

In reading order, each module knowing only those before it; the examples go on from one step to the next.

1. `cards`: a set of cards is a whole number, one bit a card, the lowest card lowest.

   >>> from ledger.game.cards import Card, Deck
   >>> deck = Deck()
   >>> pair, _ = deck.gather(map(Card.read, ["4c", "4s"]))
   >>> deck.write(pair)
   ('4s', '4c')

2. `patterns`: what cards form, and where some cards hold it; `combinations`: what may be played, and beats what.
3. `rulesets`: what a table agreed on, as a value; `special_sets` and `choosing`: what cards are worth.

   >>> from ledger.game.rulesets import PRESETS
   >>> southern = PRESETS["southern-classic"]
   >>> southern.index.read(pair).shape.size
   2
   >>> southern.values.total(deck.bit(Card.read("2h")))
   2

4. `moves`, `state`: what players did, and what a round has come to.
5. `rounds`: a round is a fold of moves.

   >>> from ledger.game.moves import Pass, Play
   >>> from ledger.game.rounds import apply, begin
   >>> from ledger.game.state import Header
   >>> round = begin(southern, Header(seats=(0, 1, 2, 3), leader=0))
   >>> round = apply(round, Play(0, pair))
   >>> round
   <Round of southern-classic | p1 11, p2 13, p3 13, p4 13 | 4s 4c | p2 to act>

6. `verdicts`: legal, irregular or impossible, and by which clause. Beside it `possible`: which cards may be played.

   >>> from ledger.game.verdicts import judge
   >>> judge(round, Pass(1)) is None
   True
   >>> refusal = judge(round, Pass(2))
   >>> refusal.code.value, refusal.verdict.value, refusal.clause
   ('not-your-turn', 'irregular', 'S-PASS')

7. `hands`: what is known of the cards that players are left with. `payments`: what is owed, with its steps, and
   how it is posted to balances; `scoring` (and `chops`): a round -> payments. Here p3 came in first, and p1 bombed
   p2's 2♦.

   >>> from ledger.game.moves import Bombed, Declare, Result
   >>> from ledger.game.payments import post
   >>> from ledger.game.scoring import payments
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

8. `nights`: a night is a fold of rounds; `settling`: the fewest transfers that clear its balances.

   >>> from ledger.game.nights import Night, totals
   >>> from ledger.game.settling import fewest_transfers
   >>> night = Night(southern, ("An", "Bình", "Chi", "Dũng"), entries=(ended,))
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

10. `explaining`: why payments were made and others were not. `report`, `statistics`, `stories`, `comparing`: what
    else is told of nights.

    >>> from ledger.game.explaining import explain
    >>> [str(one.reason) for one in explain(ended).why_not]
    []
"""
