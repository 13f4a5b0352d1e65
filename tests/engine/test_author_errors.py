"""Mistakes in a game's code get a sentence with law, seed and choice, and the line where it is known.

Each mistake is put into a game fresh from `sparring new`."""

import contextlib
import re
import signal
import sys
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sparring.cli.new_game import TEMPLATES, GameNames, create_package
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.items import item_rules
from sparring.engine.laws import LawViolation, check_audit, check_game, check_match, configurations
from sparring.engine.laws.audit import audit

pytestmark = pytest.mark.compiled

numbers = count(1)


@pytest.fixture
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def game_with_mistake(workdir: Path, file: str, old: str, new: str, template: str = "cards") -> Any:
    """Create a game in whose file `old` is replaced by `new`."""
    name = f"planted_{next(numbers)}"
    create_package(GameNames("Planted", "planted", name), workdir / name, copied=TEMPLATES[template])
    path = workdir / name / name / f"{file}.py"
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (file, old)
    path.write_text(text.replace(old, new), encoding="utf-8")
    sys.path.insert(0, str(workdir / name))
    try:
        return import_module(name).GAME
    finally:
        sys.path.remove(str(workdir / name))


#: A mistake: its file, the old and the new code, the law, and the message.
MISTAKES = {
    "an array that is too short": (
        "rules", "pile(HAND, of=PACK", "pile(HAND - 1, of=PACK",
        r"law 2, .*hand': 5.*: rules\.py:\d+, in setup, `deal_cards\(state\.deck, state\.hand\[seat\], params\.hand\)`: index 5 is out of "
        r"bounds .* \(an array of the state or of `out` is too short",
    ),
    "a misspelt field, read": (
        "rules", "seats_with_most(state, state.tricks)", "seats_with_most(state, state.trikcs)",
        r"law 2, .*, choice \d: rules\.py:\d+, in take_trick, `finish\(state, 0, seats_with_most\(state, state\.trikcs\)\)`: there is no field trikcs; did "
        "you mean tricks\\?",
    ),
    "a misspelt field, written": (
        "rules", "    state.low = False\n", "    state.lwo = False\n",
        r"law 2, .*: rules\.py:\d+, in take_trick, `state\.lwo = False`: there is no field lwo",
    ),
    "legal that writes too many": (
        "rules", "return int(hand[0])", "return int(hand[0]) + 1",
        r"law 2, .*, choice 0: legal writes \[\d+, \d+, \d+, 0\]: out of order or duplicated",
    ),
    "legal that writes choices that are none": (
        "rules", "out[i - 1] = hand[i]", "out[i - 1] = hand[i] + 40",
        r"law 2, .*: legal writes \[.*\]; the actions of this game are 0 to 21",
    ),
    "redact that forgets a hidden card": (
        "rules", "seen_by=OWNER", "seen_by=EVERYONE",
        r"law 4, .*, choice 0: a determinization for a spectator doesn't match the view: different hand \(hand: .* and .*\); either "
        "redact hides too much and determinize deals it again",
    ),
    "cards played face down that everyone sees": (
        "rules", "seen_by=all_laid", "seen_by=EVERYONE",
        r"law 4, .*: a determinization for a spectator doesn't match the view: different .*laid",
    ),
    "a card played face down that is never revealed": (
        "rules", "seen_by=all_laid", "seen_by=OWNER", r"law 4, .*: a determinization for seat 0 doesn't match the beat “turned up”: different ",
    ),
    "a deck that everyone sees": (
        "rules", "seen_by=NO_ONE", "seen_by=EVERYONE",
        r"law 4, .*: a determinization for a spectator doesn't match the view: different deck",
    ),
    "past tricks that are hidden": (
        "rules", "gone = pile(CARDS, of=PACK, seen_by=EVERYONE", "gone = pile(CARDS, of=PACK, seen_by=NO_ONE", r"law 4, .*",
    ),
    "a misspelt field in a rule of seen_by": (
        "rules", "if state.laid[seat, 0] == 0", "if state.lied[seat, 0] == 0",
        r"law 4, .*: rules\.py:\d+, in all_laid, `if state\.lied\[seat, 0\] == 0:`: there is no field lied; did you mean laid\?",
    ),
    "redact that forgets the generator": (
        "rules", "redact = default_redact(State)\n", "@rule\ndef redact(params, state, seat):\n    pass\n", "law 4, .*, choice 0: redact leaves the generator in the view of a spectator",
    ),
    "determinize that cannot happen": (
        "rules", "    shuffle(g, state.deck)\n    for other", "    shuffle(g, state.deck)\n    state.deck[1] = state.deck[2]\n    for other",
        r"law 4, .*: a determinization for a spectator has wrong pieces: card \d+ duplicated; card \d+ missing",
    ),
    "value_features that are larger than they may be": (
        "rules", "@rule\ndef features(", "VALUE_FEATURES = 1\n\n\n@rule\ndef value_features(params, state, seat, out):\n    out[0] = state.hand[seat, 1]\n\n\n"
        "@rule\ndef features(",
        r"law 4, .*, choice 0: value_features writes numbers outside -1 to 1 for seat \d, at \[0\]",
    ),
    "private_observation that read a hidden card": (
        "rules", "@rule\ndef features(", "@rule\ndef private_observation(params, state, seat):\n    return 100 + state.hand[1 - seat, 1]\n\n\n@rule\ndef features(",
        r"law 4, .*, choice 0: private_observation depends on something that seat \d may not know: 99 for its view, 1\d\d for a full state",
    ),
    "private_observation that are no number for a tree": (
        "rules", "@rule\ndef features(", "@rule\ndef private_observation(params, state, seat):\n    return -1\n\n\n@rule\ndef features(",
        r"law 4, .*, choice 0: private_observation of seat \d must be 0 to 1073741824, not -1",
    ),
    "is_quiescent that does more than look": (
        "rules", "@rule\ndef features(", "@rule\ndef is_quiescent(params, state):\n    state.turn += 1\n    return True\n\n\n@rule\ndef features(",
        r"law 4, .*, choice 0: is_quiescent changes the state",
    ),
    "a misspelt field in value_features alone": (
        "rules", "@rule\ndef features(", "VALUE_FEATURES = 1\n\n\n@rule\ndef value_features(params, state, seat, out):\n    out[0] = state.trikcs[seat]\n\n\n"
        "@rule\ndef features(",
        r"law 4, .*, choice 0: rules\.py:\d+, in value_features, `out\[0\] = state\.trikcs\[seat\]`: there is no field trikcs",
    ),
    "observe_action that tells too much": (
        "rules", "return action if state.player == seat or state.phase == CALL else HIDDEN_ACTION", "return action",
        r"law 9, .*: observe_action tells seat 0 whether \d+ or \d+ was chosen, but its view afterwards is the same: return "
        "HIDDEN_ACTION, or store",
    ),
    "step that goes on after the end": (
        "rules", "    if all_laid(state):\n        take_trick(params, state)\n",
        "    if all_laid(state):\n        take_trick(params, state)\n    if state.turn == params.hand:\n        finish(state, 0, 1)\n",
        "law 2, .*: the match was ended twice in one choice: nothing may happen after `finish`",
    ),
    "no ending": (
        "rules", "        finish(state, 0, seats_with_most(state, state.tricks))\n    else:\n        lead(params, state)", "        pass\n    lead(params, state)",
        r"law 2, .*, choice \d+: there is no legal action in phase lay, but the match is not over",
    ),
    "a match that is longer than the game says": (
        "__init__", '* int(setup.options["hand"])', "* 1", "law 2, .*: the match is longer than its bound of 2 choices",
    ),
    "an ending that pays no seat": (
        "rules", "finish(state, 0, seats_with_most(state, state.tricks))", "finish(state, 0, 0)",
        "law 7, .*: no match had a payoff other than 0; `finish` pays the winners",
    ),
    "an ending that pays one seat only": (
        "rules", "    else:\n        lead(params, state)", "        state.payoff[1] = 0.0\n    else:\n        lead(params, state)",
        r"law 7, .*: payoffs must sum to zero, not \[.*\]",
    ),
    "a beat in the wrong place": (
        "rules", "        state.phase = LAY\n        return\n", "        state.phase = LAY\n        beat(state, TURNED_UP)\n        return\n",
        r"law 9, .*'call': 'leader'.*: a beat within a moment: everyone sees a beat, so call end_moment",
    ),
    "a beat that has no name": (
        "rules", "    beat(state, TURNED_UP)\n", "    beat(state, 1)\n", "law 9, .*: beat 1 is marked, but BEATS has 1, from 0",
    ),
    "another seat is asked inside a moment": (
        "rules", "    end_moment(state)\n", "", r"law 9, .*, choice 0: another seat must act within a moment: call end_moment",
    ),
    "a scene that names a hidden card": (
        "scene", "        if number == UNKNOWN:\n            return Card(key=place)\n", "",
        r"law 8, .*: the scene of seat \d shows 10(, 10)?, which can't be there: a card that the view hides is -1",
    ),
    "a button that is forgotten": (
        "phases", ', "low": "Call low"', "",
        r"law 8, .*'leader'.*: the scene offers 20 \(high 0\); legal: 20 \(high 0\), 21 \(low 0\); .* needs a text in `button_texts` of its phase, in phases\.py",
    ),
    "a position that forgets a field": (
        "rules", "complete=False", 'complete=False, write_more=lambda setup, state: {"low": False}',
        r"law 6, .*'leader'.*, choice \d: the position reads back with a different low \(low: 1 and 0\)",
    ),
    "words that mean two choices": (
        "phases", "{' abcdefghijklmnopqrs'[setup.content.values[:action].count(value)].strip()}", "",
        r"law 8, .*: “lay (\d+)” is both \d+ \(card \d+\) and \d+ \(card \d+\)",
    ),
    "records of phases in another order": (
        "phases", "(Lay(), Call())", "(Call(), Lay())",
        r"law 8, .*: PHASES of phases\.py must have a record for each of \('lay', 'call'\), in this order, not for \('call', 'lay'\)",
    ),
    "a button for a block that isn't there": (
        "phases", '"low": "Call low"', '"lwo": "Call low"',
        r"law 8, .*: button_texts of phase call \(phases\.py\) names lwo; the blocks of ACTIONS are card, high, low",
    ),
    "a waiting text of before": (
        "phases", '"{who} is choosing a card."', '"is choosing a card"',
        r"law 8, .*: waiting_text of phase lay \(phases\.py\) must be a sentence about \{who\}, not 'is choosing a card'",
    ),
    "a forced text of before": (
        "phases", '"Your last card: {choice:inside}"', '"Your last card:"',
        r"law 8, .*: forced_text of phase lay \(phases\.py\) must be a sentence, or have \{choice:inside\}: 'Your last card:'",
    ),
    "a field beyond its limit": (
        "rules", "    state.turn += 1\n", "    state.turn += 6\n",
        r"law 6, .*: a rule wrote a state that State or the check of positions excludes: turn must be a whole number from 0 to 5, not 6",
    ),
    "a game that hides something and says that it doesn't": (
        "__init__", "hidden=True", "hidden=False", r"law 4, .*: Game says hidden=False, but redact hides something from the seats",
    ),
    "an item that is played and was not held": (
        "items", "count_cards(marks, state.hand[seat])", "count_cards(marks, state.laid[seat])",
        r"law 11, .*, choice \d+: seat \d plays items it doesn't hold: card \d+",
    ),
    "items of one name": (
        "items", ", number {card + 1}", "", r"law 11, .*: items need unique names: card \d+",
    ),
    "a seat that is ahead by more than all": (
        "items", "state.tricks[seat] / params.hand", "1.5 + state.tricks[seat] / params.hand",
        r"law 11, .*, choice 0: progress must be 0 to 1, not 1\.5 \(seat 1\)",
    ),
    "a choice that is refused without a reason": (
        "phases", '"You can\'t call now."', '""',
        r"law 5, .*: action 2[01] \((high|low) 0\) is rejected without a reason",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gets_one_sentence(workdir: Path, mistake: str) -> None:
    file, old, new, said = MISTAKES[mistake]
    game = game_with_mistake(workdir, file, old, new)
    with pytest.raises(LawViolation, match=said) as broken:
        check_game(game, matches=3, interpreted=3, compiled=False)
    assert re.search(r"law \d+, planted, \d seats, options \{.*\}, seed \d+", str(broken.value))


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("hidden=True", "Game says hidden=True, but redact hides nothing from the seats"),
        (
            "hidden=False,\n    needs_mixed_strategies=True",
            "Game says needs_mixed_strategies=True, but seats choose nothing in secret",
        ),
    ],
)
def test_an_open_game_that_declares_secrets_is_named(workdir: Path, declared: str, said: str) -> None:
    game = game_with_mistake(workdir, "__init__", "hidden=False", declared, "board")
    with pytest.raises(LawViolation, match=f"law 4, planted.*: {said}"):
        check_game(game, matches=0, compiled=False)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no clock of processor time")
def test_an_endless_loop_is_reported_with_its_line(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparring.engine.laws.violations.SECONDS", 0.5)
    game = game_with_mistake(
        workdir,
        "rules",
        "    state.turn += 1\n",
        "    state.turn += 1\n    while state.turn:\n        state.low = False\n",
    )
    said = r"law 2, .*, choice \d: rules\.py:\d+, in take_trick, `.*`: it never returns \(interrupted after 0\.5"
    with pytest.raises(LawViolation, match=said):
        check_game(game, matches=0, compiled=False)


def test_the_reported_call_reproduces_the_violation(workdir: Path) -> None:
    game = game_with_mistake(
        workdir, "rules", "complete=False", 'complete=False, write_more=lambda setup, state: {"low": False}'
    )
    with pytest.raises(LawViolation) as broken:
        check_game(game, matches=0, compiled=False)
    (again,) = re.findall(r"To reproduce: (.*)", str(broken.value))
    names = {"GAME": game, "check_match": check_match, "check_audit": check_audit}
    with pytest.raises(LawViolation) as once_more:
        exec(again, names)  # the call that an author would copy from the message
    assert str(once_more.value) == str(broken.value)


COMPILED = {
    "a misspelt field where play seldom comes": (
        "rules", "    state.low = False\n", "    state.low = False\n    if state.turn > 90:\n        state.low = state.drwan\n",
        r"law 1, .*: a rule doesn't compile: rules\.py:\d+, in take_trick: there is no field drwan",
    ),
    "a function that is no rule": (
        "rules", "    state.low = False\n", "    state.low = bool(default_redact(State))\n",
        "law 1, .*: a rule doesn't compile: .*take_trick calls default_redact, which is not a @rule",
    ),
    "something that rules cannot use": (
        "rules", "    state.low = False\n", "    state.low = len(frozenset((1, 2))) - 2\n",
        r"law 1, .*: a rule doesn't compile: rules\.py:\d+, in take_trick: Untyped global name 'frozenset'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", COMPILED)
def test_a_compile_error_gets_one_sentence(workdir: Path, mistake: str) -> None:
    file, old, new, said = COMPILED[mistake]
    game = game_with_mistake(workdir, file, old, new)
    with pytest.raises(LawViolation, match=said) as broken:
        check_match(game.setup(), 2, 1)
    assert str(broken.value).count("\n") == 1


TOO_SHORT = "rules", "pile(HAND, of=PACK", "pile(HAND - 1, of=PACK"


def test_compiled_violations_are_explained_in_plain_python(workdir: Path) -> None:
    """Compiled code only knows that an index is out of bounds."""
    game = game_with_mistake(workdir, *TOO_SHORT)
    with pytest.raises(LawViolation, match=r"law 2, .*, in setup, .*out of bounds"):
        check_audit(game.setup({"hand": 5}), 4, 20, 1)


def test_the_reported_call_reproduces_an_index_error(workdir: Path) -> None:
    """A trick taken with the highest card isn't the first one."""
    game = game_with_mistake(
        workdir,
        "rules",
        "    state.low = False\n",
        "    state.low = False\n    state.tricks[best // 10 * SEATS] += 0\n",
    )
    setup = game.setup({"hand": 1})
    with pytest.raises(LawViolation) as slowly:
        check_audit(setup, 2, 50, 2, compiled=False)
    with pytest.raises(LawViolation) as fast:
        check_audit(setup, 2, 50, 2)
    (seed,) = re.findall(r"check_audit\(setup, 2, 1, (\d+), compiled=False\)", str(fast.value))
    assert str(fast.value) == str(slowly.value)
    assert int(seed) > 2
    with pytest.raises(LawViolation, match=f"seed {seed}, choice"):
        check_audit(setup, 2, 1, int(seed), compiled=False)


def test_checking_rules_never_writes_out_of_bounds(workdir: Path) -> None:
    """A hand that is too short has wrong cards, which `features` would write beyond its own array."""
    game = game_with_mistake(workdir, *TOO_SHORT)
    setup, rules = game.setup({"hand": 5}), game.rules
    states, outs = np.zeros(7, rules.State.dtype), np.zeros((3, len(rules.ACTIONS)), np.int16)
    room = np.zeros(3 * rules.FEATURES, np.float32)
    features = room[rules.FEATURES : 2 * rules.FEATURES]
    items = np.zeros((2, len(item_rules(game).names(setup))), np.uint16)
    found, octets = np.zeros(5, np.int64), states.view(np.uint8).reshape(7, -1)
    for seed in range(1, 10):
        with contextlib.suppress(IndexError):
            compiled(game, audit)(setup.params, states, octets, outs, items, features, seed, 4, 1, 1000, found)
        features[:] = 0
    assert not room.any()


def test_custom_content_is_checked_against_the_laws(workdir: Path) -> None:
    broken = game_with_mistake(
        workdir,
        "rules",
        "params.value[state.laid[seat, 1]]",
        "params.value[state.laid[seat, 1]] // (99 - params.value[0])",
    )
    assert check_game(broken, matches=0, compiled=False) == len(configurations(broken))
    with pytest.raises(LawViolation, match=r"law 2, .*in take_trick.*divide by zero.*\n.*GAME\.setup\(.*, content\)"):
        check_game(broken, matches=0, compiled=False, content={"values": [99] * 20})
