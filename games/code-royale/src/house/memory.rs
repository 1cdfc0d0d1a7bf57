//! What a bot knows beyond what it is shown now: what it has seen before, what follows from that, and a
//! guess at the rest. From view and memory comes a position that can be played on.

use quintain_core::{Edition, Game, PerSeat, Seat};

use super::{Lore, site_place, unit_place};
use crate::geometry::{HEIGHT, WIDTH};
use crate::rules::{GOLD_AT_START, QUEEN_RADIUS};
use crate::{
    CodeRoyale, Config, CreepKind, CreepSetup, League, PlayerSetup, Point, SITES_MAX, Setup, Site,
    SiteSetup, SiteView, StructureSetup, StructureView, UnitView, View,
};

/// What leagues without mines pay each turn.
const FIXED_INCOME: i32 = 10;
/// Health of queens in leagues in which it is no matter of luck.
const FULL_HEALTH: i32 = 100;
/// No match has more gold than this; the wire could say anything.
const GOLD_MAX: i32 = 1_000_000;
/// How near the middle a site is richer, and twice as rich.
const RICH: [f64; 2] = [500.0, 200.0];
/// What a site far from the middle has on average.
const USUAL_GOLD: i32 = 225;
const USUAL_RATE: u8 = 2;
/// What each nearness to the middle adds.
const RICH_GOLD: i32 = 50;
/// No site that is drawn for the original is larger.
const ORIGINAL_RADIUS_MAX: i32 = 90;
/// How far a queen sees what is in the ground.
const SIGHT: f64 = 300.0;
/// A unit as near to a rim may have torn down what stood there a turn ago.
const SUSPICION: f64 = 150.0;

/// What is known of a site's ground.
#[derive(Clone, Copy, Debug, Default)]
struct Ground {
    /// Gold at the start of the match.
    first: Option<i32>,
    rate_max: Option<u8>,
    /// Gold taken since.
    mined: i32,
    /// Of the mine that stands here, as far as it can be told.
    rate: u8,
    /// The site that this one mirrors, and that has the same riches.
    twin: Option<usize>,
}

#[derive(Debug, Default)]
pub(super) struct Memory {
    lore: Lore,
    has_towers: bool,
    edition: Edition,
    grounds: Vec<Ground>,
    /// What the enemy should have in hand.
    enemy_gold: i32,
    last: Option<View>,
}

impl Memory {
    /// Takes in what is shown this turn.
    pub(super) fn learn(&mut self, view: &View) {
        self.learn_league(view);
        self.learn_edition(view);
        match self.last.take() {
            Some(last) if last.sites.len() == view.sites.len() => self.follow(&last, view),
            _ => self.begin(view),
        }
        for index in 0..view.sites.len() {
            self.see_ground(view, index);
        }
        self.enemy_gold = self.enemy_gold.clamp(0, GOLD_MAX);
        self.last = Some(view.clone());
    }

    /// Whether mines can be built for certain.
    pub(super) fn has_mines(&self) -> bool {
        self.lore.has_mines
    }

    /// Whether towers, and giants with them, can be built for certain.
    pub(super) fn has_towers(&self) -> bool {
        self.has_towers
    }

    /// Only the highest league has queens with less than full health. Whoever has built a tower or a
    /// barracks for giants has shown that the league has them.
    fn learn_league(&mut self, view: &View) {
        self.lore.learn(view);
        self.lore.has_mines |= view.turn == 0 && view.queen(view.seat).hp < FULL_HEALTH;
        let shows_towers = view.sites.iter().any(|site| {
            matches!(
                site.structure,
                Some(
                    StructureView::Tower { .. }
                        | StructureView::Barracks { creep: CreepKind::Giant, .. }
                )
            )
        });
        self.has_towers |= self.lore.has_mines || shows_towers;
    }

    /// Only the original tells what is in the ground of one's own sites from afar, and only the
    /// document has sites as large as this.
    fn learn_edition(&mut self, view: &View) {
        let queen = unit_place(view.queen(view.seat));
        let is_own = |site: &&SiteView| {
            site.structure.is_some_and(|structure| structure.owner() == view.seat)
        };
        let is_far = |site: &&SiteView| !site_place(site).is_within(queen, SIGHT);
        if let Some(site) = view.sites.iter().filter(is_own).find(is_far) {
            let is_told = site.gold.is_some();
            self.edition = if is_told { Edition::Original } else { Edition::Document };
        } else if view.sites.iter().any(|site| site.radius > ORIGINAL_RADIUS_MAX) {
            self.edition = Edition::Document;
        }
    }

    fn begin(&mut self, view: &View) {
        let twin = |index: usize| {
            let (site, other) = (&view.sites[index], view.sites.get(index ^ 1)?);
            let is_mirrored = |one: i32, other: i32, size: f64| {
                (f64::from(one) + f64::from(other) - size).abs() <= 2.0
            };
            let is_twin = is_mirrored(site.x, other.x, WIDTH)
                && is_mirrored(site.y, other.y, HEIGHT)
                && site.radius == other.radius;
            is_twin.then_some(index ^ 1)
        };
        self.grounds = (0..view.sites.len())
            .map(|index| Ground { twin: twin(index), rate: 1, ..Ground::default() })
            .collect();
        self.enemy_gold = if view.turn == 0 { GOLD_AT_START } else { view.gold };
    }

    /// What mines paid and what trainings cost in the turn between two views.
    fn follow(&mut self, last: &View, view: &View) {
        if !self.lore.has_mines {
            self.enemy_gold += FIXED_INCOME;
        }
        for (index, site) in view.sites.iter().enumerate() {
            match site.structure {
                Some(StructureView::Mine { owner, rate }) => {
                    let rate = rate.unwrap_or_else(|| self.guess_rate(last, view, index));
                    self.grounds[index].rate = rate;
                    self.pay(view, index, owner);
                }
                Some(StructureView::Barracks { owner, creep, turns_left }) => {
                    let is_new = turns_left + 1 == creep.stats().training_turns;
                    if owner != view.seat && is_new {
                        self.enemy_gold -= creep.stats().cost;
                    }
                }
                _ => {}
            }
            if let Some(StructureView::Mine { owner, .. }) = last.sites[index].structure
                && site.structure.is_none()
                && !has_enemy_near(last, site, owner)
            {
                self.pay(view, index, owner);
                self.grounds[index].mined += self.gold_left(view, index);
            }
        }
    }

    /// A mine of the enemy starts at 1, and grows while its queen stays.
    fn guess_rate(&self, last: &View, view: &View, index: usize) -> u8 {
        let enemy = view.seat.other();
        match last.sites[index].structure {
            Some(StructureView::Mine { owner, .. }) if owner == enemy => {}
            _ => return 1,
        }
        let (now, before) = (view.queen(enemy), last.queen(enemy));
        let stays = (now.x, now.y) == (before.x, before.y) && touches(now, &view.sites[index]);
        let rate = self.grounds[index].rate.saturating_add(u8::from(stays));
        rate.min(self.rate_max(view, index))
    }

    fn pay(&mut self, view: &View, index: usize, owner: Seat) {
        let paid = i32::from(self.grounds[index].rate).min(self.gold_left(view, index));
        self.grounds[index].mined = self.grounds[index].mined.saturating_add(paid);
        if owner != view.seat {
            self.enemy_gold += paid;
        }
    }

    /// What is shown corrects what was guessed: gold that is missing was taken by whoever mines there.
    fn see_ground(&mut self, view: &View, index: usize) {
        let site = &view.sites[index];
        let twin = self.grounds[index].twin;
        if let Some(rate_max) = site.rate_max {
            for index in [Some(index), twin].into_iter().flatten() {
                self.grounds[index].rate_max = Some(rate_max);
            }
        }
        let Some(gold) = site.gold else {
            return;
        };
        let gold = gold.min(GOLD_MAX);
        let ground = &mut self.grounds[index];
        let Some(first) = ground.first else {
            let first = gold.saturating_add(ground.mined.min(GOLD_MAX));
            ground.first = Some(first);
            if let Some(twin) = twin {
                self.grounds[twin].first.get_or_insert(first);
            }
            return;
        };
        let missing = first - gold - ground.mined;
        ground.mined = first - gold;
        if let Some(StructureView::Mine { owner, .. }) = site.structure
            && owner != view.seat
        {
            self.enemy_gold += missing;
        }
    }

    fn gold_left(&self, view: &View, index: usize) -> i32 {
        let ground = &self.grounds[index];
        let first = ground
            .first
            .unwrap_or_else(|| USUAL_GOLD + RICH_GOLD * i32::from(richness(&view.sites[index])));
        first.saturating_sub(ground.mined).clamp(0, GOLD_MAX)
    }

    fn rate_max(&self, view: &View, index: usize) -> u8 {
        let usual = || USUAL_RATE + richness(&view.sites[index]);
        self.grounds[index].rate_max.unwrap_or_else(usual).max(1)
    }

    /// A position that is played on as the match would be, if what is guessed is right. `None` if what
    /// was shown is no position at all.
    pub(super) fn position(&self, view: &View) -> Option<CodeRoyale> {
        // Before the first turn has paid nothing the highest league is the likeliest.
        let has_mines = self.has_mines() || view.turn == 0 && view.sites.len() == SITES_MAX;
        let league = League::new(match (has_mines, self.has_towers) {
            (true, _) => 4,
            (false, true) => 2,
            (false, false) => 1,
        })?;
        let config = Config { edition: self.edition, league, ..Config::default() };
        let sites = (0..view.sites.len()).map(|index| self.site_setup(view, index)).collect();
        let players = PerSeat::from_fn(|seat| self.player_setup(view, seat));
        CodeRoyale::new(&config, Setup { turn: view.turn, sites, players }).ok()
    }

    fn site_setup(&self, view: &View, index: usize) -> SiteSetup {
        let site = &view.sites[index];
        let ground = &self.grounds[index];
        let structure = site.structure.map(|structure| match structure {
            StructureView::Mine { owner, rate } => {
                let rate = rate.unwrap_or(ground.rate).max(1);
                StructureSetup::Mine { owner: owner as u8, rate }
            }
            StructureView::Tower { owner, hp, range } => {
                StructureSetup::Tower { owner: owner as u8, hp, range }
            }
            StructureView::Barracks { owner, creep, turns_left } => {
                let training = (turns_left > 0)
                    .then(|| creep.stats().training_turns.saturating_sub(turns_left));
                StructureSetup::Barracks { owner: owner as u8, creep, training }
            }
        });
        // A mine that stands has gold, and no higher rate than the site allows, whatever was guessed.
        let (gold_min, rate_min) = match structure {
            Some(StructureSetup::Mine { rate, .. }) => (1, rate),
            _ => (0, 1),
        };
        SiteSetup {
            x: f64::from(site.x),
            y: f64::from(site.y),
            radius: site.radius,
            gold: self.gold_left(view, index).max(gold_min),
            rate_max: self.rate_max(view, index).max(rate_min),
            structure,
        }
    }

    fn player_setup(&self, view: &View, seat: Seat) -> PlayerSetup {
        let queen = view.queen(seat);
        let is_creep = |unit: &&UnitView| unit.owner == seat && unit.kind.is_some();
        let creeps = view.units.iter().filter(is_creep).filter_map(|unit| {
            Some(CreepSetup {
                kind: unit.kind?,
                x: f64::from(unit.x),
                y: f64::from(unit.y),
                hp: i16::try_from(unit.hp).unwrap_or(i16::MAX),
            })
        });
        PlayerSetup {
            gold: if seat == view.seat { view.gold } else { self.enemy_gold },
            hp: queen.hp,
            queen: (f64::from(queen.x), f64::from(queen.y)),
            creeps: creeps.collect(),
        }
    }
}

/// How often a site's nearness to the middle makes it richer.
fn richness(site: &SiteView) -> u8 {
    let middle = Point::new(WIDTH / 2.0, HEIGHT / 2.0);
    let is_within = |&distance: &f64| site_place(site).is_within(middle, distance);
    RICH.iter().filter(|distance| is_within(distance)).count() as u8
}

fn touches(queen: &UnitView, site: &SiteView) -> bool {
    let ground =
        Site { place: site_place(site), radius: f64::from(site.radius), rate_max: USUAL_RATE };
    ground.is_touched(unit_place(queen), QUEEN_RADIUS)
}

/// Whether somebody was near who tears down what this player owns.
fn has_enemy_near(view: &View, site: &SiteView, owner: Seat) -> bool {
    let reach = f64::from(site.radius) + SUSPICION;
    let mut enemies = view.units.iter().filter(|unit| unit.owner != owner);
    enemies.any(|unit| unit_place(unit).is_within(site_place(site), reach))
}

#[cfg(test)]
mod tests {
    use quintain_core::{NoChance, Replies, Sample, SplitMix64};

    use super::*;
    use crate::Structure;

    /// What a seat would be shown if nothing were hidden from it.
    fn open_view(game: &CodeRoyale, seat: Seat) -> View {
        let mut view = game.view(seat);
        let riches = game.field().sites().iter().zip(game.plots());
        for (shown, (site, plot)) in view.sites.iter_mut().zip(riches) {
            shown.gold = Some(plot.gold);
            shown.rate_max = Some(site.rate_max);
            if let (Some(StructureView::Mine { rate, .. }), Some(Structure { works, .. })) =
                (&mut shown.structure, plot.structure)
                && let crate::Works::Mine { rate: real } = works
            {
                *rate = Some(real);
            }
        }
        view
    }

    fn start(edition: Edition, league: u8, seed: i64) -> CodeRoyale {
        let league = League::new(league).expect("a league");
        let config = Config { edition, league, ..Config::default() };
        let setup = CodeRoyale::generate(&config, seed.wrapping_mul(0x1234_5678_9abc));
        CodeRoyale::new(&config, setup).expect("playable")
    }

    fn advance(game: &mut CodeRoyale, luck: &mut SplitMix64) {
        let replies = Replies::of(game.to_act(), |seat| game.sample(seat, luck));
        game.advance(&replies, &mut NoChance, &mut ());
    }

    #[test]
    fn turns_played_on_from_a_view_in_which_nothing_is_hidden_are_those_of_the_match() {
        let mut checked = 0;
        for (seed, edition) in (0..12).flat_map(|seed| Edition::ALL.map(|edition| (seed, edition)))
        {
            let mut game = start(edition, 4, seed);
            let mut luck = SplitMix64::new(seed as u64);
            // Before the first turn queens can stand between whole numbers, which nobody is told.
            while game.outcome().is_none() && game.turn() <= 5 * seed as u32 {
                advance(&mut game, &mut luck);
            }
            if game.outcome().is_some() {
                continue;
            }
            checked += 1;
            let seat = Seat::BOTH[(seed % 2) as usize];
            let mut memory = Memory::default();
            memory.learn(&open_view(&game, seat));
            memory.edition = edition;
            memory.lore.has_mines = true;
            memory.enemy_gold = game.players()[seat.other()].gold;
            let mut played = memory.position(&open_view(&game, seat)).expect("playable");
            while game.outcome().is_none() && game.turn() < 5 * seed as u32 + 40 {
                let mut same = luck;
                advance(&mut game, &mut luck);
                advance(&mut played, &mut same);
                assert_eq!(open_view(&played, seat), open_view(&game, seat), "seed {seed}");
                let gold = |game: &CodeRoyale| game.players().map(|_, player| player.gold);
                assert_eq!(gold(&played), gold(&game), "seed {seed}");
            }
        }
        assert!(checked >= 12, "{checked} matches were played on");
    }

    #[test]
    fn the_enemys_gold_is_known_nearly_always() {
        let (mut turns, mut right) = (0, 0);
        for (seed, edition) in (0..6).flat_map(|seed| Edition::ALL.map(|edition| (seed, edition))) {
            for league in [1, 4] {
                let mut game = start(edition, league, seed);
                let mut bots = quintain_testkit::house_bots::<CodeRoyale>(["greedy"; 2], seed);
                let mut memory = Memory::default();
                while game.outcome().is_none() {
                    memory.learn(&game.view(Seat::First));
                    let real = game.players()[Seat::Second].gold;
                    turns += 1;
                    right += u32::from((memory.enemy_gold - real).abs() <= 10);
                    let replies = Replies::of(game.to_act(), |seat| {
                        bots[seat].act_unhurried(&game.view(seat))
                    });
                    game.advance(&replies, &mut NoChance, &mut ());
                }
            }
        }
        assert!(right * 10 >= turns * 6, "known within 10 in {right} of {turns} turns");
    }

    #[test]
    fn what_is_seen_of_a_site_tells_its_twin_and_the_edition_shows() {
        for edition in Edition::ALL {
            let mut game = start(edition, 4, 7);
            let mut memory = Memory::default();
            let mut bots = quintain_testkit::house_bots::<CodeRoyale>(["greedy"; 2], 7);
            for _ in 0..40 {
                memory.learn(&game.view(Seat::First));
                let replies =
                    Replies::of(game.to_act(), |seat| bots[seat].act_unhurried(&game.view(seat)));
                game.advance(&replies, &mut NoChance, &mut ());
            }
            let known = |ground: &&Ground| ground.rate_max.is_some();
            let count = memory.grounds.iter().filter(known).count();
            assert!(count >= 8 && count.is_multiple_of(2), "{count}");
            for (ground, site) in memory.grounds.iter().zip(game.field().sites()) {
                assert!(ground.rate_max.is_none_or(|rate| rate == site.rate_max));
            }
            assert_eq!(memory.edition, edition);
        }
    }
}
