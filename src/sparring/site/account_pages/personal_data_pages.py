"""Download or delete all data of a person."""

from litestar import MediaType, Router, get, post
from litestar.response import Redirect, Stream, Template

from sparring.engine.errors import SparringError
from sparring.people.accounts import is_fresh
from sparring.people.identity import DEVICE
from sparring.server.requests.errors import explain, explained
from sparring.server.requests.identity import SMALL, AnyRequest, CurrentPerson, forget_person, requester_of
from sparring.site.pages.table_pages import page
from sparring.store.person import Person

from .account_routes import PersonalDataDep, form_of
from .personal_data import PersonalData, file_name


def data_file(request: AnyRequest, person: Person, personal_data: PersonalData) -> Stream:
    """Return all a person's data as a file to download. If reading them fails, its last line says so."""
    personal_data.accounts.rate_limits.take("exports", requester_of(request, person))
    data = explained(request, personal_data.export(person), lambda why: f"\nThis file is incomplete. {why}\n".encode())
    headers = {"Content-Disposition": f'attachment; filename="{file_name(person)}"'}
    return Stream(data, media_type=MediaType.JSON, headers=headers)


@get("/me/data")
async def take(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Stream:
    """Download all the person's data."""
    return data_file(request, person, personal_data)


@get("/me/delete")
async def deleting(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Template:
    """Show what a deletion would delete."""
    return await _deleting(request, person, personal_data)


async def _deleting(
    request: AnyRequest, person: Person, personal_data: PersonalData, problem: str = "", status: int = 200
) -> Template:
    return page(
        "delete_me.html", request, person, status, problem=problem, count=await personal_data.count(person),
        must_sign_in=person.has_account and not is_fresh(person),
    )  # fmt: skip


@post("/me/delete")
async def delete(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Template | Redirect:
    """Delete all the person's data, if they ticked the confirmation."""
    if (await form_of(request))["sure"] != "yes":
        return await _deleting(request, person, personal_data, "Nothing was deleted. Tick the box to confirm.", 422)
    try:
        await personal_data.delete(person)
    except SparringError as problem:
        return await _deleting(request, person, personal_data, explain(request, problem), problem.status)
    response = Redirect("/me?said=deleted", status_code=303)
    forget_person(request, response)
    response.delete_cookie(DEVICE)
    return response


HANDLERS = [
    Router("/", route_handlers=[take, deleting, delete], include_in_schema=False, request_max_body_size=SMALL),
]  # fmt: skip
