"""Records (the seed and actions of a match), how matches start (from parameters, a deal or a position), and new deals.

A new deal depends on the view of a spectator and a new seed only. It is determinization, as searches do it for a seat,
with the view of no seat.
"""

import hashlib
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from . import chance
from .errors import BadContent, BadPosition, BadRecord, ContentFault, SparringError
from .formats.position_reader import builtin, read_integer, read_seed
from .game import SPECTATOR, Game, GameSetup
from .game import game as find_game
from .messages import Text
from .rule import blank
from .types import AnyState
from .views import Transition, legal_in, view_of

#: The log's sentence about a new deal.
NEW_DEAL = Text("Everything hidden was dealt again: decks, hands and cards played face down.")

#: How many times other secret choices are tried, to find out whether those made are revealed.
NEW_DEAL_TRIES = 64

#: The version of the format of records.
FORMAT = 1


class NewDeal(NamedTuple):
    """A new deal after a number of actions of the match, with its seed."""

    after: int
    seed: int


def redraw(setup: GameSetup, deals: Sequence[NewDeal], state: AnyState, played: int) -> bool:
    """Deal everything hidden in a full state again, in place, for each of the deals that comes after `played` actions.

    Return whether there is one.
    """
    rules, params, g = setup.game.rules, setup.params, np.zeros(4, np.int64)
    due = [deal for deal in deals if deal.after == played]
    for deal in due:
        chance.seed(g, deal.seed, chance.DETERMINIZATION)
        rules.redact(params, state, SPECTATOR)
        rules.determinize(params, state, SPECTATOR, g)
    return bool(due)


def secret_choices(setup: GameSetup, transitions: Sequence[Transition]) -> int:
    """Return how many choices at the end of a match are secret and not revealed yet, as in a simultaneous choice.

    A new deal takes them back, because it replaces the cards that they were made with.
    """
    observe = setup.game.rules.observe_action

    def is_secret(each: Transition) -> bool:
        return not each.marks and int(observe(setup.params, each.before, each.action, SPECTATOR)) != each.action

    count = sum(1 for _ in takewhile(is_secret, reversed(transitions)))
    return count if count and _are_unrevealed(setup, transitions[-count:]) else 0


def _are_unrevealed(setup: GameSetup, secret: Sequence[Transition]) -> bool:
    """Return whether spectators see the same after all such choices that lead to the same player and phase.

    That depends on nothing that isn't public, and so tells no one what was chosen.
    """
    rules, params, same = setup.game.rules, setup.params, False
    before, seen = (view_of(setup, state, SPECTATOR + 1).state for state in (secret[0].before, secret[-1].after))
    observed = [int(rules.observe_action(params, each.before, each.action, SPECTATOR)) for each in secret]
    g = np.zeros(4, np.int64)
    chance.seed(g, int(secret[0].before.moment), chance.DETERMINIZATION)
    for _ in range(NEW_DEAL_TRIES):
        world, played = before.copy(), 0
        rules.determinize(params, world, SPECTATOR, g)
        for expected in observed:
            similar = [
                a for a in legal_in(setup, world) if rules.observe_action(params, world, a, SPECTATOR) == expected
            ]
            if not similar:
                break
            rules.step(params, world, similar[chance.below(g, len(similar))])
            played += 1
        rules.redact(params, world, SPECTATOR)
        if played < len(secret) or world.over or (world.player, world.phase) != (seen.player, seen.phase):
            continue
        if world.tobytes() != seen.tobytes():
            return False
        same = True
    return same


class MatchStart(NamedTuple):
    """The start of a match: the setup, the first state (never changed), the seed, and all new deals."""

    setup: GameSetup
    state: Any
    seed: int
    #: The position it came from; None if it was dealt.
    position: Mapping[str, Any] | None = None
    #: The new deals during the match.
    deals: tuple[NewDeal, ...] = ()


def setup_of(game: str | Game, options: Mapping[str, Any] | None, content: object, preset: str | None) -> GameSetup:
    """Return the setup for the parameters of `Match.new`."""
    found = find_game(game) if isinstance(game, str) else game
    if options is None and preset is None and isinstance(content, str | Path):
        options = found.file_options(content)
    chosen = {**found.preset(preset), **(options or {})} if preset else options
    return found.setup(chosen, read_content(found, content))


def deal(setup: GameSetup, seats: int, seed: int | None) -> MatchStart:
    """Deal a match from a setup and a seed (None: a random one)."""
    seed = read_seed(seed)
    state = blank(setup.game.rules.State.dtype)
    chance.seed(state.rng, seed, chance.DEAL)
    state.seats = seats
    setup.rules.setup(setup.params, state)
    return MatchStart(setup, state, seed)


def read_position(position: Mapping[str, Any], content: object, game: Game | None) -> MatchStart:
    """Read the start of a match from a position; `game` is for a game that is not installed. Raises BadPosition."""
    position = builtin(position)
    data = dict(position)
    name = data.pop("game", None)
    if not isinstance(name, str):
        raise BadPosition('A position must name its game, as in game = "make-your-moves".')
    game = game or find_game(name)
    options, seats, seed = data.pop("options", {}), data.pop("seats", None), read_seed(data.pop("seed", 0))
    if not isinstance(options, Mapping):
        raise BadPosition("The options of a position must be a table of names and values.")
    setup = game.setup(options, read_content(game, content))
    state = blank(game.rules.State.dtype)
    state.seats = game.check_seats(seats)
    chance.seed(state.rng, seed, chance.DEAL)
    generator = data.pop("random", None)
    game.position.read(setup, state, data, state.rng)
    if generator is not None:
        state.rng[:] = _read_generator(generator)
    return MatchStart(setup, state, seed, position)


def write_position(start: MatchStart) -> dict[str, Any]:
    """Return a full state as a position for `read_position`."""
    return {
        "game": start.setup.game.name, "seats": int(start.state.seats), "seed": start.seed,
        "options": start.setup.options, "random": start.state.rng.tolist(),
        **builtin(start.setup.game.position.write(start.setup, start.state)),
    }  # fmt: skip


def read_record(record: str | bytes, upto: int | None, game: Game | None) -> tuple[MatchStart, list[int]]:
    """Return the start of a recorded match and its first `upto` actions; `game` is for a game that is not installed.

    Raises BadRecord.
    """
    body = _verified(record)
    try:
        game = game or find_game(body["game"])
        if body["version"] != game.version:
            raise BadRecord(
                f"This record is from version {body['version']} of {game.title}; version {game.version} is installed."
            )
        content = game.content_from(body["content"], "the record") if "content" in body else None
        choices = [int(action) for action in body["choices"][:upto]]
        deals = [NewDeal(int(after), read_seed(int(seed))) for after, seed in body.get("deals", ())]
        setup = game.stored_setup(body["options"], content)
        if "position" in body:
            position = {**body["position"], "options": setup.options}
            start = read_position(position, content, game)._replace(position=body["position"])
        else:
            start = deal(setup, game.check_seats(body["seats"]), body["seed"])
        return start._replace(deals=tuple(deals)), choices
    except (KeyError, TypeError, ValueError) as problem:
        raise BadRecord("This record is incomplete: a required field is missing or invalid.") from problem


def write_record(start: MatchStart, choices: list[int], table: Mapping[str, Any] | None = None) -> str:
    """Return a match as text: game, options, content, seed, actions, new deals, and a checksum.

    `table` is additional data about where it was played; it does not affect the match.
    """
    game = start.setup.game
    body: dict[str, Any] = {
        "format": FORMAT, "game": game.name, "version": game.version, "seats": int(start.state.seats),
        "seed": start.seed, "options": start.setup.options, "choices": choices,
    }  # fmt: skip
    if start.setup.own_content:
        body["content"] = msgspec.to_builtins(start.setup.content)
    if start.position is not None:
        body["position"] = msgspec.to_builtins(start.position, str_keys=True)
    if start.deals:
        body["deals"] = [list(each) for each in start.deals]
    if table:
        body["table"] = table
    return with_checksum(body)


def read_content(game: Game, content: object) -> Any:
    """Read content from a file's path or from its data; return other values unchanged. Raises BadContent."""
    if isinstance(content, Mapping):
        return game.content_from(content, "the content")
    return game.read_content(content) if isinstance(content, str | Path) else content


def content_faults(game: Game, data: Mapping[str, Any], options: Mapping[str, Any], where: str) -> list[ContentFault]:
    """Return everything that makes a content file `where` unplayable with these options, each fault with its path.

    The words are those of the command line.
    """
    try:
        content = game.content_from(dict(data), where)
        deal(game.setup(options, content), game.seats[0], seed=0)
    except BadContent as problem:
        return [_with_path(fault, where) for fault in problem.faults]
    except SparringError as problem:
        return [_with_path(str(problem), where)]
    return []


def _with_path(fault: str, where: str) -> ContentFault:
    return fault if isinstance(fault, ContentFault) else ContentFault(fault, (), fault.removeprefix(f"{where}: "))


def _read_generator(words: object) -> list[int]:
    """Read the state of a generator as `write_position` writes it."""
    if not isinstance(words, list) or len(words) != 4 or words == [0, 0, 0, 0]:
        raise BadPosition(f"random must be four whole numbers that are not all 0, not {words}.")
    return [read_integer("random", word, 0, chance.MASK) for word in words]


def with_checksum(body: Mapping[str, Any]) -> str:
    """Return a record with its checksum."""
    text = msgspec.json.encode(body, order="deterministic")
    return msgspec.json.encode({**body, "check": _checksum(text)}, order="deterministic").decode()


def _verified(record: str | bytes) -> dict[str, Any]:
    try:
        body = msgspec.json.decode(record)
        again = with_checksum({key: value for key, value in body.items() if key != "check"})
    except (msgspec.MsgspecError, AttributeError, UnicodeError, RecursionError):
        raise BadRecord("This is not a match record.") from None
    text = record if isinstance(record, str) else record.decode()
    if again != text.rstrip("\n"):
        raise BadRecord("This record has been changed or damaged: its checksum doesn't match.")
    if body.get("format") != FORMAT:
        raise BadRecord(f"This record has format {body.get('format')}; only format {FORMAT} is supported.")
    return body  # type: ignore[no-any-return]


def _checksum(text: bytes) -> str:
    return hashlib.blake2b(text, digest_size=16).hexdigest()
