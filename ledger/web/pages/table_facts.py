"""What the scripts of a page know of a table: one object, which the template writes beside the form."""

from ledger.language import Speaker
from ledger.recorder.views.round import RoundView
from ledger.web.pages.blueprint import Data
from ledger.web.preferences import phone, speaker


def table_facts(table: Data) -> Data:
    """What is known of the round that `table` records: whose turn it is, what each seat holds and can play, and the
    texts that a page without a network says by itself."""
    round: RoundView = table["round"]
    words, setting = speaker(), phone()
    return {
        "turn": round.turn or "",
        "last": round.pile[-1].player if round.pile else "",
        "leading": round.to != "answer",
        "waiting": round.waiting,
        "counts": table["counts_turns"],
        "draws": bool(table["draws"]),
        "sleeps": setting.sleeps,
        "events": sorted({move.event for move in round.moves}),
        "alone": round.alone if setting.singles else [],
        "together": table["together"],
        "begun": table["next"]["number"] - 1,
        "names": table["names"],
        "hands": table["hands"],
        "seats": {
            seat.player: {
                "playable": seat.playable.split(),
                "left": seat.left,
                "passes": round.passes.get(seat.player, []),
                "gone": seat.gone,
                "passed": seat.away and not seat.gone,
            }
            for seat in table["seats"]
        },
        "naming": table["naming"],
        "letters": words.suit_keys(),
        "texts": _texts(words) | {"nothing": table["nothing"], "nobody": table["nobody"]},
    }


def _texts(words: Speaker) -> dict[str, str]:
    """By what they are for; braces stand for what only the page knows."""
    gettext = words.gettext
    return {
        "next": gettext("%(name)s to answer") % {"name": "{name}"},
        "leads": gettext("%(name)s leads") % {"name": "{name}"},
        "opens": gettext("Whoever holds the lowest card opens"),
        "whose": f"{gettext('Whose cards')}?",
        "passing": gettext("%(names)s: passing") % {"names": "{names}"},
        "round": gettext("Round %(number)s") % {"number": "{number}"},
        "begin": gettext("Begin round %(number)s") % {"number": "{number}"},
        "none": gettext("No special set"),
        "show": words.move_kind("show"),
        "declare": words.move_kind("declare"),
        "pass": words.move_kind("pass"),
        "undo": f"↶ {gettext('Undo')}",
        "redo": f"↷ {gettext('Redo')}",
    }
