"""The browsers inside chat apps: a link tapped in a chat opens in one. Their cookies and storage are apart from
those of the phone's own browser."""

import re

from flask import request

_APPS = {
    "Zalo": r"Zalo",
    "Messenger": r"FBAN/Messenger|FB_IAB/Orca",
    "Facebook": r"FBA[NV]/|FB_IAB/",
    "Instagram": r"Instagram ",
    "Line": r"\bLine/",
    "WeChat": r"MicroMessenger/",
    "KakaoTalk": r"KAKAOTALK",
    "TikTok": r"musical_ly|BytedanceWebview",
}
"""App -> what its browser sends in `User-Agent`; the first that is found counts."""
_WEB_VIEW = re.compile(r"Android.*; wv\)")
"""Any app's browser on Android."""


def chat_app() -> str | None:
    """The app inside which the page is opened; empty for one whose name is not known, None in a real browser."""
    sent = request.headers.get("User-Agent", "")
    app = next((name for name, mark in _APPS.items() if re.search(mark, sent)), "")
    return app if app or _WEB_VIEW.search(sent) else None


def own_browser() -> str:
    """The phone's own browser, for people: `Safari`, or `Chrome`."""
    return "Safari" if re.search("iPhone|iPad", request.headers.get("User-Agent", "")) else "Chrome"
