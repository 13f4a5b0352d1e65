"""Pictures in sets: stored, undone, copied, shared, uploaded, and served only where they are visible."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from sample_images import photo
from sparring.engine.formats.card_pictures import PenStroke, ShapeStroke, Sketch, name_of
from sparring.engine.formats.toml import read_toml, write_toml
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.engine.schema import Drawing, ListField, RecordField, Text
from sparring.engine.views import as_data
from sparring.scene.pictures import generate_picture
from sparring.settings import Limits
from sparring.site.pages.game_pictures import gallery_of, poster
from sparring.store.schema import PictureRow
from sparring.studio.jobs.job_messages import SetContent
from sparring.studio.picture_pad import has_pictures
from sparring.studio.sandboxes import SetDraft
from sparring.studio.set_editor import editor_html
from sparring.studio.set_sandbox import draft
from sparring.tables.state.players import Player
from sparring.tutorials import lesson
from web.app_server import AppServer, Client, StartServer
from web.studio.hostile_text import mutated
from web.studio.sets import AT, addresses, change, create_set, file, put, share_link, state, step_history, upload_set

DRAWN = Sketch([PenStroke(0, 30, [100, 100, *[4, 5] * 60]), ShapeStroke(4, 11, 500, 500, 300, 45, 1)]).text


def drawn_set(client: Client, picture: str = DRAWN, name: str = "make-your-moves") -> str:
    """Create a set whose first card has a picture."""
    address = create_set(client, game=name)
    change(client, address, put(picture, *AT)).raise_for_status()
    return address


def rows(server: AppServer) -> int:
    """Return the number of stored pictures."""

    async def count() -> int:
        async with server.app.state.sets.store._store.reading() as session:
            return int((await session.scalars(select(func.count()).select_from(PictureRow))).one())

    return server.run(count())


def test_a_picture_is_stored_undone_and_removed_like_any_edit(anna: Client) -> None:
    address = drawn_set(anna)
    assert f"picture = '{DRAWN}'" in file(anna, address)
    other = Sketch([ShapeStroke(2, 1, 1, 1, 100)]).text
    step_history(anna, address, "undo").raise_for_status()
    assert "picture" not in file(anna, address)
    step_history(anna, address, "redo").raise_for_status()
    assert f"picture = '{DRAWN}'" in file(anna, address)
    change(anna, address, put(other, *AT)).raise_for_status()
    change(anna, address, put("", *AT)).raise_for_status()
    assert "picture" not in file(anna, address)


def test_a_file_with_pictures_is_downloaded_byte_for_byte(server: AppServer) -> None:
    anna, bert = server.person("Anna"), server.person("Bert")
    data = read_toml(game("make-your-moves").content_text, "own")
    for place, row in enumerate(data["cards"][:9]):
        row["picture"] = photo(colour=f"#{place}00") if place % 2 else generate_picture(row["name"], place).text
    text = "# mine\n" + write_toml(data).replace("'drawing", "  'drawing") + f'# "{DRAWN}"\n'
    address = upload_set(anna, text, "make-your-moves").headers["location"]
    assert file(anna, address) == text
    copy = bert.post(f"{share_link(anna, address)}/copy", data={"name": "Bert"}).headers["location"]
    assert file(bert, copy) == text
    anna.post(f"{address}/remove")
    assert file(bert, copy) == text
    assert state(bert, copy)["faults"] == []


@pytest.mark.parametrize(
    ("picture", "sentence"),
    [("drawing <script>alert(1)</script>", "This drawing's strokes can't be read; draw it again."),
     ("<svg onload=alert(1)>", "This is not a picture; draw or upload one in the studio."),
     ("image webp " + "A" * 40_000, "A picture must be at most 30 kB, not 40 kB."),
     (Sketch([ShapeStroke(0, 0, 1, 1, 100)] * 401).text, "A drawing must have at most 400 strokes, not 401.")],
)  # fmt: skip
def test_an_invalid_picture_is_refused_and_the_old_one_stays(picture: str, sentence: str, anna: Client) -> None:
    address = drawn_set(anna)
    before = file(anna, address)
    response = change(anna, address, put(picture, *AT))
    assert (response.status_code, response.json()["reason"]) == (422, sentence)
    assert file(anna, address) == before


def test_a_file_with_an_invalid_picture_is_stored_but_unplayable(anna: Client) -> None:
    wrong = game("make-your-moves").content_text.replace("power = 1 }", "power = 1, picture = 'drawing [9]' }", 1)
    address = upload_set(anna, wrong, "make-your-moves").headers["location"]
    assert file(anna, address) == wrong
    assert state(anna, address)["faults"] == [
        {"at": ["cards", 0, "picture"], "words": "This drawing's strokes can't be read; draw it again."}
    ]
    assert anna.post(f"{address}/play", data={"name": "Anna"}).status_code == 422


def test_two_windows_get_a_description_of_the_conflict(anna: Client) -> None:
    address = drawn_set(anna)
    response = change(anna, address, put(photo(), *AT), row_version=0)
    assert response.status_code == 409
    assert response.json()["differs"] == [
        "Card 1 (Jab), picture: an image here, a drawing of 2 strokes in the other window."
    ]  # fmt: skip


# Visibility


def test_a_picture_has_its_content_type_and_a_sandbox(anna: Client) -> None:
    for picture, kind in ((DRAWN, "image/svg+xml"), (photo(), "image/webp")):
        address = drawn_set(anna, picture)
        (path,) = addresses(anna.get(address).text)
        response = anna.get(path)
        assert response.status_code == 200
        assert response.headers["content-type"] == kind
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["cache-control"] == "private, max-age=31536000, immutable"
        assert "default-src 'none'; sandbox" in response.headers.get_list("content-security-policy")
        assert response.headers["cross-origin-resource-policy"] == "same-origin"


def test_a_picture_is_visible_with_its_set_only(server: AppServer) -> None:
    anna, bert = server.person("Anna"), server.person("Bert")
    address = drawn_set(anna)
    (path,) = addresses(anna.get(address).text)
    assert path.startswith(f"{address}/pictures/")
    assert bert.get(path).status_code == 404
    assert server.stranger().get(path).status_code == 404
    shared = share_link(anna, address)
    (theirs,) = addresses(bert.get(shared).text)
    assert theirs.startswith(f"{shared}/pictures/")
    assert bert.get(theirs).content == anna.get(path).content
    other = drawn_set(bert)
    assert bert.get(f"{other}/pictures/{path.rpartition('/')[2]}").status_code == 404, "known here, requested there"
    assert anna.get(f"{address}/pictures/{name_of(DRAWN)}").status_code == 404, (
        "knowing a picture doesn't reveal its address"
    )
    assert anna.get(f"{address}/pictures/..%2f..").status_code == 404


def test_the_picture_of_a_card_is_returned_to_its_owner(server: AppServer) -> None:
    anna, bert = server.person("Anna"), server.person("Bert")
    address = drawn_set(anna)
    at = json.dumps(list(AT))
    assert anna.get(f"/api{address}/picture?at={at}").json() == {"picture": DRAWN}
    assert anna.get(f'/api{address}/picture?at=["cards",1,"picture"]').json() == {"picture": ""}
    assert bert.get(f"/api{address}/picture?at={at}").status_code == 404
    for wrong in ("[]", '["cards",0,"name"]', '["cards",9999,"picture","x"]', "{", "[[[[]]]]", '["nothing"]'):
        assert anna.get(f"/api{address}/picture?at={wrong}").status_code == 422, wrong


@pytest.mark.parametrize("what", ["made", "brought"])
def test_another_person_gets_nothing(server: AppServer, what: str) -> None:
    address = drawn_set(server.person("Anna"))
    assert server.person("Bert").post(f"/api{address}/{what}", json={}).status_code == 404


# Storage


def test_a_picture_is_stored_once_and_deleted_with_its_last_set(start_server: StartServer) -> None:
    server = start_server()
    anna, bert = server.person("Anna"), server.person("Bert")
    one, other = drawn_set(anna), drawn_set(anna)
    for name in "ab":
        change(anna, one, put(name, "cards", 1, "name")).raise_for_status()
        change(anna, one, put(name, "cards", 2, "name")).raise_for_status()
    assert rows(server) == 1
    theirs = drawn_set(bert)
    assert rows(server) == 2
    anna.post(f"{one}/remove")
    assert rows(server) == 2
    assert DRAWN in file(anna, other)
    anna.post(f"{other}/remove")
    bert.post(f"{theirs}/remove")
    assert rows(server) == 0


def test_the_total_size_of_pictures_per_person_is_limited(start_server: StartServer) -> None:
    first, second, third = (generate_picture(name, 1).text for name in ("Jab", "Chop", "Slap"))
    server = start_server(limits=Limits(pictures_each=len(first) + len(second)))
    anna = server.person("Anna")
    address = drawn_set(anna, first)
    change(anna, address, put(second, "cards", 1, "picture")).raise_for_status()
    before = file(anna, address)
    response = change(anna, address, put(third, "cards", 2, "picture"))
    assert response.status_code == 422
    assert "Delete a set with pictures first" in response.json()["reason"]
    assert file(anna, address) == before
    assert rows(server) == 2


def test_pictures_do_not_shorten_the_history_of_a_set(server: AppServer) -> None:
    data = read_toml(game("make-your-moves").content_text, "own")
    for place, row in enumerate(data["cards"][:20]):
        row["picture"] = Sketch([*[PenStroke(0, 30, [5, 5] * 900)] * 5, ShapeStroke(0, 1, place, 1, 100)]).text
    anna = server.person("Anna")
    address = upload_set(anna, write_toml(data), "make-your-moves").headers["location"]
    for number in range(6):
        change(anna, address, put(f"Card {number}", "cards", number, "name")).raise_for_status()
    assert anna.get(f"{address}/file?version=1").text == write_toml(data)


# Tables


def pictured_table(server: AppServer) -> tuple[str, dict[str, str]]:
    """Create a table of Make Your Moves with a custom picture on every card; return the pictures by card."""
    data = read_toml(game("make-your-moves").content_text, "own")
    for row in data["cards"]:
        row["picture"] = generate_picture(row["name"], 1).text
    made = server.tables.creation.create(
        game("make-your-moves"), [Player("Anna", "Anna"), Player("Ben", "Ben")], toml=write_toml(data), seed=3
    )
    return server.run(made).id, {row["name"]: row["picture"] for row in data["cards"]}


def test_a_picture_is_served_only_once_its_card_is_visible(server: AppServer) -> None:
    table, pictures = pictured_table(server)
    anna, ben = server.person("Anna"), server.person("Ben")
    hidden = {person: addresses(client.page(table)) for person, client in (("Anna", anna), ("Ben", ben))}
    assert len(hidden["Anna"]) == len(hidden["Ben"]) == 5
    assert not hidden["Anna"] & hidden["Ben"]
    assert not addresses(server.stranger().get(f"/table/{table}?watch=true").text)
    for path in hidden["Ben"]:
        assert ben.get(path).content.startswith(b"<svg")
    mine = {name for name, picture in pictures.items() if name in ben.look(table)["scene"]}
    assert len({ben.get(path).content for path in hidden["Ben"]}) == len(mine)
    for name in [name_of(picture) for picture in pictures.values()][:8]:
        assert ben.get(f"/table/{table}/pictures/{name}").status_code == 404
    seat, client = (1, anna) if anna.look(table)["is_turn"] else (2, ben)
    other = ben if seat == 1 else anna
    for _ in range(2):
        look = client.look(table)
        card = next(one for one in look["choices"] if one["words"] not in ("pass", "done"))
        client.choose(table, card["choice"]).raise_for_status()
        seen = addresses(other.page(table))
    laid = seen - hidden["Anna" if other is anna else "Ben"]
    assert laid <= hidden["Anna" if client is anna else "Ben"]


def test_pictures_of_a_table_survive_a_restart(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server()
    table, _ = pictured_table(server)
    ben = server.person("Ben")
    before = addresses(ben.page(table))
    server.reload(table)
    assert addresses(ben.page(table)) == before
    assert all(ben.get(path).status_code == 200 for path in before)


def forget_what_was_drawn() -> None:
    """Clear the caches of the default content, which a test replaces."""
    caches: list[Any] = [gallery_of, poster, lesson._state_after]
    for kept in caches:
        kept.cache_clear()


def test_default_content_can_have_pictures(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    own = game("make-your-moves")
    data = read_toml(own.content_text, "own")
    for row in data["cards"]:
        row["picture"] = photo()
    monkeypatch.setitem(vars(own), "content", own.content_from(data, "own"))
    for kept in ("_own_setup", "_default_setup"):
        monkeypatch.delitem(vars(own), kept, raising=False)
    forget_what_was_drawn()
    anna = server.person("Anna")
    try:
        assert "data:image/webp" in anna.get("/games/make-your-moves/picture.svg").text
        (path,) = addresses(anna.get("/games/make-your-moves/learn").text)
        assert anna.get(path).content.startswith(b"RIFF")
    finally:
        for kept in ("_own_setup", "_default_setup"):
            vars(own).pop(kept, None)
        forget_what_was_drawn()


def test_bots_are_not_sent_pictures(server: AppServer) -> None:
    data = read_toml(game("make-your-moves").content_text, "own")
    for row in data["cards"]:
        row["picture"] = DRAWN
    players = [Player(bot="random", name="Bot"), Player(bot="random", name="Bot")]
    made = server.run(server.tables.creation.create(game("make-your-moves"), players, toml=write_toml(data), seed=3))
    question = server.tables.bots.question(made, made.bot)
    assert "drawing" not in json.dumps(question.content)
    assert game("make-your-moves").content_from(question.content, "it")


def test_external_bots_are_not_sent_pictures() -> None:
    data = read_toml(game("make-your-moves").content_text, "own")
    data["cards"][0]["picture"] = DRAWN
    told = as_data(Match.new("make-your-moves", seats=2, content=data).view(1))
    assert told["content"]["cards"][0]["picture"] == ""


def test_a_picture_field_gives_a_game_the_pad() -> None:
    form = RecordField("file", {"spells": ListField(RecordField("spell", {"name": Text(),
        "sketch": Drawing(title="Sketch")}),
                                          "spell", "file")})  # fmt: skip
    page = editor_html(form, {"spells": [{"name": "Fog"}, {"name": "Rain", "sketch": DRAWN}]})
    assert re.findall(r'aria-label="(\w+ the sketch)"', page) == ["Draw the sketch", "Change the sketch"]
    assert "a drawing of 2 strokes" in page
    assert "data-pad" not in editor_html(form, {"spells": [{"name": "Fog"}]}, fixed=True)
    assert has_pictures(form)
    assert not has_pictures(game("high-card").form)


def test_a_picture_does_not_change_the_balance_of_a_set() -> None:
    plain = game("make-your-moves").content_text
    drawn = plain.replace("power = 1 }", f"power = 1, picture = '{DRAWN}' }}", 1)
    other = plain.replace("power = 1 }", f"power = 1, picture = '{photo()}' }}", 1)
    assert SetContent("make-your-moves", drawn).digest == SetContent("make-your-moves", other).digest
    assert (
        SetContent("make-your-moves", drawn).digest != SetContent("make-your-moves", plain.replace("Jab", "Jib")).digest
    )


@pytest.mark.parametrize("tries", [20, pytest.param(800, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", ["five-circles", "make-your-moves", "world-of-fighters"])
def test_mutated_sets_with_pictures_are_read_drawn_or_refused(
    name: str, tries: int, capfd: pytest.CaptureFixture[str]
) -> None:
    data, dice = read_toml(game(name).content_text, "own"), random.Random(name)
    things = data["fighters" if name == "world-of-fighters" else "cards"]
    for place, row in enumerate(things):
        row["picture"] = photo() if place % 3 else generate_picture(row["name"], place).text
    text = write_toml(data)
    looked: list[list[str | int]] = [[], ["cards", 1], ["fighters", 0]]
    drafts = [draft(SetDraft(name, mutated(text, dice), at=dice.choice(looked))) for _ in range(tries)]
    read = [made for made in drafts if not made.problem]
    assert 0 < len(read) < tries
    for made in read:
        assert read_toml(made.toml, "own")
        assert "<script" not in made.preview
    assert not capfd.readouterr().err, "a parser or the editor didn't expect this"
