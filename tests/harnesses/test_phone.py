"""The phone's part of the battery; and JavaScript and Python compute the same hashes and codes."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page

from ledger.store import commitment, event_hash, head_code, night_hash, read_code
from tests.soak.tampers.battery import modules, phone_finds
from tests.soak.tampers.forging import Nights
from tests.soak.tampers.tampers import PHONE, TAMPERS, Trial, case
from tests.soaking import PLANTED, further

pytestmark = pytest.mark.browser

CHAIN = Path(__file__).with_name("chain.js").read_text(encoding="utf-8").strip()

THEIRS = [tamper for tamper, (_, checks) in TAMPERS.items() if PHONE in checks]


@pytest.fixture(scope="module", params=[False, True], ids=["plain-http", "secure"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    with modules(browser, secure=request.param) as page:
        assert page.evaluate("Boolean(globalThis.crypto?.subtle)") == request.param
        yield page


def is_found(page: Page, nights: Nights, folder: Path, tamper: str) -> bool:
    return phone_finds(page, [case(nights, folder / "ledger.db", tamper, 0)])[0]


@pytest.mark.parametrize("tamper", THEIRS)
def test_a_phone_that_knows_one_head_finds_every_other_history(
    page: Page, nights: Nights, tmp_path: Path, tamper: str
) -> None:
    assert is_found(page, nights, tmp_path, tamper)


def test_a_phone_goes_along_with_an_honest_night(page: Page, nights: Nights, tmp_path: Path) -> None:
    assert phone_finds(page, [Trial(*nights, tmp_path / "ledger.db", Random(0))]) == [False]


HOLES = {
    'if (hash !== entry.hash) return broken("hash");': ("hash = entry.hash;", "edited, all hashed again"),
    "body?.seq !== seq || (entry.seq ?? seq) !== seq": ("false", "a number skipped"),
}
"""A piece of chain.js -> its replacement, and the tamper that is missed then."""


@pytest.mark.parametrize("sound", further(HOLES, PLANTED))
def test_the_battery_finds_a_phone_with_a_hole_in_it(
    browser: Browser, nights: Nights, tmp_path: Path, sound: str
) -> None:
    broken, missed = HOLES[sound]
    assert missed in THEIRS
    with modules(browser, hole=(sound, broken)) as page:
        assert not is_found(page, nights, tmp_path, missed)


_NEAR_BLOCKS = [0, 1, 31, 32, *range(54, 58), *range(63, 66), *range(118, 122), *range(127, 130)]
LENGTHS = [*_NEAR_BLOCKS, 1000, 65536, 1_000_003]


def test_our_own_sha_256_is_the_one_that_everybody_has(page: Page) -> None:
    hashes = page.evaluate(f"{CHAIN}.sha256", LENGTHS)
    texts = (bytes((at * 31 + length) % 256 for at in range(length)) for length in LENGTHS)
    assert hashes == [sha256(text).hexdigest() for text in texts]


@given(
    texts=st.lists(st.text(), min_size=1, max_size=20),
    salt=st.binary(max_size=40),
    seq=st.integers(0, 10**15 - 1),
)
def test_javascript_and_python_agree_on_hashes_and_codes(
    page: Page, texts: list[str], salt: bytes, seq: int
) -> None:
    answers = page.evaluate(f"{CHAIN}.history", [texts, salt.hex(), seq])
    head = night_hash(texts[0])
    for text, (hash, code, read, own, committed, plain) in zip(texts, answers, strict=True):
        head = event_hash(head, text)
        assert (hash, code, own) == (head.hex(), head_code(seq, head), True)
        assert read == {"seq": seq, "characters": read_code(code).characters}
        assert (committed, plain) == (commitment(salt, text), sha256(text.encode()).hexdigest())


def test_half_a_character_has_no_hash(page: Page) -> None:
    # A lone surrogate cannot be sent to the page as it is.
    assert page.evaluate(f'() => {CHAIN}.refusal("\\ud800")') == "not text"


@given(
    st.text(alphabet="0123456789OILUoilu-· #.:AzZ\u00a0\t", max_size=28)
    | st.from_regex(r"#?[0-9]{0,3}[ ·-]?[0-9A-Za-z]{4}(-?[0-9A-Za-z]{4}){3}", fullmatch=True)
)
def test_javascript_and_python_read_the_same_codes(page: Page, typed: str) -> None:
    answer = page.evaluate(f"{CHAIN}.code", typed)
    try:
        code = read_code(typed)
    except ValueError:
        assert answer is None
    else:
        assert answer == {"seq": code.seq, "characters": code.characters}
