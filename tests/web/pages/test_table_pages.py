"""Opening a table, taking seats, watching, playing again, and what lists and pages say about it."""

import re

import pytest

from sparring.engine.game import game, games
from sparring.engine.match import Match
from sparring.web.pages.rules_pages import rules_html
from web.app_server import House, Visitor
from wording import says

FORM = {"name": "Anna", "seat1": "me", "seat2": "open"}


def opened(visitor: Visitor, **form: str) -> str:
    """The table that a filled-in form opens."""
    answer = visitor.post("/games/hush", data={**FORM, **form})
    assert answer.status_code == 303, re.findall(r'role="alert">(.*?)<', answer.text)
    return answer.headers["location"].removeprefix("/table/")


def test_a_stranger_opens_a_table_and_sits_at_it(house: House) -> None:
    anna = house.stranger()
    table = opened(anna)
    cookie = anna.http.cookies.jar
    assert [(c.name, c.has_nonstandard_attr("HttpOnly"), c.get_nonstandard_attr("SameSite")) for c in cookie] == [
        ("sparring", True, "lax")
    ]
    assert anna.look(table)["seat"] == 1
    assert f"/table/{table}" in anna.get("/").text
    assert f"/table/{table}" not in house.stranger().get("/").text


def test_options_presets_and_bots_of_the_form(house: House) -> None:
    table = opened(house.stranger(), seat2="random", seat3="random", preset="low", **{"option.hand": "2"})
    row = house.run(house.tables.get(table))
    assert row.match.box.options == {"wins": "low", "hand": 2}
    assert [sitter.name for sitter in row.players] == ["Anna", "Bolt", "Cog"]


def test_a_bot_leaves_a_name_to_the_person_who_has_it_and_says_how_strong_it_is(house: House) -> None:
    anna = house.stranger()
    table = opened(anna, name="bolt", seat2="search:level=gentle", seat3="open")
    assert [sitter.name for sitter in house.run(house.tables.get(table)).players] == ["bolt", "Cog", ""]
    assert "<b>Cog</b>, Gentle bot" in anna.page(table)
    assert "<b>Cog</b>, Gentle bot" in house.stranger().page(table)


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"name": " "}, "Please enter a name"),
        ({"name": "x" * 25}, "A name can have at most 24 characters"),
        ({"seat2": "me"}, "You can only take one seat"),
        ({"seat2": ""}, "Hush needs 2 or 3 seats, not 1."),
        ({"seat2": "deep thought"}, "There is no bot called deep thought"),
        ({"option.hand": "7"}, "hand must be a whole number from 1 to 3, not 7."),
        ({"option.speed": "7"}, "Hush has no option speed"),
        ({"preset": "wild"}, "Hush has no preset wild"),
    ],
)
def test_a_form_that_cannot_be(house: House, form: dict[str, str], sentence: str) -> None:
    answer = house.stranger().post("/games/hush", data={**FORM, **form})
    assert answer.status_code == 422
    assert sentence in answer.text
    assert "set-cookie" not in answer.headers


def test_a_bot_that_mixes_is_offered_where_one_best_choice_can_be_read(house: House) -> None:
    anna = house.stranger()
    duel, moves = (anna.get(f"/games/{name}").text for name in ("world-of-fighters", "make-your-moves"))
    assert re.search(r'<option value="mix">\s*Mixed-strategy bot<', duel)
    assert "A mixed-strategy bot" in duel
    assert "ixing" not in moves
    refused = anna.post("/games/make-your-moves", data={**FORM, "seat2": "mix"})
    assert (refused.status_code, "There is no bot called mix" in refused.text) == (422, True)
    table = anna.post("/games/world-of-fighters", data={**FORM, "seat2": "mix"})
    assert "<b>Bolt</b>, Mixed-strategy bot" in anna.page(table.headers["location"].removeprefix("/table/"))


def test_no_such_game(house: House) -> None:
    assert house.stranger().get("/games/chess").status_code == 404
    answer = house.stranger().post("/games/chess", data=FORM)
    assert (answer.status_code, "There is no game called chess" in answer.text) == (404, True)


def test_own_content_is_played_with_and_kept_once(house: House) -> None:
    own = ("cards.toml", b"values = [11, 12, 13, 14, 15, 16, 17, 18, 19]", "text/plain")
    tables = []
    for _ in range(2):
        visitor = house.stranger()
        answer = visitor.post("/games/hush", data=FORM, files={"content": own})
        tables.append(answer.headers["location"].removeprefix("/table/"))
        assert all(int(c["words"].split()[1]) > 10 for c in visitor.look(tables[-1])["choices"][:3])
    first, second = (house.run(house.tables.get(table)) for table in tables)
    assert first.content == second.content is not None


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (b"values = [", "is not TOML"),
        (b"values = [1]", "values must be 9 whole numbers"),
        (b"\xff\xfe", "UTF-8 text file"),
    ],
)
def test_content_that_cannot_be_played_with(house: House, file: bytes, sentence: str) -> None:
    answer = house.stranger().post("/games/hush", data=FORM, files={"content": ("mine.toml", file, "text/plain")})
    assert answer.status_code == 422
    assert sentence in answer.text
    assert "mine.toml" in answer.text


def test_an_empty_file_field_is_no_content(house: House) -> None:
    answer = house.stranger().post("/games/hush", data=FORM, files={"content": ("", b"", "application/octet-stream")})
    assert answer.status_code == 303


def test_an_overlong_upload(house: House) -> None:
    big = ("big.toml", b"#" * (house.settings.longest_body + 1), "text/plain")
    assert house.stranger().post("/games/hush", data=FORM, files={"content": big}).status_code == 413


def test_the_link_invites_to_an_open_seat(house: House) -> None:
    table = opened(house.stranger())
    ben = house.stranger()
    assert "<h1>Take a seat</h1>" in ben.page(table)
    assert "<h1>Take a seat</h1>" not in ben.get(f"/table/{table}?watch=true").text
    assert ben.post(f"/table/{table}/sit", data={"name": "Ben <b>", "seat": "2"}).status_code == 303
    assert ben.look(table)["seat"] == 2
    page = ben.page(table)
    assert "Ben &lt;b&gt;" in page
    assert "Ben <b>" not in page


@pytest.mark.parametrize(
    ("form", "code"), [({"name": "Ben", "seat": "1"}, 403), ({"name": "", "seat": "2"}, 422),
                       ({"name": "Ben", "seat": "9"}, 422), ({"name": "Ben", "seat": "x"}, 422), ({}, 422)],
)  # fmt: skip
def test_a_seat_that_cannot_be_taken(house: House, form: dict[str, str], code: int) -> None:
    anna = house.stranger()
    table = opened(anna)
    before = anna.page(table)
    assert house.stranger().post(f"/table/{table}/sit", data=form).status_code == code
    assert anna.page(table) == before


def test_nobody_sits_twice(house: House) -> None:
    anna = house.stranger()
    table = opened(anna)
    assert anna.post(f"/table/{table}/sit", data={"name": "Anna", "seat": "2"}).status_code == 403


def test_everybody_hears_who_sat_down(house: House) -> None:
    anna = house.stranger()
    table = opened(anna)
    house.stranger().post(f"/table/{table}/sit", data={"name": "Ben", "seat": "2"})
    assert anna.version(table) == 2
    assert "Ben" in anna.page(table)


def test_a_spectator_sees_the_table_and_no_hand(house: House) -> None:
    table = house.table("Anna", "Ben")
    seen = house.stranger().look(table)
    assert (seen["seat"], seen["choices"]) == (0, [])
    assert "hand" not in seen["scene"]


def test_play_again_moves_everybody_one_seat_further(house: House) -> None:
    table = house.table("Anna", "Ben", wins="low")
    anna, ben = house.person("Anna"), house.person("Ben")
    assert anna.post(f"/table/{table}/again").status_code == 403
    anna.choose(table, "give up")
    assert "Play again" in anna.page(table)
    first = anna.post(f"/table/{table}/again").headers["location"]
    assert ben.post(f"/table/{table}/again").headers["location"] == first
    following = first.removeprefix("/table/")
    assert (anna.look(following)["seat"], ben.look(following)["seat"]) == (2, 1)
    assert house.run(house.tables.get(following)).match.box.options["wins"] == "low"
    assert f'href="{first}"' in house.stranger().page(table)
    assert house.stranger().post(f"/table/{table}/again").status_code == 403


def test_the_record_is_given_when_the_match_is_over(house: House) -> None:
    table = house.table("Anna", "Ben", seed=77)
    anna = house.person("Anna")
    assert anna.get(f"/table/{table}/record").status_code == 403
    anna.choose(table, "give up")
    answer = anna.get(f"/table/{table}/record")
    assert "attachment" in answer.headers["content-disposition"]
    assert (again := Match.from_record(answer.text)).seed == 77
    assert again.ending == "gave up"


def test_pages_are_shut_to_everything_from_elsewhere(house: House) -> None:
    table = house.table("Anna", "Ben")
    for path in ("/", "/games/hush", "/games/hush/rules", f"/table/{table}", "/nothing"):
        answer = house.person("Anna").get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert not re.search(r' (src|href|action)="(?!/|#)', answer.text)
        assert " style=" not in answer.text
        assert "<script>" not in answer.text


def test_without_a_script_whatever_explains_itself_has_a_hint(house: House) -> None:
    anna = house.person("Anna")
    table = house.table("Anna", "Ben", name="mace")
    shown = anna.page(table).partition('id="table"')[2]
    described = re.findall(r'<[^>]* aria-describedby="word-[^>]*>(?:<title>)?', shown)
    assert [tag for tag in described if ' title="' not in tag and not tag.endswith("<title>")] == []
    assert any('title="Cards: ' in tag for tag in described)
    assert any(tag.startswith("<g") and tag.endswith("<title>") for tag in described)


def test_rules_are_read_beside_the_table(house: House) -> None:
    page = house.person("Anna").page(house.table("Anna", "Ben"))
    assert "<strong>The highest total wins.</strong>" in page


def test_the_theme_is_remembered(house: House) -> None:
    visitor = house.stranger()
    answer = visitor.post("/theme", data={"theme": "dark", "back": "/games/hush"})
    assert answer.headers["location"] == "/games/hush"
    assert 'data-theme="dark"' in visitor.get("/").text
    assert visitor.post("/theme", data={"theme": '"><b', "back": "//evil.example"}).headers["location"] == "/"
    assert "data-theme" not in visitor.get("/").text


def test_the_form_offers_every_option_and_value(house: House) -> None:
    page = house.stranger().get("/games/make-your-moves").text
    for option in game("make-your-moves").kit.OPTIONS:
        assert f'name="option.{option.name}"' in page
        assert option.help.split("’")[0] in page.replace("&#39;", "'")


def test_the_form_begins_with_what_makes_a_good_first_match(house: House) -> None:
    """Five Circles by the letter can be over before somebody has chosen anything."""
    page = house.stranger().get("/games/five-circles").text
    assert re.findall(r'name="preset" value="(.*?)"( checked)?', page) == [
        ("longer", " checked"), ("by the letter", ""), ("for play", ""),
    ]  # fmt: skip
    assert says(page, "No combat", "first turn", "14 life")
    assert re.search(r'value="search:level=first-match" selected', page)
    assert 'name="preset"' not in house.stranger().get("/games/mace").text


def test_a_filled_in_form_keeps_its_variant(house: House) -> None:
    page = house.stranger().post("/games/five-circles", data={**FORM, "name": "", "preset": "for play"}).text
    assert re.findall(r'value="([^"]*)" checked', page) == ["for play"]


def test_options_have_words_stand_in_groups_and_lead_to_their_rulings(house: House) -> None:
    page = house.stranger().get("/games/mace").text
    assert '<option value="after_attack">after the attack</option>' in page
    assert re.findall(r"<legend>(.*?)</legend>", page)[3:6] == ["Pack and board", "Attack and Damage", "The end"]
    assert 'href="/games/mace/rules#R8"' in page
    rules = house.stranger().get("/games/mace/rules").text
    assert re.search(r'<tr id="R8">\s*<td>R8</td>', rules)


@pytest.mark.parametrize("name", [name for name in games() if name != "hush"])
def test_every_ruling_of_an_option_has_its_place_on_the_rules_page(name: str) -> None:
    page = rules_html(game(name), 2)
    for option in game(name).kit.OPTIONS:
        for ruling in option.ruling.split(", "):
            assert page.count(f'<tr id="{ruling}">') == 1


def test_single_options_are_folded_until_one_is_set(house: House) -> None:
    visitor = house.stranger()
    unnamed = {**FORM, "name": "", "option.forfeits": "off"}
    folded, set_once = visitor.get("/games/mace").text, visitor.post("/games/mace", data=unnamed).text
    assert re.search(r"<details>\s*<summary>Rule options", folded)
    assert re.search(r"<details open>\s*<summary>Rule options", set_once)


def test_a_table_tells_its_options_in_words(house: House) -> None:
    anna = house.stranger()
    answer = anna.post("/games/mace", data={**FORM, "option.forfeits": "off"})
    page = anna.get(answer.headers["location"]).text
    assert "not allowed <small>(default: allowed)</small>" in page


def test_rules_have_headings_in_order_and_no_title_twice() -> None:
    page = rules_html(game("make-your-moves"), 3)
    assert "<h1" not in page
    assert page.index("<h3>") < len(page)
    assert "<th></th>" not in page
    assert page.count("<td") == page.count("</td>")


def test_the_form_of_positions_has_a_page_of_its_own(house: House) -> None:
    stranger = house.stranger()
    rules, positions = (stranger.get(f"/games/make-your-moves/{paper}").text for paper in ("rules", "positions"))
    assert "Match.from_position" in positions
    assert "Match.from_position" not in rules
    assert 'href="/games/make-your-moves/positions"' in rules
    assert 'href="/games/make-your-moves/rules"' in positions
