"""Test helper: a table with a small set in which each test declares the effects of the cards that it plays."""

from typing import Any

from sparring import Match

NAME = "card-duel"
#: Characters without effects: attack and health are in the name.
PLAIN = {"Ace": (1, 1), "Bee": (1, 3), "Cat": (2, 2), "Dog": (3, 4), "Elk": (5, 6)}


def effect(does: str, to: str, number: int = 1, when: str = "played") -> dict[str, Any]:
    """Return an effect as a content file has it."""
    return {"when": when, "does": does, "to": to, "number": number}


def character(name: str, attack: int, health: int, *effects: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a character that costs nothing, with four copies."""
    return {"name": name, "kind": "character", "cost": 0, "attack": attack, "health": health, "copies": 4,
            "effects": list(effects), **fields}  # fmt: skip


def event(*effects: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return the event Word, which costs nothing."""
    return {"name": "Word", "kind": "event", "cost": 0, "copies": 4, "effects": list(effects), **fields}


def duel(*cards: dict[str, Any]) -> dict[str, Any]:
    """Return a set with these cards and the plain characters."""
    return {"cards": [*cards, *(character(name, *stats) for name, stats in PLAIN.items())]}


def table(*cards: dict[str, Any], options: dict[str, Any] | None = None, **position: Any) -> Match:
    """Return a table in the third round with 20 life, these further cards, and no cards in hand unless given."""
    return Match.from_position(
        {"game": NAME, "turn": 5, "hands": [[], []], "options": {"life": 20, **(options or {})}, **position},
        content=duel(*cards),
    )


def played(*effects: dict[str, Any], play: str = "Word", **position: Any) -> Match:
    """Return the table after seat 1 has played an event with these effects."""
    match = table(event(*effects), **{"hands": [["Word"], []], **position})
    match.play(play)
    return match


def rows(match: Match) -> list[list[str]]:
    """Return both rows as a position describes them."""
    found: list[list[str]] = match.position()["rows"]
    return found
