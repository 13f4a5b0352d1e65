"""Render the preview of a set, as the game's editor describes it."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sparring.engine.errors import SparringError, Step
from sparring.engine.game import Game
from sparring.engine.options import read_options
from sparring.engine.schema import RecordField
from sparring.engine.schema.field import along
from sparring.scene import Board, Face
from sparring.scene.boards import board_svg
from sparring.scene.card_faces import face_svg
from sparring.scene.components import PreviewBars, PreviewCurves, PreviewText, StatSheet
from sparring.scene.markup import SeatNames, el, join

from .drafts import DrawnItem, MisfitValue

#: A small plot's width and height, in SVG units.
PLOT = (80, 22)


def preview_html(
    game: Game, data: Mapping[str, Any], options: Mapping[str, Any], at: Sequence[Step]
) -> tuple[str, list[MisfitValue]]:
    """Return the preview as HTML, and values that no longer fit. It shows as much as possible of a faulty set."""
    if game.preview is None:
        return "", []
    try:
        chosen = read_options(game.name, game.options(data), options)
        html = str(join(map(_part, game.preview.preview(data, chosen, tuple(at)))))
        calm = getattr(game.preview, "calm", None)
        return html, [MisfitValue(*value) for value in calm(data, chosen, tuple(at))] if calm else []
    except SparringError:
        return "", []
    except Exception as problem:  # noqa: BLE001 - without a preview the edit is still stored
        sys.stderr.write(f"Drawing the preview of a set of {game.name} failed: {type(problem).__name__}\n")
        return "", []


def gallery(game: Game, data: Mapping[str, Any], options: Mapping[str, Any], part: str) -> list[DrawnItem]:
    """Return each item of a list as its game draws it, with its cost (the circles on it) and the sum of its budget."""
    rows = data.get(part)
    record = along(game.form, data, (part, 0))[-1].field
    drawn = []
    for number, row in enumerate(rows if isinstance(rows, list) else []):
        picture = _first_picture(game, data, options, (part, number))
        numbers = dict[str, int]()
        if isinstance(picture, Face) and any(picture.circles):
            numbers["Cost"] = sum(map(bool, picture.circles))
        if isinstance(record, RecordField) and record.shared_budget and isinstance(row, Mapping):
            values = [row.get(key) for key in record.shared_budget]
            numbers["Sum"] = sum(value for value in values if type(value) is int)
        drawn.append(DrawnItem(str(_part(picture)) if picture else "", numbers))
    return drawn


def _first_picture(
    game: Game, data: Mapping[str, Any], options: Mapping[str, Any], at: Sequence[Step]
) -> Face | Board | None:
    """Return the face or board that the game's preview shows for an item; None if the item is too faulty."""
    if game.preview is None:
        return None
    try:
        chosen = read_options(game.name, game.options(data), options)
        shown = game.preview.preview(data, chosen, tuple(at))
        return next((thing for thing in shown if isinstance(thing, Face | Board)), None)
    except Exception:  # noqa: BLE001 - a faulty item has no picture; the preview reports errors of the game
        return None


def _part(thing: Any) -> Markup:
    if isinstance(thing, Face):
        return el("div", face_svg(thing), el("span", thing.title, class_="unseen"), class_="card-preview")
    if isinstance(thing, Board):
        return el("div", board_svg(thing, SeatNames()), class_="board board-preview")
    if isinstance(thing, StatSheet):
        return _sheet(thing)
    if isinstance(thing, PreviewBars):
        return _bars(thing)
    if isinstance(thing, PreviewCurves):
        return _curves(thing)
    assert isinstance(thing, PreviewText)
    return el("p", thing.text, class_=f"said {thing.tone}".strip())


def _sheet(sheet: StatSheet) -> Markup:
    head = el("tr", join(el("th", word, scope="col") for word in sheet.head))
    rows = join(el("tr", el("th", row[0], scope="row"), join(el("td", cell) for cell in row[1:])) for row in sheet.rows)
    return el("table", el("caption", sheet.title), el("thead", head), el("tbody", rows))


def _bars(bars: PreviewBars) -> Markup:
    """Render bars with their numbers, so that length isn't the only signal."""
    top = max([bar.value for bar in bars.bars] + [0.0001])
    rows = join(
        el("tr", el("th", bar.label, scope="row"),
           el("td", el("meter", "", min=0, max=f"{top:.4g}", value=f"{bar.value:.4g}", aria_label=bar.label)),
           el("td", bar.said))
        for bar in bars.bars
    )  # fmt: skip
    return el("table", el("caption", bars.title), el("tbody", rows), class_="bars")


def _curves(curves: PreviewCurves) -> Markup:
    """Render a small plot for each curve, from 0 (bottom) to 1 (top), with its numbers in words."""
    rows = join(el("tr", el("th", curve.label, scope="row"), el("td", _plot(curve.values)), el("td", curve.said))
                for curve in curves.curves)  # fmt: skip
    return el("table", el("caption", curves.title), el("tbody", rows), class_="curves")


def _plot(values: Sequence[float]) -> Markup:
    step = PLOT[0] / max(len(values) - 1, 1)
    points = " ".join(f"{number * step:.1f},{(1 - value) * PLOT[1]:.1f}" for number, value in enumerate(values))
    return el("svg", el("polyline", points=points), viewBox=f"-1 -1 {PLOT[0] + 2} {PLOT[1] + 2}", class_="plot",
              aria_hidden="true")  # fmt: skip
