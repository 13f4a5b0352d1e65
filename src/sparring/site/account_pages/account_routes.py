"""The account page and its forms, what all account pages read, and the pages that download or delete all data."""

from typing import Any
from urllib.parse import urlsplit

from litestar import MediaType, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Stream, Template

from sparring.engine.errors import SparringError
from sparring.people.accounts import ProfileVisibility, is_fresh
from sparring.people.emails import LONGEST_ADDRESS
from sparring.people.identity import DEVICE, LONGEST_NAME
from sparring.people.notifications import CHANNELS, KINDS
from sparring.people.passkeys import PasskeySite
from sparring.people.passwords import CODES, LONGEST, SHORTEST
from sparring.server.requests.errors import explained, told
from sparring.server.requests.identity import EVERYONE, AnyRequest, CurrentPerson, forget_person, requester_of
from sparring.server.requests.pages import form_of
from sparring.site.pages.table_pages import page, redirect_with_identity
from sparring.store.person import Person

from .personal_data import PersonalData, file_name

PersonalDataDep = NamedDependency[PersonalData]

#: Confirmations, by the `said` parameter of the URL that shows them.
CONFIRMATIONS = {
    "name": "Name changed. Tables you have already joined keep your old name.",
    "reset": "Your new password is set. All other browsers have been signed out.",
    "mailed": "We've sent you an e-mail. Open the link in it to confirm the address.",
    "unmailed": "Your e-mail address has been deleted.",
    "notifications": "Changes saved.",
    "push": "Push notifications are on in this browser.",
    "unpush": "Push notifications are off in that browser.",
    "heard": "Player unmuted.",
    "shown": "Changes saved.",
    "recovered": "You signed in with a recovery code. It won't work again, so set a new password or add a passkey.",
    "in": "Welcome back.",
    "twice": (
        "Welcome back. At tables where your account already has a seat, your guest seat wasn't added. "
        "Sign out to play it."
    ),
    "ways": "Changes saved. Your other browsers have been signed out.",
    "added": "Passkey added.",
    "out": "You are signed out in this browser.",
    "everywhere": "You are signed out everywhere.",
    "programs": "You are signed out everywhere, and your API tokens no longer work.",
    "deleted": "Your data has been deleted.",
}


def site_of(request: AnyRequest) -> PasskeySite:
    """Return the passkey site for the host name and scheme of the request."""
    host = request.headers.get("host", "")
    return PasskeySite((urlsplit(f"//{host}").hostname or "").rstrip("."), f"{request.url.scheme}://{host}")


@get("/me")
async def me(
    request: AnyRequest,
    person: CurrentPerson,
    personal_data: PersonalDataDep,
    said: FromQuery[str] = "",
) -> Template:
    """Show the account page."""
    return await me_page(
        request, person, personal_data, said=CONFIRMATIONS.get(said, ""), recovered=said == "recovered"
    )


async def me_page(
    request: AnyRequest, person: Person, personal_data: PersonalData, *, recovered: bool = False, **more: Any
) -> Template:
    """Show the account page with a confirmation or an error.

    A person who has just `recovered` the account sees the form for a new password first.
    """
    return page(
        "me.html", request, person, fresh=is_fresh(person), recovered=recovered,
        ways=await personal_data.accounts.sign_in_methods(person),
        count=await personal_data.count(person) if person.id else None,
        codes=await personal_data.accounts.recovery.left(person), all_codes=CODES,
        muted=await personal_data.tables.chat.store.mutes(person.id) if person.id else [],
        guest_ended=await personal_data.accounts.guest_access_ended(person),
        site=site_of(request), longest_name=LONGEST_NAME, shortest=SHORTEST,
        **await _notifications(person, personal_data),
        account=await personal_data.accounts.account(person), longest=LONGEST,
        most=personal_data.accounts.limits.passkeys_each, **more,
    )  # fmt: skip


async def _notifications(person: Person, personal_data: PersonalData) -> dict[str, Any]:
    """Return what the account page shows about e-mail and notifications; nothing where the server doesn't send any."""
    dispatcher, addresses = personal_data.dispatcher, personal_data.addresses
    push = "push" in dispatcher.channels
    return {
        "mail": addresses.on, "address": await addresses.of(person), "longest_address": LONGEST_ADDRESS,
        "notes": dispatcher.channels and person.id,
        "channels": {channel: CHANNELS[channel] for channel in dispatcher.channels},
        "kinds": KINDS, "wanted": await dispatcher.choices.choices(person.id) if person.id else set(),
        "push_key": await dispatcher.push.public_key() if push else "",
        "devices": await dispatcher.choices.devices(person.id) if push and person.id else [],
    }  # fmt: skip


@get("/create-account", opt=EVERYONE)
async def create_account(request: AnyRequest, person: CurrentPerson) -> Template | Redirect:
    """Show the form for a new account, or the page of the one the person has."""
    return Redirect("/me", status_code=303) if person.has_account else create_account_page(request, person)


def create_account_page(request: AnyRequest, person: Person, login: str = "", **more: Any) -> Template:
    """Show the form for a new account with an error."""
    return page(
        "create_account.html", request, person, login=login, site=site_of(request), longest_name=LONGEST_NAME,
        shortest=SHORTEST, longest=LONGEST, **more,
    )  # fmt: skip


@post("/me/name")
async def rename(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Template | Redirect:
    """Change the display name."""
    return await _changed(
        request, person, personal_data, "name", lambda form: personal_data.accounts.rename(person, form["name"])
    )


@post("/me/muted/{mute:str}/remove")
async def hear_again(person: CurrentPerson, personal_data: PersonalDataDep, mute: FromPath[str]) -> Redirect:
    """Unmute a player."""
    await personal_data.tables.chat.unmute(person, mute)
    return Redirect("/me?said=heard", status_code=303)


@post("/me/shown")
async def shown(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Template | Redirect:
    """Store whether the account is on leaderboards and has a public page."""

    async def change(form: dict[str, str]) -> Person:
        ticked = {name: form[name] == "yes" for name in ProfileVisibility.__struct_fields__}
        await personal_data.accounts.set_visibility(person, ProfileVisibility(**ticked))
        return person

    return await _changed(request, person, personal_data, "shown", change)


@post("/me/password")
async def password(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Template | Redirect:
    """Set or change the sign-in name and password."""
    return await _changed(request, person, personal_data, "ways", lambda form: personal_data.accounts.set_password(
        person, form["login"], form["password"], requester_of(request, person)
    ))  # fmt: skip


@post("/me/password/remove")
async def remove_password(
    request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep
) -> Template | Redirect:
    """Remove the password of an account with passkeys."""
    return await _changed(
        request, person, personal_data, "ways", lambda _: personal_data.accounts.remove_password(person)
    )


@post("/me/passkeys/{number:str}/remove")
async def remove_passkey(
    request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep, number: FromPath[str]
) -> Template | Redirect:
    """Remove a passkey."""
    return await _changed(
        request, person, personal_data, "ways", lambda _: personal_data.accounts.remove_passkey(person, number)
    )


async def _changed(
    request: AnyRequest, person: Person, personal_data: PersonalData, said: str, change: Any
) -> Template | Redirect:
    """Apply a form's change, then show the account page with a confirmation or the error."""
    try:
        return redirect_with_identity(request, await change(await form_of(request)), f"/me?said={said}")
    except SparringError as problem:
        return await me_page(request, person, personal_data, **told(request, problem))


def data_file(request: AnyRequest, person: Person, personal_data: PersonalData) -> Stream:
    """Return all a person's data as a file to download. If reading them fails, its last line says so."""
    personal_data.accounts.rate_limits.take("exports", requester_of(request, person))
    data = explained(request, personal_data.export(person), lambda why: f"\nThis file is incomplete. {why}\n".encode())
    headers = {"Content-Disposition": f'attachment; filename="{file_name(person)}"'}
    return Stream(data, media_type=MediaType.JSON, headers=headers)


@get("/me/data")
async def take(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Stream:
    """Download all the person's data."""
    return data_file(request, person, personal_data)


@get("/me/delete")
async def deleting(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Template:
    """Show what a deletion would delete."""
    return await _deleting(request, person, personal_data)


async def _deleting(request: AnyRequest, person: Person, personal_data: PersonalData, **more: Any) -> Template:
    return page(
        "delete_me.html", request, person, count=await personal_data.count(person),
        must_sign_in=person.has_account and not is_fresh(person), **more,
    )  # fmt: skip


@post("/me/delete")
async def delete(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Template | Redirect:
    """Delete all the person's data, if they ticked the confirmation."""
    if (await form_of(request))["sure"] != "yes":
        problem = "Nothing was deleted. Tick the box to confirm."
        return await _deleting(request, person, personal_data, problem=problem, status=422)
    try:
        await personal_data.delete(person)
    except SparringError as refused:
        return await _deleting(request, person, personal_data, **told(request, refused))
    response = Redirect("/me?said=deleted", status_code=303)
    forget_person(request, response)
    response.delete_cookie(DEVICE)
    return response
