"""SVG patterns that distinguish colours for people with colour blindness."""

from markupsafe import Markup

#: SVG of an 8 x 8 tile, drawn in a light ink over a colour; `solid` has no ink.
PATTERNS = {
    "solid": "",
    "diagonal": '<path d="M-2 2 2-2M-2 10 10-2M6 10 10 6"/>',
    "dots": '<circle cx="2" cy="2" r="1.1"/><circle cx="6" cy="6" r="1.1"/>',
    "waves": '<path d="M0 3q2-3 4 0t4 0M0 7q2-3 4 0t4 0"/>',
    "cross": '<path d="M4 1v6M1 4h6"/>',
    "bars": '<path d="M0 2h8M0 6h8"/>',
    "rings": '<circle class="ring" cx="4" cy="4" r="2.4"/>',
}

#: The patterns of seats, so that seats differ by more than colour.
SEATS = ("diagonal", "dots", "waves", "cross", "bars", "rings")


def fill(pattern: str) -> str:
    """Return the `fill` value of a pattern."""
    return f"url(#p-{pattern})" if pattern in PATTERNS and pattern != "solid" else "none"


def seat_pattern(seat: int) -> str:
    """Return the pattern of a seat, counted from 1."""
    return SEATS[(seat - 1) % len(SEATS)]


#: The pattern definitions, needed once per page or picture.
DEFS = Markup(
    "".join(
        f'<pattern id="p-{name}" class="hatch" width="8" height="8" patternUnits="userSpaceOnUse">{ink}</pattern>'
        for name, ink in PATTERNS.items()
        if ink
    )
)
