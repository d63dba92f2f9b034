"""The text of a page: its visible words, links, and forms with their fields, without markup and styles."""

import re
from html.parser import HTMLParser

_INLINE = frozenset(
    (
        *("a", "abbr", "b", "button", "code", "del", "em", "i", "img", "input", "ins", "kbd", "label"),
        *("mark", "option", "s", "select", "small", "span", "strong", "sub", "sup", "textarea", "time"),
        *("tspan", "u", "wbr"),
    )
)
_EMPTY = frozenset(
    {"br", "circle", "hr", "img", "input", "line", "link", "meta", "path", "polyline", "rect", "use", "wbr"}
)
_UNSEEN = frozenset({"head", "script", "style", "template"})
_SPOKEN = ("aria-label", "alt", "title", "placeholder", "datetime")
_NEW_EACH_TIME = re.compile(r"\?v=\w+")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self._ends: list[str] = []

    @property
    def _unseen(self) -> bool:
        return any(unseen for _, unseen in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        unseen = tag in _UNSEEN or ("hidden" in given and tag != "input")
        if tag not in _EMPTY:
            self._open.append((tag, unseen))
        if unseen or self._unseen:
            return
        if tag not in _INLINE:
            self.pieces.append("\n")
        self.pieces += [f"{{{given[name]}}} " for name in _SPOKEN if given.get(name)]
        match tag:
            case "form":
                self.pieces.append(f"[{given.get('method', 'get')} {given.get('action') or 'here'}]\n")
            case "input" | "button" | "select" | "textarea" | "option":
                self.pieces.append(_control(tag, given))
            case "img" | "iframe":
                self.pieces.append(f"[{tag}]")
            case "a" if "href" in given:
                self.pieces.append("[")
                self._ends.append(given["href"])

    def handle_endtag(self, tag: str) -> None:
        unseen = self._unseen
        while self._open and self._open.pop()[0] != tag:
            pass
        if unseen:
            return
        if tag == "a" and self._ends:
            self.pieces.append(f"]({_NEW_EACH_TIME.sub('', self._ends.pop())})")
        if tag not in _INLINE or tag in ("option", "select"):
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.pieces.append(re.sub(r"\s+", " ", data))


def _control(tag: str, given: dict[str, str]) -> str:
    kind = given.get("type", "text") if tag == "input" else tag
    if kind == "option":
        return f"\n  ({'x' if 'selected' in given else ' '}) {given.get('value', '')} "
    words = [kind, given.get("name", ""), *([given["value"]] if given.get("value") else [])]
    words += [word for word in ("checked", "disabled", "required") if word in given]
    return f" [{' '.join(filter(None, words))}] "


def page_text(html: str) -> str:
    """The text of a page, one line for each block. Line breaks depend on the markup; words only on the page's
    content."""
    reader = _Reader()
    reader.feed(html)
    lines = (" ".join(line.split()) for line in "".join(reader.pieces).split("\n"))
    return "\n".join(line for line in lines if line)
