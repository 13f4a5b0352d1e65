"""Forms for actions at a table, for pages without scripts; programs post JSON (`web/api/`)."""

from typing import Annotated

import msgspec
from litestar import Router, post
from litestar._openapi.schema_generation import SchemaCreator
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.params import FromPath, URLEncodedBody
from litestar.plugins import OpenAPISchemaPlugin
from litestar.response import Redirect
from litestar.typing import FieldDefinition

from sparring.web.identity import FORFEITS
from sparring.web.settings import DAY

from .identity_and_errors import SMALL, AnyRequest, Asker, TheTables, requester_of

#: At how many tables a browser remembers a standing forfeit.
MOST_FORFEITS = 50

#: The upper bound of choice numbers, and the longest text of a choice in characters.
MOST_CHOICES = 1 << 15
LONGEST_WORDS = 200

Version = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31, description="The version of the table that you saw.")]
Number = Annotated[int, msgspec.Meta(ge=0, lt=MOST_CHOICES, description="A choice by its number.")]
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_WORDS, description="A choice in words.")]
Id = FromPath[str]


Choice = Number | Words


class ChoosePost(msgspec.Struct):
    """A choice, by its number or in words."""

    version: Version
    choice: Choice


class ChoiceInSchema(OpenAPISchemaPlugin):
    """Describe a choice with its bounds, which Litestar drops from unions."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Return whether the field is a choice."""
        return bool(field_definition.raw == Choice)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        """Return the schema of a number or a text."""
        number = Schema(type=OpenAPIType.INTEGER, minimum=0, exclusive_maximum=MOST_CHOICES, description="Its number.")
        words = Schema(type=OpenAPIType.STRING, min_length=1, max_length=LONGEST_WORDS, description="Its words.")
        return Schema(one_of=[number, words])


class SeenVersion(msgspec.Struct):
    """The version of the table that the client has seen."""

    version: Version


class ScreenPost(msgspec.Struct):
    """The seat whose hand a shared screen shows; 0 hides all."""

    seat: Annotated[int, msgspec.Meta(ge=0, lt=10, description="One of your seats, or 0.")]


@post("/{table_id:str}/screen")
async def screen_form(person: Asker, tables: TheTables, table_id: Id, data: URLEncodedBody[ScreenPost]) -> Redirect:
    """Hand a shared screen to one of its players, whose hand it then shows, or hide all hands."""
    await tables.seating.hand_screen(await tables.registry.get(table_id), person, data.seat)
    return Redirect(f"/table/{table_id}", status_code=303)


@post("/{table_id:str}/choose")
async def choose_form(person: Asker, tables: TheTables, table_id: Id, data: URLEncodedBody[ChoosePost]) -> Redirect:
    """Make a choice; digits are the number of a choice."""
    words = str(data.choice)
    data.choice = int(words) if words.isascii() and words.isdigit() else words
    await tables.choices.choose(await tables.registry.get(table_id), person, data.version, data.choice)
    return Redirect(f"/table/{table_id}", status_code=303)


@post("/{table_id:str}/take-back")
async def take_back_form(person: Asker, tables: TheTables, table_id: Id, data: URLEncodedBody[SeenVersion]) -> Redirect:
    """Undo the last choice."""
    await tables.choices.take_back(await tables.registry.get(table_id), person, data.version)
    return Redirect(f"/table/{table_id}", status_code=303)


@post("/{table_id:str}/hint")
async def hint_form(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: URLEncodedBody[SeenVersion]
) -> Redirect:
    """Ask for a hint, which is shown until the choice."""
    await tables.hints.take(await tables.registry.get(table_id), person, data.version, requester_of(request, person))
    return Redirect(f"/table/{table_id}", status_code=303)


@post("/{table_id:str}/forfeit")
async def forfeit_form(request: AnyRequest, person: Asker, tables: TheTables, table_id: Id) -> Redirect:
    """Set or cancel a standing forfeit; the browser remembers it too."""
    wanted = (await request.form()).get("forfeit") == "yes"
    await tables.choices.forfeit(await tables.registry.get(table_id), person, wanted)
    response = Redirect(f"/table/{table_id}", status_code=303)
    forfeits = (person.forfeits - {"", table_id}) | ({table_id} if wanted else set())
    response.set_cookie(
        FORFEITS, ".".join(sorted(forfeits)[:MOST_FORFEITS]), max_age=DAY, samesite="lax", httponly=True
    )
    return response


@post(["/{table_id:str}/again", "/{table_id:str}/again/text"])
async def again_form(request: AnyRequest, person: Asker, tables: TheTables, table_id: Id) -> Redirect:
    """Take part in the rematch, which the first call creates, with pictures or in text mode."""
    table = await tables.registry.get(table_id)
    rematch = await tables.creation.rematch(table, person, requester_of(request, person))
    how = "/text" if request.url.path.endswith("/text") else ""
    return Redirect(f"/table/{rematch}{how}", status_code=303)


def router() -> Router:
    """Return the router of these forms."""
    handlers = [choose_form, take_back_form, hint_form, screen_form, again_form, forfeit_form]
    return Router("/table", route_handlers=handlers, include_in_schema=False, request_max_body_size=SMALL)
