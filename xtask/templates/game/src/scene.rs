//! What is drawn: the heap, a circle for each stone.

use quintain_core::scene::{
    Area, Eye, Form, Ink, Scene, Shape, Span, Stage, Style, TextScene, Viewing, ending,
};
use quintain_core::{Game, PerSeat, Spectate};

use crate::{Event, STONES, TakeAway};

const COLUMNS: u8 = 7;

impl Spectate for TakeAway {
    /// The position is enough.
    type Trail = ();

    fn stage(&self) -> Stage {
        let rows = STONES.div_ceil(COLUMNS);
        let world = Area { x: 0.0, y: 0.0, width: COLUMNS.into(), height: rows.into() };
        Stage { world, background: Vec::new(), palette: Vec::new() }
    }

    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene) {
        for stone in 0..self.stones() {
            let [x, y] = [stone % COLUMNS, stone / COLUMNS].map(|index| f64::from(index) + 0.5);
            let form = Form::circle((x, y), 0.4);
            scene.shapes.push(Shape::new(stone.into(), 0, form, Style::fill(Ink::Wall)));
        }
        scene.caption = match self.outcome() {
            Some(outcome) => ending(&outcome, watch.names, "nobody wins"),
            None => format!("{} to take stones", watch.names[self.active()]),
        };
    }

    fn text(&self, _eye: Eye, out: &mut TextScene) {
        out.lines.push(vec![Span::new("o ".repeat(self.stones().into()), Ink::Wall)]);
    }

    fn describe(event: &Event, names: &PerSeat<String>) -> String {
        event.describe(names, |stones| format!("takes {stones}"))
    }

    fn mark(event: &Event) -> Option<&'static str> {
        event.mark()
    }
}
