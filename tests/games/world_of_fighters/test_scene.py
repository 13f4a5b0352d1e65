"""What people see and say: words and aliases, reasons, the news, and the scene in its parts."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.world_of_fighters.table import NAME, Table, show, table
from sparring import Match
from sparring.engine.errors import Ambiguous, IllegalChoice, NotUnderstood
from sparring.scene.html import render
from sparring.scene.model import Board, Card, Facts, Pile, Row, things


def start(**options: str) -> Table:
    return table("Hai Wu c3 7", "Ingrid e3 6", "Punch Kick Grapple", "Kick Grapple Block", options=options)


def counter() -> Table:
    return show("Kenji e3 9 Block", "Amara d3 9 Grapple", counter="Grapple Punch", round=7)


def hai_wu(health: int, hand: str, **position: Any) -> Table:
    """Hai Wu is about to lay an Action card."""
    return table(f"Hai Wu c3 {health}", "Ingrid e3 6", hand, **position).play("move 1")


# Words


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
def test_words_and_what_people_also_write(before: str, said: list[str], words: str) -> None:
    for text in said:
        match = start().play(before).match
        view = match.view(match.seat or 0)
        assert match.game.scene.words(match.box, view.state, match.read(text)) == words


def test_words_of_picking_claiming_and_countering() -> None:
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
        ("", "move 4", NotUnderstood, "possible is: move 1; move 2; move 3"),
        ("", "punch", IllegalChoice, "First choose a Movement card."),
        ("", "Kenji Aoki", IllegalChoice, "The fighters have been picked."),
        ("", "pass", IllegalChoice, "You cannot pass here"),
        ("", "claim", IllegalChoice, "No super is to be claimed now."),
        ("move 2", "move 1", IllegalChoice, "Your Movement card is laid"),
        ("move 2", "block", IllegalChoice, "You hold no Block."),
        ("move 2", "call punch", IllegalChoice, "Climbing Monkey is called with a Grapple."),
        ("move 2", "counter punch", IllegalChoice, "There is nothing to counter."),
        ("move 2", "c4", IllegalChoice, "No fighter is to be moved now."),
        ("move 2; punch; move 1; kick", "c4", IllegalChoice, "You move exactly 2 straight"),
        ("move 2; punch; move 1; kick", "c3", IllegalChoice, "You have to leave your square."),
        ("move 2; punch; move 1; kick", "e3", IllegalChoice, "Your opponent stands there."),
        ("move 2; punch; move 1; kick", "kick", IllegalChoice, "No Action card is to be laid now."),
        ("move 2", "", NotUnderstood, "is no choice here"),
    ],
)
def test_what_is_refused_says_why(before: str, words: str, kind: type[Exception], reason: str) -> None:
    t = start().play(before)
    state = t.match.state.tobytes()
    with pytest.raises(kind, match=reason):
        t.match.choose(words)
    assert t.match.state.tobytes() == state


@pytest.mark.parametrize(
    ("t", "words", "reason"),
    [
        (start(super_call="reveal").play("move 2"), "call grapple", "claimed when the cards are shown"),
        (hai_wu(8, "Grapple Kick Kick"), "super", "takes a health of 7 or less; you have 8"),
        (hai_wu(7, "Grapple Kick Kick", super_used=[True, False]), "super", "You have used Climbing Monkey"),
        (hai_wu(7, "Punch Kick Kick"), "super", "You hold no Grapple for Climbing Monkey"),
        (table("Hai Wu c3 7", "Ingrid e3 6", resting=[2, 0]), "2", "Movement 2 rests this round"),
        (counter(), "call punch", "A Counter is never a super."),
        (counter(), "block", "A Block cannot be a Counter."),
        (counter(), "counter kick", "You hold no Kick to counter with."),
        (start(movement="upto").play("move 2; punch; move 1; kick"), "g5", "You move up to 2 straight"),
        (Table(Match.new(NAME, seed=1)).play("Hai Wu"), "Hai Wu", "Hai Wu is taken."),
        (show("Hai Wu d3 5 Grapple +super", "Ingrid g4 20 Block"), "pass", "The match is over"),
    ],
)  # fmt: skip
def test_more_reasons(t: Table, words: str, reason: str) -> None:
    with pytest.raises(IllegalChoice, match=reason):
        t.match.choose(words)


def test_a_beginning_that_fits_two_choices() -> None:
    with pytest.raises(Ambiguous):
        start().match.choose("mo")


# News


def told(t: Table, words: str, seat: int) -> list[str]:
    """What a seat hears of a choice."""
    t.match.choose(words)
    lines = t.match.told(seat)
    assert all(line.endswith((".", "!")) for line in lines)
    return lines


def test_the_news_of_a_round() -> None:
    t = table("Hai Wu a3 7", "Duke f4 15", "Grapple Kick Kick", "Kick Punch Block", round=11, resting=[3, 3],
              draw_pile="Punch Block Kick")  # fmt: skip
    assert told(t, "move 2", 1) == ["You lay Movement 2 face down."]
    assert told(t, "call grapple", 2) == ["Seat 1 lays two cards face down."]
    assert told(t, "move 1", 1) == []
    assert told(t, "kick", 1) == [
        "Seat 2 lays two cards face down.",
        "You call Climbing Monkey, a Grapple at range 3!",
        "Movement cards up: 2 for you and 1 for Seat 2.",
    ]
    assert told(t, "c3", 0) == ["Seat 1 moves to c3."]
    assert told(t, "f3", 2) == [
        "You move to f3.",
        "Range 3: Grapple from Seat 1 and Kick from you.",
        "Seat 1's Climbing Monkey: 6. You have 9 left.",
        "Your Kick: 2 + 1 = 3. Seat 1 has 4 left.",
        "You draw a Block.",
        "Round 12: you move first.",
    ]


def move_and_show(one: str, other: str, rest: str = "", **options: str) -> Table:
    """P2 has one move left before the cards are shown."""
    blocker = 1 if other.endswith("Block") else 0
    return table(one, other, *(["", rest] if blocker else [rest, ""]), phase="move", player=2, movement=[1, 1],
                 options=options)  # fmt: skip


@pytest.mark.parametrize(
    ("t", "words", "lines"),
    [
        (
            move_and_show("Ingrid d3 14 Grapple", "Hai Wu e4 13 Block", "Punch Grapple"), "e3",
            ["Seat 1's Grapple: 2 + 3 = 5, less Block 2: 3. Seat 2 has 10 left."],
        ),
        (move_and_show("Kenji d3 14 Block", "Hai Wu e4 13 Block"), "e3", ["Two Blocks: nothing happens."]),
        (
            move_and_show("Amara d3 14 Kick", "Hai Wu e4 13 Block"), "e3",
            ["Seat 1's Kick does not reach; the Block stands."],
        ),
        (
            move_and_show("Ingrid d3 7 Grapple +super", "Hai Wu e4 13 Block"), "e3",
            ["Glacier Slam overrules the Block: 6. Seat 2 has 7 left."],
        ),
        (
            move_and_show("Ingrid d3 7 Grapple +super", "Hai Wu e4 13 Block", super_vs_block="ringout"), "e3",
            ["Seat 1's Glacier Slam: 6, less Block 2: 4. Seat 2 has 9 left."],
        ),
        (
            move_and_show("Ingrid d3 7 Grapple +super", "Hai Wu e4 13 Kick", super_score="plus"), "e3",
            ["Seat 1's Glacier Slam: 6 + 3 = 9. Seat 2 has 4 left.", "Seat 2's Kick does not reach."],
        ),
        (
            move_and_show("Duke d3 2 Punch", "Rosa e4 4 Grapple"), "e3",
            ["Seat 1's Punch: 1 + 3 = 4. Seat 2 has 0 left.", "Seat 2 is down before striking back.",
             "Seat 1 wins by knock-out."],
        ),
        (
            move_and_show("Duke d3 2 Punch", "Rosa e4 4 Grapple", settle="together"), "e3",
            ["Seat 1's Punch: 1 + 3 = 4. Seat 2 has 0 left.", "Seat 2's Grapple: 2 + 3 = 5. Seat 1 has 0 left.",
             "A draw: both fighters are down."],
        ),
        (
            move_and_show("Ingrid f3 7 Grapple +super", "Hai Wu f4 13 Block"), "g4",
            ["Glacier Slam on the edge: Seat 2 flies out of the ring!", "Seat 1 wins by ring-out."],
        ),
    ],
)  # fmt: skip
def test_each_settled_round_is_told(t: Table, words: str, lines: list[str]) -> None:
    news = told(t, words, 0)
    assert news[0] == f"Seat 2 moves to {words}."
    assert news[1].startswith("Range 1: ")
    assert news[2 : 2 + len(lines)] == lines


@pytest.mark.parametrize(
    ("choice", "lines"),
    [
        ("counter punch", ["You counter with Punch: 1 + 2 = 3. Seat 2 has 6 left."]),
        ("pass", ["You do not counter."]),
    ],
)
def test_the_news_of_a_counter(choice: str, lines: list[str]) -> None:
    news = told(counter(), choice, 1)
    assert news[: len(lines)] == lines
    assert news[-1] == "Round 8: Seat 2 moves first."


def test_the_news_of_being_forced_off() -> None:
    t = table("Hai Wu b3 20", "Kenji d3 20", "Kick Kick Punch", "Kick Punch Block").play("move 3; kick; move 1")
    assert told(t, "block", 1)[-2:] == [
        "Movement cards up: 3 for you and 1 for Seat 2.",
        "You have no legal move and are forced off the ring. Seat 2 wins.",
    ]


def test_news_names_no_card_that_the_listener_may_not_know() -> None:
    """Whoever listens hears the same of matches that differ in what is hidden from them."""
    for seat in (0, 2):
        heard = {
            tuple(line for words in choices for line in told(t, words, seat))
            for t, choices in ((start(), ("move 1", "kick")), (start(), ("move 3", "call grapple")))
        }
        assert len(heard) == 1


# The scene


def parts(scene: Any, kind: type[Any]) -> dict[str, Any]:
    """The parts of a kind by their keys."""
    found: list[Any] = [part for part in everything(scene) if isinstance(part, kind)]
    return {part.key: part for part in found}


def everything(scene: Any) -> Iterator[Any]:
    """All things of a scene."""
    return things((scene.seats, scene.left, scene.middle, scene.right, scene.hand))


def test_the_fighters_cards() -> None:
    scene = start().match.view(1).scene
    seat = scene.seats[0]
    assert seat.title == "Hai Wu"
    assert (seat.tracks[0].value, seat.tracks[0].goal) == (7, 20)
    sheet = next(part for part in seat.parts if isinstance(part, Facts))
    assert {fact.title: fact.text for fact in sheet.facts} == {
        "Punch +1": " – [3] 2 ", "Kick +2": " – [3] 4 ", "Grapple +2": " 4 [3] – ", "Block": "-2", "Reach": "long",
        "Moves": "1 2 3", "Climbing Monkey": "G.R3 ready",
    }  # fmt: skip
    facts = [part for part in scene.seats[1].parts if isinstance(part, Facts)]
    assert [fact.text for fact in facts[0].facts if fact.title == "Glacier Slam"] == ["G.R1 ready"]


@pytest.mark.parametrize(("health", "used", "state"), [(8, False, "at 7 HP"), (7, False, "ready"), (3, True, "used")])
def test_whether_a_super_is_available(health: int, used: bool, state: str) -> None:
    t = table(f"Hai Wu c3 {health}", "Ingrid e3 20", super_used=[used, False])
    assert f"G.R3 {state}" in str(t.match.view(0).scene)


def test_the_ring_shows_range_and_legal_squares() -> None:
    t = start().play("move 2; punch; move 1; kick")
    board = parts(t.match.view(1).scene, Board)["ring"]
    assert {cell.words for cell in board.cells if cell.action is not None} == set(t.choices.split("; "))
    assert [stroke.text for stroke in board.strokes] == ["R2"]
    assert {token.key: token.at for token in board.tokens} == {"token 1": (2, 2), "token 2": (4, 2)}
    assert not any(cell.action is not None for cell in parts(t.match.view(2).scene, Board)["ring"].cells)


def test_a_movement_card_lights_where_it_leads_and_warns_where_it_leads_nowhere() -> None:
    t = table("Hai Wu b3 20", "Kenji d3 20", "Kick Kick Punch")
    scene = t.match.view(1).scene
    lit = {cell.label.split(",")[0] for cell in parts(scene, Board)["ring"].cells if "movement 1" in cell.lit_by}
    assert lit == {"a2", "a3", "a4", "b2", "b4", "c2", "c3", "c4"}
    marks = {card.key: card.marks for card in parts(scene, Row)["movement cards"].cards}
    assert marks == {"movement 1": (), "movement 2": (), "movement 3": ("no way",)}


def test_committed_cards_lie_face_down_for_others_and_turn_under_one_key() -> None:
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


def test_the_last_round_stays_on_the_table_with_its_sums_and_losses() -> None:
    scene = show("Duke d3 12 Punch", "Rosa e4 11 Grapple", round=7).match.view(0).scene
    rows = parts(scene, Row)
    assert rows["laid 0"].total == "1 + 3 = 4"
    assert rows["laid 1"].total == "2 + 3 = 5"
    assert rows["laid 0"].title == "Seat 1, round 7"
    assert [seat.tags[-1] for seat in scene.seats] == ["-5", "-4"]
    assert "-5" in parts(scene, Board)["ring"].tokens[0].picture.svg


@pytest.mark.parametrize(
    ("t", "text", "sentence"),
    [
        (table("Hai Wu d3 7", "Ingrid f1 6", "Punch"), "Round 5", "Lay a Movement card. You move first."),
        (start().play("move 2; call grapple; move 1; kick"), "Climbing Monkey!", "Move 2 straight: choose a square."),
        (counter(), "Round 7", "Your Block stands. Strike back with a card from your hand, or do not."),
        (show("Hai Wu d3 5 Grapple +super", "Ingrid g4 20 Block"), "Ring out", "You win by ring-out."),
        (
            show("Hai Wu c3 7 Grapple", "Ingrid f3 6 Kick", options={"super_call": "reveal"}),
            "Round 5", "You are at range 3: is this Grapple your Climbing Monkey? Claimed, it is used up.",
        ),
    ],
)  # fmt: skip
def test_banner_and_question(t: Table, text: str, sentence: str) -> None:
    scene = t.match.view(1).scene
    assert scene.banner is not None
    assert scene.banner.text == text
    assert scene.prompt.sentence == sentence


def test_a_call_is_a_button_of_its_own() -> None:
    prompt = start().play("move 2").match.view(1).scene.prompt
    assert [(button.words, button.text) for button in prompt.buttons] == [("call grapple", "Call Climbing Monkey")]
    assert prompt.sentence == "Now lay an Action card, or call your super."
    assert hai_wu(8, "Punch Kick Grapple").match.view(1).scene.prompt.sentence == "Now lay an Action card."


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
def test_whole_matches_are_drawn_for_everybody_with_keys_that_name_one_thing(options: dict[str, Any]) -> None:
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
