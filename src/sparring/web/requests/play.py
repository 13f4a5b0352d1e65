"""What is posted to a table: as JSON by programs and our own script (`/api`), as a form where no script runs."""

from typing import Annotated, Any

import msgspec
from litestar import Router, get, post
from litestar._openapi.schema_generation import SchemaCreator
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.params import FromPath, JSONBody, URLEncodedBody
from litestar.plugins import OpenAPISchemaPlugin
from litestar.response import Redirect
from litestar.typing import FieldDefinition

from sparring.web.people import FORFEITS
from sparring.web.settings import DAY
from sparring.web.tables.sight import sentences

from .exchange import SMALL, Accepted, AnyRequest, Asker, Refused, TheTables, asking

#: How long a browser remembers that somebody forfeits, and at how many tables.
MOST_FORFEITS = 50

#: Choices are numbered below this, and said in at most so many signs.
MOST_CHOICES = 1 << 15
LONGEST_WORDS = 200

Version = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31, description="The version of the table that you saw.")]
Number = Annotated[int, msgspec.Meta(ge=0, lt=MOST_CHOICES, description="A choice by its number.")]
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_WORDS, description="A choice in words.")]
Id = FromPath[Annotated[str, msgspec.Meta(max_length=40)]]


Choice = Number | Words


class Choose(msgspec.Struct):
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


class Seen(msgspec.Struct):
    """Which version of the table somebody saw."""

    version: Version


class Possible(msgspec.Struct):
    """A choice that can be made now."""

    choice: int
    words: str


class Look(msgspec.Struct):
    """The table as the one who asks sees it. `seat` 0 only watches; `asked` says whether this seat is to choose."""

    version: int
    seat: int
    asked: bool
    over: bool
    scene: str
    choices: list[Possible]
    log: list[str]


REFUSALS = {
    400: ResponseSpec(Refused, description="The body or the address cannot be read"),
    403: ResponseSpec(Refused, description="Only another may do this, or it came from another site"),
    404: ResponseSpec(Refused, description="There is no such table"),
    409: ResponseSpec(Refused, description="The table has moved on since that version"),
    410: ResponseSpec(Refused, description="The table was played with another version of the game"),
    413: ResponseSpec(Refused, description="The body is too long"),
    422: ResponseSpec(Refused, description="The choice is not understood, ambiguous, or not legal now"),
}


@get("/{table_id:str}", raises=[], responses={code: REFUSALS[code] for code in (404, 410)})
async def look(person: Asker, tables: TheTables, table_id: Id) -> Look:
    """The table in words: what lies there, what can be chosen, what has happened."""
    table = await tables.get(table_id)
    seat, shown = table.seat_of(person), table.shown
    sight = await table.look(seat)
    view = sight.view
    return Look(
        version=sight.version, seat=seat, asked=bool(seat) and seat == shown.asked, over=shown.over,
        scene=str(view.scene), choices=[Possible(*choice) for choice in view.choices],
        log=[line for _, line in sentences(sight.log)],
    )  # fmt: skip


@post("/{table_id:str}/choose", status_code=200, responses=REFUSALS)
async def choose(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[Choose]) -> Accepted:
    """Make a choice. It is stored when this is answered; on any refusal nothing has changed."""
    table = await tables.get(table_id)
    return Accepted(await tables.choose(table, person, data.version, data.choice))


@post("/{table_id:str}/take-back", status_code=200, responses=REFUSALS)
async def take_back(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[Seen]) -> Accepted:
    """Undo the last choice, as long as nobody has learned anything from it."""
    table = await tables.get(table_id)
    return Accepted(await tables.take_back(table, person, data.version))


@post("/{table_id:str}/choose")
async def choose_form(person: Asker, tables: TheTables, table_id: Id, data: URLEncodedBody[Choose]) -> Redirect:
    """The same as a form: a number is the number of a choice."""
    words = str(data.choice)
    data.choice = int(words) if words.isascii() and words.isdigit() else words
    await choose.fn(person, tables, table_id, data)
    return Redirect(f"/table/{table_id}", status_code=303)


@post("/{table_id:str}/take-back")
async def take_back_form(person: Asker, tables: TheTables, table_id: Id, data: URLEncodedBody[Seen]) -> Redirect:
    """The same as a form."""
    await take_back.fn(person, tables, table_id, data)
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


def routers() -> list[Router]:
    """What programs post, and what forms post."""
    shared: dict[str, Any] = {"request_max_body_size": SMALL}
    return [
        Router("/api/table", route_handlers=[look, choose, take_back], tags=["table"], **shared),
        Router(
            "/table",
            route_handlers=[choose_form, take_back_form, again_form, forfeit_form],
            include_in_schema=False,
            **shared,
        ),
    ]
