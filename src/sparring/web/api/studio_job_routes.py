"""What is made of sets of the studio, for programs: what bots learn, the lab's report, and the set on paper."""

from typing import Annotated

import msgspec
from litestar import Response, Router, get, post

from sparring.engine.errors import CannotPrint
from sparring.web.requests.identity_and_errors import SMALL, Asker
from sparring.web.studio.jobs.job_messages import Print
from sparring.web.studio.jobs.job_routes import TheWorkshop, legal, seats_of, thing_of
from sparring.web.studio.jobs.report_jobs import ReportJob
from sparring.web.studio.jobs.training_jobs import TrainingJob
from sparring.web.studio.studio_routes import TheSets

from .responses import Id, allowed, refusals

Problem = Annotated[str, msgspec.Meta(description="Why there will be none; empty: nothing is in the way.")]


class TrainingStatus(msgspec.Struct):
    """How far bots have come in learning a set as it is now."""

    asked: Annotated[bool, msgspec.Meta(description="Whether somebody has asked for it.")] = False
    done: Annotated[float, msgspec.Meta(description="From 0 to 1; at 1 bots judge by it.")] = 0.0
    doing: Annotated[str, msgspec.Meta(description="What is being done; empty: it waits for its turn.")] = ""
    loss: Annotated[float, msgspec.Meta(description="The mean log loss in matches held out, when it is learned.")] = 0.0
    loss_of_none: Annotated[float, msgspec.Meta(description="The same for who knows nothing.")] = 0.0
    problem: Problem = ""

    @classmethod
    def of(cls, course: TrainingJob | None) -> "TrainingStatus":
        """As it is now."""
        return cls(asked=True, **msgspec.structs.asdict(course.taught)) if course else cls()


class ReportStatus(msgspec.Struct):
    """The lab's report of a set as it is now."""

    asked: Annotated[bool, msgspec.Meta(description="Whether somebody has asked for it.")] = False
    matches: Annotated[int, msgspec.Meta(description="How many matches are played for it so far.")] = 0
    page: Annotated[str, msgspec.Meta(description="The report, a page of HTML; empty until then.")] = ""
    problem: Problem = ""

    @classmethod
    def of(cls, writing: ReportJob | None) -> "ReportStatus":
        """As it is now."""
        return cls(True, writing.matches, writing.page.decode(), writing.problem) if writing else cls()


@post("/sets/{set_id:str}/learn", **allowed("studio"), status_code=202, responses=refusals(404, 422),
      summary="Have bots learn a set")  # fmt: skip
async def ask_to_learn(person: Asker, sets: TheSets, workshop: TheWorkshop, set_id: Id) -> TrainingStatus:
    """Bots learn how to judge positions of a set, in minutes, for as many as a table of it is opened for."""
    held = await sets.look(await sets.mine(person, set_id))
    workshop.courses.begin(legal(held), seats_of(held), person.answers)
    return TrainingStatus.of(workshop.courses.of(thing_of(held), seats_of(held)))


@get("/sets/{set_id:str}/learn", **allowed("studio"), responses=refusals(404), summary="What bots have learned")
async def learned(person: Asker, sets: TheSets, workshop: TheWorkshop, set_id: Id) -> TrainingStatus:
    """How far bots have come in learning a set as it is now."""
    held = await sets.look(await sets.mine(person, set_id))
    return TrainingStatus.of(workshop.courses.of(thing_of(held), seats_of(held)))


@post("/sets/{set_id:str}/report", **allowed("studio"), status_code=202, responses=refusals(404, 422),
      summary="Have a report written")  # fmt: skip
async def ask_for_report(person: Asker, sets: TheSets, workshop: TheWorkshop, set_id: Id) -> ReportStatus:
    """The lab's report of a set is written, of matches between random bots."""
    held = await sets.look(await sets.mine(person, set_id))
    workshop.reports.begin(legal(held), held.row.name, person.answers)
    return ReportStatus.of(workshop.reports.of(thing_of(held), held.row.name))


@get("/sets/{set_id:str}/report", **allowed("studio"), responses=refusals(404), summary="The report of a set")
async def report(person: Asker, sets: TheSets, workshop: TheWorkshop, set_id: Id) -> ReportStatus:
    """The report of a set as it is now; until it is written, how far it has come."""
    held = await sets.look(await sets.mine(person, set_id))
    return ReportStatus.of(workshop.reports.of(thing_of(held), held.row.name))


@post("/sets/{set_id:str}/print", **allowed("studio"), status_code=200, responses=refusals(404, 422),
      summary="A set on paper", media_type="application/pdf")  # fmt: skip
async def on_paper(person: Asker, sets: TheSets, workshop: TheWorkshop, set_id: Id) -> Response[bytes]:
    """A PDF to print, cut and play."""
    held = await sets.look(await sets.mine(person, set_id))
    made = await workshop.processes.print(Print(legal(held)), person.answers)
    if made.problem:
        raise CannotPrint(made.problem)
    return Response(made.file, media_type="application/pdf")


def router() -> Router:
    """What can be made of sets."""
    handlers = [ask_to_learn, learned, ask_for_report, report, on_paper]
    return Router("/api", route_handlers=handlers, tags=["sets"], request_max_body_size=SMALL)
