"""Recovery codes: shown once when an account is created or on request, and a page on which one of them signs in."""

from typing import Any

from litestar import Router, get, post
from litestar.params import FromQuery
from litestar.response import Redirect, Template

from sparring.engine.errors import SparringError
from sparring.server.requests.errors import explain
from sparring.server.requests.identity import EVERYONE, SMALL, AccountsDep, AnyRequest, CurrentPerson, requester_of
from sparring.site.pages.table_pages import page
from sparring.store.person import Person

from .account_routes import PersonalDataDep, create_account_page, form_of, me_page
from .personal_data import PersonalData
from .sign_in_pages import merge_guest, movable, with_sign_in_cookies

#: The longest code a form accepts, in characters.
LONGEST_CODE = 40


@post("/me/keep", status_code=200, opt=EVERYONE)
async def keep(
    request: AnyRequest, person: CurrentPerson, accounts: AccountsDep, personal_data: PersonalDataDep
) -> Template:
    """Create an account with a password, and show its recovery codes."""
    form = await form_of(request)
    try:
        account = await accounts.create_with_password(
            person, form["login"], form["password"], requester_of(request, person)
        )
        await personal_data.tokens.refresh()
        codes = await accounts.recovery.renew(account)
    except SparringError as problem:
        return create_account_page(request, person, explain(request, problem), problem.status, login=form["login"])
    return with_sign_in_cookies(request, account, _shown(request, account, codes, new=True))


@post("/me/recovery", status_code=200)
async def renew(
    request: AnyRequest, person: CurrentPerson, accounts: AccountsDep, personal_data: PersonalDataDep
) -> Template:
    """Make new recovery codes and show them, this once."""
    new = (await form_of(request))["new"] == "yes"
    try:
        codes = await accounts.new_codes(person, requester_of(request, person))
    except SparringError as problem:
        return await me_page(request, person, personal_data, problem=explain(request, problem), status=problem.status)
    return _shown(request, person, codes, new=new)


def _shown(request: AnyRequest, person: Person, codes: list[str], *, new: bool) -> Template:
    return page("recovery_codes.html", request, person, codes=codes, new=new)


@get("/sign-in/recovery")
async def recovery_page(
    request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep, code: FromQuery[str] = ""
) -> Template:
    """Show the form for signing in with a recovery code. A link from the operator fills it in."""
    return await _form_page(request, person, personal_data, code[:LONGEST_CODE])


async def _form_page(
    request: AnyRequest, person: Person, personal_data: PersonalData, code: str, problem: str = "", status: int = 200
) -> Template:
    return page(
        "recovery.html", request, person, status, code=code, problem=problem, longest=LONGEST_CODE,
        mail=personal_data.addresses.on, moved=await movable(personal_data, person),
    )  # fmt: skip


@post("/sign-in/recovery")
async def recover(
    request: AnyRequest, person: CurrentPerson, accounts: AccountsDep, personal_data: PersonalDataDep
) -> Template | Redirect:
    """Sign in with a recovery code; the account page then offers to set a new password or passkey."""
    form = await form_of(request)
    try:
        account = await accounts.recover(form["code"][:LONGEST_CODE], requester_of(request, person))
    except SparringError as problem:
        code = form["code"][:LONGEST_CODE]
        return await _form_page(request, person, personal_data, code, explain(request, problem), problem.status)
    guest, _ = await merge_guest(personal_data, person, account, bring=form["bring"] == "yes")
    return with_sign_in_cookies(request, account, Redirect("/me?said=recovered", status_code=303), guest)


HANDLERS: list[Any] = [
    Router("/", route_handlers=[keep, renew, recovery_page, recover], include_in_schema=False,
           request_max_body_size=SMALL),
]  # fmt: skip
