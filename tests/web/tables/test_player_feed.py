"""Player feeds: versions, beats, log and last exchange of a viewer, computed on demand."""

import random

import pytest

from sparring import games
from sparring.scene.sentences import AnyText, Text, aside, importance_of, is_result, result
from sparring.site.table_parts import table_html
from sparring.tables.state.player_feed import PlayerFeed, first_entry_of_sentence, headlines, last_exchange, sentences
from sparring.tables.state.players import Viewer
from sparring.tables.state.table import Table
from web.app_server import show_choice
from web.tables.stored_tables import stored_table


def play(table: Table, choices: int, seed: int = 1) -> None:
    """Make random choices with some undos."""
    chance = random.Random(seed)
    for _ in range(choices):
        if table.match.over:
            break
        kept = [action for action in table.match.legal() if action not in table.match.game.conceding]
        change = (
            table.take_back()
            if table.match.steps_to_take_back and chance.random() < 0.3
            else table.choice(chance.choice(kept))
        )
        table.publish(change, table.applied(change))


def viewer_of(feed: PlayerFeed) -> Viewer:
    """Return the viewer of a feed."""
    return Viewer(feed.viewer, (feed.viewer,) if feed.viewer else ())


def test_what_was_rendered_while_a_choice_came_is_not_kept() -> None:
    table = stored_table("make-your-moves")
    feed = table.feed(1)
    play(table, 1)  # the feed is a choice behind; rendering the tools brings it up to date
    assert 'data-version="1"' in table_html.at_rest(table, feed, viewer_of(feed))
    assert feed.version == 2
    assert 'data-version="2"' in table_html.at_rest(table, feed, viewer_of(feed))


def test_versions_are_stored_in_order_with_their_beats() -> None:
    table = stored_table("make-your-moves")
    for version in range(1, 8):
        show_choice(table, table.match.legal()[0])
        news = table.feed(0).after(version)
        assert news
        assert news.version == version + 1
        assert not news.beats[-1].view.beat
        assert all(beat.view.beat and not beat.view.legal for beat in news.beats[:-1])


def test_superseded_versions_have_no_prompt() -> None:
    table = stored_table("make-your-moves")
    seat = table.shown.turn_seat
    for _ in range(2):
        show_choice(table, table.match.legal()[0])
    feed = table.feed(seat)
    for version, asks in ((1, False), (2, True)):
        news = feed.after(version)
        assert news
        assert ('name="choice"' in table_html.event(table, feed, viewer_of(feed), news)) == asks


@pytest.mark.parametrize("name", ["make-your-moves", "world-of-fighters", "mace"])
def test_the_last_exchange_is_stored_per_viewer_without_a_prompt(name: str) -> None:
    table = stored_table(name)
    play(table, 150)
    for viewer in range(3):
        feed = table.feed(viewer)
        found = last_exchange(feed.results)
        assert found
        assert all(map(is_result, found.lines))
        shown = table_html.at_rest(table, feed, viewer_of(feed))
        kept = shown.partition('<section class="exchange"')[2].partition("</section></div>")[0]
        assert kept
        assert 'name="choice"' not in kept.partition('class="news"')[0]


def discard(who: str, card: str = "Jab") -> Text:
    return aside(Text("{who} discards {items}.", who=who, items=[card]))


@pytest.mark.parametrize(
    ("log", "shown"),
    [
        ([("Seat 1 attacks.",), (result(Text("A hit.")), "Turn 2.")], ["Seat 1 attacks.", "A hit.", "Turn 2."]),
        ([("Turn 1.",), (result(Text("A hit.")),), *((discard(f"Seat {n}"),) for n in range(1, 7))],
         ["Turn 1.", "A hit.", "Seat 5 discards Jab.", "Seat 6 discards Jab."]),
        ([(result(Text("A hit.")), *(f"Sentence {n}." for n in range(9)), discard("You"))],
         ["A hit.", *(f"Sentence {n}." for n in range(4, 9))]),
    ],
    ids=["causes come before results", "asides displace no results", "the newest events are kept"],
)  # fmt: skip
def test_headlines(log: list[tuple[AnyText, ...]], shown: list[str]) -> None:
    assert [*map(str, headlines(log))] == shown


@pytest.mark.parametrize("name", list(games()))
def test_events_follow_the_log_order_in_every_game(name: str) -> None:
    table = stored_table(name)
    for choice in range(60):
        if not table.match.over:
            play(table, 1, choice)
        log = table.feed(1).log
        logged = iter([line for _, line in sentences(log)])
        assert all(line in logged for line in headlines(log) if importance_of(line) != "aside")


def test_consecutive_discards_are_merged_into_one_sentence() -> None:
    log: list[tuple[AnyText, ...]] = [("Turn 2.",), (discard("Ann", "Jab"),), (discard("Ann", "Hook"),)]
    assert [(entry, str(line)) for entry, line in sentences(log)] == [(0, "Turn 2."), (1, "Ann discards Jab and Hook.")]
    assert first_entry_of_sentence(log, 2) == 1
    assert first_entry_of_sentence(log, 1) == 1
    assert first_entry_of_sentence(log, 3) == 3


def test_merged_discards_grow_while_shown() -> None:
    table = stored_table("make-your-moves")
    while not _in_a_row(feed := table.feed(0)):
        show_choice(table, table.match.legal()[0])
    news = feed.after(feed.version - 1)
    assert news
    (line,) = table_html.beat_lines(feed, news, 0)
    assert " and " in str(line)
    assert line == sentences(feed.log)[-1][1]


def _in_a_row(feed: PlayerFeed) -> bool:
    """Return whether the last choice extends the previous sentence."""
    last = len(feed.log) - 1
    return last > 0 and first_entry_of_sentence(feed.log, last) < last
