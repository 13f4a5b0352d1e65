"""Add passkeys and sign in with them. The page's script talks to the authenticator."""

from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, Router, post
from litestar.params import JSONBody

from sparring.server.requests.identity import SMALL, AccountsDep, AnyRequest, CurrentPerson, requester_of
from sparring.server.requests.newcomers import EVERYONE
from sparring.server.requests.redirects import back_to

from .account_forms import PersonalDataDep, site_of
from .sign_in_cookies import merge_guest, with_identity_cookie, with_sign_in_cookies

#: The longest passkey request, in bytes: an authenticator's attestation can be long.
LONGEST_ANSWER = 16 * 1024

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
    bring: bool = False
    back: Text = ""


@post("/me/passkeys/begin", opt=EVERYONE)
async def begin_passkey(
    request: AnyRequest, person: CurrentPerson, accounts: AccountsDep, data: JSONBody[BeginPasskey]
) -> Response[Any]:
    """Return the options for creating a passkey. A visitor without an identity gets one."""
    options = await accounts.begin_passkey(site_of(request), person, data.name)
    owner = options.pop("person")
    response = _json(options)
    return response if owner == person else with_identity_cookie(request, owner, response)


@post("/me/passkeys")
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
async def begin_coming_in(request: AnyRequest, person: CurrentPerson, accounts: AccountsDep) -> Response[Any]:
    """Return the options for signing in with a passkey."""
    return _json(await accounts.begin_passkey_sign_in(site_of(request), requester_of(request, person)))


@post("/sign-in/passkey")
async def come_in(
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


HANDLERS = [
    Router("/", route_handlers=[begin_coming_in], include_in_schema=False, request_max_body_size=SMALL),
    Router("/", route_handlers=[begin_passkey, add_passkey, come_in], include_in_schema=False,
           request_max_body_size=LONGEST_ANSWER),
]  # fmt: skip
