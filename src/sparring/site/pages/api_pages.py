"""The API's reference page, generated from the OpenAPI schema, and the page for creating and revoking tokens."""

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from markupsafe import Markup, escape

from sparring.engine.errors import SparringError
from sparring.people.api_tokens import SCOPES, TokenRequest
from sparring.people.identity import with_name
from sparring.server.api.responses import with_descriptions
from sparring.server.requests.errors import told
from sparring.server.requests.identity import AnyRequest, CurrentPerson, requester_of, with_identity_cookie
from sparring.server.requests.pages import RendererDep, form_of
from sparring.server.requests.server_state import server_state
from sparring.settings import DAY
from sparring.store.person import Person

from .table_pages import page

Schema = Mapping[str, Any]

#: Headings of the reference by OpenAPI tag, in reading order.
SUBJECTS = {
    "you": "Your account", "players": "Ratings and results", "games": "Games", "tables": "Tables", "chat": "Chat",
    "events": "Event streams", "replays": "Replays and reviews", "sets": "Studio",
}  # fmt: skip
#: Example values by field name.
NAMES = {"game": "make-your-moves", "seats": ["me", "random"], "version": 1, "choice": "target 2", "seat": 2}


@dataclass(frozen=True)
class DocumentedType:
    """A value's type in words, and the documented object it refers to, if any."""

    words: str
    thing: str = ""
    more: str = ""


@dataclass(frozen=True)
class DocumentedField:
    """A parameter, or a field of an object."""

    name: str
    kind: DocumentedType
    about: str
    #: The parameter's place (`path`, `query` or `header`), and whether it is required.
    where: str = ""
    needed: bool = False


@dataclass(frozen=True)
class DocumentedEndpoint:
    """An endpoint."""

    method: str
    path: str
    title: str
    about: list[str]
    scope: str
    curl: str
    parameters: list[DocumentedField]
    body: DocumentedType | None
    answer: DocumentedType
    refusals: dict[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Return the element id on the page."""
        return f"{self.method}-{self.path}".lower().replace("/", "-").replace("{", "").replace("}", "")


@dataclass(frozen=True)
class DocumentedObject:
    """An object in requests or responses."""

    name: str
    about: str
    parts: list[DocumentedField]


@get("/api")
async def api_page(request: AnyRequest, person: CurrentPerson, renderer: RendererDep) -> Template:
    """Show the API reference."""

    def render() -> str:
        subjects, things = described(with_descriptions(request.app.openapi_schema.to_schema()))
        engine = request.app.template_engine
        assert engine is not None
        return str(engine.get_template("api_reference.html").render(subjects=subjects, things=things, scopes=SCOPES))

    reference = await renderer.part(render, "API reference")
    here = escape(str(request.base_url).rstrip("/"))
    return page("api.html", request, person, reference=Markup(reference.replace("HERE", here)))


def described(schema: Schema) -> tuple[dict[str, list[DocumentedEndpoint]], list[DocumentedObject]]:
    """Return the endpoints by heading, and the objects, of an OpenAPI schema."""
    subjects: dict[str, list[DocumentedEndpoint]] = {title: [] for title in SUBJECTS.values()}
    for path, operations in sorted(schema["paths"].items()):
        for method, operation in sorted(operations.items()):
            subjects[SUBJECTS[operation["tags"][0]]].append(_endpoint(schema, path, method, operation))
    return subjects, [_object(name, each) for name, each in sorted(schema["components"]["schemas"].items())]


def _endpoint(schema: Schema, path: str, method: str, operation: Schema) -> DocumentedEndpoint:
    responses = dict(operation["responses"])
    success = next(code for code in responses if code.startswith("2"))
    response, body = _content(responses.pop(success)), _content(operation.get("requestBody", {}))
    parameters = [_parameter(each) for each in operation.get("parameters", ())]
    scopes = next(iter(operation["security"][0].values()))
    return DocumentedEndpoint(
        method.upper(), path, operation["summary"], operation["description"].split("\n\n"), "".join(scopes),
        curl(schema, path, body if "requestBody" in operation else None, is_stream=path.endswith("/events"),
             is_post=method == "post"),
        parameters, kind_of(body) if "requestBody" in operation else None, kind_of(response),
        {code: each["description"] for code, each in sorted(responses.items())},
    )  # fmt: skip


def _parameter(parameter: Schema) -> DocumentedField:
    schema = parameter.get("schema", {})
    about = parameter.get("description") or schema.get("description", "")
    return DocumentedField(parameter["name"], kind_of(schema), about, parameter["in"], parameter.get("required", False))


def _content(body: Schema) -> Schema:
    """Return the schema of a body of any media type."""
    content: Schema = next(iter(body.get("content", {}).values()), {})
    schema: Schema = content.get("schema", {})
    return schema


def _object(name: str, schema: Schema) -> DocumentedObject:
    required = set(schema.get("required", ()))
    parts = [
        DocumentedField(each, kind_of(inner), inner.get("description", ""), needed=each in required)
        for each, inner in schema.get("properties", {}).items()
    ]
    return DocumentedObject(name, schema.get("description", "").split("\n")[0], parts)


def kind_of(schema: Schema) -> DocumentedType:
    """Describe a schema's type."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return DocumentedType(name, name)
    if "allOf" in schema:
        return kind_of(schema["allOf"][0])
    if kinds := [kind_of(each) for each in schema.get("oneOf", schema.get("anyOf", ()))]:
        known = [kind for kind in kinds if kind.words != "null"]
        rest = " or ".join(kind.words for kind in kinds if kind is not known[0])
        return DocumentedType(known[0].words, known[0].thing, f" or {rest}" if rest else "")
    if "const" in schema or "enum" in schema:
        return DocumentedType(" or ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")])))
    if schema.get("type") == "array":
        inner = kind_of(schema.get("items", {}))
        return DocumentedType(inner.words, inner.thing, f"{inner.more} (list)")
    return DocumentedType(WORDS.get(str(schema.get("type")), "anything"))


WORDS = {
    "string": "string", "integer": "integer", "number": "number", "boolean": "boolean",
    "object": "object", "null": "null",
}  # fmt: skip


def curl(schema: Schema, path: str, body: Schema | None, *, is_stream: bool, is_post: bool) -> str:
    """Return a curl command for an endpoint; `HERE` stands for the server's URL."""
    words = ["curl", *(["-N"] if is_stream else []), '-H "Authorization: Bearer $TOKEN"']
    if body is not None:
        words += ["-H 'Content-Type: application/json'", f"-d '{json.dumps(example(schema, body))}'"]
    elif is_post:
        words.append("-X POST")
    return " ".join([*words, "HERE" + path.replace("{", "").replace("}", "").replace("_id", "").replace("name", NAME)])


NAME = "make-your-moves"


def example(schema: Schema, part: Schema, name: str = "") -> Any:
    """Return an example value of a schema, with only required fields."""
    if "$ref" in part:
        part = schema["components"]["schemas"][part["$ref"].rpartition("/")[2]]
    if name in NAMES:
        return NAMES[name]
    if "properties" in part:
        needed = part.get("required", ())
        return {each: example(schema, part["properties"][each], each) for each in needed}
    for kind in _options(part):
        return example(schema, kind, name)
    return part.get("enum", [EXAMPLES.get(str(part.get("type")), {})])[0]


def _options(part: Schema) -> Iterator[Schema]:
    yield from part.get("oneOf", part.get("anyOf", ()))


EXAMPLES: dict[str, Any] = {"string": "...", "integer": 1, "number": 1.0, "boolean": True, "array": []}


#: Lifetimes of tokens: days (0: unlimited) and labels.
LASTS = {"7": "7 days", "30": "30 days", "90": "90 days", "365": "a year", "0": "unlimited"}


@get("/me/tokens")
async def tokens_page(request: AnyRequest, person: CurrentPerson) -> Template:
    """Show the person's tokens and the form for a new one."""
    return await _page(request, person, {"scope.look": "on", "scope.play": "on", "days": "90"})


async def _page(request: AnyRequest, person: Person, values: dict[str, str], **more: Any) -> Template:
    tokens = server_state(request.app).tokens
    mine = await tokens.store.of(person.id) if person.id else []
    context = {"made": "", **more}
    return page("tokens.html", request, person, mine=mine, values=values, scopes=SCOPES, lasts=LASTS,
                today=int(time.time()) // DAY, day=_day, now=time.time(), **context)  # fmt: skip


def _day(seconds: float) -> str:
    return time.strftime("%d %B %Y", time.gmtime(seconds)).lstrip("0")


@post("/me/tokens", status_code=200)
async def make(request: AnyRequest, person: CurrentPerson) -> Template:
    """Create a token and show it this once."""
    form = await form_of(request)
    tokens = server_state(request.app).tokens
    days = form.get("days", "")
    scopes = [key.removeprefix("scope.") for key in form if key.startswith("scope.")]
    try:
        if days not in LASTS:
            raise SparringError(f"Choose the token's lifetime: {', '.join(LASTS.values())}.")
        owner = person if person.name else with_name(person, form.get("owner", ""))
        wanted = TokenRequest(form.get("name", ""), scopes, int(days), form.get("kind") == "bot")
        made = await tokens.make(owner, wanted, requester_of(request, owner))
    except SparringError as problem:
        return await _page(request, person, form, **told(request, problem))
    response = await _page(request, owner, {"scope.look": "on", "scope.play": "on", "days": "90"}, made=made)
    return response if owner is person else with_identity_cookie(request, owner, response)


@post("/me/tokens/{token:str}/revoke")
async def revoke(request: AnyRequest, person: CurrentPerson, token: FromPath[str]) -> Redirect:
    """Revoke a token."""
    tokens = server_state(request.app).tokens
    await tokens.revoke(person, token)
    return Redirect("/me/tokens", status_code=303)
