"""The pages that are looked at: a game with the form for a new table, rules, and the table itself."""

from typing import Any
from urllib.parse import urlsplit

from litestar import MediaType, Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template

from sparring.bots import title
from sparring.engine.errors import SparringError
from sparring.engine.game import LETTER, Game, games
from sparring.engine.game import game as find_game
from sparring.engine.options import grouped
from sparring.web.api_tokens import Tokens
from sparring.web.identity import CHOICES, COOKIE, LISTENING, WORDS, IdentityCookie, Person, named
from sparring.web.requests.identity_and_errors import (
    TAKEN_OVER,
    YEAR,
    AnyRequest,
    Asker,
    TheAccounts,
    TheTables,
    asking,
    forget_person,
    remember_listening,
    status_of,
)  # fmt: skip
from sparring.web.requests.redirects import back_to, path_of
from sparring.web.security.hosts import is_loopback
from sparring.web.security.uploads import decode_content
from sparring.web.tables import page_parts
from sparring.web.tables.chat import chat_panel as talk
from sparring.web.tables.clocks.clock_panel import by_now
from sparring.web.tables.clocks.clock_record import record_of
from sparring.web.tables.invitations import open_seats, qr_code
from sparring.web.tables.players import names_of
from sparring.web.tables.presence import Presence
from sparring.web.tables.shared_screens import Viewer
from sparring.web.tables.table import Table

from .rules_pages import positions_html, rules_html, rulings
from .table_form import first_values, is_number, read_form, sitting_choices
from .table_settings_form import PACES, TALK
from .tooltips import titled

LONGEST_FILE_NAME = 60


def page(name: str, request: AnyRequest, person: Person, status: int = 200, **context: Any) -> Template:
    """A page for somebody; what all pages need is added."""
    shared = {
        "person": person, "theme": request.cookies.get("theme", ""), "path": request.url.path, "rulings": rulings,
    }  # fmt: skip
    answer = Template(name, context={**shared, **context}, status_code=status, headers={"Cache-Control": "no-store"})
    passport: IdentityCookie = request.app.state.passport
    if request.scope["state"].get(TAKEN_OVER):
        answer.delete_cookie(LISTENING)
    if person.signed_out:
        forget_person(request, answer)  # the page says so once
    elif person.id and (cookie := request.cookies.get(COOKIE)) and passport.is_old(cookie):
        answer.set_cookie(passport.write(person, secure=request.url.scheme == "https"))
    return answer


@get("/games/{name:str}", include_in_schema=False)
async def game_page(request: AnyRequest, person: Asker, name: FromPath[str]) -> Template:
    """A game and the form for a new table; the query may fill it in."""
    game = find_game(name)
    values = {**first_values(game), **dict(request.query_params)}
    return _game_page(request, person, game, values, await _own_bots(request, person))


@get("/games/{name:str}/rules", include_in_schema=False)
async def rules_page(request: AnyRequest, person: Asker, name: FromPath[str]) -> Template:
    """The rules of a game."""
    game = find_game(name)
    return page("rules.html", request, person, game=game, paper="rules", text=rules_html(game, 2))


@get("/games/{name:str}/positions", include_in_schema=False)
async def positions_page(request: AnyRequest, person: Asker, name: FromPath[str]) -> Template:
    """How positions of a game are written, for programs."""
    game = find_game(name)
    return page("rules.html", request, person, game=game, paper="positions", text=positions_html(game))


@post("/games/{name:str}", include_in_schema=False)
async def new_table(request: AnyRequest, person: Asker, tables: TheTables, name: FromPath[str]) -> Template | Redirect:
    """Lay out a new table as the form says."""
    game = find_game(name)
    filled = await request.form()
    form = {key: value for key, value in filled.items() if isinstance(value, str)}
    upload, own = filled.get("content"), await _own_bots(request, person)
    try:
        wanted = read_form(game, form, person, own)
        name, toml = await _uploaded(upload) if isinstance(upload, UploadFile) else ("", None)
        table = await tables.create(
            game,
            wanted.sitters,
            options=wanted.options,
            toml=toml,
            terms=wanted.terms,
            where=name,
            asking=asking(request, wanted.person),
        )
    except SparringError as problem:
        return _game_page(request, person, game, form, own, str(problem), status_of(problem))
    return signed(request, wanted.person, f"/table/{table.id}")


async def _own_bots(request: AnyRequest, person: Person) -> dict[str, Person]:
    """The bots of somebody that come over HTTP."""
    tokens: Tokens = request.app.state.tokens
    return await tokens.bots_of(person)


async def _uploaded(upload: UploadFile) -> tuple[str, str | None]:
    """A file's name, and its text if one was chosen."""
    name = shown_name(upload.filename)
    return name, decode_content(await upload.read(), name)


def shown_name(file: str) -> str:
    """What somebody's file is called, as it is shown."""
    return "".join(filter(str.isprintable, file))[:LONGEST_FILE_NAME] or "your file"


def signed(request: AnyRequest, person: Person, address: str) -> Redirect:
    """On to another page, with a cookie that says who somebody is."""
    answer = Redirect(address, status_code=303)
    passport: IdentityCookie = request.app.state.passport
    if person.id:
        answer.set_cookie(passport.write(person, secure=request.url.scheme == "https"))
    return answer


def _game_page(
    request: AnyRequest, person: Person, game: Game, values: dict[str, str], own: dict[str, Person],
    problem: str = "", status: int = 200,
) -> Template:  # fmt: skip
    return page(
        "game.html", request, person, status, game=game, values=values, problem=problem,
        sitting=[(seat, sitting_choices(game, seat, own)) for seat in range(1, max(game.seats) + 1)],
        paces=PACES, talking=TALK, letter=LETTER, grouped=grouped, is_number=is_number,
        options_set=any(values.get(f"option.{option.name}") for option in game.kit.OPTIONS),
    )  # fmt: skip


@get("/table/{table_id:str}", include_in_schema=False)
async def table_page(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: FromPath[str],
    watch: FromQuery[bool] = False, pictures: FromQuery[bool] = False,
) -> Template | Redirect:  # fmt: skip
    """The table as the person sees it; whoever could sit down is asked to first.

    Who wants tables as pages of words is led there; by `pictures` they say that this once they do not.
    """
    table = await tables.get(table_id)
    await tables.welcome(table, person)
    looker = table.looker(person)
    viewer = looker.seat
    if could_sit(table, looker) and not watch:
        box, seats = table.match.box, len(table.sitters)
        bots = {sitter.bot: title(sitter.bot, box, seats) for sitter in table.sitters if sitter.bot}
        return page("invitation.html", request, person, **facts(table), bots=bots)
    if not pictures and wants_words(request, person, f"/table/{table_id}"):
        return Redirect(f"/table/{table_id}/text{'?watch=true' if watch else ''}", status_code=303)
    sight, hearing = await table.look(viewer), await tables.hearing(table, person)
    resting = talk.filled(page_parts.at_rest(table, sight, looker), table, person, hearing)
    invitation = f"{tables.settings.friends or str(request.base_url).rstrip('/')}/table/{table.id}"
    return page(
        "table.html", request, person, **facts(table), looker=looker, viewer=viewer, version=sight.version,
        scene=by_now(titled(resting, table.match.game.glossary), table.now()),
        talk=talk.panel(table, person, hearing), silent=table.terms.talk == "nothing",
        now=table.now(), log=page_parts.log_lines(table, sight), sitting=page_parts.sitting(table, sight, looker),
        rules=rules_html(table.match.game, 3),
        people=page_parts.people(table, looker, tables.companies.get(table.id) or Presence()),
        invitation=invitation, here_only=is_loopback(urlsplit(invitation).hostname or ""),
        open_seats=open_seats(table, viewer, looker), waits=not page_parts.handed(table, looker),
        qr_code=qr_code(invitation) if any(sitter.open for sitter in table.sitters) else "",
    )  # fmt: skip


def could_sit(table: Table, looker: Viewer) -> bool:
    """Whether there is an open seat for somebody who has none."""
    return not looker.seats and not table.shown.over and any(sitter.open for sitter in table.sitters)


def wants_words(request: AnyRequest, person: Person, address: str) -> bool:
    """Whether somebody wants the page at an address as one of words; who is on one of the two stays with that."""
    came = path_of(request.headers.get("referer", ""))
    return came.startswith(f"{address}/text") or (person.listens and came != address)


def facts(table: Table) -> dict[str, Any]:
    """What the pages of a table say of it."""
    box = table.match.box
    return {
        "table": table, "game": box.game, "names": names_of(table.sitters), "shown": table.shown,
        "options": [(option, box.options[option.name]) for option in box.game.kit.OPTIONS],
        "own_content": box.own_content,
    }  # fmt: skip


@get("/table/{table_id:str}/record", include_in_schema=False)
async def record(person: Asker, tables: TheTables, table_id: FromPath[str]) -> Response[str]:
    """The record of a finished match: everything that happened, the seed included."""
    table = await tables.get(table_id)
    file = f"{table.match.game.name}-{table.id}.json"
    return Response(
        record_of(table, await tables.hearing(table, person)), media_type=MediaType.JSON,
        headers={"Content-Disposition": f'attachment; filename="{file}"'},
    )  # fmt: skip


@post("/table/{table_id:str}/sit", include_in_schema=False)
async def sit(request: AnyRequest, person: Asker, tables: TheTables, table_id: FromPath[str]) -> Redirect:
    """Take an open seat."""
    form = await request.form()
    table = await tables.get(table_id)
    if "beside" in form:
        await tables.sit_beside(table, number(form.get("seat")), person, str(form.get("beside")))
        return Redirect(f"/table/{table_id}", status_code=303)
    sitting = named(person, str(form.get("name", "")))
    await tables.sit(table, number(form.get("seat")), sitting)
    return signed(request, sitting, f"/table/{table_id}")


@post("/table/{table_id:str}/seats", include_in_schema=False)
async def seats(request: AnyRequest, person: Asker, tables: TheTables, table_id: FromPath[str]) -> Redirect:
    """Whoever opened a table gives a seat to a bot, or takes it back."""
    form = await request.form()
    table, seat = await tables.get(table_id), number(form.get("seat"))
    if bot := str(form.get("bot", "")):
        await tables.seat_bot(table, seat, person, bot)
    else:
        await tables.open_seat(table, seat, person)
    return Redirect(f"/table/{table_id}", status_code=303)


def number(text: object) -> int:
    """A small number of a form; 0 for what is none."""
    return int(text) if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 6 else 0


@post("/theme", include_in_schema=False)
async def theme(request: AnyRequest) -> Redirect:
    """Remember whether somebody wants light or dark pages, and go back to where they were."""
    form = await request.form()
    wanted, answer = str(form.get("theme", "")), back_to(request.app, str(form.get("back", "/")))
    answer.set_cookie("theme", wanted if wanted in ("light", "dark") else "", max_age=YEAR, samesite="lax")
    return answer


@post("/choices", include_in_schema=False)
async def choices(request: AnyRequest) -> Redirect:
    """Remember whether somebody is to be asked also where there is only one choice, and go back to where they were."""
    form = await request.form()
    answer = back_to(request.app, str(form.get("back", "/")))
    answer.set_cookie(CHOICES, "every" if form.get("choices") == "every" else "", max_age=YEAR, samesite="lax")
    return answer


@post("/listening", include_in_schema=False)
async def listening(request: AnyRequest, person: Asker, accounts: TheAccounts) -> Redirect:
    """Remember whether somebody wants every table as a page of words, and go on to where they wanted."""
    form = await request.form()
    answer, words = back_to(request.app, str(form.get("back", "/"))), form.get("tables") == WORDS
    if person.id:
        await accounts.prefer(person, asking(request, person), words=words)
    remember_listening(answer, person, words=words)
    return answer


def titles() -> dict[str, str]:
    """The titles of all games, for lists."""
    return {game.name: game.title for game in games().values()}


HANDLERS: list[Any] = [
    game_page, rules_page, positions_page, new_table, table_page, record, sit, seats, theme, choices,
    listening,
]  # fmt: skip
