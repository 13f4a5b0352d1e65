"""The way back from a table to the studio set that it was created with, remembered in a cookie.

A table keeps only the content of a set. The cookie names that content, so that a rematch leads back too.
"""

from urllib.parse import parse_qsl, urlencode

from litestar.response import Redirect

from sparring.server.requests.identity import YEAR, AnyRequest
from sparring.server.requests.redirects import is_page
from sparring.tables.state.table import Table

#: The cookie with the last set that this browser played with, and its largest size.
COOKIE, LONGEST = "set", 300


def to_table(table: Table, address: str, response: Redirect | None = None) -> Redirect:
    """Redirect to a new table, and remember the address of its set's page."""
    response = response or Redirect(f"/table/{table.id}", status_code=303)
    value = urlencode({"content": table.content, "page": address})
    response.set_cookie(COOKIE, value, max_age=YEAR, path="/table", samesite="lax", httponly=True)
    return response


def set_page_of(request: AnyRequest, table: Table) -> str:
    """Return the address of the set that a table was created with from this browser; empty if there is none."""
    found = dict(parse_qsl(request.cookies.get(COOKIE, "")[:LONGEST]))
    address = found.get("page", "")
    known = address.startswith("/studio/") and is_page(request.app, address)
    return address if known and found.get("content") == table.content else ""
