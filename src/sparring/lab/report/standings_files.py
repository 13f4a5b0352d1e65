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


def write_standings(events: Sequence[EventStandings], scores: TournamentScores, folder: Path) -> None:
    """Write the standings and the cross table (the score of each bot against each other bot)."""
    try:
        (folder / "standings.json").write_text(json.dumps(as_plain(events, scores), indent=1) + "\n", encoding="utf-8")
        write_csv(folder / "standings.csv", _rows(events))
        write_csv(folder / "cross.csv", _cross(events))
    except OSError as problem:
        raise SparringError(f"Can't write the standings to {folder}: {problem.strerror or problem}.") from None


def as_plain(events: Sequence[EventStandings], scores: TournamentScores) -> dict[str, Any]:
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
                "title": event.title, "model": event.model, "cross": event.cross,
                "standings": [
                    {"bot": standing.bot, "matches": standing.matches, "wins": standing.wins,
                     "share": dict(zip(("value", "low", "high"), standing.share, strict=True)),
                     "rating": dict(zip(("value", "low", "high"), standing.rating, strict=True))}
                    for standing in event.standings
                ],
            }
            for event in events
        ],
    }  # fmt: skip


def _rows(events: Sequence[EventStandings]) -> list[tuple[Any, ...]]:
    columns = ("event", "model", "bot", "matches", "wins", "share", "share_low", "share_high", "rating", "low", "high")
    return [
        columns,
        *(
            (event.title, event.model, standing.bot, standing.matches, standing.wins, *standing.share, *standing.rating)
            for event in events
            for standing in event.standings
        ),
    ]


def _cross(events: Sequence[EventStandings]) -> list[tuple[Any, ...]]:
    return [
        ("event", "bot", "other", "share"),
        *(
            (event.title, bot, other, share)
            for event in events
            for bot, others in event.cross.items()
            for other, share in others.items()
        ),
    ]
