"""People of a server: list, search and find them; reset a password or passkeys, and print a one-time sign-in link."""

import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from sparring.cli.common import AsJson, ago, out, with_store, write_json
from sparring.engine.errors import BadOption

if TYPE_CHECKING:
    from sparring.settings import Settings
    from sparring.store.database import Database
    from sparring.store.moderation import KnownPerson

PERSON = "Their sign-in name, display name or id (`people` lists them)."

Account = Annotated[str, typer.Argument(metavar="PERSON", help=PERSON)]
Address = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="URL",
        help="Start the link with this address (default: from the settings `mail.site`, `names` or `port`).",
    ),
]


def people(
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="List only people with this in a name, or with this id.")
    ] = None,
    here: Annotated[bool, typer.Option("--here", help="List only people who were here within three minutes.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="List at most this many people, most recently seen first.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List people: accounts, and guests who sat at a table or wrote a message."""
    from sparring.store.moderation import PeopleStore
    from sparring.tables.friends import ONLINE

    since = int(time.time()) - ONLINE if here else 0
    found = with_store(lambda _, store: PeopleStore(store).search(text or "", since, limit))
    if as_json:
        write_json([asdict(person) for person in found])
        return
    for person in found:
        out.print(described(person), markup=False)
    if not found:
        out.print("No people found.")


def described(person: "KnownPerson") -> str:
    """Return who a person is, in one line."""
    account = f"sign-in name {person.login}" if person.login else "account" if person.account else "guest"
    account += f", {person.role}" if person.role else ""
    return f"{person.name or '-'} ({account}, id {person.id}, last seen {ago(person.seen)})"


async def find_person(store: "Database", text: str, *, sign_in: bool = False) -> "KnownPerson":
    """Return the person whom an operator means by a sign-in name, a display name or an id.

    With `sign_in`, a sign-in name takes precedence over the display names of others.

    Raises:
        BadOption: There is no person of that name, or there are several.
    """
    from sparring.people.accounts import fold_name
    from sparring.store.moderation import PeopleStore

    folded = fold_name(text)
    found = await PeopleStore(store).named(text, folded)
    if sign_in:
        found = [person for person in found if person.login and fold_name(person.login) == folded] or found
    if not found:
        raise BadOption(f"There is no person called {text}. `sparring admin people` lists everyone.")
    if len(found) > 1:
        raise BadOption("\n".join([f"Several people are called {text}. Give the id of one:", *map(described, found)]))
    return found[0]


def reset_password(person: Account, url: Address = None) -> None:
    """Remove an account's password, sign its owner out everywhere, and print a one-time sign-in link."""
    _reset(person, url, passkeys=False)


def reset_passkeys(person: Account, url: Address = None) -> None:
    """Remove an account's passkeys, sign its owner out everywhere, and print a one-time sign-in link."""
    _reset(person, url, passkeys=True)


def _reset(person: str, url: str | None, *, passkeys: bool) -> None:
    from sparring.people.passwords import RESET_TIME, RecoveryCodes
    from sparring.store.accounts import AccountStore, RecoveryStore, TokenStore

    async def reset(settings: "Settings", store: "Database") -> tuple[str, str, int]:
        accounts = AccountStore(store)
        begins = _address(url, settings)
        found = await find_person(store, person, sign_in=True)
        account = await accounts.load(person=found.id)
        if account is None:
            raise BadOption(f"{described(found)} has no account.")
        if passkeys and not await accounts.passkeys(account.person):
            raise BadOption(f"{account.name} has no passkeys; `reset-password` removes the password.")
        if not passkeys and account.password is None:
            raise BadOption(f"{account.name} has no password; `reset-passkeys` removes the passkeys.")
        code = await RecoveryCodes(RecoveryStore(store)).reset(account, passkeys=passkeys)
        link = f"{begins}/sign-in/recovery?code={code}"
        return described(found), link, len(await TokenStore(store).of(account.person))

    name, link, tokens = with_store(reset)
    removed = "All passkeys" if passkeys else "The password"
    out.print(
        f"{removed} and all recovery codes of {name} have been removed, and every browser is signed out.", markup=False
    )
    if tokens:
        out.print(f"Their API tokens still work ({tokens}); the owner can revoke them at /me/tokens.")
    out.print(f"Send them this link. It works once, within {RESET_TIME // 3600} hours:")
    out.print(link, markup=False, soft_wrap=True)


def _address(url: str | None, settings: "Settings") -> str:
    """Return the base URL of the link.

    Raises:
        BadOption: The address doesn't start with http:// or https://.
    """
    own = f"https://{settings.names[0]}" if settings.names else f"http://localhost:{settings.port}"
    begins = url or settings.mail.site or own
    if not begins.startswith(("http://", "https://")):
        raise BadOption(f"--url must start with http:// or https://, not {begins}.")
    return begins.rstrip("/")
