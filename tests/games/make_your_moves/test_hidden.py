"""Hidden information: what each seat sees, determinizations, and which choices can be taken back (section 8)."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from games.make_your_moves.table import Table, attacked, table
from sparring import ChoiceError, Match
from sparring.engine import chance
from sparring.engine.records import MatchStart
from sparring.games.make_your_moves import params

ELIMINATION = {"match": "elimination"}
FOUR_GREENS = "Green1 Green1 Green2 Green2 Red1"
FIVE_GREENS = "Green1 Green1 Green1 Green2 Green3"


def seen(view: Any, truth: Any) -> str:
    """Return how much of a pile a view shows: its faces, only the number of its cards, or nothing."""
    if view.tolist() == truth.tolist():
        return "faces"
    if view[0] == truth[0] and set(view[1 : view[0] + 1].tolist()) == {-1}:
        return "number"
    return "nothing" if not view.any() else "something else"


def everything() -> Table:
    """Return a table where seat 2 picks four cards to counter with, after seat 3 has dodged; every seat has points."""
    return attacked(
        "Red1 Wild1", "Blue1 Blue2", FIVE_GREENS, "Yellow1 Yellow2", phase="four", picked="Green1 Green2",
        fours="Blue1 Blue1 Blue2 Blue2", points=[2, 1, 1], draw_pile=20,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("field", "row", "seats"),
    [
        # Seat 1, seat 2, seat 3, a spectator.
        ("hand", 0, "faces number number number"),
        ("hand", 1, "number faces number number"),
        ("hand", 2, "number number faces number"),
        ("deck", None, "number number number number"),
        ("point_cards", 0, "number number number number"),
        ("point_cards", 1, "number number number number"),
        ("picked", None, "nothing faces nothing nothing"),
        ("discard", None, "faces faces faces faces"),
        ("attack", None, "faces faces faces faces"),
        ("fours", None, "faces faces faces faces"),
        ("points", None, "faces faces faces faces"),
        ("rng", None, "nothing nothing nothing nothing"),
    ],
)
def test_m39_what_each_seat_sees(field: str, row: int | None, seats: str) -> None:
    match = everything().match
    shown = []
    for seat in (1, 2, 3, 0):
        view, truth = match.view(seat).state[field], match.state[field]
        shown.append(seen(view, truth) if row is None else seen(view[row], truth[row]))
    assert " ".join(shown) == seats


def test_everything_else_is_public() -> None:
    match = everything().match
    hidden = ("hand", "deck", "point_cards", "picked", "rng")
    for seat in (0, 1, 2, 3):
        view = match.view(seat).state
        assert [
            name
            for name in view.dtype.names
            if name not in hidden and view[name].tolist() != match.state[name].tolist()
        ] == []


def test_only_the_seat_to_choose_sees_choices() -> None:
    match = everything().match
    assert [bool(match.view(seat).choices) for seat in (0, 1, 2, 3)] == [False, False, True, False]


def test_cards_picked_for_a_four_are_hidden_until_they_are_played() -> None:
    t = attacked("Red1", "Blue1", FIVE_GREENS, "Blue1").play("S2: counter")
    rules, params = t.match.game.rules, t.match.setup.params
    card = t.match.choices()[0].action
    assert [rules.observe_action(params, t.match.state, card, seat) for seat in (0, 1, 2, -1)] == [-1, card, -1, -1]
    before = [t.match.view(seat).state.tobytes() for seat in (0, 1, 3)]
    for choice in ("Green1", "Green1", "Green1"):
        t.play(choice)
        assert [t.match.view(seat).state.tobytes() for seat in (0, 1, 3)] == before
    t.play("Green3")
    discarded = t.match.view(1).state.discard
    assert discarded.tolist() == t.match.state.discard.tolist()


# Determinizations

PHASES = {
    "target": table("Red1 Green1 Wild1", None, None, points=[1, 2, 0]),
    "attack": table("Red1 Green1 Wild1", None, None, phase="attack", attack="Blue1"),
    "respond": attacked("Red1 Wild1", None, FOUR_GREENS, None, points=[1, 2, 0]),
    "four": everything(),
    "dodge_to": attacked("Red1", None, FOUR_GREENS, None).play("dodge"),
    "assist_card": attacked("Red1", None, None, None, points=[2, 0, 0]).play("done"),
    "assist_side": attacked("Red1", None, None, "Red1 Blue1").play("done; Red1"),
    "discard": attacked("Red1", "Red2", None, None, options=ELIMINATION).play("done; pass"),
    "skipped": table("Wild1 Wild1 Wild2 Wild2 Wild3", None, None, phase="draw"),
}


def determinizations(match: Match, seat: int, times: int = 40) -> Iterator[Any]:
    """Yield determinizations for this seat (0: a spectator)."""
    g = np.zeros(4, np.int64)
    chance.seed(g, 8, chance.DETERMINIZATION)
    for _ in range(times):
        state = match.view(seat).state
        match.game.rules.determinize(match.setup.params, state, seat - 1, g)
        yield state


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_tables_that_differ_only_in_hidden_information_look_alike(phase: str, seat: int) -> None:
    match = PHASES[phase].match
    view = match.view(seat)
    others = set()
    for state in determinizations(match, seat, 10):
        other = Match(MatchStart(match.setup, state, 0))
        assert other.view(seat).state.tobytes() == view.state.tobytes()
        assert other.view(seat).choices == view.choices
        assert other.view(seat).scene == view.scene
        assert sorted(match.game.position.components(match.setup, state)) == sorted(
            match.game.position.components(match.setup, match.state)
        )
        others.add(state.tobytes())
    assert len(others) == 10


def kinds(t: Table, pile: Any) -> list[str]:
    return [t.match.setup.content.cards[card].kind for card in pile[1 : pile[0] + 1]]


def possible_hands(t: Table, owner: int, seat: int = 0, times: int = 60) -> list[list[str]]:
    """Return the hand of `owner` in some determinizations for a seat."""
    return [kinds(t, state.hand[owner - 1]) for state in determinizations(t.match, seat, times)]


def test_a_skipped_attack_reveals_a_hand_of_wilds() -> None:
    t = table("Wild1 Wild1 Wild2 Wild2 Wild3", "Red1 Wild1", phase="draw")
    assert all(card.startswith("Wild") for hand in possible_hands(t, 1) for card in hand)
    t.play("S1: Wild3; Wild2; done; S2: done")
    for hand in possible_hands(t, 1):
        assert sum(card.startswith("Wild") for card in hand) >= 3
    assert any(card.startswith("Red") for hand in possible_hands(t, 1) for card in hand)


def test_an_attacker_has_a_coloured_card() -> None:
    # All coloured cards but three are in the discard pile; nearly all hidden cards are Wild.
    wilds = ["Grit", "Swagger", "Crowd Pop", "Second Wind", "Momentum", "Adrenaline"]
    t = table("Jab", [*wilds[:5]], phase="target", draw_pile=["Chop", "Slap", wilds[5], "Fury", "Finisher"])  # type: ignore[arg-type]
    for hand in possible_hands(t, 1):
        assert hand == ["Red1"]
    assert {card for hand in possible_hands(t, 2, seat=1) for card in hand} > {"Wild3", "Red1"}


def test_a_card_played_may_have_been_the_coloured_one() -> None:
    t = table("Red1 Wild1", None).play("target 2; Wild1")
    assert all(hand[0][:4] != "Wild" for hand in possible_hands(t, 1))
    t = table("Red1 Wild1", None).play("target 2; Red1")
    assert any(hand[0][:4] == "Wild" for hand in possible_hands(t, 1, times=200))


@pytest.mark.parametrize("wild_fours", ["no", "yes"])
def test_being_asked_reveals_a_choice_of_fours(wild_fours: str) -> None:
    t = attacked("Red1", None, FIVE_GREENS, None, options={"wild_fours": wild_fours}).play("counter")
    for hand in possible_hands(t, 2, seat=1):
        colours = {card[:-1] for card in hand} - ({"Wild"} if wild_fours == "yes" else set())
        assert len(set(hand)) > 1
        assert len(colours) <= 1 or (len(colours) == 2 and hand[2:5] == [card for card in hand if "Wild" in card])


def test_not_being_asked_reveals_that_there_was_no_choice() -> None:
    t = attacked("Red1", "Blue1", "Green1 Green1 Green2 Green3 Red1").play("counter")
    assert not any(card.startswith("Green") for hand in possible_hands(t, 2, times=200) for card in hand)
    t = attacked("Red1", "Blue1", "Green1 Green1 Green1 Green1 Red1").play("counter")
    fifths = {card for hand in possible_hands(t, 2, times=300) for card in hand}
    assert "Green1" in fifths
    assert not fifths & {"Green2", "Green3"}


def test_after_a_choice_of_fours_the_fifth_card_fits_it() -> None:
    t = attacked("Red1", "Blue1", FIVE_GREENS, draw_pile=73).play("counter; Green1; Green1; Green1; Green2")
    assert {card for hand in possible_hands(t, 2, times=100) for card in hand} == {"Green1", "Green2", "Green3"}
    t.play("S1: done; S2: done")
    assert all(any(card.startswith("Green") for card in hand) for hand in possible_hands(t, 2))


def test_knowledge_of_a_hand_ends_when_the_card_may_be_gone() -> None:
    t = attacked("Red1", "Blue1", FIVE_GREENS).play("counter; Green1; Green1; Green1; Green2; S1: done; S2: Green3")
    known = t.match.position()["known"]
    assert known == {"wilds": [0, 0], "coloured": [0, 1], "kinds": [0, 0], "shuffled": []}


# After a reshuffle


def reshuffling(**more: Any) -> Table:
    """Return a table where seat 1 has to draw two cards: one is left in the draw pile, so the discards are shuffled."""
    return table("Red1 Red2 Wild1", "Green1 Green1 Green2 Blue1 Blue2", phase="draw", draw_pile=1, **more)


def test_after_a_reshuffle_two_players_know_each_others_old_cards() -> None:
    t = reshuffling()
    for hand in possible_hands(t, 2, seat=1):
        assert hand == ["Green1", "Green1", "Green2", "Blue1", "Blue2"]
    hands = possible_hands(t, 1, seat=2)
    assert all({"Red1", "Red2", "Wild1"} <= set(hand) for hand in hands)
    assert len({tuple(hand) for hand in hands}) > 5


def test_a_spectator_knows_only_that_old_cards_are_not_reshuffled_ones() -> None:
    t = reshuffling()
    old = sorted(kinds(t, t.match.state.hand[0]) + kinds(t, t.match.state.hand[1]))
    for state in determinizations(t.match, 0):
        new = {t.match.setup.content.cards[card].kind for card in state.hand[0, 1:6] if state.shuffled[card]}
        assert len(new) == 1
        assert sorted(kinds(t, state.hand[0]) + kinds(t, state.hand[1])) != old or new <= set(old)
    assert {int(card) for state in determinizations(t.match, 0) for card in state.hand[1, 1:6]} > set(
        t.match.state.hand[1, 1:6]
    )


def test_the_back_of_a_card_tells_its_draw_pile() -> None:
    t = reshuffling()
    assert t.match.view(2).state.hand[0].tolist() == [5, -2, -1, -1, -1, -1]
    assert t.match.view(1).state.hand[1].tolist() == [5, -1, -1, -1, -1, -1]


def test_an_old_point_card_is_not_a_reshuffled_one() -> None:
    t = reshuffling(points=[1, 1])
    for state in determinizations(t.match, 1):
        assert not any(state.shuffled[state.point_cards[seat, 1]] for seat in (0, 1))


def test_piles_without_cards_are_not_counted() -> None:
    t = reshuffling(known={"shuffled": [["Slap"], ["Red1", "Red2"]]}, options={"point_cards": "marker"})
    shuffled = t.match.position()["known"]["shuffled"]
    names = {card.name: card.kind for card in t.match.setup.content.cards}
    assert [sorted(names[name] for name in pile) for pile in shuffled[:1]] == [["Red1", "Red2"]]
    assert len(shuffled) == 2
    assert t.match.view(2).state.hand[0].tolist() == [5, -3, -2, -2, -1, -1]


def named(colour: str) -> list[str]:
    """Return the names of all cards of a colour."""
    cards = Match.new("make-your-moves").setup.content.cards
    return [card.name for card in cards if card.colour == colour]


def four_seats(hands: list[Any], **more: Any) -> Table:
    """Return a position of four seats, with cards given by name."""
    options = {"pass_attack": "yes"}
    position = {"game": "make-your-moves", "seats": 4, "seed": 3, "options": options, "hands": hands, **more}
    return Table(Match.from_position(position))


@pytest.mark.parametrize("wilds", [3, 4, 5])
def test_known_cards_of_a_hand_are_dealt_first(wilds: int) -> None:
    blue, red, wild, green = (named(colour) for colour in ("Blue", "Red", "Wild", "Green"))
    hands = [blue[:5], red[:5], red[5:10], wild[:wilds] + green[: 5 - wilds]]
    held = {name for hand in hands for name in hand}
    pile = [name for colour in params.COLOURS for name in named(colour) if name not in held]
    known = {"wilds": [0, 0, 0, wilds], "coloured": [1, 1, 1, 0], "shuffled": [pile + hands[0]]}
    t = four_seats(hands, draw_pile=pile, known=known)
    for hand in possible_hands(t, 4, seat=1):
        assert sum(card.startswith("Wild") for card in hand) >= wilds


def test_a_player_picking_a_four_has_one_in_every_determinization() -> None:
    red, green, yellow, wild = (named(colour) for colour in ("Red", "Green", "Yellow", "Wild"))
    hands = [[], [*red[:3], yellow[0], wild[0]], [*red[3:5], *yellow[1:3], wild[1]], [*green[:4], green[-1]]]
    t = four_seats(hands, phase="draw", draw_pile=0, known={"coloured": [0, 1, 1, 0]}).play("target 4")
    t.match.choose(t.match.legal()[0])
    t.play("done; counter")
    assert t.match.phase == "four"
    for seat in (0, 1, 2):
        for state in determinizations(t.match, seat, 8):
            assert Match(MatchStart(t.match.setup, state, 0)).legal()


@pytest.mark.parametrize("seed", range(4))
def test_determinizations_are_consistent_with_all_public_information(seed: int) -> None:
    match = Match.new("make-your-moves", seats=3 + seed, seed=seed, options=ELIMINATION)
    g = np.zeros(4, np.int64)
    chance.seed(g, seed, chance.CHOICES)
    reshuffles = 0
    while not match.over:
        held, discarded = hidden(match.state), cards_of(match.state.discard)
        action = match.legal()[chance.below(g, len(match.legal()))]
        match.game.rules.step(match.setup.params, match.state, action)
        number = match.state.shuffled
        if not discarded <= cards_of(match.state.discard):
            reshuffles += 1
            kept = (held & hidden(match.state)) - {action}
            assert max(number[list(kept)]) < min(number[list(discarded)])
        for seat in range(match.seats + 1) if chance.below(g, 9) == 0 else ():
            for state in determinizations(match, seat, 1):
                assert len({number[card] for card in cards_of(state.deck)}) <= 1
                again = state.copy()
                match.game.rules.redact(match.setup.params, again, seat - 1)
                assert again.tobytes() == match.view(seat).state.tobytes()
    assert reshuffles


def cards_of(pile: Any) -> set[int]:
    """Return the cards of a pile."""
    return set(pile[1 : pile[0] + 1].tolist())


def hidden(s: Any) -> set[int]:
    """Return the cards in all hands."""
    return {card for hand in s.hand for card in cards_of(hand)}


# Taking back


@pytest.mark.parametrize(
    ("start", "choices", "free"),
    [
        (table("Red1", "Red1", "Red1"), "target 2", True),
        (table("Red1", "Red1", "Red1", options={"pass_attack": "yes"}), "pass", True),
        (table("Red1 Red1", "Red1"), "target 2; Red1", False),
        (table("Red1 Red1", "Red1"), "target 2; Red1; done", False),
        (attacked("Red1", "", "Red1", ""), "Red1", False),
        (attacked("Red1", "Red1", "Red1", "Red1"), "done", False),
        (attacked("Red1", "Red1", FIVE_GREENS, "Red1"), "counter", False),
        (attacked("Red1", "Red1", FIVE_GREENS, "Red1"), "dodge", False),
        (attacked("Red1", "Red1", FIVE_GREENS, "Red1"), "counter; Green1", True),
        (attacked("Red1", "Red1", FIVE_GREENS, "Red1"), "dodge; Green1; Green1; Green1", True),
        (attacked("Red1", "Red1", FIVE_GREENS, "Red1"), "dodge; Green1; Green1; Green1; Green2", False),
        (attacked("Red1", "Red1", FOUR_GREENS, "Red1"), "dodge", False),
        (attacked("Red1", "Red1", FOUR_GREENS, "Red1"), "dodge; target 3", False),
        (attacked("Red1", "Red1", "", "Red1 Red1"), "done; Red1", False),
        (attacked("Red1", "Red1", "", "Red1 Red1"), "done; pass", False),
        (attacked("Red1", "Red1", "", "Red1 Red1"), "done; Red1; attacker", False),
        (table("Red1", "Red1", phase="discard"), "done", False),
        (table("Red1 Red2", "Red1", phase="discard"), "Red1", False),
        (table("Red1", "Red1", phase="discard"), "done; done", False),
    ],
)
def test_when_a_choice_can_be_taken_back(start: Table, choices: str, free: bool) -> None:
    match = Match.from_position(start.match.position())
    *earlier, last = choices.split("; ")
    match.play("; ".join(earlier))
    before, history = match.state.tobytes(), list(match.history)
    match.choose(last)
    assert match.can_take_back == free
    if free:
        match.take_back()
        assert match.state.tobytes() == before
        assert match.history == history
    else:
        after = match.state.tobytes()
        with pytest.raises(ChoiceError, match="You can't take this back"):
            match.take_back()
        assert match.state.tobytes() == after


def test_choices_are_taken_back_one_by_one() -> None:
    t = attacked("Red1", "Red1", FIVE_GREENS).play("counter; Green1; Green1; Green2")
    for picked in ("Green1 Green1", "Green1", ""):
        t.match.take_back()
        assert t.cards("picked") == picked
    assert not t.match.can_take_back
    assert t.play("Green3; Green2; Green1; Green1").hand(2) == "Green1"
