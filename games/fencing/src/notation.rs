//! Commands as text, and what a player knows as data.

use quintain_core::{Game as _, Notation, ParseError, Seat, Suggestion};
use serde::Serialize;

use crate::protocol::read_action;
use crate::{Ability, Action, Fencer, Fencing, View};

impl Notation for Fencing {
    fn write(action: &Action) -> String {
        action.code().to_owned()
    }

    fn read(text: &str) -> Result<Action, ParseError> {
        read_action(text)
    }

    fn data(view: &View) -> impl Serialize {
        Data {
            league: view.league,
            player: Figures::of(&view.own),
            opponent: Figures::of(&view.opponent),
        }
    }

    /// What is sure to cost the match is left out; it can be typed.
    fn suggest(&self, seat: Seat, _typed: &str) -> Vec<Suggestion> {
        let view = self.view(seat);
        let affordable = |action: &&Action| view.own.can_afford(**action);
        let actions = Action::of_league(view.league).iter().filter(affordable);
        actions.map(|action| Suggestion::new(action.code(), effect(*action))).collect()
    }
}

/// The row of the document's table in a few words.
fn effect(action: Action) -> String {
    let row = action.row();
    let mut parts = vec![format!("energy {:+}", row.energy)];
    if row.step != 0 {
        parts.push(format!("move {:+}", row.step));
    }
    if row.distance > 0 {
        parts.push(format!("reach {}", row.distance));
    }
    if row.energy_transfer != 0 {
        parts.push(format!("takes {} from a lunge", row.energy_transfer));
    }
    if row.drug != 0 {
        parts.push(format!("{:+} for good", row.drug));
    }
    parts.join(", ")
}

#[derive(Serialize)]
struct Data {
    league: u8,
    player: Figures,
    opponent: Figures,
}

/// The numbers of a line of the protocol.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Figures {
    position: i16,
    energy: i16,
    score: i16,
    drug_count: u8,
    energy_max: i8,
    break_skill: i8,
    walk_skill: i8,
    double_walk_skill: i8,
    retreat_skill: i8,
    double_retreat_skill: i8,
    lunge_distance_skill: i8,
    parry_distance_skill: i8,
}

impl Figures {
    fn of(fencer: &Fencer) -> Figures {
        let Fencer { position, energy, points, drugs, abilities } = *fencer;
        Figures {
            position,
            energy,
            score: points,
            drug_count: drugs,
            energy_max: abilities[Ability::EnergyMax],
            break_skill: abilities[Ability::Break],
            walk_skill: abilities[Ability::Walk],
            double_walk_skill: abilities[Ability::DoubleWalk],
            retreat_skill: abilities[Ability::Retreat],
            double_retreat_skill: abilities[Ability::DoubleRetreat],
            lunge_distance_skill: abilities[Ability::LungeDistance],
            parry_distance_skill: abilities[Ability::ParryDistance],
        }
    }
}
