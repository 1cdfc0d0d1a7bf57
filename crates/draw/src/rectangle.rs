//! Whole pixels of a sheet.

use std::ops::Range;

use quintain_core::scene::Area;

/// A part of a sheet, without its right column and its bottom row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rectangle {
    pub(crate) left: usize,
    pub(crate) top: usize,
    pub(crate) right: usize,
    pub(crate) bottom: usize,
}

impl Rectangle {
    /// A whole sheet.
    pub(crate) fn sheet(width: usize, height: usize) -> Rectangle {
        Rectangle { left: 0, top: 0, right: width, bottom: height }
    }

    /// The pixels of a sheet that an area touches; `None` if there are none.
    pub(crate) fn touched(area: Area, sheet: Rectangle) -> Option<Rectangle> {
        // What is left of the sheet or above it becomes 0.
        let touched = Rectangle {
            left: area.x.floor() as usize,
            top: area.y.floor() as usize,
            right: (area.x + area.width).ceil() as usize,
            bottom: (area.y + area.height).ceil() as usize,
        };
        let touched = touched.common(sheet);
        (!touched.is_empty()).then_some(touched)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    pub(crate) fn width(&self) -> usize {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> usize {
        self.bottom - self.top
    }

    /// Where the bytes of its rows are among those of a sheet, four for each pixel.
    pub(crate) fn rows(self, sheet: Rectangle) -> impl Iterator<Item = Range<usize>> {
        let start = move |y: usize| y * sheet.right;
        let row = move |y| (start(y) + self.left) * 4..(start(y) + self.right) * 4;
        (self.top..self.bottom).map(row)
    }

    pub(crate) fn common(self, other: Rectangle) -> Rectangle {
        Rectangle {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// The smallest one with all of two.
    pub(crate) fn united(self, other: Rectangle) -> Rectangle {
        Rectangle {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_touches_every_pixel_that_it_has_a_part_of() {
        let sheet = Rectangle::sheet(100, 50);
        let touched = |x, y, width, height| {
            Rectangle::touched(Area::new(x, y, width, height), sheet)
                .map(|Rectangle { left, top, right, bottom }| [left, top, right, bottom])
        };
        assert_eq!(touched(1.5, 2.0, 3.0, 0.5), Some([1, 2, 5, 3]));
        assert_eq!(touched(-7.0, -0.5, 8.0, 900.0), Some([0, 0, 1, 50]));
        assert_eq!(touched(100.0, 0.0, 5.0, 5.0), None);
        assert_eq!(touched(-9.0, 3.0, 4.0, 4.0), None);
        assert_eq!(touched(f64::NAN, 0.0, 4.0, 4.0), None);
    }
}
