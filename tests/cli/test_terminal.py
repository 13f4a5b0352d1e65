"""Terminal play: choices, commands, bots, and several people at one keyboard."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from cli.fake_terminal import FakeTerminal, attack
from sparring import BadBot, Match, bots, games
from sparring.engine.hints import ExpectedChoice, Hint
from sparring.engine.records import NEW_DEAL, NewDeal
from sparring.terminal.replay import show
from sparring.terminal.terminal import KNOWN_DEAL, names, read_seats
from wording import says

#: The log's sentence about a new deal.
SENTENCE = str(NEW_DEAL)

GAME = games()["make-your-moves"]


def test_words_beginnings_and_numbers_are_choices() -> None:
    match = attack()
    words = [choice.words for choice in match.choices()]
    FakeTerminal(match, "me,random", words[0], "Green2", str(3)).play()
    assert [match.game.rules.ACTIONS.name_of(action)[0] for action in match.history] == ["card"] * 3


def test_one_line_can_hold_several_choices_until_one_is_refused() -> None:
    match = attack()
    told = FakeTerminal(match, "me,random", "Green2; nonsense; Blue3").play()
    assert len(match.history) == 1
    assert "nonsense" in told


def test_a_choice_is_reported_and_the_table_shown_again() -> None:
    told = FakeTerminal(attack(), "me,random", "Green2").play()
    assert "You play" in told
    assert told.count("Your hand:") == 2


def test_commands_are_carried_out(tmp_path: Path) -> None:
    match = attack()
    file = tmp_path / "kept.json"
    told = FakeTerminal(
        match, "me,random", "?", "look", "back", "Green2", f"save {file}", f"save {file}", "save", "save /"
    ).play()
    assert "several choices" in told
    assert told.count("Your hand:") == 3
    assert "You can't take this back" in told
    assert "already exists; choose another name" in told
    assert says(told, "type a name", "save")
    assert Match.from_record(file.read_text()).history == match.history
    assert match.history != []


def test_a_hint_rates_each_choice_and_makes_none() -> None:
    match = attack()
    told = FakeTerminal(match, "me,random", "hint").play()
    assert match.history == []
    assert re.search(r"Given what you know, in [\d,]+ simulated match(es)?:", told)  # fewer if not compiled
    assert all(re.search(rf"  {choice.words} +(\d+% to win|never tried)", told) for choice in match.choices())


def test_a_hint_calls_the_others_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    line = (ExpectedChoice(1, "Green2", 0.9), ExpectedChoice(2, "Yellow1", 0.8), ExpectedChoice(2, "", 0.5))
    monkeypatch.setattr(Match, "hint", lambda *_, **__: Hint(seat=1, choices=(), line=line, imagined=50))
    told = FakeTerminal(attack(), "me,random", "hint").play()
    assert "Expected line: you: Green2; Bolt: Yellow1, a secret choice." in told


def test_at_one_keyboard_a_hint_is_for_the_person_at_the_screen() -> None:
    told = FakeTerminal(attack(), "me,me", "Green2", "done", "", "hint").play()
    second = told.split("Press Enter when only Seat 2 can see the screen.")[1]
    assert re.search(r"matches:\n  done  \d+% to win", second)
    assert not any(name in second for name in ("Wild1", "Blue3"))


@pytest.mark.parametrize("asked", ["? counter", "?Counter", "what counter", "/what Counter", "help counter"])
def test_a_word_of_the_table_is_explained(asked: str) -> None:
    told = FakeTerminal(attack(), "me,random", asked).play()
    assert "Counter: Instead of defending, play four cards of one colour" in told


def test_a_card_is_explained_by_the_words_on_it() -> None:
    match = Match.from_position({"game": "five-circles", "phase": "main", "rows": ["1 Spark Witch", "1 Iron Tortoise"]})
    told = FakeTerminal(match, "me,random", "? spark witch").play()
    assert says(told.splitlines(), "Fireball", "1 damage", "enemy")
    assert "Armor 1" not in told


def test_the_queries_of_text_mode_are_answered() -> None:
    told = FakeTerminal(attack(), "me,random", "seats", "last", "Green2", "hand", "last").play()
    before, after = told.split("[Green2]")
    assert "Seat 1, you, choosing: 5 cards, 0 of 3 points; Attacker." in before
    assert "Nothing has happened yet." in before
    assert "Your hand: Jab, Red 1; Chop, Red 1; Skull, Blue 3; Grit, Wild 1." in after
    assert "[last]\nYou play Flying: 2." in after


def test_a_choice_no_one_has_seen_can_be_undone() -> None:
    match = Match.from_position({
        "game": "make-your-moves", "seats": 3, "seed": 4, "phase": "four", "player": 2, "attacker": 1, "defender": 2,
        "control": 1, "attack": "Red1", "hands": ["Green1", "Red1 Red2 Red3 Red1 Red2", "Blue1"],
    })  # fmt: skip
    told = FakeTerminal(match, "random,me,random", "1", "back", "1").play()
    assert "Choice undone." in told
    assert len(match.history) == 1


def test_a_command_gives_way_to_a_choice_of_the_same_name(monkeypatch: pytest.MonkeyPatch) -> None:
    match = attack()
    usual = match.game.scene.words
    monkeypatch.setattr(
        match.game.scene, "words", lambda setup, s, action: usual(setup, s, action).replace("done", "back")
    )
    told = FakeTerminal(match, "me,random", "Green2", "/back", "back").play()
    assert "You can't take this back" in told
    assert len(match.history) > 1


def test_the_rules_can_be_read_at_the_table() -> None:
    told = FakeTerminal(attack(), "me,random", "rules").play()
    assert "has no rules" not in told
    assert "R23" in told


@pytest.mark.parametrize("last", ["quit", "exit", None])
def test_leaving_ends_cleanly(last: str | None) -> None:
    told = FakeTerminal(attack(), "me,random", *([last] if last else [])).play()
    assert told.rstrip().endswith("You left before the match was over.")


def test_bots_alone_play_to_the_end() -> None:
    match = Match.new("make-your-moves", seats=3, seed=2)
    told = FakeTerminal(match, "random,search:iterations=5,random").play()
    assert match.over
    assert re.search(r"(Bolt|Cog|Gizmo) wins \(points\) after \d+ choices\.", told)


def test_people_at_one_keyboard_do_not_see_each_others_cards() -> None:
    match = attack()
    first_hand, second_hand = names_in(match, match.state.hand[0]), names_in(match, match.state.hand[1])
    told = FakeTerminal(match, "me,me", "Green2; Blue3", "done", "").play()
    first, second = told.split("Press Enter when only Seat 2 can see the screen.")
    assert all(name in first for name in first_hand)
    assert not any(name in first for name in second_hand)
    assert all(name in second for name in second_hand)
    open_cards = names_in(match, match.state.attack)
    assert len(open_cards) == 2
    assert not any(name in second for name in set(first_hand) - set(open_cards))


def test_a_move_is_described_for_all_and_kept_in_the_record(tmp_path: Path) -> None:
    """R35: the person at the next seat reads it before choosing a defence."""
    match, file = attack(), tmp_path / "kept.json"
    told = FakeTerminal(
        match, "me,me", "describe too soon", "Green2", "describe Right\x1b[2J on the nose", "describe again",
        "Blue3; done", "", f"save {file}", "describe mine",
    ).play()  # fmt: skip
    assert told.count("You have no move to describe now.") == 3
    name = match.view(0).named_moves[0].name
    second = told.split("Press Enter when only Seat 2 can see the screen.")[1]
    assert "“Right[2J on the nose”" in second
    out = io.StringIO()
    show(file.read_text(), None, Console(file=out, width=100))
    assert f"Seat 1, {name}: “Right[2J on the nose”" in out.getvalue()
    show(with_moves(match, "\x1b[2Jgone"), None, Console(file=out, width=100))
    assert "\x1b" not in out.getvalue()


def test_only_games_with_named_moves_have_some_to_describe() -> None:
    told = FakeTerminal(Match.new("mace", seats=2, seed=1), "me,me", "describe this").play()
    assert "You have no move to describe now." in told


def with_moves(match: Match, words: str) -> str:
    return match.record({"moves": [{"exchange": 1, "seat": 1, "move": "Jab", "words": words}]})


def test_a_chosen_deal_is_announced_and_can_be_dealt_again() -> None:
    match = attack()
    before = match.state.copy()
    told = FakeTerminal(match, "me,me", "redeal", "redeal", known_deal=True).play()
    assert str(KNOWN_DEAL) in " ".join(told.split())
    assert SENTENCE in told
    assert "and only once" in told
    assert match.state.tobytes() != before.tobytes()
    assert match.view(0).state.tobytes() == match.view_of(before, 0).state.tobytes()
    assert str(KNOWN_DEAL) not in FakeTerminal(attack(), "me,random", known_deal=True).play(), "bots don't mind"
    assert "Only a match with a chosen deal" in FakeTerminal(attack(), "me,me", "redeal").play()


def test_a_replay_tells_of_a_new_deal(capsys: pytest.CaptureFixture[str]) -> None:
    match = attack()
    match.deal_again(NewDeal(0, 4))
    match.choose(match.legal()[0])
    match.deal_again(NewDeal(1, 5))
    show(match.record(), None, Console(width=100))
    assert " ".join(capsys.readouterr().out.split()).count(SENTENCE) == 2


def names_in(match: Match, pile: np.ndarray[Any, Any]) -> list[str]:
    return [match.setup.content.cards[card].name for card in pile[1 : 1 + pile[0]]]


def test_while_code_is_compiled_bots_play_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    wanted: list[set[str]] = []

    class Busy:
        def is_alive(self) -> bool:
            return True

    def start(game: object, code: Iterable[str]) -> Busy:
        wanted.append(set(code))
        return Busy()

    class Watched(bots.Bot):
        def choose(self, view, stream, *, quick=False, even=False):  # type: ignore[no-untyped-def]
            asked.append(quick)
            return view.legal[0]

    monkeypatch.setattr("sparring.bots.is_ready", lambda game, code: False)
    monkeypatch.setattr("sparring.bots.start_compiling", start)
    match = attack()
    screen = FakeTerminal(match, "me,random", "Green2", "done")
    screen.terminal.sitters = ["me", Watched("search", "Slow bot", iterations=5)]
    screen.play()
    assert asked
    assert all(asked)
    assert wanted == [{"search"}]
    mixing = FakeTerminal(attack(), "me,mix")
    assert mixing.terminal.is_compiling
    assert wanted[1:] == [{"search", "mix"}]


def test_seat_specs_are_parsed() -> None:
    assert read_seats(GAME, None)[0] == "me"
    assert len(read_seats(GAME, None)) == 2
    assert names(read_seats(GAME, "me,search:level=gentle, random")) == ["Seat 1", "Bolt", "Cog"]
    with pytest.raises(BadBot, match="There is no level"):
        read_seats(GAME, "me,search:level=")
    assert read_seats(GAME, "me,open", also_open=True) == ["me", "open"]


def test_a_whole_match_in_its_own_process(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sparring", "play", "make-your-moves", "--terminal", "--seed", "3"]
    keys = "1\n" * 400
    command += ["--seats", "me,random"]
    plain = {**os.environ, "TERM": "dumb"}
    done = subprocess.run(command, input=keys, capture_output=True, text=True, check=True, env=plain)
    assert re.search(r"(Seat 1|Bolt) wins \(points\) after \d+ choices\.\s*$", done.stdout)
    assert done.stderr == ""


@pytest.mark.usefixtures("plugin_bots")
@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("raises", "Bolt: Raises bot stopped with an error. A random bot takes over."),
        ("exits", "Bolt: Exits bot exited without an answer."),
        ("nonsense", "Bolt: Nonsense bot chose an illegal action."),
    ],
)
def test_a_bot_that_fails_is_replaced_and_the_match_continues(bot: str, said: str) -> None:
    match = Match.new("make-your-moves", seats=3, seed=2)
    told = FakeTerminal(match, f"{bot},random,random").play()
    assert match.over
    assert " ".join(told.split()).count(said) == 1
    assert "I hold" not in told, "the reason names what only the bot knew"


@pytest.mark.usefixtures("plugin_bots")
def test_an_installed_bot_plays_to_the_end() -> None:
    match = Match.new("make-your-moves", seats=3, seed=2)
    told = FakeTerminal(match, "first,lottery,chatty").play()
    assert match.over
    assert "takes over" not in told
    assert "Bolt: First bot." in told


@pytest.mark.usefixtures("plugin_bots")
def test_a_command_plays_in_the_terminal(tmp_path: Path) -> None:
    """Play the example bot in plain Python, as its first lines describe."""
    bot = Path(__file__).parents[2] / "examples" / "pipe_bot.py"
    match = Match.new("make-your-moves", seats=2, seed=2)
    told = FakeTerminal(match, f"pipe:{sys.executable} {bot},random").play()
    assert match.over
    assert "Bolt: Piped bot." in told
    assert "takes over" not in told


@pytest.mark.usefixtures("plugin_bots")
def test_an_unknown_seat_is_refused_with_all_bots() -> None:
    with pytest.raises(BadBot, match=r"Seat 2 must be one of me, random, search, .*, first, .*, pipe:COMMAND"):
        read_seats(GAME, "me,unknown")
    with pytest.raises(BadBot, match="The program nothing-like-it is not on the PATH"):
        read_seats(GAME, "me,pipe:nothing-like-it")
