"""QR codes: a link that a neighbour's camera opens."""

import segno
from markupsafe import Markup


def picture(url: str) -> Markup:
    """A link as a picture, for a page to hold."""
    code = segno.make(url, error="l", micro=False)
    return Markup(code.svg_inline(border=2, svgclass=None, lineclass=None, omitsize=True))
