"""Custom pictures on cards: linked on pages, embedded in print."""

import re
from pathlib import Path

import pytest

from sample_images import photo
from sparring.engine.formats.card_pictures import FillStroke, PenStroke, ShapeStroke, Sketch, name_of, read_picture
from sparring.engine.game import game
from sparring.scene import Face
from sparring.scene.card_faces import face_svg
from sparring.scene.pictures import (
    INKS,
    SHAPES,
    custom_picture,
    embed_pictures,
    generate_picture,
    inline,
    link_pictures,
    picture_file,
)


def test_a_line_is_smooth_and_ends_where_the_pen_was_lifted() -> None:
    drawn = inline(Sketch([PenStroke(2, 30, [100, 100, 100, 0, 0, 100])]).text)
    assert '<path d="M100 100Q200 100 200 150L200 200" stroke="#c3272b" stroke-width="30">' in drawn


def test_a_harder_press_draws_a_wider_line_without_a_gap() -> None:
    drawn = inline(Sketch([PenStroke(0, 50, [0, 0, 10, 0, 10, 0, 10, 0], [5, 5, 9, 9])]).text)
    widths = re.findall(r'd="M(\d+) 0.*?L(\d+) 0" stroke="#1d1a16" stroke-width="(\d+)"', drawn)
    assert widths == [("0", "20", "50"), ("10", "30", "90")]


def test_an_area_is_closed_and_filled() -> None:
    assert '<path d="M50 50Q' in (drawn := inline(Sketch([FillStroke(4, [0, 0, 100, 0, 0, 100])]).text))
    assert 'z" fill="#2160b0">' in drawn


def test_a_shape_keeps_its_position_and_outline_width_at_any_size() -> None:
    small, large = (inline(Sketch([ShapeStroke(5, 11, 300, 400, size, 45, 1)]).text) for size in (100, 1000))
    assert 'transform="translate(300 400) rotate(45) scale(-1.00 1.00) translate(-50 -50)"' in small
    assert 'stroke-width="26.00"' in small
    assert 'stroke-width="2.60"' in large


def test_unknown_shapes_and_inks_are_still_drawn() -> None:
    assert 'fill="#1d1a16"' in inline("drawing [[2,31,999,500,500,100]]")


def test_the_inks_are_those_of_the_cards() -> None:
    sheet = (Path(__file__).parents[2] / "src/sparring/scene/styles/cards.css").read_text()
    assert {ink.hex for ink in INKS} <= {*re.findall(r"--[\w-]+: (#[0-9a-f]{6});", sheet)} | {"#6b4a35"}


@pytest.mark.parametrize("name", ["five-circles", "make-your-moves", "world-of-fighters"])
def test_a_games_inks_exist(name: str) -> None:
    inks = re.findall(r"inks=\((.*?)\)", repr(game(name).form))
    assert inks
    assert all({*re.findall(r"'(\w+)'", each)} < {ink.word for ink in INKS} for each in inks)


def test_shapes_and_inks_keep_their_numbers() -> None:
    """Stored drawings refer to them by number."""
    assert [shape.word for shape in SHAPES[:12]] == [
        "circle", "egg", "dome", "square", "plank", "triangle", "diamond", "gem", "drop", "leaf", "shield", "star",
    ]  # fmt: skip
    assert (len(SHAPES), len({shape.word for shape in SHAPES})) == (46, 46)
    assert [ink.word for ink in INKS] == [
        "ink", "paper", "red", "green", "blue", "yellow", "brown", "skin", "grey", "violet", "teal", "orange",
    ]  # fmt: skip


def test_a_name_and_a_seed_determine_a_generated_picture() -> None:
    first = generate_picture("Kite Archer", 1)
    assert first == generate_picture("  kite archer", 1)
    assert first.text == read_picture(first.text).text
    assert len({generate_picture(name, seed).text for name in ("Kite Archer", "Jab") for seed in range(1, 21)}) == 40


def test_a_card_only_refers_to_its_picture() -> None:
    text = generate_picture("Jab", 1).text
    card = face_svg(Face("Jab", picture=custom_picture(text)))
    assert custom_picture("") is None
    assert f"picture:{name_of(text)}" in card
    assert "/there/secret" in link_pictures(
        card, lambda name: f"/there/{'secret' if name == name_of(text) else 'wrong'}"
    )
    assert "<path" in embed_pictures(card, {name_of(text): text}).split('class="art"')[1]
    assert "picture:" not in embed_pictures(card, {})


def test_user_text_cannot_contain_a_picture_reference() -> None:
    name = name_of("drawing []")
    card = face_svg(Face(f'<image href="picture:{name}" width="100" height="100"></image>'))
    assert link_pictures(card, lambda _: "/here") == card


@pytest.mark.parametrize(("text", "kind"), [(photo(), "image/webp"), ("drawing []", "image/svg+xml")])
def test_a_picture_can_be_a_file(text: str, kind: str) -> None:
    found, data = picture_file(text)
    assert found == kind
    assert data.startswith(b"RIFF" if kind == "image/webp" else b'<svg viewBox="0 0 1000 1000" xmlns="http')
