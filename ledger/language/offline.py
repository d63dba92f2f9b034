"""The page that verifies an export in a browser alone: one file, made from the sources of the other pages."""

import re
from functools import lru_cache
from typing import Final

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from ledger.game.payments import Reason
from ledger.language.catalogs import LANGUAGES
from ledger.language.speaker import speaker
from ledger.resources import folder, part, policy_hash

_MODULES: Final = ("chain.js", "export.js", "verify.js")
"""In the order in which they import each other."""
_IMPORT: Final = re.compile(r'^import \{[^}]*\} from "\./[a-z]+\.js";\n', re.M)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?function|const)", re.M)
_OWN_NAMES: Final = {"vi": "Tiếng Việt", "en": "English"}


@lru_cache(maxsize=1)
def offline_page() -> str:
    """The page, in every language: it runs from a disk, and its policy allows no requests."""
    style = part("shared/page.css")
    # Modules cannot be imported from a disk: the shared ones are written one after another.
    script = "\n".join(_EXPORT.sub("", _IMPORT.sub("", part(f"proof/{name}"))) for name in _MODULES)
    environment = Environment(loader=FileSystemLoader(folder("templates")), autoescape=True)
    return environment.get_template("proof/verify.html").render(
        style=Markup(style),
        style_hash=policy_hash(style),
        script=Markup(script),
        script_hash=policy_hash(script),
        speakers={language: speaker(language) for language in LANGUAGES},
        names=_OWN_NAMES,
        reasons={
            language: {f"reason {reason}": speaker(language).reason(reason) for reason in Reason}
            for language in LANGUAGES
        },
    )
