"""Shared parts of API responses: ids, errors, scopes and documents."""

import inspect
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import OpenAPIType, Schema, SecurityScheme
from litestar.params import PathParameter
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from sparring.server.requests.identity import AnyRequest
from sparring.settings import Settings
from sparring.settings.requests import ApiRefusal
from sparring.tables.action_requests import LONGEST_WORDS, MOST_CHOICES, Choice
from sparring.tables.play.match_history import GoneRefusal

#: The id of a table, set or record, or the name of a game.
Id = Annotated[str, PathParameter(max_length=40, description="The id.")]

#: The largest body with a file, in bytes.
LARGEST_BODY = Settings.longest_body

#: The authentication scheme.
TOKEN = SecurityScheme("http", scheme="bearer", description="A token created at /me/tokens.")

ERROR_DESCRIPTIONS = {
    400: "Malformed body, URL or query",
    401: "Unknown, expired or revoked token",
    403: "The token lacks the scope, you aren't allowed to do this, or the request came from another site",
    404: "No such name or id",
    409: "The table or set has changed since the version you saw",
    410: "The installed rules can't replay this match; `match` is what is left of a finished one",
    413: "The body is too large",
    422: "The request can't be carried out; the reason says why",
    429: "Too many requests",
    503: "The server is overloaded or shutting down",
}


def errors(*more: int) -> dict[int, ResponseSpec]:
    """Return the documented errors: those of every endpoint, and `more` status codes."""
    return {
        code: ResponseSpec(GoneRefusal if code == 410 else ApiRefusal, description=ERROR_DESCRIPTIONS[code])
        for code in (400, 401, 403, 429, 503, *more)
    }


def endpoint(
    scope: str, summary: str, *codes: int, newcomers: Mapping[str, str] = {}, also: Mapping[int, ResponseSpec] = {}
) -> dict[str, Any]:
    """Return what an endpoint declares: its scope, its summary, its errors' status codes and `also` other responses.

    The scope is empty for any token. Requests without a token use the browser's cookie. `newcomers` declares who has
    to wait while the server is overloaded (`server/requests/identity.py`).
    """
    return {
        "opt": {"scope": scope, **newcomers}, "security": [{"token": [scope] if scope else []}, {}],
        "responses": {**also, **errors(*codes)}, "summary": summary,
    }  # fmt: skip


class DescribedSchema(JsonRenderPlugin):
    """Render the OpenAPI document with descriptions of its structs."""

    def render(self, request: AnyRequest, openapi_schema: dict[str, Any]) -> bytes:
        """Return the document as JSON."""
        return super().render(request, with_descriptions(openapi_schema))


def with_descriptions(document: dict[str, Any]) -> dict[str, Any]:
    """Return an OpenAPI document with the first line of each struct's docstring as its description."""
    structs = {struct.__name__: struct for struct in _structs(msgspec.Struct)}
    for name, schema in document["components"]["schemas"].items():
        schema["description"] = (inspect.getdoc(structs[name]) or "").partition("\n")[0]
    return document


def _structs(base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for struct in base.__subclasses__():
        yield struct
        yield from _structs(struct)


class ChoiceInSchema(OpenAPISchemaPlugin):
    """Describe a choice with its bounds, which Litestar drops from unions."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Return whether the field is a choice."""
        return bool(field_definition.raw == Choice)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        """Return the schema of a number or a text."""
        number = Schema(type=OpenAPIType.INTEGER, minimum=0, exclusive_maximum=MOST_CHOICES, description="Its number.")
        words = Schema(type=OpenAPIType.STRING, min_length=1, max_length=LONGEST_WORDS, description="Its words.")
        return Schema(one_of=[number, words])


class ApiDocument(msgspec.Struct):
    """A document."""

    title: Annotated[str, msgspec.Meta(description="The title.")]
    text: Annotated[str, msgspec.Meta(description="Markdown or TOML.")]


class ApiDone(msgspec.Struct):
    """The request has been carried out."""

    accepted: bool = True
