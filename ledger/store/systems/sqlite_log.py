"""SQLite's write-ahead log as a file: how much of it SQLite reads, and what follows that should not.

A log is a header and frames, each a page of the database (https://www.sqlite.org/fileformat2.html#walformat). A
frame has the salts of its log, and a checksum that continues the one before it. SQLite reads a log up to the first
frame that does not fit, and takes the rest for what an earlier use of the file left behind. Where the rest has
frames of the same log, power failed while they were written, or the file is damaged, and SQLite does not say so.

The salts of a frame are not part of its checksum: a frame belongs to a log by its salts, or by its checksum if the
frame before it belongs to the log.

The index of a log (https://www.sqlite.org/walformat.html#the_wal_index_file_format) counts a frame once it is
synced: where the log has fewer frames than its index counts, it was cut.
"""

import os
import re
import struct
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ledger.store.database import DamagedLog
from ledger.store.errors import translated_file_errors
from ledger.store.files import write_new

_HEADER: Final = struct.Struct(">6I8s")
"""Magic number, version, page size, number of checkpoints, two salts; two checksums."""
_FRAME: Final = struct.Struct(">2I8s8s")
"""Page number, pages of the database after a commit (0 within a transaction); salts; checksums."""
_ORDERS: Final = {0x377F0682: "<", 0x377F0683: ">"}
"""The order of bytes that checksums are computed in, by magic number."""
_VERSION: Final = 3_007_000
_PAGE_SIZES: Final = tuple(1 << power for power in range(9, 17))
_CHECKED: Final = 24
"""The bytes of the header that its checksum covers."""
_CHECKED_OF_FRAME: Final = 8
_WORD: Final = 0xFFFF_FFFF

_INDEX: Final = struct.Struct("=12x2BH2I8x8s")
"""Whether the index has begun, order of bytes, page size, frames, pages of the database; salts. In this machine's
order of bytes, but for the salts."""

_NAME: Final = re.compile(r"\.damaged-(\d+)-frames\.[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class LogState:
    """`whole` is the number of frames that SQLite reads; `unread`, of those of the same log that follow, if a
    transaction was committed in them."""

    whole: int = 0
    unread: int = 0


def examine_log(content: bytes) -> LogState:
    """The state of a log with this content; one that is cut off within a frame ends with the frame before it."""
    if len(content) < _HEADER.size:
        return LogState()
    magic, version, page_size, _, _, _, checksum = _HEADER.unpack_from(content)
    order, salts = _ORDERS.get(magic, ""), content[16:24]
    if not order or version != _VERSION or page_size not in _PAGE_SIZES:
        return _without_header(content)
    if _checksum(order, bytes(8), content[:_CHECKED]) != checksum:
        return _without_header(content)
    whole, unread, committed, fits, belongs = 0, 0, False, True, True
    for place in range(_HEADER.size, len(content) - page_size - _FRAME.size + 1, page_size + _FRAME.size):
        number, pages, its_salts, its_checksum = _FRAME.unpack_from(content, place)
        page = place + _FRAME.size
        checked = content[place : place + _CHECKED_OF_FRAME] + content[page : page + page_size]
        sound = bool(number) and _checksum(order, checksum, checked) == its_checksum
        fits = fits and sound and its_salts == salts
        belongs = its_salts == salts or (sound and belongs)
        if fits:
            whole += 1
        elif belongs:
            unread += 1
            committed = committed or bool(pages)
        checksum = its_checksum
    return LogState(whole, unread if committed else 0)


def _without_header(content: bytes) -> LogState:
    """The state of a log whose header is damaged: SQLite reads nothing of it. Its page size is the one by which the
    most frames have the same salts."""
    unread = 0
    for page_size in _PAGE_SIZES:
        places = range(_HEADER.size, len(content) - page_size - _FRAME.size + 1, page_size + _FRAME.size)
        salts = Counter(content[place + 8 : place + 16] for place in places)
        del salts[bytes(8)]
        unread = max(unread, *salts.values(), 0)
    return LogState(0, unread)


def _checksum(order: str, before: bytes, data: bytes) -> bytes:
    """The checksum of some data, of which the bytes are a multiple of eight, that continues the one `before`."""
    first, second = struct.unpack(">2I", before)
    for even, odd in struct.iter_unpack(f"{order}2I", data):
        first = (first + even + second) & _WORD
        second = (second + odd + first) & _WORD
    return struct.pack(">2I", first, second)


def log_path(database: Path) -> Path:
    """The log of a database."""
    return database.with_name(database.name + "-wal")


def log_size(database: Path) -> int:
    """The bytes of a database's log; 0 if there is none."""
    try:
        return os.stat(f"{database}-wal").st_size  # noqa: PTH116 - half the time of a `Path`, at each move
    except OSError:
        return 0


def put_log_aside(database: Path) -> None:
    """Rename a log that is not the database's, so that SQLite does not read it. Raises StoreUnavailable."""
    log = log_path(database)
    with translated_file_errors(f"{log} cannot be put aside"):
        log.rename(log.with_name(f"{log.name}.of-another-file"))


def frames_cut_off(log: bytes, index: bytes) -> int:
    """How many frames a log has lost at its end, by the beginning of its index; 0 if the index is another log's."""
    if len(log) < _HEADER.size or len(index) < _INDEX.size:
        return 0
    begun, _, page_size, frames, _, salts = _INDEX.unpack_from(index)
    if not begun or salts != log[16:24]:
        return 0
    whole: int = (len(log) - _HEADER.size) // (_FRAME.size + (page_size & 0xFE00 | (page_size & 1) << 16))
    return max(0, int(frames) - whole)


def copy_if_damaged(database: Path, *, alone: bool) -> None:
    """Copy a damaged log beside its database, once: SQLite will overwrite it. Call it in the lock, before the
    database is opened. Raises StoreUnavailable.

    The index is looked at only if `alone`, where nobody has the database open: whoever closes its file loses the
    locks that SQLite has on it in the same process.
    """
    log = log_path(database)
    with translated_file_errors(f"{log} cannot be copied, which is damaged"):
        try:
            content = log.read_bytes()
        except FileNotFoundError:
            return
        unread = examine_log(content).unread
        if alone and not unread:
            with suppress(FileNotFoundError):
                unread = frames_cut_off(content, database.with_name(f"{database.name}-shm").read_bytes())
        if unread:
            with suppress(FileExistsError):
                write_new(
                    log.with_name(f"{log.name}.damaged-{unread}-frames.{content[16:24].hex()}"), content
                )


def damaged_logs(database: Path) -> list[DamagedLog]:
    """The damaged logs of a database that were copied beside it, and that nobody has removed."""
    log = log_path(database)
    with translated_file_errors(f"the folder of {database} cannot be read"):
        found = sorted(log.parent.glob(f"{log.name}.damaged-*"))
    names = ((path, _NAME.fullmatch(path.name.removeprefix(log.name))) for path in found)
    return [DamagedLog(path, int(name[1])) for path, name in names if name]
