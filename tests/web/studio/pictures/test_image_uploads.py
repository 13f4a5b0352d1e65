"""Uploaded images for cards: re-encoded from their pixels, or refused with a sentence."""

import io
import random
import zlib
from collections.abc import Iterator

import httpx
import pytest
from PIL import Image

from sample_images import image_file
from sparring.engine.formats.card_pictures import LONGEST_PICTURE, Photo, image_size, read_picture
from sparring.scene.pictures import generate_picture
from sparring.settings import Limits
from sparring.studio.image_sandbox import convert
from sparring.studio.sandboxes import LARGEST, UploadedImage
from web.app_server import Client, StartServer
from web.studio.sets import AT, addresses, change, create_set, put

UNREADABLE = "This image can't be read. Choose a PNG, JPEG or WebP image."


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_an_image_is_reencoded_from_its_pixels(form: str) -> None:
    exif = Image.Exif()
    exif[0x010F], exif[0x8825] = "Spy Camera", {1: "N"}
    data = image_file(form, 900, 600, exif=exif)
    assert b"Spy Camera" in data
    made = convert(UploadedImage(data)).picture
    picture = read_picture(made)
    assert isinstance(picture, Photo)
    assert (picture.width, picture.height) == (480, 320)
    assert b"Spy" not in picture.data
    assert image_size(picture.data) == (480, 320)
    red, _, blue = Image.open(io.BytesIO(picture.data)).convert("RGB").getpixel((120, 80))  # type: ignore[misc]
    assert blue > red


def test_a_rotated_photo_is_shown_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    picture = read_picture(convert(UploadedImage(image_file("JPEG", 300, 200, exif=exif))).picture)
    assert isinstance(picture, Photo)
    assert (picture.width, picture.height) == (200, 300)


@pytest.mark.parametrize("form", ["PNG", "WEBP"])
def test_the_first_frame_of_an_animation_is_used(form: str) -> None:
    picture = read_picture(convert(UploadedImage(image_file(form, save_all=True, append=2))).picture)
    assert isinstance(picture, Photo)
    red, green, _ = Image.open(io.BytesIO(picture.data)).convert("RGB").getpixel((35, 25))  # type: ignore[misc]
    assert red > 150 > green


@pytest.mark.parametrize("form", ["PNG", "WEBP"])
def test_transparency_is_preserved(form: str) -> None:
    picture = read_picture(convert(UploadedImage(image_file(form, colour="#00000000"))).picture)
    assert isinstance(picture, Photo)
    written = Image.open(io.BytesIO(picture.data)).convert("RGBA")
    assert [written.getpixel(place)[3] for place in ((35, 25), (5, 5))] == [0, 255]  # type: ignore[index]


def test_a_detailed_image_is_compressed_enough() -> None:
    noise = Image.effect_noise((1600, 1600), 200).convert("RGB")
    written = io.BytesIO()
    noise.save(written, "JPEG", quality=60)
    assert 0 < len(convert(UploadedImage(written.getvalue())).picture) <= LONGEST_PICTURE


def hostile() -> Iterator[tuple[str, bytes, str]]:
    yield "a drawing in SVG", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", UNREADABLE
    yield "a GIF", b"GIF89a" + bytes(40), UNREADABLE
    yield "a page", b"<!doctype html><script>alert(1)</script>", UNREADABLE
    yield "half of a PNG", image_file("PNG", 400, 400)[:200], UNREADABLE
    yield "too wide", image_file("PNG", 4097, 1), "This image has 4,097 x 1 pixels; the maximum is 4,096 per side."
    huge = bytearray(image_file("PNG"))
    huge[16:24] = (60_000).to_bytes(4) * 2
    huge[29:33] = zlib.crc32(huge[12:29]).to_bytes(4)
    yield "a bomb", bytes(huge), "This image has more than 4,096 x 4,096 pixels."


@pytest.mark.parametrize(("data", "sentence"), [pytest.param(*rest, id=name) for name, *rest in hostile()])
def test_an_invalid_image_gets_one_sentence(data: bytes, sentence: str) -> None:
    assert convert(UploadedImage(data)).problem == sentence


def test_mutated_images_are_read_or_refused(capfd: pytest.CaptureFixture[str]) -> None:
    dice = random.Random(5)
    for form in ("PNG", "JPEG", "WEBP"):
        whole = image_file(form)
        for _ in range(40):
            wrong = bytearray(whole)
            for _ in range(dice.randint(1, 8)):
                wrong[dice.randrange(len(wrong))] = dice.randrange(256)
            made = convert(UploadedImage(bytes(wrong)))
            assert bool(made.picture) != bool(made.problem)
            if made.picture:
                read_picture(made.picture)
    capfd.readouterr()


def test_an_uploaded_image_becomes_the_picture_of_a_card(anna: Client) -> None:
    address = create_set(anna, game="five-circles")
    made = upload(anna, address, image_file("PNG", 64, 64)).raise_for_status().json()["picture"]
    change(anna, address, put(made, *AT), at=["cards", 0]).raise_for_status()
    (path,) = addresses(anna.get(address).text)
    assert anna.get(path).content.startswith(b"RIFF")
    for data, sentence in ((b"<svg/>", UNREADABLE), (b"", "This file is empty. Choose a PNG, JPEG or WebP image.")):
        refused = upload(anna, address, data)
        assert (refused.status_code, refused.json()["reason"]) == (422, sentence)


def upload(client: Client, address: str, data: bytes) -> httpx.Response:
    headers = {"Content-Type": "application/octet-stream"}
    return client.post(f"/api{address}/brought", content=data, headers=headers)


@pytest.mark.parametrize(
    ("more", "status", "there"),
    [
        (1, 422, "is 5.1 MB; the maximum is 5 MB."),
        (200_000, 422, "is 5.2 MB; the maximum is 5 MB."),
        (2_000_000, 413, "is larger than 5 MB."),
    ],
)
def test_an_oversized_file_gets_the_size_limit(more: int, status: int, there: str, anna: Client) -> None:
    response = upload(anna, create_set(anna), bytes(LARGEST + more))
    assert (response.status_code, response.json()["reason"]) == (status, f"This image {there}")


def test_image_uploads_are_rate_limited(start_server: StartServer) -> None:
    server = start_server(limits=Limits(pictures_at_once=1, pictures_each_hour=1))
    anna = server.person("Anna")
    address = create_set(anna)
    assert upload(anna, address, b"x").status_code == 422
    assert upload(anna, address, b"x").status_code == 429


def test_a_generated_picture_is_deterministic(anna: Client) -> None:
    address = create_set(anna)
    wanted = {"name": "Kite Archer", "seed": 3}
    responses = [anna.post(f"/api{address}/made", json=wanted).json() for _ in range(2)]
    assert responses[0] == responses[1] == {"picture": generate_picture("Kite Archer", 3).text}
