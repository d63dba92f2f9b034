"""What keeps strangers out, whatever is asked for.

`headers` are those of every answer; `hosts` says by which names a server may be called; `origins` refuses what
another site has a browser send; `limits` counts how often an address may write, open nights and guess; `cookies`
are out of reach of scripts and of other sites. What a link lets somebody do is the affair of `ledger.web.access`.
"""
