"""Ask each call of the interface what its OpenAPI text allows and forbids, by all checks that Schemathesis has: it
is to answer as the text says. `scripts/mutate --openapi` asks much; the tests little.
"""

import re
import tempfile
import time
from itertools import product
from typing import Any
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
from tests.web.asking import Place
from tests.web.phones import Data, Table

Call = tuple[str, str]

CALLS: set[Call] = {
    ("POST", "/api/v1/nights"),
    ("GET", "/api/v1/nights/{night}"),
    ("POST", "/api/v1/nights/{night}/events"),
    ("GET", "/api/v1/nights/{night}/events"),
    ("GET", "/api/v1/nights/{night}/live"),
    ("GET", "/api/v1/nights/{night}/ledger"),
    ("GET", "/api/v1/nights/{night}/moves"),
    ("GET", "/api/v1/nights/{night}/replay"),
    ("POST", "/api/v1/score"),
}

_WITHOUT_A_LINK = (401, 403, 404)
"""A token that opens nothing is answered as if nothing were there: see `SECURITY.md`."""

_ACCEPTED = ["2xx", "401", "403", "404", "409", "422"]
"""What may become of a request that fits the text: the rules refuse most of what can be read."""

BEYOND_SCHEMAS = (
    "a house rule",
    "a move before a move",
    "a move for a move, a beginning for a beginning",
    "a name that is no move",
    "a note such as ",
    "a player of this night",
    "a text of 1 to ",
    "another player than the payer",
    "cards such as ",
    "names that differ",
    "whole numbers",
)
"""What is expected of a request in words that JSON Schema does not have: how names look, what a night or a ruleset
knows; and 1.0 is a whole number there."""
_AS_IT_WAS = re.compile(r"changes[.]\d+[.]with")
"""An entry inside of a correction, which the text leaves open."""


def as_it_says(ctx: Any, response: Any, case: Any) -> bool | None:
    """`positive_data_acceptance`, but for what a schema cannot say."""
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
    """Ask one call so often, as the keeper of a night. Raises what a check raises, with the smallest request."""
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
        if mode.is_positive and isinstance(case.body, dict) and "kind" in case.body:
            _up_to_date(case.body, table)
        case.call_and_validate(checks=every)

    with (
        patch.object(checks, "AUTH_REJECTION_STATUSES", _WITHOUT_A_LINK),
        patch.object(live, "LIFE_SECONDS", 0.01),
    ):
        check()


def _up_to_date(event: Data, table: Table) -> None:
    """Let an event be about the night as it is, so that the rules are asked; and leave the keeper the link."""
    assume((event["kind"], event.get("role")) != ("revoke", "keeper"))
    if "after" in event:
        event["after"] = table.keeper.board()["after"]


def report(examples: int) -> int:
    """The long mode: so many examples a call, good ones and bad ones, each about a night of its own."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Place(f"sqlite:///{folder}/ledger.db")
        for call, mode in product(sorted(CALLS), GenerationMode):
            said, begun = "as it says", time.monotonic()
            try:
                keeps_to_its_description(place.app, place.played(), call, mode, examples)
            except (Exception, FailureGroup) as error:
                wrong += 1
                said = f"NOT AS IT SAYS: {error}"
            print(f"{' '.join(call):42} {mode.value:9} {time.monotonic() - begun:5.0f} s  {said}", flush=True)
        place.close()
    return bool(wrong)
