// Untitled Movement Game with the default options: one random match, from docs/games/untitled-movement.md.
#include "common.hpp"

#include <cstring>

namespace {

constexpr int SIDE = 12, SQUARES = SIDE * SIDE, DIRECTIONS = 8, FARTHEST = 3;
constexpr int SIDES = 4, STARTS = 4, TOKENS = 4, HAND = 3, IDLE_ROUNDS = 100, OFF = SQUARES;
enum { F, B, L, R, FR, FL, BR, BL, KINDS };
constexpr int DECK[KINDS] = {10, 4, 10, 10, 5, 5, 3, 3};

// Clockwise from decreasing rows. A quarter turn of the board adds 2.
constexpr int DOWN[DIRECTIONS] = {-1, -1, 0, 1, 1, 1, 0, -1}, ACROSS[DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};
constexpr int HEADING[KINDS] = {0, 4, 6, 2, 1, 7, 3, 5};  // of the kinds, from the bottom side

constexpr char MAP[] =
    "####oooo####"
    "#..........#"
    "#.#......#.#"
    "#..##..##..#"
    "o..........o"
    "o..#.##.#..o"
    "o..#....#..o"
    "o..........o"
    "#.#......#.#"
    "#...#..#...#"
    "#..........#"
    "####oooo####";

// Tables that are filled once; sides are bottom, left, top, right.
struct Board {
    uint8_t start[SIDES][STARTS];
    int8_t side_of[SQUARES];  // the side a start belongs to, or -1
    // The steps of a card before a wall or the edge, as bits, by side and space; none from a goal, or from off the board.
    uint8_t lane[SIDES][KINDS][SQUARES + 1];
    int stride[SIDES][KINDS];

    Board() {
        memset(side_of, -1, sizeof side_of);
        int found[SIDES] = {};
        for (int square = 0; square < SQUARES; square++) {
            int row = square / SIDE, column = square % SIDE;
            if (MAP[square] != 'o') continue;
            int side = row == SIDE - 1 ? 0 : column == 0 ? 1 : row == 0 ? 2 : 3;
            side_of[square] = int8_t(side);
            start[side][found[side]++] = uint8_t(square);
        }
        for (int side = 0; side < SIDES; side++)
            for (int kind = 0; kind < KINDS; kind++) {
                int way = (HEADING[kind] + 2 * side) & 7;
                stride[side][kind] = SIDE * DOWN[way] + ACROSS[way];
                for (int square = 0; square <= SQUARES; square++) {
                    lane[side][kind][square] = 0;
                    if (square == OFF || side_of[square] == (side ^ 2)) continue;
                    for (int steps = 1; steps <= FARTHEST; steps++) {
                        int row = square / SIDE + steps * DOWN[way], column = square % SIDE + steps * ACROSS[way];
                        if (row < 0 || row >= SIDE || column < 0 || column >= SIDE) break;
                        if (MAP[row * SIDE + column] == '#') break;
                        lane[side][kind][square] |= uint8_t(1 << (steps - 1));
                    }
                }
            }
    }
};

const Board board;

template <int Seats>
struct Match {
    static constexpr int PADDING = FARTHEST * (SIDE + 1);

    Generator chance, choices;
    Pile<50> deck, discard;
    uint8_t held[Seats][KINDS] = {};  // a hand as counters
    uint32_t kinds[Seats] = {};       // and the kinds in it as bits
    int cards[Seats] = {};
    int token[Seats][TOKENS], placed[Seats];
    uint8_t taken[2][PADDING + SQUARES + 1 + PADDING] = {};  // where S and N, and where W and E, can't land
    int actions = 0;

    explicit Match(uint64_t number) : chance(number, 0), choices(number, 1) {}

    uint32_t choose(uint32_t count) {
        actions++;
        return choices.below(count);
    }

    static int side(int seat) { return Seats == 4 ? seat : 2 * seat + 1; }

    static int roll(Generator& g) { return int(g.below(FARTHEST)) + 1; }

    void put(int seat, int number, int square) {
        token[seat][number] = square;
        for (auto& set : taken) set[PADDING + square] |= 1;
    }

    void lift(int square) {
        for (auto& set : taken) set[PADDING + square] &= 2;
    }

    uint32_t free_starts(int seat) const {
        uint32_t found = 0;
        for (int i = 0; i < STARTS; i++)
            found |= uint32_t(!(taken[0][PADDING + board.start[side(seat)][i]] & 1)) << i;
        return found;
    }

    // Return the landings of a seat's tokens with a kind of card: four bits for each token, bit 0 for one step.
    uint32_t landings(int seat, int kind, int moves) const {
        int stride = board.stride[side(seat)][kind];
        const uint8_t* lane = board.lane[side(seat)][kind];
        const uint8_t* blocked = taken[side(seat) & 1] + PADDING;
        uint32_t limit = (1u << moves) - 1, found = 0;
        for (int number = 0; number < TOKENS; number++) {
            int square = token[seat][number];
            uint32_t here = uint32_t(!blocked[square + stride]) | uint32_t(!blocked[square + 2 * stride]) << 1 |
                            uint32_t(!blocked[square + 3 * stride]) << 2;
            found |= (here & lane[square] & limit) << (4 * number);
        }
        return found;
    }

    void give_up(int seat, int kind) {
        held[seat][kind]--;
        kinds[seat] &= ~(uint32_t(!held[seat][kind]) << kind);
        cards[seat]--;
        discard.put(kind);
    }

    void discard_one(int seat) {
        uint32_t all = kinds[seat];
        give_up(seat, bit_at(all, choose(uint32_t(__builtin_popcount(all)))));
    }

    void draw_up(int seat) {
        for (; cards[seat] < HAND; cards[seat]++) {
            if (deck.count == 0) {
                discard.pour_into(deck);
                deck.shuffle(chance);
            }
            int kind = deck.take();
            held[seat][kind]++;
            kinds[seat] |= 1u << kind;
        }
    }

    int first_seat() {
        for (uint32_t rolling = (1u << Seats) - 1;;) {
            int best = 0;
            uint32_t highest = 0;
            for (int seat = 0; seat < Seats; seat++) {
                if (!(rolling >> seat & 1)) continue;
                int value = roll(chance);
                if (value > best) best = value, highest = 0;
                if (value == best) highest |= 1u << seat;
            }
            if (!(highest & (highest - 1))) return __builtin_ctz(highest);
            rolling = highest;
        }
    }

    bool has_won(int seat) const {
        int home = 0;
        for (int number = 0; number < placed[seat]; number++)
            home += board.side_of[token[seat][number]] == (side(seat) ^ 2);
        return home == TOKENS;
    }

    // Play the cards of a turn; note progress and return whether the match is won.
    bool move(int seat, int moves, bool& progress) {
        while (moves > 0) {
            uint32_t places[KINDS], playable = 0;
            for (uint32_t left = kinds[seat]; left; left &= left - 1) {
                int kind = __builtin_ctz(left);
                places[kind] = landings(seat, kind, moves);
                playable |= uint32_t(places[kind] != 0) << kind;
            }
            uint32_t count = uint32_t(__builtin_popcount(playable)), index = choose(count + 1);
            if (index == count) {
                if (cards[seat] == HAND) discard_one(seat);
                return false;
            }
            int kind = bit_at(playable, index), stride = board.stride[side(seat)][kind];
            uint32_t nibbles = places[kind], movable = (nibbles | nibbles >> 1 | nibbles >> 2) & 0x1111;
            int number = bit_at(movable, choose(uint32_t(__builtin_popcount(movable)))) / 4;
            uint32_t steps = nibbles >> (4 * number) & 7;
            uint32_t ways = uint32_t(__builtin_popcount(steps)), picked = choose(ways);
            int cost = bit_at(steps, stride > 0 ? picked : ways - 1 - picked) + 1;
            int from = token[seat][number], to = from + cost * stride;
            give_up(seat, kind);
            lift(from);
            put(seat, number, to);
            moves -= cost;
            if (board.side_of[to] == (side(seat) ^ 2)) {
                progress = true;
                if (has_won(seat)) return true;
            }
        }
        return false;
    }

    // Take a turn; note progress and return whether the match is won.
    bool turn(int seat, bool& progress) {
        if (choose(2) == 1) {
            for (int kind = 0; kind < KINDS; kind++)
                while (held[seat][kind]) give_up(seat, kind);
        } else {
            int moves = roll(chance);
            uint32_t starts = moves == FARTHEST && placed[seat] < TOKENS ? free_starts(seat) : 0;
            if (starts && choose(2) == 0) {
                int place = bit_at(starts, choose(uint32_t(__builtin_popcount(starts))));
                put(seat, placed[seat]++, board.start[side(seat)][place]);
                progress = true;
                discard_one(seat);
            } else if (move(seat, moves, progress)) {
                return true;
            }
        }
        draw_up(seat);
        return false;
    }

    int play() {
        for (int kind = 0; kind < KINDS; kind++)
            for (int i = 0; i < DECK[kind]; i++) deck.put(kind);
        deck.shuffle(chance);
        for (int seat = 0; seat < Seats; seat++) {
            draw_up(seat);
            for (int& square : token[seat]) square = OFF;
        }
        if (Seats == 4)  // a start is closed to the seats on the two sides next to its own
            for (int square = 0; square < SQUARES; square++)
                if (board.side_of[square] >= 0) taken[1 - (board.side_of[square] & 1)][PADDING + square] = 2;
        for (int seat = 0; seat < Seats; seat++) {
            int opposite = (seat + Seats / 2) % Seats;
            put(opposite, 0, board.start[side(opposite)][choose(STARTS)]);
            placed[opposite] = 1;
        }
        int first = first_seat();
        for (int idle = 0; idle < IDLE_ROUNDS; idle++) {
            bool progress = false;
            for (int i = 0; i < Seats; i++)
                if (turn((first + i) % Seats, progress)) return actions;
            if (progress) idle = -1;
        }
        return actions;
    }
};

}  // namespace

int untitled_movement(uint64_t number, int seats) {
    return seats == 4 ? Match<4>(number).play() : Match<2>(number).play();
}
