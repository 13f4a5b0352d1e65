"""What is posted to a table where no script runs, and what a choice is made of; programs post JSON (`web/api/`)."""

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

from .identity_and_errors import SMALL, AnyRequest, Asker, TheTables, asking

#: How long a browser remembers that somebody forfeits, and at how many tables.
MOST_FORFEITS = 50

#: Choices are numbered below this, and said in at most so many signs.
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
    """Describes a choice with its bounds, which are lost where one of two kinds is described."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Whether this is a choice."""
        return bool(field_definition.raw == Choice)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        """A number or words, as they are read."""
        number = Schema(type=OpenAPIType.INTEGER, minimum=0, exclusive_maximum=MOST_CHOICES, description="Its number.")
        words = Schema(type=OpenAPIType.STRING, min_length=1, max_length=LONGEST_WORDS, description="Its words.")
        return Schema(one_of=[number, words])


class SeenVersion(msgspec.Struct):
    """Which version of the table somebody saw."""

    version: Version


class ScreenPost(msgspec.Struct):
    """The seat whose hand a screen is to show that several people share; 0 covers it."""

    seat: Annotated[int, msgspec.Meta(ge=0, lt=10, description="One of your seats, or 0.")]


@post("/{table_id:str}/screen")
async def screen_form(person: Asker, tables: TheTables, table_id: Id, data: URLEncodedBody[ScreenPost]) -> Redirect:
    """Give a screen that several people share to one of them, whose hand it then shows, or cover it."""
    await tables.show(await tables.get(table_id), person, data.seat)
    return Redirect(f"/table/{table_id}", status_code=303)


@post("/{table_id:str}/choose")
async def choose_form(person: Asker, tables: TheTables, table_id: Id, data: URLEncodedBody[ChoosePost]) -> Redirect:
    """Make a choice: a number is the number of one."""
    words = str(data.choice)
    data.choice = int(words) if words.isascii() and words.isdigit() else words
    await tables.choose(await tables.get(table_id), person, data.version, data.choice)
    return Redirect(f"/table/{table_id}", status_code=303)


@post("/{table_id:str}/take-back")
async def take_back_form(person: Asker, tables: TheTables, table_id: Id, data: URLEncodedBody[SeenVersion]) -> Redirect:
    """Undo the last choice."""
    await tables.take_back(await tables.get(table_id), person, data.version)
    return Redirect(f"/table/{table_id}", status_code=303)


@post("/{table_id:str}/hint")
async def hint_form(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: URLEncodedBody[SeenVersion]
) -> Redirect:
    """Take a hint; it stands beside the question until the choice."""
    await tables.hint(await tables.get(table_id), person, data.version, asking(request, person))
    return Redirect(f"/table/{table_id}", status_code=303)


@post("/{table_id:str}/forfeit")
async def forfeit_form(request: AnyRequest, person: Asker, tables: TheTables, table_id: Id) -> Redirect:
    """Forfeit as soon as that can be done, or stay after all; the browser remembers it too."""
    wanted = (await request.form()).get("forfeit") == "yes"
    await tables.forfeit(await tables.get(table_id), person, wanted)
    answer = Redirect(f"/table/{table_id}", status_code=303)
    kept = (person.forfeits - {"", table_id}) | ({table_id} if wanted else set())
    answer.set_cookie(FORFEITS, ".".join(sorted(kept)[:MOST_FORFEITS]), max_age=DAY, samesite="lax", httponly=True)
    return answer


@post("/{table_id:str}/again")
async def again_form(request: AnyRequest, person: Asker, tables: TheTables, table_id: Id) -> Redirect:
    """Play again: the same people, everybody one seat further."""
    table = await tables.get(table_id)
    return Redirect(f"/table/{await tables.again(table, person, asking(request, person))}", status_code=303)


def router() -> Router:
    """What forms post."""
    handlers = [choose_form, take_back_form, hint_form, screen_form, again_form, forfeit_form]
    return Router("/table", route_handlers=handlers, include_in_schema=False, request_max_body_size=SMALL)
