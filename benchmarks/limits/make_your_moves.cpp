// Make Your Moves with the default options: one random match, from docs/games/make-your-moves.md.
#include "common.hpp"

namespace {

using Cards = unsigned __int128;  // a set of cards, as bits

constexpr int CARDS = 80, HAND = 5, SEATS = 6, NEEDED = 3, TURNS = 200;
enum { RED, GREEN, BLUE, YELLOW, WILD, COLOURS };

inline Cards bit(int card) { return Cards(1) << card; }

inline int size(Cards cards) {
    return __builtin_popcountll(uint64_t(cards)) + __builtin_popcountll(uint64_t(cards >> 64));
}

// Return the card with this index in a set, ascending.
inline int card_at(Cards cards, uint32_t index) {
    uint64_t low = uint64_t(cards);
    uint32_t lower = uint32_t(__builtin_popcountll(low));
    return index < lower ? bit_at(low, index) : 64 + bit_at(uint64_t(cards >> 64), index - lower);
}

// The deck: 9, 6 and 3 cards of power 1, 2 and 3 of each colour, then 4, 3 and 1 Wilds.
struct Deck {
    Cards of[COLOURS] = {}, singles = 0;
    uint8_t colour[CARDS], power[CARDS];

    Deck() {
        int card = 0;
        for (int kind = RED; kind <= WILD; kind++) {
            const int counts[3] = {kind == WILD ? 4 : 9, kind == WILD ? 3 : 6, kind == WILD ? 1 : 3};
            for (int strength = 1; strength <= 3; strength++)
                for (int i = 0; i < counts[strength - 1]; i++, card++) {
                    colour[card] = uint8_t(kind);
                    power[card] = uint8_t(strength);
                    of[kind] |= bit(card);
                    if (strength == 1) singles |= bit(card);
                }
        }
    }
};

const Deck all;

struct Match {
    Generator chance, choices;
    int seats, turn = 0, control = 0, attacker = 0, defender = 0, actions = 0, margin = 0;
    Pile<CARDS> deck, discard, attack, defence, fours, help_attack, help_defence;
    Cards hand[SEATS] = {};
    int held[SEATS] = {}, points[SEATS] = {};
    // Of the attack: the cards of its colours, and those that could still join as singles; the number of colours. Of the
    // defence: the singles of colours in which it has one, and its units.
    Cards attacked, single, joining;
    int ceiling, units;

    Match(uint64_t number, int players) : chance(number, 0), choices(number, 1), seats(players) {}

    uint32_t choose(int count) {
        actions++;
        return choices.below(uint32_t(count));
    }

    int after(int seat, int places) const { return (seat + places) % seats; }

    // Draw a card; -1 if none is left.
    int draw() {
        if (deck.count == 0) {
            if (discard.count == 0) return -1;
            discard.pour_into(deck);
            deck.shuffle(chance);
        }
        return deck.take();
    }

    void fill(int seat) {
        while (held[seat] < HAND) {
            int card = draw();
            if (card < 0) return;
            hand[seat] |= bit(card);
            held[seat]++;
        }
    }

    template <int Size>
    int play_card(int seat, Pile<Size>& pile, Cards fitting, uint32_t index) {
        int card = card_at(fitting, index);
        hand[seat] &= ~bit(card);
        held[seat]--;
        pile.put(card);
        return card;
    }

    // Lay the attack; it has at least one colour and at most three.
    void lay_attack() {
        attacked = joining = 0;
        ceiling = 0;
        while (true) {
            Cards fitting = all.of[WILD] | joining | (ceiling < 3 ? ~attacked : Cards(0));
            fitting &= hand[attacker];
            int count = size(fitting);
            uint32_t index = choose(count + (ceiling > 0));
            if (int(index) == count) return;
            int card = play_card(attacker, attack, fitting, index);
            if (all.colour[card] == WILD) continue;
            Cards colour = all.of[all.colour[card]];
            if (!(attacked & colour)) {
                attacked |= colour;
                ceiling++;
                joining |= colour & all.singles;
            }
            if (all.power[card] > 1) joining &= ~colour;
        }
    }

    // Return the colour of four cards in a hand, or -1.
    int colour_of_four(int seat) const {
        if (held[seat] < 4) return -1;
        for (int colour = RED; colour <= WILD; colour++)
            if (size(hand[seat] & all.of[colour]) >= 4) return colour;
        return -1;
    }

    // Whether a hand of five cards of one colour has cards of several powers.
    bool has_several_fours(int seat, int colour) const {
        if (size(hand[seat] & all.of[colour]) < HAND) return false;
        int power = all.power[card_at(hand[seat], 0)];
        for (uint32_t i = 1; i < HAND; i++)
            if (all.power[card_at(hand[seat], i)] != power) return true;
        return false;
    }

    void play_four(int seat, int colour) {
        Cards cards = hand[seat] & all.of[colour];
        if (has_several_fours(seat, colour)) {
            for (int picked = 0; picked < 4; picked++) {
                int card = card_at(cards, choose(HAND - picked));
                cards &= ~bit(card);
                fours.put(card);
                hand[seat] &= ~bit(card);
            }
        } else {
            if (size(cards) == HAND) cards &= cards - 1;  // five equal cards: the first one stays
            for (uint32_t i = 0; i < 4; i++) fours.put(card_at(cards, i));
            hand[seat] &= ~cards;
        }
        held[seat] -= 4;
    }

    // Lay a defence, or dodge; return false if the attack is countered.
    bool respond() {
        while (true) {
            single = 0;
            units = 0;
            int seat = defender;
            bool dodged = false;
            while (!dodged) {
                Cards fitting = all.of[WILD] | single | (units < ceiling ? attacked : Cards(0));
                fitting &= hand[seat];
                int count = size(fitting), four = defence.count ? -1 : colour_of_four(seat);
                int index = int(choose(count + 1 + (four >= 0) + (four >= 0 && seats > 2)));
                if (index == count) return true;
                if (index > count) {
                    play_four(seat, four);
                    if (index == count + 1) return false;
                    dodged = true;
                    dodge();
                    continue;
                }
                int card = play_card(seat, defence, fitting, uint32_t(index));
                if (all.colour[card] == WILD) continue;
                Cards colour = all.of[all.colour[card]];
                if (all.power[card] == 1) {
                    if (single & colour) continue;
                    single |= colour & all.singles;
                }
                units++;
            }
        }
    }

    // Choose another defender.
    void dodge() {
        int index = int(choose(seats - 2));
        for (int seat = 0; seat < seats; seat++)
            if (seat != attacker && seat != defender && index-- == 0) {
                defender = seat;
                return;
            }
    }

    void assist() {
        for (int places = 1; places < seats; places++) {
            int seat = after(attacker, places);
            if (seat == defender || held[seat] == 0) continue;
            int index = int(choose(held[seat] + 1));
            if (index == held[seat]) continue;
            int card = card_at(hand[seat], uint32_t(index));
            hand[seat] &= ~bit(card);
            held[seat]--;
            (choose(2) ? help_defence : help_attack).put(card);
        }
    }

    static int power_of(const Pile<CARDS>& pile) {
        int total = 0;
        for (int i = 0; i < pile.count; i++) total += all.power[pile.cards[i]];
        return total;
    }

    void clear_table() {
        attack.pour_into(discard);
        defence.pour_into(discard);
        fours.pour_into(discard);
        help_attack.pour_into(discard);
        help_defence.pour_into(discard);
    }

    // Score the attack; return whether a seat has won.
    bool score() {
        margin = power_of(defence) + power_of(help_defence) - power_of(attack) - power_of(help_attack);
        clear_table();
        if (margin > 0) control = defender;
        if (margin >= 0 && margin < 2) return false;
        int seat = margin < 0 ? attacker : defender;
        points[seat]++;
        draw();
        return points[seat] == NEEDED;
    }

    // Play a turn; return whether the match goes on.
    bool play_turn() {
        for (int places = 0; places < seats; places++) fill(after(control, places));
        attacker = control;
        if (hand[attacker] & ~all.of[WILD]) {
            int index = int(choose(seats - 1));
            defender = index + (index >= attacker);
            lay_attack();
            if (respond()) {
                assist();
                if (score()) return false;
            } else {
                control = defender;
                clear_table();
            }
        } else {
            control = after(attacker, 1);
        }
        if (turn == TURNS) return false;
        for (int places = 0; places < seats; places++) {
            int seat = after(attacker, places);
            while (held[seat] > 0) {
                int index = int(choose(held[seat] + 1));
                if (index == held[seat]) break;
                play_card(seat, discard, hand[seat], uint32_t(index));
            }
        }
        return true;
    }

    int play() {
        for (int card = 0; card < CARDS; card++) deck.put(card);
        deck.shuffle(chance);
        for (int seat = 0; seat < seats; seat++) fill(seat);
        control = int(chance.below(uint32_t(seats)));
        do turn++;
        while (play_turn());
        return actions;
    }
};

}  // namespace

int make_your_moves(uint64_t number, int seats) { return Match(number, seats).play(); }
