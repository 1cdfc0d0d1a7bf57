//! Points, and the arithmetic on them in the original's order of operations: a sum in another order
//! would differ in its last bit, and after some hundred pushes in everything.

/// The field, origin at the top left.
pub(crate) const WIDTH: f64 = 1920.0;
pub(crate) const HEIGHT: f64 = 1000.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub const fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }

    #[inline]
    pub(crate) fn plus(self, other: Point) -> Point {
        Point::new(self.x + other.x, self.y + other.y)
    }

    #[inline]
    pub(crate) fn minus(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }

    /// The square of the distance. Every comparison of distances is one of squares.
    #[inline]
    pub fn squared_distance(self, other: Point) -> f64 {
        let (x, y) = (self.x - other.x, self.y - other.y);
        x * x + y * y
    }

    /// Strictly nearer than `distance`.
    #[inline]
    pub(crate) fn is_within(self, other: Point, distance: f64) -> bool {
        self.squared_distance(other) < distance * distance
    }

    /// The same direction with another length; nothing at all points to the east.
    #[inline]
    pub(crate) fn resized(self, length: f64) -> Point {
        let square = self.x * self.x + self.y * self.y;
        if square < 1e-12 {
            return Point::new(length, 0.0);
        }
        let own = square.sqrt();
        Point::new(self.x / own * length, self.y / own * length)
    }

    /// `step` further on the way to `goal`, or the goal itself if it is nearer than that.
    #[inline]
    pub(crate) fn towards(self, goal: Point, step: f64) -> Point {
        if self.is_within(goal, step) {
            return goal;
        }
        self.plus(goal.minus(self).resized(step))
    }

    /// At least `margin` inside the field.
    #[inline]
    pub(crate) fn clamped(self, margin: f64) -> Point {
        Point::new(self.x.max(margin).min(WIDTH - margin), self.y.max(margin).min(HEIGHT - margin))
    }

    /// As it is told. Before the first turn places can have fractions, which nobody is shown.
    #[inline]
    pub(crate) fn whole(self) -> (i32, i32) {
        (round(self.x) as i32, round(self.y) as i32)
    }

    #[inline]
    pub(crate) fn rounded(self) -> Point {
        Point::new(round(self.x) as f64, round(self.y) as f64)
    }
}

/// To the nearest integer, halves upwards, below zero as well.
#[inline]
pub(crate) fn round(value: f64) -> i64 {
    let whole = value as i64;
    let floor = if (whole as f64) > value { whole - 1 } else { whole };
    // Exact, unlike adding a half: the difference of neighbours has no rounding error.
    if value - floor as f64 >= 0.5 { floor + 1 } else { floor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_up_below_zero_as_well() {
        let cases = [
            (0.5, 1),
            (-0.5, 0),
            (-0.500_000_1, -1),
            (1.5, 2),
            (-1.5, -1),
            (2.499_999, 2),
            (0.499_999_999_999_999_94, 0),
            (-0.0, 0),
            (-7.0, -7),
        ];
        for (value, expected) in cases {
            assert_eq!(round(value), expected, "{value}");
        }
    }

    #[test]
    fn a_step_ends_at_the_goal_or_is_as_long_as_told() {
        let (start, goal) = (Point::new(0.0, 0.0), Point::new(30.0, 40.0));
        assert_eq!(start.towards(goal, 60.0), goal);
        assert_eq!(start.towards(goal, 50.0), goal);
        assert_eq!(start.towards(goal, 5.0), Point::new(3.0, 4.0));
        assert_eq!(start.towards(start, 0.0), start);
    }

    #[test]
    fn nothing_is_resized_to_the_east() {
        assert_eq!(Point::default().resized(7.0), Point::new(7.0, 0.0));
        assert_eq!(Point::new(3.0, -4.0).resized(10.0), Point::new(6.0, -8.0));
    }
}
