"""The forms of the actions at a table, for pages without scripts, what only they have, and the chat page.

Some lead elsewhere than to the table, or give a visitor a name or an id, which their cookie then holds. The fields are
decoded into the structs that programs send.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from litestar import get, post
from litestar.exceptions import ValidationException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Redirect, Template
from msgspec import inspect

from sparring.people.identity import read_name, with_id, with_name
from sparring.server.requests.identity import AnyRequest, CurrentPerson, TablesDep, find_table
from sparring.settings.requests import Action
from sparring.site.table_parts import chat_panel
from sparring.store.person import Person
from sparring.tables.actions import TABLE_ACTIONS, carry_out

from .table_pages import page, redirect_with_identity

#: The values of the fields of a form: text, or uploaded files.
Fields = Mapping[str, Sequence[Any]]
#: The most digits of a number; longer ones stay words.
MOST_DIGITS = 9


def decode_form(fields: Fields, kind: Any, required: Collection[str] = ()) -> Any:
    """Return a struct from the fields of a form. Raise ValidationException if they are malformed or missing.

    A browser sends every field of a form with each of its buttons, so fields that the struct doesn't have are dropped.
    `required` are fields that a form must have, although the struct has a default.
    """
    if missing := [name for name in required if name not in fields]:
        raise ValidationException(extra=[{"message": f"Object missing required field `{missing[0]}`"}])
    types = _types(kind)
    try:
        return msgspec.convert(
            {name: _read(types[name], values) for name, values in fields.items() if name in types and values},
            kind,
            strict=False,
        )
    except msgspec.ValidationError as problem:
        message, _, place = str(problem).partition(" - at `$.")
        raise ValidationException(extra=[{"key": place.rstrip("`") or "data", "message": message}]) from None


@cache
def _types(kind: Any) -> dict[str, inspect.Type]:
    """Return the types of a struct's fields, without their bounds."""
    fields = inspect.type_info(kind).fields  # type: ignore[attr-defined]
    return {field.encode_name: _unbound(field.type) for field in fields}


def _unbound(kind: inspect.Type) -> inspect.Type:
    return _unbound(kind.type) if isinstance(kind, inspect.Metadata) else kind


def _read(kind: inspect.Type, values: Sequence[Any]) -> Any:
    """Return a field's value for `msgspec`, which reads text as numbers, but not as a union's, nor `yes` and `no`."""
    if isinstance(kind, inspect.ListType) or len(values) > 1:
        return values  # several values of another field are refused
    text = values[0]
    if not isinstance(text, str):
        return text
    if isinstance(kind, inspect.BoolType):
        return {"yes": True, "no": False}.get(text, text)
    if isinstance(kind, inspect.UnionType) and text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
        return int(text)
    return text


CHAT = "/table/{table}/chat"
ACTIONS = {action.name: action for action in TABLE_ACTIONS}
#: Shown on the page after a report.
REPORTED = "Thank you. The server's moderators will see your report."


def as_sent(person: Person, fields: Fields) -> tuple[Person, Fields]:
    """Leave the person and the fields as they are."""
    return person, fields


def seated(person: Person, fields: Fields) -> tuple[Person, Fields]:
    """Give the person who sits down an identity, and the name that they enter, if any."""
    if "local_player" in fields:
        read_name(_text(fields, "local_player"))  # the action takes an empty name for none
        return person, fields
    name = _text(fields, "name").strip() or person.name
    return with_name(person, name) if name else with_id(person), {**fields, "name": ()}


def named(person: Person, fields: Fields) -> tuple[Person, Fields]:
    """Give a spectator the name that they enter. A phrase's button also sends the text field, which is dropped."""
    if not person.name and "name" in fields:
        person = with_name(person, _text(fields, "name"))
    return person, {**fields, "text": ()} if _text(fields, "word") else fields


def remembered(person: Person, fields: Fields) -> tuple[Person, Fields]:
    """Give a spectator without an id one, by which to remember whom they mute."""
    return person if person.id else with_id(person), fields


def composed(person: Person, fields: Fields) -> tuple[Person, Fields]:
    """Return the chosen parts of a description; empty ones are left out."""
    return person, {**fields, "parts": [part for part in fields.get("part", ()) if part]}


def _text(fields: Fields, name: str) -> str:
    """Return the first value of a field, or nothing."""
    return str(next(iter(fields.get(name, ())), ""))


@dataclass(frozen=True)
class Form:
    """What a form does besides its action."""

    #: Where it leads: an address with the table's id and the action's answer.
    then: str = "/table/{table}"
    #: Fields that it must have, although programs may omit them.
    required: tuple[str, ...] = ()
    #: Changes the person and the fields before the action. A changed person gets a new identity cookie.
    prepare: Callable[[Person, Fields], tuple[Person, Fields]] = as_sent


#: The forms that aren't `Form()`, by the end of their path, which begins with the action's name.
FORMS = {
    "forfeit": Form(required=("forfeit",)),
    "again": Form("/table/{answer.table}"),
    "again/text": Form("/table/{answer.table}/text"),
    "sit": Form(prepare=seated),
    "friend": Form("/friends?said=player"),
    "chat": Form(CHAT, prepare=named),
    "caption": Form(CHAT, prepare=composed),
    "applaud": Form(CHAT),
    "mute": Form(CHAT, prepare=remembered),
    "unmute": Form(CHAT),
    "report": Form(f"{CHAT}?said=reported"),
}


def mounted(path: str, action: Action, form: Form) -> HTTPRouteHandler:
    """Return the handler of an action's form."""

    async def handle(request: AnyRequest, person: CurrentPerson, table_id: FromPath[str]) -> Redirect:
        visitor, fields = form.prepare(person, (await request.form()).dict())
        data = [decode_form(fields, action.request, form.required)] if action.request else []
        at = await find_table(request, visitor, table_id)
        answer = await carry_out(action, at, *data)
        address = form.then.format(table=table_id, answer=answer)
        if visitor is person:
            return Redirect(address, status_code=303)
        return redirect_with_identity(request, visitor, address)

    action.lend_names(handle)
    opt = {"newcomers": action.newcomers} if action.newcomers else {}
    return post(f"/table/{{table_id:str}}/{path}", opt=opt)(handle)


@get("/table/{table_id:str}/chat")
async def chat(request: AnyRequest, person: CurrentPerson, tables: TablesDep, table_id: FromPath[str]) -> Template:
    """Show a table's chat and its forms."""
    table = await tables.registry.get(table_id)
    chat_filter = await tables.chat.filter_for(table, person)
    said = REPORTED if request.query_params.get("said") == "reported" else ""
    return page("chat.html", request, person, table=table, setup=table.match.setup, said=said,
                chat=chat_panel.panel(table, person, chat_filter))  # fmt: skip


@get("/table/{table_id:str}/talk")
async def old_chat(table_id: FromPath[str]) -> Redirect:
    """Redirect from the old address of the chat page."""
    return Redirect(f"/table/{table_id}/chat", status_code=301)


MOUNTED = [
    mounted(path, ACTIONS[path.partition("/")[0]], FORMS.get(path, Form()))
    for path in dict.fromkeys([*ACTIONS, *FORMS])
]
