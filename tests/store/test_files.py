"""Files: whole once they exist, kept by the disk, and on which file system."""

import os
from pathlib import Path

import pytest

from ledger.store import file_system, files, sync, write_new


def test_a_new_file_is_on_the_disk_before_it_counts_and_never_replaces_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: flushed.append(os.fstat(descriptor).st_size))
    path = tmp_path / "file"
    write_new(path, b"content")
    assert flushed == [len(b"content")]
    with pytest.raises(FileExistsError):
        write_new(path, b"another")
    assert path.read_bytes() == b"content"


def test_what_is_flushed_is_the_file_or_the_folder_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: flushed.append(os.fstat(descriptor).st_ino))
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path):
        sync(path)
    assert flushed == [(tmp_path / "file").stat().st_ino, tmp_path.stat().st_ino]


def test_a_folder_is_on_the_file_system_mounted_last_nearest_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    monkeypatch.setattr(files, "_MOUNTS", mounts)
    assert file_system(tmp_path) == ""
    mounts.write_text("")
    assert file_system(tmp_path) == ""
    far, near, here = tmp_path, tmp_path / "near the table", tmp_path / "near the table" / "here"
    lines = [(near, "tmpfs"), (near, "nfs4"), (far, "ext4"), (here.with_name("hereafter"), "btrfs")]
    mounts.write_text(
        "".join(f"x {str(place).replace(' ', chr(92) + '040')} {kind} rw 0 0\n" for place, kind in lines)
    )
    here.mkdir(parents=True)
    (link := tmp_path / "link").symlink_to(here)
    assert [file_system(folder) for folder in (here, near, link, far, far.parent)] == ["nfs4"] * 3 + [
        "ext4",
        "",
    ]
