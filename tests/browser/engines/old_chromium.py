"""Chromium 106 of the npm package `@sparticuz/chromium`, without windows: almost the oldest that is supported."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright

PACKED = Path(__file__).parent / "node_modules/@sparticuz/chromium/bin/chromium.br"
"""The program, compressed; `scripts/test` installs it."""

UNPACK = """
const { brotliDecompressSync } = require("node:zlib");
const { readFileSync, renameSync, writeFileSync } = require("node:fs");
const [, packed, program] = process.argv;
const own = `${program}.${process.pid}`;
writeFileSync(own, brotliDecompressSync(readFileSync(packed)), { mode: 0o755 });
renameSync(own, program);
"""


def unpacked(node: str) -> Path:
    """The program, unpacked beside its package once; several processes may ask at the same time. Skips the test if
    the package is not installed."""
    program = PACKED.with_suffix("")
    if not PACKED.exists():
        pytest.skip("the old Chromium is not installed: scripts/test installs it")
    if not program.exists():
        subprocess.run([node, "-e", UNPACK, str(PACKED), str(program)], check=True)
    return program


@contextmanager
def launched(playwright: Playwright, node: str) -> Iterator[Browser]:
    """The browser, which Playwright drives like a current one. Its helper processes have no zygote: that would need
    a sandbox, which the program lacks. On a busy machine a process that draws may start too late."""
    arguments = ["--no-sandbox", "--no-zygote", "--in-process-gpu"]
    browser = playwright.chromium.launch(executable_path=unpacked(node), args=arguments)
    try:
        yield browser
    finally:
        browser.close()
