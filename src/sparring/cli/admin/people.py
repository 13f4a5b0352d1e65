"""People of a server: list and search them, and find the one whom an operator means."""

import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from sparring.cli.common import AsJson, ago, out, with_store, write_json
from sparring.engine.errors import BadOption

if TYPE_CHECKING:
    from sparring.store.accounts.people_store import KnownPerson
    from sparring.store.database import Database

PERSON = "Their sign-in name, display name or id (`people` lists them)."


def people(
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="List only people with this in a name, or with this id.")
    ] = None,
    here: Annotated[bool, typer.Option("--here", help="List only people who were here within three minutes.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="List at most this many people, most recently seen first.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List people: accounts, and guests who sat at a table or wrote a message."""
    from sparring.store.accounts.people_store import PeopleStore
    from sparring.tables.friends.friends import ONLINE

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
    from sparring.people.accounts.accounts import fold_name
    from sparring.store.accounts.people_store import PeopleStore

    folded = fold_name(text)
    found = await PeopleStore(store).named(text, folded)
    if sign_in:
        found = [person for person in found if person.login and fold_name(person.login) == folded] or found
    if not found:
        raise BadOption(f"There is no person called {text}. `sparring admin people` lists everyone.")
    if len(found) > 1:
        raise BadOption("\n".join([f"Several people are called {text}. Give the id of one:", *map(described, found)]))
    return found[0]
