"""The server behind a real nginx, configured as OPERATING.md prints it and as other hosts configure it."""

import json
from collections.abc import Callable, Iterator
from gzip import decompress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.cli.commands import tienlen
from tests.nights import Data
from tests.servers import KEY, Served
from tests.web.phones import NIGHTS, new_night
from tests.web.proxies import Proxy, printed_block, proxied

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that trusts one proxy."""
    with Served(tmp_path_factory.mktemp("behind"), environment={"TIENLEN_PROXIES": "1"}) as server:
        yield server


@pytest.fixture(scope="module")
def proxy(behind: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with proxied(tmp_path_factory.mktemp("nginx"), behind.port) as proxy:
        yield proxy


def opened(proxy: Proxy) -> Data:
    body = json.dumps(new_night()).encode()
    response = proxy.ask("POST", NIGHTS, body, Content_Type="application/json")
    assert response.status == 201
    data: Data = json.loads(response.body)
    return data


def test_the_block_runs_as_printed_and_keeps_the_port(proxy: Proxy) -> None:
    night = opened(proxy)
    link = urlsplit(night["links"]["keeper"])
    assert f"{link.scheme}://{link.netloc}/" == proxy.url
    origin = proxy.url.rstrip("/")  # sent by browsers without Sec-Fetch-Site
    taken = proxy.ask("POST", link.path, b"", Origin=origin, Content_Type="application/x-www-form-urlencoded")
    assert taken.status == 303
    assert "__Host-" in taken.headers["Set-Cookie"]


def compresses(block: str) -> str:
    return block.replace("gzip off;", "gzip on;")


def asks_for_plain_pages(block: str) -> str:
    return compresses(block).replace("proxy_read", 'proxy_set_header Accept-Encoding "";\n proxy_read')


@pytest.mark.parametrize("change", [compresses, asks_for_plain_pages])
def test_a_page_that_holds_links_stays_as_long_as_it_is_through_a_proxy_that_compresses(
    behind: Served, tmp_path: Path, change: object
) -> None:
    assert callable(change)
    assert change(printed_block()) != printed_block()
    with proxied(tmp_path, behind.port, change) as proxy:
        night = opened(proxy)
        cookie = f"__Host-tienlen-{night['id']}-keeper={night['tokens']['keeper']}"
        for path in (f"/n/{night['id']}/links", f"/t/{night['tokens']['watch']}"):
            response = proxy.ask("GET", path, Accept_Encoding="gzip", Cookie=cookie)
            assert response.status == 200
            sent = response.body
            page = decompress(sent) if response.headers.get("Content-Encoding") == "gzip" else sent
            assert b"</html>" in page
            assert len(page) <= len(sent) <= len(page) + 100
        public = proxy.ask("GET", "/", Accept_Encoding="gzip")
        sent = public.body
        assert len(decompress(sent)) > 2 * len(sent)


def without(*lines: str) -> Callable[[str], str]:
    """A change to the block: drop the lines with these beginnings."""

    def changed(block: str) -> str:
        return "\n".join(line for line in block.split("\n") if not line.strip().startswith(lines))

    return changed


def loses_the_port(block: str) -> str:
    return block.replace("$http_host", "$host")


def compresses_whatever_comes(block: str) -> str:
    """Unusual for nginx: compress every response anew."""
    return compresses(block).replace(
        "proxy_read", 'proxy_hide_header Content-Encoding; proxy_set_header Accept-Encoding "";\n proxy_read'
    )


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (without(), set()),
        (compresses, set()),
        (without("proxy_set_header X-Forwarded-For"), {"caller"}),
        (loses_the_port, {"host"}),
        (compresses_whatever_comes, {"compression"}),
        (without("proxy_set_header X-Forwarded-Proto"), {"https"}),
    ],
    ids=["as printed", "gzip", "no address", "no port", "anew", "no scheme"],
)
def test_a_doctor_sees_from_outside_what_a_proxy_does_wrong(
    behind: Served,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[str], str],
    wrong: set[str],
) -> None:
    monkeypatch.setenv("TIENLEN_KEY", KEY)
    database = f"sqlite:///{behind.log.with_name('ledger.db')}"
    with proxied(tmp_path, behind.port, change) as proxy:
        monkeypatch.setenv("SSL_CERT_FILE", str(proxy.certificate))
        checks = tienlen("--database", database, "doctor", "--json", "--url", proxy.url).data
    found = {check["name"]: check for check in checks}
    assert found["setup"]["found"].endswith("trusts 1 proxies, answers to any name")
    outside = {"reached", "caller", "host", "compression", "https", "metrics"}
    assert {name for name in outside if found[name]["state"] == "wrong"} == wrong


def test_no_link_comes_into_a_log_of_the_proxy_s_whatever_becomes_of_the_server(
    behind: Served, tmp_path: Path
) -> None:
    """The last test, since it stops the server."""
    with proxied(tmp_path, behind.port) as proxy:
        secret = opened(proxy)["tokens"]["keeper"]
        assert proxy.ask("GET", f"/t/{secret}").status == 200
        assert proxy.ask("GET", f"/%74/{secret}").status == 200
        assert proxy.ask("POST", f"/t/{secret}", b"x" * 2_000_000).status in (400, 403, 413)
        behind.stop()
        assert proxy.ask("GET", f"/t/{secret}").status == 502
        assert proxy.ask("GET", "/n/somewhere").status == 502
        logged = proxy.logged()
    assert "/n/somewhere" in logged
    assert secret not in logged
