"""World of Fighters: how cards, fighters and the ring look, the components to print, and the studio's preview."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import compress
from typing import Any

from sparring.engine.game import GameSetup
from sparring.engine.messages import cached_by_language
from sparring.engine.options import Value
from sparring.engine.rule import blank
from sparring.engine.schema import validate
from sparring.engine.squares import column_of, on_edge, row_of, square_at, square_name
from sparring.scene import (
    Board, CardCopies, Cell, Colour, CounterScale, Face, Fact, Facts, PaperCounter, PaperDeck, PaperInventory, Stroke,
    Token, replace,
)  # fmt: skip
from sparring.scene.components import PreviewText, StatSheet
from sparring.scene.sentences import Text, Voice, say

from . import art
from . import state as R
from .moves import base_value, card_of, kind_name
from .params import DECK, FORM, KINDS, RANGES, SEATS, STATS, Content, Fighter, Params, pack

#: Each kind of Action card has a colour; Movement cards are black.
INK = (
    Colour("red", "Punch", "P", "diagonal"),
    Colour("blue", "Kick", "K", "waves"),
    Colour("green", "Grapple", "G", "dots"),
    Colour("yellow", "Block", "B", "cross"),
)
STEPS = Colour("black", "Movement", "", "solid")


REACH_LINE_TEXTS = {"close": "Close reach", "long": "Long reach"}


@cached_by_language(64)
def roster_face(card: Fighter) -> Face:
    """Return the card of a fighter to pick: portrait, reach, super, stats."""
    needs = say("{card}, range {range}", card=kind_name(card.super_kind), range=card.super_range)
    lines = say(REACH_LINE_TEXTS[card.reach]), say("Super: {super}", super=card.super), needs
    return Face(
        card.name,
        INK[card.super_kind - 1],
        "",
        art.portrait(card.name, card.picture),
        lines,
        base=art.stat_strip(card.stats),
    )


@lru_cache(maxsize=64)
def portrait_face(card: Fighter) -> Face:
    """Return the portrait alone, for the panel that already shows the name."""
    return Face("", picture=art.portrait(card.name, card.picture), layout="full")


@cached_by_language(512)
def action_face(kind: int, scores: tuple[int, ...] = (), range_: int = 0) -> Face:
    """Return an Action card with its scores at range 1, 2 and 3, or the value of a Block; `range_` is highlighted."""
    strip = None
    if scores:
        strip = art.block_strip(scores[0]) if kind == R.BLOCK else art.score_strip(scores, range_)
    return Face(str(kind_name(kind)), INK[kind - 1], "", art.action_picture(KINDS[kind - 1]), base=strip)


@cached_by_language(16)
def movement_face(steps: int) -> Face:
    """Return a Movement card."""
    name = say("Move {steps}", steps=steps)
    return Face(name, STEPS, str(steps), art.movement_picture(steps), spoken_name=name)


def scores_of(setup: GameSetup, s: R.State, seat: int, kind: int) -> tuple[int, ...]:
    """Return the scores of a seat's attack at range 1, 2 and 3 (0: no attack); for a Block, its value."""
    return _scores_of(setup, int(s.fighter[seat]), kind)


@lru_cache(maxsize=512)
def _scores_of(setup: GameSetup, number: int, kind: int) -> tuple[int, ...]:
    params = setup.params
    stat = int(params.stat[number, kind])
    if kind == R.BLOCK:
        return (stat,)
    bases = [int(base_value(params, number, kind, range_)) for range_ in RANGES]
    return tuple(base + stat if base else 0 for base in bases)


@lru_cache(maxsize=512)
def score_line(scores: tuple[int, ...], range_: int) -> str:
    """Return scores at range 1, 2 and 3 in columns, with that of the current range in brackets."""
    return "".join(f"[{score or '–'}]" if n == range_ else f" {score or '–'} " for n, score in enumerate(scores, 1))


@lru_cache(maxsize=512)
def score_words(kind: int, scores: tuple[int, ...]) -> Text:
    """Return scores in words: `Kick: nothing at range 1, 3 at range 2, 4 at range 3`."""
    one, two, three = (score or Text("nothing") for score in scores)
    return Text(
        "{card}: {one} at range 1, {two} at range 2, {three} at range 3", card=kind_name(kind), one=one, two=two,
        three=three,
    )  # fmt: skip


REACH_TEXTS = {"close": "close", "long": "long"}


def in_words(card: Fighter) -> str:
    """Return a fighter's card in words, for screen readers."""
    punch, kick, grapple, block = card.stats
    return say(
        "{fighter}, {reach} reach, Punch {punch}, Kick {kick}, Grapple {grapple}, Block {block}, super {rule}",
        fighter=card.name, reach=Text(REACH_TEXTS[card.reach]), punch=punch, kick=kick, grapple=grapple, block=block,
        rule=super_rule(card),
    )  # fmt: skip


def super_rule(card: Fighter) -> Text:
    """Return a super and what it needs: `Cartwheel Kick: Kick at range 2, with 7 health or less`."""
    return Text(
        "{super}: {card} at range {range}, with {health} health or less", super=card.super,
        card=kind_name(card.super_kind), range=card.super_range, health=R.SUPER_HEALTH,
    )  # fmt: skip


@cached_by_language(2048)
def sheet(setup: GameSetup, i: int, number: int, range_: int, resting: int, state: str) -> Facts:
    """Return a fighter's scores at each range (the current range in brackets), stats, Movement cards and super.

    `state` is that of the super.
    """
    card = setup.content.fighters[number]
    scores = {kind: _scores_of(setup, number, kind) for kind in (R.PUNCH, R.KICK, R.GRAPPLE)}
    needs = {"card": kind_name(card.super_kind), "range": card.super_range, "health": R.SUPER_HEALTH}
    code, rule = say("{card}, range {range} – at {health} health", **needs), str(super_rule(card))
    if state == "used":
        code, rule = say("{card}, range {range} – used", **needs), say("{rule}, used", rule=super_rule(card))
    elif state == "ready":
        code, rule = say("{card}, range {range} – ready", **needs), say("{rule}, ready", rule=super_rule(card))
    return Facts((
        Fact(f"range {i}", say("Range"), score_line(RANGES, range_),
             say("Columns: range 1, 2 and 3; now {range}", range=range_)),
        *(Fact(f"kind {i} {kind}", say("{card} +{stat}", card=kind_name(kind), stat=card.stats[kind - 1]),
               score_line(scores[kind], range_), str(score_words(kind, scores[kind]))) for kind in scores),
        Fact(f"block {i}", say("Block"), f"-{card.block}"),
        Fact(f"reach {i}", say("Reach"), say(REACH_TEXTS[card.reach])),
        Fact(f"moves {i}", say("Moves"), " ".join(str(n) for n in (1, 2, 3) if n != resting)),
        Fact(f"super {i}", card.super, code, rule),
    ))  # fmt: skip


# The ring: its squares, the tokens, and the line that shows the range

#: The state of the token of a fighter who has lost.
DOWN_TEXT = "down"
#: Returns the fields of a thing for a choice: the choice itself, or why it is not legal.
ChoiceFields = Callable[[int], dict[str, Any]]


def ring(
    setup: GameSetup,
    s: R.State,
    voice: Voice,
    chosen: ChoiceFields,
    lost: tuple[int, int],
    lit: dict[int, tuple[str, ...]],
) -> Board:
    """Return the board.

    `lost` is the health each fighter has just lost, `lit` the keys of the Movement cards that reach a square.
    """
    rows = int(setup.params.rows)
    occupants: dict[int, list[int]] = {}
    for i in range(SEATS):
        occupants.setdefault(int(s.square[i]), []).append(i)

    def cell(square: int, bare: Cell) -> Cell:
        more = chosen(R.TO_SQUARE + square)
        if square in lit:
            more["lit_by"] = lit[square]
        if square in occupants:
            for i in occupants[square]:
                forms = "{square}, you are here", "{square}, {who} is here"
                more["label"] = str(voice.text(*forms, who=i, square=more.get("label", bare.label)))
        return replace(bare, **more) if more else bare

    def token(i: int) -> Token:
        card, square = card_of(setup, s, i), int(s.square[i])
        return Token(
            f"token {i + 1}", place(square, rows), i + 1, text=str(i + 1),
            picture=art.token(card.name, i + 1, lost[i], card.picture),
            state=DOWN_TEXT if s.over and s.payoff[i] < 0 else "",
            label=say(
                "{fighter}, {who}, on {square}", fighter=card.name, who=str(voice.item(i)), square=square_name(square)
            ),
        )  # fmt: skip

    line = Stroke("range", (place(int(s.square[0]), rows), place(int(s.square[1]), rows)), False)
    bare_cells = floor(int(setup.params.columns), rows, tuple(setup.params.red.tolist()), say("edge"), say("red"))
    cells = tuple(cell(square, bare) for square, bare in bare_cells)
    return Board("ring", say("The ring"), cells, tuple(map(token, range(SEATS))), (line,))


def place(square: int, rows: int) -> tuple[int, int]:
    """Return a square's place in the drawing, where row 1 is at the bottom."""
    return column_of(square), rows - 1 - row_of(square)


@lru_cache(maxsize=64)
def floor(columns: int, rows: int, red: tuple[int, ...], *words: str) -> tuple[tuple[int, Cell], ...]:
    """Return the squares of a ring in drawing order, without choices or tokens; `words` are those for edge and red."""

    def cell(square: int) -> Cell:
        applies, name = (on_edge(square, columns, rows), square in red), square_name(square)
        return Cell(at=place(square, rows), tone=" ".join(compress(("edge", "red"), applies)) or "floor", text=name,
                    name=name, label=", ".join([name, *compress(words, applies)]))  # fmt: skip

    squares = (square_at(column, row) for row in range(rows - 1, -1, -1) for column in range(columns))
    return tuple((square, cell(square)) for square in squares)


# The components to print: cards, fighters, ring, health


def inventory(setup: GameSetup, seats: int) -> PaperInventory:
    """Return all components; a player's base carries the figure of the fighter that the player picks."""
    params, fighters = setup.params, setup.content.fighters
    cells = tuple(
        cell for _, cell in floor(int(params.columns), int(params.rows), tuple(params.red.tolist()), "edge", "red")
    )
    return PaperInventory(
        decks=(_actions(), _movement(seats),
               PaperDeck(title="Fighters", cards=tuple(CardCopies(face=roster_face(card),
                   more=1) for card in fighters))),
        boards=(Board("ring", "The ring", cells),),
        counters=(
            *(PaperCounter(title="Base", seat=seat + 1, components=(f"token {seat}",)) for seat in range(seats)),
            *(PaperCounter(title=card.name, picture=art.figure(card.name, card.picture), more=1, stands=True)
              for card in fighters),
            *(PaperCounter(title="Health", seat=seat + 1, more=1) for seat in range(seats)),
            PaperCounter(title="Super", text="S", more=seats),
        ),
        scales=tuple(CounterScale(title="Health", top=R.HEALTH, start=R.HEALTH,
            seat=seat + 1) for seat in range(seats)),
        turn=_turn(setup),
        reference=(("Base", _base_table(setup)),),
    )  # fmt: skip


def _base_table(setup: GameSetup) -> str:
    """Return the base of every attack in words."""
    ends = (
        "1 at range 1 and 3"
        if setup.options["punch_ends"] == "both"
        else "1 at range 1 (close reach) or 3 (long reach)"
    )
    return (f"Punch: 2 at range 2, {ends}. Kick: 1 at range 2, 2 at range 3. Grapple: 2 at range 1, 1 at range 2. Add "
            "your stat. Elsewhere there is no attack.")  # fmt: skip


def _actions() -> PaperDeck:
    cards = tuple(
        CardCopies(face=action_face(kind), components=tuple(f"{KINDS[kind - 1]} {number}" for number in range(count)))
        for kind, count in zip(range(1, len(KINDS) + 1), DECK, strict=True)
    )
    return PaperDeck(title="Action cards", cards=cards, back=art.ACTION_BACK)


def _movement(seats: int) -> PaperDeck:
    cards = tuple(
        CardCopies(face=movement_face(steps), components=tuple(f"movement {steps} of {seat}" for seat in range(seats)))
        for steps in (1, 2, 3)
    )
    return PaperDeck(title="Movement cards", cards=cards, back=art.MOVEMENT_BACK)


def _turn(setup: GameSetup) -> tuple[str, ...]:
    how, stuck = ("exactly", " If you can't, you lose.") if setup.options["movement"] == "exact" else ("up to", "")
    attacks = "the first mover attacks first" if setup.options["settle"] == "order" else "both attack at the same time"
    say = "claim" if setup.options["super_call"] == "reveal" else "call"
    score = f"{R.SUPER_SCORE}{' plus your stat' if setup.options['super_score'] == 'plus' else ''}"
    return (
        "Seat 1 moves first in odd rounds, Seat 2 in even rounds.",
        "Play a Movement and an Action card face down.",
        f"Reveal Movement cards. Move {how} that many squares in a straight line.{stuck}",
        f"Reveal Action cards. Range decides the damage; {attacks}.",
        "A Block reduces an attack by your Block stat; then you may counter.",
        f"Super, once: {say} it at {R.SUPER_HEALTH} health or less. At its range it scores {score}.",
        "A super wins at once against a fighter on the light-grey edge.",
        "Discard, draw back up to 3. Your Movement card rests for a round.",
    )


# The studio's preview of a fighter: card, budget, and scores at each range


def preview(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """Yield the card of the fighter being edited (`at`), its budget next to the others', and its scores."""
    rows = validate(FORM, data)[0]["fighters"]
    number = at[1] if len(at) > 1 and isinstance(at[1], int) else 0
    whole = [row for row in rows if row and None not in row.values()]
    if number < len(rows) and rows[number] in whole:
        fighter = Fighter(**rows[number])
        yield roster_face(fighter)
        budgets = sorted(sum(row[stat] for stat in STATS) for row in whole)
        theirs = f"{budgets[0]} to {budgets[-1]}" if budgets[0] < budgets[-1] else f"{budgets[0]} each"
        yield PreviewText(f"Budget {sum(fighter.stats)}; fighters in this set have {theirs}.")
        yield StatSheet("Scores", ("Action", *(f"Range {number}" for number in RANGES)),
                    tuple(scores(fighter, options)))  # fmt: skip
        yield PreviewText(f"A Block subtracts {fighter.block} from an attack.", "note")
        yield PreviewText(f"{super_rule(fighter)}.", "note")


def scores(fighter: Fighter, options: Mapping[str, Value]) -> Iterator[tuple[str, ...]]:
    """Yield each kind of attack with its score at each range; a dash where it is out of range."""
    params = blank(Params.dtype)
    for option in Params.options:
        params[option.name] = option.number(options[option.name])
    pack(Content((fighter,)), params)
    for kind in (R.PUNCH, R.KICK, R.GRAPPLE):
        bases = (int(base_value(params, 0, kind, number)) for number in RANGES)
        yield KINDS[kind - 1], *(str(base + fighter.stats[kind - 1]) if base else "–" for base in bases)
