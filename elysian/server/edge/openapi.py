"""The OpenAPI page of the HTTP routes and the JSON Schema of the socket, written from the same types."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import Any

import msgspec

from elysian.rules import DECIDERS
from elysian.server.edge.http import Problem
from elysian.server.edge.route import Route
from elysian.server.edge.routes import ROUTES
from elysian.server.protocol.messages import FromClient, FromServer, FromStream

REFUSALS = {
    "400": "The request cannot be read or is not possible.",
    "401": "First say who you are.",
    "403": "Not allowed.",
    "404": "There is nothing here, or it is not for you.",
    "409": "The table or the rules refuse.",
    "429": "Too much at once.",
    "503": "The server cannot do that just now.",
}


def openapi() -> dict[str, Any]:
    """Every route with what is sent and what is answered."""
    types = [t for route in ROUTES for t in (route.body, route.answer) if t is not None]
    types.append(Problem)
    schemas, components = msgspec.json.schema_components(
        types, schema_hook=_anything, ref_template="#/components/schemas/{name}"
    )
    _name_all(components, "#/components/schemas/")
    shapes = {_key(t): schema for t, schema in zip(types, schemas, strict=True)}
    paths: dict[str, Any] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, shapes)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Elysian table server",
            "version": version("elysian"),
            "description": "See docs/server.md.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "key": {"type": "apiKey", "in": "cookie", "name": "elysian"},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _name_all(components: dict[str, Any], place: str) -> None:
    """Say what msgspec cannot know: which moves there are, and that what is infinite travels as null."""
    if "Action" in components:
        moves = [{"$ref": f"{place}{kind.__name__}"} for kind in DECIDERS]
        components["Action"] = {"title": "Action", "description": "A move in the game.", "anyOf": moves}
    for schema in components.values():
        for field in schema.get("properties", {}).values():
            if field.get("anyOf") == [{"type": "integer"}, {"type": "number"}]:
                field["anyOf"].append({"type": "null"})


def _anything(shape: type) -> dict[str, Any]:
    """The facts of a refusal may be of any kind."""
    if shape is object:
        return {"description": "Any value."}
    raise NotImplementedError


def _key(shape: Any) -> str:
    return str(shape)


def _operation(route: Route, shapes: dict[str, Any]) -> dict[str, Any]:
    problem = {"content": {"application/json": {"schema": shapes[_key(Problem)]}}}
    parameters = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,40}$"},
        }
        for name in re.findall(r"\{(\w+)\}", route.path)
    ]
    parameters += [{"name": name, "in": "query", "schema": {"type": "string"}} for name in route.query]
    done: dict[str, Any] = {"description": "Done."}
    if route.answer is not None:
        done["content"] = {route.kind: {"schema": shapes[_key(route.answer)]}}
    operation: dict[str, Any] = {
        "summary": route.says,
        "operationId": route.handler.__name__.strip("_"),
        "parameters": parameters,
        "responses": {
            "200" if route.answer is not None else "204": done,
            **{status: {"description": says, **problem} for status, says in REFUSALS.items()},
        },
    }
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": shapes[_key(route.body)]}},
        }
        for status, says in (("413", "The body is too large."), ("415", "The body is not JSON.")):
            operation["responses"][status] = {"description": says, **problem}
    if route.keyed:
        by_token = [] if route.of_token is None else [{"token": [route.of_token]}]
        operation["security"] = [{"key": []}, *by_token]
    return operation


def socket_schema() -> dict[str, Any]:
    """What may travel on the socket, both ways."""
    (client, server, stream), components = msgspec.json.schema_components(
        [FromClient, FromServer, FromStream], schema_hook=_anything, ref_template="#/$defs/{name}"
    )
    _name_all(components, "#/$defs/")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Elysian socket",
        "$defs": {**components, "FromClient": client, "FromServer": server, "FromStream": stream},
        "anyOf": [{"$ref": "#/$defs/FromClient"}, {"$ref": "#/$defs/FromServer"}],
    }
