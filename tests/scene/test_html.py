"""Scenes as HTML: buttons, names, labels and escaping."""

import re
from html.parser import HTMLParser

import pytest
from markupsafe import Markup

from pseudo_language import pseudo_language
from scene.sample_scenes import hexes, squares, table
from sparring.engine.glossary import Glossary, GlossaryEntry
from sparring.scene import (
    Board,
    Button,
    Card,
    Cell,
    Group,
    Label,
    PrintableScene,
    Prompt,
    Row,
    Seat,
    Slot,
    Token,
    Track,
    boards,
    html_parts,
    replace,
)
from sparring.scene.html import Exchange, description_slot, render
from sparring.scene.markup import SeatNames, el
from sparring.scene.sentences import Text, Voice, result

VOID = {"input"}


class Page(HTMLParser):
    """Parses a fragment into elements, attributes and text; fails if it isn't well formed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.said = ""
        self.feed(str(text))
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said += data

    def having(self, **wanted: str) -> list[dict[str, str | None]]:
        """Return the attributes of all elements that match (`data_key` means `data-key`)."""
        pairs = [(name.rstrip("_").replace("_", "-"), value) for name, value in wanted.items()]
        return [found for _, found in self.elements if all(found.get(name) == value for name, value in pairs)]


def page(scene: PrintableScene, **more: object) -> Page:
    return Page(render(scene, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize("scene", [table(), table(squares()), table(hexes()), table(squares(1), hexes())])
def test_every_choice_is_one_button_that_posts_its_number(scene: PrintableScene) -> None:
    buttons = page(scene).having(name="choice", type="submit")
    assert sorted(int(button["value"] or -1) for button in buttons) == sorted(scene.actions())


def test_a_button_that_cannot_be_chosen_says_why() -> None:
    buttons = Button(text="Hold", why_not="Roll first."), Button(text="Roll", action=1, words="roll")
    found = page(table(prompt=Prompt("Roll or hold?", buttons)))
    hold, tip = found.having(aria_disabled="true")[-1], found.having(role="tooltip")[-1]
    assert hold["aria-describedby"] == tip["id"]
    assert "Roll first." in found.said


def test_choices_work_as_forms_without_javascript() -> None:
    found = page(table(), action_url="/table/7", version=12)
    assert found.having(method="post", action="/table/7")
    assert found.having(name="version", value="12")


def test_all_text_is_escaped() -> None:
    nasty = "<script>alert('x')</script>"
    prompt = Prompt(f"{nasty} Seat 2?", (Button(text=nasty, action=3, words=nasty, label=nasty),))
    scene = replace(table(squares(), prompt=prompt), title=nasty, status=nasty)
    text = render(scene, names=(nasty, nasty), events=(nasty, f"Seat 1 {nasty}"), action_url=nasty)
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    Page(text)


def test_names_replace_mentions_of_seats() -> None:
    found = page(table(), names=("Ann", "Bo"), events=("Seat 2 hits you.",))
    assert "Bo waits: what now?" in found.said
    assert "Bo hits you." in found.said
    assert "Seat 2" not in found.said
    assert SeatNames(("Seat 2", "Bo")).text("Seat 1 hits Seat 2.") == "Seat 2 hits Bo."
    assert SeatNames(("Seat 2", "Bo")).marked("Seat 1!") == '<b class="who s1">Seat 2</b>!'


def test_a_sentence_says_whom_it_is_about_in_every_language() -> None:
    """Scripts can't tell by its first word."""
    forms = "You draw {items}.", "{who} draws {items}."
    lines = [Voice(0).text(*forms, who=who, items=["Jab"]) for who in (0, 1)]
    lines += [Text("You play {card} face down.", card="Jab"), Text("The discards are shuffled.")]
    with pseudo_language():
        told = str(render(table(), animated=lines)).partition("told")[2]
    assert re.findall("<li([^>]*)>", told)[:4] == [
        f' data-subject="{who}"' if who else "" for who in ("you", "Seat 2", "you", "")
    ]


def test_events_omit_what_the_prompt_says() -> None:
    scene = replace(table(), prompt=Prompt("You win."), over=True)
    text = render(scene, events=("Seat 2 is out.", "You win."))
    assert text.count("You win.") == 1
    assert "is out." in text


def test_events_omit_what_the_last_exchange_says() -> None:
    area = Row("cards", "Cards", (Card("card 1"),))
    text = str(
        render(table(), events=("Five against two.", "You score."), exchange=Exchange(area, ["Five against two."]))
    )
    assert text.count("Five against two.") == 1
    assert text.count("You score.</li>") == 1


def test_an_exchange_has_a_slot_for_descriptions_if_they_are_allowed() -> None:
    area = Row("cards", "Cards", (Card("card 1"),))
    assert 'class="described"' not in render(table(), exchange=Exchange(area, []))
    assert '<div class="described" data-exchange="3"></div>' in render(table(), exchange=Exchange(area, [], 3))


def test_an_exchange_that_stays_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    area, drawn = Row("cards", "Cards", (Card("card of this test"),)), list[int]()

    def counted(exchange: int) -> Markup:
        drawn.append(exchange)
        return description_slot(exchange)

    monkeypatch.setattr("sparring.scene.html.description_slot", counted)
    pages = [
        render(table(), version=n, exchange=Exchange(area, ["Two against one."], 7), names=("Al", "Bo")) for n in (1, 2)
    ]
    pages.append(render(table(), version=3, exchange=Exchange(area, ["Two against one."], 7), names=("Cy", "Di")))
    assert all('data-exchange="7"' in page for page in pages)
    assert drawn == [7]
    line = Text("Two against one.")
    told = [render(table(), exchange=Exchange(area, [each], 7)) for each in (line, result(line))]
    assert told[0] != told[1], "an important sentence looks different from the same one in passing"


def test_final_scores_are_listed_best_first() -> None:
    playing = table()
    seats = tuple(
        replace(seat, tracks=(Track(f"points {seat.number}", "Points", seat.number, 3),)) for seat in playing.seats
    )
    over = replace(playing, seats=seats, over=True, prompt=Prompt("You lose."))
    scores = str(render(over, names=("Ann", "Bo"))).partition('class="scores"')[2]
    assert 0 < scores.index("Bo") < scores.index("Ann")
    assert "Points" in scores
    assert 'class="scores"' not in str(render(replace(over, over=False)))


def test_a_card_that_cannot_be_chosen_says_why() -> None:
    found = page(table(), names=("Ann", "Bo"))
    (resting,) = found.having(aria_disabled="true")
    (tip,) = found.having(role="tooltip")
    assert resting["aria-describedby"] == tip["id"]
    assert resting["type"] == "button"
    assert "Chop hurts <b>Bo</b>." in found.said


def test_cards_have_their_key_and_origin() -> None:
    found = page(table())
    (jab,) = found.having(data_key="card 1")
    assert (jab["data-from"], jab["data-face"]) == ("draw pile", "up")
    (back,) = found.having(data_key="seat 2 hand 0")
    assert back["data-face"] == "down"
    (pile,) = found.having(data_key="discard pile")
    assert pile["data-holds"] == "card 9"


def test_every_control_has_an_accessible_name() -> None:
    found = page(table(squares()), names=("Ann", "Bo"))
    assert found.having(aria_label="Jab, Red 1, circles Red, attack 3, health 4, quick", value="1")
    assert found.having(aria_label="a1, empty", value="5")
    assert found.having(aria_label="target 2: Bo", value="8")
    assert found.having(role="img", aria_label="Points 2 of 3")
    assert found.having(aria_label="c1, Bo", role="img")
    assert found.having(aria_label="c2", role="img", aria_description="Too far for now.")


def test_there_are_no_native_tooltips() -> None:
    found = page(table(squares(), hexes()), names=("Ann", "Bo"))
    assert not any(tag == "title" or "title" in attributes for tag, attributes in found.elements)


def test_there_are_no_style_attributes() -> None:
    """The pages' content security policy would refuse them."""
    assert not any("style" in attributes for _, attributes in page(table(squares(), hexes())).elements)


def test_sums_end_in_a_number_that_can_count() -> None:
    found = page(table())
    assert found.having(data_count="lane")
    assert "2 + 3 = 5" in found.said


def test_an_element_omits_empty_attributes() -> None:
    assert (
        el("p", "a & b", class_="x", title=None, hidden=True, data_key="k")
        == '<p class="x" hidden data-key="k">a &amp; b</p>'
    )


def test_a_turned_board_keeps_its_choices_and_moves_its_places() -> None:
    upright, turned = render(table(squares())), render(table(squares(2)))
    assert upright != turned
    assert upright.count("foreignObject") == turned.count("foreignObject")


MEANT = {
    "Red": "A colour.", "Quick": "Strikes first.", "Tired": "Rests.", "Edge": "Falls off.", "Points": "Three win.",
    "Attacker": "Lays the attack.",
}  # fmt: skip
WORDS = Glossary(GlossaryEntry(word, text) for word, text in MEANT.items())


def test_glossary_terms_refer_to_their_entry_and_can_have_the_focus() -> None:
    scene = table(squares())
    found = page(scene, glossary=WORDS)
    (tag,) = found.having(aria_label="Attacker", role="note")
    assert (tag["aria-describedby"], tag["tabindex"]) == ("word-attacker", "-1")
    (track,) = found.having(aria_label="Points 2 of 3")
    assert (track["aria-describedby"], track["tabindex"]) == ("word-points", "-1")
    (edge,) = (each for each in found.having(tabindex="-1", role="img") if "edge" in (each.get("class") or ""))
    assert edge["aria-describedby"] == "word-edge"


def test_a_token_has_the_focus_instead_of_its_space_unless_the_space_can_be_chosen() -> None:
    cells = (Cell((0, 0), label="a1"), Cell((1, 0), label="b1"), Cell((2, 0), label="c1", action=3, words="to c1"))
    tokens = (Token("one", (1, 0), 1, label="Seat 1 on b1"), Token("two", (2, 0), 2, label="Seat 2 on c1"))
    found = Page(boards.board_svg(Board("b", "Board", cells, tokens), SeatNames(("Anna", "Ben"))))
    assert [each["aria-label"] for each in found.having(tabindex="-1")] == ["a1", "Anna on b1"]
    assert [each["aria-label"] for each in found.having(role="img")] == ["a1", "b1", "Anna on b1", "Ben on c1"]


def test_a_card_is_described_by_its_marks_its_lines_and_its_colour() -> None:
    cards = [
        each for each in page(table(), glossary=WORDS).having(type="submit") if "card" in (each.get("class") or "")
    ]
    assert [card["aria-describedby"] for card in cards] == ["word-quick word-red", "word-tired word-quick word-red"]
    refused = page(table(), glossary=WORDS).having(aria_disabled="true")[0]
    assert refused["aria-describedby"] == "tip-card-2 word-quick word-red"


def test_without_a_glossary_only_reasons_are_described() -> None:
    described = {each.get("aria-describedby") for _, each in page(table(squares())).elements}
    assert described == {None, "tip-card-2"}


def named(*names: str) -> str:
    board = replace(squares(), labels=(Label(((0, 0), (4, 0)), "Seat 2, Seat 1 there", 2),))
    return str(render(table(Group((board,), "Seat 1")), names=names))


def test_each_page_has_its_own_players_names() -> None:
    first, second, long = named("Anna", "Ben"), named("Anne", "Bob"), named("<b>", "Benedict of Nursia")
    assert first.count("Anna") > 1 < first.count("Ben")
    assert second == first.replace("Anna", "Anne").replace("Ben", "Bob")
    assert "&lt;b&gt; there" in long
    assert long.count("textLength") == first.count("textLength") + 1, "long names are squeezed along a board"


def test_parts_are_drawn_once_for_all_tables_and_boards_cell_by_cell() -> None:
    html_parts.draw_cached.cache_clear()
    render(table(), names=("Anna", "Ben"))
    drawn = html_parts.draw_cached.cache_info().misses
    render(table(), names=("Joe", "Eve"))
    assert html_parts.draw_cached.cache_info().misses == drawn
    board = squares()
    render(table(board))
    cells = boards._cell.cache_info().misses
    render(table(replace(board, cells=(replace(board.cells[0], text="!?"), *board.cells[1:]))))
    assert boards._cell.cache_info().misses == cells + 1


def test_a_placeholder_character_in_text_is_harmless() -> None:
    assert SeatNames(["Ann"]).fill(Markup("\x1a1, \x1a2, \x1a<b>, \x1a")) == "Ann, Seat 2, <b>, "


def test_output_is_ascii_and_reads_back_unchanged() -> None:
    drawn = SeatNames(["Zoë", "名"]).fill(el("p", "2–3, ", el("b", "\x1a1 & \x1a2"), title="×"))
    assert drawn.isascii()
    page = Page(drawn)
    assert page.said == "2–3, Zoë & 名"
    assert page.having(title="×")


def test_visual_information_is_also_in_text() -> None:
    lane = Slot(key="lane 1", text="1", label="empty")
    rows = Row("row", "Your row", (lane,), "lanes"), Row("attack", "Attack")
    held = Row("hand 2", cards=(Card("a"), Card("b")), layout="small")
    seats = Seat(number=1, you=True, turn=True), Seat(number=2, parts=(held,))
    page = render(PrintableScene(game="toy", title="Toy", status="", seats=seats, prompt=Prompt("?"), middle=rows))
    assert '<span>1</span><span class="unseen">empty</span>' in page
    assert '<p class="empty"><span class="unseen">nothing</span></p>' in page
    assert 'aria-label="Seats"' in page
    assert 'aria-label="2 cards face down"' in page


def test_a_space_that_is_called_as_its_choice_is_described_once() -> None:
    cell = Cell((0, 0), name="a1", label="a1", action=0, words="a1")
    for words, described in (("a1", None), ("take a1", "take a1")):
        board = Board("board", "Board", (replace(cell, words=words),))
        [button] = [each for kind, each in Page(render(table(board))).elements if each.get("aria-label") == "a1"]
        assert button.get("aria-description") == described
