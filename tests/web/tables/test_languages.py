"""Two readers of one table each see it in their language: what is rendered once for many isn't shared by languages."""

from contextlib import nullcontext

from pseudo_language import pseudo_language
from sparring.server.requests.pages import PageRenderer
from sparring.site.table_parts.table_html import PAGE, at_rest
from sparring.site.text_mode import text_sections
from sparring.site.text_mode.text_routes import IN_WORDS
from sparring.tables.state.players import Viewer
from web.app_server import AppServer


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
