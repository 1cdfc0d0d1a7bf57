// A sample bot for Fencing Esport. Copy it, then change `choose`.
//
// It needs a compiler for C++17 and nothing else. The file has three parts: a fencer as the host
// describes one (`Fencer`), the choice of an action (`choose`), and the conversation (`main`).

#include <cstdlib>
#include <iostream>
#include <string>

namespace {

// What the five actions of league 1 cost. Nobody tells a bot which league it plays in, and a command
// that the league does not have loses the match: these five are known in all of them.
constexpr int STEP_COST = 1;  // forwards or backwards
constexpr int LUNGE_COST = 5;
constexpr int PARRY_COST = 2;
constexpr int PARRY_GAIN = 2;  // what a parry takes from a lunge and gives to the other

constexpr int STEP = 20;
constexpr int LUNGE_REACH = 40;  // without drugs

// Whoever falls below 0 energy loses the match, and a lunge that is parried costs 7.
constexpr int LUNGE_RESERVE = LUNGE_COST + PARRY_GAIN;
// What we want to have before we go near: the way there and one lunge.
constexpr int ATTACK_ENERGY = LUNGE_RESERVE + 3 * STEP_COST;

// One line of the host: twelve numbers about one fencer, always in this order.
struct Fencer {
    int position, energy, score, drugs, energy_max;
    int break_skill, walk_skill, double_walk_skill, retreat_skill, double_retreat_skill;
    int lunge_skill, parry_skill;

    // A lunge touches from this far, unless it is parried.
    int reach() const { return LUNGE_REACH + lunge_skill; }
};

std::istream& operator>>(std::istream& in, Fencer& fencer) {
    in >> fencer.position >> fencer.energy >> fencer.score >> fencer.drugs >> fencer.energy_max;
    in >> fencer.break_skill >> fencer.walk_skill >> fencer.double_walk_skill;
    in >> fencer.retreat_skill >> fencer.double_retreat_skill;
    return in >> fencer.lunge_skill >> fencer.parry_skill;
}

// The action for this turn.
//
// This is the part to improve. It only looks at the present gap, but both act at the same time: moves
// come before lunges, so an opponent that steps forward can be touched from further away. A stronger
// bot remembers what the opponent did in such places before, and bets on it. It also has ten more
// commands in the higher leagues.
std::string choose(const Fencer& me, const Fencer& opponent) {
    // Both fencers are told that they come from the low end, so this is the same for both.
    const int gap = opponent.position - me.position;
    const bool in_danger = gap <= opponent.reach() && opponent.energy >= LUNGE_COST;

    if (me.energy >= LUNGE_RESERVE && gap <= me.reach()) {
        return "LUNGE";
    }
    if (in_danger) {
        // Too tired to strike. A step beyond the end of the piste would give the other a point; a
        // parry gets its cost back if a lunge comes.
        const bool has_room = me.position >= STEP;
        if (has_room && me.energy >= STEP_COST) {
            return "RETREAT";
        }
        return me.energy >= PARRY_COST ? "PARRY" : "BREAK";
    }
    return me.energy < ATTACK_ENERGY ? "BREAK" : "WALK";
}

/// Draws for whoever watches the match, as in draw("circle 960 500 90 gold"): the book has the language.
void draw(const std::string& what) {
    static const char* const wanted = std::getenv("QUINTAIN_DRAW");
    if (wanted != nullptr && std::string(wanted) == "1") {
        std::cerr << "[DRAW] " << what << std::endl;
    }
}

}  // namespace

int main() {
    // A turn is two lines, our own first. After a touch the host sets both fencers back and asks
    // nobody, so the next two lines can be those of a turn later. The input ends with the match.
    Fencer me, opponent;
    while (std::cin >> me >> opponent) {
        draw("circle " + std::to_string(opponent.position) + " -30 9 loss");
        // endl flushes: a line that stays in a buffer until time is up has not been said. With
        // printf, call fflush(stdout) after each answer.
        std::cout << choose(me, opponent) << std::endl;
    }
}
