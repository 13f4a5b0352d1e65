// What the reference playouts share: the generator of sparring/engine/chance.py, and a pile of cards.
//
// The playouts are written for speed: they have no list of legal actions, no views, no options, and a hand is a bit set
// or a set of counters. They make the same random choices as Sparring's driver `playouts`, so that the number of actions
// must be the same. That shows that they play by the same rules.
#pragma once

#include <cstdint>
#ifdef __BMI2__
#include <immintrin.h>
#endif

struct Generator {
    uint32_t a, b, c, d;

    static uint32_t scramble(uint32_t x) {
        x = (x ^ (x >> 16)) * 0x21F0AAADu;
        x = (x ^ (x >> 15)) * 0x735A2D97u;
        return x ^ (x >> 15);
    }

    // Seed the generator from a number and a stream (0: the deal, 1: the choices of random play).
    Generator(uint64_t number, uint32_t stream) {
        uint32_t words[4];
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t word = scramble(uint32_t(number) + (i + 1) * 0x3C6EF372u);
            word = scramble(word ^ uint32_t(number >> 32));
            words[i] = scramble(word + (stream + 1) * 0x1B873593u);
        }
        a = words[0], b = words[1], c = words[2], d = words[3];
        if (!(a | b | c | d)) a = 1;
    }

    uint32_t bits() {
        uint32_t x = b * 5;
        uint32_t result = ((x << 7) | (x >> 25)) * 9;
        uint32_t shifted = b << 9;
        c ^= a, d ^= b, b ^= c, a ^= d, c ^= shifted;
        d = (d << 11) | (d >> 21);
        return result;
    }

    // Return a uniformly random number from 0 to n - 1.
    uint32_t below(uint32_t n) {
        uint64_t product = uint64_t(bits()) * n;
        if (uint32_t(product) < n) {
            uint32_t floor = -n % n;
            while (uint32_t(product) < floor) product = uint64_t(bits()) * n;
        }
        return uint32_t(product >> 32);
    }
};

// A pile whose order matters, because a shuffle starts from it.
template <int Size>
struct Pile {
    int count = 0;
    uint8_t cards[Size];

    void put(int card) { cards[count++] = uint8_t(card); }

    int take() { return cards[--count]; }

    template <int Other>
    void pour_into(Pile<Other>& other) {
        for (int i = 0; i < count; i++) other.put(cards[i]);
        count = 0;
    }

    void shuffle(Generator& g) {
        for (int i = count; i > 1; i--) {
            int j = int(g.below(uint32_t(i)));
            uint8_t card = cards[i - 1];
            cards[i - 1] = cards[j];
            cards[j] = card;
        }
    }
};

// Return the place of the set bit with this index. A loop would cost a branch that the processor mispredicts.
inline int bit_at(uint64_t bits, uint32_t index) {
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64(uint64_t(1) << index, bits));
#else
    while (index--) bits &= bits - 1;
    return __builtin_ctzll(bits);
#endif
}

// Play one random match and return its number of actions.
int world_of_fighters(uint64_t number);
int make_your_moves(uint64_t number, int seats);
int untitled_movement(uint64_t number, int seats);
