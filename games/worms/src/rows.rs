//! The rows of the map as text, without anyone on them. Most of the map stays as it was from round to
//! round, so that its rows are kept, and only worms and packs are written into them anew.

use crate::cell::Ground;

/// The rows in every form in which a state has them.
#[derive(Clone, Debug, Default)]
pub struct RowTexts {
    pub(crate) json: Rows,
    pub(crate) glyphs: Rows,
}

/// The rows in one form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows(Vec<Row>);

#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// The terrain that the text shows.
    terrain: (u64, u64),
    pub(crate) text: Vec<u8>,
    /// For each cell the place up to which its text goes, or where something can be put into it.
    pub(crate) ends: Vec<u32>,
}

impl Rows {
    /// All rows as they are now. Those whose terrain has changed are written anew by `write`.
    pub(crate) fn of(&mut self, ground: &Ground, write: fn(&Ground, u8, &mut Row)) -> &[Row] {
        let size = ground.size();
        self.0.resize_with(usize::from(size), Row::default);
        for (row, y) in self.0.iter_mut().zip(0..) {
            if row.terrain != ground.row(y) || row.ends.len() != usize::from(size) {
                *row = Row { terrain: ground.row(y), ..Row::default() };
                write(ground, y, row);
            }
        }
        &self.0
    }
}
