"""The kinds of events that a night records, one file per family: request, schema, and what it drafts by the rules.

`event` is their base class, `index` lists them all. To add a kind, write one class with its schema, list it in
`index`, and give the tests an example of it.
"""
