//! Where a film is, how fast it runs, and what a command changes. No terminal, no clock.

use std::time::Duration;

/// How long a step lasts at speed 1.
const STEP: Duration = Duration::from_millis(600);

/// Speeds to choose from.
const SPEEDS: [f64; 9] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
const SPEED_AT_START: usize = 2;

/// Digits of a turn to jump to; more cannot be a turn.
const JUMP_DIGITS_MAX: usize = 9;

/// What a person can ask of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    PlayOrPause,
    /// Forward or, if negative, back.
    Step(isize),
    ToStart,
    ToEnd,
    NextMark,
    PreviousMark,
    Faster,
    Slower,
    /// Begins to enter a turn.
    AskTurn,
    Digit(char),
    DeleteDigit,
    /// Jumps to the turn that was entered.
    Confirm,
    Help,
    /// Shows what was said, or no longer.
    Conversation,
    /// Down or, if negative, up in what was said.
    Scroll(isize),
    /// Closes what is open, or quits.
    Leave,
    Quit,
}

/// The player's state. There is always at least one frame.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    /// The turn of each frame.
    turns: Vec<u32>,
    /// The frames that deserve a tick on the bar, in their order.
    marks: Vec<usize>,
    position: usize,
    speed: usize,
    is_playing: bool,
    /// Time since the step to the present position.
    waited: Duration,
    /// The digits of the turn to jump to, while they are entered.
    jump: Option<String>,
    shows_help: bool,
    shows_conversation: bool,
    /// The first row of what was said, and how far it can be scrolled.
    scroll: usize,
    scroll_last: usize,
    has_quit: bool,
}

impl Player {
    /// A player at the start, running. `None` if there is nothing to show.
    pub(crate) fn new(turns: Vec<u32>, marks: Vec<usize>) -> Option<Player> {
        let is_playing = turns.len() > 1;
        (!turns.is_empty()).then_some(Player {
            turns,
            marks,
            position: 0,
            speed: SPEED_AT_START,
            is_playing,
            waited: Duration::ZERO,
            jump: None,
            shows_help: false,
            shows_conversation: false,
            scroll: 0,
            scroll_last: 0,
            has_quit: false,
        })
    }

    pub(crate) fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn last(&self) -> usize {
        self.turns.len() - 1
    }

    pub(crate) fn turn_last(&self) -> u32 {
        self.turns[self.last()]
    }

    pub(crate) fn speed(&self) -> f64 {
        SPEEDS[self.speed]
    }

    pub(crate) fn is_playing(&self) -> bool {
        self.is_playing
    }

    pub(crate) fn jump(&self) -> Option<&str> {
        self.jump.as_deref()
    }

    pub(crate) fn shows_help(&self) -> bool {
        self.shows_help
    }

    pub(crate) fn shows_conversation(&self) -> bool {
        self.shows_conversation
    }

    pub(crate) fn scroll(&self) -> usize {
        self.scroll
    }

    /// There is no more to be seen from this row on.
    pub(crate) fn limit_scroll(&mut self, last: usize) {
        self.scroll_last = last;
        self.scroll = self.scroll.min(last);
    }

    pub(crate) fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// How long until the position changes by itself; `None` while it does not.
    pub(crate) fn until_next_step(&self) -> Option<Duration> {
        self.is_playing.then(|| self.step_time().saturating_sub(self.waited))
    }

    /// Lets time pass. The film stops at its end.
    pub(crate) fn pass(&mut self, time: Duration) {
        if !self.is_playing {
            return;
        }
        self.waited += time;
        while self.is_playing && self.waited >= self.step_time() {
            self.waited -= self.step_time();
            self.go_to(self.position + 1);
        }
    }

    pub(crate) fn obey(&mut self, command: Command) {
        match command {
            Command::PlayOrPause => self.play_or_pause(),
            Command::Step(by) => self.pause_at(self.position.saturating_add_signed(by)),
            Command::ToStart => self.pause_at(0),
            Command::ToEnd => self.pause_at(self.last()),
            Command::NextMark => {
                let next = self.marks.iter().find(|mark| **mark > self.position);
                self.pause_at(next.copied().unwrap_or(self.last()));
            }
            Command::PreviousMark => {
                let previous = self.marks.iter().rfind(|mark| **mark < self.position);
                self.pause_at(previous.copied().unwrap_or(0));
            }
            Command::Faster => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            Command::Slower => self.speed = self.speed.saturating_sub(1),
            Command::AskTurn => self.jump = Some(String::new()),
            Command::Digit(digit) => {
                let digits = self.jump.get_or_insert_default();
                if digits.len() < JUMP_DIGITS_MAX {
                    digits.push(digit);
                }
            }
            Command::DeleteDigit => {
                if let Some(digits) = &mut self.jump {
                    digits.pop();
                }
            }
            Command::Confirm => self.confirm(),
            Command::Help => self.shows_help = !self.shows_help,
            Command::Conversation => self.shows_conversation = !self.shows_conversation,
            Command::Scroll(by) => {
                self.scroll = self.scroll.saturating_add_signed(by).min(self.scroll_last);
            }
            Command::Leave => self.leave(),
            Command::Quit => self.has_quit = true,
        }
    }

    fn step_time(&self) -> Duration {
        STEP.div_f64(self.speed())
    }

    fn play_or_pause(&mut self) {
        if self.position == self.last() && !self.is_playing {
            self.position = 0;
        }
        self.is_playing = !self.is_playing && self.turns.len() > 1;
        self.waited = Duration::ZERO;
    }

    fn pause_at(&mut self, position: usize) {
        self.is_playing = false;
        self.go_to(position);
    }

    fn go_to(&mut self, position: usize) {
        let position = position.min(self.last());
        if position != self.position {
            self.scroll = 0;
        }
        self.position = position;
        if self.position == self.last() {
            self.is_playing = false;
        }
        if !self.is_playing {
            self.waited = Duration::ZERO;
        }
    }

    /// Goes to the first frame that has completed the entered turn, or to the end.
    fn confirm(&mut self) {
        let Some(turn) = self.jump.take().and_then(|digits| digits.parse::<u32>().ok()) else {
            return;
        };
        let position = self.turns.iter().position(|&reached| reached >= turn);
        self.pause_at(position.unwrap_or(self.last()));
    }

    fn leave(&mut self) {
        if self.shows_help {
            self.shows_help = false;
        } else if self.jump.take().is_none() {
            self.has_quit = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two frames share turn 3, as when a rejected move repeats it.
    fn player() -> Player {
        Player::new(vec![0, 1, 2, 3, 3, 4, 5], vec![2, 5]).expect("there are frames")
    }

    #[test]
    fn a_film_runs_at_its_speed_and_stops_at_its_end() {
        let mut player = player();
        assert!(player.is_playing());
        player.pass(STEP - Duration::from_millis(1));
        assert_eq!(player.position(), 0);
        assert_eq!(player.until_next_step(), Some(Duration::from_millis(1)));
        player.pass(Duration::from_millis(1));
        assert_eq!(player.position(), 1);
        player.obey(Command::Faster);
        player.pass(STEP);
        assert_eq!(player.position(), 3);
        player.pass(STEP * 100);
        assert_eq!((player.position(), player.is_playing()), (6, false));
        assert_eq!(player.until_next_step(), None);
    }

    #[test]
    fn a_paused_film_stands_still() {
        let mut player = player();
        player.obey(Command::PlayOrPause);
        player.pass(STEP * 10);
        assert_eq!(player.position(), 0);
    }

    #[test]
    fn a_turn_to_jump_to_is_the_first_frame_of_it() {
        for (digits, expected) in [("3", 3), ("4", 5), ("42", 6)] {
            let mut player = player();
            digits.chars().for_each(|digit| player.obey(Command::Digit(digit)));
            player.obey(Command::Confirm);
            assert_eq!(player.position(), expected, "{digits}");
        }
    }

    #[test]
    fn a_film_of_one_frame_does_not_run_and_one_of_none_is_no_film() {
        let mut single = Player::new(vec![0], Vec::new()).expect("there is a frame");
        single.obey(Command::PlayOrPause);
        assert!(!single.is_playing());
        assert!(Player::new(Vec::new(), Vec::new()).is_none());
    }

    #[test]
    fn what_was_said_is_scrolled_as_far_as_it_goes_and_from_the_top_in_every_turn() {
        let mut player = player();
        player.limit_scroll(5);
        player.obey(Command::Scroll(100));
        player.obey(Command::Scroll(-1));
        assert_eq!(player.scroll(), 4);
        player.obey(Command::Scroll(-10));
        assert_eq!(player.scroll(), 0);
        player.obey(Command::Scroll(3));
        player.obey(Command::Step(1));
        assert_eq!(player.scroll(), 0);
    }

    #[test]
    fn marks_are_gone_to_one_after_the_other_and_then_the_ends() {
        use Command::{NextMark, PreviousMark};
        for (commands, expected) in [
            (vec![NextMark], 2),
            (vec![NextMark, NextMark], 5),
            (vec![NextMark; 3], 6),
            (vec![Command::ToEnd, PreviousMark], 5),
            (vec![Command::ToEnd, PreviousMark, PreviousMark], 2),
            (vec![NextMark, PreviousMark], 0),
        ] {
            let mut player = player();
            commands.iter().for_each(|&command| player.obey(command));
            assert_eq!((player.position(), player.is_playing()), (expected, false), "{commands:?}");
        }
    }
}
