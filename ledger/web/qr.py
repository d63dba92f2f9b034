"""QR codes: a link that a neighbour's camera opens."""

from functools import lru_cache
from io import BytesIO
from typing import Any

import segno
from markupsafe import Markup

_LOOK: dict[str, Any] = {"border": 2, "svgclass": None, "lineclass": None, "omitsize": True}


@lru_cache(maxsize=64)
def picture(url: str) -> Markup:
    """A link as a picture, for a page to hold that is shown again and again."""
    return Markup(_code(url).svg_inline(**_LOOK))


def picture_file(url: str) -> bytes:
    """A link as a picture of its own, in SVG."""
    file = BytesIO()
    _code(url).save(file, kind="svg", **_LOOK)
    return file.getvalue()


def _code(url: str) -> segno.QRCode:
    return segno.make(url, error="l", micro=False)
