"""Pages about the server: what it keeps for how long, the operator's imprint, privacy policy and terms; offline use.

The progressive web app has a manifest, a service worker and an offline page.
"""

from pathlib import Path
from typing import NamedTuple

import msgspec
from litestar import MediaType, Response, get
from litestar.response import Template
from markupsafe import Markup

from sparring.server.requests.errors import PageNotFound
from sparring.server.requests.identity import AnyRequest, CurrentPerson, TablesDep
from sparring.server.requests.server_state import server_state
from sparring.settings import InvalidSettings, Settings
from sparring.store.retention import KEPT

from .rules_pages import markdown_html
from .table_pages import page

#: The settings that name the operator's files, each with the title of its page.
TITLES = {"imprint": "Imprint", "privacy": "Privacy policy", "terms": "Terms of use"}

WORKER = Path(__file__).parent.parent / "static" / "app" / "worker.js"
#: Colours of the app's splash screen and title bar, from `palette.css`.
PAPER, INK = "#f6f2ea", "#a3271c"


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


@get([f"/{name}" for name in TITLES])
async def site_text(request: AnyRequest, person: CurrentPerson) -> Template:
    """Show a text by the operator."""
    text = server_state(request.app).texts.get(request.url.path.strip("/"))
    if text is None:
        raise PageNotFound("The operator of this server hasn't written this page.")
    return page("site_text.html", request, person, text=text)


@get("/retention")
async def retention_page(request: AnyRequest, person: CurrentPerson, tables: TablesDep) -> Template:
    """Show what the server keeps for how long."""
    kept = [(each.what, each.duration(tables.settings)) for each in KEPT]
    return page("retention.html", request, person, kept=kept, access_log=tables.settings.access_log)


@get("/app.webmanifest")
async def manifest(request: AnyRequest) -> Response[bytes]:
    """Return the web app manifest."""
    static = server_state(request.app).static
    icons = [
        {"src": f"{static}/app/icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": f"{static}/app/icon-512.png", "sizes": "512x512", "type": "image/png"},
        {"src": f"{static}/app/maskable-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
        {"src": f"{static}/icon.svg", "sizes": "any", "type": "image/svg+xml"},
    ]
    body = {
        "id": "/", "name": "Sparring", "short_name": "Sparring", "start_url": "/", "scope": "/",
        "display": "standalone", "description": "Play tabletop games of bluff and combat.",
        "background_color": PAPER, "theme_color": INK, "icons": icons,
    }  # fmt: skip
    return Response(msgspec.json.encode(body), media_type="application/manifest+json")


@get("/worker.js", sync_to_thread=False)
def worker() -> Response[bytes]:
    """Return the service worker. Serving it from the root gives it the scope of the whole site."""
    return Response(WORKER.read_bytes(), media_type="text/javascript", headers={"Cache-Control": "no-cache"})


@get("/offline")
async def offline(request: AnyRequest) -> Template:
    """Show the offline page. It is the same for everyone, so the service worker can cache it."""
    return Template(
        "offline.html", context={"theme": "", "path": "/"}, media_type=MediaType.HTML,
        headers={"Cache-Control": "no-cache"},
    )  # fmt: skip
