"""Scenes in words: complete, without symbols, and with every choice once."""

import random

import pytest

from sparring import games
from sparring.engine.formats import normalize
from sparring.engine.match import Match
from sparring.scene import (
    Area,
    Board,
    Button,
    Card,
    Cell,
    Face,
    Label,
    Pile,
    PrintableScene,
    Prompt,
    Row,
    Seat,
    Slot,
    Stroke,
    Token,
    replace,
)
from sparring.scene.markup import SeatNames
from sparring.scene.screen_reader import MAX_IN_LIST, SceneSpeaker, SpokenPart

SPEAKER = SceneSpeaker(SeatNames(["Anna", "Ben"]), {"QS": "Queen of spades", "FR": "forward-right", "F": "forward"})


def board(columns: int, *tokens: Token, can: bool = False) -> Board:
    """Return two rows of spaces; all or none of them can be chosen."""
    places = [(x, y) for y in range(2) for x in range(columns)]
    cells = tuple(
        Cell(at, name=f"{at[0]},{at[1]}", label=f"{at[0]},{at[1]}, open",
             action=number if can else None, words=f"to {at[0]},{at[1]}" if can else "")
        for number, at in enumerate(places)
    )  # fmt: skip
    edge = Label(((0.0, 1.6), (columns - 1.0, 1.6)), "Your starts")
    return Board("board", "The ring", cells, tokens, (Stroke("range", ((0, 0), (1, 0)), False, "R2"),), (edge,))


def scene(*middle: Area, hand: tuple[Card, ...] = (), buttons: tuple[Button, ...] = ()) -> PrintableScene:
    seats = (Seat(number=1, you=True, turn=True, label="You, 3 life", tags=("serene",)), Seat(number=2))
    return PrintableScene(
        game="toy", title="Toy", status="Turn 5", seats=seats, prompt=Prompt("Lay QS before Seat 2.", buttons),
        middle=middle, hand=(Row("hand", "Your hand", hand, empty="Your hand is empty."),),
    )  # fmt: skip


def spoken_lines(parts: list[SpokenPart]) -> list[str]:
    return [line for part in parts for line in (*part.lines, *spoken_lines(list(part.parts)))]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Seat 2 draws F and FR.", "Ben draws forward and forward-right."),
        ("to 2,-1", "to 2, minus 1"),
        ("Block: -2", "Block: minus 2"),
        ("forward-right, Tin-Opener, 3-2", "forward-right, Tin-Opener, 3-2"),
        ("QS, not XQS or QST", "Queen of spades, not XQS or QST"),
    ],
)
def test_symbols_are_read_out_in_words(written: str, said: str) -> None:
    assert SPEAKER.spoken(written) == said


def test_a_player_named_like_an_abbreviation_keeps_their_name() -> None:
    assert SceneSpeaker(SeatNames(["F", "Ben"]), {"F": "forward"}).spoken("Seat 1 draws F.") == "F draws forward."


def test_a_portrait_is_not_read_out_and_lost_points_are_named() -> None:
    portrait = Row("portrait 0", cards=(Card("fighter 3", Face("", layout="full"), label="Hai Wu"),), layout="small")
    seat = Seat(number=2, label="Seat 2, Hai Wu, 17 health", tags=("-3",), parts=(portrait,))
    (ben,) = SPEAKER.seats(replace(scene(), seats=(seat,)))
    assert list(ben.sentences()) == ["Ben: Hai Wu, 17 health; lost 3."]


def test_each_player_appears_once_with_their_state() -> None:
    anna, ben = SPEAKER.seats(scene())
    assert anna == SpokenPart("Anna, you, choosing", ("3 life", "serene"))
    assert ben.title == "Ben"


def test_a_players_cards_are_one_line_each() -> None:
    backs, shown = (
        Row("hand", cards=(Card("a"), Card("b")), layout="small"),
        Row("row", cards=(Card("c", Face("Jab")),)),
    )
    charges = Row("charges", "Charges", (Card("d", label="a Charge"), Card("e")))
    told = Seat(number=2, label="Seat 2, 2 cards", parts=(backs, shown, charges, Row("none")))
    assert SPEAKER.seat(told).lines == ("2 cards", "Has Jab", "Charges: a Charge, 1 card face down")
    assert SPEAKER.seat(Seat(number=2, parts=(backs,))).lines == ("Has 2 cards face down",)


def test_cards_have_their_marks_and_counts() -> None:
    queen = Card("a", Face("QS", spoken_name="Queen of spades"), marks=("2 damage",))
    many, back, empty = Card("b", Face("Jab", feet=(("attack", "3"),)), count=2), Card("c"), Slot(key="d", text="4")
    row = Row("row", "Row of Seat 2", (queen, many, back, back, empty), "row")
    said = ["Queen of spades, 2 damage", "Jab, attack 3; 2 copies", "2 cards face down", "empty"]
    assert SPEAKER.areas((row,)) == [SpokenPart("Row of Ben", tuple(said))]


def test_lanes_are_numbered() -> None:
    row = Row("row", "Your row", (Card("a", Face("Jab")), Slot(key="b", text="2")), "lanes")
    assert SPEAKER.areas((row,))[0].lines == ("Lane 1: Jab", "Lane 2: empty")


def test_a_public_pile_is_listed_from_the_top() -> None:
    pile = Pile("pile", "Discards", 2, (Card("a", Face("Jab")), Card("b", Face("Hook"))))
    top, all_of_it = SPEAKER.areas((pile,))
    assert top.lines == ("Discards: 2 cards, Hook on top",)
    assert all_of_it == SpokenPart("Discards, top card first", ("Hook", "Jab"), folded=True)


def test_a_board_lists_tokens_lines_and_spaces() -> None:
    (said,) = SPEAKER.areas((board(2, Token("a", (1, 0), 2, state="down")),))
    assert said.lines == ("Ben on 1,0, down", "A line from 0,0 to 1,0, R2", "At the bottom: Your starts")
    assert said.places == (("0,0, open", "1,0, open: Ben on 1,0, down"), ("0,1, open", "1,1, open"))


def test_few_choices_are_one_list_with_buttons_first() -> None:
    button = Button(text="End your turn", action=9, words="done", label="The turn is over")
    card = Card("a", Face("QS", spoken_name="Queen of spades"), action=1, words="play QS", marks=("Boost 2",))
    equal = Card("b", Face("QS", spoken_name="Queen of spades"), action=2, words="play QS")
    ((title, offers),) = SPEAKER.choice_groups(scene(hand=(card, equal), buttons=(button,)))
    assert title == ""
    assert [offer.said for offer in offers] == ["End your turn, The turn is over", "play Queen of spades, Boost 2"]
    assert [(offer.action, offer.words) for offer in offers] == [(9, "done"), (1, "play QS")]


def test_many_spaces_are_grouped_by_row() -> None:
    columns = MAX_IN_LIST // 2 + 1
    found = SPEAKER.choice_groups(scene(board(columns, can=True)))
    assert [(title, len(offers)) for title, offers in found] == [
        ("Row 1 from the top", columns), ("Row 2 from the top", columns),
    ]  # fmt: skip
    assert found[1][1][0].said == "to 0,1, open"


@pytest.mark.parametrize("name", games())
def test_every_choice_is_offered_and_no_symbol_is_spoken(name: str) -> None:
    match, dice = Match.new(name, seats=2, seed=2), random.Random(2)
    speaker = SceneSpeaker(SeatNames(["Anna", "Ben"]), match.game.spoken_forms)
    for _ in range(60):
        if match.over:
            break
        table = match.view(match.seat or 0).scene
        offered = {normalize(offer.words) for _, offers in speaker.choice_groups(table) for offer in offers}
        assert offered == {normalize(choice.words) for choice in match.choices()}
        told = spoken_lines([*speaker.seats(table), *speaker.hand(table), *speaker.table(table)])
        told += [line for beat in match.beats(1) for line in map(speaker.spoken, beat.lines)] if match.history else []
        told += [offer.said for _, offers in speaker.choice_groups(table) for offer in offers]
        assert not [line for line in told if not line or set(line) & set("●○→←↑↓█░»·") or "Seat " in line]
        short = set(match.game.spoken_forms)
        assert not [line for line in told if short & set(line.replace(".", "").replace(",", "").split())]
        match.choose(dice.choice([action for action in match.legal() if action not in match.game.conceding]))
