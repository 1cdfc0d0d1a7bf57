//! What a key means to the player.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::player::Command;

/// Steps of the keys that go further.
const LEAP: isize = 10;

/// The keys as the help shows them.
pub(crate) const HELP: [(&str, &str); 12] = [
    ("space", "play or pause; at the end, again from the start"),
    ("→ ←  or  l h", "one step"),
    ("shift + → ←, page down/up", "ten steps"),
    ("home  end", "start, end"),
    ("n  p", "next, previous mark on the bar"),
    ("+ -", "faster, slower (0.25x to 64x)"),
    ("digits, enter", "jump to a turn"),
    ("g", "jump to a turn, too"),
    ("s", "what each bot was sent and said, or the board"),
    ("↑ ↓, with shift faster", "scroll in it"),
    ("?", "this help"),
    ("q  esc  ctrl+c", "leave"),
];

/// The command of a key; `None` for keys without a meaning.
pub(crate) fn command(key: KeyEvent) -> Option<Command> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(key.code, KeyCode::Char('c' | 'C')).then_some(Command::Quit);
    }
    let step = if key.modifiers.contains(KeyModifiers::SHIFT) { LEAP } else { 1 };
    Some(match key.code {
        KeyCode::Char(' ') => Command::PlayOrPause,
        KeyCode::Right => Command::Step(step),
        KeyCode::Left => Command::Step(-step),
        KeyCode::Char('l') => Command::Step(1),
        KeyCode::Char('h') => Command::Step(-1),
        KeyCode::Char('L') | KeyCode::PageDown => Command::Step(LEAP),
        KeyCode::Char('H') | KeyCode::PageUp => Command::Step(-LEAP),
        KeyCode::Char('n') => Command::NextMark,
        KeyCode::Char('p') => Command::PreviousMark,
        KeyCode::Home => Command::ToStart,
        KeyCode::End => Command::ToEnd,
        KeyCode::Char('+' | '=') => Command::Faster,
        KeyCode::Char('-' | '_') => Command::Slower,
        KeyCode::Char('g') => Command::AskTurn,
        KeyCode::Char(digit) if digit.is_ascii_digit() => Command::Digit(digit),
        KeyCode::Backspace => Command::DeleteDigit,
        KeyCode::Enter => Command::Confirm,
        KeyCode::Char('s') => Command::Conversation,
        KeyCode::Down => Command::Scroll(step),
        KeyCode::Up => Command::Scroll(-step),
        KeyCode::Char('?') => Command::Help,
        KeyCode::Esc => Command::Leave,
        KeyCode::Char('q') => Command::Quit,
        _ => return None,
    })
}
