"""Watching phones in a separate process: `python -m benchmarks.watchers PORT COUNT NIGHT=TOKEN,… [PAGE]` starts so
many for each night. If a page is named, they request it again and again instead.

Prints a line once all are connected. It then reads a line with the time of each night's last entry (a JSON object),
waits until every phone has had a page since, and prints the arrival time of each page of a night, and the number of
bytes that all phones received.
"""

import asyncio
import json
import sys
from contextlib import suppress
from itertools import count
from time import perf_counter

ASK_SECONDS = 2.0
"""The polling interval of a phone without a stream, as in the pages."""
_PATIENCE = 30.0


class Phone:
    """A watching phone: one connection for the stream, and one for each request, since servers close idle ones."""

    def __init__(self, port: int, night: str, token: str) -> None:
        self.came: list[float] = []
        self.received = 0
        self._port, self.night = port, night
        self._lines = f"Host: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"

    async def open(self) -> None:
        # Keep a reference to the writer: a collected one closes its connection.
        self._stream, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writer.write(self._request(f"/api/v1/nights/{self.night}/live?after=0"))
        head = await self._stream.readuntil(b"\r\n\r\n")
        self._streaming = head.startswith(b"HTTP/1.1 200")

    async def look(self) -> None:
        if self._streaming:
            async for line in self._stream:
                self.received += len(line)
                if line.startswith(b"id:"):
                    await self._renew()
        tag = ""
        while True:
            await asyncio.sleep(ASK_SECONDS)
            head = await self._fetch(f"/api/v1/nights/{self.night}", f"If-None-Match: {tag}\r\n")
            if head.startswith("HTTP/1.1 200"):
                tag = next(line[6:] for line in head.split("\r\n") if line.lower().startswith("etag: "))
                await self._renew()

    async def ask_for(self, page: str) -> None:
        """Request a page again and again, bypassing caches."""
        for number in count():
            await self._fetch(f"/n/{self.night}/{page}?time={number}")

    async def _renew(self) -> None:
        await self._fetch(f"/n/{self.night}")
        self.came.append(perf_counter())

    async def _fetch(self, path: str, more: str = "") -> str:
        """Request a path, read the whole answer, and return its head."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            writer.write(self._request(path, f"{more}Connection: close\r\n"))
            answer = await reader.read()
            self.received += len(answer)
            return answer.partition(b"\r\n\r\n")[0].decode()
        finally:
            writer.close()

    def _request(self, path: str, more: str = "") -> bytes:
        return f"GET {path} HTTP/1.1\r\n{self._lines}{more}\r\n".encode()


async def _all_since(phones: list[Phone], last: dict[str, float]) -> None:
    while not all(phone.came and phone.came[-1] > last[phone.night] for phone in phones):
        await asyncio.sleep(0.01)


async def main(port: int, many: int, nights: str, page: str = "") -> None:
    pairs = [pair.split("=", 1) for pair in nights.split(",")]
    phones = [Phone(port, night, token) for night, token in pairs for _ in range(many)]
    for phone in () if page else phones:
        await phone.open()
    looking = [asyncio.create_task(phone.ask_for(page) if page else phone.look()) for phone in phones]
    print("looking", flush=True)
    last = json.loads(await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline))
    with suppress(TimeoutError):
        await asyncio.wait_for(_all_since(phones, last), _PATIENCE)
    for task in looking:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    came = {
        night: [at for phone in phones if phone.night == night for at in phone.came] for night, _ in pairs
    }
    print(json.dumps([came, sum(phone.received for phone in phones)]))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]))
