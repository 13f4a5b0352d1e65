"""What the answers for programs have in common: ids, refusals, and how papers are handed out."""

import inspect
from typing import Annotated, Any

import msgspec
from litestar._openapi.schema_generation import SchemaCreator
from litestar._openapi.schema_generation.plugins.struct import StructSchemaPlugin
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Schema, SecurityScheme
from litestar.params import PathParameter
from litestar.typing import FieldDefinition

from sparring.web.security.refusals import ApiRefusal
from sparring.web.settings import Settings

#: A table, a set, a record, by its id; a game by its name.
Id = Annotated[str, PathParameter(max_length=40, description="Its id.")]

#: How long a body may be that brings a file, in bytes.
LONG = Settings.longest_body

#: How programs come in.
TOKEN = SecurityScheme("http", scheme="bearer", description="A token that somebody made at /me/tokens.")

WHY = {
    400: "The body, the address or the query cannot be read",
    401: "The token is none of this table's, has ended, or was taken away",
    403: "The token has not the scope for this; only another may do it; or it came from another site",
    404: "There is nothing of this name or id",
    409: "It has moved on since the version that you saw",
    410: "It was played with another version of the game",
    413: "The body is too long",
    422: "What is asked for cannot be done; the sentence says why",
    429: "You ask for too much in too short a time",
    503: "More is asked for than can be done at once, or the server is about to stop",
}


def refusals(*more: int) -> dict[int, ResponseSpec]:
    """How a request may be refused: as every one may be, and by these numbers."""
    return {code: ResponseSpec(ApiRefusal, description=WHY[code]) for code in (400, 401, 403, 429, 503, *more)}


def allowed(scope: str) -> dict[str, Any]:
    """Which scope a token has to have for something; empty: any token will do. Without one a browser may come."""
    return {"opt": {"scope": scope}, "security": [{"token": [scope] if scope else []}, {}]}


class TextAnswer(StructSchemaPlugin):
    """Says in the description of a thing what it is."""

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        """The schema of a struct, with the first sentences of its docstring."""
        schema = super().to_openapi_schema(field_definition, schema_creator)
        schema.description = (inspect.getdoc(field_definition.type_) or "").partition("\n")[0]
        return schema


class ApiDocument(msgspec.Struct):
    """Something to read."""

    title: Annotated[str, msgspec.Meta(description="What it is of.")]
    text: Annotated[str, msgspec.Meta(description="Markdown, or TOML.")]


class ApiDone(msgspec.Struct):
    """It is done."""

    accepted: bool = True
