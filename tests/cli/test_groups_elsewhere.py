"""Groups are exported from one database and imported into another, after their nights."""

import json
import re
from pathlib import Path
from uuid import uuid4

import pytest

from ledger.recorder import GroupLink, Link, Recorder, Role, SeatRef
from ledger.recorder.groups import GroupEntryKind
from ledger.store import Store
from tests.cli.commands import RECORDS, tienlen
from tests.recorder.tables import KEY

GROUPS = "groups.ndjson"


@pytest.fixture
def exported(tmp_path: Path) -> list[Path]:
    """Two nights and a group of both with every kind of group entry; the file of groups comes last."""
    url = f"sqlite:///{tmp_path / 'here.db'}"
    first = tienlen("--database", url, "demo").out.split()[1]
    (second,) = re.findall(
        "night (.+),", tienlen("--database", url, "import", RECORDS / "southern-01.tln").out
    )
    store = Store.open(url)
    groups = Recorder(store, KEY).groups
    link = GroupLink(groups.open(Link(first, Role.KEEPER), str(uuid4()), "Hội thứ sáu").id, keeps=True)
    groups.add(link, Link(second, Role.KEEPER))
    groups.join(link, SeatRef(first, "p1"), SeatRef(second, "p2"))
    groups.part(link, 4)
    groups.join(link, SeatRef(first, "p2"), SeatRef(second, "p1"))
    groups.renew(link, 6)
    groups.rename(link, "Hội cuối tuần")
    groups.remove(link, second)
    store.close()
    return list(map(Path, tienlen("--database", url, "export", "--all", tmp_path / "out").out.split()))


def test_groups_are_carried_with_their_nights(exported: list[Path], tmp_path: Path) -> None:
    kinds = {json.loads(line)["kind"] for line in exported[-1].read_text(encoding="utf-8").splitlines()}
    assert (exported[-1].name, kinds) == (GROUPS, set(GroupEntryKind))
    ran = tienlen("import", *exported)
    assert (ran.status, ran.out.splitlines()[-1]) == (0, f"{exported[-1]}: group Hội cuối tuần, 9 entries")
    assert tienlen("export", "--all", tmp_path / "again").status == 0
    assert (tmp_path / "again" / GROUPS).read_bytes() == exported[-1].read_bytes()
    again = tienlen("import", exported[-1])
    assert (again.status, "it is here already" in again.err) == (1, True)


IMPOSSIBLE: list[tuple[int, dict[str, object], int, str]] = [
    (2, {"seq": 9}, 1, "entry 9"),
    (1, {"kind": "renewed", "content": {}}, 1, "entry 1"),
    (3, {"night": str(uuid4())}, 1, "entry 3"),
    (3, {"night": None}, 1, "entry 3"),
    (4, {"content": {"player": "p1", "same": "p2"}}, 1, "entry 4: unreadable"),
    (5, {"content": {"seq": 2}}, 1, "entry 5"),
    (8, {"content": {"name": "Hội thứ sáu"}}, 1, "entry 8"),
    (8, {"content": {"name": "a;b"}}, 2, "line 8: name: a text"),
    (8, {"content": {"name": "a", "more": 1}}, 2, "line 8: more: no such field"),
    (8, {"kind": "forgotten"}, 2, "line 8: kind"),
    (8, {"at": "yesterday"}, 2, "line 8: at: a time"),
    (8, {"line": "night"}, 2, "line 8: line"),
]
"""An entry, what is changed in it, and the status and a part of the message with which its file is refused."""


def test_a_group_that_no_keeper_could_have_made_is_not_carried(exported: list[Path], tmp_path: Path) -> None:
    *nights, file = exported
    assert tienlen("import", *nights).status == 0
    sound = file.read_text(encoding="utf-8").splitlines()
    for entry, change, status, sentence in IMPOSSIBLE:
        lines = [json.loads(line) for line in sound]
        lines[entry - 1] |= change
        texts = [json.dumps(line, separators=(",", ":")) for line in lines]
        file.write_text("\n".join(texts), encoding="utf-8")
        ran = tienlen("import", file)
        assert (ran.status, sentence in ran.err) == (status, True), ran.err
    tienlen("export", "--all", tmp_path / "again")
    assert not (tmp_path / "again" / GROUPS).exists()


def test_what_is_no_line_of_a_group_is_refused_by_its_number(exported: list[Path], tmp_path: Path) -> None:
    file = exported[-1]
    file.write_text(file.read_text(encoding="utf-8") + "{" * 100_000, encoding="utf-8")
    ran = tienlen("import", file)
    assert (ran.status, f"{file}: line 10: no JSON" in ran.err) == (2, True)
