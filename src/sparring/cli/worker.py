"""Working for servers that run elsewhere."""

import os
from typing import Annotated

import typer

from sparring.engine.errors import BadOption
from sparring.engine.folders import data_folder

from .common import out


def work(
    broker: Annotated[
        str | None,
        typer.Option(metavar="redis://HOST:PORT", help="Where jobs are taken from (default: the setting `broker`)."),
    ] = None,
    places: Annotated[
        int | None, typer.Option(min=1, max=1000, help="How many jobs are done at once; usually one for each core.")
    ] = None,
) -> None:
    """Think for bots and review matches, for a server anywhere with the same broker.

    The key it needs is told there by `sparring admin worker-key`, and put into SPARRING_WORKER_KEY here.
    """
    from sparring.web.cluster.worker_keys import own_key
    from sparring.web.settings import check_broker, find_settings

    if not (url := broker or find_settings()["broker"].value):
        raise BadOption("Say where jobs are taken from: --broker redis://HOST:PORT.")
    check_broker(url)
    key = own_key(data_folder())
    from sparring.web.cluster.job_worker import work as be_a_worker

    be_a_worker(url, key, places or os.cpu_count() or 1, lambda told: out.print(told, markup=False))
