"""The kinds of events that a night records, a family of them in each file: what is asked, by which schema, and what
the rules make of it.

`event` says what every kind has; `index` names them all. Who adds a kind writes one class with its schema, lists it
in `index`, and gives the laws of the tests an example.
"""
