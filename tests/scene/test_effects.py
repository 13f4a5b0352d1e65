"""Effects: each game derives them from a seat's views, and they name only objects on that seat's table."""

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from sparring import Match, games
from sparring.engine.game import game
from sparring.games import high_card
from sparring.scene import EFFECTS, Effect, PrintableScene, Prompt, Seat, Track
from sparring.scene.html import render
from sparring.scene.text import render as as_text

#: Kinds that occur in a few random matches of each game.
KINDS = {
    "card-duel": {"hit", "destroy", "clash", "draw", "score", "block"},
    "five-circles": {"clash", "hit", "win"},
    "mace": {"clash", "hit", "block", "miss", "move"},
    "make-your-moves": {"clash", "hit", "block", "score", "call_out", "win"},
    "untitled-movement": {"move"},
    "world-of-fighters": {"hit", "miss", "move", "win"},
}


def effects_of(match: Match, seat: int) -> list[Effect]:
    """Return the effects of the last action for a seat; each names only objects that its scenes show."""
    assert match.last_transition is not None
    before, found = match.view_of(match.last_transition.before, seat).scene, list[Effect]()
    for view, _, effects in match.beats(seat):
        for effect in effects:
            assert effect.kind in EFFECTS
            assert {effect.source, effect.target} - {""} <= before.keys | view.scene.keys
        found += effects
        before = view.scene
    return found


@pytest.mark.parametrize("name", list(games()))
def test_every_game_shows_what_happens(name: str) -> None:
    found, wanted = Counter[str](), KINDS[name]
    for seed in range(6):
        match, dice = Match.new(name, seats=game(name).seats[-1], seed=seed), random.Random(seed)
        for _ in range(300):
            if match.over or (len(match.history) > 60 and wanted <= set(found)):
                break
            match.choose(dice.choice([each for each in match.legal() if each not in match.game.conceding]))
            for seat in range(3):
                found.update(effect.kind for effect in effects_of(match, seat))
        if wanted <= set(found):
            return
    assert wanted <= set(found)


def test_views_that_a_seat_cannot_tell_apart_have_the_same_effects() -> None:
    """Effects come from views only: a hidden card that differs changes nothing."""
    scene: Any = game("make-your-moves").scene
    match = Match.new("make-your-moves", seats=2, seed=1)
    match.choose(match.legal()[0])
    transition = match.last_transition
    assert transition is not None
    one, two = (match.view_of(state, 2).state for state in (transition.before, transition.after))
    other = transition.after.copy()
    other.deck[1:3] = other.deck[2:0:-1]
    assert other.tobytes() != transition.after.tobytes()
    hidden = match.view_of(other, 2).state
    tables = [scene.SeatTable(match.setup, view, 1, [], "") for view in (two, hidden)]
    first, second = (table.animate(one, transition.action) for table in tables)
    assert first == second


def test_a_trick_of_high_card_scores() -> None:
    match = Match.new(high_card.GAME, seats=2, seed=3)
    match.choose(match.legal()[0])
    match.choose(match.legal()[0])
    effects = effects_of(match, 1)
    assert [effect.kind for effect in effects] == ["score"]
    assert effects[0].target in ("tricks 0", "tricks 1")


def test_pages_carry_effects_and_text_ignores_them() -> None:
    seat = Seat(1, tracks=(Track("points 0", "Points", 1, 3),))
    scene = PrintableScene("toy", "Toy", "Turn 1", (seat,), Prompt(""), effects=(Effect("score", "", "points 0", 1),))
    page = str(render(scene))
    assert "data-effects=" in page
    assert "points 0" in page
    assert "score" not in as_text(scene)


def test_totals_meet_before_the_blow_and_what_follows_names_the_outcome() -> None:
    """Only equal totals are a block: a smaller attack is beaten."""
    seen = set[tuple[int, str, str, str]]()
    for seed in range(30):
        match, dice = Match.new("make-your-moves", seats=2, seed=seed), random.Random(seed)
        for _ in range(60):
            if match.over:
                break
            match.choose(dice.choice([each for each in match.legal() if each not in match.game.conceding]))
            effects = effects_of(match, 1)
            for clash, blow in itertools.pairwise(effects):
                if clash.kind == "clash":
                    assert (clash.source, clash.target) == ("attack", "defence")
                    lead = (clash.amount > 0) - (clash.amount < 0)
                    seen.add((lead, blow.kind, blow.source, blow.word))
    assert seen == {(1, "hit", "attack", ""), (0, "block", "attack", ""), (-1, "block", "defence", "Beaten")}


def test_a_lane_fights_before_it_hits() -> None:
    """Two characters, or one and an empty place."""
    targets = Counter[str]()
    for seed in range(20):
        match, dice = Match.new("five-circles", seats=2, seed=seed), random.Random(seed)
        while not match.over:
            match.choose(dice.choice([each for each in match.legal() if each not in match.game.conceding]))
            for _, _, effects in match.beats(1):
                clashes = [effect for effect in effects if effect.kind == "clash"]
                assert clashes == list(effects[: len(clashes)])
                assert len(clashes) <= 1
                targets.update(effect.target.split()[0] for effect in clashes)
    assert set(targets) == {"card", "lane"}
