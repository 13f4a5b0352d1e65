"""Beats: the intermediate states between two decisions, as each seat sees them."""

from typing import Any

import numpy as np

from engine.toy_game import TOY
from sparring import Match
from sparring.engine.compilation.drivers import trace
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.rule import beat, blank, collect_beats
from wording import says


def both_played() -> Match:
    """Return a match in which both seats have played a card; the second one revealed them."""
    match = Match.new(TOY, seats=2, seed=4)
    match.choose(match.legal()[0])
    match.choose(match.legal()[0])
    return match


def test_cards_are_shown_before_they_are_discarded() -> None:
    shown, rest = both_played().beats(0)
    assert shown.view.beat == "turned up"
    assert shown.view.state.laid[:2, 0].tolist() == [1, 1]
    assert says(shown.lines[-1], "cards", "revealed")
    assert rest.view.beat == ""
    assert rest.view.state.laid[:2, 0].tolist() == [0, 0]
    assert str(rest.lines[-1]).endswith("trick.")


def test_each_seat_gets_its_own_log_line_once() -> None:
    match = both_played()
    assert [str(beat.lines[0]).partition(" ")[0] for beat in (match.beats(1)[0], match.beats(2)[0])] == ["Seat", "You"]
    assert sum(str(line).startswith("You play") for beat in match.beats(2) for line in beat.lines) == 1


def test_a_face_down_card_makes_no_beat_and_stays_hidden() -> None:
    match = Match.new(TOY, seats=2, seed=4)
    match.choose(match.legal()[0])
    (rest,) = match.beats(2)
    assert [*map(str, rest.lines)] == ["Seat 1 plays a card."]
    assert rest.view.state.laid[0].tolist() == [1, -1]


def test_no_player_acts_at_a_beat() -> None:
    shown = both_played().beats(1)[0].view
    assert shown.legal == ()
    assert shown.scene.prompt.sentence == ""
    assert not any(seat.turn for seat in shown.scene.seats)
    assert shown.scene.exchange is not None


def test_the_last_beat_equals_the_state_between_choices() -> None:
    match = both_played()
    for seat in range(3):
        assert match.beats(seat)[-1].view.state.tobytes() == match.view(seat).state.tobytes()
        assert match.beats(seat)[-1].view.legal == match.view(seat).legal


def test_there_are_no_beats_before_a_choice_and_after_one_is_taken_back() -> None:
    match = Match.new("make-your-moves", seats=2, seed=1)
    assert match.beats(0) == []
    match.choose(match.legal()[0])
    assert match.beats(0)
    match.take_back()
    assert match.beats(0) == []


def test_a_beat_is_a_copy_and_none_are_collected_by_default() -> None:
    s: Any = blank(TOY.rules.State.dtype)
    with collect_beats() as marks:
        beat(s, 0)
        s.turn = 5
    beat(s, 0)
    assert [(mark.number, int(mark.state.turn)) for mark in marks] == [(0, 0)]


def test_collecting_beats_changes_nothing_and_compiled_code_has_none() -> None:
    match = both_played()
    traced = np.zeros(3, TOY.rules.State.dtype)
    traced[0] = Match.new(TOY, seats=2, seed=4).state
    with collect_beats() as marks:
        compiled(TOY, trace)(match.setup.params, traced, np.array(match.history, np.int64))
    assert traced[2].tobytes() == match.state.tobytes()
    assert marks == []
