"""Test each call of the interface against its OpenAPI description, with every check of Schemathesis."""

import re
import time
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import schemathesis
from flask import Flask
from hypothesis import HealthCheck, assume, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi import checks
from schemathesis.specs.openapi.checks import positive_data_acceptance

from ledger.web import live
from ledger.web.schemas import QUEUED_FORM
from tests.soak.running import Tally, progress, row, scratch
from tests.web.asking import Place
from tests.web.phones import Table

Call = tuple[str, str]

_READ: Final = ("", "/events", "/live", "/ledger", "/moves", "/replay")
CALLS: Final[set[Call]] = {
    ("POST", "/api/v1/nights"),
    ("POST", "/api/v1/nights/{night}/events"),
    ("POST", "/api/v1/score"),
    *(("GET", f"/api/v1/nights/{{night}}{what}") for what in _READ),
}

_WITHOUT_A_LINK = (401, 403, 404)  # a token that opens nothing is answered like a missing night

_ACCEPTED = ["2xx", "401", "403", "404", "409", "422"]  # the rules may refuse what fits the schema

BEYOND_SCHEMAS: Final = tuple(Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines())
"""Beginnings of `expected` texts for constraints that JSON Schema cannot express: the form of names, what a night
or a ruleset contains; and JSON Schema counts 1.0 as a whole number."""
_AS_IT_WAS = re.compile(r"changes[.]\d+[.]with")  # the schema leaves an entry inside a correction open


def as_it_says(ctx: Any, response: Any, case: Any) -> bool | None:
    """`positive_data_acceptance`, except for what a schema cannot express: further constraints, a form's fields."""
    if isinstance(case.body, dict) and case.body.get("kind") == QUEUED_FORM:
        return None
    if response.status_code == 400:
        problem = response.json()
        wanted = [("", problem["expected"])] if "expected" in problem else []
        wanted += [(path, text) for path, texts in problem.get("fields", {}).items() for text in texts]
        if wanted and all(_AS_IT_WAS.match(path) or text.startswith(BEYOND_SCHEMAS) for path, text in wanted):
            return None
    accepted: bool | None = positive_data_acceptance(ctx, response, case)
    return accepted


def keeps_to_its_description(
    app: Flask, table: Table, call: Call, mode: GenerationMode, examples: int
) -> None:
    """Send so many requests to one call, as a keeper. Raises what a check raises, with the smallest request."""
    load_all_checks()
    every: list[Any] = [
        as_it_says if check is positive_data_acceptance else check for check in CHECKS.get_all()
    ]
    method, path = call
    keeper = {"openapi": {"token": {"bearer": table.tokens["keeper"]}}}
    config = SchemathesisConfig.from_dict(
        {"auth": keeper, "checks": {"positive_data_acceptance": {"expected-statuses": _ACCEPTED}}}
    )
    operation = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app, config=config)[path][method]
    known = {"night": table.night} if "{night}" in path else None

    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(mode, path_parameters=known))
    def check(case: schemathesis.Case[Any]) -> None:
        if mode.is_positive and isinstance(event := case.body, dict) and "kind" in event:
            # It follows the newest entry, so that the rules judge it, and does not revoke the link in use.
            assume((event["kind"], event.get("role")) != ("revoke", "keeper"))
            event |= {"after": table.keeper.board()["after"]} if "after" in event else {}
        case.call_and_validate(checks=every)

    with (
        patch.object(checks, "AUTH_REJECTION_STATUSES", _WITHOUT_A_LINK),
        patch.object(live, "LIFE_SECONDS", 0.01),
    ):
        check()


def examples(count: int) -> Tally:
    wrong, calls = [], list(product(sorted(CALLS), GenerationMode))
    with scratch() as folder, closing(Place(f"sqlite:///{folder}/ledger.db")) as place:
        for call, mode in progress(calls, len(calls), "calls"):
            name, begun = f"{' '.join(call)} {mode.value}", time.monotonic()
            try:
                keeps_to_its_description(place.app, place.played(), call, mode, count)
            except (Exception, FailureGroup) as error:
                wrong.append(f"{name} is not as it says: {error}")
            row(name, f"{time.monotonic() - begun:.0f} s")
    return Tally({"calls": len(calls), "examples of each": count}, wrong)
