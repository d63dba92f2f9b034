"""The people of a night: keepers who record it, players who confirm or dispute, and readers."""

from ledger.recorder import Link
from tests.soak.phones.phone import REFUSED_LINK, Phone
from tests.soak.phones.played import Happening
from tests.soak.phones.queue import Entry
from tests.soak.phones.standing import Data, Line, Standing, entry_key
from tests.soak.phones.weather import MINUTE

AHEAD = 5  # the number of waiting entries at which a keeper stops entering more


class Table:
    """What everyone at the table has seen so far: the play, and the adjustments."""

    def __init__(self, evening: list[Happening]) -> None:
        self._evening = evening
        self.happened = 0

    @property
    def over(self) -> bool:
        return self.happened == len(self._evening)

    @property
    def play(self) -> list[Happening]:
        return [each for each in self._evening[: self.happened] if each.kind != "adjust"]

    @property
    def adjustments(self) -> list[Happening]:
        return [each for each in self._evening[: self.happened] if each.kind == "adjust"]


class Person:
    """A person who looks at a phone now and then."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.time = phone.night.time

    def looks(self) -> None:
        """Resolve what stopped the queue, if anything did; otherwise read the log and act."""
        phone = self.phone
        if phone.queue.halt is None:
            phone.read()
            self.acts()
        elif phone.queue.halt["code"] == REFUSED_LINK:
            self._takes_new_link()
        elif phone.fresh:
            self.decides(phone.queue.waiting)
        else:
            phone.read()

    def pause(self) -> float:
        """Seconds until the next look."""
        return self.time.chance("looks").uniform(5, 30) * MINUTE

    def acts(self) -> None:
        """Enter what this person has to record."""

    def decides(self, waiting: list[Entry]) -> None:
        """Drop the entry that stopped the queue: it is recorded by someone else, or it was wrong."""
        self.phone.drop(1)
        self.phone.send()

    def _takes_new_link(self) -> None:
        """Replace a revoked link by the one of the next generation, as `tienlen link` prints it."""
        link, witness = self.phone.link, self.phone.night.witness
        generation = witness.revoked[link.role, link.player]
        self.phone.link = Link(link.night, link.role, link.player, generation)
        self.phone.queue.halt = None
        self.phone.send()


class Keeper(Person):
    """Records what happened and does not stand yet; undoes and corrects what stands and did not happen."""

    def __init__(self, phone: Phone, table: Table) -> None:
        super().__init__(phone)
        self.table = table

    def pause(self) -> float:
        """Shorter while something has to be decided or recorded."""
        queue = self.phone.queue
        behind = len(self.phone.bodies) + len(queue.waiting) < self.table.happened
        busy = queue.halt is not None or (behind and len(queue.waiting) < AHEAD)
        return self.time.chance("looks").uniform(*((5, 30) if busy else (20, 300)))

    def acts(self) -> None:
        if len(self.phone.queue.waiting) >= AHEAD:
            return
        if self.time.happens("revoked"):
            role = self.time.chance("role").choice(["keeper", "watch", "p1", "p2"])
            whose = {"role": "seat", "player": role} if role.startswith("p") else {"role": role}
            self.phone.enter("revoke", whose)
        self._answers_disputes()
        if not (self.time.happens("second_thoughts") and self._thinks_again(self.phone.expected())):
            self._records(self.phone.expected())

    def _records(self, standing: Standing) -> None:
        for each in self.table.adjustments:
            if each.key not in standing.adjustments:
                self._enters(each)
                return
        play, lines = self.table.play, standing.lines
        pairs = enumerate(zip(lines, play, strict=False))
        wrong = next((at for at, (line, due) in pairs if line.key != due.key), None)
        settling = len(lines) < len(play) and play[len(lines)].kind == "settle"
        if wrong is not None and (settling or not self.time.happens("overlooked")):
            self._puts_right(standing, lines[wrong], play[wrong])
        elif len(lines) < len(play):
            self._goes_on(standing, play[len(lines)])
        elif lines and wrong is None and not self.table.over and self.time.happens("slips"):
            self._takes_back(standing)

    def _goes_on(self, standing: Standing, due: Happening) -> None:
        undone, lines = standing.undone.get(standing.current, ()), standing.rounds.get(standing.current, ())
        again = undone[0][len(lines) :][:1] if len(undone) == 1 else ()
        if [line.key for line in again] == [entry_key(due.kind, due.content)]:
            self.phone.enter("redo", {})
            return
        if due.slip is not None and self.time.happens("slips"):
            self.phone.enter("play", due.slip, due.number)
        else:
            self._enters(due)

    def _enters(self, due: Happening) -> None:
        self.phone.enter(due.kind, due.content, due.number)

    def _puts_right(self, standing: Standing, line: Line, due: Happening) -> None:
        """Correct the wrong entry, or undo entry by entry back to it."""
        settled = standing.round_of(line.address) < standing.current or standing.settled
        if _correctable(line, due) and (settled or self.time.chance("how").random() < 0.5):
            self._corrects(line, due)
        elif not settled:
            self._takes_back(standing)

    def _thinks_again(self, standing: Standing) -> bool:
        """Correct a right entry of a settled round, so that all confirm again. Returns whether there was one."""
        right = [
            (line, due)
            for line, due in zip(standing.lines, self.table.play, strict=False)
            if standing.round_of(line.address) < standing.current
            if line.key == due.key and _correctable(line, due)
        ]
        if right:
            self._corrects(*self.time.chance("which").choice(right))
        return bool(right)

    def _corrects(self, line: Line, due: Happening) -> None:
        change = {"kind": due.kind, **due.content, "stood": True}
        content = {"changes": [{"target": line.address, "with": change}], "reason": "ghi nhầm"}
        self.phone.enter("correct", content, due.number)

    def _takes_back(self, standing: Standing) -> None:
        if not standing.settled and len(standing.rounds.get(standing.current, ())) > 1:
            self.phone.enter("undo", {})

    def _answers_disputes(self) -> None:
        bodies = self.phone.bodies
        answered = {body["content"]["dispute"] for body in bodies if body["kind"] == "decide"}
        answered |= {each.content["dispute"] for each in self.phone.queue.entries if each.kind == "decide"}
        for body in bodies:
            if body["kind"] == "dispute" and body["seq"] not in answered:
                decision = self.time.chance("decision").choice(["kept", "waived"])
                content = {"dispute": body["seq"], "decision": decision, "reason": "xem lại rồi"}
                self.phone.enter("decide", content)
                return

    def decides(self, waiting: list[Entry]) -> None:
        """Keep the waiting entries if they still continue the play; otherwise drop them."""
        if self.time.happens("batches"):
            standing = self.phone.standing
            stood = [self._stands(standing, entry) for entry in waiting]
            there = (*stood, False).index(False)
            refused = self.phone.queue.halt is not None and self.phone.queue.halt["code"] != "stale"
            if not (refused and not there) and self._fits(standing, waiting[there:]):
                self.phone.drop(there)
                if waiting[there:]:
                    self.phone.keep()
                return
        self.phone.drop(len(waiting))

    def _stands(self, standing: Standing, entry: Entry) -> bool:
        if entry.kind == "adjust":
            return entry_key(entry.kind, entry.content) in standing.adjustments
        numbers = [each.number for each in self.table.play[: len(standing.lines)]]
        return entry.after is not None and entry.about.happening in numbers

    def _fits(self, standing: Standing, waiting: list[Entry]) -> bool:
        """Whether the waiting entries would add just what happened next, in order. If so, each is assigned to that
        happening: two passes of one player look the same."""
        if any(entry.kind in ("undo", "redo", "correct") for entry in waiting):
            return False
        play, says = self.table.play, list[int | None]()
        for entry in waiting:
            before, standing = standing, standing.entered(entry.id, entry.kind, entry.content)
            at, more = len(before.lines), len(standing.lines) > len(before.lines)
            says.append(play[at].number if more and at < len(play) else entry.about.happening)
        if len(set(standing.adjustments)) < len(standing.adjustments) or len(standing.lines) > len(play):
            return False
        if any(line.key != due.key for line, due in zip(standing.lines, play, strict=False)):
            return False
        for entry, happening in zip(waiting, says, strict=True):
            entry.about.happening = happening
        return True


def _correctable(line: Line, due: Happening) -> bool:
    """Whether a line is in the log, and both it and the happening are plays or passes."""
    return line.address.partition(".")[0].isdigit() and {line.key[0], due.kind} <= {"play", "pass"}


class Seat(Person):
    """Confirms every round once it is settled, or disputes one of its payments."""

    def __init__(self, phone: Phone) -> None:
        super().__init__(phone)
        self._asked: set[int] = set()

    def acts(self) -> None:
        settled = set[int]()
        for body in self.phone.bodies:
            settles = body["kind"] == "settle"
            settled |= {body["round"]} if settles else set()
            corrects = body["kind"] == "correct" and body["round"] in settled
            if not (settles or corrects) or body["seq"] in self._asked:
                continue
            self._asked.add(body["seq"])
            if settles and body["payments"] and self.time.happens("doubts"):
                idx = self.time.chance("doubt").randrange(len(body["payments"]))
                about = {"payment": {"seq": body["seq"], "idx": idx}, "reason": "tôi đâu có nợ"}
                self._says("dispute", body["round"], about)
            else:
                self._says("confirm", body["round"], {})
            return

    def _says(self, kind: str, number: int, content: Data) -> None:
        self.phone.enter(kind, {"round": number, "seen": len(self.phone.bodies), **content})
