"""Each reader of a table sees it in their language: what is rendered once for many isn't shared by languages."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from gettext import NullTranslations
from html import unescape
from typing import Any, cast

import msgspec
import pytest

from pseudo_language import pseudo_language
from sparring.engine.hints import Hint
from sparring.engine.match import Match
from sparring.engine.messages import StoredText, reading_in, say
from sparring.server.requests.pages import PageRenderer
from sparring.site.replay.review_jobs import MatchReview
from sparring.site.table_parts.table_html import PAGE, at_rest
from sparring.site.text_mode import text_sections
from sparring.site.text_mode.text_routes import IN_WORDS
from sparring.site.texts import script_texts
from sparring.store.processes import SharedJobs
from sparring.tables.state.players import Viewer
from sparring.tables.state.table_settings import TableSettings
from sparring.tables.workers.bot_players import BotQuestion
from web.app_server import AppServer, Client, RandomBots


def test_readers_of_one_table_each_see_their_language(server: AppServer) -> None:
    table = server.run(server.tables.registry.get(server.table("Anna", "Ben")))
    server.person("Anna").choose_first(table.id)
    viewer = Viewer(1, (1,))

    def shown() -> list[object]:
        feed = table.feed(1)
        sections = text_sections.sections(table, feed, viewer)
        encoded = [each.event(table, feed, viewer, None, False) for each in (PAGE, IN_WORDS)]
        return [at_rest(table, feed, viewer), *sections, *encoded]

    texts = []
    for language in (nullcontext(), pseudo_language(), nullcontext(), pseudo_language()):
        with language:
            texts.append(shown())
    assert texts[0] == texts[2]
    assert texts[1] == texts[3]
    assert all(english != accented for english, accented in zip(texts[0], texts[1], strict=True))


def test_parts_of_pages_are_rendered_for_each_language(server: AppServer) -> None:
    renderer = PageRenderer()

    async def part(text: str) -> str:
        return await renderer.part(lambda: text, "a part")

    async def parts() -> list[str]:
        found = [await part("English")]
        with pseudo_language():
            found.append(await part("accented"))
        return [*found, await part("never rendered")]

    assert server.run(parts()) == ["English", "accented", "English"]


GAME = "make-your-moves"


class MarkedLanguage(NullTranslations):
    """Translates any template: puts a sign before it."""

    def __init__(self, sign: str) -> None:
        super().__init__()
        self.sign = sign

    def gettext(self, message: str) -> str:
        return self.sign + message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.sign + (msgid1 if n == 1 else msgid2)


#: Readers by the language that their browser asks for.
LANGUAGES = {b"en": None, b"el": MarkedLanguage("δ"), b"ru": MarkedLanguage("ж")}
SIGNS = {b"en": "", b"el": "δ", b"ru": "ж"}


@pytest.fixture(autouse=True)
def languages(server: AppServer) -> Iterator[None]:
    """Answer in the language that a request asks for."""

    def language_of(scope: Any) -> NullTranslations | None:
        return LANGUAGES[dict(scope["headers"]).get(b"accept-language", b"en")]

    usual, server.app.state.language_of = server.app.state.language_of, language_of
    yield
    server.app.state.language_of = usual


def reader(server: AppServer, name: str, language: bytes) -> Client:
    client = server.person(name)
    client.http.headers["Accept-Language"] = language.decode()
    return client


def signs(text: str) -> set[str]:
    """Return the languages in a text; empty if it is English."""
    return {sign for sign in SIGNS.values() if sign and sign in unescape(text)}


def expected(language: bytes) -> set[str]:
    return {*filter(None, SIGNS[language])}


def choose_once(server: AppServer, table: str, language: bytes = b"en") -> None:
    """Make the first choice of the player whose turn it is."""
    held = server.held(table)
    reader(server, held.players[held.chooser - 1].name, language).choose_first(table)


@pytest.fixture
def readers(server: AppServer) -> list[tuple[bytes, Client]]:
    """Spectators, who share everything that is rendered once."""
    return [(language, reader(server, f"Reader {language.decode()}", language)) for language in LANGUAGES]


def test_pages_are_in_the_language_of_each_reader(server: AppServer, readers: list[tuple[bytes, Client]]) -> None:
    table = server.table("Anna", "Ben", name=GAME)
    choose_once(server, table)
    for path in (f"/table/{table}", f"/table/{table}/text", f"/table/{table}/chat", f"/table/{table}/replay"):
        for language, client in [*readers, *readers]:  # again, from what was cached
            answer = client.get(f"{path}?watch=true")
            assert answer.is_success
            assert signs(answer.text) == expected(language), (path, language)


def test_streams_are_in_the_language_of_each_reader(server: AppServer, readers: list[tuple[bytes, Client]]) -> None:
    table = server.table("Anna", "Ben", name=GAME)
    choose_once(server, table, b"el")
    for kind in ("stream", "text_stream", "api_stream"):
        for language, client in [*readers, *readers]:
            with getattr(client, kind)(table, 1) as blocks:
                event = next(block for block in blocks if block.startswith(b"id:")).decode()
            assert signs(event) == expected(language), (kind, language)


def test_a_choice_wakes_each_reader_in_their_language(server: AppServer, readers: list[tuple[bytes, Client]]) -> None:
    """What a choice computes, it computes in the context of the player who made it."""
    table = server.table("Anna", "Ben", name=GAME)
    with ExitStack() as stack:
        streams = [
            (language, stack.enter_context(client.stream(table, client.version(table)))) for language, client in readers
        ]
        for _, blocks in streams:
            assert next(blocks).startswith(b": nothing new")
        before = server.held(table).feed(0).version
        while server.held(table).feed(0).version == before:
            choose_once(server, table, b"el")
        for language, blocks in streams:
            assert signs(next(blocks).decode()) == expected(language), language


def test_refusals_are_in_the_language_of_the_request(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name=GAME)
    for language in LANGUAGES:
        ben = reader(server, "Ben", language)
        for refused in (ben.choose(table, 0), ben.post(f"/api/table/{table}/go-on"), ben.get("/table/none")):
            assert signs(refused.text) == expected(language), refused.text


def test_notices_are_in_the_language_of_each_reader(server: AppServer, readers: list[tuple[bytes, Client]]) -> None:
    table = server.table("Anna", "", name=GAME)
    host = reader(server, "Anna", b"ru")
    with ExitStack() as stack:
        streams = [(language, stack.enter_context(client.presence_stream(table))) for language, client in readers]
        host.post(f"/api/table/{table}/seats", json={"seat": 2, "bot": "random"}).raise_for_status()
        for language, blocks in streams:
            notice = next(unescape(block.decode()) for block in blocks if b"took seat" in block)
            assert signs(notice) == expected(language), notice


def test_a_hint_is_in_the_language_of_each_page(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the suggested choice is called, where it leads, and the reason."""
    table, advise = server.table("Anna", "Ben", settings=TableSettings(hints=True)), RandomBots.advise
    match = Match.from_position({"game": "mace", "phase": "move", "player": 1, "steps": 2})
    server.held(table).deal(match)
    why = StoredText("It is {n} space closer to {who}.", "It is {n} spaces closer to {who}.", {"n": 2, "who": "Seat 2"})

    async def explained(bots: RandomBots, question: BotQuestion) -> Hint | None:
        hint = await advise(bots, question)
        return hint and replace(hint, why=why, choices=(*sorted(hint.choices, key=lambda one: one.words[:3] != "to "),))

    monkeypatch.setattr(RandomBots, "advise", explained)
    anna = reader(server, "Anna", b"el")
    anna.post(f"/api/table/{table}/hint", json={"version": anna.version(table)}).raise_for_status()
    for language in LANGUAGES:
        anna = reader(server, "Anna", language)
        for path in (f"/table/{table}", f"/table/{table}/text"):
            place, reason = re.findall(
                r"Hint: <b>.*?</b> \((.*?)\)\.</p><p class=.reason.>(.*?)</p>", unescape(anna.get(path).text)
            )[0]
            assert [signs(place), signs(reason)] == [expected(language)] * 2, (place, reason)
        assert signs(anna.look(table)["hint_reason"]) == expected(language)


def test_what_is_stored_has_no_language(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name=GAME, settings=TableSettings(hints=True))
    anna, ben = (reader(server, name, b"el") for name in ("Anna", "Ben"))
    choose_once(server, table, b"el")
    held = server.held(table)
    asking = reader(server, held.players[held.chooser - 1].name, b"el")
    asking.post(f"/api/table/{table}/hint", json={"version": asking.version(table)}).raise_for_status()
    anna.post(f"/api/table/{table}/chat", json={"word": "hello"}).raise_for_status()
    ben.post(f"/api/table/{table}/report", json={"line": 1}).raise_for_status()
    ben.post(f"/api/table/{table}/give-up").raise_for_status()
    row = server.run(server.tables.store.load(table))
    assert row is not None
    assert "gave up" in row.standing
    [report] = server.run(server.tables.chat.store.reports())
    assert '"given"' in row.hints
    assert [signs(text) for text in (row.standing, row.clocks, row.hints, report.words)] == [set()] * 4
    assert msgspec.json.decode(row.standing)


def test_what_jobs_report_has_no_language(server: AppServer) -> None:
    jobs = SharedJobs[MatchReview](server.tables.store, "review", MatchReview)
    review = MatchReview(1)

    async def work() -> None:
        review.problem = say("The table was full.")

    async def asked_for() -> None:
        with reading_in(LANGUAGES[b"el"]):
            await jobs.run("a match", review, work)

    server.run(asked_for())
    assert review.problem == "The table was full."


def test_what_browsers_keep_is_kept_apart_by_language(server: AppServer) -> None:
    anna, table = server.person("Anna"), server.table("Anna", "Ben", name=GAME)
    style = re.search('href="(/static/[^"]*)"', anna.page(table))
    assert style
    drawings = [f"/games/{GAME}/picture.svg", f"/games/{GAME}/examples/1", f"/table/{table}/picture.svg"]
    assert [anna.get(path).headers.get("Vary") for path in drawings] == ["Accept-Language, Cookie"] * 3
    assert "Accept-Language" not in anna.get(style[1]).headers.get("Vary", "")


def test_scripts_get_their_sentences_only_in_another_language(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name=GAME)
    greek, english = (reader(server, "Anna", language).page(table) for language in (b"el", b"en"))
    assert ('id="catalogue"' in greek, 'id="catalogue"' in english) == (True, False)
    assert "δYour turn: {title}" in greek.encode().decode("unicode_escape", "ignore")


def test_scripts_know_the_form_of_each_number() -> None:
    class Slavic(NullTranslations):
        def gettext(self, message: str) -> str:
            return message

        def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
            few = n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)
            return f"one {msgid1}" if n % 10 == 1 and n % 100 != 11 else "few" if few else "many"

    with reading_in(Slavic()):
        texts = script_texts()
    days = cast(dict[str, Any], texts["{n} day"])
    assert days["forms"] == ["many", "one {n} day", "few"]
    assert [days["forms"][int(days["which"][n])] for n in (5, 11, 21, 32, 113, 124)] == [
        "many", "many", "one {n} day", "few", "many", "few",
    ]  # fmt: skip
    assert len(msgspec.json.encode(texts)) < 4000, "they come with every page"
