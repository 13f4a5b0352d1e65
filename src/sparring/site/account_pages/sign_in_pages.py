"""Sign in with a password, a passkey or a recovery code, sign out, add passkeys, and show new recovery codes.

Signing in sets the person's cookies, and decides what happens to the guest they were.
"""

from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, get, post
from litestar.params import FromQuery, JSONBody
from litestar.response import Redirect, Template

from sparring.engine.errors import SparringError
from sparring.people.identity import DEVICE, GUEST, LONGEST_NAME
from sparring.people.passwords import LONGEST
from sparring.server.requests.errors import told
from sparring.server.requests.identity import (
    EVERYONE,
    A,
    AccountsDep,
    AnyRequest,
    CurrentPerson,
    forget_person,
    requester_of,
    with_identity_cookie,
)
from sparring.server.requests.pages import back_to, form_of
from sparring.server.requests.server_state import server_state
from sparring.site.pages.table_pages import page
from sparring.store.person import Person

from .account_routes import PersonalDataDep, create_account_page, me_page, site_of
from .personal_data import PersonalData

#: The longest passkey request, in bytes: an authenticator's attestation can be long.
LONGEST_ANSWER = 16 * 1024
Text = Annotated[str, msgspec.Meta(max_length=200)]


async def movable(personal_data: PersonalData, guest: Person) -> str:
    """Return what a guest could move to an account, such as "3 matches as Eve, 1 set"; empty if nothing."""
    if not guest.id or guest.has_account:
        return ""
    count = await personal_data.count(guest)
    parts = ((count.own + count.shared, "match", "matches"), (count.sets, "set", "sets"),
             (count.records, "uploaded match", "uploaded matches"))  # fmt: skip
    words = [f"{many} {one if many == 1 else several}" for many, one, several in parts if many]
    return ", ".join([f"{words[0]} as {guest.name or 'a guest'}", *words[1:]]) if words else ""


async def merge_guest(
    personal_data: PersonalData, guest: Person, person: Person, *, bring: bool
) -> tuple[Person | None, str]:
    """Move the guest's matches and sets to the account if `bring` is set.

    Return the guest to restore at sign-out, and the key of the confirmation (`account_routes.CONFIRMATIONS`).
    """
    if not guest.id or guest.has_account:
        return None, "in"
    if not bring:
        return guest, "in"
    rest = await personal_data.merge_guest(guest, person)
    return rest, "twice" if rest else "in"


def with_sign_in_cookies(request: AnyRequest, person: Person, response: A, guest: Person | None = None) -> A:
    """Set the cookies of a person who has just signed in: identity, known device, and the guest to restore."""
    with_identity_cookie(request, person, response)
    if guest:
        with_identity_cookie(request, guest, response, GUEST)
    accounts = server_state(request.app).accounts
    device = request.cookies.get(DEVICE, "")
    response.set_cookie(accounts.devices.write(device, person.id, secure=request.url.scheme == "https"))
    return response


@get("/sign-in")
async def sign_in_page(
    request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep, back: FromQuery[str] = ""
) -> Template:
    """Show the sign-in page."""
    return await _sign_in_page(request, person, personal_data, {"login": "", "back": back})


async def _sign_in_page(
    request: AnyRequest, person: Person, personal_data: PersonalData, values: dict[str, str], **more: Any
) -> Template:
    return page(
        "sign_in.html", request, person, values=values, site=site_of(request), longest=LONGEST,
        longest_name=LONGEST_NAME, mail=personal_data.addresses.on, moved=await movable(personal_data, person), **more,
    )  # fmt: skip


@post("/sign-in")
async def sign_in(
    request: AnyRequest, person: CurrentPerson, accounts: AccountsDep, personal_data: PersonalDataDep
) -> Template | Redirect:
    """Sign in with a name and password."""
    form = await form_of(request)
    try:
        device = request.cookies.get(DEVICE, "")
        account = await accounts.sign_in(form["login"], form["password"], requester_of(request, person), device)
    except SparringError as problem:
        values = {"login": form["login"], "back": form["back"]}
        return await _sign_in_page(request, person, personal_data, values, **told(request, problem))
    guest, said = await merge_guest(personal_data, person, account, bring=form["bring"] == "yes")
    return with_sign_in_cookies(request, account, back_to(request.app, form["back"] or f"/me?said={said}"), guest)


@post("/me/sign-out")
async def sign_out(request: AnyRequest, person: CurrentPerson, accounts: AccountsDep) -> Redirect:
    """Sign out in this browser. Guests stay signed in, because they couldn't sign in again."""
    response = Redirect("/me?said=out" if person.has_account else "/me", status_code=303)
    if person.has_account:
        await accounts.sign_out(person)
        forget_person(request, response)
    return response


@post("/me/sign-out-everywhere")
async def sign_out_everywhere(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Redirect:
    """Revoke all cookies of the account and, if asked, its API tokens."""
    programs = (await form_of(request))["programs"] == "yes"
    said = "programs" if programs else "everywhere"
    response = Redirect(f"/me?said={said}" if person.has_account else "/me", status_code=303)
    if person.has_account:
        await personal_data.sign_out_everywhere(person, programs=programs)
        forget_person(request, response)
    return response


class BeginPasskey(msgspec.Struct):
    """Start of a passkey registration, with a display name for a visitor who has none."""

    name: Text = ""


class FinishPasskey(msgspec.Struct):
    """End of a passkey registration: the browser's answer and the passkey's label."""

    ticket: Annotated[str, msgspec.Meta(max_length=2000)]
    answer: dict[str, Any]
    label: Text = ""


class PasskeySignIn(msgspec.Struct):
    """Sign-in with a passkey; `bring` adds the guest's data to the account, `back` is the page to show next."""

    ticket: Annotated[str, msgspec.Meta(max_length=2000)]
    answer: dict[str, Any]
    bring: bool = False
    back: Text = ""


@post("/me/passkeys/begin", opt=EVERYONE, request_max_body_size=LONGEST_ANSWER)
async def begin_passkey(
    request: AnyRequest, person: CurrentPerson, accounts: AccountsDep, data: JSONBody[BeginPasskey]
) -> Response[Any]:
    """Return the options for creating a passkey. A visitor without an identity gets one."""
    options = await accounts.begin_passkey(site_of(request), person, data.name)
    owner = options.pop("person")
    response = _json(options)
    return response if owner == person else with_identity_cookie(request, owner, response)


@post("/me/passkeys", request_max_body_size=LONGEST_ANSWER)
async def add_passkey(
    request: AnyRequest, person: CurrentPerson, accounts: AccountsDep, personal_data: PersonalDataDep,
    data: JSONBody[FinishPasskey],
) -> Response[Any]:  # fmt: skip
    """Store a new passkey."""
    site, requester = site_of(request), requester_of(request, person)
    owner = await accounts.add_passkey(site, person, data.label, data.ticket, data.answer, requester)
    await personal_data.tokens.refresh()
    # A new account continues to its recovery codes; creating them takes a POST.
    target = {"to": "/me?said=added"} if person.has_account else {"to": "/me/recovery", "post": {"new": "yes"}}
    return with_sign_in_cookies(request, owner, _json(target))


@post("/sign-in/passkey/begin")
async def begin_passkey_sign_in(request: AnyRequest, person: CurrentPerson, accounts: AccountsDep) -> Response[Any]:
    """Return the options for signing in with a passkey."""
    return _json(await accounts.begin_passkey_sign_in(site_of(request), requester_of(request, person)))


@post("/sign-in/passkey", request_max_body_size=LONGEST_ANSWER)
async def passkey_sign_in(
    request: AnyRequest, person: CurrentPerson, accounts: AccountsDep, personal_data: PersonalDataDep,
    data: JSONBody[PasskeySignIn],
) -> Response[Any]:  # fmt: skip
    """Sign in with a passkey."""
    account = await accounts.sign_in_with_passkey(site_of(request), data.ticket, data.answer)
    guest, said = await merge_guest(personal_data, person, account, bring=data.bring)
    target = {"to": back_to(request.app, data.back or f"/me?said={said}").url}
    return with_sign_in_cookies(request, account, _json(target), guest)


def _json(content: Any) -> Response[Any]:
    return Response(content, media_type=MediaType.JSON, status_code=200)


#: The longest code a form accepts, in characters.
LONGEST_CODE = 40


@post("/me/keep", status_code=200, opt=EVERYONE)
async def keep(
    request: AnyRequest, person: CurrentPerson, accounts: AccountsDep, personal_data: PersonalDataDep
) -> Template:
    """Create an account with a password, and show its recovery codes."""
    form = await form_of(request)
    try:
        account = await accounts.create_with_password(
            person, form["login"], form["password"], requester_of(request, person)
        )
        await personal_data.tokens.refresh()
        codes = await accounts.recovery.renew(account)
    except SparringError as problem:
        return create_account_page(request, person, login=form["login"], **told(request, problem))
    return with_sign_in_cookies(request, account, _shown(request, account, codes, new=True))


@post("/me/recovery", status_code=200)
async def renew(
    request: AnyRequest, person: CurrentPerson, accounts: AccountsDep, personal_data: PersonalDataDep
) -> Template:
    """Make new recovery codes and show them, this once."""
    new = (await form_of(request))["new"] == "yes"
    try:
        codes = await accounts.new_codes(person, requester_of(request, person))
    except SparringError as problem:
        return await me_page(request, person, personal_data, **told(request, problem))
    return _shown(request, person, codes, new=new)


def _shown(request: AnyRequest, person: Person, codes: list[str], *, new: bool) -> Template:
    return page("recovery_codes.html", request, person, codes=codes, new=new)


@get("/sign-in/recovery")
async def recovery_page(
    request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep, code: FromQuery[str] = ""
) -> Template:
    """Show the form for signing in with a recovery code. A link from the operator fills it in."""
    return await _form_page(request, person, personal_data, code[:LONGEST_CODE])


async def _form_page(
    request: AnyRequest, person: Person, personal_data: PersonalData, code: str, **more: Any
) -> Template:
    return page(
        "recovery.html", request, person, code=code, longest=LONGEST_CODE, mail=personal_data.addresses.on,
        moved=await movable(personal_data, person), **more,
    )  # fmt: skip


@post("/sign-in/recovery")
async def recover(
    request: AnyRequest, person: CurrentPerson, accounts: AccountsDep, personal_data: PersonalDataDep
) -> Template | Redirect:
    """Sign in with a recovery code; the account page then offers to set a new password or passkey."""
    form = await form_of(request)
    try:
        account = await accounts.recover(form["code"][:LONGEST_CODE], requester_of(request, person))
    except SparringError as problem:
        return await _form_page(request, person, personal_data, form["code"][:LONGEST_CODE], **told(request, problem))
    guest, _ = await merge_guest(personal_data, person, account, bring=form["bring"] == "yes")
    return with_sign_in_cookies(request, account, Redirect("/me?said=recovered", status_code=303), guest)
