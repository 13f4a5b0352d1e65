"""The event stream of a table's page: the play area, the log, presence and chat as HTML.

Events are encoded once for all viewers who see the same.
"""

from collections.abc import Callable
from typing import Annotated

from litestar import get
from litestar.params import FromPath, FromQuery, HeaderParameter, QueryParameter
from litestar.response import Stream

from sparring.server.requests.event_stream import CHAT, LATEST, PEOPLE, EventRenderer, encode_event, streamed
from sparring.server.requests.identity import AnyRequest, CurrentPerson, TablesDep
from sparring.server.requests.newcomers import UNSEATED
from sparring.store.person import Person
from sparring.tables.state.chat_log import ChatFilter
from sparring.tables.state.player_feed import FeedVersion, PlayerFeed
from sparring.tables.state.players import Presence, Viewer
from sparring.tables.state.table import Table

from . import chat_panel as chat
from . import table_html


@get("/table/{table_id:str}/events", include_in_schema=False, opt=UNSEATED)
async def events(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, table_id: FromPath[str],
    version: FromQuery[int] = 0, away: FromQuery[bool] = False, seat: FromQuery[int | None] = None,
    chat_version: Annotated[int, QueryParameter(name="chat")] = 0,
    last: Annotated[str | None, HeaderParameter(name="Last-Event-ID")] = None,
) -> Stream:  # fmt: skip
    """Stream a table's events to a person who has seen a version of it (0: none), from a seat if given.

    The id of an event is the version; its data are the play area at every beat and at rest, and new lines of the log. A
    viewer who was away (a reconnecting browser sends the header) gets the current table first, with every line of the
    log; then every version in order.
    """
    return await streamed(request, person, tables, table_id, (version, away), last, PAGE, seat, chat_version)


def html_renderer(name: str, draw: Callable[..., str]) -> EventRenderer:
    """Return a renderer for a kind of page, whose events `draw` makes."""

    def event(table: Table, feed: PlayerFeed, viewer: Viewer, update: FeedVersion | None, full: bool) -> bytes:
        key = name, (update.version, update.log[0]) if update else None, viewer, full

        def rendered() -> bytes:
            version = update or feed.latest
            html = draw(table, feed, viewer, version, full=full)
            return encode_event(html, "" if update else LATEST, version.version)

        return feed.once(key, rendered)

    return EventRenderer(event, _people, _chat)


def _people(table: Table, feed: PlayerFeed, viewer: Viewer, presence: Presence) -> bytes:
    """Render the presence."""
    key = "people", presence.changes, viewer
    return feed.once(key, lambda: encode_event(table_html.status_line(table, viewer, presence), PEOPLE))


def _chat(table: Table, person: Person, chat_filter: ChatFilter, since: int, full: bool) -> bytes:
    """Render the chat since a version, as one person sees it."""
    return encode_event(chat.changes_since(table, person, chat_filter, since, full=full), CHAT)


#: The renderer of the graphical page.
PAGE = html_renderer("table", table_html.event)
