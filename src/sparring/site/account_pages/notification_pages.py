"""Notifications: which ones a person wants, and the browsers that get push notifications."""

from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, Router, post
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect

from sparring.people.identity import LONGEST_NAME, with_id
from sparring.people.notifications import KINDS
from sparring.people.push import LONGEST_ENDPOINT, read_device
from sparring.scene.plain_text import one_line
from sparring.server.requests.errors import PageNotFound
from sparring.server.requests.identity import SMALL, AnyRequest, CurrentPerson, requester_of
from sparring.site.pages.table_pages import redirect_with_identity

from .account_routes import PersonalDataDep, form_of
from .sign_in_pages import with_identity_cookie

#: How many browsers of a person get push notifications.
DEVICES = 10


class PushKeys(msgspec.Struct):
    """The keys of a browser, which encrypt messages to it."""

    p256dh: Annotated[str, msgspec.Meta(max_length=200)]
    auth: Annotated[str, msgspec.Meta(max_length=100)]


class PushSubscription(msgspec.Struct):
    """A browser's push subscription (the JSON form of the Push API), and a name for the browser."""

    endpoint: Annotated[str, msgspec.Meta(max_length=LONGEST_ENDPOINT)]
    keys: PushKeys
    label: Annotated[str, msgspec.Meta(max_length=200)] = ""


@post("/me/notifications")
async def choose(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Redirect:
    """Store which notifications a person wants."""
    ways = personal_data.dispatcher.ways
    if not ways or not person.id:
        raise PageNotFound("There is nothing at this address.")
    personal_data.accounts.rate_limits.take("preferences", requester_of(request, person))
    form = await form_of(request)
    wanted = [(kind, way) for kind in KINDS for way in ways if form[f"{kind}-{way}"] == "yes"]
    await personal_data.dispatcher.choices.choose(person.id, ways, wanted)
    return Redirect("/me?said=notifications", status_code=303)


@post("/me/push")
async def add_device(
    request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep, data: JSONBody[PushSubscription]
) -> Response[Any]:
    """Send push notifications to this browser from now on. A visitor without an identity gets one."""
    if "push" not in personal_data.dispatcher.ways:
        raise PageNotFound("There is nothing at this address.")
    personal_data.accounts.rate_limits.take("preferences", requester_of(request, person))
    owner, services = with_id(person), personal_data.dispatcher.settings.push.services
    label = one_line(data.label)[:LONGEST_NAME] or "This browser"
    device = read_device(owner.id, label, data.endpoint, data.keys.p256dh, data.keys.auth, services)
    await personal_data.dispatcher.choices.add_device(device, owner, DEVICES, list(KINDS))
    response = Response({"to": "/me?said=push"}, media_type=MediaType.JSON, status_code=200)
    return response if owner == person else with_identity_cookie(request, owner, response)


@post("/me/push/{device:str}/remove")
async def remove_device(
    request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep, device: FromPath[str]
) -> Redirect:
    """Stop push notifications to a browser."""
    await personal_data.dispatcher.choices.remove_device(person.id, device)
    return redirect_with_identity(request, person, "/me?said=unpush")


HANDLERS: list[Any] = [
    Router("/", route_handlers=[choose, add_device, remove_device], include_in_schema=False,
           request_max_body_size=SMALL),
]  # fmt: skip
