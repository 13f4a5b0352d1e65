"""The page of moderators: reports, people, tables and the log. For everyone else, there is nothing at its address."""

import re
import time
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from litestar import get, post
from litestar.params import FromQuery
from litestar.response import Redirect, Template

from sparring.engine.errors import SparringError
from sparring.server.requests.errors import told
from sparring.server.requests.identity import AnyRequest, CurrentPerson, TablesDep, requester_of
from sparring.server.requests.pages import form_of
from sparring.site.pages.table_pages import page
from sparring.store.moderation import Ban, key
from sparring.store.person import Person
from sparring.tables.play.moderation import NotModerator, sentence
from sparring.tables.tables import Tables

#: How long bans and mutes can last (seconds): empty is for good.
LASTING = {"3600": "1 hour", "86400": "1 day", "604800": "7 days", "2592000": "30 days", "": "for good"}
#: How many reported lines, people and entries of the log a page shows.
REPORTS, PEOPLE, ENTRIES = 50, 20, 50
#: Confirmations, by the action.
CONFIRMATIONS = {
    "ban": "Banned. This takes effect within a few seconds.",
    "pardon": "Ban lifted.",
    "mute": "Muted. This takes effect within a few seconds.",
    "unmute": "Mute lifted.",
    "settle": "Report settled.",
    "remove": "Message removed and report settled.",
    "close": "Table closed.",
}


@get("/moderation")
async def moderation(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep,
    q: FromQuery[str] = "", said: FromQuery[str] = "", before: FromQuery[str] = "",
) -> Template:  # fmt: skip
    """Show open reports, the people of a search, and the log."""
    await tables.moderation.require(person)
    if q:
        tables.rate_limits.take("moderation", requester_of(request, person))
    return await _page(request, person, tables, q, said=CONFIRMATIONS.get(said, ""), before=before)


@post("/moderation")
async def moderate(request: AnyRequest, person: CurrentPerson, tables: TablesDep) -> Template | Redirect:
    """Do what a form of the page says."""
    form = await form_of(request)
    await tables.moderation.require(person)
    try:
        tables.rate_limits.take("moderation", requester_of(request, person))
        await _act(person, tables, form)
    except NotModerator:  # the role has been taken away since
        raise
    except SparringError as problem:
        return await _page(request, person, tables, form["q"], **told(request, problem))
    return Redirect(f"/moderation?said={form['action']}&q={quote(form['q'])}", status_code=303)


async def _act(person: Person, tables: Tables, form: dict[str, str]) -> None:
    action, why, moderation = form["action"], form["why"].strip(), tables.moderation
    if action in ("ban", "mute", "close") and not why:
        raise SparringError("Give a reason: people read it.")
    if action in ("settle", "remove"):
        table = await moderation.settle(person, _number(form["report"]), remove=action == "remove")
        await tables.registry.refresh([table] if action == "remove" else [])
    elif action == "close":
        link = re.search("/table/([^/?#]+)", form["table"])
        table = link[1] if link else form["table"].strip()
        await moderation.close(person, table, why)
        await tables.registry.refresh([table])
    elif action in ("ban", "mute", "pardon", "unmute"):
        known = next(iter(await moderation.people.by_id([form["person"]])), None)
        if known is None or form["lasting"] not in LASTING:
            raise SparringError("This form can't be read. Please reload the page.")
        until = int(time.time()) + int(form["lasting"]) if form["lasting"] else None
        ban = Ban(until, why) if action in ("ban", "mute") else None
        await moderation.put_ban(person, key(known.id, muted=action.endswith("mute")), known.name, ban)
        await tables.bans.reload()
    else:
        raise SparringError("This form can't be read. Please reload the page.")


async def _page(
    request: AnyRequest, person: Person, tables: Tables, search: str, *, before: str = "", **more: Any
) -> Template:
    moderation = tables.moderation
    found = await moderation.people.search(search, limit=PEOPLE, logins=False) if search else []
    log = await moderation.store.log(_number(before), ENTRIES + 1)
    return page(
        "moderation.html", request, person, most=REPORTS,
        reports=await moderation.reports(REPORTS), search=search, found=found,
        responsible=await moderation.store.responsible([each.id for each in found]),
        bans=await moderation.bans.all(), key=key, lasting=LASTING,
        log=log[:ENTRIES], more=len(log) > ENTRIES, sentence=sentence,
        at=lambda seconds: datetime.fromtimestamp(seconds, UTC), **more,
    )  # fmt: skip


def _number(text: str) -> int:
    """Return the number of a report or an entry; 0 for anything else."""
    return int(text) if text.isdecimal() and len(text) < 10 else 0
