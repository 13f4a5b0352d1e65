"""The scene: words and aliases, reasons, log lines, panels, cards and prompts."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.world_of_fighters.table import NAME, Table, show, table
from sparring import Match
from sparring.engine.errors import AmbiguousChoice, IllegalChoice, InvalidChoice
from sparring.scene.html import render
from sparring.scene.model import Board, Card, Facts, Pile, Row, things
from wording import says


def start(**options: str) -> Table:
    return table("Hai Wu c3 7", "Ingrid e3 6", "Punch Kick Grapple", "Kick Grapple Block", options=options)


def counter() -> Table:
    return show("Kenji e3 9 Block", "Amara d3 9 Grapple", counter="Grapple Punch", round=7)


def hai_wu(health: int, hand: str, **position: Any) -> Table:
    """Return a table where Hai Wu has to play an Action card."""
    return table(f"Hai Wu c3 {health}", "Ingrid e3 6", hand, **position).play("move 1")


# Words and reasons


@pytest.mark.parametrize(
    ("before", "said", "words"),
    [
        ("", ["move 2", "2", "movement 2", "Movement card 2", "Card 2", "Move-2", "MOVE 2"], "move 2"),
        ("move 2", ["punch", "Punch", "pun"], "punch"),
        (
            "move 2",
            [
                "call grapple",
                "Climbing Monkey",
                "call climbing monkey",
                "super",
                "grapple with super",
                "Grapple +super",
                "grapple super",
            ],
            "call grapple",
        ),
        ("move 2; punch; move 1; kick", ["to c5", "c5", "C5", "move to c5"], "to c5"),
    ],
)
def test_aliases(before: str, said: list[str], words: str) -> None:
    for text in said:
        match = start().play(before).match
        view = match.view(match.seat or 0)
        assert match.game.scene.words(match.setup, view.state, match.read(text)) == words


def test_aliases_of_picks_claims_and_counters() -> None:
    match = Match.new(NAME, seed=1)
    assert match.read("pick Hai Wu") == match.read("Hai Wu") == match.read("haiwu") == match.read("hai")
    claim = show("Hai Wu c3 7 Grapple", "Ingrid f3 6 Kick", options={"super_call": "reveal"}).match
    assert claim.read("no claim") == claim.read("no") != claim.read("claim")
    assert counter().match.read("counter punch") == counter().match.read("punch")
    assert counter().match.read("no counter") == counter().match.read("pass")
    assert counter().choices == "counter punch; counter grapple; pass"


@pytest.mark.parametrize(
    ("before", "words", "kind", "reason"),
    [
        ("", "move 4", InvalidChoice, "choose move 1 or move 2 or move 3"),
        ("", "punch", IllegalChoice, "First play a Movement card"),
        ("", "Kenji Aoki", IllegalChoice, "already picked"),
        ("", "pass", IllegalChoice, "can't pass here"),
        ("", "claim", IllegalChoice, "no super to claim"),
        ("move 2", "move 1", IllegalChoice, "have played a Movement card"),
        ("move 2", "block", IllegalChoice, "have no Block"),
        ("move 2", "call punch", IllegalChoice, "Climbing Monkey needs a Grapple"),
        ("move 2", "counter punch", IllegalChoice, "nothing to counter"),
        ("move 2", "c4", IllegalChoice, "can't move your fighter now"),
        ("move 2; punch; move 1; kick", "c4", IllegalChoice, "exactly 2 squares"),
        ("move 2; punch; move 1; kick", "c3", IllegalChoice, "leave your square"),
        ("move 2; punch; move 1; kick", "e3", IllegalChoice, "Your opponent is there"),
        ("move 2; punch; move 1; kick", "kick", IllegalChoice, "can't play an Action card now"),
        ("move 2", "", InvalidChoice, "isn't a choice here"),
    ],
)
def test_refused_choices_have_a_reason(before: str, words: str, kind: type[Exception], reason: str) -> None:
    t = start().play(before)
    state = t.match.state.tobytes()
    with pytest.raises(kind, match=reason):
        t.match.choose(words)
    assert t.match.state.tobytes() == state


@pytest.mark.parametrize(
    ("t", "words", "reason"),
    [
        (start(super_call="reveal").play("move 2"), "call grapple", "claim a super when the cards are revealed"),
        (hai_wu(8, "Grapple Kick Kick"), "super", "at 7 health or less; you have 8"),
        (hai_wu(7, "Grapple Kick Kick", super_used=[True, False]), "super", "already used Climbing Monkey"),
        (hai_wu(7, "Punch Kick Kick"), "super", "have no Grapple for Climbing Monkey"),
        (table("Hai Wu c3 7", "Ingrid e3 6", resting=[2, 0]), "2", "Move 2 rests"),
        (counter(), "call punch", "Counter can't be a super"),
        (counter(), "block", "can't counter with a Block"),
        (counter(), "counter kick", "have no Kick to counter"),
        (start(movement="upto").play("move 2; punch; move 1; kick"), "g5", "up to 2 squares"),
        (Table(Match.new(NAME, seed=1)).play("Hai Wu"), "Hai Wu", "Hai Wu is already taken"),
        (show("Hai Wu d3 5 Grapple +super", "Ingrid g4 20 Block"), "pass", "The match is over"),
    ],
)  # fmt: skip
def test_reasons_by_situation(t: Table, words: str, reason: str) -> None:
    with pytest.raises(IllegalChoice, match=reason):
        t.match.choose(words)


def test_an_ambiguous_word() -> None:
    with pytest.raises(AmbiguousChoice):
        start().match.choose("mo")


# The log


def log(t: Table, words: str, seat: int) -> list[str]:
    """Make a choice and return a seat's log lines."""
    t.match.choose(words)
    lines = t.match.sentences(seat)
    assert all(line.endswith((".", "!")) for line in lines)
    return lines


def all_say(lines: list[str], expected: list[tuple[object, ...]]) -> bool:
    """Return whether each line says the parts expected of it."""
    return len(lines) == len(expected) and all(map(lambda line, parts: says(line, *parts), lines, expected))


def test_the_log_of_a_round() -> None:
    t = table("Hai Wu a3 7", "Duke f4 15", "Grapple Kick Kick", "Kick Punch Block", round=11, resting=[3, 3],
              draw_pile="Punch Block Kick")  # fmt: skip
    assert all_say(log(t, "move 2", 1), [("You", "Move 2", "face down")])
    assert all_say(log(t, "call grapple", 2), [("Seat 1", "two cards", "face down")])
    assert log(t, "move 1", 1) == []
    assert all_say(log(t, "kick", 1), [
        ("Seat 2", "two cards", "face down"),
        ("You call Climbing Monkey", "Grapple", "range 3"),
        ("Move 2", "you", "Move 1", "Seat 2"),
    ])  # fmt: skip
    assert all_say(log(t, "c3", 0), [("Seat 1", "c3")])
    assert all_say(log(t, "f3", 2), [
        ("You", "f3"),
        ("Range 3", "Seat 1's Grapple", "your Kick"),
        ("Seat 1's Climbing Monkey", "6 damage", "You", "9 health"),
        ("Your Kick", "3 damage", "2 + 1", "Seat 1", "4 health"),
        ("You draw", "Block"),
        ("Round 12", "you", "first"),
    ])  # fmt: skip


def before_the_last_move(one: str, other: str, rest: str = "", **options: str) -> Table:
    """Return a table where P2 has to move before Action cards are revealed."""
    blocker = 1 if other.endswith("Block") else 0
    return table(one, other, *(["", rest] if blocker else [rest, ""]), phase="move", player=2, movement=[1, 1],
                 options=options)  # fmt: skip


@pytest.mark.parametrize(
    ("t", "square", "expected"),
    [
        (
            before_the_last_move("Ingrid d3 14 Grapple", "Hai Wu e4 13 Block", "Punch Grapple"), "e3",
            [("Seat 1's Grapple", "3 damage", "2 + 3 − 2", "Block", "Seat 2", "10 health")],
        ),
        (
            before_the_last_move("Ingrid d3 7 Grapple", "Milton e4 13 Block", "Punch Grapple"), "e3",
            [("Seat 1's Grapple", "2 damage", "2 + 3 − 3", "Block", "Seat 2", "11 health")],
        ),
        (
            before_the_last_move("Hai Wu c3 15 Grapple", "Milton d4 6 Block +super", "Kick Kick"), "d3",
            [("Seat 1's Grapple", "no damage", "2 + 2 − 6", "Stone Wall", "Seat 2", "6 health")],
        ),
        (before_the_last_move("Kenji d3 14 Block", "Hai Wu e4 13 Block"), "e3", [("Two Blocks", "nothing")]),
        (
            before_the_last_move("Amara d3 14 Kick", "Hai Wu e4 13 Block"), "e3",
            [("Seat 1's Kick", "out of range", "nothing to block")],
        ),
        (
            before_the_last_move("Ingrid d3 7 Grapple +super", "Hai Wu e4 13 Block"), "e3",
            [("Glacier Slam", "overrules the Block", "6 damage", "Seat 2", "7 health")],
        ),
        (
            before_the_last_move("Ingrid d3 7 Grapple +super", "Hai Wu e4 13 Block", super_vs_block="ringout"), "e3",
            [("Seat 1's Glacier Slam", "4 damage", "6 − 2", "Block", "Seat 2", "9 health")],
        ),
        (
            before_the_last_move("Ingrid d3 7 Grapple +super", "Hai Wu e4 13 Kick", super_score="plus"), "e3",
            [("Seat 1's Glacier Slam", "9 damage", "6 + 3", "Seat 2", "4 health"), ("Seat 2's Kick", "out of range")],
        ),
        (
            before_the_last_move("Duke d3 2 Punch", "Rosa e4 4 Grapple"), "e3",
            [("Seat 1's Punch", "4 damage", "1 + 3", "Seat 2", "0 health"), ("Seat 2", "knocked out"),
             ("Seat 1 wins", "knock-out")],
        ),
        (
            before_the_last_move("Duke d3 2 Punch", "Rosa e4 4 Grapple", settle="together"), "e3",
            [("Seat 1's Punch", "4 damage", "1 + 3", "Seat 2", "0 health"),
             ("Seat 2's Grapple", "5 damage", "2 + 3", "Seat 1", "0 health"), ("Draw", "both", "knocked out")],
        ),
        (
            before_the_last_move("Ingrid f3 7 Grapple +super", "Hai Wu f4 13 Block"), "g4",
            [("Glacier Slam", "Seat 2", "out of the ring"), ("Seat 1 wins", "ring-out")],
        ),
    ],
)  # fmt: skip
def test_the_log_of_attacks(t: Table, square: str, expected: list[tuple[object, ...]]) -> None:
    move, revealed, *results = log(t, square, 0)
    assert says(move, "Seat 2", square)
    assert says(revealed, "Range 1")
    assert all_say(results[: len(expected)], expected)


@pytest.mark.parametrize(
    ("choice", "parts"),
    [
        ("counter punch", ("You counter", "Punch", "3 damage", "1 + 2", "Seat 2", "6 health")),
        ("pass", ("You don't counter",)),
    ],
)
def test_the_log_of_a_counter(choice: str, parts: tuple[object, ...]) -> None:
    lines = log(counter(), choice, 1)
    assert says(lines[0], *parts)
    assert says(lines[-1], "Round 8", "Seat 2", "first")


def test_the_log_of_a_counter_out_of_range() -> None:
    t = show("Amara b2 20 Kick", "Kenji f4 20 Block", counter="Kick Kick", round=7)
    assert says(log(t, "counter kick", 1)[0], "Seat 2 counters", "Kick", "out of range")


@pytest.mark.parametrize(
    ("choice", "parts"), [("claim", ("You claim Climbing Monkey",)), ("no", ("You don't claim Climbing Monkey",))]
)
def test_the_log_of_a_claim(choice: str, parts: tuple[object, ...]) -> None:
    t = show("Hai Wu c3 7 Grapple", "Ingrid f3 6 Kick", options={"super_call": "reveal"})
    assert says(log(t, choice, 1)[0], *parts)


def test_the_log_of_being_forced_off() -> None:
    t = table("Hai Wu b3 20", "Kenji d3 20", "Kick Kick Punch", "Kick Punch Block").play("move 3; kick; move 1")
    assert all_say(log(t, "block", 1)[-2:], [
        ("Move 3", "you", "Move 1", "Seat 2"), ("You can't move", "forced out", "Seat 2 wins"),
    ])  # fmt: skip


def test_the_log_hides_face_down_cards_from_others() -> None:
    for seat in (0, 2):
        logs = {
            tuple(line for words in choices for line in log(t, words, seat))
            for t, choices in ((start(), ("move 1", "kick")), (start(), ("move 3", "call grapple")))
        }
        assert len(logs) == 1


# The scene


def parts(scene: Any, kind: type[Any]) -> dict[str, Any]:
    """Return the parts of a type in a scene by their keys."""
    found: list[Any] = [part for part in everything(scene) if isinstance(part, kind)]
    return {part.key: part for part in found}


def everything(scene: Any) -> Iterator[Any]:
    """Yield all things of a scene."""
    return things((scene.seats, scene.left, scene.middle, scene.right, scene.hand))


def test_the_panel_of_a_fighter() -> None:
    scene = start().match.view(1).scene
    seat = scene.seats[0]
    assert seat.title == "Hai Wu"
    assert (seat.tracks[0].value, seat.tracks[0].goal) == (7, 20)
    sheet = next(part for part in seat.parts if isinstance(part, Facts))
    assert {fact.title: fact.text for fact in sheet.facts} == {
        "Range": " 1 [2] 3 ",
        "Punch +1": " – [3] 2 ", "Kick +2": " – [3] 4 ", "Grapple +2": " 4 [3] – ", "Block": "-2", "Reach": "long",
        "Moves": "1 2 3", "Climbing Monkey": "Grapple, range 3 – ready",
    }  # fmt: skip
    facts = [part for part in scene.seats[1].parts if isinstance(part, Facts)]
    assert [fact.text for fact in facts[0].facts if fact.title == "Glacier Slam"] == ["Grapple, range 1 – ready"]


@pytest.mark.parametrize(
    ("health", "used", "state"), [(8, False, "at 7 health"), (7, False, "ready"), (3, True, "used")]
)
def test_the_state_of_a_super(health: int, used: bool, state: str) -> None:
    t = table(f"Hai Wu c3 {health}", "Ingrid e3 20", super_used=[used, False])
    assert f"Grapple, range 3 – {state}" in str(t.match.view(0).scene)


def test_the_ring_shows_range_and_legal_squares() -> None:
    t = start().play("move 2; punch; move 1; kick")
    scene = t.match.view(1).scene
    board = parts(scene, Board)["ring"]
    assert {cell.words for cell in board.cells if cell.action is not None} == set(t.choices.split("; "))
    assert [stroke.places for stroke in board.strokes] == [((2, 2), (4, 2))]
    assert scene.banner
    assert scene.banner.detail == "range 2"
    assert {token.key: token.at for token in board.tokens} == {"token 1": (2, 2), "token 2": (4, 2)}
    assert not any(cell.action is not None for cell in parts(t.match.view(2).scene, Board)["ring"].cells)


def test_movement_cards_light_their_squares_or_warn() -> None:
    t = table("Hai Wu b3 20", "Kenji d3 20", "Kick Kick Punch")
    scene = t.match.view(1).scene
    lit = {cell.label.split(",")[0] for cell in parts(scene, Board)["ring"].cells if "movement 1" in cell.lit_by}
    assert lit == {"a2", "a3", "a4", "b2", "b4", "c2", "c3", "c4"}
    marks = {card.key: card.marks for card in parts(scene, Row)["movement cards"].cards}
    assert marks == {"movement 1": (), "movement 2": (), "movement 3": ("no move",)}


def test_committed_cards_keep_their_key_when_revealed() -> None:
    t = start().play("move 2; punch")
    mine = parts(t.match.view(1).scene, Row)["laid 0"].cards
    theirs = parts(t.match.view(2).scene, Row)["laid 0"].cards
    assert [card.key for card in mine] == [card.key for card in theirs] == ["movement of 0 in 5", "action of 0 in 5"]
    assert all(card.face and "face down" in card.marks for card in mine)
    assert all(card.face is None and not card.marks for card in theirs)
    t.play("move 1; kick; to c5; to f4")
    shown = {card.key: card for card in parts(t.match.view(2).scene, Row)["laid 0"].cards}
    assert shown["action of 0 in 5"].face.name == "Punch"
    assert shown["resting 0"].sideways


def test_the_last_round_stays_on_the_table() -> None:
    scene = show("Duke d3 12 Punch", "Rosa e4 11 Grapple", round=7).match.view(0).scene
    rows = parts(scene, Row)
    assert rows["laid 0"].total == "1 + 3 = 4"
    assert rows["laid 1"].total == "2 + 3 = 5"
    assert rows["laid 0"].title == "Seat 1, round 7"
    assert [seat.tags[-1] for seat in scene.seats] == ["-5", "-4"]
    assert "-5" in parts(scene, Board)["ring"].tokens[0].picture.svg


@pytest.mark.parametrize(
    ("t", "text", "parts"),
    [
        (table("Hai Wu d3 7", "Ingrid f1 6", "Punch"), "Round 5", ("Movement card", "You move first")),
        (start().play("move 2; call grapple; move 1; kick"), "Climbing Monkey!", ("Move 2 squares",)),
        (counter(), "Round 7", ("Counter", "skip")),
        (show("Hai Wu d3 5 Grapple +super", "Ingrid g4 20 Block"), "Ring-out", ("You win", "ring-out")),
        (
            show("Hai Wu c3 7 Grapple", "Ingrid f3 6 Kick", options={"super_call": "reveal"}),
            "Round 5", ("Grapple", "range 3", "claim Climbing Monkey"),
        ),
    ],
)  # fmt: skip
def test_banner_and_question(t: Table, text: str, parts: tuple[object, ...]) -> None:
    scene = t.match.view(1).scene
    assert scene.banner is not None
    assert scene.banner.text == text
    assert says(scene.prompt.sentence, *parts)


def test_a_call_is_a_button() -> None:
    prompt = start().play("move 2").match.view(1).scene.prompt
    assert [(button.words, button.text) for button in prompt.buttons] == [("call grapple", "Call Climbing Monkey")]
    assert says(prompt.sentence, "Action card", "call your super")
    without = hai_wu(8, "Punch Kick Grapple").match.view(1).scene.prompt
    assert says(without.sentence, "Action card")
    assert not says(without.sentence, "super")
    assert not without.buttons


def test_piles_and_equal_cards() -> None:
    t = table("Hai Wu c3 7", "Ingrid e3 6", "Kick Kick Punch", discard_pile="Punch Block")
    scene = t.match.view(1).scene
    piles = parts(scene, Pile)
    assert (piles["draw pile"].count, piles["draw pile"].cards) == (28, ())
    assert [card.face.name for card in piles["discard pile"].cards] == ["Punch", "Block"]
    assert [(card.key, card.count) for card in parts(scene, Row)["hand"].cards] == [("hand 1", 1), ("hand 2", 2)]


@pytest.mark.parametrize(
    "options",
    [{}, {"super_call": "reveal", "movement": "upto", "super_score": "plus"}, {"board": "5x5", "settle": "together"}],
)
def test_every_scene_of_a_match_can_be_drawn(options: dict[str, Any]) -> None:
    chance = random.Random(5)
    for seed in range(1):
        match = Match.new(NAME, seed=seed, options=options)
        while not match.over:
            for seat in (0, 1, 2):
                scene = match.view(seat).scene
                cards = [thing.key for thing in everything(scene) if isinstance(thing, Card)]
                assert len(cards) == len(set(cards))
                assert render(scene)
                assert max(map(len, str(scene).splitlines())) <= 100
            match.choose(chance.choice(match.legal()))
