"""SECURITY.md agrees with the code: its bounds are those of the code, and the files that it names exist."""

import re
from pathlib import Path

import pytest

from ledger.game.fold import MOST_ENTRIES
from ledger.game.night import MOST_ROUNDS
from ledger.game.rulesets.compiled import MOST_COUNTED
from ledger.recorder.names import NAME_CHARACTERS, REASON_CHARACTERS
from ledger.recorder.round_log import ENTRIES_PER_CHANGE
from ledger.store import MOST_AT_ONCE
from ledger.web import heavy_work
from ledger.web.live import LIFE_SECONDS
from ledger.web.pages.opening.paste import ENTRIES_A_NIGHT
from ledger.web.recorder import Settings
from ledger.web.request_body import JSON_BYTES, TEXT_BYTES, UPLOAD_BYTES
from ledger.web.server import serve

ROOT = Path(__file__).parent.parent
DOCUMENT = " ".join((ROOT / "SECURITY.md").read_text(encoding="utf-8").split())
WORDS = {10: "ten"}
KB, MB = 1024, 1024 * 1024


SETTINGS = Settings(database_url="", key=b"")
LIMITS = serve.LIMITS
STATED = {
    "texts, rounds and nights": f"{TEXT_BYTES // MB} MB, {MOST_ENTRIES:,} (undone and corrected ones too; a"
    f" correction, an undo or a redo counts as {WORDS[ENTRIES_PER_CHANGE]} more), {MOST_ROUNDS}, all that was"
    " dealt",
    "bombs of a result": f"among {MOST_COUNTED} cards and no more",
    "names and reasons": f"{NAME_CHARACTERS} and {REASON_CHARACTERS} characters",
    "rates by the minute": f"{SETTINGS.writes.amount:,} writes and {SETTINGS.wrong_tokens.amount:,} wrong tokens"
    " a minute",
    "rates by the hour": f"{SETTINGS.new_nights.amount:,} nights an hour",
    "connections": f"keeps {serve.CONNECTIONS:,} connections",
    "silence": f"nothing has moved for {LIMITS['channel_timeout']} seconds",
    "heads and bodies": f"A head may have {LIMITS['max_request_header_size'] // KB} KB, a body"
    f" {LIMITS['max_request_body_size'] // MB} MB, of which each route takes at most {JSON_BYTES // KB} KB,"
    f" {UPLOAD_BYTES // KB} KB of a pasted night, and {TEXT_BYTES // MB} MB of a text",
    "pasted nights": f"in one transaction, of at most {MOST_AT_ONCE:,} entries",
    "pasted nights by the hour": f"as one more for every {ENTRIES_A_NIGHT} of its entries",
    "memory": f"{LIMITS['outbuf_overflow'] // KB} KB lie in memory",
    "threads": f"Of {serve.THREADS} threads, streams take at most {serve.THREADS - serve.FOR_ANSWERS}:",
    "costly work": f"for at most {heavy_work.MOST} who ask at once",
    "streams": f"for {WORDS[int(LIFE_SECONDS // 60)]} minutes at most",
}


@pytest.mark.parametrize("what", STATED)
def test_a_bound_is_stated_as_the_code_has_it(what: str) -> None:
    assert STATED[what] in DOCUMENT


def test_what_lies_around_of_bodies_and_of_answers_has_one_bound() -> None:
    assert LIMITS["inbuf_overflow"] == LIMITS["outbuf_overflow"]


def test_every_file_that_is_named_is_there() -> None:
    named = set(re.findall(r"`([\w./]+\.(?:py|md))`", DOCUMENT)) | set(
        re.findall(r"tests/[\w/]+\.py", DOCUMENT)
    )
    assert len(named) > 40
    paths = [
        path.relative_to(ROOT).as_posix()
        for top in ("ledger", "tests")
        for path in (ROOT / top).rglob("*.py")
    ]
    for name in named:
        assert (ROOT / name).exists() or any(path.endswith(f"/{name}") for path in paths), name
