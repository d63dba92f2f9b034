"""A link opened inside a chat app says how to get it into the phone's own browser."""

import pytest
from flask.testing import FlaskClient

from tests.web.browsing import Page
from tests.web.phones import Table

ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/131.0.0.0 Mobile Safari/537.36"
)
WEB_VIEW = (
    "Mozilla/5.0 (Linux; Android 14; SM-A546E Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Version/4.0 Chrome/131.0.6778.135 Mobile Safari/537.36"
)
ZALO = f"{WEB_VIEW} Zalo android/241101022 ZaloTheme/light ZaloLanguage/vi"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"

INSIDE = {
    ZALO: ("Zalo", "Chrome"),
    f"{IPHONE} Mobile/15E148 Zalo iOS/611 ZaloTheme/light ZaloLanguage/vi": ("Zalo", "Safari"),
    f"{IPHONE} Mobile/21G93 [FBAN/MessengerForiOS;FBAV/489.0.0;FBBV/680;FBDV/iPhone14,5]": (
        "Messenger",
        "Safari",
    ),
    f"{WEB_VIEW}[FB_IAB/Orca-Android;FBAV/489.0.0.60.104;]": ("Messenger", "Chrome"),
    f"{WEB_VIEW}[FB_IAB/FB4A;FBAV/493.0.0.0.1;]": ("Facebook", "Chrome"),
    f"{IPHONE} Mobile/21G93 Instagram 360.0.0.26.85 (iPhone14,5; iOS 17_6; vi_VN)": ("Instagram", "Safari"),
    f"{IPHONE} Mobile/21G93 Safari Line/14.20.1": ("Line", "Safari"),
    WEB_VIEW: ("", "Chrome"),
}
OUTSIDE = [
    ANDROID,
    f"{IPHONE} Version/17.6 Mobile/15E148 Safari/604.1",
    f"{IPHONE} Mobile/15E148",  # installed on the first screen
    "Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0",
    "",
]


def opened(client: FlaskClient, path: str, sent: str, language: str = "en") -> Page:
    headers = {"Accept": "text/html", "Accept-Language": language, "User-Agent": sent}
    return Page(client, client.get(path, headers=headers))


@pytest.mark.parametrize(("sent", "named"), INSIDE.items())
def test_every_link_leads_out_of_the_browser_inside_an_app(
    client: FlaskClient, table: Table, sent: str, named: tuple[str, str]
) -> None:
    for token in (table.tokens["keeper"], table.tokens["watch"], table.tokens["seats"]["p2"]):
        for language in ("en", "vi"):
            page = opened(client, f"/t/{token}", sent, language)
            assert all(name in page.text for name in named)
            copied = [
                given["value"] for tag, given in page.elements if tag == "input" and "readonly" in given
            ]
            assert copied == [f"http://localhost/t/{token}"]


def test_so_does_the_page_on_which_a_table_is_opened(client: FlaskClient) -> None:
    assert "Zalo's own browser" in opened(client, "/", ZALO).text
    assert "own browser" not in opened(client, "/", ANDROID).text


@pytest.mark.parametrize("sent", OUTSIDE)
def test_a_real_browser_is_told_nothing_of_it(client: FlaskClient, table: Table, sent: str) -> None:
    page = opened(client, f"/t/{table.tokens['keeper']}", sent)
    assert not any("readonly" in given for _, given in page.elements)
