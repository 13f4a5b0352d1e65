"""The texts, tables and charts of a game's preview beside a custom set in the studio."""

from msgspec import Struct


class PreviewText(Struct, frozen=True):
    """A sentence; `tone` is empty, `calm` (a note) or `strong`."""

    text: str
    tone: str = ""


class StatSheet(Struct, frozen=True):
    """A table of words or numbers; the first cell of each row is its heading."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class PreviewBar(Struct, frozen=True):
    """A bar of a chart; `said` is its value in words or numbers."""

    label: str
    value: float
    said: str


class PreviewBars(Struct, frozen=True):
    """A bar chart."""

    title: str
    bars: tuple[PreviewBar, ...]


class PreviewCurve(Struct, frozen=True):
    """A line of a chart, with values from 0 to 1; `said` summarizes it in words or numbers."""

    label: str
    values: tuple[float, ...]
    said: str


class PreviewCurves(Struct, frozen=True):
    """Small line charts, one below the other."""

    title: str
    curves: tuple[PreviewCurve, ...]
