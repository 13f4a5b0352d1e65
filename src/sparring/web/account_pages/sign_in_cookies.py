"""Set the cookies of a person who has signed in, and decide what happens to the guest they were."""

from typing import Any, TypeVar

from litestar import Response

from sparring.web.accounts.accounts import Accounts
from sparring.web.accounts.device_cookies import DEVICE
from sparring.web.identity import COOKIE, GUEST, IdentityCookie, Person
from sparring.web.requests.identity_and_errors import AnyRequest

from .personal_data import PersonalData

A = TypeVar("A", bound=Response[Any])


async def merge_guest(holdings: PersonalData, guest: Person, person: Person, *, bring: bool) -> tuple[bool, str]:
    """Move the guest's data to the account if `bring` is set.

    Return whether the guest keeps anything, and the key of the confirmation (`account_routes.CONFIRMATIONS`).
    """
    if not guest.id or guest.has_account:
        return False, "in"
    left = await holdings.merge_guest(guest, person) if bring else 0
    return bool(left) or not bring, "twice" if left else "in"


def with_identity_cookie(request: AnyRequest, person: Person, response: A, key: str = COOKIE) -> A:
    """Set the cookie that tells who the person is."""
    passport: IdentityCookie = request.app.state.passport
    response.set_cookie(passport.write(person, secure=_secure(request), key=key))
    return response


def with_sign_in_cookies(request: AnyRequest, person: Person, response: A) -> A:
    """Set the identity cookie of a person who has just signed in, and the cookie that marks this device as known."""
    with_identity_cookie(request, person, response)
    accounts: Accounts = request.app.state.accounts
    device = request.cookies.get(DEVICE, "")
    response.set_cookie(accounts.devices.write(device, person.id, secure=_secure(request)))
    return response


def with_guest_cookie(request: AnyRequest, guest: Person, response: A) -> A:
    """Store the guest's identity in a second cookie, to restore it at sign-out."""
    return with_identity_cookie(request, guest, response, GUEST)


def _secure(request: AnyRequest) -> bool:
    return request.url.scheme == "https"
