"""What the program says, in Vietnamese and in English: the only place that knows a language.

`speaker("vi")` answers whoever speaks it; `rules_page` tells the rules of a ruleset, `rules_text` the same as plain
text, and `overviews` every ruleset side by side; `report_text` tells a scored replay; `preload` loads what is
otherwise loaded when it is first needed; `currency_typed` is the currency that people write as `đ`; `CURRENCIES`
are all there are. The texts are in `vi/` and `en/`: `words.po` for the words of the rules, looked up by stable
keys, `pages.po` for the texts of the templates, looked up by their English.
"""

from ledger.language.catalogs import LANGUAGES
from ledger.language.plain_text import report_text, rules_text
from ledger.language.rules import PrintedClause, Section, Table, rules_page
from ledger.language.rules.overview import Overview, overviews
from ledger.language.speaker import Speaker, preload, speaker
from ledger.language.voice import CURRENCIES, currency_typed
