"""Pictures in content files: valid texts, messages for invalid ones, and lossless writing."""

import base64
import random
from contextlib import suppress

import pytest

from sample_images import photo
from sparring.engine.errors import BadContent
from sparring.engine.formats.card_pictures import (
    LONGEST_PICTURE,
    STROKES,
    FillStroke,
    InvalidPicture,
    PenStroke,
    Photo,
    ShapeStroke,
    Sketch,
    image_size,
    name_of,
    pictures_in,
    read_picture,
    without_pictures,
)
from sparring.engine.formats.toml import LONGEST_FILE, read_toml, write_toml
from sparring.engine.schema import Drawing, ListField, RecordField, validate

DRAWN = Sketch(
    [
        PenStroke(0, 30, [100, 100, 40, 5, 3, -60], [3, 5, 9]),
        FillStroke(2, [0, 0, 90, 0, 0, 90]),
        ShapeStroke(4, 11, 500, 500, 300, 45, 1),
    ]
)


def test_a_drawing_round_trips_and_consists_of_numbers() -> None:
    assert read_picture(DRAWN.text) == DRAWN
    assert not set(DRAWN.text.removeprefix("drawing ")) - set("0123456789-[],")


def test_an_image_round_trips() -> None:
    picture = read_picture(photo())
    assert isinstance(picture, Photo)
    assert (picture.width, picture.height) == (40, 30)
    assert picture.text == photo()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("<svg onload=alert(1)>", "This is not a picture; draw or upload one in the studio."),
     ("drawing <script>", "This drawing's strokes can't be read; draw it again."),
     ("drawing [[0,0,30,[1]]]", "This drawing's strokes can't be read; draw it again."),
     ("drawing [[0,0,30,[1,2,3]]]", "A stroke of this drawing goes too far beyond its edge."),
     ("drawing [[0,0,30,[2000,2000,2000,2000]]]", "A stroke of this drawing goes too far beyond its edge."),
     ("drawing [[2,0,1,500,500,99999]]", "This drawing's strokes can't be read; draw it again."),
     ("drawing [[7,0,1,500,500,100]]", "This drawing's strokes can't be read; draw it again."),
     ('drawing [[2,0,"x",500,500,100]]', "This drawing's strokes can't be read; draw it again."),
     ("drawing " + "[" * 2000, "This drawing's strokes can't be read; draw it again."),
     ("drawing [" + ",".join(["[2,0,1,500,500,100]"] * (STROKES + 1)) + "]",
      "A drawing must have at most 400 strokes, not 401."),
     ("drawing [" + " " * LONGEST_PICTURE + "]", "A picture must be at most 30 kB, not 30 kB."),
     ("drawing [" + " " * 41_000 + "]", "A picture must be at most 30 kB, not 41 kB."),
     ("image webp AAAA", "This image can't be read; upload it again as PNG, JPEG or WebP."),
     ("image webp ===", "This image can't be read; upload it again as PNG, JPEG or WebP."),
     (photo(600, 20), "An image on a card must have at most 512 x 512 pixels, not 600 x 20.")],
)  # fmt: skip
def test_an_invalid_picture_gets_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InvalidPicture) as refused:
        read_picture(text)
    assert str(refused.value) == sentence


def test_an_image_with_metadata_is_refused() -> None:
    for more in ({"exif": b"Exif\0\0MM"}, {"xmp": b"<x/>"}, {"save_all": True, "append": 2}):
        assert image_size(base64.b64decode(photo(**more).removeprefix("image webp "))) is None


def test_mutated_images_are_read_or_refused() -> None:
    dice, data = random.Random(1), base64.b64decode(photo().removeprefix("image webp "))
    for _ in range(2000):
        wrong = bytearray(data[: dice.randrange(len(data)) + 1])
        wrong[dice.randrange(len(wrong))] = dice.randrange(256)
        size = image_size(bytes(wrong))
        assert size is None or all(1 <= side <= 1 << 24 for side in size)


def test_mutated_drawings_are_read_or_refused() -> None:
    dice = random.Random(2)
    for _ in range(2000):
        signs = list(DRAWN.text)
        for _ in range(dice.randint(1, 5)):
            signs[dice.randrange(len(signs))] = dice.choice("0123456789-[], <\"'e.{}\\\0")
        with suppress(InvalidPicture):
            assert isinstance(read_picture("".join(signs)), Sketch)


FORM = RecordField(
    "file", {"cards": ListField(RecordField("card", {"picture": Drawing()}), "card", "file", default=())}
)


def test_a_file_with_pictures_round_trips() -> None:
    data = {"cards": [{"picture": DRAWN.text}, {"picture": photo()}, {"picture": ""}]}
    text = write_toml(data)
    assert f"picture = '{DRAWN.text}'" in text
    assert read_toml(text, "mine") == data
    assert validate(FORM, data) == (data, [])


def test_an_invalid_picture_is_a_fault_of_its_field_only() -> None:
    read, faults = validate(
        FORM, {"cards": [{"picture": "drawing [x"}, {"picture": DRAWN.text}, {"picture": 3}]}, "mine"
    )
    assert read["cards"] == [{"picture": ""}, {"picture": DRAWN.text}, {"picture": ""}]
    assert faults == [
        "mine: card 1: picture: This drawing's strokes can't be read; draw it again.",
        "mine: card 3: picture: This is not a picture; draw or upload one in the studio.",
    ]


def test_pictures_have_a_size_limit_apart_from_text() -> None:
    strokes = Sketch([PenStroke(0, 30, [5, 5] * 90)] * 30).text
    many = "".join(f"[[cards]]\npicture = '{strokes}'\n" for _ in range(40))
    assert len(many) > LONGEST_FILE
    assert len(read_toml(many, "mine")["cards"]) == 40
    with pytest.raises(BadContent, match="at most 65536 characters, not counting pictures"):
        read_toml(many + "# " + "x" * LONGEST_FILE, "mine")
    with pytest.raises(BadContent, match="at most 1000000 characters, including pictures"):
        read_toml(many * 6, "mine")
    with pytest.raises(BadContent, match="text must have at most 1000 characters"):
        read_toml(f"text = 'drawing x{'1' * 2000}'", "mine")


def test_pictures_of_content_can_be_listed_and_removed() -> None:
    content = {"cards": [{"name": "Jab", "picture": DRAWN.text}, {"name": "Chop", "picture": photo()}]}
    assert pictures_in(content) == {name_of(DRAWN.text): DRAWN.text, name_of(photo()): photo()}
    assert without_pictures(content) == {"cards": [{"name": "Jab", "picture": ""}, {"name": "Chop", "picture": ""}]}
