"""Schemathesis reads the OpenAPI file and sends what fits and what does not: never a 5xx, never a shape that was not announced."""

from contextlib import suppress
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from tablee.tables.commands import TAGS
from tests.web.serving import WAIT, Serving, now, view, wait_for

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
STREAM = "/api/v1/tables/{table_id}/events"  # it does not end by itself; tests of its own read it


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_schemathesis_finds_nothing(house: Serving, mode: GenerationMode) -> None:
    with house.person() as person:
        table = now(person, "traboulet")
        before = wait_for(person, table, "legal")["seats"]
    schema = schemathesis.openapi.from_dict(httpx.get(f"{house.base}/api/v1/openapi.json").json())
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok()  # type: ignore[union-attr]
        if operation.path == STREAM:
            continue

        @settings(max_examples=15, deadline=None, derandomize=True, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy(mode))
        def once(case: Case[Any]) -> None:
            nonlocal tried
            tried += 1
            if case.path_parameters and tried % 2:
                case.path_parameters["table_id"] = table
            response = case.call(base_url=house.base, timeout=WAIT)
            case.validate_response(response, checks=CHECKS)

        with suppress(Unsatisfiable):  # nothing can be wrong in a request without fields
            once()
    assert tried > 40
    with house.person() as person:
        assert view(person, table)["seats"] == before


def test_the_document_describes_exactly_the_commands(house: Serving) -> None:
    """A component for each tag; where one sits down the tag may be left out, as `read_sit` takes it."""
    document = httpx.get(f"{house.base}/api/v1/openapi.json").json()
    schemas = document["components"]["schemas"]
    tags = {name: one["properties"]["t"]["enum"] for name, one in schemas.items() if "t" in one.get("properties", {})}
    sit_down = schemas["SitDown"]
    assert tags.pop("SitDown") == ["sit"]
    assert sorted(tags.values()) == sorted([tag] for tag in TAGS)
    union = schemas["Command"]
    assert {one["$ref"].rpartition("/")[2] for one in union["anyOf"]} == set(tags)
    assert union["discriminator"]["propertyName"] == "t"
    assert all("t" in schemas[name]["required"] for name in tags)
    assert "t" not in sit_down["required"]
    body = document["paths"]["/api/v1/tables/{table_id}/seats"]["post"]["requestBody"]
    assert body["content"]["application/json"]["schema"]["$ref"].endswith("/SitDown")
