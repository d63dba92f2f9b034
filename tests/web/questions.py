"""Twenty questions of players, hosts and programmers, and the page that answers each."""

import re
from collections.abc import Callable
from html import unescape
from typing import NamedTuple


class Question(NamedTuple):
    """A question that a visitor of the first page has."""

    asked: str
    clicks: tuple[str, ...]
    """Addresses to follow, each linked from the page before; two at most."""
    answer: str
    """A regular expression that the last page matches."""


_HELP = ("/help",)
_OPERATING, _SECURITY, _INTERFACE, _NOTATION, _CONTRIBUTING = (
    (*_HELP, f"/documents/{name}.md")
    for name in ("OPERATING", "SECURITY", "INTERFACE", "NOTATION", "CONTRIBUTING")
)
QUESTIONS = (
    Question("I tapped something wrong", _HELP, "takes back the last thing"),
    Question("We forgot a play", _HELP, "Tap the pencil on the play after it"),
    Question("There is no network", _HELP, "is kept on this phone, and is recorded once"),
    Question("Who gives whom how much?", _HELP, "in as few transfers as there can be"),
    Question("A payment is wrong", _HELP, "and why. The keeper corrects it"),
    Question("The keeper's phone is dead", _HELP, "Any phone goes on with the keeper's link"),
    Question("How is it played?", ("/how-to-play",), "first to get rid of all cards"),
    Question("Which rules can we play by?", ("/rules",), "Northern"),
    Question("How do I run it with Docker?", _OPERATING, "docker compose .* up"),
    Question("How do I run it on Debian?", _OPERATING, "systemctl enable"),
    Question("How do phones get HTTPS at home?", _OPERATING, "phone is told once to trust it"),
    Question("How is it backed up?", _OPERATING, "tienlen backup"),
    Question("How many tables does a machine carry?", _OPERATING, r"tables\s+looking on"),
    Question("What is wrong with my server?", _OPERATING, "tienlen doctor"),
    Question("What is it not safe against?", _SECURITY, "What is not claimed"),
    Question("How does a program open a night?", _INTERFACE, "POST /api/v1/nights"),
    Question("How does it say who it is?", _INTERFACE, "Authorization: Bearer"),
    Question("How does it verify a log?", _INTERFACE, r"sha256\("),
    Question("How is an instant win written?", _NOTATION, "p1 claims"),
    Question("How do I add our family's rules?", _CONTRIBUTING, "preset_over"),
)


def is_answered(question: Question, get: Callable[[str], str]) -> bool:
    """Whether following the links leads to the answer. `get` returns the page at an address, in English."""
    page = get("/")
    for click in question.clicks:
        if click not in re.findall(r'<a [^>]*href="([^"#]+)', page):
            return False
        page = get(click)
    return re.search(question.answer, unescape(re.sub(r"<[^>]+>", "", page))) is not None
