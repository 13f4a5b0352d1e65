"""Five Circles: read and write positions (the form is in positions.md); all cards by name, and those with a place."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sparring.engine.cards import in_order, put
from sparring.engine.errors import BadPosition
from sparring.engine.formats.position_reader import CardSupply, PileEntry, PositionReader, read_integer, words_in
from sparring.engine.formats.positions import Positions
from sparring.engine.game import GameSetup
from sparring.engine.state import UNKNOWN_SEAT
from sparring.engine.types import CardPile, Numbers

from . import rules
from .abilities import ABILITIES, ENEMY, NUMBER, has_target
from .combat import has_attacker
from .state import (
    ANSWER, ARRIVED, ASLEEP, AVOIDING, BOOST, BRACE, COLOURS, HAND, LANE, LANES, LONG, MAIN, MAY, MEND, OWN, PHASES,
    PICK, RESOURCE, RESOURCES, RESOURCES_PHASE, SEATS, SEEN, SIDE, SLOTS, SPREAD, TOP, Params, State, add_to_hand,
    count_decks, deck_of, discard_of, put_in_lane, row_of,
)  # fmt: skip

#: The piles of a deck, and its cards that are left out of the match.
ASIDE = "aside"
PILES = ("draw_pile", "discard_pile", ASIDE)
#: A position can also be at the very start of a turn, before the draw.
START = "draw"
#: States of a character in play and their status bits.
STATES = {"asleep": ASLEEP, "arrived": ARRIVED, "avoiding": AVOIDING, "long range": LONG}
#: Resources in one text, counted or not.
COUNTED = re.compile(rf"((\d{{1,2}}\s+)?({'|'.join(COLOURS)})(\s+|$))+", re.IGNORECASE)
#: The rest of the cards; needs no comma before it.
DOTTED = re.compile(r"\.\.\.|…")
#: Fields of an exchange that are numbers, and those that are cards (plus 1).
NUMBERS = ("lane", "stage", "order", "strike", "reflected", "mirror", "packet", "kept")
CARDS = ("hitter", "struck", "striker", "hit", "using", "first")


def read_more(setup: GameSetup, s: State, fields: PositionReader, phase: str) -> None:
    """Read all cards, how far an exchange or an ability has got, and the seats protected by Serenity."""
    for seat in fields.seats_in("serene"):
        s.serene |= 1 << seat
    _Placement(setup, s, MAIN if phase == START else int(s.phase)).fill(fields)


def check(setup: GameSetup, s: State, phase: str) -> None:
    """Check that the position can be played on from; in phase `draw`, begin the turn."""
    if s.player == UNKNOWN_SEAT:
        s.player = _chooser(s)
    if not s.over:
        _check(setup.params, s)
    if phase == START:
        s.turn -= 1
        rules.begin_turn(setup.params, s)
        rules.run_automatic_steps(setup.params, s)


def write_more(setup: GameSetup, s: State) -> dict[str, Any]:
    """Return all cards by name, how far an exchange or an ability has got, and the seats protected by Serenity."""
    names = labels(setup)

    def pile(cards: CardPile) -> list[str]:
        return [names[card] for card in in_order(cards)]

    def colours(counts: Numbers) -> dict[str, int]:
        return {colour: int(count) for colour, count in zip(COLOURS, counts, strict=True) if count}

    def of_decks(piles: list[list[str]]) -> Any:
        return piles if len(piles) > 1 else piles[0]

    decks, seats = _decks(setup.params), range(SEATS)
    aside = [[names[card] for card in _aside(setup, s, owners)] for owners in decks]
    cards = {name: int(getattr(s, name)) for name in CARDS}
    return {
        "serene": [seat + 1 for seat in seats if s.serene >> seat & 1],
        "rows": [[_write_character(setup, s, card, names) for _, card in row_of(s, seat)] for seat in seats],
        "hands": [pile(s.hand[seat]) + _colour_words(s.held[seat]) for seat in seats],
        "seen": [_seen(s, seat, names) + _colour_words(s.known[seat]) for seat in seats],
        "ready": [colours(s.ready[seat]) for seat in seats], "spent": [colours(s.spent[seat]) for seat in seats],
        "draw_pile": of_decks([pile(deck_of(setup.params, s, owner))[::-1] for owner in range(len(decks))]),
        "discard_pile": of_decks([pile(discard_of(setup.params, s, owner)) for owner in range(len(decks))]),
        **({ASIDE: of_decks(aside)} if any(aside) else {}),
        "combat": {"part": PHASES[s.window], **{name: int(getattr(s, name)) for name in NUMBERS},
                   **{name: names[card - 1] if card else "" for name, card in cards.items()},
                   "ability": ABILITIES[s.ability].name if s.using else "",
                   "picks": in_order(s.picks)},
    }  # fmt: skip


POSITIONS = Positions(
    State, check, read_more=read_more, write_more=write_more, phase=PHASES[MAIN], more_phases={START: RESOURCES_PHASE}
)
read, write = POSITIONS.read, POSITIONS.write


def components(setup: GameSetup, s: State) -> list[str]:
    """Return the name of every card, wherever it is; resources of one colour are numbered."""
    names, cards = labels(setup), placed_cards(setup, s)
    keys = [names[card] for card in cards if card < RESOURCE]
    for colour, word in enumerate(COLOURS):
        keys += [f"{word} {number}" for number in range(cards.count(RESOURCE + colour))]
    return keys


def labels(setup: GameSetup) -> dict[int, str]:
    """Return a distinct name for every card: `Kite Archer`, or `Kite Archer #2` for a second copy."""
    params = setup.params
    names: dict[int, str] = {RESOURCE + colour: word for colour, word in enumerate(COLOURS)}
    designs = params.card_design[: params.characters].tolist()
    for card, design in enumerate(designs):
        copy = designs[: card + 1].count(design)
        names[card] = setup.content.cards[design].name + (f" #{copy}" if designs.count(design) > 1 else "")
    return names


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


def _decks(params: Params) -> list[list[int]]:
    """Return the seats whose cards make up each deck."""
    return [[seat] for seat in range(SEATS)] if params.decks == OWN else [list(range(SEATS))]


def _cards_of(params: Params, seats: list[int]) -> list[int]:
    """Return all cards that these seats brought to the game."""
    characters = [card for card in range(params.characters) if params.card_owner[card] in seats]
    return characters + resource_cards(params.resources[seat] for seat in seats)


def _aside(setup: GameSetup, s: State, seats: list[int]) -> list[int]:
    """Return the cards of a deck, that of these seats, that have no place."""
    return list((Counter(_cards_of(setup.params, seats)) - Counter(placed_cards(setup, s, seats))).elements())


def _seen(s: State, seat: int, names: Mapping[int, str]) -> list[str]:
    """Return the characters of a hand that the other seat has seen."""
    return [names[card] for card in in_order(s.hand[seat]) if s.status[card] & SEEN]


def _colour_words(counts: Numbers) -> list[str]:
    return [word for word, count in zip(COLOURS, counts, strict=True) for _ in range(count)]


def _write_character(setup: GameSetup, s: State, card: int, names: Mapping[int, str]) -> str:
    """Return a character in play in words: `2 Kite Archer (damage 1, used Target, target Spark Witch)`."""
    status = int(s.status[card])
    notes = [f"damage {s.damage[card]}"] if s.damage[card] else []
    notes += [word for word, bit in STATES.items() if status & bit]
    if status // BOOST & 3:
        notes.append(f"boosting {status // BOOST & 3}")
    notes += [
        f"used {ABILITIES[setup.params.card_ability[card, slot]].name}" for slot in range(SLOTS) if status >> slot & 1
    ]
    if s.target[card]:
        notes.append(f"target {names[s.target[card] - 1]}")
    return f"{int(s.at[card]) % SIDE} {names[card]}" + (f" ({', '.join(notes)})" if notes else "")


class _Placement:
    """Puts every card where the position says, and deals the rest."""

    def __init__(self, setup: GameSetup, s: State, phase: int) -> None:
        self.setup, self.s = setup, s
        #: The default part of the turn.
        self.part = phase if phase <= MEND else MAIN
        self.names = labels(setup)
        #: The cards without a place yet, by seat; both seats share one supply if their cards are mixed.
        spellings = {card: (name, name.partition(" #")[0]) for card, name in self.names.items()}
        supplies = [CardSupply(_cards_of(setup.params, seats), spellings) for seats in _decks(setup.params)]
        self.supply = supplies * (SEATS // len(supplies))

    def fill(self, fields: PositionReader) -> None:
        """Read all fields that name cards."""
        s = self.s
        for key, pile in (("ready", s.ready), ("spent", s.spent)):
            for seat, entry in enumerate(fields.per_seat(key, [])):
                for colour in _colours(entry, key):
                    self.supply[seat].take([COLOURS[colour]], key)
                    pile[seat, colour] += 1
        lines = [(seat, line) for seat, row in enumerate(fields.per_seat("rows", [])) for line in _row_entries(row)]
        targets = [self.place(seat, line) for seat, line in lines]
        piles = [self.piles(fields, key) for key in PILES]
        hands = [self.take_cards(seat, hand, "hands") for seat, hand in enumerate(fields.per_seat("hands", None))]
        self.read_combat(fields.table("combat"))
        for owner in range(len(piles[0])):
            self.supply[owner].shuffle(s.rng)
        for seat, hand in enumerate(hands):
            given = HAND if hand is None else hand
            for card in given if isinstance(given, list) else self.supply[seat].deal(given, "hands"):
                add_to_hand(s, seat, card, 0)
        for owner, entries in enumerate(zip(*piles, strict=True)):
            filled = self.supply[owner].fill(dict(zip(PILES, entries, strict=True)))
            piles_of_deck = deck_of(self.setup.params, s, owner), discard_of(self.setup.params, s, owner)
            for pile_of_deck, cards in zip(piles_of_deck, filled, strict=False):
                for card in cards:
                    put(pile_of_deck, card)
        for card, word in targets:
            if word:
                s.target[card] = self.supply[0].find(word, range(self.setup.params.characters), "rows") + 1
        for seat, entry in enumerate(fields.per_seat("seen", [])):
            self.read_seen(seat, entry)

    def piles(self, fields: PositionReader, key: str) -> list[PileEntry]:
        """Return what the position says about a kind of pile, per deck; by default no cards are aside."""
        entries = fields.per_seat(key, None) if self.setup.params.decks == OWN else [fields.take(key)]
        return [[] if entry is None and key == ASIDE else self.take_cards(owner, entry, key)
                for owner, entry in enumerate(entries)]  # fmt: skip

    def take_cards(self, seat: int, entry: object, key: str) -> PileEntry:
        """Return cards taken from the supply by name, or how many of the rest to deal."""
        if entry is None or isinstance(entry, int):
            return entry
        words, supply = _card_words(entry, key), self.supply[seat]
        return supply.read_pile(words, key, from_top=key == PILES[0]) if key in PILES else supply.take(words, key)

    def place(self, seat: int, line: str) -> tuple[int, str]:
        """Put a character in play (`2 Kite Archer (damage 1)`); return its card and the name of its target."""
        s = self.s
        found = re.fullmatch(r"\s*(?:(\d+):?\s+)?(.*?)\s*(?:\((.*)\))?\s*", line)
        lane, name, notes = found.groups() if found else (None, line, None)
        (card,) = self.supply[seat].take([name], "rows")
        if card >= RESOURCE:
            raise BadPosition(f"rows: {name} is not a character.")
        at = seat * SIDE + read_integer("lane", int(lane) if lane else int(s.last[seat]) + 1, 1, LANES)
        if s.row[at]:
            raise BadPosition(f"rows: seat {seat + 1} has two characters in lane {at % SIDE}.")
        put_in_lane(s, card, at)
        s.last[seat] = max(s.last[seat], at % SIDE)
        target = ""
        for note in words_in(f"{notes}," if notes else [], "rows"):
            target = self.note(card, note) or target
        return card, target

    def note(self, card: int, note: str) -> str:
        """Read one note about a character in play; return the name of its target if the note gives one."""
        s = self.s
        word, _, rest = note.partition(" ")
        if note in STATES:
            s.status[card] |= STATES[note]
        elif word in ("damage", "boosting") and rest.isdigit():
            if word == "damage":
                s.damage[card] = read_integer("damage", int(rest), 0, 1000)
            else:
                s.status[card] += BOOST * read_integer("boosting", int(rest), 0, 3)
        elif word == "used" and rest in NUMBER:
            s.status[card] |= 1 << self.slot(card, rest)
        elif word == "target":
            return rest
        else:
            raise BadPosition(f"rows: a note about a character must be {', '.join(STATES)}, damage 1, boosting 1, "
                              f"used ABILITY or target CARD, not {note}.")  # fmt: skip
        return ""

    def slot(self, card: int, ability: str) -> int:
        """Return the first unused slot of a card's ability."""
        for slot in range(SLOTS):
            if self.setup.params.card_ability[card, slot] == NUMBER[ability] and not self.s.status[card] >> slot & 1:
                return slot
        raise BadPosition(f"rows: {self.names[card]} has no unused {ability}.")

    def read_seen(self, seat: int, entry: object) -> None:
        """Read the cards of a hand that the other seat has seen."""
        s = self.s
        held = in_order(s.hand[seat])
        for word in _card_words(entry, "seen"):
            if word.capitalize() in COLOURS:
                s.known[seat, COLOURS.index(word.capitalize())] += 1
            else:
                card = self.supply[0].find(word, held, "seen")
                held.remove(card)
                s.status[card] |= SEEN

    def read_combat(self, fields: PositionReader) -> None:
        """Read how far an exchange or an ability has got; the fields are named as in the state."""
        s = self.s
        s.window = fields.one_of("part", PHASES[: MEND + 1], PHASES[self.part])
        for name in NUMBERS:
            setattr(s, name, fields.integer(name, 0, 0, 1000))
        for name in CARDS:
            word = fields.take(name, "")
            setattr(s, name, self.supply[0].find(word, range(self.setup.params.characters), name) + 1 if word else 0)
        ability = fields.take("ability", "")
        if not isinstance(ability, str) or (ability and ability not in NUMBER):
            raise BadPosition(f"ability: there is no ability called {ability}.")
        s.ability = NUMBER.get(ability, 0)
        picks = fields.take("picks", [])
        if not isinstance(picks, list) or len(picks) >= len(s.picks):
            raise BadPosition(f"picks must be a list of at most {len(s.picks) - 1} places.")
        for place in picks:
            put(s.picks, read_integer("picks", place, 0, TOP - 1))
        fields.done()


def _row_entries(row: object) -> list[str]:
    """Return the characters of a row: a list, or a text separated by commas or semicolons outside brackets."""
    if isinstance(row, str):
        return [line for line in re.split(r"[,;](?![^(]*\))", row) if line.strip()]
    if isinstance(row, list | tuple) and all(isinstance(line, str) for line in row):
        return list(row)
    raise BadPosition('rows: a row must be a list of characters, as in "1 Kite Archer (damage 1)".')


def _colours(entry: object, key: str) -> list[int]:
    """Return resources as colour numbers."""
    words = [word.capitalize() for word in _card_words(entry, key)]
    for word in words:
        if word not in COLOURS:
            raise BadPosition(f"{key}: {word} is not a colour; write {', '.join(COLOURS[:-1])} or {COLOURS[-1]}.")
    return [COLOURS.index(word) for word in words]


def _card_words(entry: object, key: str) -> list[str]:
    """Return one word per card from a list, a text with commas (resources may be counted) or a table of counts."""
    if isinstance(entry, Mapping):
        words = words_in(list(entry), key)
        return [word for word in words for _ in range(read_integer(key, entry[word], 0, RESOURCES))]
    words = words_in(f"{DOTTED.sub(', ..., ', entry)}," if isinstance(entry, str) else entry, key)
    return [card for word in words for card in (_counted(word) if COUNTED.fullmatch(word) else [word])]


def _counted(word: str) -> list[str]:
    """Return the colours in a counted text: `2 Red 1 Blue` is Red, Red, Blue."""
    return [colour for number, colour in re.findall(r"(\d*)\s*([A-Za-z]+)", word) for _ in range(int(number or 1))]


def _chooser(s: State) -> int:
    """Return the seat that chooses in this phase."""
    if s.phase == BRACE:
        return 1 - int(s.active)
    card = s.hit if s.phase in (ANSWER, SPREAD) else s.using if s.phase == PICK else 0
    return int(s.at[card - 1]) // SIDE if card else int(s.active)


def _check(params: Params, s: State) -> None:
    """Raise BadPosition unless the position has what its phase needs."""
    phase = PHASES[s.phase]
    if not all(s.life):
        raise BadPosition("life must be at least 1 unless the match is over.")
    if s.phase in (ANSWER, SPREAD) and not (s.hit and s.at[s.hit - 1] and s.packet):
        raise BadPosition(f"combat: phase {phase} needs hit (a character in play) and packet.")
    if s.phase == PICK and not (s.using and s.at[s.using - 1] and s.ability in params.card_ability[s.using - 1]
                                and _picks(params, s, params.ability_wants[s.ability])):  # fmt: skip
        raise BadPosition(
            "combat: phase pick needs using (a character in play) and ability (one of its own that has a target)."
        )
    if s.phase == LANE and not (params.attack == MAY and s.lane <= s.last[s.active] and has_attacker(params, s)):
        raise BadPosition("combat: phase lane needs the option attack=may and an attacker in the lane.")
    if s.player != _chooser(s):
        raise BadPosition(f"player must be {_chooser(s) + 1} in phase {phase}, not {int(s.player) + 1}.")


def _picks(params: Params, s: State, wants: int) -> bool:
    return wants >= ENEMY and bool(has_target(params, s, _chooser(s), s.using - 1, wants, PICK))
