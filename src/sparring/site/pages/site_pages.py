"""Pages about the server: what it keeps for how long, and the operator's imprint, privacy policy and terms."""

from pathlib import Path
from typing import Any, NamedTuple

from litestar import get
from litestar.response import Template
from markupsafe import Markup

from sparring.server.requests.errors import PageNotFound
from sparring.server.requests.identity import AnyRequest, CurrentPerson, TablesDep
from sparring.server.requests.server_state import server_state
from sparring.settings import InvalidSettings, Settings
from sparring.store.retention.retention import KEPT

from .rules_pages import markdown_html
from .table_pages import page

#: The settings that name the operator's files, each with the title of its page.
TITLES = {"imprint": "Imprint", "privacy": "Privacy policy", "terms": "Terms of use"}


class SiteText(NamedTuple):
    """A text by the operator, as HTML."""

    title: str
    html: Markup


def read_texts(settings: Settings) -> dict[str, SiteText]:
    """Return the operator's texts by the path of their page; raise InvalidSettings if a file can't be read."""
    texts = dict[str, SiteText]()
    for name, title in TITLES.items():
        if file := getattr(settings, name):
            try:
                texts[name] = SiteText(title, markdown_html(Path(file).read_text(encoding="utf-8")))
            except (OSError, ValueError) as problem:
                why = getattr(problem, "strerror", None) or "it isn't UTF-8 text"
                raise InvalidSettings(f"Can't read the file {file} of the setting `{name}`: {why}.") from None
    return texts


@get([f"/{name}" for name in TITLES], include_in_schema=False)
async def site_text(request: AnyRequest, person: CurrentPerson) -> Template:
    """Show a text by the operator."""
    text = server_state(request.app).texts.get(request.url.path.strip("/"))
    if text is None:
        raise PageNotFound("The operator of this server hasn't written this page.")
    return page("site_text.html", request, person, text=text)


@get("/retention", include_in_schema=False)
async def retention_page(request: AnyRequest, person: CurrentPerson, tables: TablesDep) -> Template:
    """Show what the server keeps for how long."""
    kept = [(each.what, each.duration(tables.settings)) for each in KEPT]
    return page("retention.html", request, person, kept=kept, access_log=tables.settings.access_log)


HANDLERS: list[Any] = [site_text, retention_page]
