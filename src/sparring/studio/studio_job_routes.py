"""Studio job endpoints: training, report and printing."""

from typing import Annotated

import msgspec
from litestar import Response, get, post

from sparring.engine.errors import CannotPrint
from sparring.server.api.responses import endpoint
from sparring.server.requests.identity import CurrentPerson

from .job_routes import StudioJobsDep, content_of, playable_content, printed_content, seats_of
from .jobs.job_messages import Print
from .jobs.job_service import ReportJob, TrainingJob
from .picture_pad import LoadedSetDep

Problem = Annotated[str, msgspec.Meta(description="Why it failed; empty if it didn't.")]


class TrainingStatus(msgspec.Struct):
    """The training progress of a set's current version."""

    requested: Annotated[bool, msgspec.Meta(description="Whether it has been requested.")] = False
    done: Annotated[float, msgspec.Meta(description="Progress from 0 to 1; at 1, bots use the model.")] = 0.0
    doing: Annotated[str, msgspec.Meta(description="The current step; empty: waiting in the queue.")] = ""
    loss: Annotated[
        float, msgspec.Meta(description="The model's mean log loss on held-out matches, after training.")
    ] = 0.0
    loss_of_none: Annotated[float, msgspec.Meta(description="The mean log loss without a model.")] = 0.0
    problem: Problem = ""

    @classmethod
    def of(cls, job: TrainingJob | None) -> "TrainingStatus":
        """Return the status of a job, or of none."""
        return cls(requested=True, **msgspec.structs.asdict(job.progress)) if job else cls()


class ReportStatus(msgspec.Struct):
    """The lab's report on a set's current version."""

    requested: Annotated[bool, msgspec.Meta(description="Whether it has been requested.")] = False
    matches: Annotated[int, msgspec.Meta(description="The number of matches played so far.")] = 0
    page: Annotated[str, msgspec.Meta(description="The report (HTML); empty until it is finished.")] = ""
    problem: Problem = ""

    @classmethod
    def of(cls, job: ReportJob | None) -> "ReportStatus":
        """Return the status of a job, or of none."""
        return cls(True, job.matches, job.page.decode(), job.problem) if job else cls()


@post("/sets/{set_id:str}/learn", **endpoint("studio", "Train bots on a set", 404, 422), status_code=202)
async def ask_to_learn(person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep) -> TrainingStatus:
    """Start training a value model for a set, for the usual number of seats. This takes a few minutes."""
    await studio_jobs.trainings.begin(playable_content(loaded), seats_of(loaded))
    return TrainingStatus.of(await studio_jobs.trainings.of(content_of(loaded), seats_of(loaded)))


@get("/sets/{set_id:str}/learn", **endpoint("studio", "Training progress", 404))
async def learned(person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep) -> TrainingStatus:
    """Return the training progress of a set's current version."""
    return TrainingStatus.of(await studio_jobs.trainings.of(content_of(loaded), seats_of(loaded)))


@post("/sets/{set_id:str}/report", **endpoint("studio", "Request a report", 404, 422), status_code=202)
async def ask_for_report(person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep) -> ReportStatus:
    """Start writing the lab's report on a set, from matches between random bots."""
    await studio_jobs.reports.begin(playable_content(loaded), loaded.row.name)
    return ReportStatus.of(await studio_jobs.reports.of(content_of(loaded), loaded.row.name))


@get("/sets/{set_id:str}/report", **endpoint("studio", "A set's report", 404))
async def report(person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep) -> ReportStatus:
    """Return the report on a set's current version, or its progress."""
    return ReportStatus.of(await studio_jobs.reports.of(content_of(loaded), loaded.row.name))


@post("/sets/{set_id:str}/print", **endpoint("studio", "Print a set", 404, 422),
      status_code=200, media_type="application/pdf")  # fmt: skip
async def on_paper(person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep) -> Response[bytes]:
    """Return a set as a PDF to print, cut out and play."""
    pdf = await studio_jobs.processes.print(Print(printed_content(loaded)))
    if pdf.problem:
        raise CannotPrint(pdf.problem)
    return Response(pdf.file, media_type="application/pdf")
