"""The API matches its OpenAPI schema for any input; and `make load` measures it."""

import re
from dataclasses import replace
from typing import Any

import pytest
import schemathesis
from hypothesis import given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)  # fmt: skip

from benchmarks.load import Load, measure
from web.app_server import AppServer

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance,
    negative_data_rejection,
]  # fmt: skip


#: Frequently used routes get the most examples.
OFTEN = {"/api/table/{table_id}": 15, "/api/table/{table_id}/choose": 15, "/api/table/{table_id}/take-back": 15}
USUALLY = 2


def test_every_response_matches_its_schema(server: AppServer) -> None:
    """Streams are tested in `api/test_events.py`, because they don't end."""
    described = schemathesis.openapi.from_url(f"{server.url}/schema/openapi.json")
    token = {"Authorization": f"Bearer {server.token('Anna')}"}
    asked = set()
    for found in described.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        asked.add(operation.path)
        if operation.path.endswith("/events"):
            continue

        @given(operation.as_strategy())
        @settings(max_examples=OFTEN.get(operation.path, USUALLY), deadline=None, derandomize=True)
        def answered(case: Any) -> None:
            case.call_and_validate(checks=CHECKS, headers=token)

        answered()
    assert asked >= OFTEN.keys()


def test_every_operation_is_documented(server: AppServer) -> None:
    described = server.stranger().get("/schema/openapi.json").json()
    for path, operations in described["paths"].items():
        for operation in operations.values():
            assert operation["summary"], path
            assert operation["description"].endswith("."), path
            assert operation["tags"], path
            assert {"400", "401", "403", "429", "503"} <= operation["responses"].keys(), path


@pytest.mark.server
def test_load_is_measured_on_its_own_server() -> None:
    for seconds in (3.0, 20.0, 60.0):  # however busy the machine is
        found = measure(tables=3, seconds=seconds, think=0.0, game="five-circles")
        if found.choices > 3:
            break
    assert found.choices > 3
    assert found.choices_per_core > found.choices_per_second
    assert 0 < found.median <= found.p95 <= found.p99
    assert (found.refused, found.reason) == (0, "")


@pytest.mark.parametrize(
    ("changed", "limit"),
    [
        ({}, ""), ({"core": 0.95}, "the server's core"), ({"own_core": 0.95}, "the clients' core"),
        ({"p95": 1.5}, "over a second"), ({"choices": 1}, "no answers"),
        ({"refused": 2, "reason": "no room"}, "2 clients .* no room"),
    ],
)  # fmt: skip
def test_the_limit_reached_is_reported(changed: dict[str, Any], limit: str) -> None:
    calm = Load(100, 2000, 1.0, 0.01, 0.03, 0.04, 100.0, 250.0, 90.0, 0.1, 0.4, 0.3, 0, "")
    found = replace(calm, **changed)
    assert re.search(limit, found.limit)
    assert (found.limit or "no limit reached") in str(found)
