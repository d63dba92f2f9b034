"""What pages and programs are shown of a night: typed values, players as tags, cards as texts.

Everything is judged here or below, so that no page judges anything itself.
"""
