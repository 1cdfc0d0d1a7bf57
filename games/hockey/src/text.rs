//! The board as plain text, 41 columns wide and 25 rows high: a node every fourth column and second
//! row, lines between them.

use quintain_core::Seat;
use quintain_core::scene::{Ink, TextScene, spans};

use crate::{Board, Direction, Node};

const COLUMNS: usize = 41;
const ROWS: usize = 25;

/// Adds the board's rows to a text.
pub(crate) fn board_text(board: &Board, out: &mut TextScene) {
    let mut canvas = Canvas { cells: [[(' ', None); COLUMNS]; ROWS] };
    canvas.draw_nodes(board);
    canvas.draw_lines(board);
    canvas.draw_walls(board);
    canvas.write(0, 26, "first's goal", Ink::of(Seat::First));
    canvas.write(24, 26, "second's goal", Ink::of(Seat::Second));
    canvas.put(place(board.puck()), 'O', Ink::Accent);
    out.lines.extend(canvas.cells.iter().map(|row| spans(row)));
}

/// A letter and its colour.
type Cell = (char, Option<Ink>);
/// Row and column.
type Place = (usize, usize);

struct Canvas {
    cells: [[Cell; COLUMNS]; ROWS],
}

impl Canvas {
    fn put(&mut self, (row, column): Place, letter: char, ink: Ink) {
        self.cells[row][column] = (letter, Some(ink));
    }

    fn write(&mut self, row: usize, column: usize, text: &str, ink: Ink) {
        for (offset, letter) in text.chars().enumerate() {
            self.put((row, column + offset), letter, ink);
        }
    }

    fn draw_nodes(&mut self, board: &Board) {
        for node in Node::all() {
            let (letter, ink) =
                if board.is_fresh(node) { ('·', Ink::Faint) } else { ('•', Ink::Text) };
            self.put(place(node), letter, ink);
        }
    }

    /// Used lines. Two diagonals through the same gap cross.
    fn draw_lines(&mut self, board: &Board) {
        for node in Node::all() {
            let (row, column) = place(node);
            for direction in Direction::ALL {
                let is_used =
                    Board::has_line(node, direction) && !board.exits(node).contains(direction);
                match direction {
                    _ if !is_used => {}
                    Direction::East => self.write(row, column + 1, "───", Ink::Text),
                    Direction::South => self.put((row + 1, column), '│', Ink::Text),
                    Direction::SouthEast => self.cross((row + 1, column + 2), '╲'),
                    Direction::SouthWest => self.cross((row + 1, column - 2), '╱'),
                    // The other four are these, seen from the other end.
                    _ => {}
                }
            }
        }
    }

    fn cross(&mut self, (row, column): Place, diagonal: char) {
        let letter = if self.cells[row][column].0 == ' ' { diagonal } else { '╳' };
        self.put((row, column), letter, Ink::Text);
    }

    /// The rim and the nets. A node of the rim shows as wall until the puck has been there.
    fn draw_walls(&mut self, board: &Board) {
        for node in Node::all() {
            if let Some((letter, ink)) = wall(node).filter(|_| !is_touched(board, node)) {
                self.put(place(node), letter, ink);
            }
        }
        for x in (0..10).filter(|x| !(4..6).contains(x)) {
            for y in [0, 10] {
                self.write(2 * (y + 1), 4 * x + 1, "═══", Ink::Wall);
            }
        }
        for row in 3..22 {
            if row % 2 == 1 {
                self.put((row, 0), '║', Ink::Wall);
                self.put((row, COLUMNS - 1), '║', Ink::Wall);
            }
        }
        for (seat, row, mouth) in [(Seat::First, 0, 1), (Seat::Second, 24, 23)] {
            for column in [17, 21] {
                self.write(row, column, "═══", Ink::of(seat));
            }
            for column in [16, 24] {
                self.put((mouth, column), '║', Ink::of(seat));
            }
        }
    }
}

/// Whether a line that ends here has been used.
fn is_touched(board: &Board, node: Node) -> bool {
    board.exits(node) != Board::START.exits(node)
}

fn wall(node: Node) -> Option<(char, Ink)> {
    let letter = match (node.x(), node.y()) {
        (0, 0) | (4, -1) => '╔',
        (10, 0) | (6, -1) => '╗',
        (0, 10) | (4, 11) => '╚',
        (10, 10) | (6, 11) => '╝',
        (4, 0) => '╝',
        (6, 0) => '╚',
        (4, 10) => '╗',
        (6, 10) => '╔',
        (5, -1 | 11) => '═',
        (5, 0 | 10) => return None,
        (0 | 10, _) => '║',
        (_, 0 | 10) => '═',
        _ => return None,
    };
    Some((letter, node.net().map_or(Ink::Wall, Ink::of)))
}

fn place(node: Node) -> Place {
    (2 * (node.y() + 1) as usize, 4 * node.x() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_25_rows_of_41_columns() {
        let mut scene = TextScene::default();
        board_text(&Board::START, &mut scene);
        assert_eq!(scene.lines.len(), ROWS);
        for line in &scene.lines {
            let width: usize = line.iter().map(|span| span.text.chars().count()).sum();
            assert_eq!(width, COLUMNS);
        }
    }
}
