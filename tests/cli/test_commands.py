"""The commands, and the sentence that each mistake gets."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.command_line import refused, run
from sparring import Match, games
from sparring.cli import main
from sparring.lab import speed
from wording import says


def test_games_are_listed_with_their_options() -> None:
    told = run("games")
    assert "make-your-moves  Make Your Moves Lite, 2 to 6 seats" in told
    assert "--option turn_limit=200  (20 to 1000)" in told


def test_games_as_json_name_types_defaults_and_ranges() -> None:
    listed = json.loads(run("games", "--json"))
    assert [game["name"] for game in listed] == list(games())
    game = next(game for game in listed if game["name"] == "make-your-moves")
    assert (game["title"], game["seats"], game["version"]) == ("Make Your Moves Lite", [2, 3, 4, 5, 6], 1)
    options = {option["name"]: option for option in game["options"]}
    assert options["turn_limit"].items() >= {"type": "number", "default": 200, "low": 20, "high": 1000}.items()
    assert options["match"].items() >= {"type": "choice", "default": "points"}.items()
    assert options["match"]["values"] == ["points", "elimination"]


def test_variants_are_listed_with_what_they_change() -> None:
    told = run("games")
    assert says(told.splitlines(), '--preset "longer"', "14 life")
    assert told.index('"longer"') < told.index('"standard"') < told.index('"by the letter"')
    listed = {game["name"]: game for game in json.loads(run("games", "--json"))}
    five = listed["five-circles"]
    assert (five["recommended"], listed["mace"]["recommended"]) == ("longer", "standard")
    assert five["presets"]["longer"]["options"] == {"opening": "hold", "life": 14}
    timing = next(option for option in listed["mace"]["options"] if option["name"] == "discard_timing")
    assert (timing["title"], timing["words"]) == ("Discarding", ["at once", "after the attack"])


def test_play_uses_the_recommended_preset_unless_another_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[dict[str, object]] = []
    monkeypatch.setattr(
        "sparring.cli.play.play_in_terminal",
        lambda game, seats, options, content, seed, every_choice: played.append(options),
    )
    run("play", "five-circles", "--terminal")
    run("play", "five-circles", "--terminal", "--preset", "standard", "--option", "life=5")
    assert played == [{"opening": "hold", "life": 14}, {"life": "5"}]


@pytest.mark.compiled("make-your-moves")
def test_simulate_prints_shares_with_intervals() -> None:
    told = run("simulate", "make-your-moves", "--matches", "100", "--seats-count", "3", "--option", "match=elimination")
    assert "random#3" in told
    assert "95% interval" in told
    assert "last one in 100" in told


def test_a_saved_match_is_replayed(tmp_path: Path) -> None:
    match = Match.new("make-your-moves", seats=2, seed=11)
    words: list[str] = []
    while match.seat and len(words) < 12:
        words.append(match.choices()[-1].words)
        match.choose(words[-1])
    file = tmp_path / "kept.json"
    file.write_text(match.record())
    told = run("replay", str(file))
    chosen = [line for line in told.splitlines() if re.match(r" +\d+  Seat", line)]
    assert all(word in line for word, line in zip(words, chosen, strict=True))
    assert " 4  Seat" in run("replay", str(file), "--to", "4")
    assert " 5  Seat" not in run("replay", str(file), "--to", "4")


def test_rules_are_those_of_the_options_and_of_the_content(tmp_path: Path) -> None:
    assert "14 life (2 in the document)" in run("rules", "five-circles")
    assert "five cards and 2 life." in run("rules", "five-circles", "--preset", "by the letter")
    assert "9 life (2 in the document)" in run("rules", "five-circles", "--option", "life=9")
    boards = tmp_path / "boards.toml"
    boards.write_text(games()["untitled-movement"].content_text.replace("mirror-gate", "crossroads"), encoding="utf-8")
    told = run("rules", "untitled-movement", "--content", str(boards), "--option", "board=crossroads")
    assert "The first player with 2 tokens home (4 in the document) wins" in " ".join(told.split())


@pytest.mark.parametrize("game", [game.name for game in games().values() if (game.folder / "rules.md").exists()])
def test_rules_are_printed(game: str) -> None:
    assert len(run("rules", game).splitlines()) > 30


@pytest.mark.parametrize("game", list(games()))
def test_the_position_format_is_printed_apart_from_the_rules(game: str) -> None:
    positions = run("rules", game, "--positions")
    assert [name for name in Match.new(game, seed=1).position() if not re.search(rf"\b{name}\b", positions)] == []
    assert "from_position" not in run("rules", game)


def test_warm_compiles_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[tuple[str, str]] = []

    def instead(these: Any, workers: int) -> Any:
        for game in these:
            for step in speed.COMPILE_STEPS:
                taken.append((game.name, step))
                yield game.name, step

    monkeypatch.setattr("sparring.lab.speed.compile_games", instead)
    assert says(run("warm"), "compiled")
    assert len(taken) == 3 * len(games())


@pytest.mark.compiled("make-your-moves")
def test_warming_compiles_in_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "COMPILE_STEPS", {"random play": speed.COMPILE_STEPS["random play"]})
    assert list(speed.compile_games([games()["make-your-moves"]], 1)) == [("make-your-moves", "random play")]


@pytest.mark.compiled("make-your-moves")
def test_bench_measures_what_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "SECONDS", 0.002)
    monkeypatch.setattr(speed, "MEASUREMENTS", 1)
    monkeypatch.setattr(speed, "ITERATIONS", 20)
    monkeypatch.setattr(speed, "fresh_start", lambda game, driver: (2.0, 0.5))
    told = json.loads(run("bench", "make-your-moves", "--json"))
    (game,) = told["games"]
    assert told["machine"]
    assert list(game["interpreted"]) == list(game["compiled"]) == list(game["search"]) == ["2", "3", "4", "5", "6"]
    assert min(game["compiled"].values()) > 100 * max(game["interpreted"].values())
    assert game["compile_seconds"] == {"random play": 2.0, "search": 2.0}
    assert 0 < game["state_bytes"] < 1024
    assert "make-your-moves" in run("bench", "make-your-moves")


def test_bench_measures_all_games_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    row = speed.SpeedFigures("chess", {2: 10.0}, {2: 20_000.0}, {2: 5.0}, {"search": 1.0}, {"search": 0.1}, 99)
    monkeypatch.setattr(speed, "measure", lambda game, say: replace(row, game=game.name))
    assert [found["game"] for found in json.loads(run("bench", "--json"))["games"]] == list(games())
    assert "2,000" in run("bench")


@pytest.mark.compiled("make-your-moves")
def test_a_fresh_process_tells_how_long_a_driver_takes() -> None:
    command = [sys.executable, "-m", "sparring.lab.speed", "make-your-moves", "random play"]
    assert float(subprocess.run(command, capture_output=True, check=True, text=True).stdout) > 0


def test_the_web_server_needs_no_compiler() -> None:
    code = "import sys, sparring.cli, sparring.serve; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["fly"], "No such command 'fly'"),
        (["games", "--xml"], "--xml"),
        (["rules"], "Missing argument 'GAME'"),
        (["rules", "chess"], "There is no game called chess"),
        (["play", "chess"], "There is no game called chess"),
        (["play", "--terminal"], "These options need a game; add one of"),
        (["play", "make-your-moves", "--terminal", "--seats", "me,bob"], "Seat 2 must be one of me, random"),
        (
            ["play", "make-your-moves", "--terminal", "--seats", "me,search:level=x"],
            "There is no level x; choose first-match",
        ),
        (["play", "make-your-moves", "--terminal", "--seats", "me,open"], "Seat 2 must be one of me, random"),
        (["play", "make-your-moves", "--terminal", "--seats", "me"], "not 1"),
        (["play", "make-your-moves", "--seats", "me,me"], "only one seat in the browser"),
        (["play", "make-your-moves", "--terminal", "--port", "80"], "leave them out or drop --terminal"),
        (["play", "make-your-moves", "--terminal", "--lan"], "leave them out or drop --terminal"),
        (["play", "--lan", "--host", "::"], "use either --lan or --host"),
        (["play", "--settings", "nowhere.toml"], "settings file nowhere.toml: No such file"),
        (["play", "--port", "99999"], "--port must be a whole number from 0 to 65,535, not 99999."),
        (["play", "make-your-moves", "--terminal", "--seed", "-4"], "The seed must be a whole number"),
        (["play", "make-your-moves", "--terminal", "--option", "match"], "name=value, not match"),
        (["play", "make-your-moves", "--terminal", "--option", "match=x"], "points or elimination"),
        (["play", "make-your-moves", "--terminal", "--option", "x=1"], "has no option x"),
        (["play", "make-your-moves", "--every-choice"], "--every-choice needs --terminal"),
        (["play", "make-your-moves", "--terminal", "--preset", "x"], "has no preset x"),
        (["play", "make-your-moves", "--terminal", "--content", "none.toml"], "Can't read none.toml"),
        (["simulate", "make-your-moves"], "--matches"),
        (["simulate", "make-your-moves", "--matches", "0"], "--matches"),
        (["simulate", "make-your-moves", "--matches", "many"], "--matches"),
        (["simulate", "make-your-moves", "--matches", "2", "--bots", "clever"], "There is no bot called clever"),
        (["simulate", "make-your-moves", "--matches", "2", "--workers", "0"], "--workers"),
        (["replay", "none.json"], "none.json: No such file"),
        (["bench", "chess"], "There is no game called chess"),
    ],
)
def test_bad_input_gets_one_sentence(capsys: pytest.CaptureFixture[str], words: list[str], sentence: str) -> None:
    assert sentence in refused(capsys, *words)


def test_a_damaged_record_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    file.write_text(Match.new("make-your-moves", seed=11).record().replace('"seed":11', '"seed":12'))
    assert "its checksum doesn't match" in refused(capsys, "replay", str(file))
    file.write_bytes(b"\xff\xfe\x00")
    assert "is not a match record" in refused(capsys, "replay", str(file))


def test_without_arguments_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([])
    assert left.value.code == 0
    assert "simulate" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["play", "print", "simulate", "lab", "tournament", "train"])
def test_help_says_that_options_override_a_preset(command: str) -> None:
    told = " ".join(re.sub(r"[│╭╮╰╯─]", " ", run(command, "--help")).split())
    assert "goes before" not in told
    assert "go before" not in told
    if "--preset" in told:
        assert "--option overrides it" in told


def test_the_module_runs_the_command_line() -> None:
    command = [sys.executable, "-m", "sparring", "--version"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert re.fullmatch(r"Sparring \d+\.\d+\.\d+, Python 3\.\d+\.\d+\S*, .+\n", shown)
