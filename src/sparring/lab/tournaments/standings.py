"""What a tournament tells: who won how often, against whom, and how strong that makes everybody."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sparring.lab.stats.intervals import wilson

from .bot_ratings import BotRating, bradley_terry, plackett_luce
from .scores import TournamentScores


class BotStanding(NamedTuple):
    """A bot in an event (or over all of them)."""

    bot: str
    matches: int
    #: A match that k bots won together counts 1/k for each.
    wins: float
    #: The share of wins, with its 95% interval.
    share: tuple[float, float, float]
    rating: BotRating


class EventStandings(NamedTuple):
    """Everybody in an event, the best first; `cross` says which share each (row) won of its matches with each other."""

    title: str
    model: str
    standings: list[BotStanding]
    cross: dict[str, dict[str, float]]


def standings(scores: TournamentScores) -> list[EventStandings]:
    """Of every event; then, if there are several, of all of them."""
    tournament = scores.tournament
    found = [_of(scores, event.title, [number]) for number, event in enumerate(tournament.events)]
    if len(found) > 1:
        found.append(_of(scores, "all games", list(range(len(tournament.events)))))
    return found


def _of(scores: TournamentScores, title: str, events: Sequence[int]) -> EventStandings:
    tournament, bots = scores.tournament, scores.tournament.bots
    wins, matches = np.zeros(len(bots)), np.zeros(len(bots))
    beat, met = np.zeros((len(bots), len(bots))), np.zeros((len(bots), len(bots)))
    sequence: list[tuple[Sequence[int], Sequence[bool]]] = []
    for event in events:
        for sitting in tournament.line_ups(tournament.events[event]):
            for bits in scores.won.get(scores.key(event, sitting), [])[: tournament.matches]:
                won = [bool(bits >> place & 1) for place in range(len(sitting))]
                share = np.array(won) / max(sum(won), 1)
                sequence.append((sitting, won))
                for place, bot in enumerate(sitting):
                    wins[bot] += share[place]
                    matches[bot] += 1
                    for beside, other in enumerate(sitting):
                        if other != bot:
                            met[bot, other] += 1
                            beat[bot, other] += won[place] if won[place] != won[beside] else 0.5
    in_pairs = all(tournament.events[event].seats == 2 for event in events)
    ratings = bradley_terry(beat) if in_pairs else plackett_luce(len(bots), _mixed(sequence))
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
    model = "Bradley-Terry, Elo points" if in_pairs else "Plackett-Luce, openskill points"
    return EventStandings(title, model, sorted(standing, key=lambda one: -one.rating.rating), cross)


def _share(wins: float, matches: float) -> float:
    return float(wins / matches) if matches else 0.0


def _mixed(sequence: list[tuple[Sequence[int], Sequence[bool]]]) -> list[tuple[Sequence[int], Sequence[bool]]]:
    """The matches of all line-ups in turn: who rates match by match remembers the last ones best."""
    order = np.random.default_rng(0).permutation(len(sequence))
    return [sequence[place] for place in order]
