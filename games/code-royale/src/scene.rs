//! What is drawn: the field with its sites, what stands on them, queens, creeps and shots.
//!
//! One unit is one unit of the game. A person at play sees only what a bot would be told: how rich a
//! site is, where that is known.

use quintain_core::scene::{
    self, Eye, Form, Ink, Scene, Shape, Stage, Style, TextScene, Viewing, ending, id_of,
};
use quintain_core::{Game, PerSeat, Seat, Spectate};

use crate::geometry::{HEIGHT, WIDTH};
use crate::rules::QUEEN_RADIUS;
use crate::text::field_text;
use crate::{
    CodeRoyale, CreepKind, Event, Out, Point, Remover, SiteView, StructureView, Target, View, Works,
};

/// Ids of shapes, far enough apart never to meet: there are at most 24 sites.
mod id {
    pub(super) const FIELD: u32 = 0;
    /// Plus the site's number, as all below that belong to a site.
    pub(super) const SITE: u32 = 100;
    pub(super) const RANGE: u32 = 200;
    pub(super) const STRUCTURE: u32 = 300;
    pub(super) const FIGURE: u32 = 400;
    pub(super) const SHOT: u32 = 500;
    /// Plus the seat's number.
    pub(super) const QUEEN: u32 = 600;
    pub(super) const QUEEN_HP: u32 = 610;
    /// Plus the creep's number; the second player's follow those of the first.
    pub(super) const CREEP: u32 = 1000;
    pub(super) const CREEPS_PER_SEAT: u32 = 70_000;
}

mod layer {
    pub(super) const FIELD: u8 = 0;
    pub(super) const RANGE: u8 = 1;
    pub(super) const SITE: u8 = 2;
    pub(super) const STRUCTURE: u8 = 3;
    pub(super) const CREEP: u8 = 4;
    pub(super) const QUEEN: u8 = 5;
    pub(super) const SHOT: u8 = 6;
}

/// Longer names would run over the edge of the picture.
const NAME_LETTERS_MAX: usize = 24;

impl Spectate for CodeRoyale {
    type Trail = ();

    fn stage(&self) -> Stage {
        let field = Form::rectangle(0.0, 0.0, WIDTH, HEIGHT);
        let mut background =
            vec![Shape::new(id::FIELD, layer::FIELD, field, Style::fill(Ink::Field))];
        for (number, site) in self.field().sites().iter().enumerate() {
            let form = Form::circle(site.place, site.radius);
            let style = Style::fill(Ink::Faint).faded(0.5).outlined(Ink::Wall, 4.0);
            background.push(Shape::new(id::SITE + number as u32, layer::SITE, form, style));
        }
        Stage { background, ..Stage::of_size(WIDTH, HEIGHT) }
    }

    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene) {
        let names = watch.short_names(NAME_LETTERS_MAX);
        for (number, site) in self.seen(watch.eye).iter().enumerate() {
            draw_site(number as u32, site, scene);
        }
        for seat in Seat::BOTH {
            self.draw_units(seat, &names[seat], scene);
        }
        for event in watch.last {
            self.draw_shot(event, scene);
        }
        self.fill_panels(watch.eye, scene);
        scene.caption = self.caption(&names);
    }

    fn text(&self, eye: Eye, out: &mut TextScene) {
        field_text(self, eye, out);
    }

    fn describe(event: &Event, names: &PerSeat<String>) -> String {
        describe(event, names)
    }

    fn mark(event: &Event) -> Option<&'static str> {
        match event {
            Event::Killed { .. } => Some("out"),
            Event::QueenDied { .. } => Some("dead queen"),
            Event::Spawned { .. } => Some("spawn"),
            Event::Removed { by: Remover::Queen(_) | Remover::Creep(_), .. } => Some("torn down"),
            _ => None,
        }
    }
}

impl CodeRoyale {
    /// The sites as somebody may know them. Who sees everything sees each site as its owner does.
    pub(crate) fn seen(&self, eye: Eye) -> Vec<SiteView> {
        match eye {
            Eye::Seat(seat) => View::new(self, seat).sites,
            Eye::All => {
                let mut sites = View::new(self, Seat::First).sites;
                let plots = self.plots().iter().zip(self.field().sites());
                for (view, (plot, site)) in sites.iter_mut().zip(plots) {
                    view.gold = Some(plot.gold);
                    view.rate_max = Some(site.rate_max);
                    if let (
                        Some(StructureView::Mine { rate, .. }),
                        Some(crate::Structure { works: Works::Mine { rate: real }, .. }),
                    ) = (&mut view.structure, plot.structure)
                    {
                        *rate = Some(real);
                    }
                }
                sites
            }
        }
    }

    fn draw_units(&self, seat: Seat, name: &str, scene: &mut Scene) {
        for creep in self.creeps()[seat].as_slice() {
            let stats = creep.kind.stats();
            let number =
                id::CREEP + seat.index() as u32 * id::CREEPS_PER_SEAT + u32::from(creep.number);
            let style = Style::fill(Ink::of(seat)).outlined(Ink::Ground, 3.0);
            let label = format!("{name}'s {}, {} HP", creep_name(creep.kind), creep.hp);
            let shape =
                Shape::new(number, layer::CREEP, Form::circle(creep.place, stats.radius), style);
            scene.shapes.push(shape.labelled(label));
        }
        let player = &self.players()[seat];
        let style = Style::fill(Ink::of(seat)).outlined(Ink::Text, 6.0);
        let form = Form::circle(player.queen, QUEEN_RADIUS);
        let queen = Shape::new(id_of(id::QUEEN, seat), layer::QUEEN, form, style);
        let label = format!("{name}'s queen, {} HP", player.hp);
        scene.shapes.push(queen.labelled(label));
        let figure = Form::text(player.queen, 30.0, player.hp.to_string());
        let style = Style::fill(Ink::Ground);
        scene.shapes.push(Shape::new(id_of(id::QUEEN_HP, seat), layer::QUEEN, figure, style));
    }

    /// A line from the tower to its target, if that is still there.
    fn draw_shot(&self, event: &Event, scene: &mut Scene) {
        let Event::Shot { site, owner, target, damage } = *event else {
            return;
        };
        let enemy = owner.other();
        let end = match target {
            Target::Queen => Some(self.players()[enemy].queen),
            Target::Creep(number) => {
                let mut creeps = self.creeps()[enemy].as_slice().iter();
                creeps.find(|creep| creep.number == number).map(|creep| creep.place)
            }
        };
        if let Some(end) = end {
            let form = Form::line(self.field().sites()[site].place, end);
            let style = Style::stroke(Ink::Accent, 6.0).faded(0.8);
            let shape = Shape::new(id::SHOT + site as u32, layer::SHOT, form, style);
            scene.shapes.push(shape.jumping().labelled(format!("{damage} damage")));
        }
    }

    /// An opponent's gold is nobody's business.
    fn fill_panels(&self, eye: Eye, scene: &mut Scene) {
        for (seat, player) in self.players().iter() {
            scene.add_panel(seat, "queen", format!("{} HP", player.hp));
            if eye != Eye::Seat(seat.other()) {
                scene.add_panel(seat, "gold", player.gold);
            }
            scene.add_panel(seat, "creeps", self.creeps()[seat].len());
        }
    }

    fn caption(&self, names: &PerSeat<String>) -> String {
        match self.outcome() {
            Some(outcome) => ending(&outcome, names, "draw"),
            None => format!("turn {}", self.turn()),
        }
    }
}

fn draw_site(number: u32, site: &SiteView, scene: &mut Scene) {
    let place = Point::new(f64::from(site.x), f64::from(site.y));
    let riches = match (site.gold, site.rate_max) {
        (Some(gold), Some(rate)) => format!("{gold} gold, at most {rate} a turn"),
        _ => "riches unknown".to_owned(),
    };
    let label = format!("site {number}: {riches}");
    let Some(structure) = site.structure else {
        let figure = Form::text(place, 26.0, number.to_string());
        let shape = Shape::new(id::FIGURE + number, layer::SITE, figure, Style::fill(Ink::Wall));
        scene.shapes.push(shape.labelled(label));
        return;
    };
    let ink = Ink::of(structure.owner());
    if let StructureView::Tower { range, .. } = structure {
        let form = Form::circle(place, f64::from(range));
        let style = Style::fill(ink).faded(0.12).outlined(ink, 3.0);
        scene.shapes.push(Shape::new(id::RANGE + number, layer::RANGE, form, style));
    }
    let form = structure_form(&structure, place, f64::from(site.radius) * 0.8);
    let shape = Shape::new(id::STRUCTURE + number, layer::STRUCTURE, form, Style::fill(ink));
    scene.shapes.push(shape.labelled(label));
    let figure = Form::text(place, 34.0, structure_figure(&structure));
    let style = Style::fill(Ink::Ground);
    scene.shapes.push(Shape::new(id::FIGURE + number, layer::STRUCTURE, figure, style));
}

/// A mine is round, a tower stands on a corner, barracks are square.
fn structure_form(structure: &StructureView, place: Point, size: f64) -> Form {
    let corners = match structure {
        StructureView::Mine { .. } => return Form::circle(place, size * 0.8),
        StructureView::Tower { .. } => [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)],
        StructureView::Barracks { .. } => [(-0.7, -0.7), (0.7, -0.7), (0.7, 0.7), (-0.7, 0.7)],
    };
    Form::polygon(corners.map(|(x, y)| (place.x + x * size, place.y + y * size)))
}

pub(crate) fn structure_figure(structure: &StructureView) -> String {
    match structure {
        StructureView::Mine { rate: None, .. } => "+?".to_owned(),
        StructureView::Mine { rate: Some(rate), .. } => format!("+{rate}"),
        StructureView::Tower { hp, .. } => hp.to_string(),
        StructureView::Barracks { creep, turns_left, .. } => match turns_left {
            0 => creep.word()[..1].to_owned(),
            turns => format!("{}{turns}", &creep.word()[..1]),
        },
    }
}

fn describe(event: &Event, names: &PerSeat<String>) -> String {
    match event {
        Event::Warned { seat, warning } => format!("{} is warned: {warning}", names[*seat]),
        Event::Killed { seat, kill } => format!("{} is out: {kill}", names[*seat]),
        Event::Trains { seat, site, kind } => {
            format!("{} trains {}s at site {site}", names[*seat], creep_name(*kind))
        }
        Event::Built { seat, site, works } => match works {
            Works::Mine { rate } => {
                format!("{} has a mine of rate {rate} at site {site}", names[*seat])
            }
            Works::Tower { hp, .. } => {
                format!("{} has a tower of {hp} HP at site {site}", names[*seat])
            }
            Works::Barracks { creep, .. } => {
                format!("{} has {} barracks at site {site}", names[*seat], creep_name(*creep))
            }
        },
        Event::Contested { seat, site } => {
            format!("{} comes second at site {site}", names[*seat])
        }
        Event::Removed { site, structure, by } => {
            let what = match structure.works {
                Works::Mine { .. } => "mine",
                Works::Tower { .. } => "tower",
                Works::Barracks { .. } => "barracks",
            };
            let how = match by {
                Remover::Queen(_) => "torn down by a queen",
                Remover::Creep(_) => "torn down by a creep",
                Remover::Exhaustion => "exhausted",
                Remover::Decay => "in ruins",
            };
            format!("{}'s {what} at site {site} is {how}", names[structure.owner])
        }
        // A tower fires nearly every turn: the picture tells it.
        Event::Shot { .. } | Event::Died { .. } | Event::Ended => String::new(),
        Event::Struck { seat, damage } => {
            format!("{}'s queen is struck for {damage}", names[*seat])
        }
        Event::Spawned { seat, site, kind } => {
            format!("{}'s {}s come out of site {site}", names[*seat], creep_name(*kind))
        }
        Event::QueenDied { seat } => format!("{}: {}", names[*seat], Out::DEAD_QUEEN),
    }
}

fn creep_name(kind: CreepKind) -> &'static str {
    match kind {
        CreepKind::Knight => "knight",
        CreepKind::Archer => "archer",
        CreepKind::Giant => "giant",
    }
}

impl From<Point> for scene::Point {
    fn from(place: Point) -> scene::Point {
        scene::Point::new(place.x, place.y)
    }
}
