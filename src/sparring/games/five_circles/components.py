"""Five Circles: the names of cards, their faces and drawings, and the printed components.

The drawings are our own pencil lines on a 100 x 100 grid. A drawing is a list of strokes separated by `|`: `t` in the
card's colour, `p` paper, `k` ink, `n` lines only; then an SVG path, or `o` with centre and radius for a circle. A
designed card with another name gets the emblem of its colour.

"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from sparring.engine.cards import in_order
from sparring.engine.game import SPECTATOR, GameSetup
from sparring.engine.messages import cached_by_language
from sparring.engine.types import Numbers
from sparring.scene import CardCopies, Colour, CounterScale, Face, PaperCounter, PaperDeck, PaperInventory, Picture
from sparring.scene.patterns import fill
from sparring.scene.pictures import custom_picture, path
from sparring.scene.sentences import Text, mention, say

from .abilities import ABILITIES, ARRANGE, DISCARD, NOTHING, Ability
from .designs import CIRCLES, POINTS, Design, Resource
from .queries import count_decks, deck_of, discard_of
from .state import (
    BLUE_ONLY, COLOURS, EVERY_TURN, HOLD, LANE, OPTIONS, OWN, PICK, RESOURCE, SEATS, SIDE, SLOTS, TARGET, TOP, USE,
    State,
)  # fmt: skip

#: The card back: five circles in a ring, twice, so that a turned card is not marked; and the filter that makes lines
#: look drawn by hand.
RING = (
    '<circle class="tone-red" cx="31.5" cy="25" r="8"/><circle class="tone-blue" cx="48" cy="38" r="8"/>'
    '<circle class="tone-green" cx="42" cy="58" r="8"/><circle class="open" cx="21" cy="58" r="8"/>'
    '<circle class="open" cx="15" cy="38" r="8"/>'
)
BACK = Picture(
    "circles",
    '<filter id="by-hand" x="-20%" y="-20%" width="140%" height="140%"><feTurbulence baseFrequency=".04" numOctaves="2" seed="7"/>'
    '<feDisplacementMap in="SourceGraphic" scale="3"/></filter>'
    '<rect width="63" height="88" rx="4" class="paper"/><path class="frame" d="M4 5q27-2 55 0 1 38 0 78-27 2-55 0-1-38 0-78z"/>'
    + "".join(f'<g class="ring" transform="{turn}translate(31.5 25) scale(.62) translate(-31.5 -43)">{RING}</g>'
              for turn in ("", "rotate(180 31.5 44) ")),
)  # fmt: skip

TONES = ("tone-red", "tone-blue", "tone-green")


@lru_cache(maxsize=256)
def picture(name: str, colour: int) -> Picture:
    """Return the drawing of a card: its own, or the emblem of its colour."""
    strokes = DRAWINGS.get(name.casefold()) or EMBLEMS[colour]
    return Picture(name, f'<g class="{TONES[colour]}">{"".join(map(stroke, strokes.split("|")))}</g>')


def stroke(written: str) -> str:
    """Return one stroke as SVG."""
    kind, _, shape = written.strip().partition(" ")
    if shape.startswith("o"):
        x, y, r = shape[1:].split()
        return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{r}"/>'
    return f'<path class="{kind}" d="{shape}"/>'


#: By colour: crossed swords, a shield, a leaf.
EMBLEMS = (
    "n M20 86 78 16M62 16h18v16M80 86 22 16M38 16H20v16M14 76l14 14M72 90l14-14 | t o50 51 7",
    f"t {path('shield')} | n M50 14v78M18 46h64",
    f"t {path('leaf')} | n M14 92Q40 50 70 32M40 62l-4-18M52 48l18 4",
)

DRAWINGS = {
    "red resource": f"t {path('gem')} | n M12 44h76M36 44l14 46 14-46M30 18l6 26 14-26 14 26 6-26",
    "blue resource": f"t {path('drop')} | n M34 62q2 16 16 19",
    "green resource": "k M45 64h10v32H45z | t M50 8q32 4 30 34-6 26-30 26T20 42Q18 12 50 8z | n M34 36q7-9 13 0M54 48q7-9 13 0M42 56q4-6 9 0",
    "matchstick imp": "n M50 58V86M50 66 28 56M50 66 72 56M50 86 36 98M50 86 64 98 | t M50 4q26 24 16 43-5 13-16 13t-16-13Q24 28 50 4z | k o43 42 3 | k o57 42 3 | n M42 50q8 6 16 0",
    "pebble crab": "n M24 54 10 42M76 54l14-12M30 80l-9 13M70 80l9 13M44 84l-4 12M56 84l4 12M42 38V24M58 38V24 | t M18 64q0-28 32-28t32 28q-6 20-32 20t-32-20z | p M10 42q-10-12 1-22 1 8 7 8 5-3 4-10 11 12 0 22z | p M90 42q10-12-1-22-1 8-7 8-5-3-4-10-11 12 0 22z | k o42 21 4 | k o58 21 4 | n M42 62q8 7 16 0",
    "clover hare": "p M36 46Q22 6 35 5t12 36zM54 41Q54 4 66 5t-3 41z | p o50 60 24 | k o42 56 3 | k o58 56 3 | n M45 67q5 5 10 0M50 67v-5M28 64H14M29 70l-14 5M72 64h14M71 70l14 5 | t o44 86 6 | t o56 86 6 | t o50 79 6 | n M50 88v10",
    "kite archer": "t M30 6 54 32 30 62 8 32z | n M30 6v56M8 32h46M30 62q12 8-2 16t4 18 | n M64 20q32 30 0 66zM40 53h50M80 46l11 7-11 7",
    "hedge warden": "n M82 94V26 | p M82 6l-8 20h16z | p o48 36 19 | p M28 33q2-25 20-25t20 25z | t M6 96V56q6-11 13 0 6-13 14 0 7-13 15 0 8-13 15 0 8-12 13 0v40z | k o41 43 3 | k o55 43 3",
    "quickstep fox": "t M22 58Q-4 48 6 24q14 5 20 28z | n M28 74 14 92M40 76l2 18M56 76l10 16M62 72l20 14 | t M18 58q30-14 50 0l-4 18H24z | t M62 60 60 32l11 9 12-2 10 18-15 16z | k o78 54 3 | k o92 58 2 | n M2 84h10M0 72h9",
    "market bear": "t o31 16 9 | t o69 16 9 | p o50 34 24 | t M20 98q0-38 30-38t30 38z | k o41 32 3 | k o59 32 3 | k M45 42h10l-5 6z | p o70 64 7 | p o83 64 7 | p M60 70h34l-5 24H65z | n M62 80h29M72 70l2 24M84 70l-2 24",
    "mirror newt": "n M50 78v18M36 97h28 | p M50 5q31 0 31 37T50 79 19 42 50 5z | t M34 50q0-24 16-24t16 24q-4 15-16 15t-16-15z | k o43 41 3 | k o57 41 3 | n M43 53q7 5 14 0M26 32l9-14M74 54l-8 14",
    "moonlit medic": "t M74 6Q50 10 52 34t32 22Q68 70 50 58T44 18 74 6z | p M14 98q2-32 24-32t24 32z | p o38 52 15 | k o33 51 2 | k o44 51 2 | n M33 58q5 4 10 0M38 76v16M30 84h16",
    "tin-opener ogre": "t M14 98V60q0-36 30-36t30 36v38z | k o34 46 3 | k o54 46 3 | n M25 38l14 4M63 38l-14 4M28 68h32 | p M32 68l4-12 4 12zM48 68l4-12 4 12z | n M88 98V30M88 32q-14-2-12-18 10-4 16 8M80 44h15",
    "iron tortoise": "p M80 62q4-18 16-10 4 14-7 20l-9-2z | p M20 70h17v17H20zM62 70h17v17H62z | t M10 70q0-44 38-44t38 44z | n M32 31l6 39M64 31l-6 39M14 52h68 | k o24 62 2 | k o48 62 2 | k o72 62 2 | k o90 60 2",
    "lighthouse gunner": "n M72 26l22-9M72 34h24M28 26 6 17M28 34H4 | t M36 22l14-16 14 16z | p M36 22h28v15H36z | p M36 92l6-55h16l6 55z | t M40 56h20l2 16H38z | k M58 78h30v9H58z | n M2 95q8-7 16 0t16 0 16 0 16 0 16 0 16 0",
    "smoke dancer": "t M52 97q-34-5-22-29 8-14 19-14t15-13q-2-15-17-13 6-23 27-15 21 14 9 38-9 13-5 23 4 20-26 23z | k o63 28 3 | k o75 28 3 | n M62 37q6 5 13 0M14 34q8-8 13 3M8 54q8-8 13 3M84 78q8-8 12 2",
    "old oak king": "t M10 52Q4 26 28 26q8-14 24-8 22-10 28 10 18 8 8 26-12 12-28 4-12 8-24 0-18 6-26-6z | p M38 56h25l7 42H31z | k o45 70 3 | k o57 70 3 | n M44 82q7 5 14 0 | p M34 24l-5-18 12 9 9-13 9 13 12-9-5 18z",
    "rust beetle": "n M26 46l-16-9M24 60H7M28 76l-17 11M74 46l16-9M76 60h17M72 76l17 11M42 10 33 2M58 10l9-8 | k M33 28q4-20 17-20t17 20z | t M50 24q27 0 27 35T50 95 23 59 50 24z | n M50 24v71 | p o38 54 4 | p o62 60 4 | p o40 76 4",
    "puddle frog": "t M12 74q2-34 38-34t38 34q-12 14-38 14T12 74z | p o31 35 12 | p o69 35 12 | k o31 35 4 | k o69 35 4 | n M28 64q22 14 44 0M4 92q10-7 20 0t20 0 20 0 20 0 14 0",
    "acorn squire": "p M28 46h44q2 36-22 50Q26 82 28 46z | t M20 46q4-30 30-30t30 30z | n M50 16V5M36 22l8 22M64 22l-8 22 | k o42 60 3 | k o58 60 3 | n M43 71q7 6 14 0M88 94V46M80 82h16",
    "spark witch": "t M50 2 70 48H30z | p M32 56q0 32 18 32t18-32z | t M10 54q40-16 80 0-40 12-80 0z | k o43 66 3 | k o57 66 3 | n M44 76q6 5 12 0 | p M84 64l4 10 10 2-8 7 2 11-8-6-10 5 4-10-8-8 11-1z",
    "drummer girl": "p o50 26 18 | k M31 26q-2-22 19-22t19 22q-8-9-19-9t-19 9z | k o44 28 2 | k o56 28 2 | n M45 35q5 4 10 0 | t M22 58h56v32q-28 12-56 0z | p M22 58q28-13 56 0-28 13-56 0z | n M32 65l9 29M60 66l8 27M38 56 16 38M62 56l22-18",
    "lullaby owl": "t M22 42L24 8l14 8q12-4 24 0l14-8 2 34v26q-4 27-28 27T22 68z | p o37 38 13 | p o63 38 13 | n M29 40q8 6 16 0M55 40q8 6 16 0M36 72q5 6 9 0 6 6 11 0 4 6 9 0 | k M45 50h10l-5 9z | k o88 34 4 | n M92 34V16l7 4",
    "pin hornet": "n M32 64 6 94M78 46l12-12M74 42l6-16 | p M42 42Q16 10 34 7t20 31zM60 38q4-34 18-29t-6 34z | t M28 48q24-22 52-2 2 24-20 31-24 2-32-29z | n M44 40l-2 35M60 38l2 38 | k o72 52 3",
    "fog shepherd": "n M78 98V36q0-17 10-17t7 14 | p o40 32 15 | t M20 27q20-9 40 0L50 6H31z | t M14 94q0-46 26-46t26 46z | k o35 34 2 | k o45 34 2 | n M2 62q10-9 20 0t20 0 20 0 14 0M0 78q10-9 20 0t20 0 20 0 14 0",
    "powder mule": "n M22 76v20M34 76v20M50 76v20M60 74v22M70 28 64 8l12 15M82 30l3-21 5 21M14 56 4 72 | p M14 54q26-14 50 0v24H14z | p M56 56l12-32 22 10-4 16-18 14z | t M24 34h30v22H24z | n M24 41h30M24 49h30M54 38q10-6 5-17 | k o80 38 3",
    "war horn giant": "t M38 98q-2-38 28-42 30 0 32 42z | p o68 42 19 | n M50 28q-10-8-4-20M86 28q10-8 4-20 | t M48 34q4-20 20-20t20 20z | k o64 42 3 | k o77 42 3 | p M4 36q30-4 52 16l-4 12Q30 54 6 62z | n M20 36l3 22",
    "still water monk": "p o50 24 17 | t M22 76q2-35 28-35t28 35z | p M10 80q40-16 80 0-40 16-80 0z | n M40 25h6M54 25h6M45 33q5 4 10 0M28 66q20 8 44 0M2 94q48-10 96 0",
    "caravan master": "n M78 66h20M90 66V54 | p M10 60V42q32-38 68 0v18z | t M8 58h72v16H8z | n M26 32v26M44 24v34M62 32v26 | p o26 82 13 | p o62 82 13 | n M26 69v26M13 82h26M62 69v26M49 82h26",
    "glacier knight": "t M22 98l6-48h44l6 48z | p M28 52V32Q28 8 50 8t22 24v20z | k M33 32h34v8H33z | n M50 40v12M50 8V0M6 98l7-26 9 26 | p M64 58h30v16q-2 16-15 22-13-6-15-22z | n M79 64v24M70 74h18",
    "starlit surgeon": "t M50 2l9 19 21 2-16 14 5 21-19-11-19 11 5-21-16-14 21-2z | p M22 98q2-26 28-26t28 26z | p o50 60 15 | k o44 58 2 | k o56 58 2 | p M37 63h26v8q-13 9-26 0z | n M86 98 94 66",
}


# Faces

INK = (
    Colour("red", "Red", "R", "diagonal"),
    Colour("blue", "Blue", "B", "waves"),
    Colour("green", "Green", "G", "dots"),
)


@cached_by_language(1024)
def face(
    card: Design, attack: int, health: int, initials: str, raised: tuple[str, ...] = (), lowered: tuple[str, ...] = ()
) -> Face:
    """Return the face of a character; in play, with its current attack and health, and which of them have changed."""
    circles = (*(INK[colour] for colour in sorted(card.circles)), *[None] * CIRCLES)[:CIRCLES]
    most = max(range(3), key=card.cost.__getitem__)
    drawn = custom_picture(card.picture) or picture(card.title, most)
    return Face(card.title, None, "", drawn, tuple(card.abilities), circles,
                ((say("attack"), str(attack)), (say("health"), str(health))), raised, lowered, initials=initials)  # fmt: skip


@cached_by_language(256)
def resource_face(resource: Resource, initials: str) -> Face:
    """Return the face of a resource."""
    colour = COLOURS.index(resource.colour)
    art = custom_picture(resource.picture) or picture(f"{resource.colour} resource", colour)
    name = resource.name if resource.drawn else say(resource.colour)
    return Face(name, INK[colour], "", art, initials=initials)


def in_words(resource: Resource) -> str:
    """Return `Red resource`, or `Ruby, Red resource` for a drawn one."""
    if resource.drawn:
        return say("{card}, {colour} resource", card=resource.name, colour=resource.colour)
    return say("{colour} resource", colour=resource.colour)


# Names of cards


def design(setup: GameSetup, card: int) -> Design:
    """Return the design of a character."""
    found: Design = setup.content.cards[int(setup.params.card_design[card])]
    return found


def name(setup: GameSetup, card: int) -> str:
    """Return a card's name: a character's, or the colour of a resource."""
    return COLOURS[card - RESOURCE] if card >= RESOURCE else str(design(setup, card).name)


def ability_in(setup: GameSetup, card: int, slot: int) -> Ability | None:
    """Return the ability in a slot of a character, if there is one."""
    number = int(setup.params.card_ability[card, slot])
    return ABILITIES[number] if number >= 0 else None


def used_ability(setup: GameSetup, action: int) -> Ability | None:
    """Return the ability that a choice uses, if any."""
    return ability_in(setup, *divmod(action - USE, SLOTS)) if USE <= action < TARGET else None


def row(s: State, seat: int) -> Iterator[tuple[int, int]]:
    """Yield a seat's characters in play as (lane, card), from lane 1 outward."""
    for lane in range(1, int(s.last[seat]) + 1):
        if s.row[seat * SIDE + lane]:
            yield lane, int(s.row[seat * SIDE + lane]) - 1


def in_lane(s: State, seat: int) -> int:
    """Return the character of a seat in the lane that is fought, or -1; combat begins with lane 0, before the first."""
    return int(s.row[seat * SIDE + s.lane]) - 1 if s.window == LANE and s.lane else -1


def seat_of(s: State, card: int) -> int:
    """Return the seat in whose row a character is, or -1."""
    return int(s.at[card]) // SIDE if s.at[card] else -1


def told_apart(setup: GameSetup, s: State, card: int, seat: int) -> tuple[bool, int]:
    """Return by what a character in play differs from others of its name: that it is an enemy, and its lane or 0."""
    alike = {other: lane for side in range(SEATS) for lane, other in row(s, side)
             if setup.params.card_design[other] == setup.params.card_design[card]}  # fmt: skip
    side = seat_of(s, card)
    mine = [other for other in alike if seat_of(s, other) == side]
    return side != seat and len(mine) < len(alike), alike.get(card, 0) if len(mine) > 1 else 0


def name_in_play(setup: GameSetup, s: State, card: int, seat: int) -> str:
    """Return an unambiguous name for a character in play: `Kite Archer`, `enemy Kite Archer`, `Kite Archer lane 2`."""
    is_enemy, lane = told_apart(setup, s, card, seat)
    return f"{'enemy ' if is_enemy else ''}{name(setup, card)}{f' lane {lane}' if lane else ''}"


def title_in_play(setup: GameSetup, s: State, card: int, seat: int, *, starts: bool = False) -> Text | str:
    """Return the unambiguous name of a character in play as people read it; `starts`: it starts a sentence.

    A spectator has no enemies, and reads whose character it is.
    """
    is_enemy, lane = told_apart(setup, s, card, seat)
    if is_enemy and seat == SPECTATOR:
        forms = "{who}'s {card} lane {lane}" if lane else "{who}'s {card}"
    elif is_enemy and lane:
        forms = "Enemy {card} lane {lane}" if starts else "enemy {card} lane {lane}"
    elif is_enemy:
        forms = "Enemy {card}" if starts else "enemy {card}"
    elif lane:
        forms = "{card} lane {lane}"
    else:
        return name(setup, card)
    return Text(forms, card=name(setup, card), lane=lane, who=mention(seat_of(s, card)))


def other_names(setup: GameSetup, s: State, card: int, seat: int) -> set[str]:
    """Return other unambiguous names for a character in play."""
    side = seat_of(s, card)
    if side < 0:
        return {name(setup, card)}
    full = f"{name(setup, card)} lane {int(s.at[card]) % SIDE}"
    short = name_in_play(setup, s, card, seat)
    if side == seat:
        return {full, short, f"my {full}"}
    bare = short.removeprefix("enemy ")
    return {short, f"enemy {full}", f"enemy {bare}", *([full] if not short.startswith("enemy ") else [])}


def pile_to_pick(setup: GameSetup, s: State) -> list[int]:
    """Return the cards of the pile from which one is picked, by place: discards, or the deck's top cards, top first."""
    wants = ABILITIES[int(s.ability)].wants if s.phase == PICK else NOTHING
    if wants == ARRANGE:
        return in_order(deck_of(setup.params, s, s.player))[::-1][:TOP]
    return in_order(discard_of(setup.params, s, s.player)) if wants == DISCARD else []


def placed_cards(setup: GameSetup, s: State, seats: Sequence[int] = range(SEATS)) -> list[int]:
    """Return the cards that have a place, but of resources and piles only those of these seats' decks."""
    piles = [*s.hand]
    for owner in seats[: count_decks(setup.params)]:
        piles += [deck_of(setup.params, s, owner), discard_of(setup.params, s, owner)]
    characters = [int(card) - 1 for card in s.row if card]
    counts = [rows[seat] for rows in (s.held, s.ready, s.spent) for seat in seats]
    return [card for pile in piles for card in in_order(pile)] + characters + resource_cards(counts)


def resource_cards(counts: Iterable[Numbers]) -> list[int]:
    """Return resources counted by colour as cards."""
    return [RESOURCE + colour for row in counts for colour, count in enumerate(row.tolist()) for _ in range(count)]


def is_known(setup: GameSetup, s: State, card: int) -> bool:
    """Return whether there is a character with this number of which the seat that chooses may know.

    Of another seat's half these are the designs of the cards that the seat sees (R68).
    """
    params = setup.params
    if card >= params.characters or not setup.hides_content or params.card_owner[card] == s.player:
        return bool(card < params.characters)
    seen = [each for each in placed_cards(setup, s) if 0 <= each < RESOURCE]
    return any(params.card_design[card] == params.card_design[each] for each in seen)


def next_resource(setup: GameSetup, s: State, seat: int, colour: int) -> Resource:
    """Return the resource that a seat plays next.

    Resources of a colour are alike (R15), so the game doesn't know which of them a seat holds: it plays its own deck's,
    one after the other.

    """
    found: Resource = setup.content.resource(seat, colour, int(s.ready[seat, colour] + s.spent[seat, colour]))
    return found


def labels(setup: GameSetup) -> dict[int, str]:
    """Return a distinct name for every card: `Kite Archer`, or `Kite Archer #2` for a second copy."""
    params = setup.params
    names: dict[int, str] = {RESOURCE + colour: word for colour, word in enumerate(COLOURS)}
    designs = params.card_design[: params.characters].tolist()
    for card, design in enumerate(designs):
        copy = designs[: card + 1].count(design)
        names[card] = setup.content.cards[design].name + (f" #{copy}" if designs.count(design) > 1 else "")
    return names


# Blank cards

#: A player's half: its characters, and its resources by colour (R3).
HALF_CHARACTERS, HALF_RESOURCES = 14, (6, 5, 5)
#: The frame of a resource, 6 wide.
FRAME = "M3 3h57v66H3zM9 9v54h45V9z"


def blank_cards() -> tuple[CardCopies, ...]:
    """Return the blank cards of one player's half."""
    frames = (CardCopies(face=_blank_resource(ink), more=count) for ink, count in zip(INK, HALF_RESOURCES, strict=True))
    return (CardCopies(face=_blank_character(), more=HALF_CHARACTERS), *frames)


def menu() -> tuple[tuple[str, str], ...]:
    """Return what a character can be made of: its points, and every ability with its circles, price and effect."""
    points = ", ".join(f"{count} for {POINTS * count} points" for count in (1, 2, 3))
    return (
        ("Attack and health", f"Fill circles of any colours: {points}. Split the points; each needs at least 1."),
        *((f"{each.name} ({each.size} {COLOURS[each.colour]})",
           f"{each.effect}{f' Costs {each.kind} to use.' if each.price else ''}") for each in ABILITIES),
    )  # fmt: skip


def _blank_character() -> Face:
    circles = "".join(f'<circle class="empty" cx="{13.5 + 9 * circle}" cy="8.5" r="3.6"/>' for circle in range(CIRCLES))
    feet = "".join(f'<circle class="foot foot{side}" cx="{x}" cy="45" r="7.5"/>' + _caption(word, f'x="{x}" y="55.4"')
                   for side, (word, x) in enumerate((("attack", 11), ("health", 52))))  # fmt: skip
    lines = "".join(_line(caption, y) for caption, y in (("name", 62), ("", 70), ("", 76), ("abilities", 82)))
    return _blank_face("Blank character", None, f'{circles}<path class="write" d="M4 14h55v32H4z"/>{feet}{lines}')


def _blank_resource(ink: Colour) -> Face:
    return _blank_face(f"Blank {ink.word} resource", ink, (
        f'<path class="tone" d="{FRAME}"/><path d="{FRAME}" fill="{fill(ink.pattern)}"/>'
        '<rect class="paper" x="3" y="3" width="10" height="10" rx="3"/>'
        f'<text class="letter" x="8" y="10.6" font-size="8">{ink.letter}</text>{_line("name", 80)}'
    ))  # fmt: skip


def _blank_face(name: str, ink: Colour | None, drawn: str) -> Face:
    """Return a face with its parts, and a tab for the maker's initials where printed cards have it."""
    tab = "".join(f'<rect class="{kind}" x="54" y="13" width="6" height="16" rx="1.5"/>' for kind in ("paper", "write"))
    words = _caption("initials", 'transform="translate(52 21) rotate(90)"')
    return Face(name, ink, picture=Picture(name, drawn + tab + words), layout="pack")


def _line(caption: str, y: int) -> str:
    """Return a line to write on, with a small caption below its left end."""
    return f'<path class="write" d="M5 {y}H58"/>' + _caption(caption, f'x="5" y="{y + 2.9}"', "caption told")


def _caption(words: str, place: str, kind: str = "caption") -> str:
    return f'<text class="{kind}" font-size="2.6" {place}>{words}</text>'


# The printed components: two decks, and counters for life, damage and sleep

#: Number of damage counters by value.
DAMAGE_COUNTERS = {"1": 16, "3": 6}
SLEEP_COUNTERS = 4


def inventory(setup: GameSetup, seats: int) -> PaperInventory:
    """Return all components; with a shared deck, the two decks are its halves, to be shuffled together."""
    life = int(setup.options["life"])
    return PaperInventory(
        decks=tuple(PaperDeck(title=deck.name, cards=_cards(setup, owner), back=_back(setup, deck.initials))
                    for owner, deck in enumerate(setup.content.decks)),
        counters=(
            *(PaperCounter(title=f"Damage {text}", text=text, more=count) for text, count in DAMAGE_COUNTERS.items()),
            PaperCounter(title="Asleep", text="zZ", more=SLEEP_COUNTERS),
            *(PaperCounter(title="Life", seat=seat + 1, more=1) for seat in range(SEATS)),
        ),
        scales=tuple(CounterScale(title="Life", top=life, start=life, seat=seat + 1) for seat in range(SEATS)),
        turn=_turn(setup), blanks=blank_cards(), menu=menu(),
    )  # fmt: skip


def _back(setup: GameSetup, initials: str) -> Picture:
    """Return the back of a deck's cards.

    Only separate decks have the maker's initials on it: in a shared deck they would show whose card is next.
    """
    if setup.params.decks != OWN or not initials:
        return BACK
    shown = f'<text x="31.5" y="26.2" font-size="4" font-weight="700" text-anchor="middle">{initials}</text>'
    return Picture(BACK.name, f'{BACK.svg}{shown}<g transform="rotate(180 31.5 44)">{shown}</g>')


def _cards(setup: GameSetup, owner: int) -> tuple[CardCopies, ...]:
    """Return a seat's characters and resources; resources are numbered through both decks, as in positions."""
    names, params = labels(setup), setup.params
    held: dict[int, list[str]] = {}
    for card in range(int(params.characters)):
        if params.card_owner[card] == owner:
            held.setdefault(int(params.card_design[card]), []).append(names[card])
    designs, initials = setup.content.cards, setup.content.decks[owner].initials
    characters = [
        CardCopies(face=face(designs[n], designs[n].attack, designs[n].health, initials), components=tuple(copies))
        for n, copies in held.items()
    ]
    resources: dict[Resource, list[str]] = {}
    for n, word in enumerate(COLOURS):
        first = owner * int(params.resources[0, n])
        for number, resource in enumerate(setup.content.resources_of(owner, n), first):
            resources.setdefault(resource, []).append(f"{word} {number}")
    return (
        *characters,
        *(CardCopies(face=resource_face(one, initials), components=tuple(copies)) for one, copies in resources.items()),
    )


def _turn(setup: GameSetup) -> tuple[str, ...]:
    """Return the steps of a turn, for the reference card."""
    params, options = setup.params, {option.name: option for option in OPTIONS}
    refill = options["refill"].in_words(setup.options["refill"])
    whose = "all" if params.recover == EVERY_TURN else "your"
    which = "Blue abilities" if params.brace == BLUE_ONLY else "abilities"
    first = f" (from turn {int(params.opening) + 1} on)" if params.opening >= HOLD else ""
    return (
        f"Draw 1 card; an empty hand {refill}. Play up to 2 resources.",
        f"Ready: turn your spent resources face up again, and remove the damage from {whose} characters.",
        "Main: play characters and use abilities, in any order. Pay with ready resources.",
        f"Brace: your opponent may use {which}.",
        f"Combat{first}: lane 1 first. Both characters strike; unopposed, yours takes life from your opponent.",
        "Regroup: close the gaps in both rows.",
        "Mend: you may heal your characters.",
    )
