"""What the bench of a game shows beside a set that somebody designs, besides cards and boards: words and numbers."""

from msgspec import Struct


class PreviewText(Struct, frozen=True):
    """A sentence; `tone` is empty, `calm` for what merely might be noticed, or `strong`."""

    text: str
    tone: str = ""


class StatSheet(Struct, frozen=True):
    """Rows of words or numbers under a title; the first of each row says what it is about."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class PreviewBar(Struct, frozen=True):
    """One of several lengths, with what it says in words or numbers."""

    label: str
    value: float
    said: str


class PreviewBars(Struct, frozen=True):
    """Lengths to compare."""

    title: str
    bars: tuple[PreviewBar, ...]


class PreviewCurve(Struct, frozen=True):
    """A course of numbers between 0 and 1, with what it says in words or numbers."""

    label: str
    values: tuple[float, ...]
    said: str


class PreviewCurves(Struct, frozen=True):
    """Small plots, one below the other."""

    title: str
    curves: tuple[PreviewCurve, ...]
