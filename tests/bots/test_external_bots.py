"""External bots: found by name or command, given what their seat knows, and harmless when they fail."""

import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.positions import GAMES, determinized, match_after, own_view
from sparring import BadBot, Match, View, bots
from sparring.bots import external_bot
from sparring.bots.external_bot import ExternalBot
from sparring.engine.views import as_data, from_data, in_words

pytestmark = pytest.mark.usefixtures("plugin_bots")

Script = Callable[[str], str]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Return a factory of `pipe:` bots whose script runs `body` for each line of input."""

    def written(body: str) -> str:
        file = tmp_path / "a bot.py"
        file.write_text(f"import json, sys, time\nfor line in sys.stdin:\n    asked = json.loads(line)\n    {body}\n")
        return f"pipe:{sys.executable} '{file}'"

    return written


def choice_of(bot: str, view: View, seed: int = 1) -> int:
    return bots.parse(bot).choose(view, bots.stream(seed, view.seat))


def failure_of(bot: str, view: View) -> bots.BotFailed:
    with pytest.raises(bots.BotFailed) as found:
        choice_of(bot, view)
    return found.value


@pytest.fixture
def view() -> View:
    return own_view(match_after("make-your-moves", 8))


def test_bots_of_installed_packages_are_found_by_name() -> None:
    assert "first" in bots.installed()
    assert bots.parse(" First ").title == "First bot"
    assert "Not A Name" not in bots.installed()
    assert not isinstance(bots.parse("search"), ExternalBot), "this process's generator is unchanged"
    with pytest.raises(BadBot, match=r"search:seconds=NUMBER, .*, chatty, exits, first, .*, pipe:COMMAND\.$"):
        bots.parse("second")


@pytest.mark.parametrize(("bot", "place"), [("first", 0), ("wordy", -1), ("chatty", -1)])
def test_a_bot_answers_with_a_number_or_words_and_may_print(bot: str, place: int, view: View) -> None:
    assert [choice_of(bot, view) for _ in range(3)] == [view.legal[place]] * 3


def test_randomness_of_a_bot_comes_from_its_stream(view: View) -> None:
    drawn = [choice_of("lottery", view, seed) for seed in range(12)]
    assert drawn == [choice_of("lottery", view, seed) for seed in range(12)]
    assert len(set(drawn)) > 1


@pytest.mark.parametrize(
    ("bot", "said", "why"),
    [
        ("raises", "stopped with an error", r"ValueError: I hold \[.*\]and then \(plugin_bots.py, line \d+\)"),
        ("nonsense", "chose an illegal action", "number 99999"),
        ("exits", "exited without an answer", ""),
        ("missing", "stopped with an error", "AttributeError: .*Missing"),
    ],
)  # fmt: skip
def test_a_bot_that_fails_loses_its_clock(bot: str, said: str, why: str, view: View) -> None:
    problem = failure_of(bot, view)
    assert str(problem) == f"{bot.capitalize()} bot {said}."
    assert re.search(why, problem.why)
    assert choice_of("first", view) == view.legal[0]


def test_a_bot_that_hangs_loses_its_clock_and_its_process(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(external_bot.SECONDS, "0.2")
    monkeypatch.setattr(external_bot, "STARTUP_SECONDS", 1.0)
    assert failure_of("hangs", view).why == "did not answer in time"
    assert failure_of("hangs", view).why == "did not answer in time", "a new process is started"


def test_the_public_reason_does_not_reveal_what_the_bot_knew(view: View) -> None:
    assert str(view.state.hand[view.seat - 1][:3])[1:-1] in failure_of("raises", view).why
    assert not re.search(r"\d", str(failure_of("raises", view)))


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("print('hello', flush=True)", "sent an invalid answer: hello"),
        ("print(json.dumps({'choice': 1.5}), flush=True)", "sent an invalid answer"),
        ("print(json.dumps({'choice': True}), flush=True)", "sent an invalid answer"),
        ("print('[' * 9000, flush=True)", "sent an invalid answer"),
        ("print('9' * 20_000, flush=True)", "sent an answer that is too long"),
        ("print(json.dumps({}), flush=True)", "chose an illegal action: number None"),
        ("print(json.dumps({'choice': -1}), flush=True)", "chose an illegal action: number -1"),
        (
            "print(json.dumps({'choice': 'a rabbit'}), flush=True)",
            "chose an illegal action: “a rabbit” isn't a choice here",
        ),
        ("sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush()", "sent an invalid answer"),
        ("sys.exit()", "exited without an answer"),
        ("import os; os.close(0); os.close(1); time.sleep(60)", "exited without an answer"),
    ],
)
def test_a_program_that_answers_nonsense_loses_its_clock(body: str, why: str, view: View, script: Script) -> None:
    assert why in failure_of(script(body), view).why


def test_a_program_that_never_reads_blocks_nothing(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_bot, "STARTUP_SECONDS", 0.1)
    monkeypatch.setenv(external_bot.SECONDS, "0.1")
    monkeypatch.setattr("sparring.bots.external_bot.as_data", lambda view: {"much": "x" * 1_000_000})
    assert failure_of(f"pipe:{sys.executable} -c 'import time; time.sleep(60)'", view).why == "did not answer in time"


def test_surplus_output_is_not_used_for_the_next_choice(view: View, script: Script) -> None:
    bot = script("print('debugging'); print(json.dumps({'choice': asked['legal'][0]}), flush=True)")
    assert [failure_of(bot, view).why for _ in range(2)] == ["sent an invalid answer: debugging"] * 2


def test_child_processes_end_with_their_program(view: View, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_bot, "STARTUP_SECONDS", 0.5)
    monkeypatch.setenv(external_bot.SECONDS, "0.1")
    note = tmp_path / "note"
    assert failure_of(f"pipe:sh -c '(sleep 2; echo late > {note}) & wait'", view).why == "did not answer in time"
    time.sleep(2.5)
    assert not note.exists()


def is_running(file: Path) -> bool:
    """Return whether a process runs whose id is in a file."""
    try:
        os.kill(int(file.read_text()), 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{file.read_text().strip()}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


def wait_until(condition: Callable[[], bool]) -> bool:
    for _ in range(200):
        if condition():
            return True
        time.sleep(0.05)
    return False


CHILD = "import os, subprocess; child = subprocess.Popen(['sleep', '600']); open({!r}, 'w').write(str(child.pid)); "


def test_children_end_when_their_program_exits(view: View, tmp_path: Path, script: Script) -> None:
    bot = script(CHILD.format(str(tmp_path / "child")) + "sys.exit()")
    assert failure_of(bot, view).why == "exited without an answer"
    assert wait_until(lambda: not is_running(tmp_path / "child"))


def test_children_end_when_their_server_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    answer = "print('{}', flush=True); import time; time.sleep(600)"
    program.write_text(CHILD.format(str(tmp_path / "child")) + answer)
    server = (
        "from sparring.bots.external_bot import TimedProcess; import sys, time; "
        f"print(TimedProcess((sys.executable, {str(program)!r})).ask(b'x'), flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", server], stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert b"{}" in process.stdout.readline()
        assert is_running(tmp_path / "child")
        process.kill()
    assert wait_until(lambda: not is_running(tmp_path / "child"))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much memory a process group uses")
@pytest.mark.parametrize(("megabytes", "ends"), [("400", False), ("170", True)])
def test_a_program_and_its_children_have_limited_memory(
    view: View, script: Script, monkeypatch: pytest.MonkeyPatch, megabytes: str, *, ends: bool
) -> None:
    """Both take 100 MB, and the child keeps them for a second and a half."""
    monkeypatch.setenv(external_bot.MEMORY, megabytes)
    child = "import time; x = b'x' * 100_000_000; time.sleep(1.5)"
    bot = script(
        f"import subprocess; x = b'x' * 100_000_000; subprocess.run([sys.executable, '-c', {child!r}]); "
        "print(json.dumps({'choice': asked['legal'][0]}), flush=True)"
    )
    if ends:
        assert failure_of(bot, view).why == "exited without an answer"
    else:
        assert choice_of(bot, view) == view.legal[0]


@pytest.mark.parametrize("megabytes", ["much", "0", "1e9", "nan", ""])
def test_the_memory_limit_is_a_number_of_megabytes(megabytes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(external_bot.MEMORY, megabytes)
    with pytest.raises(BadBot, match="SPARRING_BOT_MEMORY must be"):
        external_bot.memory_limit()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pipe:", "pipe: needs a command"),
        ("pipe:no-such-program-here --fast", "The program no-such-program-here is not on the PATH"),
        ("pipe:sh 'half", "This command has an opening quotation mark but no closing one"),
    ],
)
def test_an_invalid_command_is_refused_at_once(text: str, message: str) -> None:
    with pytest.raises(BadBot, match=message):
        bots.parse(text)


@pytest.mark.parametrize("seconds", ["soon", "0", "1e9", "nan", ""])
def test_the_time_limit_is_a_number_of_seconds(seconds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(external_bot.SECONDS, seconds)
    with pytest.raises(BadBot, match="SPARRING_BOT_SECONDS must be"):
        external_bot.time_limit()


@pytest.mark.parametrize("game", GAMES)
def test_a_view_survives_serialization(game: str) -> None:
    for choices in (0, 6, 15):
        view = own_view(match_after(game, choices))
        again = from_data(json.loads(json.dumps(as_data(view))))
        assert again.state.tobytes() == view.state.tobytes()
        assert (again.seat, again.legal, again.choices) == (view.seat, view.legal, view.choices)


@pytest.mark.parametrize("game", GAMES)
def test_hidden_information_does_not_change_what_a_bot_receives(game: str) -> None:
    match = match_after(game, 9)
    told = [{**as_data(view), **in_words(view)} for view in (own_view(match), own_view(determinized(match, 4)))]
    assert told[0] == told[1]


def test_custom_content_is_sent_to_the_bot() -> None:
    game = Match.new("make-your-moves").game
    content = game.folder / "content.toml"
    match = Match.new("make-your-moves", content=content, seed=3)
    assert match.setup.own_content
    again = from_data(json.loads(json.dumps(as_data(own_view(match)))))
    assert again.setup.content == match.setup.content


def test_a_program_receives_what_the_protocol_specifies(view: View, script: Script, tmp_path: Path) -> None:
    file = tmp_path / "asked.json"
    bot = script(
        f"open({str(file)!r}, 'w').write(line); print(json.dumps({{'choice': asked['words'][0]}}), flush=True)"
    )
    assert choice_of(bot, view) == view.legal[0]
    asked: dict[str, Any] = json.loads(file.read_text())
    assert list(asked) == [
        "game", "options", "content", "seat", "seats", "phase", "state", "legal", "words", "table", "random"
    ]  # fmt: skip
    assert asked["words"] == [choice.words for choice in view.choices]
    assert asked["table"] == str(view.scene)
    assert asked["state"]["hand"] == view.state.hand.tolist()


def test_the_random_number_does_not_reveal_the_seed(view: View) -> None:
    """The bot receives no word of the stream, and the stream advances."""
    streams = [bots.stream(5, view.seat) for _ in range(2)]
    from sparring.bots.external_bot import _bot_seed

    first, second = _bot_seed(streams[0]), _bot_seed(streams[0])
    assert first != second
    assert not {first, second} & set(np.concatenate(streams).tolist())


def test_a_forced_choice_is_made_without_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    view = own_view(match_after("make-your-moves", 0, seats=2))
    assert len(view.legal) == 1
    assert choice_of("raises", view) == view.legal[0]
    with pytest.raises(bots.BotFailed):
        bots.parse("raises").choose(view, bots.stream(1, 1), even=True)


def test_a_stand_in_plays_at_random_and_names_the_failed_bot() -> None:
    bot = bots.replacement_bot("raises")
    assert (bot.text, bot.title) == ("stand-in:raises", "Raises bot, plays at random: its program failed")
    assert not bot.searches
    assert bots.title("stand-in:piped:01ab") == "Piped bot, plays at random: its program failed"
    assert bots.title("gone-for-ever") == "Gone for ever bot"


def test_the_random_module_of_this_process_is_unchanged(view: View) -> None:
    random.seed(4)
    before = random.getstate()
    choice_of("lottery", view)
    assert random.getstate() == before
