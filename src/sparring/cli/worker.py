"""The work command: run jobs for servers on this or other machines."""

import os
from typing import Annotated

import typer

from sparring.engine.errors import BadOption

from .common import err, out


def work(
    jobs: Annotated[
        str | None,
        typer.Option(metavar="postgresql://...", help="Take jobs from this database (default: the setting `jobs`)."),
    ] = None,
    places: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Run this many jobs at once (default: one per core).")
    ] = None,
    broker: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Run a worker that computes bot moves and reviews for any server with the same database of jobs."""
    from sparring.settings import check_jobs, find_settings

    if os.environ.get("SPARRING_WORKER_KEY", "").strip():
        err.print("SPARRING_WORKER_KEY is deprecated and has no effect: the address of the database `jobs` is enough.")
    found = find_settings(options={"broker": broker} if broker else None)
    if not (url := jobs or found["jobs"].value):
        raise BadOption("No database of jobs is set; give one with --jobs postgresql://USER:PASSWORD@HOST/DATABASE.")
    check_jobs(url)
    from sparring.job_worker import work as be_a_worker

    be_a_worker(url, places or os.cpu_count() or 1, lambda line: out.print(line, markup=False))
