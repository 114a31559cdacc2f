"""Every route of the server's own OpenAPI page, tried with what the page allows and with what it does not."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from elysian.server.edge.openapi import openapi
from elysian.server.edge.routes import ROUTES
from tools.drive.server import Browser, Served, full_table

CASES = 12
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
FEW = settings(
    max_examples=CASES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def page(served: Served) -> Any:
    return schemathesis.openapi.from_url(f"{served.origin}/api/openapi.json")


def test_the_page_names_every_route(page: Any) -> None:
    named = {(one.ok().method.upper(), one.ok().path) for one in page.get_all_operations()}
    itself = {("GET", "/api/openapi.json")}
    assert named | itself == {(route.method, route.path) for route in ROUTES}


def _tries() -> list[tuple[str, str, GenerationMode]]:
    """Every route with what it allows, and where there is something to spoil, with what it does not."""
    tries = []
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            tries.append((method, path, GenerationMode.POSITIVE))
            if operation["parameters"] or "requestBody" in operation:
                tries.append((method, path, GenerationMode.NEGATIVE))
    return tries


@pytest.mark.parametrize(("method", "path", "mode"), _tries())
def test_whatever_is_asked_of_a_route_gets_an_answer_its_page_names(
    served: Served, page: Any, method: str, path: str, mode: GenerationMode
) -> None:
    operation = page[path][method.upper()]
    table, people = full_table(served)
    counts: Counter[int] = Counter()

    @FEW
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        person = people[counts.total() % 3]
        if "table" in (case.path_parameters or {}) and counts.total() % 4:
            case.path_parameters["table"] = table
        if (method, path) == ("delete", "/api/me"):
            person = Browser(served, "Eve")
        if path.endswith("/stream") and ((case.query or {}).get("seconds") or "0").isdigit():
            case.query = {**(case.query or {}), "seconds": "0"}  # else it would never end
        key = person.key if counts.total() % 5 else "x" * 43
        response = case.call(base_url=served.origin, cookies={"elysian": key})
        counts[response.status_code] += 1
        case.validate_response(response, checks=CHECKS)

    ask()
    assert counts.total() > 0
    assert Browser(served).get("/healthz").json["ready"] is True
    assert '"mistake"' not in served.log()
