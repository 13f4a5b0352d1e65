"""What all pages share (`page`); pages of a game and of a table; forms that store preferences."""

from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import MediaType, Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template
from msgspec import structs

from sparring.bots import title
from sparring.engine.errors import BadOption, SparringError
from sparring.engine.game import DOCUMENT, Game, GameSetup, games
from sparring.engine.game import game as find_game
from sparring.engine.options import grouped
from sparring.people.identity import CHOICES, COOKIE, TEXT_MODE_COOKIE, WORDS
from sparring.server.requests.errors import told
from sparring.server.requests.identity import (
    EVERYONE,
    STRANGERS,
    TEXT_MODE_IMPORTED,
    UNSEATED,
    YEAR,
    AccountsDep,
    AnyRequest,
    CurrentPerson,
    TablesDep,
    forget_person,
    invite_link,
    once_field,
    requester_of,
    store_text_mode,
    with_identity_cookie,
)
from sparring.server.requests.middleware import UNHASHED, is_loopback
from sparring.server.requests.pages import PageRenderer, RendererDep, back_to, form_of, path_of
from sparring.server.requests.server_state import server_state
from sparring.site.table_parts import chat_panel as chat
from sparring.site.table_parts import table_html
from sparring.site.table_parts.seat_panel import open_seats, player_list, qr_code, with_current_time
from sparring.store.person import Person
from sparring.tables.halves import GUEST
from sparring.tables.play.chat_actions import has_chat
from sparring.tables.state.clock_record import record_of
from sparring.tables.state.players import Viewer, names_of
from sparring.tables.state.presence import Presence
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import KNOWN_DEAL
from sparring.tables.tables import Tables
from sparring.tables.workers.uploads import decode_content

from .new_table_form import CHAT, SETTING_FIELDS, initial_values, is_number, read_form, seat_choices, set_page_of
from .rules_pages import positions_html, rules_contents, rules_part, rulings, with_tooltips

LONGEST_FILE_NAME = 60


def page(name: str, request: AnyRequest, person: Person, status: int = 200, **context: Any) -> Template:
    """Render a template with the context that every page needs, and update the viewer's cookies."""
    common = {
        "person": person, "theme": request.cookies.get("theme", ""), "path": request.url.path, "rulings": rulings,
        "once": once_field(), "texts": server_state(request.app).texts, "said": "", "problem": "",
    }  # fmt: skip
    response = Template(name, context={**common, **context}, status_code=status, headers={"Cache-Control": "no-store"})
    if request.scope["state"].get(TEXT_MODE_IMPORTED):
        response.set_cookie(TEXT_MODE_COOKIE, "", max_age=YEAR, samesite="lax")  # in place of one without a hash, too
    if person.signed_out:
        forget_person(request, response)  # so that only this page shows the notice
    elif (
        person.id
        and (cookie := request.cookies.get(COOKIE))
        and (server_state(request.app).identity_cookie.is_old(cookie) or COOKIE in request.scope["state"][UNHASHED])
    ):
        with_identity_cookie(request, person, response)
    return response


@get("/learn")
async def learn_page(request: AnyRequest, person: CurrentPerson) -> Template:
    """List the tutorials and rules of all games."""
    return page("learn.html", request, person, games=games().values())


@get("/games/{name:str}", opt=STRANGERS)
async def game_page(request: AnyRequest, person: CurrentPerson, tables: TablesDep, name: FromPath[str]) -> Template:
    """Show a game with the form for a new table. Query parameters fill in the form."""
    game = find_game(name)
    values = {**initial_values(game), **dict(request.query_params)}
    return await _game_page(request, person, tables, game, values, await _own_bots(request, person))


@get("/games/{name:str}/rules")
async def rules_page(
    request: AnyRequest, person: CurrentPerson, renderer: RendererDep, name: FromPath[str]
) -> Template:
    """Show the rules of a game."""
    return await show_rules(request, person, renderer, find_game(name).recommended_setup, f"/games/{name}")


async def show_rules(
    request: AnyRequest, person: Person, renderer: PageRenderer, setup: GameSetup, base: str
) -> Template:  # fmt: skip
    """Show the rules for the options and the content in force; `base` is the page of the game, table or record."""
    text = await rules_part(renderer, setup, 2, base)
    return page(
        "rules.html", request, person, setup=setup, game=setup.game, paper="rules", base=base, text=text,
        contents=rules_contents(setup),
    )  # fmt: skip


@get("/games/{name:str}/positions")
async def positions_page(request: AnyRequest, person: CurrentPerson, name: FromPath[str]) -> Template:
    """Show a game's position format, for developers."""
    game = find_game(name)
    return page(
        "rules.html", request, person, setup=game.recommended_setup, game=game, paper="position format",
        base=f"/games/{name}", text=positions_html(game), contents=[],
    )  # fmt: skip


@post("/games/{name:str}", opt=EVERYONE)
async def new_table(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, name: FromPath[str]
) -> Template | Redirect:
    """Create a table from the form."""
    game, form = find_game(name), await form_of(request)
    upload, own = (await request.form()).get("content"), await _own_bots(request, person)
    try:
        parsed = read_form(game, form, person, own)
        name, toml = await _uploaded(upload) if isinstance(upload, UploadFile) else ("", None)
        if half := form.get("half"):
            if toml:
                raise BadOption("Choose a content file or halves, not both.")
            asked = bool(form.get("counting"))  # for a match type; by default there are hints against bots
            path = await tables.halves.create(
                game, parsed.players, parsed.person, (half, form.get("other_half", "")), options=parsed.options,
                requester=requester_of(request, parsed.person),
                settings=parsed.settings if asked else structs.replace(parsed.settings, hints=False),
            )  # fmt: skip
            return redirect_with_identity(request, parsed.person, path)
        table = await tables.creation.create(
            game,
            parsed.players,
            options=parsed.options,
            toml=toml,
            settings=parsed.settings,
            where=name,
            requester=requester_of(request, parsed.person),
        )
    except SparringError as problem:
        return await _game_page(request, person, tables, game, form, own, **told(request, problem))
    return redirect_with_identity(request, parsed.person, f"/table/{table.id}")


async def _own_bots(request: AnyRequest, person: Person) -> dict[str, Person]:
    """Return the person's own bots, which play over HTTP, by name."""
    tokens = server_state(request.app).tokens
    return await tokens.bots_of(person)


async def _uploaded(upload: UploadFile) -> tuple[str, str | None]:
    """Return an uploaded file's name, and its text if a file was chosen."""
    name = display_file_name(upload.filename)
    return name, decode_content(await upload.read(), name)


def display_file_name(file: str) -> str:
    """Return an uploaded file's name with unprintable characters removed."""
    return "".join(filter(str.isprintable, file))[:LONGEST_FILE_NAME] or "Your file"


def redirect_with_identity(request: AnyRequest, person: Person, address: str) -> Redirect:
    """Redirect to a page and set the person's identity cookie."""
    response = Redirect(address, status_code=303)
    return with_identity_cookie(request, person, response) if person.id else response


async def _game_page(
    request: AnyRequest, person: Person, tables: Tables, game: Game, values: dict[str, str], own: dict[str, Person],
    **more: Any,
) -> Template:  # fmt: skip
    return page(
        "game.html", request, person, game=game, values=values, **more,
        sitting=[(seat, seat_choices(game, seat, own)) for seat in range(1, max(game.seats) + 1)],
        paces=SETTING_FIELDS, chat_choices=CHAT, document=DOCUMENT, grouped=grouped, is_number=is_number,
        halves=await tables.halves.offered(game, person), guest=GUEST,
        options_set=any(values.get(f"option.{option.name}") for option in game.options()),
    )  # fmt: skip


@get("/table/{table_id:str}", opt=UNSEATED)
async def table_page(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, renderer: RendererDep, table_id: FromPath[str],
    watch: FromQuery[bool] = False, pictures: FromQuery[bool] = False,
) -> Template | Redirect:  # fmt: skip
    """Show the table as the person sees it, or the invitation if they could take a seat and don't ask to `watch`.

    Players who prefer text mode are redirected to it unless `pictures` is set.
    """
    table = await tables.registry.get(table_id)
    await tables.choices.visit(table, person)
    viewpoint = table.viewer_of(person)
    viewer = viewpoint.seat
    if can_join(table, viewpoint) and not watch:
        setup, seats = table.match.setup, len(table.players)
        bots = {player.bot: title(player.bot, setup, seats) for player in table.players if player.bot}
        inviter = next((player.name for player in table.players if player.person and player.person == table.host), "")
        sitters = table.players_seen_by(viewpoint)
        return page(
            "invitation.html", request, person, **table_context(table), bots=bots, inviter=inviter, sitters=sitters
        )
    if not pictures and prefers_text_mode(request, person, f"/table/{table_id}"):
        return Redirect(f"/table/{table_id}/text{'?watch=true' if watch else ''}", status_code=303)
    chat_filter = await tables.chat.filter_for(table, person)
    rules = await rules_part(renderer, table.public_setup, 3, f"/table/{table.id}")
    feed = await table.catch_up(viewer)  # last, so that nothing changes between it and the rendering
    scene = chat.filled(table_html.at_rest(table, feed, viewpoint), table, person, chat_filter)
    invitation = invite_link(request, tables, table.id)
    return page(
        "table.html", request, person, **table_context(table), viewpoint=viewpoint, viewer=viewer, version=feed.version,
        scene=with_current_time(with_tooltips(scene, table.match.game.glossary), table.now()),
        chat=chat.panel(table, person, chat_filter, describes=False), silent=not has_chat(table),
        describe=chat.describe(table, chat_filter) if table.match.game.has_named_moves else "",
        now=table.now(), log=table_html.log_lines(table, feed.logged()),
        sitting=player_list(table, feed, viewpoint),
        rules=rules,
        people=table_html.status_line(table, viewpoint, tables.registry.presences.get(table.id) or Presence()),
        invitation=invitation, here_only=is_loopback(urlsplit(invitation).hostname or ""),
        open_seats=open_seats(table, viewer, viewpoint), waits=not table_html.hand_over_targets(table, viewpoint),
        set_page=set_page_of(request, table) if table.content else "",
        qr_code=qr_code(invitation) if any(player.open for player in table.players_seen_by(viewpoint)) else "",
    )  # fmt: skip


def can_join(table: Table, viewer: Viewer) -> bool:
    """Return whether the viewer has no seat and could take an open one."""
    return not viewer.seats and not table.shown.over and any(player.open for player in table.players_seen_by(viewer))


def prefers_text_mode(request: AnyRequest, person: Person, address: str) -> bool:
    """Return whether to show the page at `address` in text mode.

    A player who comes from one of the two versions stays in it; otherwise their preference decides.
    """
    previous = path_of(request.headers.get("referer", ""))
    return previous.startswith(f"{address}/text") or (person.text_mode and previous != address)


def table_context(table: Table) -> dict[str, Any]:
    """Return the template context shared by the pages of a table."""
    setup = table.match.setup
    return {
        "table": table, "setup": setup, "game": setup.game, "names": names_of(table.players), "shown": table.shown,
        "known_deal": KNOWN_DEAL if table.known_deal else "",
        "options": [(option, setup.options[option.name]) for option in setup.game.options(setup.content)],
        "own_content": setup.own_content,
    }  # fmt: skip


@get("/table/{table_id:str}/record")
async def record(person: CurrentPerson, tables: TablesDep, table_id: FromPath[str]) -> Response[str]:
    """Download the record of a finished match, including its seed."""
    table = await tables.registry.get(table_id)
    file = f"{table.match.game.name}-{table.id}.json"
    return Response(
        record_of(table, await tables.chat.filter_for(table, person)), media_type=MediaType.JSON,
        headers={"Content-Disposition": f'attachment; filename="{file}"'},
    )  # fmt: skip


class TurnStatus(msgspec.Struct):
    """Whether it is the person's turn."""

    yours: bool


@get("/table/{table_id:str}/turn")
async def turn(person: CurrentPerson, tables: TablesDep, table_id: FromPath[str]) -> TurnStatus:
    """Return whether it is the person's turn, for a page in the background that has no event stream."""
    table = await tables.registry.get(table_id)
    return TurnStatus(table.chooser in table.seats_of(person))


@post("/theme")
async def theme(request: AnyRequest) -> Redirect:
    """Store the colour theme in a cookie and redirect back."""
    form = await request.form()
    wanted, response = str(form.get("theme", "")), back_to(request.app, str(form.get("back", "/")))
    response.set_cookie("theme", wanted if wanted in ("light", "dark") else "", max_age=YEAR, samesite="lax")
    return response


@post("/choices")
async def choices(request: AnyRequest) -> Redirect:
    """Store whether the player makes forced choices themselves, and redirect back."""
    form = await request.form()
    response = back_to(request.app, str(form.get("back", "/")))
    response.set_cookie(CHOICES, "every" if form.get("choices") == "every" else "", max_age=YEAR, samesite="lax")
    return response


@post("/listening")
async def listening(request: AnyRequest, person: CurrentPerson, accounts: AccountsDep) -> Redirect:
    """Store whether tables open in text mode, and redirect to the page the form names."""
    form = await request.form()
    response, words = back_to(request.app, str(form.get("back", "/"))), form.get("tables") == WORDS
    if person.id:
        await accounts.set_text_mode(person, requester_of(request, person), words=words)
    store_text_mode(response, person, words=words)
    return response


def titles() -> dict[str, str]:
    """Return the titles of all games by name."""
    return {game.name: game.title for game in games().values()}
