// World of Fighters with the default options: one random match, from docs/games/world-of-fighters.md.
#include "common.hpp"

#include <algorithm>
#include <cstdlib>

namespace {

constexpr int COLUMNS = 7, ROWS = 5, SQUARES = COLUMNS * ROWS, FIGHTERS = 8;
constexpr int HEALTH = 20, SUPER_HEALTH = 7, SUPER_SCORE = 6, ROUNDS = 100;
enum { PUNCH, KICK, GRAPPLE, BLOCK, KINDS };
constexpr int DECK[KINDS] = {10, 10, 10, 6};

struct Fighter {
    bool is_long;
    int stat[KINDS];
    int super_kind, super_range;
};

constexpr Fighter ROSTER[FIGHTERS] = {
    {true, {1, 2, 2, 2}, GRAPPLE, 3}, {false, {2, 1, 1, 3}, BLOCK, 1}, {true, {1, 3, 1, 2}, KICK, 2},
    {false, {3, 1, 1, 2}, PUNCH, 1},  {false, {1, 1, 3, 2}, GRAPPLE, 1}, {false, {2, 2, 2, 1}, PUNCH, 2},
    {true, {2, 3, 0, 2}, KICK, 3},    {true, {1, 2, 3, 1}, GRAPPLE, 2},
};

constexpr int BASES[4][3] = {{1, 2, 0}, {0, 1, 2}, {2, 1, 0}, {0, 2, 1}};  // by kind; the last row is a long Punch
// The eight directions, ascending by the square they lead to.
constexpr int ACROSS[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, ALONG[8] = {-1, -1, -1, 0, 0, 1, 1, 1};

// Tables that are filled once.
struct Ring {
    uint8_t reachable[SQUARES][4];   // directions in which a move of this length stays on the board, as bits
    uint8_t target[SQUARES][4][8];   // where it leads
    uint8_t heading[SQUARES][SQUARES];  // the direction of a straight line, as a bit, or 0
    uint8_t distance[SQUARES][SQUARES];
    bool edge[SQUARES];
    uint8_t score[FIGHTERS][KINDS][COLUMNS];  // of an ordinary attack, by range

    Ring() {
        for (int from = 0; from < SQUARES; from++) {
            int column = from % COLUMNS, row = from / COLUMNS;
            edge[from] = column == 0 || row == 0 || column == COLUMNS - 1 || row == ROWS - 1;
            for (int to = 0; to < SQUARES; to++) heading[from][to] = 0;
            for (int length = 0; length < COLUMNS; length++) {
                if (length < 4) reachable[from][length] = 0;
                for (int way = 0; way < 8; way++) {
                    int x = column + length * ACROSS[way], y = row + length * ALONG[way];
                    if (x < 0 || x >= COLUMNS || y < 0 || y >= ROWS) continue;
                    int to = y * COLUMNS + x;
                    if (length > 0) heading[from][to] = uint8_t(1 << way);
                    if (length > 3) continue;
                    reachable[from][length] |= uint8_t(1 << way);
                    target[from][length][way] = uint8_t(to);
                }
            }
            for (int to = 0; to < SQUARES; to++)
                distance[from][to] = uint8_t(std::max(abs(column - to % COLUMNS), abs(row - to / COLUMNS)));
        }
        for (int fighter = 0; fighter < FIGHTERS; fighter++)
            for (int kind = 0; kind < KINDS; kind++)
                for (int range = 0; range < COLUMNS; range++) {
                    int row = kind == PUNCH && ROSTER[fighter].is_long ? 3 : kind;
                    int base = kind == BLOCK || range < 1 || range > 3 ? 0 : BASES[row][range - 1];
                    score[fighter][kind][range] = uint8_t(base ? base + ROSTER[fighter].stat[kind] : 0);
                }
    }
};

const Ring ring;

struct Match {
    Generator chance, choices;
    Pile<36> deck, discard;
    uint8_t held[2][KINDS] = {};  // a hand as counters
    int cards[2] = {0, 0};
    int fighter[2], square[2] = {8, 26}, health[2] = {HEALTH, HEALTH};
    bool super_used[2] = {false, false};
    int resting[2] = {0, 0}, movement[2], action[2];
    bool called[2], performed[2];
    int actions = 0;

    explicit Match(uint64_t number) : chance(number, 0), choices(number, 1) {}

    uint32_t choose(uint32_t count) {
        actions++;
        return choices.below(count);
    }

    void draw_up(int seat) {
        while (cards[seat] < 3) {
            held[seat][deck.take()]++;
            cards[seat]++;
            if (deck.count == 0) {
                discard.pour_into(deck);
                deck.shuffle(chance);
            }
        }
    }

    uint32_t kinds_held(int seat, int last) const {
        uint32_t kinds = 0;
        for (int kind = 0; kind <= last; kind++) kinds |= uint32_t(held[seat][kind] > 0) << kind;
        return kinds;
    }

    void play_from_hand(int seat, int kind) {
        held[seat][kind]--;
        cards[seat]--;
    }

    void commit(int seat) {
        if (resting[seat]) {
            int card = 1 + int(choose(2));
            movement[seat] = card + (card >= resting[seat]);
        } else {
            movement[seat] = 1 + int(choose(3));
        }
        const Fighter& own = ROSTER[fighter[seat]];
        bool may_call = health[seat] <= SUPER_HEALTH && !super_used[seat] && held[seat][own.super_kind];
        uint32_t kinds = kinds_held(seat, BLOCK), count = uint32_t(__builtin_popcount(kinds));
        uint32_t index = choose(count + may_call);
        called[seat] = index == count;
        action[seat] = called[seat] ? own.super_kind : bit_at(kinds, index);
    }

    // Move a token; return false if it can't move.
    bool move(int seat) {
        int here = square[seat], other = square[1 - seat], steps = movement[seat];
        uint32_t ways = ring.reachable[here][steps];
        if (ring.distance[here][other] <= steps) ways &= ~uint32_t(ring.heading[here][other]);
        if (!ways) return false;
        square[seat] = ring.target[here][steps][bit_at(ways, choose(uint32_t(__builtin_popcount(ways))))];
        return true;
    }

    int score(int seat, int range) const {
        return performed[seat] ? SUPER_SCORE : ring.score[fighter[seat]][action[seat]][range];
    }

    void damage(int seat, int points) { health[seat] = std::max(0, health[seat] - points); }

    // Play a round; return whether the match goes on.
    bool round(int first) {
        int second = 1 - first;
        commit(first);
        commit(second);
        if (!move(first) || !move(second)) return false;
        int range = ring.distance[square[0]][square[1]];
        for (int seat = 0; seat < 2; seat++) {
            play_from_hand(seat, action[seat]);
            performed[seat] = called[seat] && range == ROSTER[fighter[seat]].super_range;
            super_used[seat] |= performed[seat];
        }
        for (int seat = 0; seat < 2; seat++)
            if (performed[seat] && ring.edge[square[1 - seat]]) return false;
        int counter = -1;
        if (action[first] != BLOCK && action[second] != BLOCK) {
            damage(second, score(first, range));
            if (health[second] > 0) damage(first, score(second, range));
        } else if (action[first] != BLOCK || action[second] != BLOCK) {
            int blocker = action[first] == BLOCK ? first : second, attacker = 1 - blocker;
            bool overruled = performed[attacker] && !performed[blocker];
            int blocked = performed[blocker] ? SUPER_SCORE : ROSTER[fighter[blocker]].stat[BLOCK];
            damage(blocker, std::max(0, score(attacker, range) - (overruled ? 0 : blocked)));
            if (health[blocker] > 0 && !overruled) {
                uint32_t kinds = kinds_held(blocker, GRAPPLE), count = uint32_t(__builtin_popcount(kinds));
                uint32_t index = choose(count + 1);
                if (index < count) {
                    counter = bit_at(kinds, index);
                    play_from_hand(blocker, counter);
                    damage(attacker, ring.score[fighter[blocker]][counter][range]);
                }
            }
        }
        if (health[0] == 0 || health[1] == 0) return false;
        discard.put(action[first]);
        discard.put(action[second]);
        if (counter >= 0) discard.put(counter);
        resting[0] = movement[0], resting[1] = movement[1];
        draw_up(first);
        draw_up(second);
        return true;
    }

    int play() {
        for (int kind = 0; kind < KINDS; kind++)
            for (int i = 0; i < DECK[kind]; i++) deck.put(kind);
        fighter[0] = int(choose(FIGHTERS));
        fighter[1] = int(choose(FIGHTERS - 1));
        fighter[1] += fighter[1] >= fighter[0];
        deck.shuffle(chance);
        draw_up(0);
        draw_up(1);
        for (int number = 1; number <= ROUNDS; number++)
            if (!round((number + 1) & 1)) break;
        return actions;
    }
};

}  // namespace

int world_of_fighters(uint64_t number) { return Match(number).play(); }
