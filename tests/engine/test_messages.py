"""Texts: what is shown of values, also where one text is inside another."""

import pickle
from gettext import NullTranslations

import msgspec
import pytest

from pseudo_language import pseudo_language
from sparring.engine.messages import StoredText, Text, as_text, reading_in, say
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


class NamesFirst(NullTranslations):
    """A language whose sentences begin with the name; as with catalogues of gettext, it can't be pickled."""

    def __init__(self) -> None:
        super().__init__()
        self.plural = lambda n: n != 1

    def gettext(self, message: str) -> str:
        return {"Your blow hits {who}.": "{who} wird getroffen."}.get(message, message)


def test_a_name_that_comes_first_only_in_the_translation_keeps_its_capital() -> None:
    with reading_in(NamesFirst()):
        assert say("Then {what:inside}", what=Text("Your blow hits {who}.", who="Ash")) == "Then Ash wird getroffen."


def test_a_copied_text_leaves_its_language_behind() -> None:
    text = Text("Your blow hits {who}.", who="Ash")
    with reading_in(NamesFirst()):
        shown = str(text)
        copied = pickle.loads(pickle.dumps(text))
        assert (copied, str(copied)) == (text, shown)
    assert str(copied) == "Your blow hits Ash."


@pytest.mark.parametrize(
    "text",
    [
        Text("You attack."),
        Text("{n} card", "{n} cards", n=2),
        Text("Then {what:inside}", what=Text("You play {items:or}.", items=["Jab", Text("a {kind}", kind="Block")])),
        Text("You win by {points:+d}.", points=3),
        as_text("You play {Jab}."),
    ],
)
def test_a_stored_text_says_the_same(text: Text) -> None:
    stored = msgspec.json.decode(msgspec.json.encode(StoredText.of(text)), type=StoredText)
    assert stored.is_complete
    assert str(stored.text) == str(text)


def test_a_stored_text_has_no_language() -> None:
    text = Text("Only one target: {choice:inside}", choice=Text("You attack {who}.", who="Ash"))
    with pseudo_language():
        stored = StoredText.of(text)
        assert str(stored.text) == str(text) != "Only one target: you attack Ash."
    assert str(stored.text) == "Only one target: you attack Ash."


@pytest.mark.parametrize("template", ["{x:9999999999}", "{0}", "{x.__class__}", "{x[0]}", "{x!r}", "{}", "{"])
def test_a_hostile_template_is_not_read(template: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode({"template": template, "values": {"x": 1}}), type=StoredText)
