"""Beats: what everybody sees on the way from one choice to the next, one thing after the other."""

import re
from typing import Any

import numpy as np
import pytest

from games.mace.table import NAME, Table, beside, cards, table
from games.mace.test_hidden import states
from sparring import Match
from sparring.engine.game import game
from sparring.scene import Board, Card, Group, Row, things
from sparring.scene.html import render
from sparring.scene.sentences import Aside, Result

GAME = game(NAME)
ROUND_1 = "Round 1 is over without Damage: 1 of 30 quiet Rounds."


def seen(t: Table, words: str, seat: int) -> dict[str, list[str]]:
    """Make a choice; what a seat is told at each beat, and last (with no name) at rest."""
    t.play(words)
    return {beat.view.beat: list(beat.lines) for beat in t.match.beats(seat)}


def at(t: Table, name: str, seat: int = 0) -> Any:
    """The scene of a beat of the last choice."""
    (found,) = [beat.view.scene for beat in t.match.beats(seat) if beat.view.beat == name]
    return found


def rows(scene: Any, key: str) -> list[str]:
    """The cards of a row, those that lie face down as `?`, with what stands on them."""
    (row,) = [part for part in things(scene) if isinstance(part, Row) and part.key == key]
    lying = [card for card in row.cards if isinstance(card, Card)]
    return [" ".join((card.face.name if card.face else "?", *card.marks)) for card in lying]


def exchange(scene: Any) -> list[tuple[str, list[str], str]]:
    """What was decided: for each side what it did, its cards, and its number."""
    assert isinstance(scene.exchange, Group)
    parts = [part for part in scene.exchange.parts if isinstance(part, Row)]
    return [(part.title, [card.face.name for card in part.cards], part.total) for part in parts]  # type: ignore[union-attr]


# The start, and the Rounds


def test_momentum_is_turned_up_for_everybody_before_the_first_turn() -> None:
    t = table("7D 2H", "KS 4H", None, phase="momentum", momentum=["", "", ""], hands=["7D 2H", "KS 4H", "9C 3D"])
    t.play("7D; KS")
    assert seen(t, "9C", 3) == {
        "round": ["You lay 9C face down as your Momentum.", t.match.beats(3)[0].lines[1],
                  "Round 1: Seat 2 (KS), you (9C) then Seat 1 (7D)."],
        "": [],
    }  # fmt: skip
    assert t.match.beats(3)[0].lines[1].startswith("You draw ")
    assert t.match.beats(0)[0].lines == (
        "Seat 3 has picked a Momentum card.", "Round 1: Seat 2 (KS), Seat 3 (9C) then Seat 1 (7D).",
    )  # fmt: skip
    parts = at(t, "round").right[0].parts
    assert [(part.title, card.face.name, card.marks) for part in parts for card in part.cards] == [
        ("Seat 2", "KS", ()), ("Seat 3", "9C", ()), ("Seat 1", "7D", ()),
    ]  # fmt: skip


def test_the_end_of_a_round_is_seen_before_anybody_is_asked() -> None:
    t = table("7D 2H", "KS 4H", momentum=["2C", "3C"])
    assert seen(t, "end", 1) == {"round over": [ROUND_1], "": []}
    marks = [card.marks for part in at(t, "round over").right[0].parts for card in part.cards]
    assert marks == [("done",), ("done",)]
    t.play("stay")
    assert seen(t, "stay", 2)["round"] == ["Round 2: you (3C) then Seat 1 (2C)."]


def test_a_round_with_damage_is_not_quiet() -> None:
    t = table("7D 2H", "KS 4H", momentum=["2C", "3C"], hurt=True)
    assert seen(t, "end", 1)["round over"] == ["Round 1 is over."]


# The attack against the defence


@pytest.mark.parametrize(
    ("words", "told", "shown"),
    [
        ("block 6D", ["Seat 2 blocks with 6D.", "13 less 6 leaves 7 Damage."], ("Seat 2 blocks", ["6D"], "13 - 6 = 7")),
        ("block AD", ["Seat 2 blocks with AD (14).", "13 less 14 leaves nothing."],
         ("Seat 2 blocks", ["AD"], "13 - 14 = 0")),
        ("dodge QH", ["Seat 2 tries to dodge with QH (12).", "12 against 13: too low, 13 Damage."],
         ("Seat 2 dodges", ["QH"], "12")),
        ("dodge AH", ["Seat 2 tries to dodge with AH (14).", "14 against 13: dodged."],
         ("Seat 2 dodges", ["AH"], "14")),
        ("take", ["Seat 2 takes 13 Damage."], ("Seat 2 takes it", [], "13")),
    ],
)  # fmt: skip
def test_the_attack_is_seen_against_the_defence(words: str, told: list[str], shown: tuple[str, list[str], str]) -> None:
    t = beside("KS 2H 2D 4C 5D", "6D AD QH AH 8C").play("strike KS; target 2")
    assert seen(t, words, 1)["compared"] == told
    for seat in (0, 1, 2):
        assert exchange(at(t, "compared", seat)) == [("Seat 1 strikes", ["KS"], "13"), shown]
        assert at(t, "compared", seat).prompt.sentence == ""
    assert isinstance(t.match.beats(1)[0].lines[-1], Result)


def test_a_blast_shows_the_charge_and_the_club() -> None:
    t = table("QC 2H", "6D 8C 3H", fighters=["0,0", "0,4"], charges=["9C", ""]).play("blast 9C; QC; target 2; take")
    assert exchange(at(t, "compared"))[0] == ("Seat 1 blasts", ["9C", "QC"], "12")
    options = {"blast_cost": "reveal_only"}
    t = table("QC 2H", "6D 8C 3H", fighters=["0,0", "0,4"], charges=["9C", ""], options=options)
    assert exchange(at(t.play("blast 9C; target 2; take"), "compared"))[0] == ("Seat 1 blasts", ["9C"], "9")


def test_a_fighter_that_is_down_cannot_defend() -> None:
    t = beside("KS 2H", "6D 8C", momentum=["AC", "2C"], down=[2]).play("strike KS")
    assert seen(t, "target 2", 2)["compared"] == [
        "The Strike of 13 goes at you.", "You are Down and cannot defend: 13 Damage.",
    ]  # fmt: skip
    assert exchange(at(t, "compared", 2))[1] == ("Seat 2 cannot defend", [], "13")


def test_a_joker_keeps_the_value_that_it_had() -> None:
    t = beside("KS 2H 2D", "X1 8C 3D", discard_pile="5H").play("strike KS; target 2")
    assert seen(t, "block X1", 1)["compared"] == ["Seat 2 blocks with X1 (13).", "13 less 13 leaves nothing."]


def test_an_attack_of_nothing_is_no_exchange() -> None:
    t = beside("X1 2H 2D", "7D 8C 3D", draw_pile="4D ...").play("strike X1")
    assert seen(t, "target 2", 1) == {"": ["Only one target: the Strike of 0 goes at Seat 2, and hurts nobody."]}


# Damage


def test_damage_is_paid_then_the_charge_is_lost_then_the_fighter_flies() -> None:
    t = beside("KS 2H 2D 4C 5D", "6D JC 2S 4H 9H", charges=["", "7C 9C 3C"])
    t.play("strike KS; target 2; take; pay JC")
    assert seen(t, "pay 2S", 1) == {"": ["Seat 2 pays 2S: 13 of 13."]}
    assert t.asked == "S2 drop_charge"
    assert seen(t, "drop 9C", 1) == {
        "charge lost": ["Seat 2 loses the 2nd of 3 Charges, 9C."],
        "knocked back": ["Seat 2 is knocked back 5 of 6 hexes."],
        "down": ["Seat 2 goes down: 6 hexes against 3 cards."],
        "": [],
    }
    assert rows(at(t, "charge lost"), "charges of 1") == ["?", "9C lost", "?"]
    strokes = [
        [stroke.key.split()[0] for stroke in at(t, name).middle[0].strokes]
        for name in ("charge lost", "knocked back", "down")
    ]
    assert strokes == [["attack"], ["knock"], ["knock"]]
    places = [{token.label: token.state for token in at(t, name).middle[0].tokens} for name in ("knocked back", "down")]
    assert places == [{"Seat 1 on 0,0": "", "Seat 2 on 6,0": ""}, {"Seat 1 on 0,0": "", "Seat 2 on 6,0, Down": "down"}]


def test_what_is_paid_is_seen_before_the_fighter_flies() -> None:
    t = beside("9S 2H 3H 4C 5D", "JC 7D 5C 3C 2S", discard_pile="4S").play("strike 9S; target 2; take")
    assert seen(t, "pay JC", 2) == {
        "paid": ["You pay JC (11): 11 of 9.", "The Damage is paid: you have 4 cards left."],
        "knocked back": ["You are knocked back 4 hexes."],
        "": [],
    }
    paid, flown = (at(t, name).middle[0] for name in ("paid", "knocked back"))
    assert isinstance(paid, Board)
    assert [token.at for token in paid.tokens] == [(0, 0), (1, 0)]
    assert [token.at for token in flown.tokens] == [(0, 0), (5, 0)]


def test_damage_of_one_pushes_nobody() -> None:
    t = beside("7S 2H 3H", "6D 2C 5C").play("strike 7S; target 2; block 6D")
    assert list(seen(t, "pay 2C", 2)) == ["paid", ""]


def test_a_knock_out_is_seen_before_the_end() -> None:
    t = beside("AS 2H", "5C 4H").play("strike AS; target 2; take; pay 5C")
    assert seen(t, "pay 4H", 1) == {
        "out": ["Seat 2 pays 4H: 9 of 14.", "Seat 2 has no card left and is Knocked Out."],
        "": ["You win the Combat: the last one in."],
    }
    assert [token.seat for token in at(t, "out").middle[0].tokens] == [1]
    assert not at(t, "out").over
    assert all(isinstance(beat.lines[-1], Result) for beat in t.match.beats(0))


def test_a_forfeit_is_seen() -> None:
    t = table(None, None, None, phase="forfeit", player=2, order=[2, 1, 3], place=4)
    assert seen(t, "forfeit", 1) == {"out": ["Seat 2 gives up and is out."], "": []}
    assert seen(t, "forfeit", 1)["out"] == ["You give up and are out."]


def test_a_missed_turn_is_seen() -> None:
    t = beside("10S 2H 3D", "KC 9S 9H QH", momentum=["AC", "KD"], boosted=True).play("strike 10S; target 2; take")
    told = seen(t, "pay KC", 2)
    assert list(told) == ["paid", "knocked back", "down", "up again", "round over", ""]
    assert told["up again"] == ["You miss a Turn and are up again."]
    states = {name: at(t, name).middle[0].tokens[1].state for name in ("down", "up again")}
    assert states == {"down": "down", "up again": ""}


# Charges in their order (section 8)


def test_everybody_sees_which_charge_is_turned_up() -> None:
    position: dict[str, Any] = {"fighters": ["0,0", "0,4"], "charges": ["3C 9C 7C", ""], "laid": [[1, 2, 4], []]}
    t = table("QC 2H", "6D 8C 3H", round=5, **position)
    before = [card.key for card in panel(t.match, 2)]
    assert before == ["seat 0 charge 1", "seat 0 charge 2", "seat 0 charge 4"]
    assert next(card.label for card in panel(t.match, 2)) == "a Charge, laid in Round 1"
    assert seen(t, "blast 9C", 2) == {"": ["Seat 1 turns up the 2nd of 3 Charges, 9C: a Blast with range 9."]}
    for seat in (0, 2):
        assert rows(t.match.view(seat).scene, "charges of 0") == ["?", "9C turned up", "?"]
        assert [card.key for card in panel(t.match, seat)] == before
        assert t.match.view(seat).state.laid[0, :3].tolist() == [2, 1, 4]
    t.play("QC; target 2; take; pay 8C; pay 6D")
    assert [card.key for card in panel(t.match, 2)] == ["seat 0 charge 1", "seat 0 charge 4"]


def test_the_bots_are_told_how_old_the_charges_are() -> None:
    def features(laid: list[int]) -> list[float]:
        position: dict[str, Any] = {"fighters": ["0,0", "0,4"], "charges": ["3C 9C", ""], "laid": [laid, []]}
        view = table("QC 2H", "6D 8C 3H", round=5, seed=1, **position).match.view(2)
        out = np.zeros(GAME.rules.FEATURES, np.float32)
        GAME.rules.observe(view.box.kit, view.state, 1, out)
        return out.tolist()

    assert features([1, 2]) == features([1, 2])
    assert features([1, 2]) != features([1, 4])


def panel(match: Match, seat: int) -> list[Card]:
    """The Charges of seat 1 as another seat sees them."""
    return [card for part in match.view(seat).scene.seats[0].parts for card in part.cards]


def test_charges_are_laid_with_the_round() -> None:
    t = table("4C 2H 3D", None, fighters=["0,0", "6,0"], charges=["9C 8C", ""], round=7).play("charge 4C")
    assert t.charges(1) == "9C 8C 4C"
    assert t.says("laid") == [[-1, 0, 7], []]


# A reshuffle


@pytest.mark.parametrize("words", ["charge 4C", "boost 5D"])
def test_a_reshuffle_is_seen(words: str) -> None:
    t = table("4C 5D 3D", "2H 3H", fighters=["0,0", "6,0"], discard_pile="...")
    told = seen(t, words, 2)["reshuffled"]
    assert told[-1] == "The discard pile is shuffled: it is the new deck."
    assert isinstance(t.match.beats(2)[0].lines[-1], Aside)
    piles = at(t, "reshuffled", 2).left[0].parts
    assert piles[0].count > 30
    assert piles[1].count == (1 if words == "boost 5D" else 0)


def test_a_reshuffle_in_defence_comes_before_the_comparison() -> None:
    t = beside("KS 2H 2D", "6D 8C 3H", draw_pile="4S", discard_pile="...").play("strike KS; target 2")
    assert list(seen(t, "block 6D", 1)) == ["reshuffled", "compared", ""]


# Nothing hidden in between

NAMES = re.compile(r"\b(?:10|[2-9JQKA])[CSDH]\b|\bX[1-4]\b")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_beat_tells_a_hidden_card(seed: int) -> None:
    """Of a card that a seat cannot have seen no beat says a word, in whole matches in which Charges are often laid."""
    beats = 0
    for match in states(seed, {"discard_timing": ["at_once", "after_attack"][seed % 2]}, 2 + seed % 3):
        if match.course is None or not match.course.marks:
            continue
        for seat in range(match.seats + 1):
            for (view, lines), truth in zip(match.beats(seat), [m.state for m in match.course.marks], strict=False):
                beats += 1
                hidden = unseen(match, truth, seat)
                shown = {card.face.name for card in things(view.scene) if isinstance(card, Card) and card.face}
                assert not hidden & shown
                assert not hidden & set(NAMES.findall(" ".join(lines) + str(view.scene)))
    assert beats > 20


def unseen(match: Match, s: Any, seat: int) -> set[str]:
    """The cards that a seat cannot know: the deck, and hands and Charges of others."""
    piles = [s.deck]
    piles += [pile[other] for pile in (s.hand, s.charges) for other in range(s.seats) if other != seat - 1]
    names = {match.box.content.card(int(card)) for pile in piles for card in pile[1 : pile[0] + 1]}
    # What was played in this attack may be in the deck again; everybody has seen it.
    remembered = [int(s.attack_by), int(s.defence_by), *map(int, s.opened)]
    return names - {match.box.content.card(number) for _, number in map(GAME.rules.ACTIONS.name_of, remembered)}


def test_every_beat_can_be_drawn() -> None:
    t = beside("KS 2H 2D 4C 5D", "6D JC 2S 4H 9H", charges=["", "7C 9C"])
    t.play("strike KS; target 2; take; pay JC; pay 2S; drop 9C")
    assert [len(str(render(beat.view.scene))) > 5000 for beat in t.match.beats(1)] == [True] * 4
    assert cards("7C") == set(t.charges(2).split())
