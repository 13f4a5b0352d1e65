"""Commands on the key that signs cookies."""

from typing import Annotated

import typer

from sparring.cli.common import err, out


def new_key(
    forget: Annotated[
        bool,
        typer.Option(
            "--forget", help="Reject cookies signed with older keys; guests without an account lose their tables."
        ),
    ] = False,
) -> None:
    """Create a new key for signing cookies. The server uses it from its next start and renews older cookies."""
    from sparring.engine.folders import data_folder
    from sparring.settings import SECRET, rotate_secret

    older = rotate_secret(data_folder() / SECRET, forget=forget)
    accepted = (
        f"{older} older key{'s are' if older > 1 else ' is'} still accepted" if older else "older keys are rejected"
    )
    out.print(f"Created a new key; {accepted}. Restart the server.")


def worker_key() -> None:
    """Say that workers need no key any more."""
    err.print("`worker-key` is deprecated: workers need no key, only the address of the database `jobs`.")
