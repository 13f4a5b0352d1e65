"""The work command: run jobs for servers on this or other machines."""

import os
from typing import Annotated

import typer

from sparring.engine.errors import BadOption
from sparring.engine.folders import data_folder

from .common import out


def work(
    broker: Annotated[
        str | None,
        typer.Option(metavar="redis://HOST:PORT", help="Take jobs from this broker (default: the setting `broker`)."),
    ] = None,
    places: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Run this many jobs at once (default: one per core).")
    ] = None,
) -> None:
    """Run a worker that computes bot moves and reviews for any server with the same broker.

    Get its key with `sparring admin worker-key` on the server, and set it here as SPARRING_WORKER_KEY.
    """
    from sparring.web.cluster.worker_keys import own_key
    from sparring.web.settings import check_broker, find_settings

    if not (url := broker or find_settings()["broker"].value):
        raise BadOption("No broker is set; give one with --broker redis://HOST:PORT.")
    check_broker(url)
    key = own_key(data_folder())
    from sparring.web.cluster.job_worker import work as be_a_worker

    be_a_worker(url, key, places or os.cpu_count() or 1, lambda line: out.print(line, markup=False))
