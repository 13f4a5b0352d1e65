"""Write the standings of a tournament as JSON and CSV."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sparring.engine.errors import SparringError
from sparring.lab.tournaments.scores import TournamentScores
from sparring.lab.tournaments.standings import EventStandings

from .files import write_csv

#: The format identifier in the JSON.
FORMAT = "sparring-tournament-1"


def write_standings(found: Sequence[EventStandings], scores: TournamentScores, folder: Path) -> None:
    """Write the standings and the cross table (the score of each bot against each other bot)."""
    try:
        (folder / "standings.json").write_text(json.dumps(as_plain(found, scores), indent=1) + "\n", encoding="utf-8")
        write_csv(folder / "standings.csv", _rows(found))
        write_csv(folder / "cross.csv", _cross(found))
    except OSError as problem:
        raise SparringError(f"Can't write the standings to {folder}: {problem.strerror or problem}.") from None


def as_plain(found: Sequence[EventStandings], scores: TournamentScores) -> dict[str, Any]:
    """Return the standings as plain data."""
    return {
        "form": FORMAT, "matches": scores.tournament.matches, "seed": scores.tournament.seed,
        "lost_clocks": {bot: {"matches": often, "first": why} for bot, (often, why) in scores.failures.items()},
        "without_judgement": {
            event.title: without for event in scores.tournament.events
            if (without := scores.tournament.bots_without_value_model(event))
        },
        "events": [
            {
                "title": one.title, "model": one.model, "cross": one.cross,
                "standings": [
                    {"bot": each.bot, "matches": each.matches, "wins": each.wins,
                     "share": dict(zip(("value", "low", "high"), each.share, strict=True)),
                     "rating": dict(zip(("value", "low", "high"), each.rating, strict=True))}
                    for each in one.standings
                ],
            }
            for one in found
        ],
    }  # fmt: skip


def _rows(found: Sequence[EventStandings]) -> list[tuple[Any, ...]]:
    heads = ("event", "model", "bot", "matches", "wins", "share", "share_low", "share_high", "rating", "low", "high")
    return [
        heads,
        *(
            (one.title, one.model, each.bot, each.matches, each.wins, *each.share, *each.rating)
            for one in found
            for each in one.standings
        ),
    ]


def _cross(found: Sequence[EventStandings]) -> list[tuple[Any, ...]]:
    return [
        ("event", "bot", "other", "share"),
        *(
            (one.title, bot, other, share)
            for one in found
            for bot, others in one.cross.items()
            for other, share in others.items()
        ),
    ]
