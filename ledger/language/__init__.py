"""The texts of the program, in Vietnamese and English: the only place that knows a language.

`speaker("vi")` returns the speaker of a language; `rules_page` makes the page of a ruleset's rules, `rules_text`
the same as plain text, and `overviews` a table of all rulesets; `report_text` prints a scored replay; `preload`
loads in advance what is otherwise loaded on first use; `currency_typed` reads a currency as people write it (`đ`);
`CURRENCIES` are all currency codes. The texts are in `vi/` and `en/`: `words.po` for the words of the rules, looked
up by stable keys, `pages.po` for the texts of the templates, looked up by their English.
"""

from ledger.language.catalogs import LANGUAGES
from ledger.language.plain_text import report_text, rules_text
from ledger.language.rules import PrintedClause, Section, Table, rules_page
from ledger.language.rules.overview import Overview, overviews
from ledger.language.speaker import Speaker, preload, speaker
from ledger.language.voice import CURRENCIES, currency_typed
