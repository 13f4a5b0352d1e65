"""Table settings as forms offer them: clocks, absent players, match type and chat."""

from collections.abc import Mapping, Sequence
from typing import Any

from sparring.settings import DAY
from sparring.tables.state.players import Player
from sparring.tables.state.table_settings import CLOCKS, picked

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
    return {**picked(CHAT, form.get("talk", ""), "chat setting"), "watchers_talk": form.get("watchers") == "talk"}


#: Match types: form value, label and table settings.
MATCH_TYPES: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("casual, hints against bots", {}),
    "hints": ("casual, hints allowed", {"hints": True}),
    "plain": ("casual, no hints", {"hints": False}),
    "rated": ("rated", {"rated": True}),
}


def read_clock(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the clock and absence settings of a submitted form."""
    away = picked(ABSENCE, form.get("away", ""), "setting for absent players")
    return {**picked(CLOCKS, form.get("clock", "")), **away}


def read_match_type(form: Mapping[str, str], players: Sequence[Player]) -> dict[str, Any]:
    """Return the match type of a submitted form: rated or casual, with or without hints."""
    chosen = form.get("counting", "")
    return picked(MATCH_TYPES, chosen, "match type") or {"hints": only_bots_against_one(players)}


def only_bots_against_one(players: Sequence[Player]) -> bool:
    """Return whether one person plays against bots only."""
    return sum(not player.bot for player in players) == 1 and any(player.person for player in players)


#: Fields of the form: name, label, and (value, label) choices.
SETTING_FIELDS = [
    (name, heading, [(value, words) for value, (words, _) in offered.items()])
    for name, heading, offered in (
        ("clock", "Time control", CLOCKS), ("away", "If a player is away", ABSENCE),
        ("counting", "Match type", MATCH_TYPES),
    )
]  # fmt: skip
