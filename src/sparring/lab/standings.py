"""Compute and save standings of tournaments: wins, cross table and ratings of bots, with 95% intervals.

Two-seat matches use the Bradley-Terry model (1952), fitted with `choix`; a draw is half a win for each side. Ratings
are in Elo points (400 points are odds of 10 to 1) with mean 1500. Larger matches use the Plackett-Luce model of
`openskill`, updated match by match; ratings start at 25, and their intervals come from that model.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sparring.engine.errors import SparringError
from sparring.engine.formats.spreadsheets import write_csv
from sparring.engine.plugins import MissingExtra
from sparring.lab.stats import wilson
from sparring.lab.tournament import TournamentScores

Array = np.ndarray[Any, Any]

#: Elo points per unit of the Bradley-Terry model.
ELO = 400 / np.log(10)
MEAN = 1500.0

#: The format identifier in the JSON.
FORMAT = "sparring-tournament-1"

#: Virtual wins for each side of a pair that met, so that a bot that won every match gets a finite rating.
VIRTUAL_WINS = 0.5


class BotRating(NamedTuple):
    """A rating with its 95% interval."""

    rating: float
    low: float
    high: float


def bradley_terry(wins: Array) -> list[BotRating]:
    """Return Bradley-Terry ratings in Elo points.

    `wins` has shape (bots, bots): how often the row bot beat the column bot, with draws as half a win.
    """
    try:
        import choix
    except ModuleNotFoundError:
        raise MissingExtra("Ratings need choix", "lab") from None

    have_met = (wins + wins.T) > 0
    counted = np.where(have_met, wins + VIRTUAL_WINS, 0.0)
    strength = np.asarray(choix.ilsr_pairwise_dense(counted, alpha=1e-9))
    strength = strength - strength.mean()
    odds = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    weight = (counted + counted.T) * odds * odds.T
    information = np.diag(weight.sum(axis=1)) - weight
    half_width = 1.96 * ELO * np.sqrt(np.diag(np.linalg.pinv(information)))
    centre = MEAN + ELO * strength
    return [BotRating(float(m), float(m - r), float(m + r)) for m, r in zip(centre, half_width, strict=True)]


def plackett_luce(bots: int, matches: Sequence[tuple[Sequence[int], Sequence[bool]]]) -> list[BotRating]:
    """Return Plackett-Luce ratings from matches in order: the bots of each match, and which of them won."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = [model.rating() for _ in range(bots)]
    for line_up, won in matches:
        rated = model.rate([[ratings[bot]] for bot in line_up], ranks=[1 if has_won else 2 for has_won in won])
        for bot, (after,) in zip(line_up, rated, strict=True):
            ratings[bot] = after
    return [
        BotRating(rating.mu, rating.mu - 1.96 * rating.sigma, rating.mu + 1.96 * rating.sigma) for rating in ratings
    ]


class BotStanding(NamedTuple):
    """The result of a bot in one event or over all events."""

    bot: str
    matches: int
    #: A win shared by k bots counts 1/k for each.
    wins: float
    #: The share of wins (0 to 1) with its 95% interval.
    share: tuple[float, float, float]
    rating: BotRating


class EventStandings(NamedTuple):
    """The standings of an event, best first; `cross` has the score of each bot (row) against each other bot."""

    title: str
    model: str
    standings: list[BotStanding]
    cross: dict[str, dict[str, float]]


def standings(scores: TournamentScores) -> list[EventStandings]:
    """Return the standings of every event and, if there are several, of all events together."""
    tournament = scores.tournament
    result = [_of(scores, event.title, [number]) for number, event in enumerate(tournament.events)]
    if len(result) > 1:
        result.append(_of(scores, "all games", list(range(len(tournament.events)))))
    return result


def _of(scores: TournamentScores, title: str, events: Sequence[int]) -> EventStandings:
    tournament, bots = scores.tournament, scores.tournament.bots
    wins, matches = np.zeros(len(bots)), np.zeros(len(bots))
    beat, met = np.zeros((len(bots), len(bots))), np.zeros((len(bots), len(bots)))
    sequence: list[tuple[Sequence[int], Sequence[bool]]] = []
    for event in events:
        for line_up in tournament.line_ups(tournament.events[event]):
            for bits in scores.results(event, line_up):
                won = [bool(bits >> place & 1) for place in range(len(line_up))]
                share = np.array(won) / max(sum(won), 1)
                sequence.append((line_up, won))
                for place, bot in enumerate(line_up):
                    wins[bot] += share[place]
                    matches[bot] += 1
                    for other_place, other in enumerate(line_up):
                        if other != bot:
                            met[bot, other] += 1
                            beat[bot, other] += won[place] if won[place] != won[other_place] else 0.5
    two_seats = all(tournament.events[event].seats == 2 for event in events)
    ratings = bradley_terry(beat) if two_seats else plackett_luce(len(bots), _shuffled(sequence))
    standing = [
        BotStanding(
            bot,
            int(matches[n]),
            float(wins[n]),
            (_share(wins[n], matches[n]), *wilson(wins[n], int(matches[n]))),
            ratings[n],
        )
        for n, bot in enumerate(bots)
    ]
    cross = {
        bot: {other: float(beat[n, m] / met[n, m]) for m, other in enumerate(bots) if met[n, m]}
        for n, bot in enumerate(bots)
    }
    model = "Bradley-Terry, Elo points" if two_seats else "Plackett-Luce, openskill points"
    return EventStandings(title, model, sorted(standing, key=lambda one: -one.rating.rating), cross)


def _share(wins: float, matches: float) -> float:
    return float(wins / matches) if matches else 0.0


def _shuffled(sequence: list[tuple[Sequence[int], Sequence[bool]]]) -> list[tuple[Sequence[int], Sequence[bool]]]:
    """Shuffle the matches, because sequential ratings give late matches more weight."""
    order = np.random.default_rng(0).permutation(len(sequence))
    return [sequence[place] for place in order]


def write_standings(events: Sequence[EventStandings], scores: TournamentScores, folder: Path) -> None:
    """Write the standings and the cross table (the score of each bot against each other bot)."""
    columns = ("event", "model", "bot", "matches", "wins", "share", "share_low", "share_high", "rating", "low", "high")
    rows = [
        (event.title, event.model, one.bot, one.matches, one.wins, *one.share, *one.rating)
        for event in events
        for one in event.standings
    ]
    cross = [
        (event.title, bot, other, share)
        for event in events
        for bot, others in event.cross.items()
        for other, share in others.items()
    ]
    files = {
        "standings.json": json.dumps(as_plain(events, scores), indent=1) + "\n",
        "standings.csv": write_csv([columns, *rows]),
        "cross.csv": write_csv([("event", "bot", "other", "share"), *cross]),
    }
    try:
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
    except OSError as problem:
        raise SparringError(f"Can't write the standings to {folder}: {problem.strerror or problem}.") from None


def as_plain(events: Sequence[EventStandings], scores: TournamentScores) -> dict[str, Any]:
    """Return the standings as plain data."""
    return {
        "form": FORMAT, "matches": scores.tournament.matches, "seed": scores.tournament.seed,
        "lost_clocks": {bot: {"matches": often, "first": why} for bot, (often, why) in scores.failures.items()},
        "without_value_model": {
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
