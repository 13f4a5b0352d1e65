"""Beats: the steps that each seat sees between one choice and the next."""

import re
from typing import Any

import numpy as np
import pytest

from games.mace.random_states import states
from games.mace.table import NAME, Table, adjacent, cards, table
from sparring import Match
from sparring.engine.game import game
from sparring.scene import Board, Card, Group, Row, things
from sparring.scene.html import render
from sparring.scene.playing_cards import typed
from sparring.scene.sentences import importance_of, is_result
from wording import says

GAME = game(NAME)


def log_by_beat(t: Table, words: str, seat: int) -> dict[str, list[str]]:
    """Make a choice and return a seat's log lines by beat; the last key, empty, is the table at rest."""
    t.play(words)
    return {beat.view.beat: [*map(str, beat.lines)] for beat in t.match.beats(seat)}


def at(t: Table, name: str, seat: int = 0) -> Any:
    """Return the scene of a beat of the last choice."""
    (found,) = [beat.view.scene for beat in t.match.beats(seat) if beat.view.beat == name]
    return found


def rows(scene: Any, key: str) -> list[str]:
    """Return the cards of a row with their marks; face-down cards are `?`."""
    (row,) = [part for part in things(scene) if isinstance(part, Row) and part.key == key]
    found = [card for card in row.cards if isinstance(card, Card)]
    return [" ".join((card.face.name if card.face else "?", *card.marks)) for card in found]


def exchange(scene: Any) -> list[tuple[str, list[str], str]]:
    """Return title, cards and total of each side of the comparison."""
    assert isinstance(scene.exchange, Group)
    parts = [part for part in scene.exchange.parts if isinstance(part, Row)]
    return [(part.title, [card.face.name for card in part.cards], part.total) for part in parts]  # type: ignore[union-attr]


# Momentum and Rounds


def test_momentum_is_revealed_before_the_first_turn() -> None:
    t = table("7D 2H", "KS 4H", None, phase="momentum", momentum=["", "", ""], hands=["7D 2H", "KS 4H", "9C 3D"])
    t.play("7D; KS")
    log = log_by_beat(t, "9C", 3)
    assert list(log) == ["round", ""]
    played, drawn, order = log["round"]
    assert says(played, "You", "9♣", "face down", "Momentum")
    assert drawn.startswith("You draw ")
    assert says(order, "Round 1", "Seat 2", "K♠", "you", "9♣", "Seat 1", "7♦")
    secret, order = map(str, t.match.beats(0)[0].lines)
    assert says(secret, "Seat 3", "Momentum")
    assert "9C" not in secret
    assert says(order, "Round 1", "Seat 2", "K♠", "Seat 3", "9♣", "Seat 1", "7♦")
    parts = at(t, "round").right[0].parts
    assert [(part.title, card.face.name, card.marks) for part in parts for card in part.cards] == [
        ("Seat 2", "KS", ()), ("Seat 3", "9C", ()), ("Seat 1", "7D", ()),
    ]  # fmt: skip


def test_the_end_of_a_round_has_a_beat_before_the_forfeits() -> None:
    t = table("7D 2H", "KS 4H", momentum=["2C", "3C"])
    log = log_by_beat(t, "end", 1)
    assert list(log) == ["round over", ""]
    assert says(log["round over"], "Round 1", "no Damage", "1 of 30")
    marks = [card.marks for part in at(t, "round over").right[0].parts for card in part.cards]
    assert marks == [("done",), ("done",)]
    t.play("stay")
    assert says(log_by_beat(t, "stay", 2)["round"], "Round 2", "you", "3♣", "Seat 1", "2♣")


def test_a_round_with_damage_is_not_quiet() -> None:
    t = table("7D 2H", "KS 4H", momentum=["2C", "3C"], hurt=True)
    passed, line = log_by_beat(t, "end", 1)["round over"]
    assert says(passed, "you pass")
    assert says(line, "Round 1")
    assert not says(line, "quiet")


# Attack against defence

SAID_TO_SEAT_2 = {"Seat 2 blocks": "You block", "Seat 2 dodges": "You dodge", "Seat 2 takes it": "You take it"}


@pytest.mark.parametrize(
    ("words", "log", "shown"),
    [
        ("block 6D", [("Seat 2", "blocks", "6♦"), ("7 Damage", 13, 6)], ("Seat 2 blocks", ["6D"], "13 − 6 = 7")),
        ("block AD", [("Seat 2", "blocks", "A♦", 14), ("no Damage", 13, 14)], ("Seat 2 blocks", ["AD"], "13 − 14 = 0")),
        ("dodge QH", [("Seat 2", "dodge", "Q♥", 12), ("your 13", 12, "Dodge fails", "13 Damage")],
         ("Seat 2 dodges", ["QH"], "12")),
        ("dodge AH", [("Seat 2", "dodge", "A♥", 14), ("your 13", 14, "dodged")], ("Seat 2 dodges", ["AH"], "14")),
        ("take", [("Seat 2", "takes", "13 Damage")], ("Seat 2 takes it", [], "13")),
    ],
)  # fmt: skip
def test_attack_and_defence_are_compared(
    words: str, log: list[tuple[object, ...]], shown: tuple[str, list[str], str]
) -> None:
    t = adjacent("KS 2H 2D 4C 5D", "6D AD QH AH 8C").play("strike KS; target 2")
    lines = log_by_beat(t, words, 1)["compared"]
    assert len(lines) == len(log)
    assert all(says(line, *parts) for line, parts in zip(lines, log, strict=True))
    for seat in (0, 1, 2):
        attack = ("You strike" if seat == 1 else "Seat 1 strikes", ["KS"], "13")
        defence = (SAID_TO_SEAT_2[shown[0]] if seat == 2 else shown[0], *shown[1:])
        assert exchange(at(t, "compared", seat)) == [attack, defence]
        assert at(t, "compared", seat).prompt.sentence == ""
    assert is_result(t.match.beats(1)[0].lines[-1])


@pytest.mark.parametrize(
    ("words", "kind", "amount"),
    [("block 6D", "hit", 7), ("block AD", "block", 0), ("dodge AH", "miss", 0), ("dodge QH", "hit", 13)],
)
def test_only_damage_is_a_number_over_the_target(words: str, kind: str, amount: int) -> None:
    t = adjacent("KS 2H 2D 4C 5D", "6D AD QH AH 8C").play("strike KS; target 2").play(words)
    clash, effect = next(beat.effects for beat in t.match.beats(1) if beat.view.beat == "compared")
    assert clash.kind == "clash"
    assert clash.totals == (13, {"6D": 6, "AD": 14, "AH": 14, "QH": 12}[words.split()[1]])
    assert (effect.kind, effect.target, effect.amount) == (kind, "fighter 1", amount)


def test_a_blast_shows_the_charge_and_the_club() -> None:
    t = table("QC 2H", "6D 8C 3H", fighters=["0,0", "0,4"], charges=["9C", ""]).play("blast 9C; QC; target 2; take")
    assert exchange(at(t, "compared"))[0] == ("Seat 1 blasts", ["9C", "QC"], "12")
    options = {"blast_cost": "reveal_only"}
    t = table("QC 2H", "6D 8C 3H", fighters=["0,0", "0,4"], charges=["9C", ""], options=options)
    assert exchange(at(t.play("blast 9C; target 2; take"), "compared"))[0] == ("Seat 1 blasts", ["9C"], "9")


def test_a_fighter_that_is_down_cannot_defend() -> None:
    t = adjacent("KS 2H", "6D 8C", momentum=["AC", "2C"], down=[2]).play("strike KS")
    aimed, result = log_by_beat(t, "target 2", 2)["compared"]
    assert says(aimed, "Strike", 13, "you")
    assert says(result, "You", "Down", "13 Damage")
    assert exchange(at(t, "compared", 2))[1] == ("You can't defend", [], "13")


@pytest.mark.parametrize(("seat", "parts"), [(0, ("12 against 13",)), (1, ("your 13", 12)), (2, ("your 12", 13))])
def test_a_dodge_shows_the_dodgers_number_first(seat: int, parts: tuple[object, ...]) -> None:
    t = adjacent("KS 2H 2D", "QH 8C 3D").play("strike KS; target 2; dodge QH")
    (line,) = [line for line in t.match.beats(seat)[0].lines if "against" in str(line)]
    assert says(line, *parts, "Dodge fails", "13 Damage")


def test_a_joker_keeps_the_value_that_it_had() -> None:
    t = adjacent("KS 2H 2D", "X1 8C 3D", discard_pile="5H").play("strike KS; target 2")
    lines = log_by_beat(t, "block X1", 1)["compared"]
    assert says(lines, "Seat 2", "blocks", "Joker", 13)
    assert says(lines, "no Damage", 13, 13)


def test_an_attack_of_0_has_no_comparison() -> None:
    t = adjacent("X1 2H 2D", "7D 8C 3D", draw_pile="4D ...").play("strike X1")
    log = log_by_beat(t, "target 2", 1)
    assert list(log) == [""]
    assert says(log[""], "only one target", "Strike", 0, "Seat 2", "no Damage")


# Damage


def test_beats_of_damage_payment_charge_knock_back_down() -> None:
    t = adjacent("KS 2H 2D 4C 5D", "6D JC 2S 4H 9H", charges=["", "7C 9C 3C"])
    t.play("strike KS; target 2; take; pay JC")
    assert says(log_by_beat(t, "pay 2S", 1)[""], "Seat 2", "pays", "2♠", "13 of 13")
    assert t.to_move == "S2 drop_charge"
    log = log_by_beat(t, "drop 9C", 1)
    assert list(log) == ["charge lost", "knocked back", "down", ""]
    assert says(log["charge lost"], "Seat 2", "loses", "2nd of 3 Charges", "9♣")
    assert says(log["knocked back"], "Seat 2", "5 of 6 hexes")
    assert says(log["down"], "Seat 2", "Down", 6, "3 cards")
    assert rows(at(t, "charge lost"), "charges of 1") == ["?", "9C lost", "?"]
    strokes = [
        [stroke.key.split()[0] for stroke in at(t, name).middle[0].strokes]
        for name in ("charge lost", "knocked back", "down")
    ]
    assert strokes == [["attack"], ["knock"], ["knock"]]
    places = [{token.label: token.state for token in at(t, name).middle[0].tokens} for name in ("knocked back", "down")]
    assert places == [{"Seat 1 on 0,0": "", "Seat 2 on 6,0": ""}, {"Seat 1 on 0,0": "", "Seat 2 on 6,0, Down": "down"}]


def test_payment_has_a_beat_before_the_knock_back() -> None:
    t = adjacent("9S 2H 3H 4C 5D", "JC 7D 5C 3C 2S", discard_pile="4S").play("strike 9S; target 2; take")
    log = log_by_beat(t, "pay JC", 2)
    assert list(log) == ["paid", "knocked back", ""]
    assert says(log["paid"], "You", "J♣", 11, "11 for 9")
    assert says(log["paid"], "you", "4 cards left")
    assert says(log["knocked back"], "You", "4 hexes")
    paid, knocked = (at(t, name).middle[0] for name in ("paid", "knocked back"))
    assert isinstance(paid, Board)
    assert [token.at for token in paid.tokens] == [(0, 0), (1, 0)]
    assert [token.at for token in knocked.tokens] == [(0, 0), (5, 0)]


def test_damage_of_1_has_no_knock_back() -> None:
    t = adjacent("7S 2H 3H", "6D 2C 5C").play("strike 7S; target 2; block 6D")
    assert list(log_by_beat(t, "pay 2C", 2)) == ["paid", ""]


def test_a_knock_out_has_a_beat_before_the_end() -> None:
    t = adjacent("AS 2H", "5C 4H").play("strike AS; target 2; take; pay 5C")
    log = log_by_beat(t, "pay 4H", 1)
    assert list(log) == ["out", ""]
    assert says(log["out"], "Seat 2", "4♥", "9 of 14")
    assert says(log["out"], "Seat 2", "Knocked Out")
    assert says(log[""], "You win")
    assert [(token.seat, token.state) for token in at(t, "out").middle[0].tokens] == [(2, "out"), (1, "")]
    assert not at(t, "out").over
    assert all(is_result(beat.lines[-1]) for beat in t.match.beats(0))


def test_a_forfeit_has_a_beat() -> None:
    t = table(None, None, None, phase="forfeit", player=2, order=[2, 1, 3], place=4)
    log = log_by_beat(t, "forfeit", 1)
    assert list(log) == ["out", ""]
    assert says(log["out"], "Seat 2", "forfeits", "out")
    assert says(log_by_beat(t, "forfeit", 1)["out"], "You", "forfeit", "out")


def test_a_missed_turn_has_a_beat() -> None:
    t = adjacent("10S 2H 3D", "KC 9S 9H QH", momentum=["AC", "KD"], boosted=True).play("strike 10S; target 2; take")
    log = log_by_beat(t, "pay KC", 2)
    assert list(log) == ["paid", "knocked back", "down", "up again", "round over", ""]
    assert says(log["up again"], "You", "miss", "Turn")
    states = {name: at(t, name).middle[0].tokens[1].state for name in ("down", "up again")}
    assert states == {"down": "down", "up again": ""}


# The order of Charges


def test_the_revealed_charge_is_public() -> None:
    position: dict[str, Any] = {"fighters": ["0,0", "0,4"], "charges": ["3C 9C 7C", ""], "laid": [[1, 2, 4], []]}
    t = table("QC 2H", "6D 8C 3H", round=5, **position)
    before = [card.key for card in panel(t.match, 2)]
    assert before == ["seat 0 charge 1", "seat 0 charge 2", "seat 0 charge 4"]
    assert next(card.label for card in panel(t.match, 2)) == "a Charge, played in Round 1"
    assert says(log_by_beat(t, "blast 9C", 2)[""], "Seat 1", "reveals", "2nd of 3 Charges", "9♣", "Blast", "range 9")
    for seat in (0, 2):
        assert rows(t.match.view(seat).scene, "charges of 0") == ["?", "9C revealed", "?"]
        assert [card.key for card in panel(t.match, seat)] == before
        assert t.match.view(seat).state.laid[0, :3].tolist() == [2, 1, 4]
    t.play("QC; target 2; take; pay 8C; pay 6D")
    assert [card.key for card in panel(t.match, 2)] == ["seat 0 charge 1", "seat 0 charge 4"]


def test_features_include_the_age_of_charges() -> None:
    def features(laid: list[int]) -> list[float]:
        position: dict[str, Any] = {"fighters": ["0,0", "0,4"], "charges": ["3C 9C", ""], "laid": [laid, []]}
        view = table("QC 2H", "6D 8C 3H", round=5, seed=1, **position).match.view(2)
        out = np.zeros(GAME.rules.FEATURES, np.float32)
        GAME.rules.features(view.setup.params, view.state, 1, out)
        return out.tolist()

    assert features([1, 2]) == features([1, 2])
    assert features([1, 2]) != features([1, 4])


def panel(match: Match, seat: int) -> list[Card]:
    """Return the Charges of seat 1 as another seat sees them."""
    return [card for part in match.view(seat).scene.seats[0].parts for card in part.cards]


def test_a_charge_remembers_its_round() -> None:
    t = table("4C 2H 3D", None, fighters=["0,0", "6,0"], charges=["9C 8C", ""], round=7).play("charge 4C")
    assert t.charges(1) == "9C 8C 4C"
    assert t.field("laid") == [[-1, 0, 7], []]


# A reshuffle


@pytest.mark.parametrize("words", ["charge 4C", "boost 5D"])
def test_a_reshuffle_has_a_beat(words: str) -> None:
    t = table("4C 5D 3D", "2H 3H", fighters=["0,0", "6,0"], discard_pile="...")
    assert says(log_by_beat(t, words, 2)["reshuffled"][-1], "discard pile", "shuffled", "deck")
    assert importance_of(t.match.beats(2)[0].lines[-1]) == "aside"
    piles = at(t, "reshuffled", 2).left[0].parts
    assert piles[0].count > 30
    assert piles[1].count == (1 if words == "boost 5D" else 0)


def test_a_reshuffle_in_defence_comes_before_the_comparison() -> None:
    t = adjacent("KS 2H 2D", "6D 8C 3H", draw_pile="4S", discard_pile="...").play("strike KS; target 2")
    assert list(log_by_beat(t, "block 6D", 1)) == ["reshuffled", "compared", ""]


# Hidden cards stay hidden

NAMES = re.compile(r"\b(?:10|[2-9JQKA])[CSDH]\b|\bX[1-4]\b")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_beat_reveals_a_hidden_card(seed: int) -> None:
    """In whole matches with many Charges, no beat names or shows a card that a seat can't have seen."""
    beats = 0
    for match in states(seed, {"discard_timing": ["at_once", "after_attack"][seed % 2]}, 2 + seed % 3):
        if match.last_transition is None or not match.last_transition.marks:
            continue
        for seat in range(match.seats + 1):
            for (view, lines, _), truth in zip(
                match.beats(seat), [m.state for m in match.last_transition.marks], strict=False
            ):
                beats += 1
                hidden = unseen(match, truth, seat)
                shown = {card.face.name for card in things(view.scene) if isinstance(card, Card) and card.face}
                assert not hidden & shown
                assert not hidden & set(NAMES.findall(typed(" ".join(map(str, lines))) + str(view.scene)))
    assert beats > 20


def unseen(match: Match, s: Any, seat: int) -> set[str]:
    """Return the cards a seat can't know: the deck, and the hands and Charges of others."""
    piles = [s.deck]
    piles += [pile[other] for pile in (s.hand, s.charges) for other in range(s.seats) if other != seat - 1]
    names = {match.setup.content.card(int(card)) for pile in piles for card in pile[1 : pile[0] + 1]}
    # Cards of this attack may be back in the deck; everyone has seen them.
    public = [int(s.attack_by), int(s.defence_by), *map(int, s.opened)]
    return names - {match.setup.content.card(number) for _, number in map(GAME.rules.ACTIONS.name_of, public)}


def test_every_beat_can_be_drawn() -> None:
    t = adjacent("KS 2H 2D 4C 5D", "6D JC 2S 4H 9H", charges=["", "7C 9C"])
    t.play("strike KS; target 2; take; pay JC; pay 2S; drop 9C")
    assert [len(str(render(beat.view.scene))) > 5000 for beat in t.match.beats(1)] == [True] * 4
    assert cards("7C") == set(t.charges(2).split())
