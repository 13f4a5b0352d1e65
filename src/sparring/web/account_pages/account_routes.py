"""Account pages: sign-in, passkeys, password, privacy, personal data and deletion."""

from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from litestar import MediaType, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect, Stream, Template

from sparring.engine.errors import SparringError
from sparring.web.accounts.accounts import Accounts, is_fresh
from sparring.web.accounts.device_cookies import DEVICE
from sparring.web.accounts.email_addresses import LONGEST_ADDRESS
from sparring.web.accounts.passkeys import PasskeySite
from sparring.web.accounts.passwords import LONGEST, SHORTEST
from sparring.web.accounts.recovery_codes import CODES
from sparring.web.identity import GUEST, LONGEST_NAME, IdentityCookie, Person
from sparring.web.notifications.messages import KINDS, WAYS
from sparring.web.pages.table_pages import page, redirect_with_identity
from sparring.web.requests.identity_and_errors import (
    SMALL,
    AnyRequest,
    Asker,
    TheAccounts,
    forget_person,
    requester_of,
    status_of,
)
from sparring.web.requests.redirects import back_to

from .personal_data import PersonalData, file_name

ThePersonalData = NamedDependency[PersonalData]

#: The longest passkey request, in bytes: an authenticator's attestation can be long.
LONGEST_ANSWER = 16 * 1024

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

A = TypeVar("A", bound=Response[Any])

Text = Annotated[str, msgspec.Meta(max_length=200)]


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
    bring: bool = True
    back: Text = ""


@get("/me")
async def me(
    request: AnyRequest, person: Asker, accounts: TheAccounts, holdings: ThePersonalData, said: FromQuery[str] = ""
) -> Template:
    """Show the account page."""
    return await me_page(request, person, holdings, said=CONFIRMATIONS.get(said, ""), recovered=said == "recovered")


async def me_page(
    request: AnyRequest, person: Person, holdings: PersonalData, *, said: str = "", problem: str = "",
    status: int = 200, recovered: bool = False,
) -> Template:  # fmt: skip
    """Show the account page with a confirmation or an error.

    A person who has just `recovered` the account sees the form for a new password first.
    """
    return page(
        "me.html", request, person, status, said=said, problem=problem, fresh=is_fresh(person), recovered=recovered,
        ways=await holdings.accounts.sign_in_methods(person), count=await holdings.count(person) if person.id else None,
        codes=await holdings.accounts.recovery.left(person), all_codes=CODES,
        muted=await holdings.tables.chat.store.mutes(person.id) if person.id else [],
        site=site_of(request), longest_name=LONGEST_NAME, shortest=SHORTEST,
        **await _notifications(person, holdings),
        shows=await holdings.accounts.visibility(person), longest=LONGEST, most=holdings.accounts.limits.passkeys_each,
    )  # fmt: skip


async def _notifications(person: Person, holdings: PersonalData) -> dict[str, Any]:
    """Return what the account page shows about e-mail and notifications; nothing where the server doesn't send any."""
    dispatcher, addresses = holdings.dispatcher, holdings.addresses
    push = "push" in dispatcher.ways
    return {
        "mail": addresses.on, "address": await addresses.of(person), "longest_address": LONGEST_ADDRESS,
        "notes": dispatcher.ways and person.id, "ways_to_tell": {way: WAYS[way] for way in dispatcher.ways},
        "kinds": KINDS, "wanted": await dispatcher.choices.choices(person.id) if person.id else set(),
        "push_key": await dispatcher.push.public_key() if push else "",
        "devices": await dispatcher.choices.devices(person.id) if push and person.id else [],
    }  # fmt: skip


@get("/create-account")
async def create_account(request: AnyRequest, person: Asker) -> Template | Redirect:
    """Show the form for a new account, or the page of the one the person has."""
    return Redirect("/me", status_code=303) if person.has_account else create_account_page(request, person)


def create_account_page(
    request: AnyRequest, person: Person, problem: str = "", status: int = 200, login: str = ""
) -> Template:
    """Show the form for a new account with an error."""
    return page(
        "create_account.html", request, person, status, problem=problem, login=login, site=site_of(request),
        longest_name=LONGEST_NAME, shortest=SHORTEST, longest=LONGEST,
    )  # fmt: skip


@post("/me/name")
async def rename(request: AnyRequest, person: Asker, holdings: ThePersonalData) -> Template | Redirect:
    """Change the display name."""
    return await _changed(
        request, person, holdings, "name", lambda form: holdings.accounts.rename(person, form["name"])
    )


@post("/me/muted/{mute:str}/remove")
async def hear_again(person: Asker, holdings: ThePersonalData, mute: FromPath[str]) -> Redirect:
    """Unmute a player."""
    await holdings.tables.chat.unmute(person, mute)
    return Redirect("/me?said=heard", status_code=303)


@post("/me/shown")
async def shown(request: AnyRequest, person: Asker, holdings: ThePersonalData) -> Template | Redirect:
    """Store whether the account is on leaderboards and has a public page."""

    async def change(form: dict[str, str]) -> Person:
        await holdings.accounts.set_visibility(person, listed=form["listed"] == "yes", page=form["page"] == "yes")
        return person

    return await _changed(request, person, holdings, "shown", change)


@post("/me/password")
async def password(request: AnyRequest, person: Asker, holdings: ThePersonalData) -> Template | Redirect:
    """Set or change the sign-in name and password."""
    return await _changed(request, person, holdings, "ways", lambda form: holdings.accounts.set_password(
        person, form["login"], form["password"], requester_of(request, person)
    ))  # fmt: skip


@post("/me/password/remove")
async def remove_password(request: AnyRequest, person: Asker, holdings: ThePersonalData) -> Template | Redirect:
    """Remove the password of an account with passkeys."""
    return await _changed(request, person, holdings, "ways", lambda _: holdings.accounts.remove_password(person))


@post("/me/passkeys/{number:str}/remove")
async def remove_passkey(
    request: AnyRequest, person: Asker, holdings: ThePersonalData, number: FromPath[str]
) -> Template | Redirect:
    """Remove a passkey."""
    return await _changed(request, person, holdings, "ways", lambda _: holdings.accounts.remove_passkey(person, number))


async def _changed(
    request: AnyRequest, person: Person, holdings: PersonalData, said: str, change: Any
) -> Template | Redirect:
    """Apply a form's change, then show the account page with a confirmation or the error."""
    try:
        return redirect_with_identity(request, await change(await form_of(request)), f"/me?said={said}")
    except SparringError as problem:
        return await me_page(request, person, holdings, problem=str(problem), status=status_of(problem))


@post("/me/passkeys/begin")
async def begin_passkey(
    request: AnyRequest, person: Asker, accounts: TheAccounts, data: JSONBody[BeginPasskey]
) -> Response[Any]:
    """Return the options for creating a passkey. A visitor without an identity gets one."""
    options = await accounts.begin_passkey(site_of(request), person, data.name)
    owner = options.pop("person")
    response = _json(options)
    if owner != person:
        response.set_cookie(_passport(request).write(owner, secure=_secure(request)))
    return response


@post("/me/passkeys")
async def add_passkey(
    request: AnyRequest, person: Asker, accounts: TheAccounts, data: JSONBody[FinishPasskey]
) -> Response[Any]:
    """Store a new passkey."""
    site, requester = site_of(request), requester_of(request, person)
    owner = await accounts.add_passkey(site, person, data.label, data.ticket, data.answer, requester)
    # A new account continues to its recovery codes; creating them takes a POST.
    target = {"to": "/me?said=added"} if person.has_account else {"to": "/me/recovery", "post": {"new": "yes"}}
    return with_sign_in_cookies(request, owner, _json(target))


@get("/sign-in")
async def sign_in_page(request: AnyRequest, person: Asker, back: FromQuery[str] = "") -> Template:
    """Show the sign-in page."""
    return _sign_in_page(request, person, {"login": "", "back": back})


def _sign_in_page(
    request: AnyRequest, person: Person, values: dict[str, str], problem: str = "", status: int = 200
) -> Template:
    return page(
        "sign_in.html", request, person, status, values=values, problem=problem, site=site_of(request), longest=LONGEST,
        longest_name=LONGEST_NAME, mail=request.app.state.holdings.addresses.on,
    )  # fmt: skip


@post("/sign-in")
async def sign_in(
    request: AnyRequest, person: Asker, accounts: TheAccounts, holdings: ThePersonalData
) -> Template | Redirect:
    """Sign in with a name and password."""
    form = await form_of(request)
    try:
        device = request.cookies.get(DEVICE, "")
        account = await accounts.sign_in(form["login"], form["password"], requester_of(request, person), device)
    except SparringError as problem:
        values = {"login": form["login"], "back": form["back"]}
        return _sign_in_page(request, person, values, str(problem), status_of(problem))
    guest_stays, said = await merge_guest(holdings, person, account, bring=form["bring"] == "yes")
    response = with_sign_in_cookies(request, account, back_to(request.app, form["back"] or f"/me?said={said}"))
    return with_guest_cookie(request, person, response) if guest_stays else response


@post("/sign-in/passkey/begin")
async def begin_coming_in(request: AnyRequest, person: Asker, accounts: TheAccounts) -> Response[Any]:
    """Return the options for signing in with a passkey."""
    return _json(await accounts.begin_passkey_sign_in(site_of(request), requester_of(request, person)))


@post("/sign-in/passkey")
async def come_in(
    request: AnyRequest, person: Asker, accounts: TheAccounts, holdings: ThePersonalData, data: JSONBody[PasskeySignIn]
) -> Response[Any]:
    """Sign in with a passkey."""
    account = await accounts.sign_in_with_passkey(site_of(request), data.ticket, data.answer)
    guest_stays, said = await merge_guest(holdings, person, account, bring=data.bring)
    response = with_sign_in_cookies(
        request, account, _json({"to": back_to(request.app, data.back or f"/me?said={said}").url})
    )
    return with_guest_cookie(request, person, response) if guest_stays else response


async def merge_guest(holdings: PersonalData, guest: Person, person: Person, *, bring: bool) -> tuple[bool, str]:
    """Move the guest's data to the account if `bring` is set.

    Return whether the guest keeps anything, and the key of the confirmation in `CONFIRMATIONS`.
    """
    if not guest.id or guest.has_account:
        return False, "in"
    left = await holdings.merge_guest(guest, person) if bring else 0
    return bool(left) or not bring, "twice" if left else "in"


def with_sign_in_cookies(request: AnyRequest, person: Person, response: A) -> A:
    """Set the identity cookie of a person who has just signed in, and the cookie that marks this device as known."""
    accounts: Accounts = request.app.state.accounts
    response.set_cookie(_passport(request).write(person, secure=_secure(request)))
    device = request.cookies.get(DEVICE, "")
    response.set_cookie(accounts.devices.write(device, person.id, secure=_secure(request)))
    return response


def with_guest_cookie(request: AnyRequest, guest: Person, response: Any) -> Any:
    """Store the guest's identity in a second cookie, to restore it at sign-out."""
    response.set_cookie(_passport(request).write(guest, secure=_secure(request), key=GUEST))
    return response


@post("/me/sign-out")
async def sign_out(request: AnyRequest, person: Asker, accounts: TheAccounts) -> Redirect:
    """Sign out in this browser. Guests stay signed in, because they couldn't sign in again."""
    response = Redirect("/me?said=out" if person.has_account else "/me", status_code=303)
    if person.has_account:
        await accounts.sign_out(person)
        forget_person(request, response)
    return response


@post("/me/sign-out-everywhere")
async def sign_out_everywhere(request: AnyRequest, person: Asker, holdings: ThePersonalData) -> Redirect:
    """Revoke all cookies of the account and, if asked, its API tokens."""
    programs = (await form_of(request))["programs"] == "yes"
    said = "programs" if programs else "everywhere"
    response = Redirect(f"/me?said={said}" if person.has_account else "/me", status_code=303)
    if person.has_account:
        await holdings.sign_out_everywhere(person, programs=programs)
        forget_person(request, response)
    return response


@get("/me/data")
async def take(request: AnyRequest, person: Asker, holdings: ThePersonalData) -> Stream:
    """Download all the person's data."""
    holdings.accounts.rate_limits.take("exports", requester_of(request, person))
    headers = {"Content-Disposition": f'attachment; filename="{file_name(person)}"'}
    return Stream(holdings.export(person), media_type=MediaType.JSON, headers=headers)


@get("/me/delete")
async def deleting(request: AnyRequest, person: Asker, holdings: ThePersonalData) -> Template:
    """Show what a deletion would delete."""
    return await _deleting(request, person, holdings)


async def _deleting(
    request: AnyRequest, person: Person, holdings: PersonalData, problem: str = "", status: int = 200
) -> Template:
    return page(
        "delete_me.html", request, person, status, problem=problem, count=await holdings.count(person),
        must_sign_in=person.has_account and not is_fresh(person),
    )  # fmt: skip


@post("/me/delete")
async def delete(request: AnyRequest, person: Asker, holdings: ThePersonalData) -> Template | Redirect:
    """Delete all the person's data, if they ticked the confirmation."""
    if (await form_of(request))["sure"] != "yes":
        return await _deleting(request, person, holdings, "Nothing was deleted. Tick the box to confirm.", 422)
    try:
        await holdings.delete(person)
    except SparringError as problem:
        return await _deleting(request, person, holdings, str(problem), status_of(problem))
    response = Redirect("/me?said=deleted", status_code=303)
    forget_person(request, response)
    response.delete_cookie(DEVICE)
    return response


class _AccountForm(dict[str, str]):
    """A form's text fields; missing ones are empty."""

    def __missing__(self, _: str) -> str:
        return ""


async def form_of(request: AnyRequest) -> _AccountForm:
    """Return the text fields of a form."""
    return _AccountForm({name: value for name, value in (await request.form()).items() if isinstance(value, str)})


def _json(content: Any) -> Response[Any]:
    return Response(content, media_type=MediaType.JSON, status_code=200)


def _passport(request: AnyRequest) -> IdentityCookie:
    return request.app.state.passport  # type: ignore[no-any-return]


def _secure(request: AnyRequest) -> bool:
    return request.url.scheme == "https"


def site_of(request: AnyRequest) -> PasskeySite:
    """Return the passkey site for the host name and scheme of the request."""
    host = request.headers.get("host", "")
    return PasskeySite((urlsplit(f"//{host}").hostname or "").rstrip("."), f"{request.url.scheme}://{host}")


HANDLERS = [
    Router("/", route_handlers=[
        me, create_account, rename, shown, hear_again, password, remove_password, remove_passkey, sign_in_page, sign_in,
        begin_coming_in, sign_out, sign_out_everywhere, take, deleting, delete,
    ], include_in_schema=False, request_max_body_size=SMALL),
    Router("/", route_handlers=[begin_passkey, add_passkey, come_in], include_in_schema=False,
           request_max_body_size=LONGEST_ANSWER),
]  # fmt: skip
