"""The pages on which somebody says who they are, and what is posted there."""

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
from sparring.web.accounts.passkeys import PasskeySite
from sparring.web.accounts.passwords import LONGEST, SHORTEST
from sparring.web.accounts.recovery_codes import CODES
from sparring.web.identity import GUEST, LONGEST_NAME, IdentityCookie, Person
from sparring.web.pages.table_pages import page, signed
from sparring.web.requests.identity_and_errors import (
    SMALL,
    AnyRequest,
    Asker,
    TheAccounts,
    asking,
    forget_person,
    status_of,
)
from sparring.web.requests.redirects import back_to

from .personal_data import PersonalData, file_name

TheHoldings = NamedDependency[PersonalData]

#: What an authenticator says of itself may be long.
LONGEST_ANSWER = 16 * 1024

#: What is said on the page after something was done.
SAID = {
    "name": "That is your name now, wherever you sit down from here on.",
    "heard": "You hear them again.",
    "shown": "Others find of you what you chose here.",
    "recovered": "You signed in with a recovery code, which is used up now. Set a new password or add a passkey.",
    "in": "Welcome back. All of it is here.",
    "twice": "Welcome back. Where you sit already the guest kept their seat: sign out here, and it is yours again.",
    "ways": "Changed. Your other browsers were signed out.",
    "added": "You have one more way in.",
    "out": "You are signed out in this browser.",
    "everywhere": "You are signed out everywhere.",
    "programs": "You are signed out everywhere, and your programs come in no more.",
    "deleted": "All that was yours is deleted.",
}

A = TypeVar("A", bound=Response[Any])

Text = Annotated[str, msgspec.Meta(max_length=200)]


class BeginPasskey(msgspec.Struct):
    """A ceremony is to begin; somebody without a name says one."""

    name: Text = ""


class FinishPasskey(msgspec.Struct):
    """A passkey was made: what its owner calls it, and what the browser says."""

    ticket: Annotated[str, msgspec.Meta(max_length=2000)]
    answer: dict[str, Any]
    label: Text = ""


class PasskeySignIn(msgspec.Struct):
    """Somebody comes in by a passkey; whether they bring along what they did here as a guest, and where they go on."""

    ticket: Annotated[str, msgspec.Meta(max_length=2000)]
    answer: dict[str, Any]
    bring: bool = True
    back: Text = ""


@get("/me")
async def me(
    request: AnyRequest, person: Asker, accounts: TheAccounts, holdings: TheHoldings, said: FromQuery[str] = ""
) -> Template:
    """Who somebody is, and what they can do about it."""
    return await me_page(request, person, holdings, said=SAID.get(said, ""))


async def me_page(
    request: AnyRequest, person: Person, holdings: PersonalData, *, said: str = "", problem: str = "", status: int = 200
) -> Template:
    """Show somebody's account page, with what was done or what is wrong."""
    return page(
        "me.html", request, person, status, said=said, problem=problem, fresh=is_fresh(person),
        ways=await holdings.accounts.ways(person), count=await holdings.count(person) if person.id else None,
        codes=await holdings.accounts.recovery.left(person), all_codes=CODES,
        muted=await holdings.tables.talk.mutes(person.id) if person.id else [],
        site=site_of(request), longest_name=LONGEST_NAME, shortest=SHORTEST,
        shows=await holdings.accounts.shows(person), longest=LONGEST, most=holdings.accounts.limits.passkeys_each,
    )  # fmt: skip


@post("/me/name")
async def rename(request: AnyRequest, person: Asker, holdings: TheHoldings) -> Template | Redirect:
    """Another name to play under."""
    return await _changed(
        request, person, holdings, "name", lambda form: holdings.accounts.rename(person, form["name"])
    )


@post("/me/muted/{mute:str}/remove")
async def hear_again(person: Asker, holdings: TheHoldings, mute: FromPath[str]) -> Redirect:
    """Hear somebody again whom one muted."""
    await holdings.tables.unmute(person, mute)
    return Redirect("/me?said=heard", status_code=303)


@post("/me/shown")
async def shown(request: AnyRequest, person: Asker, holdings: TheHoldings) -> Template | Redirect:
    """What others find of somebody."""

    async def change(form: dict[str, str]) -> Person:
        await holdings.accounts.show(person, listed=form["listed"] == "yes", page=form["page"] == "yes")
        return person

    return await _changed(request, person, holdings, "shown", change)


@post("/me/password")
async def password(request: AnyRequest, person: Asker, holdings: TheHoldings) -> Template | Redirect:
    """Another sign-in name and password, or the first."""
    return await _changed(request, person, holdings, "ways", lambda form: holdings.accounts.set_password(
        person, form["login"], form["password"], asking(request, person)
    ))  # fmt: skip


@post("/me/password/remove")
async def remove_password(request: AnyRequest, person: Asker, holdings: TheHoldings) -> Template | Redirect:
    """Come in by passkeys alone."""
    return await _changed(request, person, holdings, "ways", lambda _: holdings.accounts.remove_password(person))


@post("/me/passkeys/{number:str}/remove")
async def remove_passkey(
    request: AnyRequest, person: Asker, holdings: TheHoldings, number: FromPath[str]
) -> Template | Redirect:
    """Let go of a passkey."""
    return await _changed(request, person, holdings, "ways", lambda _: holdings.accounts.remove_passkey(person, number))


async def _changed(
    request: AnyRequest, person: Person, holdings: PersonalData, said: str, change: Any
) -> Template | Redirect:
    """Do what a form says, and show the page again: that it was done, or why not."""
    try:
        return signed(request, await change(await form_of(request)), f"/me?said={said}")
    except SparringError as problem:
        return await me_page(request, person, holdings, problem=str(problem), status=status_of(problem))


@post("/me/passkeys/begin")
async def begin_passkey(
    request: AnyRequest, person: Asker, accounts: TheAccounts, data: JSONBody[BeginPasskey]
) -> Response[Any]:
    """What a browser needs to make a passkey; a stranger is somebody from now on."""
    begun = await accounts.begin_passkey(site_of(request), person, data.name)
    somebody = begun.pop("person")
    answer = _json(begun)
    if somebody != person:
        answer.set_cookie(_passport(request).write(somebody, secure=_secure(request)))
    return answer


@post("/me/passkeys")
async def add_passkey(
    request: AnyRequest, person: Asker, accounts: TheAccounts, data: JSONBody[FinishPasskey]
) -> Response[Any]:
    """A passkey was made."""
    site, who = site_of(request), asking(request, person)
    kept = await accounts.add_passkey(site, person, data.label, data.ticket, data.answer, who)
    # A new account goes on to its recovery codes, which are made by a post.
    made = {"to": "/me?said=added"} if person.known else {"to": "/me/recovery", "post": {"new": "yes"}}
    return signed_in(request, kept, _json(made))


@get("/sign-in")
async def sign_in_page(request: AnyRequest, person: Asker, back: FromQuery[str] = "") -> Template:
    """Where somebody comes in who was here before, also on another device."""
    return _sign_in_page(request, person, {"login": "", "back": back})


def _sign_in_page(
    request: AnyRequest, person: Person, values: dict[str, str], problem: str = "", status: int = 200
) -> Template:
    return page(
        "sign_in.html", request, person, status, values=values, problem=problem, site=site_of(request), longest=LONGEST,
        longest_name=LONGEST_NAME,
    )  # fmt: skip


@post("/sign-in")
async def sign_in(
    request: AnyRequest, person: Asker, accounts: TheAccounts, holdings: TheHoldings
) -> Template | Redirect:
    """Come in by name and password."""
    form = await form_of(request)
    try:
        device = request.cookies.get(DEVICE, "")
        known = await accounts.sign_in(form["login"], form["password"], asking(request, person), device)
    except SparringError as problem:
        values = {"login": form["login"], "back": form["back"]}
        return _sign_in_page(request, person, values, str(problem), status_of(problem))
    stays, said = await brought(holdings, person, known, bring=form["bring"] == "yes")
    answer = signed_in(request, known, back_to(request.app, form["back"] or f"/me?said={said}"))
    return guest_kept(request, person, answer) if stays else answer


@post("/sign-in/passkey/begin")
async def begin_coming_in(request: AnyRequest, person: Asker, accounts: TheAccounts) -> Response[Any]:
    """What a browser needs to offer its passkeys."""
    return _json(await accounts.begin_coming_in(site_of(request), asking(request, person)))


@post("/sign-in/passkey")
async def come_in(
    request: AnyRequest, person: Asker, accounts: TheAccounts, holdings: TheHoldings, data: JSONBody[PasskeySignIn]
) -> Response[Any]:
    """Come in by a passkey."""
    known = await accounts.come_in(site_of(request), data.ticket, data.answer)
    stays, said = await brought(holdings, person, known, bring=data.bring)
    answer = signed_in(request, known, _json({"to": back_to(request.app, data.back or f"/me?said={said}").url}))
    return guest_kept(request, person, answer) if stays else answer


async def brought(holdings: PersonalData, guest: Person, person: Person, *, bring: bool) -> tuple[bool, str]:
    """Whether something stays the guest's who this browser was so far, and what is said."""
    if not guest.id or guest.known:
        return False, "in"
    left = await holdings.bring(guest, person) if bring else 0
    return bool(left) or not bring, "twice" if left else "in"


def signed_in(request: AnyRequest, person: Person, answer: A) -> A:
    """Give the browser the cookie of somebody who has just signed in, and the one by which it is known next time."""
    accounts: Accounts = request.app.state.accounts
    answer.set_cookie(_passport(request).write(person, secure=_secure(request)))
    known = request.cookies.get(DEVICE, "")
    answer.set_cookie(accounts.devices.write(known, person.id, secure=_secure(request)))
    return answer


def guest_kept(request: AnyRequest, guest: Person, answer: Any) -> Any:
    """The browser remembers the guest that it was, until somebody signs out."""
    answer.set_cookie(_passport(request).write(guest, secure=_secure(request), key=GUEST))
    return answer


@post("/me/sign-out")
async def sign_out(request: AnyRequest, person: Asker, accounts: TheAccounts) -> Redirect:
    """This browser is nobody's any more; a guest, who could not come in again, stays."""
    answer = Redirect("/me?said=out" if person.known else "/me", status_code=303)
    if person.known:
        await accounts.sign_out(person)
        forget_person(request, answer)
    return answer


@post("/me/sign-out-everywhere")
async def sign_out_everywhere(request: AnyRequest, person: Asker, holdings: TheHoldings) -> Redirect:
    """No cookie of this account counts any more, nor any of its tokens where that is wished."""
    programs = (await form_of(request))["programs"] == "yes"
    said = "programs" if programs else "everywhere"
    answer = Redirect(f"/me?said={said}" if person.known else "/me", status_code=303)
    if person.known:
        await holdings.sign_out_everywhere(person, programs=programs)
        forget_person(request, answer)
    return answer


@get("/me/data")
async def take(request: AnyRequest, person: Asker, holdings: TheHoldings) -> Stream:
    """Everything that is somebody's, as a file."""
    holdings.accounts.quotas.take_along(asking(request, person))
    headers = {"Content-Disposition": f'attachment; filename="{file_name(person)}"'}
    return Stream(holdings.take(person), media_type=MediaType.JSON, headers=headers)


@get("/me/delete")
async def deleting(request: AnyRequest, person: Asker, holdings: TheHoldings) -> Template:
    """What would be deleted, before it is."""
    return await _deleting(request, person, holdings)


async def _deleting(
    request: AnyRequest, person: Person, holdings: PersonalData, problem: str = "", status: int = 200
) -> Template:
    return page(
        "delete_me.html", request, person, status, problem=problem, count=await holdings.count(person),
        must_sign_in=person.known and not is_fresh(person),
    )  # fmt: skip


@post("/me/delete")
async def delete(request: AnyRequest, person: Asker, holdings: TheHoldings) -> Template | Redirect:
    """Delete all that is somebody's, once they have said twice that they want it."""
    if (await form_of(request))["sure"] != "yes":
        return await _deleting(request, person, holdings, "Nothing was deleted: say that you are sure.", 422)
    try:
        await holdings.delete(person)
    except SparringError as problem:
        return await _deleting(request, person, holdings, str(problem), status_of(problem))
    answer = Redirect("/me?said=deleted", status_code=303)
    forget_person(request, answer)
    answer.delete_cookie(DEVICE)
    return answer


class _AccountForm(dict[str, str]):
    """What was filled in; a field that is not there is empty."""

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
    """Under which name this server was asked."""
    host = request.headers.get("host", "")
    return PasskeySite((urlsplit(f"//{host}").hostname or "").rstrip("."), f"{request.url.scheme}://{host}")


HANDLERS = [
    Router("/", route_handlers=[
        me, rename, shown, hear_again, password, remove_password, remove_passkey, sign_in_page, sign_in,
        begin_coming_in, sign_out, sign_out_everywhere, take, deleting, delete,
    ], include_in_schema=False, request_max_body_size=SMALL),
    Router("/", route_handlers=[begin_passkey, add_passkey, come_in], include_in_schema=False,
           request_max_body_size=LONGEST_ANSWER),
]  # fmt: skip
