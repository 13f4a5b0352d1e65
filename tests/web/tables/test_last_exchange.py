"""The last exchange, while the steps of an action are shown."""

import random

import pytest

from sparring.engine.game import game
from sparring.site.table_parts.table_html import exchange
from sparring.tables.state.players import Player
from web.app_server import AppServer, show_choice


@pytest.mark.parametrize("name", ["five-circles", "world-of-fighters"])
def test_a_step_with_an_exchange_of_its_own_hides_the_one_before(server: AppServer, name: str) -> None:
    """Such as the second blow of a round and the second lane: the one before would contradict it."""
    shown = [seen for seed in range(1, 7) for seen in server.run(shown_exchanges(server, name, seed))]
    own = [is_shown for is_shown, decides in shown if decides]
    assert len(own) > 5
    assert not any(own)


async def shown_exchanges(server: AppServer, name: str, seed: int) -> list[tuple[bool, bool]]:
    """Play a match; return for each step whether the exchange before is shown, and whether the step has its own."""
    people = [Player("Anna", "Anna"), Player("Ben", "Ben")]
    made = await server.tables.creation.create(game(name), people, options={}, seed=seed)
    dice, found = random.Random(seed), list[tuple[bool, bool]]()
    for _ in range(300):
        if made.match.over:
            break
        version = made.feed(1).version
        kept = [each for each in made.match.legal() if each not in made.match.game.conceding]
        show_choice(made, dice.choice(kept))
        feed = made.feed(1)
        news = feed.after(version)
        for number, beat in enumerate(news.beats if news else ()):
            last = exchange(feed, news, number) if news and beat.view.beat else None
            if last:
                found.append((not last.earlier, beat.view.scene.exchange is not None))
    return found
