// Read one measurement per line, as rates.py does: "play", a game, a number of seats, a number of matches. Print the
// number of actions, the CPU seconds, and the number of actions again as a checksum.
#include "common.hpp"

#include <ctime>
#include <iostream>
#include <string>

int main() {
    std::string kind, game;
    int seats, matches;
    while (std::cin >> kind >> game >> seats >> matches) {
        clock_t start = clock();
        long total = 0;
        for (int number = 1; number <= matches; number++)
            total += game == "world-of-fighters"   ? world_of_fighters(uint64_t(number))
                     : game == "untitled-movement" ? untitled_movement(uint64_t(number), seats)
                                                   : make_your_moves(uint64_t(number), seats);
        double seconds = double(clock() - start) / CLOCKS_PER_SEC;
        std::cout << "[" << total << ", " << seconds << ", " << total << "]" << std::endl;
    }
}
