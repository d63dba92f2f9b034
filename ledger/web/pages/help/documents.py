"""The documents for hosts and programmers, of the running version."""

import re
from functools import cache
from itertools import pairwise

from flask import abort
from markupsafe import Markup

from ledger.resources import DOCUMENTS, document
from ledger.web.pages.shared.blueprint import pages
from ledger.web.reading import render


@pages.get("/documents/<document>")
def show_document(document: str) -> str:
    """A document, in English on pages of any language."""
    if document not in DOCUMENTS:
        abort(404)
    return render("help/document.html", name=document, text=_as_html(document))


@cache
def _as_html(name: str) -> Markup:
    """A document as HTML; its headings have the ids that its links use."""
    from markdown_it import MarkdownIt  # imported late: it is rarely needed and slows each start

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(document(name))
    for opening, title in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", re.sub(r"[^\w -]", "", title.content.lower()).replace(" ", "-"))
    return Markup(markdown.renderer.render(tokens, markdown.options, {}))
