"""Capability links: the contents of a token, and that it cannot be forged."""

import os
import stat
from base64 import urlsafe_b64decode, urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID

import pytest

from ledger.store import (
    GroupLink,
    Link,
    Role,
    Store,
    StoreAddressUnusable,
    StoreRefused,
    derived_id,
    is_pass,
    is_secret,
    key_digest,
    make_group_token,
    make_pass,
    make_token,
    read_group_token,
    read_token,
    replace_key,
    require_key,
    secret_digest,
    server_key,
)
from tests.store.systems import OtherProgram

KEY = bytes(range(32))
NIGHT = "6f1c1bb4-36f5-4a48-8b92-0d8a7e6a3b11"
LINKS = [
    Link(NIGHT, Role.KEEPER),
    Link(NIGHT, Role.WATCH, generation=65535),
    Link(NIGHT, Role.SEAT, "p1"),
    Link(NIGHT, Role.SEAT, "p12", 3),
]


@pytest.mark.parametrize("link", LINKS, ids=lambda link: f"{link.role} {link.player} {link.generation}")
def test_a_token_says_what_it_was_made_for_and_is_the_same_every_time(link: Link) -> None:
    token = make_token(KEY, link)
    assert read_token(KEY, token) == link
    assert make_token(KEY, link) == token
    assert token.replace("-", "").replace("_", "").isalnum()


def test_tokens_are_told_apart_by_everything_they_say() -> None:
    others = [Link(NIGHT.replace("6f", "7f"), Role.KEEPER), Link(NIGHT, Role.KEEPER, generation=1)]
    assert len({make_token(KEY, link) for link in LINKS + others}) == len(LINKS + others)


def test_a_token_of_another_key_says_nothing() -> None:
    assert read_token(bytes(32), make_token(KEY, LINKS[0])) is None


def test_a_token_with_any_bit_changed_says_nothing() -> None:
    raw = urlsafe_b64decode(make_token(KEY, LINKS[2]))
    for place in range(len(raw) * 8):
        forged = bytearray(raw)
        forged[place // 8] ^= 1 << place % 8
        assert read_token(KEY, urlsafe_b64encode(forged).decode()) is None


@pytest.mark.parametrize(
    "token", ["", "x", "A" * 47, "A" * 48, "A" * 49, "ế" * 48, "=" * 48, "+/" * 24, "\0" * 48]
)
def test_what_is_no_token_says_nothing(token: str) -> None:
    assert read_token(KEY, token) is None


def test_a_token_has_one_spelling() -> None:
    token = next(
        token
        for token in (make_token(KEY, Link(NIGHT, Role.KEEPER, generation=n)) for n in range(500))
        if "-" in token or "_" in token
    )
    assert read_token(KEY, token.replace("-", "+").replace("_", "/")) is None
    assert read_token(KEY, token[:-1] + "\n") is None


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("generation", [0, 1])
def test_a_group_s_token_says_what_it_was_made_for_and_opens_no_night(keeps: bool, generation: int) -> None:
    link = GroupLink(NIGHT, keeps, generation)
    token = make_group_token(KEY, link)
    assert read_group_token(KEY, token) == link
    assert read_group_token(bytes(32), token) is None
    assert read_token(KEY, token) is None
    assert read_group_token(KEY, make_token(KEY, LINKS[0])) is None


def test_a_pass_holds_for_some_minutes_before_and_after_its_time_and_with_its_key_only() -> None:
    text, minutes = make_pass(KEY, 10_000), 5 * 60
    times = [10_000 + away for away in (-minutes - 1, -minutes, 0, minutes, minutes + 1)]
    assert [is_pass(KEY, text, now) for now in times] == [False, True, True, True, False]
    assert not is_pass(bytes(32), text, 10_000)
    at, mac = text.split(".")
    for other in (
        "",
        ".",
        at,
        f"{at}.",
        f".{mac}",
        mac,
        f"10001.{mac}",
        f"{text}0",
        f"0{text}",
        f"{at}.ế",
        "٣.0",
    ):
        assert not is_pass(KEY, other, 10_000), other


def test_a_derived_id_is_the_same_every_time_for_a_key_and_a_text() -> None:
    derived = UUID(derived_id(KEY, "a night"))
    assert derived.version == 4
    assert derived_id(KEY, "a night") == str(derived)
    assert len({str(derived), derived_id(KEY, "another"), derived_id(bytes(32), "a night")}) == 3


def test_a_digest_is_that_of_its_own_secret_only() -> None:
    digest = secret_digest(KEY)
    assert is_secret(KEY, digest)
    assert not is_secret(bytes(32), digest)
    assert not is_secret(KEY, None)


def test_the_first_start_makes_a_key_that_only_its_owner_can_read(tmp_path: Path) -> None:
    path = tmp_path / "server.key"
    key = server_key(path, {})
    assert key is not None
    assert len(key) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert server_key(path, {}) == key
    assert [each.name for each in tmp_path.iterdir()] == ["server.key"]


def test_a_key_that_was_made_is_on_the_disk_whole_and_so_is_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, flushed = tmp_path / "server.key", list[tuple[int, int, bool]]()

    def noted(descriptor: int) -> None:
        found = os.fstat(descriptor)
        flushed.append((found.st_ino, found.st_size, path.exists()))

    monkeypatch.setattr(os, "fsync", noted)
    server_key(path, {})
    assert flushed == [
        (path.stat().st_ino, path.stat().st_size, False),
        (tmp_path.stat().st_ino, tmp_path.stat().st_size, True),
    ]


def test_of_several_first_starts_one_makes_the_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        (key,) = set(threads.map(lambda _: server_key(tmp_path / "server.key", {}), range(8)))
    assert key is not None
    assert len(list(tmp_path.iterdir())) == 1


def test_the_environment_s_key_comes_first_and_nothing_is_written(tmp_path: Path) -> None:
    assert server_key(tmp_path / "server.key", {"TIENLEN_KEY": KEY.hex()}) == KEY
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["secret", "ab", "zz" * 32, "ab" * 31, "ab" * 33, "ế"])
def test_what_is_no_key_is_refused_and_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "server.key"
    path.write_text(text, encoding="utf-8")
    for environment in ({}, {"TIENLEN_KEY": text}):
        with pytest.raises(StoreAddressUnusable, match="hexadecimal"):
            server_key(path, environment)
    assert path.read_text(encoding="utf-8") == text


def test_a_key_that_cannot_be_kept_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StoreAddressUnusable, match="cannot be kept"):
        server_key(tmp_path / "nowhere" / "server.key", {})


def test_a_key_that_there_must_be_is_asked_for(tmp_path: Path) -> None:
    assert require_key(KEY) == KEY
    assert server_key(tmp_path / "server.key", {}, make=False) is None
    with pytest.raises(StoreAddressUnusable, match="TIENLEN_KEY"):
        require_key(None)
    assert list(tmp_path.iterdir()) == []


def test_the_first_key_s_digest_is_kept_until_it_is_replaced(store: Store, path: Path) -> None:
    first, second = key_digest(KEY), key_digest(bytes(32))
    assert len({first, second, KEY, secret_digest(KEY)}) == 4
    assert store.key_digest() is None
    for digest in (first, second):
        store.note_key(digest)
        assert store.key_digest() == first
    replace_key(store.url, second)
    assert store.key_digest() == second


@pytest.mark.sqlite
def test_of_two_hosts_that_note_a_key_at_once_the_first_does(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing_yet() -> None:
        monkeypatch.undo()
        store.note_key(key_digest(bytes(32)))

    monkeypatch.setattr(store, "key_digest", nothing_yet)
    store.note_key(key_digest(KEY))
    assert store.key_digest() == key_digest(bytes(32))


@pytest.mark.sqlite
def test_a_key_that_the_database_refuses_is_said(store: Store, other: OtherProgram) -> None:
    other.run("CREATE TRIGGER no BEFORE INSERT ON link_key BEGIN SELECT RAISE(ABORT, 'no'); END")
    with pytest.raises(StoreRefused):
        store.note_key(key_digest(KEY))
