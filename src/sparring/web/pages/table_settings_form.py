"""Table settings as forms offer them: clocks, absent players, match type and chat."""

from collections.abc import Mapping, Sequence
from typing import Any

from sparring.engine.errors import BadOption
from sparring.web.settings import DAY
from sparring.web.tables.seats.players import Player

#: Clocks: form value, label and table settings.
CLOCKS: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("no clock", {}),
    "5+5": ("5 minutes each, plus 5 seconds per turn", {"minutes": 5, "more": 5}),
    "10+10": ("10 minutes each, plus 10 seconds per turn", {"minutes": 10, "more": 10}),
    "20+15": ("20 minutes each, plus 15 seconds per turn", {"minutes": 20, "more": 15}),
    "45+30": ("45 minutes each, plus 30 seconds per turn", {"minutes": 45, "more": 30}),
    "1 day": ("1 day per turn", {"days": 1}),
    "3 days": ("3 days per turn", {"days": 3}),
    "7 days": ("7 days per turn", {"days": 7}),
}

#: What happens when the player to move is away.
ABSENCE: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("wait for them", {}),
    "bot 2 minutes": ("a bot takes over after 2 minutes", {"away": 120, "then": "bot"}),
    "bot 10 minutes": ("a bot takes over after 10 minutes", {"away": 600, "then": "bot"}),
    "bot 1 day": ("a bot takes over after a day", {"away": DAY, "then": "bot"}),
    "lost 2 minutes": ("they lose after 2 minutes", {"away": 120, "then": "lost"}),
    "lost 10 minutes": ("they lose after 10 minutes", {"away": 600, "then": "lost"}),
    "lost 1 day": ("they lose after a day", {"away": DAY, "then": "lost"}),
}

#: Chat: form value, label and table settings.
CHAT: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("free chat (preset phrases at public tables)", {}),
    "free": ("free chat", {"talk": "free"}),
    "words": ("preset phrases only", {"talk": "words"}),
    "nothing": ("off", {"talk": "nothing"}),
}


def read_chat(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the chat settings of a submitted form."""
    return {**_picked(CHAT, form.get("talk", ""), "chat setting"), "watchers_talk": form.get("watchers") == "talk"}


#: Match types: form value, label and table settings.
MATCH_TYPES: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("casual, hints against bots", {}),
    "hints": ("casual, hints allowed", {"hints": True}),
    "plain": ("casual, no hints", {"hints": False}),
    "rated": ("rated", {"rated": True}),
}


def read_clock(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the clock and absence settings of a submitted form."""
    away = _picked(ABSENCE, form.get("away", ""), "setting for absent players")
    return {**_picked(CLOCKS, form.get("clock", "")), **away}


def read_match_type(form: Mapping[str, str], players: Sequence[Player]) -> dict[str, Any]:
    """Return the match type of a submitted form: rated or casual, with or without hints."""
    chosen = form.get("counting", "")
    return _picked(MATCH_TYPES, chosen, "match type") or {"hints": only_bots_against_one(players)}


def only_bots_against_one(players: Sequence[Player]) -> bool:
    """Return whether one person plays against bots only."""
    return sum(not player.bot for player in players) == 1 and any(player.person for player in players)


def _picked(
    offered: Mapping[str, tuple[str, dict[str, Any]]], value: str, what: str = "time control"
) -> dict[str, Any]:
    if value not in offered:
        raise BadOption(f"Unknown {what}. Choose one of: {'; '.join(words for words, _ in offered.values())}.")
    return offered[value][1]


#: Fields of the form: name, label, and (value, label) choices.
SETTING_FIELDS = [
    (name, heading, [(value, words) for value, (words, _) in offered.items()])
    for name, heading, offered in (
        ("clock", "Time control", CLOCKS), ("away", "If a player is away", ABSENCE),
        ("counting", "Match type", MATCH_TYPES),
    )
]  # fmt: skip
