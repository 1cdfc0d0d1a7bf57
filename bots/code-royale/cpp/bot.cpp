// A sample bot for Code Royale. Copy it, then change `choose_order`.
//
// It needs a compiler for C++17 and nothing else. The file has four parts: what the host tells
// (`Site`, `Unit`, `World`), the order for the queen (`choose_order`), the training of creeps
// (`choose_training`), and the conversation with the host (`main`).

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace {

// What stands on a site, what a unit is (archers are 1 and giants 2), and whose it is, seen from
// here: every bot is told that it is 0.
enum Structure { NOTHING = -1, MINE = 0, TOWER = 1, BARRACKS = 2 };
enum Kind { QUEEN = -1, KNIGHT = 0 };
enum Owner { ME = 0, ENEMY = 1 };

constexpr int KNIGHTS_COST = 80;
constexpr int START_GOLD = 100;

// What the plan wants. Play with these first.
constexpr int MINES_FIRST = 2;
constexpr int MINES_WANTED = 5;
constexpr int TOWERS_WANTED = 3;
constexpr int TOWER_HP_WANTED = 400;
constexpr int DANGER = 350;  // a knight as near as this is a danger
constexpr int GOLD_WORTH_A_MINE = 30;

// A building site. Its place never changes, the rest is told anew each turn.
struct Site {
    int id, x, y, radius;
    int gold = -1;  // never seen
    int max_rate, structure, owner;
    // Of a mine: its rate. Of a tower: health and range. Of barracks: turns left, kind of creep.
    int param1, param2;

    bool is_mine() const { return owner == ME && structure == MINE; }
    bool is_tower() const { return owner == ME && structure == TOWER; }
    bool is_barracks() const { return owner == ME && structure == BARRACKS; }
};

// A queen or a creep.
struct Unit {
    int x, y, owner, kind, health;
};

// Between the centres of two things on the field.
template <typename One, typename Other>
double distance(const One& one, const Other& other) {
    const int dx = one.x - other.x, dy = one.y - other.y;
    return std::sqrt(dx * dx + dy * dy);
}

// Everything that we are told.
struct World {
    int turn = -1;
    int gold = 0;
    std::vector<Site> sites;
    const Site* touched = nullptr;
    Unit queen, enemy_queen;
    std::vector<Unit> knights;  // the enemy's
    // Nobody tells which league this is, and to build what it does not have loses the match. So we
    // begin as if there were only barracks.
    bool has_mines = false;

    void read_start();
    bool read_turn();
    void read_site(Site& site);
    void read_unit();
    bool is_quiet(const Site& site) const;

    // The fitting site whose rim is nearest to our queen, or null.
    template <typename IsFit>
    const Site* nearest(IsFit is_fit) const {
        const Site* best = nullptr;
        double best_way = 0;
        for (const Site& site : sites) {
            const double way = distance(site, queen) - site.radius;
            if (is_fit(site) && (best == nullptr || way < best_way)) {
                best = &site;
                best_way = way;
            }
        }
        return best;
    }
};

void World::read_start() {
    int count = 0;
    std::cin >> count;
    sites.resize(count);
    for (Site& site : sites) {
        std::cin >> site.id >> site.x >> site.y >> site.radius;
    }
}

// False if the match is over.
bool World::read_turn() {
    int touched_id = -1, unit_count = 0;
    std::cin >> gold >> touched_id;
    for (Site& site : sites) {
        read_site(site);
    }
    std::cin >> unit_count;
    if (!std::cin) {
        return false;
    }
    touched = touched_id >= 0 ? &sites[touched_id] : nullptr;
    knights.clear();
    for (int index = 0; index < unit_count; index++) {
        read_unit();
    }
    turn++;
    if (turn == 1) {
        // Leagues without mines pay ten gold a turn. The others have towers too.
        has_mines = gold == START_GOLD;
    }
    return true;
}

void World::read_site(Site& site) {
    int id, seen_gold = -1;
    std::cin >> id >> seen_gold >> site.max_rate >> site.structure >> site.owner;
    std::cin >> site.param1 >> site.param2;
    // Gold and the highest rate of a mine are -1 while the site is too far away to be seen. The gold
    // that was there before is remembered, or the queen would go back to empty sites.
    if (seen_gold != -1) {
        site.gold = seen_gold;
    }
}

void World::read_unit() {
    Unit unit;
    std::cin >> unit.x >> unit.y >> unit.owner >> unit.kind >> unit.health;
    if (unit.kind == QUEEN) {
        (unit.owner == ME ? queen : enemy_queen) = unit;
    } else if (unit.kind == KNIGHT && unit.owner == ENEMY) {
        knights.push_back(unit);
    }
}

// Out of reach of the enemy's towers.
bool World::is_quiet(const Site& site) const {
    return std::none_of(sites.begin(), sites.end(), [&](const Site& other) {
        return other.owner == ENEMY && other.structure == TOWER &&
               distance(other, site) < other.param2 + site.radius;
    });
}

// From afar the queen walks there instead, so that it is enough to repeat this.
std::string build(const Site& site, const std::string& structure) {
    return "BUILD " + std::to_string(site.id) + " " + structure;
}

// With a knight near: build a tower and stay at it. Without towers: straight away. Empty if there is
// no danger.
std::string flee(const World& world) {
    const auto is_nearer = [&](const Unit& one, const Unit& other) {
        return distance(one, world.queen) < distance(other, world.queen);
    };
    const auto knight = std::min_element(world.knights.begin(), world.knights.end(), is_nearer);
    if (knight == world.knights.end() || distance(*knight, world.queen) > DANGER) {
        return "";
    }
    if (world.has_mines) {
        const Site* shelter = world.nearest([&](const Site& site) {
            const bool is_ground = site.is_mine() || site.structure == NOTHING;
            return site.is_tower() || (is_ground && world.is_quiet(site));
        });
        if (shelter != nullptr) {
            return build(*shelter, "TOWER");
        }
    }
    // Ten times as far on the other side: she comes as far as her feet carry her.
    const int x = world.queen.x + 10 * (world.queen.x - knight->x);
    const int y = world.queen.y + 10 * (world.queen.y - knight->y);
    return "MOVE " + std::to_string(x) + " " + std::to_string(y);
}

// Work on what the queen stands at, until it is good enough. Empty if there is nothing to do.
std::string improve(const World& world) {
    const Site* site = world.touched;
    if (site != nullptr && site->is_mine() && site->param1 < site->max_rate) {
        return build(*site, "MINE");
    }
    if (site != nullptr && site->is_tower() && site->param1 < TOWER_HP_WANTED) {
        return build(*site, "TOWER");
    }
    return "";
}

// What to build next, or nothing if there is enough of everything.
std::string next_structure(const World& world) {
    int mines = 0, towers = 0, barracks = 0;
    for (const Site& site : world.sites) {
        mines += site.is_mine();
        towers += site.is_tower();
        barracks += site.is_barracks();
    }
    if (!world.has_mines) {
        return barracks < 2 ? "BARRACKS-KNIGHT" : "";
    }
    if (mines < MINES_FIRST && towers == 0 && barracks == 0) {
        return "MINE";
    }
    if (barracks == 0) {
        return "BARRACKS-KNIGHT";
    }
    if (towers == 0) {
        return "TOWER";
    }
    if (mines < MINES_WANTED) {
        return "MINE";
    }
    return towers < TOWERS_WANTED ? "TOWER" : "";
}

// All is built: look after the tower that needs it most.
std::string mend(const World& world) {
    const Site* weakest = nullptr;
    for (const Site& site : world.sites) {
        if (site.is_tower() && (weakest == nullptr || site.param1 < weakest->param1)) {
            weakest = &site;
        }
    }
    return weakest == nullptr ? "" : build(*weakest, "TOWER");
}

// The next structure of the plan, on the nearest site that will take it. Empty if there is none.
std::string expand(const World& world) {
    const std::string structure = next_structure(world);
    if (structure.empty()) {
        return mend(world);
    }
    const Site* site = world.nearest([&](const Site& site) {
        // At the start every site has gold, so one that was never seen is worth the way.
        const bool has_gold = site.gold == -1 || site.gold > GOLD_WORTH_A_MINE;
        return site.structure == NOTHING && world.is_quiet(site) &&
               (structure != "MINE" || has_gold);
    });
    return site == nullptr ? "" : build(*site, structure);
}

// The order for the queen.
//
// This is the part to improve. It knows towers only as a shelter and knights as the only army; giants
// against towers and archers against knights are left to you.
std::string choose_order(const World& world) {
    for (const auto& idea : {flee, improve, expand}) {
        const std::string order = idea(world);
        if (!order.empty()) {
            return order;
        }
    }
    return "WAIT";
}

// The barracks that train, those nearest to the enemy's queen first. Gold pays in advance.
std::vector<Site> choose_training(const World& world) {
    std::vector<Site> idle;
    for (const Site& site : world.sites) {
        if (site.is_barracks() && site.param1 == 0) {
            idle.push_back(site);
        }
    }
    std::stable_sort(idle.begin(), idle.end(), [&](const Site& one, const Site& other) {
        return distance(one, world.enemy_queen) < distance(other, world.enemy_queen);
    });
    const std::size_t affordable = world.gold / KNIGHTS_COST;
    idle.resize(std::min(idle.size(), affordable));
    return idle;
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
    World world;
    world.read_start();
    while (world.read_turn()) {
        draw("circle " + std::to_string(world.queen.x) + ' ' + std::to_string(world.queen.y) + " 60 own");
        std::cout << choose_order(world) << '\n' << "TRAIN";
        for (const Site& site : choose_training(world)) {
            std::cout << ' ' << site.id;
        }
        // endl flushes: a line that stays in a buffer until time is up has not been said. With
        // printf, call fflush(stdout) after each answer.
        std::cout << std::endl;
    }
}
