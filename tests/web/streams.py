"""A night on a running server: what its keeper records, and the streams of phones that watch."""

import http.client
import json
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from tests.nights import Data, Telling
from tests.servers import Answer, Served
from tests.web.phones import NIGHTS, new_night


class Message(NamedTuple):
    id: int
    data: Data


class Stream:
    """A stream as a program reads it, on a connection of its own."""

    def __init__(self, server: Served, path: str, token: str, **headers: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self._connection.request("GET", path, headers={"Authorization": f"Bearer {token}", **headers})
        self.response = self._connection.getresponse()
        self.beats = 0
        """How often the server has said only that it is there."""

    def messages(self) -> Iterator[Message]:
        """Its messages, until the server ends it."""
        last = ""
        for line in self.response:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            self.beats += name == ":"
            if name == "id":
                last = value
            if name == "data":
                yield Message(int(last), json.loads(value))

    def close(self) -> None:
        self.response.close()
        self._connection.close()


class Night(Telling[Data]):
    """A night on a server, with its keeper's phone."""

    def __init__(self, server: Served) -> None:
        self.server = server
        content = new_night()
        opened = server.send(NIGHTS, content)
        assert opened.status == 201
        self.night = self.after = content["id"]
        self.tokens: Data = opened.data["tokens"]
        self.keeper: str = self.tokens["keeper"]
        self.path = f"{NIGHTS}/{self.night}"

    def send(self, event: Data, **headers: str) -> Answer:
        return self.server.send(f"{self.path}/events", event, self.keeper, **headers)

    def deliver(self, event: Data) -> Data:
        answer = self.send(event)
        assert answer.status == 201, answer
        return answer.data

    def note(self) -> Data:
        """Record one more note."""
        return self.record("note", note="deals p1")

    def board(self) -> Answer:
        """What a watcher's phone is shown."""
        return self.server.get(self.path, self.tokens["watch"])

    def log(self) -> list[Data]:
        events: list[Data] = self.server.get(f"{self.path}/events", self.keeper).data["events"]
        return events

    def stream(self, query: str = "", **headers: str) -> closing[Stream]:
        return closing(Stream(self.server, f"{self.path}/live{query}", self.tokens["watch"], **headers))
