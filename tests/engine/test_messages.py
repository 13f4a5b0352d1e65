"""Texts: what is shown of values, also where one text is inside another."""

import pytest

from pseudo_language import pseudo_language
from sparring.engine.messages import Text, say
from sparring.scene.sentences import aside, merge_asides


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [("You attack.", "One choice: you attack."), ("Seat 2 attacks.", "One choice: Seat 2 attacks.")],
)
def test_a_sentence_inside_another_keeps_the_names_of_seats(sentence: str, shown: str) -> None:
    assert str(Text("One choice: {choice:inside}", choice=Text(sentence))) == shown


def test_names_may_have_braces() -> None:
    assert say("You play {card}.", card="{x} %s") == "You play {x} %s."


def test_asides_merge_only_lists() -> None:
    asides = [aside(Text("You draw {items}.", items=items)) for items in ("Jab", "Hook", ["Kick"], ["Sweep"])]
    assert [*map(str, merge_asides(asides))] == ["You draw Jab.", "You draw Hook.", "You draw Kick and Sweep."]


def test_cached_labels_tell_equal_values_apart() -> None:
    assert [say("{a}", a=Text("{x}", x=x)) for x in (1, 1.0, True)] == ["1", "1.0", "True"]


def test_a_text_is_shown_in_each_language_it_is_read_in() -> None:
    text = Text("You draw {card}.", card="Jab")
    with pseudo_language():
        accented = str(text)
    assert (accented, str(text)) == ("Ýóúú ðŕáŵŵ Jab.", "You draw Jab.")
