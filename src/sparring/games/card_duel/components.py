"""Card Duel: how cards look, the components to print, and the studio's preview of a set."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape
from typing import Any

from sparring.engine.game import GameSetup
from sparring.engine.messages import cached_by_language
from sparring.engine.options import Value
from sparring.engine.schema import validate
from sparring.scene import (
    CardCopies, Colour, CounterScale, Face, PaperCounter, PaperDeck, PaperInventory, Picture,
)  # fmt: skip
from sparring.scene.components import PreviewBar, PreviewBars, PreviewText, StatSheet
from sparring.scene.pictures import custom_picture, path
from sparring.scene.sentences import counted, say

from .card_effects import effect_of, fault
from .params import DECKS, FORM, SEATS, DuelCard
from .position import piece

TRAIT_TEXTS = {"Fast": "Fast", "Guard": "Guard"}

#: The emblem of an event by its first effect, and of a character with that effect or trait.
EMBLEMS = {
    "damage": "flame", "heal": "heart", "attack": "blade", "weaken": "cloud", "health": "tree", "shield": "shield",
    "return": "wave", "destroy": "skull", "control": "crown", "draw": "leaf", "discard": "fist", "energy": "lightning",
    "points": "star", "Fast": "wing", "Guard": "tower",
}  # fmt: skip
#: A character with neither, by its cost, the cheapest first.
PLAIN = ("boot", "ear", "horn", "helmet", "hammer", "fish", "beard")

#: Two crossed blades in a frame, the same when turned.
_BLADES = (
    '<rect width="63" height="88" rx="4" class="paper"/><rect class="frame" x="4" y="4" width="55" height="80" rx="3"/>'
    '<path class="blades" d="M18 26 45 62M18 62 45 26"/><circle class="knob" cx="31.5" cy="44" r="6"/>'
)
#: The largest letters of a name on the back, and the letters of size 1 that fit side by side.
_LARGEST, _LETTERS = 6.0, 80


@lru_cache(maxsize=64)
def back(title: str) -> Picture:
    """Return the back of the cards, with what a designer's own game is called at both ends."""
    size = min(_LARGEST, _LETTERS / max(1, len(title)))
    name = f'<text class="title" x="31.5" y="77" font-size="{size:.2f}">{escape(title)}</text>'
    turned = f'<g transform="rotate(180 31.5 44)">{name}</g>'
    return Picture("blades", f"{_BLADES}{name}{turned}" if title else _BLADES)


@lru_cache(maxsize=256)
def picture(card: DuelCard) -> Picture:
    """Return the emblem of a card without a picture."""
    said = (*(effect.does for effect in card.effects), *card.traits)
    shape = EMBLEMS[said[0]] if said else PLAIN[min(card.cost, len(PLAIN) - 1)]
    return Picture(card.name, f'<path class="emblem" d="{path(shape)}"/>')


@cached_by_language(1024)
def face(this: DuelCard, attack: int | None = None, health: int | None = None) -> Face:
    """Return the face of a card; a character in play has its current attack and health."""
    stats = (
        (say("attack"), this.attack if attack is None else attack, this.attack),
        (say("health"), this.health if health is None else health, this.health),
    )
    feet, colour = tuple((word, str(now)) for word, now, _ in stats), Colour("blue", "Character", "", "solid")
    if this.kind == "event":
        feet, colour = (), Colour("red", "Event", "", "diagonal")
    raised = tuple(word for word, now, printed in stats if now > printed)
    lowered = tuple(word for word, now, printed in stats if now < printed)
    traits = say(", ").join(say(TRAIT_TEXTS[trait]) for trait in this.traits)
    lines = (*((traits,) if traits else ()), *(effect.words for effect in this.effects))
    return Face(
        this.name, colour, str(this.cost), custom_picture(this.picture) or picture(this), lines,
        feet=feet, raised=raised, lowered=lowered,
    )  # fmt: skip


# The printed game: a deck for each player, and counters for life, points, damage and shields

#: Number of damage counters by value.
DAMAGE = {"1": 16, "3": 8}
SHIELDS = 6


def inventory(setup: GameSetup, seats: int) -> PaperInventory:
    """Return the components of a table."""
    life, points = int(setup.options["life"]), int(setup.options["points"])
    cards = setup.content.cards
    scored = setup.options["win"] == "points" or _does(setup, "points")
    kinds = [("Life", life, life)] if setup.options["win"] == "life" else []
    kinds += [("Points", points, 0)] if scored else []
    shields = (PaperCounter(title="Shield", text="S", more=SHIELDS),) if _does(setup, "shield") else ()
    return PaperInventory(
        decks=tuple(
            PaperDeck(title=f"Deck of seat {seat + 1}", back=back(setup.content.name), cards=tuple(
                CardCopies(face=face(card), components=tuple(piece(setup, seat, number, n) for n in range(copies)))
                for number, card in enumerate(cards) if (copies := card.copies_of(seat))
            ))
            for seat in range(SEATS)
        ),
        counters=(
            *(PaperCounter(title=f"Damage {text}", text=text, more=count) for text, count in DAMAGE.items()),
            *shields,
            *(PaperCounter(title=title, seat=seat + 1, more=1) for title, _, _ in kinds for seat in range(SEATS)),
        ),
        scales=tuple(CounterScale(title=title, top=top, start=start, seat=seat + 1)
                     for title, top, start in kinds for seat in range(SEATS)),
        turn=_turn(setup),
    )  # fmt: skip


def _does(setup: GameSetup, effect: str) -> bool:
    """Return whether a card of the set has an effect."""
    return any(each.does == effect for card in setup.content.cards for each in card.effects)


def _turn(setup: GameSetup) -> tuple[str, ...]:
    """Return the steps of a turn, for the reference card."""
    options = setup.options
    energy, draw = int(options["energy"]), int(options["draw"])
    grows = f"as much energy as the round, at most {energy}" if options["growth"] == "grows" else f"{energy} energy"
    hit = "takes life" if options["win"] == "life" else "scores points"
    target = "the enemy opposite" if options["combat"] == "lanes" else "an enemy (Guard first)"
    return (
        f"Take {grows}; unused energy is lost. Draw {draw}; your hand holds {options['hand_limit']}.",
        "Effects of your characters at the start of the turn.",
        f"Play cards for energy, and attack, in any order. You have {options['slots']} slots.",
        f"A ready character attacks {target} or your opponent, once. Both characters strike; damage stays.",
        f"A hit on your opponent {hit}. A new character attacks from your next turn on, unless it is Fast.",
        "Effects of your characters at the end of the turn.",
        *(["No life: you lose."] if options["win"] == "life" else []),
        *(
            [f"{counted(int(options['points']), 'point')}: you win."]
            if options["win"] == "points" or _does(setup, "points")
            else []
        ),
    )


# The studio's preview: the card being edited, its effects in words, and the decks by cost

#: The highest bar of costs; it stands for all higher ones too.
COSTS = 8


def preview(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """Yield the card being edited (`at`) with notes, and the decks by cost and kind."""
    rows = validate(FORM, data)[0]["cards"]
    number = at[1] if len(at) > 1 and isinstance(at[1], int) else 0
    edited = _card(rows[number]) if number < len(rows) else None
    if edited:
        yield face(edited)
        yield from (PreviewText(note, "note") for note in notes(edited, options))
    yield from _decks([card for card in map(_card, rows) if card])


def notes(card: DuelCard, options: Mapping[str, Value]) -> Iterator[str]:
    """Yield what a designer should know about a card under these options."""
    if card.cost > int(options["energy"]):
        yield f"It costs more than the highest energy, {options['energy']}."
    if "Guard" in card.traits and options["combat"] == "lanes":
        yield "Guard does nothing where attackers strike straight ahead."
    done = {effect.does for effect in card.effects}
    if options["win"] == "points" and any(
        each.does == "heal" and each.to in ("you", "opponent") for each in card.effects
    ):
        yield "Players have no life to heal in a match for points."
    if options["win"] == "life" and "points" in done:
        yield f"{options['points']} points win, even where hits take life."


def _card(row: object) -> DuelCard | None:
    """Return a valid row as a card; None if something essential is missing."""
    if not isinstance(row, dict) or any(row.get(key) is None for key in ("name", "kind", "cost", "attack", "health")):
        return None
    effects = [effect_of(each) for each in row.get("effects") or () if _is_complete(each)]
    return DuelCard(
        row["name"], row["kind"], row["cost"], row["attack"], row["health"], tuple(filter(None, row["traits"] or ())),
        tuple(effect for effect in effects if not fault(effect, row["kind"])[0]), row["copies"] or 1,
        row["deck"] or DECKS[0], row["picture"] or "",
    )  # fmt: skip


def _is_complete(effect: object) -> bool:
    return isinstance(effect, dict) and all(effect.get(key) is not None for key in ("when", "does", "to", "number"))


def _decks(cards: list[DuelCard]) -> Iterator[Any]:
    sizes = [sum(card.copies_of(seat) for card in cards) for seat in range(2)]
    same = all(card.deck == DECKS[0] for card in cards)
    named = [(0, "Each deck")] if same else [(0, "The deck of Seat 1"), (1, "The deck of Seat 2")]
    for seat, title in named:
        costs = Counter[int]()
        for card in cards:
            costs[min(card.cost, COSTS)] += card.copies_of(seat)
        bars = tuple(PreviewBar(f"{cost}{'+' if cost == COSTS else ''} energy", costs[cost], str(costs[cost]))
                     for cost in range(COSTS + 1))  # fmt: skip
        yield PreviewBars(f"{title}: {sizes[seat]} cards by cost", bars)
    kinds = Counter[str]()
    for card in cards:
        kinds[card.kind] += card.copies
    does = Counter(effect.does for card in cards for effect in card.effects)
    yield StatSheet("The set", ("Part", "Number"), (
        *((f"{kind.capitalize()}s, with copies", str(count)) for kind, count in kinds.items()),
        *((f"Cards with {word}", str(count)) for word, count in does.most_common()),
    ))  # fmt: skip
