"""Judgements that were learned: where they lie, what each was made for, and which one fits a table.

A judgement is a file of plain arrays (`.npz`), named by the number of seats and by the fingerprint of what it was made
for. So one that was made for other rules, options or content is never found, except where a game says that its clues
mean the same at every table (`Game.judged_alike`): there the one for its usual rules is asked where there is no other,
and the bot says so. A game brings its own in the folder `judgements` beside its rules; what is learned here lies in the
person's data folder and goes before them.
"""

import hashlib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from sparring.engine.chance import CHOICES, DEAL, below, seed
from sparring.engine.folders import data_folder
from sparring.engine.game import Box, Game

from .evaluation import CURIOSITY_IN_JUDGING, HIDDEN, value_features_of

Array = np.ndarray[Any, Any]

#: What a fingerprint is taken from: so many choices of a match at random.
TRACE = 12

#: For so many tables is kept what fits them.
KNOWN = 100


@dataclass(frozen=True)
class PolicyPrior:
    """What was learned of what good players choose (see `priors`): hidden units of the clues, and weights by choice."""

    into: Array
    bias: Array
    rows: Array
    own: Array

    def fill(self, mind: Any) -> None:
        """Write it into what a search thinks with."""
        mind["has_prior"] = 1
        for name in ("into", "bias", "rows", "own"):
            mind[f"prior_{name}"] = getattr(self, name)
        places = np.flatnonzero((self.into != 0).any(axis=1))
        mind["prior_used"], mind["prior_places"][: len(places)] = len(places), places


@dataclass(frozen=True)
class ValueModel:
    """What was learned: the weights, and how a search does best with them (see `judging.mind_dtype`)."""

    straight: Array
    into: Array
    bias: Array
    out_of: Array
    ahead: int = 0
    curiosity: float = CURIOSITY_IN_JUDGING
    prior: PolicyPrior | None = None

    def fits(self, game: Game) -> bool:
        """Whether its weights are as many as the game has clues and choices."""
        value_features, choices, prior = value_features_of(game)[0], len(game.rules.ACTIONS), self.prior
        mine = self.straight.shape == (value_features,) and len(self.bias) <= HIDDEN
        return mine and (prior is None or (prior.into.shape[0], len(prior.own)) == (value_features, choices))

    def fill(self, mind: Any, *, prior: bool = True) -> None:
        """Write it into what a search thinks with; its prior too, unless that is not wanted (`prior`)."""
        if prior and self.prior:
            self.prior.fill(mind)
        hidden = len(self.bias)
        mind["straight"], mind["hidden"], mind["judges"] = self.straight, hidden, 1
        for name in ("into", "bias", "out_of"):
            mind[name] = 0
            mind[name][..., :hidden] = getattr(self, name)
        mind["ahead"], mind["curiosity"], mind["by_choice"] = self.ahead, self.curiosity, 0
        places = np.flatnonzero((self.straight != 0) | (self.into != 0).any(axis=1))
        mind["used"], mind["places"][: len(places)] = len(places), places


def fingerprint(box: Box, seats: int) -> str:
    """What a judgement is made for: rules, options and content, by what they are and by how a short match goes."""
    game, rules = box.game, box.game.rules
    told = hashlib.blake2b(digest_size=10)
    many, value_features = value_features_of(game)
    facts = game.name, game.version, seats, many, rules.KIT.descr, rules.STATE.descr, rules.PHASES
    told.update(repr(facts).encode() + box.kit.tobytes())
    work = np.zeros(2, rules.STATE)
    s, view = work
    g, out = np.zeros(4, np.int64), np.zeros(len(rules.ACTIONS), np.int16)
    seen = np.zeros(many, np.float32)
    seed(s.rng, 1, DEAL)
    seed(g, 1, CHOICES)
    s.seats = seats
    rules.setup(box.kit, s)
    for _ in range(TRACE):
        if s.over:
            break
        work[1] = s
        rules.redact(box.kit, view, int(s.player))
        value_features(box.kit, view, int(s.player), seen)
        told.update(np.rint(seen * 1000).astype(np.int16).tobytes())
        rules.step(box.kit, s, out[below(g, rules.legal(box.kit, s, out))])
    return told.hexdigest()


def file_name(box: Box, seats: int) -> str:
    """What the file of a judgement is called that fits this table."""
    return f"{seats}-seats-{fingerprint(box, seats)}.npz"


class ModelFolders(NamedTuple):
    """Where judgements of a game lie, in the order in which they are looked for."""

    #: What `sparring train` and the lab learned here; what was learned of sets of the studio; what comes with the game.
    own: Path
    of_sets: Path
    shipped: Path


def folders(game: Game) -> ModelFolders:
    """Where judgements of a game lie."""
    own = data_folder() / "judgements" / game.name
    return ModelFolders(own, own / "sets", game.folder / "judgements")


def find(box: Box, seats: int) -> ValueModel | None:
    """The judgement that is asked at this table, if there is one."""
    key = _TableKey(box, seats)
    if not key.is_any:
        return None
    found = _find(key)
    return _find(_TableKey(_usual(box.game), seats)) if found is None and box.game.judged_alike else found


def fits(box: Box, seats: int) -> bool:
    """Whether there is a judgement that was made for this table."""
    key = _TableKey(box, seats)
    return key.is_any and _find(key) is not None


def misses(box: Box, seats: int) -> bool:
    """Whether the game has judgements, but none that was made for this table."""
    key = _TableKey(box, seats)
    return key.is_any and _find(key) is None


def save(file: Path, judgement: ValueModel) -> None:
    """Write a judgement; the same one gives the same bytes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Array] = {
        "straight": judgement.straight.astype(np.float32), "into": judgement.into.astype(np.float32),
        "bias": judgement.bias.astype(np.float32), "out_of": judgement.out_of.astype(np.float32),
        "settings": np.array([judgement.ahead, judgement.curiosity], np.float64),
    }  # fmt: skip
    if judgement.prior:
        arrays |= {f"prior_{name}": array.astype(np.float16) for name, array in vars(judgement.prior).items()}
    # Who looks meanwhile finds all of it or nothing, and two who save the same one do not meet.
    part = file.with_name(f"{uuid4().hex}.part")
    with part.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, **arrays)
    part.replace(file)
    forget()


def load(file: Path) -> ValueModel:
    """Read a judgement."""
    with np.load(file, allow_pickle=False) as arrays:
        ahead, curiosity = arrays["settings"]
        weights = {name: arrays[name] for name in ("straight", "into", "bias", "out_of")}
        looks = [arrays[f"prior_{name}"] for name in ("into", "bias", "rows", "own") if f"prior_{name}" in arrays]
    return ValueModel(
        **weights, ahead=int(ahead), curiosity=float(curiosity), prior=PolicyPrior(*looks) if looks else None
    )


def forget() -> None:
    """Look anew for judgements; those of others are looked for anew as soon as their folder has changed."""
    _find.cache_clear()
    _holds.cache_clear()


@lru_cache(KNOWN)
def _holds(folder: Path, changed: int) -> bool:
    return any(folder.glob("*.npz"))


def _changed(folder: Path) -> int:
    """When something came into a folder, or went: so bots hear of what is learned while a server runs."""
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


@cache
def _usual(game: Game) -> Box:
    return game.box()


class _TableKey:
    """A table, told apart from others by all that a fingerprint is taken from."""

    def __init__(self, box: Box, seats: int) -> None:
        self.box, self.seats = box, seats
        self.folders = tuple((folder, _changed(folder)) for folder in folders(box.game))
        self.told = box.game, box.kit.tobytes(), seats, self.folders

    @property
    def is_any(self) -> bool:
        """Whether there is a judgement of the game at all."""
        return any(_holds(*folder) for folder in self.folders)

    def __hash__(self) -> int:
        return hash(self.told)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _TableKey) and self.told == other.told


@lru_cache(KNOWN)
def _find(key: _TableKey) -> ValueModel | None:
    name = file_name(key.box, key.seats)
    for folder, _ in key.folders:
        if (folder / name).exists():
            found = load(folder / name)
            if found.fits(key.box.game):
                return found
    return None
