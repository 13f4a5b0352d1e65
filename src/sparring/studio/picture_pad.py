"""Requests of the editor's drawing pad: a card's picture, a generated picture, an uploaded image."""

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException
from litestar.params import FromQuery, JSONBody
from litestar.status_codes import HTTP_413_REQUEST_ENTITY_TOO_LARGE
from markupsafe import Markup

from sparring.engine.errors import BadContent
from sparring.engine.formats.card_pictures import (
    LONGEST_PICTURE,
    QUOTED,
    SIDE,
    STROKES,
    InvalidPicture,
    name_of,
    read_picture,
)
from sparring.engine.formats.toml import read_toml
from sparring.engine.game import game as find_game
from sparring.engine.schema import Drawing, Field
from sparring.engine.schema.field import along
from sparring.scene.pictures import INKS, SHAPES, generate_picture
from sparring.server.api.responses import Id
from sparring.server.requests.identity import AnyRequest, CurrentPerson, requester_of
from sparring.settings.requests import ApiRefusal
from sparring.site.pages.game_pictures import Key, picture_response
from sparring.store.schema import SetRow, VersionRow
from sparring.tables.workers.uploads import PictureUrls

from .edits import GONE, EditPath
from .sandboxes import LARGEST
from .sets import LoadedSet, StudioSets

SetsDep = NamedDependency[StudioSets]
LoadedSetDep = NamedDependency[LoadedSet]

#: The largest request of the editor in bytes, and the largest upload: more than an image may have, so that the reader
#: can report one that is too large.
LONGEST_REQUEST = 1024 * 1024
LONGEST_UPLOAD = LARGEST + 1024 * 1024


async def provide_set(person: CurrentPerson, sets: SetsDep, set_id: Id = "", share: Id = "") -> LoadedSet:
    """Return the set in a path: the person's own, or a shared one."""
    return await sets.load(await sets.own_or_shared(person, set_id, share))


class PictureRequest(msgspec.Struct):
    """A request to generate a picture from a card's name and a seed."""

    name: Annotated[str, msgspec.Meta(max_length=100)] = ""
    seed: Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)] = 1


class PadPicture(msgspec.Struct):
    """A picture as the file stores it; empty without one."""

    picture: str


def pad_settings() -> str:
    """Return the pad's inks, shapes and limits as JSON."""
    return msgspec.json.encode({
        "inks": INKS, "shapes": SHAPES, "most": LONGEST_PICTURE, "strokes": STROKES, "side": SIDE, "largest": LARGEST,
    }).decode()  # fmt: skip


def has_pictures(field: Field) -> bool:
    """Return whether a form has a picture field."""
    return any(isinstance(inner, Drawing) for inner in field.declared())


def gallery_of(secret: str, row: SetRow, version: VersionRow) -> PictureUrls:
    """Return the pictures of a set by URL."""
    texts = {name_of(match[2]): match[2] for match in QUOTED.finditer(version.toml)}
    return PictureUrls(secret, f"set {row.id}", texts)


def preview(sets: StudioSets, loaded: LoadedSet, base: str) -> Markup:
    """Return a set's preview, with its pictures linked under `base`."""
    markup = Markup(loaded.draft.preview)
    if "picture:" not in markup:
        return markup
    return gallery_of(sets.settings.secret, loaded.row, loaded.version).with_addresses(markup, f"{base}/pictures")


@get(["/studio/{set_id:str}/pictures/{key:str}", "/studio/shared/{share:str}/pictures/{key:str}"])
async def picture(person: CurrentPerson, sets: SetsDep, key: Key, set_id: Key = "", share: Key = "") -> Response[bytes]:
    """Serve a picture of the person's own set or of a shared one."""
    row = await sets.own_or_shared(person, set_id, share)
    return picture_response(gallery_of(sets.settings.secret, row, await sets.version(row)), key)


@get("/api/studio/{set_id:str}/picture")
async def current_picture(person: CurrentPerson, sets: SetsDep, set_id: Key, at: FromQuery[str] = "[]") -> PadPicture:
    """Return the current picture of a card."""
    row = await sets.own(person, set_id)
    try:
        path = msgspec.json.decode(at, type=EditPath)
    except msgspec.DecodeError:
        raise BadContent(GONE) from None
    data = read_toml((await sets.version(row)).toml, "This set")
    _, field, value = along(find_game(row.game).form, data, path)[-1]
    if not isinstance(field, Drawing):
        raise BadContent(GONE)
    try:
        read_picture(value if isinstance(value, str) else "")
    except InvalidPicture:
        return PadPicture("")  # the editor shows the fault at the field
    return PadPicture(value)


@post("/api/studio/{set_id:str}/made", status_code=200, request_max_body_size=LONGEST_REQUEST)
async def generate_pad_picture(
    person: CurrentPerson, sets: SetsDep, set_id: Key, data: JSONBody[PictureRequest]
) -> PadPicture:
    """Generate a picture, deterministic for a name and a seed."""
    await sets.own(person, set_id)
    return PadPicture(generate_picture(data.name, data.seed).text)


def too_large(_: AnyRequest, __: HTTPException) -> Response[ApiRefusal]:
    """Answer an upload that was too large to read."""
    return Response(ApiRefusal("This image is larger than 5 MB."), status_code=413)


@post("/api/studio/{set_id:str}/brought", status_code=200, request_max_body_size=LONGEST_UPLOAD,
      exception_handlers={HTTP_413_REQUEST_ENTITY_TOO_LARGE: too_large})  # fmt: skip
async def upload_picture(request: AnyRequest, person: CurrentPerson, sets: SetsDep, set_id: Key) -> PadPicture:
    """Convert an uploaded image to a picture. The set doesn't change yet."""
    await sets.own(person, set_id)
    sets.rate_limits.take("pictures", requester_of(request, person))
    return PadPicture(await sets.images.convert(await request.body()))
