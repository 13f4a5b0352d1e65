"""Sign in with a name and password, and sign out."""

from litestar import Router, get, post
from litestar.params import FromQuery
from litestar.response import Redirect, Template

from sparring.engine.errors import SparringError
from sparring.people.accounts.device_cookies import DEVICE
from sparring.people.accounts.passwords import LONGEST
from sparring.people.identity import LONGEST_NAME
from sparring.server.requests.errors import explain
from sparring.server.requests.identity import SMALL, AccountsDep, AnyRequest, CurrentPerson, forget_person, requester_of
from sparring.server.requests.redirects import back_to
from sparring.site.pages.table_pages import page
from sparring.store.person import Person

from .account_forms import PersonalDataDep, form_of, site_of
from .personal_data import PersonalData
from .sign_in_cookies import merge_guest, movable, with_sign_in_cookies


@get("/sign-in")
async def sign_in_page(
    request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep, back: FromQuery[str] = ""
) -> Template:
    """Show the sign-in page."""
    return await _sign_in_page(request, person, personal_data, {"login": "", "back": back})


async def _sign_in_page(
    request: AnyRequest, person: Person, personal_data: PersonalData, values: dict[str, str], problem: str = "",
    status: int = 200,
) -> Template:  # fmt: skip
    return page(
        "sign_in.html", request, person, status, values=values, problem=problem, site=site_of(request), longest=LONGEST,
        longest_name=LONGEST_NAME, mail=personal_data.addresses.on, moved=await movable(personal_data, person),
    )  # fmt: skip


@post("/sign-in")
async def sign_in(
    request: AnyRequest, person: CurrentPerson, accounts: AccountsDep, personal_data: PersonalDataDep
) -> Template | Redirect:
    """Sign in with a name and password."""
    form = await form_of(request)
    try:
        device = request.cookies.get(DEVICE, "")
        account = await accounts.sign_in(form["login"], form["password"], requester_of(request, person), device)
    except SparringError as problem:
        values = {"login": form["login"], "back": form["back"]}
        return await _sign_in_page(request, person, personal_data, values, explain(request, problem), problem.status)
    guest, said = await merge_guest(personal_data, person, account, bring=form["bring"] == "yes")
    return with_sign_in_cookies(request, account, back_to(request.app, form["back"] or f"/me?said={said}"), guest)


@post("/me/sign-out")
async def sign_out(request: AnyRequest, person: CurrentPerson, accounts: AccountsDep) -> Redirect:
    """Sign out in this browser. Guests stay signed in, because they couldn't sign in again."""
    response = Redirect("/me?said=out" if person.has_account else "/me", status_code=303)
    if person.has_account:
        await accounts.sign_out(person)
        forget_person(request, response)
    return response


@post("/me/sign-out-everywhere")
async def sign_out_everywhere(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Redirect:
    """Revoke all cookies of the account and, if asked, its API tokens."""
    programs = (await form_of(request))["programs"] == "yes"
    said = "programs" if programs else "everywhere"
    response = Redirect(f"/me?said={said}" if person.has_account else "/me", status_code=303)
    if person.has_account:
        await personal_data.sign_out_everywhere(person, programs=programs)
        forget_person(request, response)
    return response


HANDLERS = [
    Router("/", route_handlers=[sign_in_page, sign_in, sign_out, sign_out_everywhere], include_in_schema=False,
           request_max_body_size=SMALL),
]  # fmt: skip
