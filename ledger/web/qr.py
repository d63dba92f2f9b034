"""QR codes: a link that a neighbour's camera opens."""

from functools import lru_cache

import segno
from markupsafe import Markup


@lru_cache(maxsize=64)
def picture(url: str) -> Markup:
    """A link as a picture, for a page to hold; everybody who looks on is shown the same one."""
    code = segno.make(url, error="l", micro=False)
    return Markup(code.svg_inline(border=2, svgclass=None, lineclass=None, omitsize=True))
