"""Working for servers that run elsewhere."""

import os
from typing import Annotated

import typer

from sparring.engine.errors import BadOption

from .common import out


def work(
    broker: Annotated[
        str | None,
        typer.Option(metavar="redis://HOST:PORT", help="Where jobs are taken from; usually SPARRING_BROKER."),
    ] = None,
    places: Annotated[
        int | None, typer.Option(min=1, max=1000, help="How many jobs are done at once; usually one for each core.")
    ] = None,
) -> None:
    """Think for bots and review matches, for servers on any machine with the same broker and the same key."""
    from sparring.web.settings import Settings, check_broker

    settings = Settings.usual()
    if not (url := broker or settings.broker):
        raise BadOption("Say where jobs are taken from: --broker redis://HOST:PORT.")
    check_broker(url)
    from sparring.web.many.working import work as be_a_worker

    be_a_worker(url, settings.secret, places or os.cpu_count() or 1, lambda told: out.print(told, markup=False))
