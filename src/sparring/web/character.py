"""What a game looks like of its own: the `theme.css` in its folder, a small set of overrides."""

from litestar import Response, get
from litestar.params import FromPath

from sparring.engine.game import game as find_game


@get("/games/{name:str}/theme.css", include_in_schema=False, sync_to_thread=True)
def character(name: FromPath[str]) -> Response[str]:
    """The game's own styles; none if it has no such file."""
    file = find_game(name).folder / "theme.css"
    styles = file.read_text(encoding="utf-8") if file.exists() else ""
    return Response(styles, media_type="text/css", headers={"Cache-Control": "no-cache"})
