"""Progressive web app: manifest, service worker and offline page."""

from pathlib import Path
from typing import Any

import msgspec
from litestar import MediaType, Response, get
from litestar.response import Template

from sparring.server.requests.identity import AnyRequest
from sparring.server.requests.server_state import server_state

WORKER = Path(__file__).parent.parent / "static" / "app" / "worker.js"

#: Colours of the app's splash screen and title bar, from `palette.css`.
PAPER, INK = "#f6f2ea", "#a3271c"


@get("/app.webmanifest", include_in_schema=False)
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


@get("/worker.js", include_in_schema=False, sync_to_thread=False)
def worker() -> Response[bytes]:
    """Return the service worker. Serving it from the root gives it the scope of the whole site."""
    return Response(WORKER.read_bytes(), media_type="text/javascript", headers={"Cache-Control": "no-cache"})


@get("/offline", include_in_schema=False)
async def offline(request: AnyRequest) -> Template:
    """Show the offline page. It is the same for everyone, so the service worker can cache it."""
    return Template(
        "offline.html", context={"theme": "", "path": "/"}, media_type=MediaType.HTML,
        headers={"Cache-Control": "no-cache"},
    )  # fmt: skip


HANDLERS: list[Any] = [manifest, worker, offline]
