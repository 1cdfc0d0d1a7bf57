//! Where the document and the original engine differ, as data.

pub use quintain_core::Edition;

/// The rules in which the editions differ. Rules read a switch; nothing else knows which edition is
/// played. The README has the same table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// The largest radius of a site; the smallest is 60. Document, "Site de construction": 60 to
    /// 110. The original draws up to 90.
    pub site_radius_max: i32,
    /// How often all pairs of sites are drawn again if the map is too crowded to be settled in 100
    /// rounds. The document shows circles that keep apart; the original plays on what it has.
    pub map_redraws_max: u32,
    /// Whether gold and highest rate of a site are also shown wherever the receiver has a structure.
    /// Document, "MINE": only if the queen is less than 300 away.
    pub riches_shown_at_own_structure: bool,
    /// Whether the rate of an enemy's mine is shown within 300. Document, "param1": -1 for an
    /// enemy's mine.
    pub enemy_rate_shown: bool,
    /// Which site is told as touched if there are several: the one whose rim is nearest, or none.
    /// Document, "touchedSite": the site with which the queen is in contact.
    pub touched_is_nearest_of_several: bool,
    /// Passes of collision after the last of the five steps of a movement, at most. Document,
    /// "Collisions": as long as there are any; the original makes a single pass.
    pub movement_passes_max: u32,
    /// Whether every structure that may be torn down is, or only one on the site whose centre is
    /// nearest. Document, "Contact entre les unités".
    pub all_contacts_tear_down: bool,
    /// Whether a tower that giants brought to 0 fires once more. Document, "Action des structures
    /// restantes": it is gone.
    pub ruined_towers_fire: bool,
    /// Whether a tower reaches as far as its health allows when it fires, or as it did when it last
    /// acted (a new tower: not at all). Document, "PV d'une tour".
    pub range_follows_health: bool,
    /// Whether the damage of a shot grows from the rim of the site or from its centre. Document,
    /// "TOWER": base damage at the limit of the range, one more every 200.
    pub damage_grows_from_rim: bool,
    /// In which order a turn ends after the armies have attacked and torn down. Document, "Ordre des
    /// actions d'un tour de jeu".
    pub turn_end: TurnEnd,
    /// Whether the tolerance of 5 within which rims are in contact is added to the range of archers,
    /// so that they reach less than 205. Document, "Contact entre les unités": it is for four cases,
    /// and archers are none of them; their range is 200.
    pub archers_have_tolerance: bool,
    /// Whether creeps without health are also removed if their player was killed in this turn.
    /// Document, "Ordre des actions": dead armies are; the original looks after active players only.
    pub dead_of_killed_are_removed: bool,
    /// Whether a queen can be sent to the corner (0, 0). The original takes a move to exactly there
    /// for none.
    pub origin_is_reachable: bool,
}

/// The order of a turn's end; `rules.rs` has both lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    /// All towers fire, then all barracks train, then all mines pay; creeps grow old last.
    KindByKind,
    /// Creeps grow old first; then what stands on a site acts, site by site.
    SiteBySite,
}

impl Switches {
    pub const DOCUMENT: Switches = Switches {
        site_radius_max: 110,
        map_redraws_max: 200,
        riches_shown_at_own_structure: false,
        enemy_rate_shown: false,
        touched_is_nearest_of_several: true,
        movement_passes_max: 999,
        all_contacts_tear_down: true,
        ruined_towers_fire: false,
        range_follows_health: true,
        damage_grows_from_rim: false,
        turn_end: TurnEnd::KindByKind,
        archers_have_tolerance: false,
        dead_of_killed_are_removed: true,
        origin_is_reachable: true,
    };

    pub const ORIGINAL: Switches = Switches {
        site_radius_max: 90,
        map_redraws_max: 0,
        riches_shown_at_own_structure: true,
        enemy_rate_shown: true,
        touched_is_nearest_of_several: false,
        movement_passes_max: 1,
        all_contacts_tear_down: false,
        ruined_towers_fire: true,
        range_follows_health: false,
        damage_grows_from_rim: true,
        turn_end: TurnEnd::SiteBySite,
        archers_have_tolerance: true,
        dead_of_killed_are_removed: false,
        origin_is_reachable: false,
    };

    pub const fn of(edition: Edition) -> &'static Switches {
        match edition {
            Edition::Document => &Switches::DOCUMENT,
            Edition::Original => &Switches::ORIGINAL,
        }
    }
}
