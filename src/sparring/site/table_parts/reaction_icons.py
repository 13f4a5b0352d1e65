"""Icons of the reactions, drawn for Sparring."""

from functools import cache

from markupsafe import Markup

from sparring.scene.markup import el

_HEAD = '<circle cx="12" cy="12" r="10" class="head"/>'
_EYES = '<circle cx="8.5" cy="10" r="1.4" class="ink"/><circle cx="15.5" cy="10" r="1.4" class="ink"/>'

_DRAWN = {
    "smile": f'{_HEAD}{_EYES}<path class="line" d="M7.5 14.5q4.5 4.5 9 0"/>',
    "laugh": f'{_HEAD}<path class="line" d="M6.8 10.4l1.7-1.6 1.7 1.6M13.8 10.4l1.7-1.6 1.7 1.6"/>'
    '<path class="ink" d="M7 13.5h10a5 5 0 0 1-10 0z"/>',
    "wow": f'{_HEAD}{_EYES}<ellipse cx="12" cy="16" rx="2.2" ry="2.8" class="ink"/>',
    "ouch": f'{_HEAD}<path class="line" d="M7 8.5l3 1.5-3 1.5M17 8.5l-3 1.5 3 1.5M8 16.5q1-1.6 2 0t2 0 2 0 2 0"/>',
    "heart": '<path class="heart" d="M12 20.5C5 15.5 2.5 12 2.5 8.8A4.8 4.8 0 0 1 12 7.3a4.8 4.8 0 0 1 9.5 1.5'
    'c0 3.2-2.5 6.7-9.5 11.7z"/>',
}


@cache
def reaction_icon(key: str) -> Markup:
    """Return the icon of a reaction."""
    return el("svg", Markup(_DRAWN[key]), viewBox="0 0 24 24", width=24, height=24, aria_hidden="true", class_="smiley")
