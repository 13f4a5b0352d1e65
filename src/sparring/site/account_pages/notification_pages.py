"""E-mail and notifications: the address of an account, links in e-mails, password resets, and what a person wants."""

from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect, Template

from sparring.engine.errors import SparringError
from sparring.people.emails import LONGEST_ADDRESS, BadMailLink, EmailAddresses
from sparring.people.identity import LONGEST_NAME, with_id
from sparring.people.notifications import KINDS
from sparring.people.passwords import LONGEST, SHORTEST
from sparring.people.push import LONGEST_ENDPOINT, read_device
from sparring.scene.markup import one_line
from sparring.server.requests.errors import PageNotFound, told
from sparring.server.requests.identity import AnyRequest, CurrentPerson, requester_of, with_identity_cookie
from sparring.server.requests.pages import form_of
from sparring.server.requests.server_state import server_state
from sparring.site.pages.table_pages import page, redirect_with_identity
from sparring.store.person import Person

from .account_routes import PersonalDataDep, me_page
from .personal_data import PersonalData
from .sign_in_pages import merge_guest, movable, with_sign_in_cookies


def addresses_of(request: AnyRequest) -> EmailAddresses:
    """Return the e-mail addresses of the server; raise PageNotFound if it sends no e-mail."""
    addresses = server_state(request.app).email_addresses
    if not addresses.on:
        raise PageNotFound("There is nothing at this address.")
    return addresses


@post("/me/address")
async def set_address(
    request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep
) -> Template | Redirect:
    """Store a new e-mail address and send a link that confirms it."""
    addresses, form = addresses_of(request), await form_of(request)
    try:
        await addresses.set(person, form["address"], requester_of(request, person))
    except SparringError as problem:
        return await me_page(request, person, personal_data, **told(request, problem))
    return Redirect("/me?said=mailed", status_code=303)


@post("/me/address/remove")
async def remove_address(
    request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep
) -> Template | Redirect:
    """Delete the e-mail address."""
    try:
        await addresses_of(request).remove(person)
    except SparringError as problem:
        return await me_page(request, person, personal_data, **told(request, problem))
    return Redirect("/me?said=unmailed", status_code=303)


@get("/mail/confirm")
async def confirm_page(request: AnyRequest, person: CurrentPerson, token: FromQuery[str] = "") -> Template:
    """Show a button that confirms an address. Opening the link does nothing, because mail scanners open links too."""
    addresses_of(request)
    return page("mail_link.html", request, person, what="confirm", values={"token": token})


@post("/mail/confirm", status_code=200)
async def confirm(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Template:
    """Confirm an address."""
    addresses, form = addresses_of(request), await form_of(request)
    personal_data.accounts.rate_limits.take("sign_ins", requester_of(request, person))
    try:
        await addresses.confirm(form["token"])
    except BadMailLink as problem:
        return page("mail_link.html", request, person, 403, what="", values={}, problem=str(problem))
    return page("mail_link.html", request, person, what="", values={}, said="Your e-mail address is confirmed.")


@get("/mail/stop")
async def stop_page(
    request: AnyRequest, person: CurrentPerson, key: FromQuery[str] = "", kind: FromQuery[str] = ""
) -> Template:
    """Show a button that stops e-mails of a kind."""
    addresses_of(request)
    return page("mail_link.html", request, person, what="stop", values={"key": key, "kind": kind})


@post("/mail/stop", status_code=200)
async def stop(
    request: AnyRequest, person: CurrentPerson, key: FromQuery[str] = "", kind: FromQuery[str] = ""
) -> Template:
    """Stop e-mails of a kind, for the form and for the one-click button of mail programs (RFC 8058)."""
    addresses, form = addresses_of(request), await form_of(request)
    await addresses.store.stop(one_line(form["key"] or key), one_line(form["kind"] or kind))
    return page("mail_link.html", request, person, what="", values={}, said="You won't get these e-mails any more.")


@get("/sign-in/reset")
async def reset_page(request: AnyRequest, person: CurrentPerson) -> Template:
    """Show the form that asks for a link to set a new password."""
    addresses_of(request)
    return _reset_page(request, person)


def _reset_page(request: AnyRequest, person: Person, **more: Any) -> Template:
    return page("reset.html", request, person, longest=LONGEST_ADDRESS, **more)


@post("/sign-in/reset", status_code=200)
async def ask_for_reset(request: AnyRequest, person: CurrentPerson) -> Template:
    """Send a link for a new password. The answer is the same for every name and address."""
    addresses, form = addresses_of(request), await form_of(request)
    try:
        await addresses.request_reset(form["name"], requester_of(request, person))
    except SparringError as problem:
        return _reset_page(request, person, **told(request, problem))
    return _reset_page(request, person, sent=True)


@get("/sign-in/new-password")
async def new_password_page(
    request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep, token: FromQuery[str] = ""
) -> Template:
    """Show the form for a new password. Opening the link doesn't use it up."""
    return await _new_password_page(request, person, personal_data, token)


async def _new_password_page(
    request: AnyRequest, person: Person, personal_data: PersonalData, token: str, login: str = "", **more: Any
) -> Template:
    try:
        account = await addresses_of(request).account_of(token)
    except BadMailLink as invalid:
        return _reset_page(request, person, **told(request, invalid))
    return page(
        "new_password.html", request, person, token=token, known=account.login or "", login=login, shortest=SHORTEST,
        longest=LONGEST, longest_name=LONGEST_NAME, moved=await movable(personal_data, person), **more,
    )  # fmt: skip


@post("/sign-in/new-password")
async def set_new_password(
    request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep
) -> Template | Redirect:
    """Set a new password by a link, and sign in."""
    addresses, form = addresses_of(request), await form_of(request)
    personal_data.accounts.rate_limits.take("sign_ins", requester_of(request, person))
    try:
        account = await addresses.reset(form["token"], form["login"], form["password"])
    except SparringError as problem:
        return await _new_password_page(
            request, person, personal_data, form["token"], form["login"], **told(request, problem)
        )
    guest, _ = await merge_guest(personal_data, person, account, bring=form["bring"] == "yes")
    return with_sign_in_cookies(request, account, Redirect("/me?said=reset", status_code=303), guest)


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
    channels = personal_data.dispatcher.channels
    if not channels or not person.id:
        raise PageNotFound("There is nothing at this address.")
    personal_data.accounts.rate_limits.take("preferences", requester_of(request, person))
    form = await form_of(request)
    wanted = [(kind, channel) for kind in KINDS for channel in channels if form[f"{kind}-{channel}"] == "yes"]
    await personal_data.dispatcher.choices.choose(person.id, channels, wanted)
    return Redirect("/me?said=notifications", status_code=303)


@post("/me/push")
async def add_device(
    request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep, data: JSONBody[PushSubscription]
) -> Response[Any]:
    """Send push notifications to this browser from now on. A visitor without an identity gets one."""
    if "push" not in personal_data.dispatcher.channels:
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
