"""Account recovery commands: reset a password or passkeys, and print a one-time sign-in link."""

from typing import TYPE_CHECKING, Annotated

import typer

from sparring.cli.common import out, with_store
from sparring.engine.errors import BadOption

from .people import PERSON, described, find_person

if TYPE_CHECKING:
    from sparring.settings import Settings
    from sparring.store.database import Database

Account = Annotated[str, typer.Argument(metavar="PERSON", help=PERSON)]
Address = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="URL",
        help="Start the link with this address (default: from the settings `mail.site`, `names` or `port`).",
    ),
]


def reset_password(person: Account, url: Address = None) -> None:
    """Remove an account's password, sign its owner out everywhere, and print a one-time sign-in link."""
    _reset(person, url, passkeys=False)


def reset_passkeys(person: Account, url: Address = None) -> None:
    """Remove an account's passkeys, sign its owner out everywhere, and print a one-time sign-in link."""
    _reset(person, url, passkeys=True)


def _reset(person: str, url: str | None, *, passkeys: bool) -> None:
    from sparring.people.accounts.recovery_codes import RESET_TIME, RecoveryCodes
    from sparring.store.accounts.account_store import AccountStore
    from sparring.store.accounts.recovery_store import RecoveryStore
    from sparring.store.accounts.token_store import TokenStore

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
