"""What a person sets on one phone."""

from flask import make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from ledger.web import forms
from ledger.web.pages.blueprint import pages, way_back
from ledger.web.preferences import Phone, remember
from ledger.web.request_body import read_form


@pages.get("/phone")
def this_phone() -> str:
    """The settings of the phone that asks; `?back=` is the page that it came from."""
    return render_template("phone.html", came_from=way_back(request.args.get("back", "")))


@pages.post("/phone")
def set_phone() -> AnyResponse:
    """Keep them, and go back to where the phone came from."""
    fields = read_form()
    response = make_response(redirect(way_back(forms.one(fields, "back")), 303))
    remember(response, Phone.of(fields.get("set", ())))
    return response
