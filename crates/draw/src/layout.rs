//! What goes where on a sheet.
//!
//! The stage has the game's own proportions and touches the edges of its room. Beside a stage that is
//! about as wide as high stand columns with the figures of each seat; above a wide one there are bands,
//! and below it what was done. On a narrow sheet everything is stacked.

use quintain_core::scene::{Area, Film, Legend, Theme};
use quintain_core::{PerSeat, Seat};

use crate::fonts::Weight;
use crate::slots::{Slot, Slots};
use crate::text::width;

/// A sheet below this width is narrow, as the screen of a telephone is.
pub const NARROW_WIDTH: u32 = 600;

/// The sheets on which lengths are meant as written; others scale them.
const WIDE_DESIGN: f64 = 1400.0;
const NARROW_DESIGN: f64 = 400.0;
/// Sheets that are lower than this scale everything down.
const HEIGHT_DESIGN: f64 = 520.0;
/// Smaller sheets have smaller stages, and letters that can be read all the same.
const UNIT_MIN: f64 = 0.72;
/// The smallest letters, in pixels.
const LETTERS_MIN: f64 = 12.0;

/// From this proportion of width to height a stage is wide.
const WIDE_STAGE: f64 = 1.4;
/// Stages are never flatter or steeper than this.
const PROPORTION_MAX: f64 = 4.0;

/// The size of a picture in pixels, and for which room it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheet {
    pub width: u32,
    /// If there is none, the picture is as high as its game wants it.
    pub height: Option<u32>,
    pub theme: Theme,
}

impl Default for Sheet {
    fn default() -> Self {
        Sheet { width: 800, height: None, theme: Theme::Light }
    }
}

impl Sheet {
    /// Width and height of the pictures of a film.
    pub fn size(self, film: &Film) -> (u32, u32) {
        let Layout { width, height, .. } = Layout::of(film, self);
        (width as u32, height as u32)
    }
}

/// How large things are on a sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measures {
    /// What a length of 1 in the design measures on this sheet.
    pub(crate) unit: f64,
    letters_min: f64,
    pub(crate) is_narrow: bool,
}

impl Measures {
    fn of(sheet: Sheet) -> Measures {
        let width = f64::from(sheet.width);
        let is_narrow = sheet.width < NARROW_WIDTH;
        let by_width =
            if is_narrow { width / NARROW_DESIGN } else { (width / WIDE_DESIGN).max(UNIT_MIN) };
        let by_height =
            sheet.height.map_or(f64::INFINITY, |height| f64::from(height) / HEIGHT_DESIGN);
        let unit = by_width.min(by_height);
        let usual = if is_narrow { 1.0 } else { UNIT_MIN };
        Measures { unit, letters_min: LETTERS_MIN * (unit / usual).min(1.0), is_narrow }
    }

    /// The size of letters on this sheet: scaled, and large enough to be read.
    pub(crate) fn letters(&self, size: f64) -> f64 {
        (size * self.unit).max(self.letters_min)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bands,
    Columns,
    Narrow,
    /// The stage and nothing else.
    Bare,
}

/// Where everything goes. The same for all frames of a film, so that nothing jumps.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) kind: Kind,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) measures: Measures,
    pub(crate) slots: Slots,
    /// Title and turn, and in bands the names.
    pub(crate) header: Area,
    /// How many of a seat's plain figures stand in the header, in bands; the others stand in `gauges`.
    pub(crate) in_header: PerSeat<usize>,
    /// How many figures of a seat stand beside each other in `gauges`, in bands.
    pub(crate) blocks_per_row: usize,
    /// The plain figures, on a narrow sheet.
    pub(crate) figures: Area,
    /// The figures with bars, and what else needs room.
    pub(crate) gauges: Area,
    /// The cards of the seats, in columns.
    pub(crate) cards: PerSeat<Area>,
    /// The figures of the match, in columns.
    pub(crate) shared: Area,
    pub(crate) stage: Area,
    pub(crate) deeds: PerSeat<Area>,
    pub(crate) caption: Area,
    pub(crate) legend: Area,
    pub(crate) curve: Area,
}

const NOWHERE: Area = Area::new(0.0, 0.0, 0.0, 0.0);

impl Layout {
    pub(crate) fn of(film: &Film, sheet: Sheet) -> Layout {
        let measures = Measures::of(sheet);
        let height = sheet.height.map(f64::from);
        let plan =
            Plan { film, measures, width: f64::from(sheet.width), height, slots: Slots::of(film) };
        if measures.is_narrow {
            return plan.narrow();
        }
        let is_wide = plan.proportion() >= WIDE_STAGE;
        if height.is_none() {
            return if is_wide { plan.bands() } else { plan.columns() };
        }
        let (bands, columns) = (plan.bands(), plan.columns());
        // The way that suits the stage better wins unless the other shows it much larger.
        let preference = if is_wide { 1.25 } else { 0.8 };
        if bands.stage.width * preference >= columns.stage.width { bands } else { columns }
    }

    /// A stage that covers the whole sheet, whose edges cut off what is beyond them.
    pub(crate) fn bare(film: &Film, sheet: Sheet) -> Layout {
        let measures = Measures::of(sheet);
        let (width, height) = (f64::from(sheet.width), sheet.height.map(f64::from));
        let plan = Plan { film, measures, width, height, slots: Slots::default() };
        let mut layout = plan.empty(Kind::Bare);
        layout.height = height.unwrap_or(width / plan.proportion()).round();
        // A pixel more on each side: windows begin and end at whole ones.
        let stage_width = width.max(layout.height * plan.proportion()) + 2.0;
        let stage_height = stage_width / plan.proportion();
        let (left, top) = ((width - stage_width) / 2.0, (layout.height - stage_height) / 2.0);
        layout.stage = Area::new(left, top, stage_width, stage_height);
        layout
    }
}

/// What is known before things have places.
struct Plan<'a> {
    film: &'a Film,
    measures: Measures,
    width: f64,
    height: Option<f64>,
    slots: Slots,
}

impl Plan<'_> {
    /// Of the stage, width to height.
    fn proportion(&self) -> f64 {
        let world = self.film.stage.world;
        let narrow = if self.measures.is_narrow { self.film.stage.narrow } else { None };
        let (width, height) = narrow.unwrap_or((world.width, world.height));
        let proportion = width / height;
        if proportion.is_finite() {
            proportion.clamp(1.0 / PROPORTION_MAX, PROPORTION_MAX)
        } else {
            1.0
        }
    }

    fn empty(&self, kind: Kind) -> Layout {
        Layout {
            kind,
            width: self.width,
            height: self.height.unwrap_or(self.width),
            measures: self.measures,
            slots: self.slots.clone(),
            header: NOWHERE,
            in_header: PerSeat::default(),
            blocks_per_row: BLOCKS_PER_ROW_MAX,
            figures: NOWHERE,
            gauges: NOWHERE,
            cards: PerSeat([NOWHERE; 2]),
            shared: NOWHERE,
            stage: NOWHERE,
            deeds: PerSeat([NOWHERE; 2]),
            caption: NOWHERE,
            legend: NOWHERE,
            curve: NOWHERE,
        }
    }

    /// The most lines of deeds that a seat has in any frame.
    fn deed_lines(&self) -> usize {
        let frames = self.film.frames.iter();
        let counts = frames.flat_map(|frame| frame.scene.deeds.0.iter().map(Vec::len));
        counts.max().unwrap_or(0)
    }

    fn has_curve(&self) -> bool {
        self.film.stage.curve.is_some() && self.film.frames.len() > 1
    }

    /// Everything in rows: names, figures, the stage, what was done, the legend, the curve.
    fn bands(&self) -> Layout {
        let unit = self.measures.unit;
        let in_header = PerSeat::from_fn(|seat| self.in_header(seat));
        let blocks = Seat::BOTH.map(|seat| self.slots.blocks(seat, in_header[seat]).count());
        let blocks_per_row = self.blocks_per_row(in_header);
        let block_rows = blocks[0].max(blocks[1]).div_ceil(blocks_per_row);
        let lines = self.deed_lines().clamp(1, DEED_LINES_MAX);
        let legend_rows = legend_rows(&self.film.stage.legend, &self.measures, self.width);
        let mut rows = [
            HEADER_HEIGHT * unit,
            block_rows as f64 * BLOCKS_HEIGHT * unit,
            0.0,
            (28.0 + 21.0 * lines as f64) * unit,
            if legend_rows > 0 { (10.0 + 36.0 * legend_rows as f64) * unit } else { 0.0 },
            if self.has_curve() { CURVE_HEIGHT * unit } else { 0.0 },
        ];
        self.fit_rows(&mut rows);
        let [header, gauges, stage, deeds, legend, curve] = self.stacked(rows);
        let third = deeds.width * 0.36;
        let first = Area { width: third, ..deeds };
        let second = Area { x: deeds.width - third, ..first };
        Layout {
            height: self.height.unwrap_or_else(|| (curve.y + curve.height).ceil()),
            header,
            in_header,
            blocks_per_row,
            gauges,
            stage: self.centred_stage(stage),
            deeds: PerSeat([first, second]),
            caption: Area { x: third, width: deeds.width - 2.0 * third, ..deeds },
            legend,
            curve,
            ..self.empty(Kind::Bands)
        }
    }

    /// Gives the stage, which is the third row, its height, and the others less or more if the height of
    /// the sheet is fixed.
    fn fit_rows(&self, rows: &mut [f64; 6]) {
        const STAGE: usize = 2;
        const DEEDS: usize = 3;
        const LEGEND: usize = 4;
        const CURVE: usize = 5;
        let wanted = (self.width / self.proportion()).round();
        let Some(height) = self.height else {
            rows[STAGE] = wanted;
            return;
        };
        // Legend and curve go before the stage becomes much smaller.
        for row in [LEGEND, CURVE] {
            if height - rows.iter().sum::<f64>() < wanted * 0.85 {
                rows[row] = 0.0;
            }
        }
        let room = (height - rows.iter().sum::<f64>()).max(1.0);
        let mut rest = (room - wanted).max(0.0);
        // A curve that is twice as high is a better picture; an empty stripe is none.
        if rows[CURVE] > 0.0 {
            let more = rest.min(rows[CURVE]);
            rows[CURVE] += more;
            rest -= more;
        }
        let more = rest.min(rows[DEEDS] / 2.0);
        rows[DEEDS] += more;
        rows[STAGE] = room.min(wanted).max(rest - more + wanted.min(room));
    }

    /// Rows below each other, in whole pixels.
    fn stacked<const N: usize>(&self, heights: [f64; N]) -> [Area; N] {
        let mut y = 0.0_f64;
        heights.map(|height| {
            let top = y.round();
            y += height;
            Area::new(0.0, top, self.width, y.round() - top)
        })
    }

    /// The largest place with the proportions of the stage in the middle of a room.
    fn centred_stage(&self, room: Area) -> Area {
        let proportion = self.proportion();
        let width = room.width.min((room.height * proportion).ceil()).max(1.0);
        let height = room.height.min((room.width / proportion).ceil()).max(1.0);
        let x = (room.x + (room.width - width) / 2.0).floor();
        let y = (room.y + (room.height - height) / 2.0).floor();
        Area::new(x, y, width.round(), height.round())
    }

    /// As many figures as the widest of them has room for.
    fn blocks_per_row(&self, in_header: PerSeat<usize>) -> usize {
        let blocks =
            Seat::BOTH.into_iter().flat_map(|seat| self.slots.blocks(seat, in_header[seat]));
        let widest = blocks.map(|slot| block_width(slot, &self.measures)).fold(1.0, f64::max);
        let room = self.width / 2.0 - BLOCKS_MARGIN * self.measures.unit;
        ((room / widest) as usize).clamp(1, BLOCKS_PER_ROW_MAX)
    }

    /// How many plain figures of a seat fit below its name.
    fn in_header(&self, seat: Seat) -> usize {
        let unit = self.measures.unit;
        let decisive = if self.slots.decisive(seat).is_some() { DECISIVE_WIDTH } else { 0.0 };
        let title = (TITLE_WIDTH / 2.0 + decisive + NAME_X + 16.0) * unit;
        let mut room = self.width / 2.0 - title;
        let fits = |slot: &&Slot| {
            room -= figure_width(slot, &self.measures);
            room >= 0.0
        };
        self.slots.plain(seat).take_while(fits).count()
    }

    /// The stage in the middle, and at each side a column with the figures and deeds of a seat.
    fn columns(&self) -> Layout {
        let unit = self.measures.unit;
        let proportion = self.proportion();
        let column_min = (COLUMN_WIDTH * unit).min(COLUMN_SHARE_MAX * self.width);
        let widest = (self.width - 2.0 * column_min).max(1.0);
        let height = self.height.unwrap_or_else(|| {
            (widest / proportion).max(self.column_height() + 8.0 * unit).round()
        });
        let stage_width = widest.min(height * proportion).round().max(1.0);
        let column = ((self.width - stage_width) / 2.0).floor();
        let middle = Area::new(column, 0.0, self.width - 2.0 * column, height);
        let inner = Area::new(12.0 * unit, 0.0, column - 24.0 * unit, height);
        let in_column = |seat: Seat, y: f64, height: f64| {
            let x = if seat == Seat::First { inner.x } else { self.width - column + inner.x };
            Area { x, y, height: height.max(0.0), ..inner }
        };
        let card_height = self.card_height().min(height - TITLE_HEIGHT * unit);
        let top = TITLE_HEIGHT * unit;
        let deeds_y = top + card_height + 20.0 * unit;
        let deeds_height = self.deeds_height().min((height - deeds_y).max(0.0));
        let below = deeds_y + deeds_height + 16.0 * unit;
        let shared_height = self.slots.shared.len() as f64 * SHARED_HEIGHT * unit;
        let curve_y = below + shared_height;
        let curve_height = (height - curve_y - 16.0 * unit).min(COLUMN_CURVE_HEIGHT * unit);
        let has_curve = self.has_curve() && curve_height >= CURVE_HEIGHT_MIN * unit;
        let has_legend = !self.film.stage.legend.is_empty();
        Layout {
            height,
            header: in_column(Seat::First, 0.0, top),
            cards: PerSeat::from_fn(|seat| in_column(seat, top, card_height)),
            deeds: PerSeat::from_fn(|seat| in_column(seat, deeds_y, deeds_height)),
            shared: in_column(Seat::First, below, shared_height.min(height - below)),
            stage: self.centred_stage(middle),
            caption: in_column(Seat::Second, 0.0, top),
            legend: if has_legend {
                in_column(Seat::Second, below, height - below - 8.0 * unit)
            } else {
                NOWHERE
            },
            curve: if has_curve {
                in_column(Seat::First, height - curve_height - 12.0 * unit, curve_height)
            } else {
                NOWHERE
            },
            ..self.empty(Kind::Columns)
        }
    }

    fn card_height(&self) -> f64 {
        let heights = Seat::BOTH.map(|seat| {
            self.slots.rows(seat).map(row_height).sum::<f64>() + CARD_HEADER_HEIGHT + 14.0
        });
        heights[0].max(heights[1]) * self.measures.unit
    }

    fn deeds_height(&self) -> f64 {
        let lines = self.deed_lines();
        let lines = if lines > 0 { COLUMN_DEED_ROOM as f64 } else { 0.0 };
        let height = if lines > 0.0 { 34.0 + 26.0 * lines } else { 0.0 };
        height * self.measures.unit
    }

    /// What the fuller column needs at least.
    fn column_height(&self) -> f64 {
        let unit = self.measures.unit;
        let shared = self.slots.shared.len() as f64 * SHARED_HEIGHT * unit;
        let top = TITLE_HEIGHT * unit;
        top + self.card_height() + 20.0 * unit + self.deeds_height() + 16.0 * unit + shared
    }

    /// Everything stacked, without legend and curve.
    fn narrow(&self) -> Layout {
        let unit = self.measures.unit;
        let plain = Seat::BOTH
            .map(|seat| narrow_figures(&self.slots, seat, &self.measures, self.width).len());
        let plain = plain[0].max(plain[1]) as f64;
        let gauges = Seat::BOTH.map(|seat| self.slots.gauges(seat).count());
        let lines = self.deed_lines().min(2) as f64;
        let each = if lines > 0.0 { 4.0 + 19.0 * lines } else { 0.0 };
        let shared = if self.slots.shared.is_empty() { 0.0 } else { 22.0 };
        let mut rows = [
            70.0 * unit,
            (if plain > 0.0 { 7.0 + NARROW_LINE_HEIGHT * plain } else { 0.0 } + shared) * unit,
            gauges[0].max(gauges[1]) as f64 * NARROW_GAUGE_HEIGHT * unit,
            (self.width / self.proportion()).round(),
            each * unit,
            each * unit,
            30.0 * unit,
        ];
        if let Some(height) = self.height {
            let others: f64 = rows.iter().sum::<f64>() - rows[3];
            rows[3] = (height - others).max(1.0);
        }
        let [header, figures, gauges, stage, first, second, caption] = self.stacked(rows);
        Layout {
            height: self.height.unwrap_or_else(|| (caption.y + caption.height).ceil()),
            header,
            figures,
            gauges,
            stage: self.centred_stage(stage),
            deeds: PerSeat([first, second]),
            caption,
            ..self.empty(Kind::Narrow)
        }
    }
}

const HEADER_HEIGHT: f64 = 104.0;
const BLOCKS_HEIGHT: f64 = 70.0;
const BLOCKS_PER_ROW_MAX: usize = 4;
/// What is left free beside the blocks of a seat.
pub(crate) const BLOCKS_MARGIN: f64 = 32.0;
/// Between two blocks.
pub(crate) const BLOCK_GAP: f64 = 24.0;
pub(crate) const BLOCK_NAME: f64 = 14.0;
pub(crate) const BLOCK_VALUE: f64 = 18.0;
/// Between the name and the value of a block.
pub(crate) const BLOCK_WORD_GAP: f64 = 8.0;
pub(crate) const NARROW_GAUGE_HEIGHT: f64 = 38.0;
pub(crate) const NARROW_LINE_HEIGHT: f64 = 17.0;
pub(crate) const NARROW_FIGURES: f64 = 12.5;
const NARROW_LINES_MAX: usize = 3;
const DEED_LINES_MAX: usize = 3;
pub(crate) const COLUMN_DEED_LINES_MAX: usize = 5;
/// So many lines have room for sure; a longer one takes that of the next.
const COLUMN_DEED_ROOM: usize = 4;
const CURVE_HEIGHT: f64 = 100.0;
const CURVE_HEIGHT_MIN: f64 = 60.0;
const COLUMN_CURVE_HEIGHT: f64 = 170.0;
const COLUMN_WIDTH: f64 = 268.0;
/// Of the width of a sheet, at most.
const COLUMN_SHARE_MAX: f64 = 0.24;
const TITLE_HEIGHT: f64 = 92.0;
const SHARED_HEIGHT: f64 = 30.0;
pub(crate) const CARD_HEADER_HEIGHT: f64 = 84.0;
/// Where names begin in bands.
pub(crate) const NAME_X: f64 = 88.0;
/// What the title and the turn take in bands.
pub(crate) const TITLE_WIDTH: f64 = 230.0;
/// What the number that decides takes in bands.
pub(crate) const DECISIVE_WIDTH: f64 = 130.0;

/// The plain figures of a seat on a narrow sheet, line by line.
pub(crate) fn narrow_figures<'a>(
    slots: &'a Slots,
    seat: Seat,
    measures: &Measures,
    width: f64,
) -> Vec<Vec<&'a Slot>> {
    let room = width / 2.0 - 22.0 * measures.unit;
    slots.lines(seat, measures.letters(NARROW_FIGURES), room, NARROW_LINES_MAX)
}

/// The height of a row in a card.
pub(crate) fn row_height(slot: &Slot) -> f64 {
    match slot {
        Slot { has_gauge: true, .. } => 56.0,
        Slot { has_gauge: false, .. } => 38.0,
    }
}

pub(crate) const FIGURE_VALUE: f64 = 16.0;
pub(crate) const FIGURE_NAME: f64 = 13.0;
const FIGURE_GAP: f64 = 22.0;

/// The width of a figure in a line of them: its value, its name, its change and a gap.
pub(crate) fn figure_width(slot: &Slot, measures: &Measures) -> f64 {
    let small = measures.letters(FIGURE_NAME);
    let value = slot.value_width * measures.letters(FIGURE_VALUE);
    let change = slot.change_width * small;
    let change = if change > 0.0 { change + 0.5 * small } else { 0.0 };
    let name = width(slot.name, small, Weight::Regular);
    value + 0.45 * small + name + change + FIGURE_GAP * measures.unit
}

/// The width of a block with its whole name and its widest value, and of the gap beside it.
fn block_width(slot: &Slot, measures: &Measures) -> f64 {
    let name = width(slot.name, measures.letters(BLOCK_NAME), Weight::Regular);
    let value = slot.value_width * measures.letters(BLOCK_VALUE);
    name + value + (BLOCK_WORD_GAP + BLOCK_GAP) * measures.unit
}

pub(crate) const LEGEND_LETTERS: f64 = 14.0;

/// The width of an entry of the legend in a row of them.
pub(crate) fn legend_width(entry: &Legend, measures: &Measures) -> f64 {
    let letters = measures.letters(LEGEND_LETTERS);
    width(entry.text, letters, Weight::Regular) + 64.0 * measures.unit
}

fn legend_rows(legend: &[Legend], measures: &Measures, room: f64) -> usize {
    let room = room - 32.0 * measures.unit;
    let mut rows = usize::from(!legend.is_empty());
    let mut used = 0.0;
    for entry in legend {
        let width = legend_width(entry, measures);
        if used > 0.0 && used + width > room {
            (rows, used) = (rows + 1, 0.0);
        }
        used += width;
    }
    rows
}
