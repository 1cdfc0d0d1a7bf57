//! What is drawn: the heap, a circle for each stone.

use quintain_core::scene::{
    Eye, Form, Ink, Mark, Scene, Shape, Span, Stage, Style, TextScene, Viewing,
};
use quintain_core::{PerSeat, Spectate, plain_words};

use crate::{Event, STONES, TakeAway};

const COLUMNS: u8 = 7;

impl Spectate for TakeAway {
    /// The position is enough.
    type Trail = ();

    fn stage(&self) -> Stage {
        Stage::of_size(COLUMNS.into(), STONES.div_ceil(COLUMNS).into())
    }

    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene) {
        for stone in 0..self.stones() {
            let [x, y] = [stone % COLUMNS, stone / COLUMNS].map(|index| f64::from(index) + 0.5);
            let form = Form::circle((x, y), 0.4);
            scene.shapes.push(Shape::new(stone.into(), 0, form, Style::fill(Ink::Wall)));
        }
        plain_words(self, watch, "to take stones", scene);
    }

    fn text(&self, _eye: Eye, out: &mut TextScene) {
        out.lines.push(vec![Span::new("o ".repeat(self.stones().into()), Ink::Wall)]);
    }

    fn describe(event: &Event, names: &PerSeat<String>) -> String {
        event.describe(names, |stones| format!("takes {stones}"))
    }

    fn mark(event: &Event) -> Option<Mark> {
        event.mark()
    }
}
