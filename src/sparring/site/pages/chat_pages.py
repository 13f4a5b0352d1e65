"""The chat page of a table, for browsers without scripts."""

from litestar import get
from litestar.params import FromPath
from litestar.response import Template

from sparring.server.requests.identity_and_errors import AnyRequest, Asker, TheTables
from sparring.site.table_parts import chat_panel

from .table_pages import page

#: Shown on the page after a report.
REPORTED = "Thank you. The server's moderators will see your report."


@get("/table/{table_id:str}/talk", include_in_schema=False)
async def talk(request: AnyRequest, person: Asker, tables: TheTables, table_id: FromPath[str]) -> Template:
    """Show a table's chat and its forms."""
    table = await tables.registry.get(table_id)
    chat_filter = await tables.chat.filter_for(table, person)
    said = REPORTED if request.query_params.get("said") == "reported" else ""
    return page("talk.html", request, person, table=table, box=table.match.box, said=said,
                talk=chat_panel.panel(table, person, chat_filter))  # fmt: skip


HANDLERS = [talk]
