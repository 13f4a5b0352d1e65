"""The table as a seat sees it: the scene model and its renderers (html, text, svg). Knows no game."""

from .layout import Layout
from .model import (
    Area, Banner, Board, Button, Card, Cell, Choosable, Colour, Deed, Face, Fact, Facts, Group, Label, Picture, Pile,
    Place, Prompt, Row, Seat, Slot, Stroke, Token, Track, bare, replace, things, undrawn,
    upturned,
)  # fmt: skip
from .inventory import Copies, Counter, Deck, Inventory, Scale
from .printed import Scene

__all__ = [
    "Area",
    "Banner",
    "Board",
    "Button",
    "Card",
    "Cell",
    "Choosable",
    "Colour",
    "Copies",
    "Counter",
    "Deck",
    "Deed",
    "Face",
    "Fact",
    "Facts",
    "Group",
    "Inventory",
    "Label",
    "Layout",
    "Picture",
    "Pile",
    "Place",
    "Prompt",
    "Row",
    "Scale",
    "Scene",
    "Seat",
    "Slot",
    "Stroke",
    "Token",
    "Track",
    "bare",
    "replace",
    "things",
    "undrawn",
    "upturned",
]  # fmt: skip
