"""Terminal layout on a small screen, numbered choices, and input typed too early."""

import os
import re
import subprocess
import sys

import pytest

from cli.fake_terminal import FakeTerminal, SmallTerminal, attack
from sparring import Match, games
from sparring.terminal.screen import numbered
from wording import says


@pytest.mark.parametrize("game", list(games()))
def test_seats_table_and_question_fit_a_screen_of_80_by_24(game: str) -> None:
    match = Match.new(game, seats=games()[game].seats[-1], seed=5)
    for number in range(70):
        if match.over:
            break
        if number % 3 == 0:
            keyboard = SmallTerminal(match, ",".join(["me"] * match.seats), "quit")
            keyboard.terminal.viewer = match.seat or 0
            keyboard.terminal.last_results[match.seat or 0] = "Seat 2 wins a point."
            keyboard.terminal.show_table()
            lines = keyboard.text.getvalue().splitlines()
            assert len(lines) <= 23, "\n".join(lines)
            assert max(map(len, lines)) <= 80
            assert all(any(f" {seat} Seat {seat}" in line for line in lines) for seat in range(1, match.seats + 1))
            assert any(match.game.title in line for line in lines)
        legal = [action for action in match.legal() if action not in match.game.conceding]
        match.choose(legal[number * 5 % len(legal)])


def test_long_lists_of_places_are_a_map_and_a_range() -> None:
    match = Match.from_position({"game": "mace", "phase": "move", "steps": 4})
    told = SmallTerminal(match, "me,random", "look", "quit").play()
    assert "  1-51 to -2,-4 ... to -3,4 (51 choices)   52 stay" in told
    row = next(line for line in told.splitlines() if line.startswith("-4 "))
    assert row.split()[:6] == ["-4", "-2", "-1", "0", "1", "."]


def test_a_result_is_highlighted_with_its_cards_and_stays() -> None:
    match = Match.from_position({
        "game": "make-your-moves", "seats": 2, "seed": 4, "phase": "respond", "attacker": 1, "defender": 2,
        "attack": "Red3", "hands": ["Green1 Blue1", "Blue2 Green3"],
    })  # fmt: skip
    told = FakeTerminal(match, "random,me", "done", "quit").play()
    cards, decided = told.index("    Attack:  R3 Piledriver"), told.index(" 3 goes through")
    assert cards < decided
    assert told[:decided].splitlines()[-1].startswith("»")
    assert re.search(r"Last result: .+ 3 goes through", told[decided:])


def test_no_word_is_broken() -> None:
    told = SmallTerminal(attack(), "me,random", "?", "quit").play()
    assert max(map(len, told.splitlines())) <= 80
    assert "separated" not in told
    words = {word for line in told.splitlines() for word in line.split()}
    assert {"letters", "number.", "several", "command:"} <= words


def test_choices_are_numbered_and_long_lists_wrap_between_them() -> None:
    lines = numbered(["earth-shaking suplex"] * 9)
    assert len(lines) > 1
    assert all(re.fullmatch(r"(  +\d earth-shaking suplex)+", line) for line in lines)


def test_a_number_typed_ahead_does_not_answer_the_next_prompt() -> None:
    match = attack()
    told = FakeTerminal(match, "me,random", "Green2; 1").play()
    assert says(told, "ignored 1", "new numbers")
    assert len(match.history) == 1


def test_input_before_the_prompt_is_discarded() -> None:
    """In a real terminal, with all input typed before the first prompt."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    os.write(ours, b"1\n" * 3)
    command = [sys.executable, "-m", "sparring", "play", "make-your-moves", "--terminal", "--seed", "3"]
    with subprocess.Popen(
        [*command, "--seats", "me,random"],
        stdin=theirs,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TERM": "dumb"},
    ) as process:
        assert process.stdout
        shown = ""
        while not shown.endswith(" done\n> ") and (sign := process.stdout.read(1)):
            shown += sign
        os.write(ours, b"quit\n")
        shown += process.stdout.read()
    os.close(ours)
    os.close(theirs)
    assert "You play" not in shown
    assert shown.rstrip().endswith("You left before the match was over.")
