"""Account recovery commands: reset a password or passkeys, and print a one-time sign-in link."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from sparring.cli.common import out, with_store
from sparring.engine.errors import BadOption

if TYPE_CHECKING:
    from sparring.web.settings import Settings
    from sparring.web.storage import Database

Account = Annotated[
    str, typer.Argument(metavar="PERSON", help="The account: its sign-in name, or its id from `tables`.")
]
Address = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="URL",
        help="Start the link with this address (default: the first name in SPARRING_NAMES, else http://localhost:8000).",
    ),
]


def reset_password(person: Account, url: Address = None) -> None:
    """Remove an account's password, sign its owner out everywhere, and print a one-time sign-in link."""
    _reset(person, url, passkeys=False)


def reset_passkeys(person: Account, url: Address = None) -> None:
    """Remove an account's passkeys, sign its owner out everywhere, and print a one-time sign-in link."""
    _reset(person, url, passkeys=True)


def _reset(person: str, url: str | None, *, passkeys: bool) -> None:
    from sparring.web.accounts.accounts import fold_name
    from sparring.web.accounts.recovery_codes import RESET_TIME, RecoveryCodes
    from sparring.web.storage import AccountStore, RecoveryStore, TokenStore

    begins = _address(url)

    async def reset(_: "Settings", store: "Database") -> tuple[str, str, int]:
        accounts = AccountStore(store)
        account = await accounts.load(person=person) or await accounts.load(folded=fold_name(person))
        if account is None:
            raise BadOption(f"There is no account {person}; use its sign-in name, or its id from `tables`.")
        if passkeys and not await accounts.passkeys(account.person):
            raise BadOption(f"{account.name} has no passkeys; `reset-password` removes the password.")
        if not passkeys and account.password is None:
            raise BadOption(f"{account.name} has no password; `reset-passkeys` removes the passkeys.")
        code = await RecoveryCodes(RecoveryStore(store)).reset(account, passkeys=passkeys)
        return account.name, code, len(await TokenStore(store).of(account.person))

    name, code, tokens = with_store(reset)
    removed = "All passkeys" if passkeys else "The password"
    out.print(
        f"{removed} and all recovery codes of {name} have been removed, and every browser is signed out.", markup=False
    )
    if tokens:
        out.print(f"Their API tokens still work ({tokens}); the owner can revoke them at /me/tokens.")
    out.print(f"Send them this link. It works once, within {RESET_TIME // 3600} hours:")
    out.print(f"{begins}/sign-in/recovery?code={code}", markup=False, soft_wrap=True)


def _address(url: str | None) -> str:
    """Return the base URL of the link.

    Raises:
        BadOption: The address doesn't start with http:// or https://.
    """
    names = os.environ.get("SPARRING_NAMES", "").split(",")
    begins = url or (f"https://{names[0]}" if names[0] else "http://localhost:8000")
    if not begins.startswith(("http://", "https://")):
        raise BadOption(f"--url must start with http:// or https://, not {begins}.")
    return begins.rstrip("/")
