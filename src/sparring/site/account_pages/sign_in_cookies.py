"""Set the cookies of a person who has signed in, and decide what happens to the guest they were."""

from typing import Any, TypeVar

from litestar import Response

from sparring.people.accounts.device_cookies import DEVICE
from sparring.people.identity import COOKIE, GUEST
from sparring.server.requests.identity import AnyRequest
from sparring.server.requests.server_state import server_state
from sparring.store.person import Person

from .personal_data import PersonalData

A = TypeVar("A", bound=Response[Any])


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


def with_identity_cookie(request: AnyRequest, person: Person, response: A, key: str = COOKIE) -> A:
    """Set the cookie that tells who the person is."""
    identity_cookie = server_state(request.app).identity_cookie
    response.set_cookie(identity_cookie.write(person, secure=_secure(request), key=key))
    return response


def with_sign_in_cookies(request: AnyRequest, person: Person, response: A, guest: Person | None = None) -> A:
    """Set the cookies of a person who has just signed in: identity, known device, and the guest to restore."""
    with_identity_cookie(request, person, response)
    if guest:
        with_identity_cookie(request, guest, response, GUEST)
    accounts = server_state(request.app).accounts
    device = request.cookies.get(DEVICE, "")
    response.set_cookie(accounts.devices.write(device, person.id, secure=_secure(request)))
    return response


def _secure(request: AnyRequest) -> bool:
    return request.url.scheme == "https"
