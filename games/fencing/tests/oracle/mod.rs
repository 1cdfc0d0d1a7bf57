//! The rules once more, written for nothing but to be plain: words, maps and one long list of ifs.

use std::collections::BTreeMap;

use quintain_fencing::{Ability, Collision, Fencing, ParryDrug, Switches};

/// Word, energy, move and the number that its skill is added to.
const ACTIONS: [(&str, i32, i32); 7] = [
    ("BREAK", 2, 0),
    ("WALK", -1, 20),
    ("RETREAT", -1, -20),
    ("LUNGE", -5, 0),
    ("PARRY", -2, 0),
    ("DOUBLE_WALK", -4, 40),
    ("DOUBLE_RETREAT", -4, -30),
];

#[derive(Clone, Debug)]
pub(crate) struct Player {
    pub(crate) position: i32,
    pub(crate) energy: i32,
    pub(crate) points: i32,
    pub(crate) drugs: i32,
    pub(crate) is_doper: bool,
    pub(crate) skills: BTreeMap<&'static str, i32>,
}

#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    pub(crate) players: [Player; 2],
    pub(crate) turn: u32,
    pub(crate) respawn: bool,
    pub(crate) is_over: bool,
    switches: Switches,
}

impl Oracle {
    /// Starts from the numbers of a position that nobody has played yet.
    pub(crate) fn of(game: &Fencing, switches: Switches) -> Oracle {
        use quintain_core::Game;
        let players = game.fencers().0.map(|fencer| {
            let names = ["MAX", "BREAK", "WALK", "DOUBLE_WALK", "RETREAT", "DOUBLE_RETREAT"];
            let names = names.into_iter().chain(["LUNGE", "PARRY"]);
            let skills = names.zip(Ability::ALL);
            Player {
                position: i32::from(fencer.position),
                energy: i32::from(fencer.energy),
                points: i32::from(fencer.points),
                drugs: i32::from(fencer.drugs),
                is_doper: false,
                skills: skills
                    .map(|(name, ability)| (name, i32::from(fencer.abilities[ability])))
                    .collect(),
            }
        });
        Oracle {
            players,
            turn: game.turn(),
            respawn: game.is_respawn_due(),
            is_over: false,
            switches,
        }
    }

    pub(crate) fn step(&mut self, words: [&str; 2]) {
        assert!(!self.is_over);
        self.turn += 1;
        if self.respawn {
            self.players[0].position = 200;
            self.players[1].position = 300;
            self.respawn = false;
        } else {
            self.fight(words);
        }
        if self.turn == 200 {
            self.is_over = true;
        }
    }

    fn fight(&mut self, mut words: [&str; 2]) {
        for (player, word) in self.players.iter_mut().zip(&mut words) {
            player.pay(word);
        }
        for (player, word) in self.players.iter_mut().zip(words) {
            player.swallow(word, self.switches.parry_drug);
        }
        let outside = [self.walk(0, words[0], 1), self.walk(1, words[1], -1)];
        let mut is_touched = false;
        if outside == [false, false] {
            for striker in [0, 1] {
                if words[striker] == "LUNGE" {
                    is_touched |= self.lunge(striker, words[1 - striker] == "PARRY");
                }
            }
        }
        for seat in [0, 1] {
            if outside[seat] {
                self.players[1 - seat].points += 1;
            }
        }
        let [first, second] = &self.players;
        let has_collided = match self.switches.collision {
            Collision::Passed => first.position > second.position,
            Collision::SameSpot => first.position >= second.position,
        };
        self.respawn = is_touched || outside != [false, false] || has_collided;
        let gap = i32::from(self.switches.score_gap);
        let is_decisive =
            |own: &Player, other: &Player| own.points >= 20 && own.points - other.points >= gap;
        self.is_over = is_decisive(first, second)
            || is_decisive(second, first)
            || self.players.iter().any(|player| player.energy < 0 || player.is_doper);
    }

    fn walk(&mut self, seat: usize, word: &str, facing: i32) -> bool {
        let player = &mut self.players[seat];
        let Some((_, _, step)) = ACTIONS.iter().find(|(name, _, step)| *name == word && *step != 0)
        else {
            return false;
        };
        let target = player.position + facing * (step + player.skills[word]);
        player.position = target.clamp(0, 500);
        !(0..=500).contains(&target)
    }

    fn lunge(&mut self, striker: usize, is_parried: bool) -> bool {
        let defender = 1 - striker;
        let distance = (self.players[0].position - self.players[1].position).abs();
        let mut reach = 40 + self.players[striker].skills["LUNGE"];
        if is_parried {
            reach += -40 + self.players[defender].skills["PARRY"];
        }
        if distance <= reach {
            self.players[striker].points += 1;
            return true;
        }
        if is_parried {
            let max = self.players[defender].skills["MAX"];
            self.players[defender].energy = max.min(self.players[defender].energy + 2);
            self.players[striker].energy -= 2;
        }
        false
    }
}

impl Player {
    /// Pays, and forgets the action if that was too much.
    fn pay(&mut self, word: &mut &str) {
        let row = ACTIONS.iter().find(|(name, _, _)| name == word);
        let mut energy = row.map_or(-5, |(_, energy, _)| *energy);
        if *word == "BREAK" {
            energy += self.skills["BREAK"];
        }
        self.energy = (self.energy + energy).min(self.skills["MAX"]);
        if self.energy < 0 {
            *word = "";
        }
    }

    fn swallow(&mut self, word: &str, parry_drug: ParryDrug) {
        let (skill, change) = match word {
            "LUNGE_DRUG" => ("LUNGE", 5),
            "PARRY_DRUG" if parry_drug == ParryDrug::Counted => ("PARRY", -5),
            "ENERGY_MAX_DRUG" => ("MAX", 5),
            "WALK_DRUG" => ("WALK", 5),
            "RETREAT_DRUG" => ("RETREAT", 5),
            "DOUBLE_WALK_DRUG" => ("DOUBLE_WALK", 10),
            "DOUBLE_RETREAT_DRUG" => ("DOUBLE_RETREAT", 10),
            "BREAK_DRUG" => ("BREAK", 10),
            _ => return,
        };
        if self.drugs == 7 {
            self.is_doper = true;
            return;
        }
        self.drugs += 1;
        *self.skills.get_mut(skill).expect("a skill") += change;
    }
}

/// That a position and the oracle agree in everything.
pub(crate) fn assert_agree(game: &Fencing, oracle: &Oracle) {
    use quintain_core::Game;
    use quintain_fencing::Offence;
    let expected = Oracle::of(game, oracle.switches);
    assert_eq!((expected.turn, expected.respawn), (oracle.turn, oracle.respawn));
    assert_eq!(game.outcome().is_some(), oracle.is_over, "{oracle:?}");
    for (seat, (ours, theirs)) in expected.players.iter().zip(&oracle.players).enumerate() {
        let numbers = |p: &Player| [p.position, p.energy, p.points, p.drugs];
        assert_eq!(numbers(ours), numbers(theirs), "seat {seat}: {oracle:?}");
        assert_eq!(ours.skills, theirs.skills, "seat {seat}");
        let is_doper = game.offences().0[seat] == Some(Offence::Doping);
        assert_eq!(is_doper, theirs.is_doper, "seat {seat}");
    }
}
