"""Creating a table, joining, watching, rematches, and what lists and pages show."""

import re
from typing import Any

import pytest

from sparring.engine.game import game, games
from sparring.engine.match import Match
from sparring.site.pages.rules_pages import rules_html
from sparring.tables.state.chat_log import ChatFilter
from web.app_server import AppServer, Client, show_choice
from wording import says

FORM = {"name": "Anna", "seat1": "me", "seat2": "open"}


def create_table(client: Client, **form: str) -> str:
    """Create a table by the form."""
    response = client.post("/games/hush", data={**FORM, **form})
    assert response.status_code == 303, re.findall(r'role="alert">(.*?)<', response.text)
    return response.headers["location"].removeprefix("/table/")


def test_a_stranger_creates_a_table_and_joins_it(server: AppServer) -> None:
    anna = server.stranger()
    table = create_table(anna)
    cookie = anna.http.cookies.jar
    assert [
        (c.name.partition("-")[0], c.has_nonstandard_attr("HttpOnly"), c.get_nonstandard_attr("SameSite"))
        for c in cookie
    ] == [("sparring", True, "lax")]
    assert anna.look(table)["seat"] == 1
    assert f"/table/{table}" in anna.get("/").text
    assert f"/table/{table}" not in server.stranger().get("/").text


def test_options_presets_and_bots_of_the_form(server: AppServer) -> None:
    table = create_table(server.stranger(), seat2="random", seat3="random", preset="low", **{"option.hand": "2"})
    row = server.run(server.tables.registry.get(table))
    assert row.match.setup.options == {"wins": "low", "hand": 2}
    assert [player.name for player in row.players] == ["Anna", "Bolt", "Cog"]


def test_a_bot_avoids_a_persons_name_and_shows_its_strength(server: AppServer) -> None:
    anna = server.stranger()
    table = create_table(anna, name="bolt", seat2="search:level=gentle", seat3="open")
    assert [player.name for player in server.run(server.tables.registry.get(table)).players] == ["bolt", "Cog", ""]
    assert "<b>Cog</b>, Gentle bot" in anna.page(table)
    assert "<b>Cog</b>, Gentle bot" in server.stranger().page(table)


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"name": " ", "seat2": "open"}, "Please enter a name"),
        ({"name": "x" * 25}, "A name can have at most 24 characters"),
        ({"seat2": "me"}, "You can only take one seat"),
        ({"seat2": ""}, "Hush needs 2 or 3 seats, not 1."),
        ({"seat2": "deep thought"}, "There is no bot called deep thought"),
        ({"option.hand": "7"}, "hand must be a whole number from 1 to 3, not 7."),
        ({"option.speed": "7"}, "Hush has no option speed"),
        ({"preset": "wild"}, "Hush has no preset wild"),
    ],
)
def test_an_invalid_form(server: AppServer, form: dict[str, str], sentence: str) -> None:
    response = server.stranger().post("/games/hush", data={**FORM, **form})
    assert response.status_code == 422
    assert sentence in response.text
    assert "set-cookie" not in response.headers


def test_alone_with_bots_a_player_needs_no_name(server: AppServer) -> None:
    guest = server.stranger()
    table = create_table(guest, name="", seat2="random")
    players = server.run(server.tables.registry.get(table)).players
    assert [player.name for player in players if not player.bot] == ["Guest"]
    assert guest.look(table)["seat"] == 1


def test_a_mixed_strategy_bot_is_offered_in_games_that_need_one(server: AppServer) -> None:
    anna = server.stranger()
    duel, moves = (anna.get(f"/games/{name}").text for name in ("world-of-fighters", "make-your-moves"))
    assert re.search(r'<option value="mix">\s*Mixed-strategy bot<', duel)
    assert "A mixed-strategy bot" in duel
    assert "ixing" not in moves
    refused = anna.post("/games/make-your-moves", data={**FORM, "seat2": "mix"})
    assert (refused.status_code, "There is no bot called mix" in refused.text) == (422, True)
    table = anna.post("/games/world-of-fighters", data={**FORM, "seat2": "mix"})
    assert "<b>Bolt</b>, Mixed-strategy bot" in anna.page(table.headers["location"].removeprefix("/table/"))


def test_an_unknown_game(server: AppServer) -> None:
    assert server.stranger().get("/games/chess").status_code == 404
    response = server.stranger().post("/games/chess", data=FORM)
    assert (response.status_code, "There is no game called chess" in response.text) == (404, True)


def test_custom_content_is_used_and_stored_once(server: AppServer) -> None:
    own = ("cards.toml", b"values = [11, 12, 13, 14, 15, 16, 17, 18, 19]", "text/plain")
    tables = []
    for _ in range(2):
        client = server.stranger()
        response = client.post("/games/hush", data=FORM, files={"content": own})
        tables.append(response.headers["location"].removeprefix("/table/"))
        assert all(int(c["words"].split()[1]) > 10 for c in client.look(tables[-1])["choices"][:3])
    first, second = (server.run(server.tables.registry.get(table)) for table in tables)
    assert first.content == second.content is not None


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (b"values = [", "is not TOML"),
        (b"values = [1]", "values must be 9 whole numbers"),
        (b"\xff\xfe", "UTF-8 text file"),
    ],
)
def test_unplayable_content(server: AppServer, file: bytes, sentence: str) -> None:
    response = server.stranger().post("/games/hush", data=FORM, files={"content": ("mine.toml", file, "text/plain")})
    assert response.status_code == 422
    assert sentence in response.text
    assert "mine.toml" in response.text


def test_an_empty_file_field_means_no_content(server: AppServer) -> None:
    response = server.stranger().post(
        "/games/hush", data=FORM, files={"content": ("", b"", "application/octet-stream")}
    )
    assert response.status_code == 303


def test_an_overlong_upload(server: AppServer) -> None:
    big = ("big.toml", b"#" * (server.settings.longest_body + 1), "text/plain")
    assert server.stranger().post("/games/hush", data=FORM, files={"content": big}).status_code == 413


def test_the_link_invites_to_an_open_seat(server: AppServer) -> None:
    table = create_table(server.stranger())
    ben = server.stranger()
    assert "<h1>Take a seat</h1>" in ben.page(table)
    assert "<h1>Take a seat</h1>" not in ben.get(f"/table/{table}?watch=true").text
    assert ben.post(f"/table/{table}/sit", data={"name": "Ben <b>", "seat": "2"}).status_code == 303
    assert ben.look(table)["seat"] == 2
    page = ben.page(table)
    assert "Ben &lt;b&gt;" in page
    assert "Ben <b>" not in page


@pytest.mark.parametrize(
    ("form", "code"), [({"name": "Ben", "seat": "1"}, 403), ({"name": "x" * 25, "seat": "2"}, 422),
                       ({"name": "Ben", "seat": "9"}, 422)],
)  # fmt: skip
def test_an_unavailable_seat(server: AppServer, form: dict[str, str], code: int) -> None:
    anna = server.stranger()
    table = create_table(anna)
    before = anna.page(table)
    assert server.stranger().post(f"/table/{table}/sit", data=form).status_code == code
    assert anna.page(table) == before


def test_a_person_has_one_seat(server: AppServer) -> None:
    anna = server.stranger()
    table = create_table(anna)
    assert anna.post(f"/table/{table}/sit", data={"name": "Anna", "seat": "2"}).status_code == 403


def test_a_rematch_rotates_the_seats(server: AppServer) -> None:
    table = server.table("Anna", "Ben", wins="low")
    anna, ben = server.person("Anna"), server.person("Ben")
    assert anna.post(f"/table/{table}/again").status_code == 403
    anna.choose(table, "give up")
    assert "Play again" in anna.page(table)
    first = anna.post(f"/table/{table}/again").headers["location"]
    assert ben.post(f"/table/{table}/again").headers["location"] == first
    following = first.removeprefix("/table/")
    assert (anna.look(following)["seat"], ben.look(following)["seat"]) == (2, 1)
    assert server.run(server.tables.registry.get(following)).match.setup.options["wins"] == "low"
    assert f'href="{first}"' in server.stranger().page(table)
    assert server.stranger().post(f"/table/{table}/again").status_code == 403


def test_the_record_is_available_after_the_match(server: AppServer) -> None:
    table = server.table("Anna", "Ben", seed=77)
    anna = server.person("Anna")
    assert anna.get(f"/table/{table}/record").status_code == 403
    anna.choose(table, "give up")
    response = anna.get(f"/table/{table}/record")
    assert "attachment" in response.headers["content-disposition"]
    assert (again := Match.from_record(response.text)).seed == 77
    assert again.ending == "gave up"


def test_pages_allow_no_external_resources(server: AppServer, table: str) -> None:
    for path in ("/", "/games/hush", "/games/hush/rules", f"/table/{table}", "/nothing"):
        response = server.person("Anna").get(path)
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert not re.search(r' (src|href|action)="(?!/|#)', response.text)
        assert " style=" not in response.text
        assert "<script>" not in response.text


def test_terms_have_native_tooltips_without_javascript(server: AppServer, anna: Client) -> None:
    table = server.table("Anna", "Ben", name="mace")
    shown = anna.page(table).partition('id="table"')[2]
    described = re.findall(r'<[^>]* aria-describedby="word-[^>]*>(?:<title>)?', shown)
    assert [tag for tag in described if ' title="' not in tag and not tag.endswith("<title>")] == []
    assert any('title="Cards: ' in tag for tag in described)
    assert any(tag.startswith("<g") and tag.endswith("<title>") for tag in described)


def test_the_theme_is_stored(server: AppServer) -> None:
    client = server.stranger()
    response = client.post("/theme", data={"theme": "dark", "back": "/games/hush"})
    assert response.headers["location"] == "/games/hush"
    assert 'data-theme="dark"' in client.get("/").text
    assert client.post("/theme", data={"theme": '"><b', "back": "//evil.example"}).headers["location"] == "/"
    assert "data-theme" not in client.get("/").text


def test_the_form_offers_every_option_and_value(server: AppServer) -> None:
    page = server.stranger().get("/games/make-your-moves").text
    for option in game("make-your-moves").options():
        assert f'name="option.{option.name}"' in page
        assert option.help.split("’")[0] in page.replace("&#39;", "'")


def test_the_form_starts_with_the_recommended_variant(server: AppServer) -> None:
    """Five Circles with default options can end before anyone has chosen."""
    page = server.stranger().get("/games/five-circles").text
    assert re.findall(r'name="preset" value="(.*?)"( checked)?', page) == [
        ("longer", " checked"), ("standard", ""), ("by the letter", ""), ("for play", ""),
    ]  # fmt: skip
    assert says(page, "No combat", "first turn", "14 life")
    assert re.search(r'value="search:level=first-match" selected', page)
    assert 'name="preset"' not in server.stranger().get("/games/card-duel").text


def test_a_filled_in_form_keeps_its_variant(server: AppServer) -> None:
    page = server.stranger().post("/games/five-circles", data={**FORM, "name": "", "preset": "for play"}).text
    assert re.findall(r'value="([^"]*)" checked', page) == ["for play"]


def test_options_are_labelled_grouped_and_linked_to_rulings(server: AppServer) -> None:
    page = server.stranger().get("/games/mace").text
    assert '<option value="after_attack">after the attack</option>' in page
    assert re.findall(r"<legend>(.*?)</legend>", page)[3:6] == ["Pack and board", "Attack and Damage", "The end"]
    assert 'href="/games/mace/rules#R8"' in page
    rules = server.stranger().get("/games/mace/rules").text
    assert re.search(r'<tr id="R8">\s*<td>R8</td>', rules)


@pytest.mark.parametrize("name", [name for name in games() if name != "hush"])
def test_every_linked_ruling_is_on_the_rules_page(name: str) -> None:
    page = rules_html(game(name).setup(), 2, "")
    for option in game(name).options():
        for ruling in filter(None, option.ruling.split(", ")):
            assert page.count(f'<tr id="{ruling}">') == 1


def test_options_are_folded_until_one_is_set(server: AppServer) -> None:
    client = server.stranger()
    unnamed = {**FORM, "name": "", "option.forfeits": "off"}
    folded, set_once = client.get("/games/mace").text, client.post("/games/mace", data=unnamed).text
    assert re.search(r"<details>\s*<summary>Rule options", folded)
    assert re.search(r"<details open>\s*<summary>Rule options", set_once)


def test_a_table_lists_its_options(server: AppServer) -> None:
    anna = server.stranger()
    response = anna.post("/games/mace", data={**FORM, "option.forfeits": "off"})
    page = anna.get(response.headers["location"]).text
    assert "not allowed <small>(default: allowed)</small>" in page


def test_rules_have_contents_that_link_to_their_sections(server: AppServer) -> None:
    page = server.stranger().get("/games/five-circles/rules").text
    contents = re.findall(r'<li><a href="#([\w-]+)">(.*?)</a></li>', page)
    assert ("rules-how-to-play", "How to play") in contents
    assert contents[-1] == ("rules-glossary", "Glossary")
    for section, title in contents:
        assert page.count(f'<h2 id="{section}">{title}</h2>') == 1
    assert 'class="button" href="#contents"' in page


def test_the_position_format_has_its_own_page(server: AppServer) -> None:
    stranger = server.stranger()
    rules, positions = (stranger.get(f"/games/make-your-moves/{paper}").text for paper in ("rules", "positions"))
    assert "Match.from_position" in positions
    assert "Match.from_position" not in rules
    assert 'href="/games/make-your-moves/positions"' in rules
    assert 'href="/games/make-your-moves/rules"' in positions


@pytest.mark.parametrize("page", ["", "/text"])
def test_a_choice_while_a_page_is_prepared_is_on_it(
    server: AppServer, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    table_id = server.table("Anna", "Ben", name="make-your-moves")
    table = server.run(server.tables.registry.get(table_id))
    filter_for = server.tables.chat.filter_for

    async def filter_after_a_choice(*wanted: Any) -> ChatFilter:
        show_choice(table, table.match.legal()[0])
        return await filter_for(*wanted)

    monkeypatch.setattr(server.tables.chat, "filter_for", filter_after_a_choice)
    shown = server.person("Anna").get(f"/table/{table_id}{page}").text
    assert table.feed(1).version == 2
    assert set(re.findall(r'(?:data-version|name="version" value)="(\d+)"', shown)) == {"2"}


def test_the_template_for_designers_comes_last_and_leads_to_the_studio(server: AppServer) -> None:
    page = server.stranger().get("/").text
    titles = re.findall(r'<h2><a href="/games/([\w-]+)">', page)
    assert titles[-1] == "card-duel"
    assert page.index("/studio?game=card-duel") > page.index('href="/games/world-of-fighters"')
    studio = server.stranger().get("/studio?game=card-duel").text
    assert says(studio, "Design your own card duel")
    assert '<option value="card-duel" selected>' in studio
