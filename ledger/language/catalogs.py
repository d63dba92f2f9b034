"""The catalogs: gettext's .po texts, read once a process and language.

Read, not compiled as gettext would have it: that would take as long again, at every start of the program.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from gettext import c2py
from importlib import resources

from babel.messages.catalog import Catalog as Messages
from babel.messages.pofile import read_po

from ledger.language.languages import LANGUAGES

Texts = Mapping[str, tuple[str, ...]]
"""What is said for each message: one text, or as many as the language has forms for a count."""


@dataclass(frozen=True, slots=True, eq=False)
class Catalog:
    """All texts of one language: those of the pages by their English, the words of the rules by their keys."""

    words: Texts
    pages: Texts
    counted: frozenset[str]
    """Those among the words that depend on a `count`."""
    form: Callable[[int], int]
    """Which of its texts a count takes."""

    def word(self, key: str, facts: dict[str, object]) -> str:
        """The text under a key with the facts filled in; KeyError if there is no such key."""
        texts = self.words[key]
        if key not in self.counted:
            return texts[0] % facts
        count = facts["count"]
        assert isinstance(count, int)
        return texts[self.form(count)] % facts

    def gettext(self, text: str) -> str:
        """A text of the pages; what is not in the catalog stays English."""
        return self.pages[text][0] if text in self.pages else text

    def ngettext(self, one: str, many: str, count: int) -> str:
        """A text of the pages that depends on a count."""
        if one in self.pages:
            return self.pages[one][self.form(count)]
        return one if count == 1 else many


@lru_cache(maxsize=len(LANGUAGES))
def catalog(language: str) -> Catalog:
    """The catalog of a language; ValueError if it is not spoken here."""
    if language not in LANGUAGES:
        raise ValueError(f"no such language: {language!r}")
    words, pages = messages(language, "words"), messages(language, "pages")
    return Catalog(
        words=dict(_texts(words)),
        pages=dict(_texts(pages)),
        counted=frozenset(message.id[0] for message in words if message.pluralizable),
        form=c2py(words.plural_expr),
    )


def messages(language: str, domain: str) -> Messages:
    """One .po text as it is written."""
    with resources.files(__package__).joinpath(language, f"{domain}.po").open("rb") as file:
        return read_po(file, locale=language, domain=domain)


def _texts(messages: Messages) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each message that is translated, by its (singular) id; the header is none."""
    for message in messages:
        id, text = message.id, message.string
        if id and text and not message.fuzzy:
            yield id if isinstance(id, str) else id[0], (text,) if isinstance(text, str) else tuple(text)
