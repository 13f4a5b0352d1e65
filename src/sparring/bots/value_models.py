"""Trained value models: their files, and which model fits a table.

A value model is a file of arrays (`.npz`), named by the number of seats and a fingerprint of the rules, options and
content it was trained for. A model for other rules, options or content is therefore never found, with one exception: if
value features mean the same at every table (`Game.shared_value_model`), the model for the default rules is used where
there is no other, and the bot's title says so. A new option changes no name as long as its value plays as before.

A game ships models in the folder `models` beside its rules; models trained on this machine are in the user's data
folder and take precedence.
"""

import hashlib
import logging
import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from sparring.engine.chance import CHOICES, DEAL, below, seed
from sparring.engine.folders import data_folder
from sparring.engine.game import Game, GameSetup
from sparring.engine.options import Value, complete, in_params

from .evaluation import EXPLORATION_WITH_MODEL, MAX_HIDDEN_UNITS, value_features_of

log = logging.getLogger(__name__)

Array = np.ndarray[Any, Any]

#: The number of random actions in the match from which a fingerprint is computed.
TRACE_ACTIONS = 12

#: The size of a fingerprint. Older files have longer ones, which depended on the layout of the params: none is found.
DIGEST_BYTES = 8
OLD_NAME = re.compile(r"\d+-seats-[0-9a-f]{20}\.npz")

#: Weights of features below this size are taken as 0.
NEXT_TO_ZERO = 1e-20

#: The number of tables whose models are cached.
CACHED_MODELS = 100


@dataclass(frozen=True)
class PolicyPrior:
    """The weights of a trained policy prior (see `evaluation`).

    Shapes: `hidden_weights` (features, PRIOR_UNITS), `hidden_bias` (PRIOR_UNITS,), `action_weights` (actions,
    PRIOR_UNITS), `action_bias` (actions,).
    """

    hidden_weights: Array
    hidden_bias: Array
    action_weights: Array
    action_bias: Array

    @cached_property
    def _clean_weights(self) -> Array:
        """The weights of the hidden units, without weights next to 0."""
        return _without_next_to_zero(self.hidden_weights)

    def fill(self, settings: Any) -> None:
        """Write the prior into search parameters."""
        settings["has_prior"], settings["policy_bias"] = 1, self.hidden_bias
        _pad(settings, "policy_weights", self._clean_weights)
        settings["action_weights"], settings["action_bias"] = self.action_weights, self.action_bias


@dataclass(frozen=True)
class ValueModel:
    """A trained value model: its weights, and the search settings that suit it (see `evaluation.settings_dtype`).

    Shapes, for H <= MAX_HIDDEN_UNITS hidden units: `linear` (features,), `hidden_weights` (features, H), `hidden_bias`
    (H,), `output_weights` (H,).
    """

    linear: Array
    hidden_weights: Array
    hidden_bias: Array
    output_weights: Array
    rollout: int = 0
    exploration: float = EXPLORATION_WITH_MODEL
    prior: PolicyPrior | None = None

    def fits(self, game: Game) -> bool:
        """Return whether its shapes match the game's numbers of value features and actions."""
        value_features, choices, prior = value_features_of(game)[0], len(game.rules.ACTIONS), self.prior
        value_fits = self.linear.shape == (value_features,) and len(self.hidden_bias) <= MAX_HIDDEN_UNITS
        return value_fits and (
            prior is None or (prior.hidden_weights.shape[0], len(prior.action_bias)) == (value_features, choices)
        )

    @cached_property
    def _clean_weights(self) -> dict[str, Array]:
        """The weights by name, without weights next to 0.

        Training leaves weights such as 1e-41, with which processors calculate a hundred times as slowly.
        """
        names = ("linear", "hidden_weights", "hidden_bias", "output_weights")
        return {name: _without_next_to_zero(getattr(self, name)) for name in names}

    def fill(self, settings: Any, *, prior: bool = True) -> None:
        """Write the model into search parameters, with its prior unless `prior` is false."""
        if prior and self.prior:
            self.prior.fill(settings)
        settings["hidden_units"], settings["evaluates"] = len(self.hidden_bias), 1
        for name, weights in self._clean_weights.items():
            _pad(settings, name, weights)
        settings["rollout"], settings["exploration"], settings["per_action"] = self.rollout, self.exploration, 0


def _without_next_to_zero(weights: Array) -> Array:
    """Return weights with those next to 0 set to 0."""
    return np.where(np.abs(weights) < NEXT_TO_ZERO, 0, weights)


def _pad(settings: Any, name: str, weights: Array) -> None:
    """Write weights into a field with room for more; the rest becomes 0."""
    settings[name] = 0
    settings[name][tuple(map(slice, weights.shape))] = weights


def fingerprint(setup: GameSetup, seats: int) -> str:
    """Return a fingerprint of rules, options and content: a hash of their values and of a short random match.

    It doesn't depend on how records are laid out: options count only where they change what a match means that doesn't
    name them, and content only where the params have something.
    """
    game, rules = setup.game, setup.game.rules
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    size, value_features = value_features_of(game)
    facts = game.name, game.version, seats, size, _changed_options(setup), _content_values(setup)
    digest.update(repr(facts).encode())
    work = np.zeros(2, rules.State.dtype)
    s, view = work
    g, out = np.zeros(4, np.int64), np.zeros(len(rules.ACTIONS), np.int16)
    features = np.zeros(size, np.float32)
    seed(s.rng, 1, DEAL)
    seed(g, 1, CHOICES)
    s.seats = seats
    rules.setup(setup.params, s)
    for _ in range(TRACE_ACTIONS):
        if s.over:
            break
        work[1] = s
        rules.redact(setup.params, view, int(s.player))
        value_features(setup.params, view, int(s.player), features)
        digest.update(np.rint(features * 1000).astype(np.int16).tobytes())
        rules.step(setup.params, s, out[below(g, rules.legal(setup.params, s, out))])
    return digest.hexdigest()


def _changed_options(setup: GameSetup) -> list[tuple[str, Value]]:
    """Return the options that rules need, by name, whose values aren't those of a match that names none."""
    options = setup.game.options(setup.content)
    unnamed = complete(options, {})
    changed = (each.name for each in options if in_params(each) and setup.options[each.name] != unnamed[each.name])
    return [(name, setup.options[name]) for name in sorted(changed)]


def _content_values(setup: GameSetup) -> list[tuple[str, list[int], Any]]:
    """Return everything in the params but options and zeros: the name of the field, the place in it, and the value."""
    options = {option.name for option in setup.game.options()}
    fields = {name: np.atleast_1d(setup.params[name]) for name in setup.game.params.Params.dtype.names or ()}
    return [
        (name, place.tolist(), fields[name][tuple(place)].item())
        for name in sorted(fields.keys() - options)
        for place in np.argwhere(fields[name])
    ]


def file_name(setup: GameSetup, seats: int) -> str:
    """Return the name of a value model's file for this table."""
    return f"{seats}-seats-{fingerprint(setup, seats)}.npz"


class ModelFolders(NamedTuple):
    """The folders with value models of a game, in search order."""

    #: Models from `sparring train` and the lab; from training jobs of the studio; and those shipped with the game.
    own: Path
    studio: Path
    shipped: Path


def folders(game: Game) -> ModelFolders:
    """Return the folders with value models of a game."""
    return _folders(game, data_folder())


@cache
def _folders(game: Game, data: Path) -> ModelFolders:
    _warn_of_old_folder(data)
    own = data / "models" / game.name
    return ModelFolders(own, own / "sets", game.folder / "models")


@cache
def _warn_of_old_folder(data: Path) -> None:
    """Log once that models in the folder of earlier versions aren't found: their names have changed, too."""
    old = data / "judgements"
    if old.is_dir():
        log.warning(
            "Bots can't use the value models of an older Sparring in %s; train them again, and delete the folder", old
        )


def find_model(setup: GameSetup, seats: int) -> ValueModel | None:
    """Return the value model for this table, if there is one."""
    key = _TableKey(setup, seats)
    if not key.has_models:
        return None
    model = _find(key)
    return (
        _find(_TableKey(_default_setup(setup.game), seats))
        if model is None and setup.game.shared_value_model
        else model
    )


def has_own_model(setup: GameSetup, seats: int) -> bool:
    """Return whether there is a value model trained for exactly this table."""
    key = _TableKey(setup, seats)
    return key.has_models and _find(key) is not None


def lacks_own_model(setup: GameSetup, seats: int) -> bool:
    """Return whether the game has value models, but none trained for exactly this table."""
    key = _TableKey(setup, seats)
    return key.has_models and _find(key) is None


def save(file: Path, model: ValueModel) -> None:
    """Write a value model to a file; equal models give equal bytes. The names of the arrays are part of the format."""
    file.parent.mkdir(parents=True, exist_ok=True)
    weights = {
        "straight": model.linear,
        "into": model.hidden_weights,
        "bias": model.hidden_bias,
        "out_of": model.output_weights,
    }
    arrays: dict[str, Array] = {name: array.astype(np.float32) for name, array in weights.items()}
    arrays["settings"] = np.array([model.rollout, model.exploration], np.float64)
    if prior := model.prior:
        weights = {
            "into": prior.hidden_weights,
            "bias": prior.hidden_bias,
            "rows": prior.action_weights,
            "own": prior.action_bias,
        }
        arrays |= {f"prior_{name}": array.astype(np.float16) for name, array in weights.items()}
    # Rename atomically, from a unique name: readers find a complete file or none, and concurrent writers do not clash.
    part = file.with_name(f"{uuid4().hex}.part")
    with part.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, **arrays)
    part.replace(file)
    clear_caches()


def load(file: Path) -> ValueModel:
    """Read a value model from a file."""
    with np.load(file, allow_pickle=False) as arrays:
        rollout, exploration = arrays["settings"]
        linear, weights, bias, output_weights = (arrays[name] for name in ("straight", "into", "bias", "out_of"))
        policy = [arrays[f"prior_{name}"] for name in ("into", "bias", "rows", "own") if f"prior_{name}" in arrays]
    prior = PolicyPrior(*policy) if policy else None
    return ValueModel(linear, weights, bias, output_weights, int(rollout), float(exploration), prior)


def clear_caches() -> None:
    """Clear the caches of this process. Other processes notice a change by the folders' modification times."""
    _find.cache_clear()
    _has_models.cache_clear()


@lru_cache(CACHED_MODELS)
def _has_models(folder: Path, changed: int) -> bool:
    files = list(folder.glob("*.npz"))
    old = [file for file in files if OLD_NAME.fullmatch(file.name)]
    if old:
        log.warning(
            "Bots can't use these value models of an older Sparring; train them again: %s", " ".join(map(str, old))
        )
    return len(files) > len(old)


def _modified_ns(folder: Path) -> int:
    """Return a folder's modification time in ns, by which a running server notices new models; 0 without the folder."""
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


@cache
def _default_setup(game: Game) -> GameSetup:
    return game.setup()


class _TableKey:
    """A cache key for a table: everything that its fingerprint depends on, and the folders' modification times."""

    def __init__(self, setup: GameSetup, seats: int) -> None:
        self.setup, self.seats = setup, seats
        self.folders = tuple((folder, _modified_ns(folder)) for folder in folders(setup.game))
        self.values = setup.game, setup.params.tobytes(), seats, self.folders

    @property
    def has_models(self) -> bool:
        """Whether the game has any value model."""
        return any(_has_models(*folder) for folder in self.folders)

    def __hash__(self) -> int:
        return hash(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _TableKey) and self.values == other.values


@lru_cache(CACHED_MODELS)
def _find(key: _TableKey) -> ValueModel | None:
    name = file_name(key.setup, key.seats)
    for folder, _ in key.folders:
        if (folder / name).exists():
            model = load(folder / name)
            if model.fits(key.setup.game):
                return model
    return None
