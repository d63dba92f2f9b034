"""Why a line of a typed night is not understood, and lines that would be, in the reader's language."""

from typing import assert_never

from ledger.language.typed import Missing, NotUnderstood
from ledger.web.preferences import speaker

_USUAL_NAMES = ("An", "Bình", "Chi", "Dũng")


def why(error: NotUnderstood) -> str:
    """What was understood of the line, and what it lacks."""
    gettext, facts = speaker().gettext, {"name": error.understood, "names": ", ".join(error.names)}
    match error.missing:
        case Missing.NAMES:
            return gettext("The first line has the names of all who play, in playing order.")
        case Missing.LINE:
            return gettext("It begins with none of the players: %(names)s.") % facts
        case Missing.MOVE:
            return gettext("%(name)s is understood; the rest is neither cards nor a pass.") % facts
        case Missing.SUITS:
            assert error.fits is not None
            play = speaker().play_of_ranks(error.fits.pattern, error.fits.ranks)
            return gettext("Understood: %(name)s, %(play)s. Several cards fit: name the suits.") % {
                **facts,
                "play": play,
            }
        case Missing.ROUND:
            return gettext("Round %(number)s comes next.") % {"number": error.understood}
        case Missing.PLACES:
            return gettext("A result lists players of this night, each once: %(names)s.") % facts
        case Missing.CARDS:
            return gettext("%(name)s is understood; the cards are missing.") % facts
        case _:
            assert_never(error.missing)


def examples(error: NotUnderstood) -> tuple[str, ...]:
    """Lines that would be understood in its place."""
    gettext, names = speaker().gettext, error.names
    match error.missing:
        case Missing.NAMES:
            return (", ".join(_USUAL_NAMES),)
        case Missing.LINE:
            result = gettext("Result: %(names)s") % {"names": ", ".join(names)}
            return f"{names[0]} 3s 3c", gettext("%(name)s passes") % {"name": names[0]}, result
        case Missing.MOVE | Missing.SUITS:
            named = {"name": error.understood}
            dictated = gettext("%(name)s sevens of diamonds and hearts") % named
            return (
                f"{error.understood} {error.cards or '7d 7h'}",
                dictated,
                gettext("%(name)s passes") % named,
            )
        case Missing.ROUND:
            return (gettext("Round %(number)s") % {"number": error.understood},)
        case Missing.PLACES:
            return (gettext("Result: %(names)s") % {"names": ", ".join(names)},)
        case Missing.CARDS:
            other = next((name for name in names if name != error.understood), names[0])
            bombs = gettext("%(name)s bombs %(other)s 2h") % {"name": error.understood, "other": other}
            return bombs, gettext("%(name)s left with 2h") % {"name": error.understood}
        case _:
            assert_never(error.missing)
