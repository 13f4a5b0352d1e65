"""Five Circles: names of cards, words of choices, what changes between two states, and the printed components."""

from sparring.engine.cards import in_order
from sparring.engine.game import SPECTATOR, GameSetup
from sparring.scene import (
    CardCopies, Colour, CounterScale, Face, PaperCounter, PaperDeck, PaperInventory, Picture, winners,
)  # fmt: skip
from sparring.scene.patterns import fill
from sparring.scene.sentences import Text, Voice, mention

from .abilities import ABILITIES, ARRANGE, DISCARD, HURT, NOTHING, Ability
from .designs import BACK, CIRCLES, INK, POINTS, Design, Resource, face, resource_face
from .position import labels, placed_cards
from .state import (
    ACTIONS, ANSWER, BLUE_ONLY, COLOURS, EVERY_TURN, EXTRA, FALLING, HOLD, LANE, NO_LIFE, OWN, PICK, PLAYERS,
    RAN_DRY, RESOURCE, SEATS, SIDE, SLOTS, TARGET, TOP, TURN_LIMIT, USE, Params, State, deck_of, discard_of, row_of,
)  # fmt: skip


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


def in_lane(s: State, seat: int) -> int:
    """Return the character of a seat in the lane that is fought, or -1; combat begins with lane 0, before the first."""
    return int(s.row[seat * SIDE + s.lane]) - 1 if s.window == LANE and s.lane else -1


def seat_of(s: State, card: int) -> int:
    """Return the seat in whose row a character is, or -1."""
    return int(s.at[card]) // SIDE if s.at[card] else -1


def told_apart(setup: GameSetup, s: State, card: int, seat: int) -> tuple[bool, int]:
    """Return by what a character in play differs from others of its name: that it is an enemy, and its lane or 0."""
    alike = {other: lane for side in range(SEATS) for lane, other in row_of(s, side)
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


# Words of choices, and of the end

#: Choices of one word.
ONE_WORD = ("take", "keep", "attack", "hold", "done", "none")


def words(setup: GameSetup, s: State, action: int) -> str:
    """Return the words of a choice, or nothing if it has no meaning in this state."""
    block, number = ACTIONS.name_of(action)
    if block in ONE_WORD:
        return block
    if block == "resource":
        return f"resource {COLOURS[number].lower()}"
    if block == "player":
        return "opponent" if setup.params.fireball == PLAYERS else ""
    if block == "place":
        return _place(setup, s, number)
    card = number // SLOTS if block == "use" else number
    if not is_known(setup, s, card):
        return ""
    if block == "bring":
        return name(setup, card) if s.phase == EXTRA else f"play {name(setup, card)}"
    if block == "target":
        return name_in_play(setup, s, card, int(s.player)) if s.at[card] else ""
    ability = ability_in(setup, card, number % SLOTS)
    if ability is None:
        return ""
    responds = s.phase == ANSWER
    if responds and s.hit == card + 1 and ability.response:
        return ability.response
    verb = "heal" if responds and ability.wants == HURT else "use"
    return f"{verb} {name_in_play(setup, s, card, int(s.player))}: {ability.name}"


def aliases(setup: GameSetup, s: State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: with colons, with the lane, `bring` for `play`."""
    block, number = ACTIONS.name_of(action)
    if block == "resource":
        colour, drawn = COLOURS[number].lower(), next_resource(setup, s, int(s.player), number)
        return colour, f"resource:{colour}", *((drawn.name, f"play {drawn.name}") if drawn.drawn else ())
    if block == "player":
        return "player", "the opponent", "enemy player", f"seat {2 - int(s.player)}"
    if block == "place":
        cards = pile_to_pick(setup, s)
        return (name(setup, cards[number]),) if number < len(cards) and cards[number] >= 0 else ()
    card = number // SLOTS if block == "use" else number
    if block in ONE_WORD or not is_known(setup, s, card):
        return ()
    if block == "bring":
        return tuple(f"{verb}{name(setup, card)}" for verb in ("play ", "play:", "bring ", "bring:"))
    names = other_names(setup, s, card, int(s.player))
    if block == "target":
        return tuple(names) if s.at[card] else ()
    ability = ability_in(setup, card, number % SLOTS)
    if ability is None:  # so that asking for one it doesn't have is understood, and refused with a reason
        lacking = [each.name for each in ABILITIES if each.name not in design(setup, card).abilities]
        return tuple(f"use {each}:{other}" for each in names for other in lacking)
    response = (ability.response,) if ability.response and (s.phase != ANSWER or s.hit == card + 1) else ()
    verbs = ("use ", "use:", "heal ", "heal:")
    return (*response, *(f"{verb}{each}:{ability.name}" for each in names for verb in verbs))


def _place(setup: GameSetup, s: State, place: int) -> str:
    """Return the name of a card in the pile being picked from, numbered if another card has the same name.

    There is none if the card is hidden.
    """
    names = [name(setup, card) if card >= 0 else "" for card in pile_to_pick(setup, s)]
    if place >= len(names) or not names[place] or names.count(names[place]) == 1:
        return "".join(names[place : place + 1])
    return f"{names[place]} {names[: place + 1].count(names[place])}"


#: How a match is won: as the winner reads it, as the other player does if that differs, and as all others do.
WIN_FORMS = {
    NO_LIFE: (
        "You win: {whom} has no life left.", "{who} wins: you have no life left.",
        "{who} wins: {whom} has no life left.",
    ),
    RAN_DRY: (
        "The deck has run out: you win with {most} life to {least}.",
        "The deck has run out: {who} wins with {most} life to {least}.",
    ),
    TURN_LIMIT: (
        "The turn limit is reached: you win with {most} life to {least}.",
        "The turn limit is reached: {who} wins with {most} life to {least}.",
    ),
}  # fmt: skip

#: How a match is drawn.
DRAW_TEXTS = {
    RAN_DRY: "The deck has run out, with {life} life each: a draw.",
    TURN_LIMIT: "The turn limit is reached, with {life} life each: a draw.",
}


def ending(s: State, voice: Voice) -> Text:
    """Return how the match ended, as the seat of `voice` reads it."""
    won, how = winners(s), int(s.ending)
    if not won:
        return Text(DRAW_TEXTS[how], life=s.life[0])
    values = {"most": max(s.life), "least": min(s.life)}
    return voice.text(*WIN_FORMS[how], who=won[0], whom=1 - won[0], **values)


# What has changed between two states


def is_new_lane(before: State, after: State) -> bool:
    """Return whether the lane that is fought wasn't shown before."""
    return bool(before.window != LANE or before.lane < after.lane)


def damage_taken(before: State, after: State) -> dict[int, int]:
    """Return the damage that each character in play has taken."""
    damage = {card: int(after.damage[card] - before.damage[card]) for card in range(len(after.at)) if after.at[card]}
    return {card: points for card, points in damage.items() if points > 0}


def life_lost(before: State, after: State) -> dict[int, int]:
    """Return the life that each seat has lost."""
    lost = {seat: int(before.life[seat] - after.life[seat]) for seat in range(SEATS)}
    return {seat: points for seat, points in lost.items() if points > 0}


def falling_in(s: State) -> list[int]:
    """Return the characters that are about to be destroyed."""
    return [card for card in range(len(s.at)) if s.at[card] and s.status[card] & FALLING]


def closed_ranks(before: State, after: State) -> list[tuple[int, int]]:
    """Return the characters that have closed a gap in their row after combat, with their new lanes (R31)."""
    if before.window != LANE or after.window == LANE:
        return []
    lanes = {card: lane for seat in range(SEATS) for lane, card in row_of(before, seat)}
    return [(card, lane) for seat in range(SEATS) for lane, card in row_of(after, seat) if lane < lanes.get(card, 0)]


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
    params, options = setup.params, {option.name: option for option in Params.options}
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
