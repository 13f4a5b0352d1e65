"""The scene model: choices, faces in words, and equality."""

from scene.sample_scenes import JAB, hexes, squares, table
from sparring.scene import Card, Face


def test_every_choice_is_listed_once_in_reading_order() -> None:
    assert table().actions() == [8, 9, 1, 2, 3]
    assert table(squares()).actions() == [8, 9, 5, 6, 7, 1, 2, 3]
    assert len(set(table(hexes()).actions())) == len(table(hexes()).actions())


def test_the_words_of_a_face_include_all_printed_text() -> None:
    assert JAB.title == "Jab, Red 1, circles Red, attack 3, health 4, quick"
    assert Face("Plain").title == "Plain"


def test_scenes_that_look_the_same_are_equal() -> None:
    assert table(squares()) == table(squares())
    assert hash(table().hand[0]) == hash(table().hand[0])
    assert Card("seat 2 hand 0").face is None


def test_printing_a_scene_gives_its_text() -> None:
    assert str(table()).startswith("A Toy · Turn 3")
