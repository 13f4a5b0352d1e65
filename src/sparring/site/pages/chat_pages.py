"""The chat page of a table, for browsers without scripts."""

from litestar import get
from litestar.params import FromPath
from litestar.response import Redirect, Template

from sparring.server.requests.identity import AnyRequest, CurrentPerson, TablesDep
from sparring.site.table_parts import chat_panel

from .table_pages import page

#: Shown on the page after a report.
REPORTED = "Thank you. The server's moderators will see your report."


@get("/table/{table_id:str}/chat", include_in_schema=False)
async def chat(request: AnyRequest, person: CurrentPerson, tables: TablesDep, table_id: FromPath[str]) -> Template:
    """Show a table's chat and its forms."""
    table = await tables.registry.get(table_id)
    chat_filter = await tables.chat.filter_for(table, person)
    said = REPORTED if request.query_params.get("said") == "reported" else ""
    return page("chat.html", request, person, table=table, box=table.match.box, said=said,
                chat=chat_panel.panel(table, person, chat_filter))  # fmt: skip


@get("/table/{table_id:str}/talk", include_in_schema=False)
async def old_chat(table_id: FromPath[str]) -> Redirect:
    """Redirect from the old address of the chat page."""
    return Redirect(f"/table/{table_id}/chat", status_code=301)


HANDLERS = [chat, old_chat]
