"""The result of a finished match: players, variant, places, whether it counts for ratings, and how those changed.

The summary of a match as spectators see it is stored with the table, so that lists needn't load the table.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Self

import msgspec

from sparring.bots import REPLACEMENT_PREFIX
from sparring.engine.errors import SparringError
from sparring.engine.game import Game, GameSetup
from sparring.engine.game import game as find_game
from sparring.engine.match import Match
from sparring.engine.messages import reading_in, say
from sparring.engine.options import ChoiceOption, Value, complete, read_options
from sparring.scene.markup import SeatNames
from sparring.scene.sentences import listed, mention
from sparring.settings import Limits
from sparring.store.finished_matches import FinishedMatch
from sparring.store.rating_model import BOT, RatingLimits
from sparring.store.ratings import RatedVariant, RatingChange
from sparring.tables.state.clock_state import EarlyEnding
from sparring.tables.state.players import Player
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import MIN_RATED_ACTIONS, JsonColumn

#: A match that ends by its rules.
RULES = EarlyEnding()

#: The message for a rated match that ended too early or whose players can't be rated together.
NOT_COUNTED = "This match didn't count. All ratings stay the same."


class TableSummary(JsonColumn, frozen=True):
    """The state of a match as spectators see it. Every player knows at least this much."""

    #: Progress, such as `Turn 5`, and how the match ended.
    status: str = ""
    ended: str = ""
    #: The seat whose turn it visibly is; 0 if none.
    turn: int = 0
    #: The name of the main counter, and its value for each seat.
    counted: str = ""
    counts: tuple[int | None, ...] = ()

    @classmethod
    def of(cls, match: Match, ended: EarlyEnding = RULES) -> Self:
        """Return the summary of a match, which may have ended early."""
        with reading_in(None):  # stored, for readers of all languages
            return cls._of(match, ended)

    @classmethod
    def _of(cls, match: Match, ended: EarlyEnding) -> Self:
        scene = match.view_of(match.state, 0).outline
        tracks = [seat.tracks[0] if seat.tracks else None for seat in scene.seats]
        return cls(
            status=scene.status,
            ended=ended.sentence(match, 0) or (scene.prompt.sentence if scene.over else ""),
            turn=0 if ended.how else next((seat.number for seat in scene.seats if seat.turn), 0),
            counted=next((track.title for track in tracks if track), ""),
            counts=tuple(track.value if track else None for track in tracks) if any(tracks) else (),
        )  # fmt: skip

    def line(self, people: Sequence[str]) -> str:
        """Return the summary in words, with these players' names."""
        names = SeatNames(people)
        if self.ended:
            return names.text(self.ended)
        scores = [f"{names.of(seat)} {count}" for seat, count in enumerate(self.counts, 1) if count is not None]
        return " · ".join(filter(None, (self.status, f"{self.counted}: {', '.join(scores)}" if scores else "")))


def summary_columns(match: Match, ended: EarlyEnding) -> dict[str, Any]:
    """Return the columns of a table's row that summarize its match for lists."""
    over = match.over or bool(ended.how)
    return {"over": over, "turn_seat": 0 if over else match.seat or 0, "standing": TableSummary.of(match, ended).stored}


def stored_options(setup: GameSetup) -> str:
    """Return all options as tables and variants store them, so that a changed default changes neither."""
    return msgspec.json.encode(setup.options, order="sorted").decode()


def variant_of(setup: GameSetup, content: str | None = None) -> RatedVariant:
    """Return the variant that a table plays: its options and custom content.

    The id is a digest of what differs from the values that `complete` assumes: a changed default or a new option
    doesn't change it, and it is the one from when only differences from the defaults were stored.
    """
    assumed = complete(setup.game.options(setup.content), {})
    differences = {name: value for name, value in setup.options.items() if value != assumed[name]}
    options = msgspec.json.encode(differences, order="sorted").decode()
    digest = hashlib.blake2b(msgspec.json.encode((setup.game.name, options, content)), digest_size=8).hexdigest()
    return RatedVariant(digest, setup.game.name, stored_options(setup), content)


def variant_name(variant: RatedVariant) -> str:
    """Return a variant's name, or else what differs from the defaults, except for values that custom content names."""
    options = msgspec.json.decode(variant.options)
    try:
        known = find_game(variant.game).options()
        own = {each.name for each in known if variant.content and isinstance(each, ChoiceOption) and each.names_of}
        stored = {name: value for name, value in options.items() if name not in own}
        words = _name_of(find_game(variant.game), read_options(variant.game, known, complete(known, stored)))
    except SparringError:  # the game or the option doesn't exist any more
        words = ", ".join(f"{name}: {value}" for name, value in options.items())
    return say("{words}, with custom cards", words=words) if variant.content else words


def players_at(players: Sequence[Player]) -> list[str]:
    """Return the rated player of each seat; empty where there is none.

    People who share a screen aren't rated, since the table can't tell them apart.
    """
    seats = Counter(player.person for player in players)
    return [
        BOT + player.bot.removeprefix(REPLACEMENT_PREFIX)
        if player.bot
        else player.person
        if seats[player.person] == 1
        else ""
        for player in players
    ]


def result_of(table: Table, match: Match, ended: EarlyEnding, limits: Limits) -> FinishedMatch:
    """Return the result of a table's match that has just ended."""
    won = ended.winners(match)
    return FinishedMatch(
        table=table.id, variant=variant_of(match.setup, table.content),
        players=players_at(table.players), places=places(match, ended),
        outcomes=[_outcome(seat, won, match.seats) for seat in range(1, match.seats + 1)],
        choices=len(match.history), rated=table.settings.rated and counts(table, match, ended),
        most=RatingLimits.of(limits), networks=[player.network for player in table.players], left=ended.seats,
    )  # fmt: skip


def counts(table: Table, match: Match, ended: EarlyEnding) -> bool:
    """Return whether a rated match counts: it was played to its end, or given up late enough after everyone had chosen.

    A match in which a stand-in had to play for a bot doesn't count.
    """
    if any(player.bot.startswith(REPLACEMENT_PREFIX) for player in table.players):
        return False
    transitions = [*table.transitions, *filter(None, [match.last_transition])]  # the last one isn't published yet
    seats = {int(transition.before.player) + 1 for transition in transitions}
    conceded = bool(match.history) and match.history[-1] in match.game.conceding
    return not (ended.how or ended.left or conceded) or (
        len(seats) == match.seats and len(match.history) >= MIN_RATED_ACTIONS
    )


def places(match: Match, ended: EarlyEnding) -> list[int]:
    """Return the place of every seat: winners first, then by payoff, then those who left (the earlier, the lower)."""
    won, seats = ended.winners(match), range(1, match.seats + 1)
    payoffs = match.payoffs if match.over and not ended.how else None
    ranks = {
        seat: (-1 - ended.seats[::-1].index(seat), 0.0) if seat in ended.seats
        else (int(seat in won), float(payoffs[seat]) if payoffs else 0.0)
        for seat in seats
    }  # fmt: skip
    return [1 + sum(other > ranks[seat] for other in ranks.values()) for seat in seats]


def _outcome(seat: int, won: tuple[int, ...], seats: int) -> int:
    if not won or len(won) == seats:
        return 0
    return 1 if seat in won else -1


def _name_of(game: Game, options: Mapping[str, Value]) -> str:
    named = (name for name in game.variants if game.setup(game.preset(name)).options == options)
    changed = [option for option in game.options() if options[option.name] != option.default]
    return next(named, listed([f"{each.heading}: {each.in_words(options[each.name])}" for each in changed]))


def change_sentences(table: Table, viewer: int) -> list[str]:
    """Return the rating changes of a finished match: the viewer's own, then those that leaderboards show."""
    if not table.shown.over or not table.settings.rated:
        return []
    if not table.rating_changes:
        return [say(NOT_COUNTED)]
    own = [_in_words(move) for move in table.rating_changes if move.seat == viewer]
    others = [
        say("{who}: {change}", who=mention(move.seat - 1), change=_in_words(move))
        for move in table.rating_changes if move.listed and move.seat != viewer
    ]  # fmt: skip
    where = _rated_game(table)
    sentences = [say("Your rating in {where}: {change}.", where=where, change=change) for change in own]
    if others:
        changes = say("; ").join(others)
        told = "{changes}." if own else "Ratings in {where}. {changes}."
        sentences.append(say(told, where=where, changes=changes))
    return sentences


def _in_words(move: RatingChange) -> str:
    """Return a rating change in words."""
    before, after = f"{move.before.points:,}", str(move.after)
    if move.provisional:
        return say("from {before} to {after}, provisional", before=before, after=after)
    return say("from {before} to {after}", before=before, after=after)


def _rated_game(table: Table) -> str:
    """Return what is rated: the game, and the variant if it isn't the default one."""
    setup = table.match.setup
    default = setup.options == setup.game.setup().options and not table.content
    return setup.game.title + ("" if default else f" ({variant_name(variant_of(setup, table.content))})")
