"""The documents for whoever runs a server or writes programs: those of the version that is served."""

import re
from functools import cache
from itertools import pairwise

from flask import abort, render_template
from markupsafe import Markup

from ledger.resources import DOCUMENTS, document
from ledger.web.pages.blueprint import pages


@pages.get("/documents/<document>")
def show_document(document: str) -> str:
    """A document, which is in English whatever the language of the page."""
    if document not in DOCUMENTS:
        abort(404)
    return render_template("document.html", name=document, text=_as_html(document))


@cache
def _as_html(name: str) -> Markup:
    """Its headings have the ids by which its links know them."""
    from markdown_it import MarkdownIt  # few ask for a document, and every start would wait for it

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(document(name))
    for opening, title in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", re.sub(r"[^\w -]", "", title.content.lower()).replace(" ", "-"))
    return Markup(markdown.renderer.render(tokens, markdown.options, {}))
