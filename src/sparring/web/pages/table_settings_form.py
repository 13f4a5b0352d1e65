"""How we play, as forms offer it: clocks, days, where somebody is away, what a match counts for, talk."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.errors import BadOption
from sparring.web.settings import DAY

#: The clocks that are offered: the value of the form, its words, and the terms that it means.
CLOCKS: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("no clock", {}),
    "5+5": ("5 minutes each, and 5 seconds a turn", {"minutes": 5, "more": 5}),
    "10+10": ("10 minutes each, and 10 seconds a turn", {"minutes": 10, "more": 10}),
    "20+15": ("20 minutes each, and 15 seconds a turn", {"minutes": 20, "more": 15}),
    "45+30": ("45 minutes each, and 30 seconds a turn", {"minutes": 45, "more": 30}),
    "1 day": ("a day for each turn", {"days": 1}),
    "3 days": ("3 days for each turn", {"days": 3}),
    "7 days": ("7 days for each turn", {"days": 7}),
}

#: What may happen where somebody is away who is to choose.
AWAY: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("we wait for them", {}),
    "bot 2 minutes": ("after 2 minutes a bot plays until they are back", {"away": 120, "then": "bot"}),
    "bot 10 minutes": ("after 10 minutes a bot plays until they are back", {"away": 600, "then": "bot"}),
    "bot 1 day": ("after a day a bot plays until they are back", {"away": DAY, "then": "bot"}),
    "lost 2 minutes": ("after 2 minutes they have lost", {"away": 120, "then": "lost"}),
    "lost 10 minutes": ("after 10 minutes they have lost", {"away": 600, "then": "lost"}),
    "lost 1 day": ("after a day they have lost", {"away": DAY, "then": "lost"}),
}

#: What people may say at a table: the value of the form, its words, and the terms that it means.
TALK: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("own words; quick words only if anybody may come", {}),
    "free": ("quick words, and whatever people like", {"talk": "free"}),
    "words": ("quick words only", {"talk": "words"}),
    "nothing": ("nothing", {"talk": "nothing"}),
}


def read_talk(form: Mapping[str, str]) -> dict[str, Any]:
    """The terms of talking that a filled-in form asks for."""
    return {**_picked(TALK, form.get("talk", ""), "way to talk"), "watchers_talk": form.get("watchers") == "talk"}


#: What a match counts for.
COUNTING: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("nothing, and nobody takes hints", {}),
    "hints": ("nothing, and hints are allowed", {"hints": True}),
    "rated": ("the leaderboard: it is rated", {"rated": True}),
}


def read_pace(form: Mapping[str, str]) -> dict[str, Any]:
    """The terms of the pace that a filled-in form asks for."""
    return {**_picked(CLOCKS, form.get("clock", "")), **_picked(AWAY, form.get("away", ""))}


def read_counting(form: Mapping[str, str]) -> dict[str, Any]:
    """The terms of what a match counts for, and what help there is in it."""
    return _picked(COUNTING, form.get("counting", ""), "way to count a match")


def _picked(offered: Mapping[str, tuple[str, dict[str, Any]]], value: str, what: str = "pace") -> dict[str, Any]:
    if value not in offered:
        raise BadOption(f"There is no such {what}; there is {', '.join(words for words, _ in offered.values())}.")
    return offered[value][1]


#: The fields of a form: name, heading, and the values with their words.
PACES = [
    (name, heading, [(value, words) for value, (words, _) in offered.items()])
    for name, heading, offered in (
        ("clock", "Time to think", CLOCKS), ("away", "If somebody is away", AWAY),
        ("counting", "What it counts for", COUNTING),
    )
]  # fmt: skip
