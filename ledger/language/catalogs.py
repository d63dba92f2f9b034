"""The catalogs: gettext's .po files, compiled in memory once per process and language."""

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from io import BytesIO

from babel.messages.catalog import Catalog as Messages
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

LANGUAGES = ("vi", "en")
"""The supported languages; the first is the default."""


@dataclass(frozen=True, slots=True, eq=False)
class Catalog:
    """All texts of one language: those of the pages by their English, the words of the rules by their keys."""

    translations: Translations
    words: frozenset[str]
    """The keys of the words."""
    counted: frozenset[str]
    """The keys whose text depends on a `count`."""

    def word(self, key: str, facts: dict[str, object]) -> str:
        """The text under a key with the facts filled in; KeyError if there is no such key."""
        if key not in self.words:
            raise KeyError(key)
        if key in self.counted:
            count = facts["count"]
            assert isinstance(count, int)
            text = self.translations.ngettext(key, key, count)
        else:
            text = self.translations.gettext(key)
        return text % facts


@lru_cache(maxsize=len(LANGUAGES))
def catalog(language: str) -> Catalog:
    """The catalog of a language; ValueError if it is not supported."""
    if language not in LANGUAGES:
        raise ValueError(f"no such language: {language!r}")
    words, pages = messages(language, "words"), messages(language, "pages")
    translations = _compiled(words)
    translations.merge(_compiled(pages))
    entries = [message.id for message in words if message.id]
    return Catalog(
        translations,
        words=frozenset(entry if isinstance(entry, str) else entry[0] for entry in entries),
        counted=frozenset(entry[0] for entry in entries if not isinstance(entry, str)),
    )


def messages(language: str, domain: str) -> Messages:
    """Read one .po file."""
    with resources.files(__package__).joinpath(language, f"{domain}.po").open("rb") as file:
        return read_po(file, locale=language, domain=domain)


def _compiled(messages: Messages) -> Translations:
    compiled = BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return Translations(compiled)
