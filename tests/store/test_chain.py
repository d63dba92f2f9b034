"""Hashes compared with a calculation by hand; codes of heads; commitments to names."""

from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.store import StoredEvent, commitment, event_hash, head_code, night_hash, read_code
from ledger.store.chain import break_after

NIGHT = '{"night":"Tết"}'
HEAD = sha256(b"tienlen/night/v1\x00" + NIGHT.encode()).digest()


def test_a_night_is_hashed_under_its_own_name() -> None:
    assert night_hash(NIGHT) == night_hash(NIGHT.encode()) == HEAD


def test_an_event_is_hashed_over_the_raw_hash_before_it_and_its_exact_text() -> None:
    body = '{"seq":1,"lý do":"♠"}'
    assert event_hash(HEAD, body) == sha256(b"tienlen/event/v1\x00" + HEAD + body.encode()).digest()
    assert event_hash(HEAD, body) != event_hash(HEAD, body + " ")


def test_a_name_is_committed_to_with_its_salt() -> None:
    salt = bytes(range(16))
    wanted = sha256(b"tienlen/name/v1\x00" + salt + "Dũng".encode()).hexdigest()
    assert commitment(salt, "Dũng") == wanted
    assert commitment(bytes(16), "Dũng") != wanted


@pytest.mark.parametrize(
    ("head", "code"),
    [
        (bytes(32), "#412 · 0000-0000-0000-0000"),
        (b"\xff" * 10 + bytes(22), "#412 · ZZZZ-ZZZZ-ZZZZ-ZZZZ"),
        (bytes.fromhex("00443214c74254b635cf") + bytes(22), "#412 · 0123-4567-89AB-CDEF"),
        (bytes.fromhex("84653a56d7c675be77df") + bytes(22), "#412 · GHJK-MNPQ-RSTV-WXYZ"),
    ],
)
def test_the_code_of_a_head_is_its_first_eighty_bits_in_crockford_s_letters(head: bytes, code: str) -> None:
    assert head_code(412, head) == code


def _event(seq: int, prev: bytes, text: str, hash: bytes) -> StoredEvent:
    counted: dict[str, Any] = {"round": 1, "payment_count": 0, "payment_total": 0}
    return StoredEvent(night="", seq=seq, id="", kind="play", body=text, prev=prev, hash=hash, **counted)


def test_an_entry_that_does_not_follow_is_told_apart() -> None:
    good = _event(5, HEAD, "{}", event_hash(HEAD, "{}"))
    assert break_after(4, HEAD, good) is None
    assert "entry after 3 is 5" in str(break_after(3, HEAD, good))
    assert "hash before it" in str(break_after(4, bytes(32), good))
    assert "not that of the text" in str(break_after(4, HEAD, _event(5, HEAD, "{ }", good.hash)))


CODE = bytes.fromhex("00443214c74254b635cf") + bytes(22)
"""The head whose code is 0123-4567-89AB-CDEF."""


@pytest.mark.parametrize(
    ("typed", "seq"),
    [
        ("#412 · 0123-4567-89AB-CDEF", 412),
        ("412-0123456789ABCDEF", 412),
        ("  # 412 . 0123 4567 89ab cdef ", 412),
        ("412 0123456789abcdef", 412),
        ("0123-4567-89AB-CDEF", None),
        ("o1234567-89AbcdeF", None),
        ("Oi23-4567-89AB-CDEF", None),
        ("0L23-4567-89AB-CDEF", None),
        ("#0 · Ol23456789abcdef", 0),
    ],
)
def test_a_code_is_read_as_people_type_it(typed: str, seq: int | None) -> None:
    code = read_code(typed)
    assert code.seq == seq
    assert code.is_of(CODE)
    assert not code.is_of(bytes(32))


@pytest.mark.parametrize(
    "typed",
    [
        *("", "412", "#412 ·", "0123-4567-89AB-CDE", "0123-4567-89AB-CDEFG", "0123-4567-89AB-CDEU", "đ" * 16),
        *("4120123456789ABCDEF", "#x · 0123456789ABCDEF", "٣-0123456789ABCDEF"),
        "9" * 16 + "-0123456789ABCDEF",
    ],
)
def test_what_is_no_code_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="a code"):
        read_code(typed)


@given(st.integers(0, 10**15 - 1), st.binary(min_size=32, max_size=32))
def test_a_code_that_was_shown_is_read_back(seq: int, head: bytes) -> None:
    code = read_code(head_code(seq, head))
    assert (code.seq, str(code)) == (seq, head_code(seq, head))
    assert code.is_of(head)
