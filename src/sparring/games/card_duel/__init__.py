"""Card Duel, a template for card games of two players: designers write the cards and set the numbers of the rules."""

from sparring.engine.game import Credit, Game, GameSetup, modules

from . import analysis, components, params, phases, position, rules, scene, state


def max_choices(setup: GameSetup, seats: int) -> int:
    """Return the most choices in a match: in a turn, at most `MOVES` moves of up to three choices, and its end."""
    return 2 * int(setup.options["rounds"]) * (3 * state.MOVES + 1)


GAME = Game(
    name="card-duel",
    title="Card Duel",
    version=1,
    seats=(2,),
    summary="Design your own card duel: write the cards, set the numbers of the rules, and play it at once.",
    credit=Credit("Card Duel", "the Sparring authors", "a template of the Sparring project", "MIT"),
    rules=modules(rules, state, analysis),
    params=params,
    scene=modules(scene, phases),
    position=position,
    items=analysis,
    inventory=components,
    preview=components,
    reasons=analysis,
    max_choices=max_choices,
    hidden=True,
    template=True,
)
