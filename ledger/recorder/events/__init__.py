"""The kinds of events that a night records, one file per family: fields, and what they draft by the rules.

`event` is their base class, `index` lists the families. To add a kind, write one class, list its
module in `index` if that is new, and give the tests an example of it. A kind that is a move is also a line of
`game/notation` and of `recorder/parts`.
"""
