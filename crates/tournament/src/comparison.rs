//! Is the new version better than the old one? The games of two bots, judged as they come in.
//!
//! Games are judged in the order of their seeds, not in the order in which they end: with several
//! games at a time the short ones end first, and where a quick win is more frequent than a quick loss
//! a test that stops at the first bound would be misled. It also makes the verdict the same however
//! many games run at a time.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use quintain_core::Seat;
use quintain_record::{BotId, MatchId};

use crate::bets::{Aim, ConfidenceSequence, stakes};
use crate::copies::Contents;
use crate::elo::{ELO_MAX, Estimate, shown_elo};
use crate::match_result::{MatchResult, Score};
use crate::pairs::PairedResults;
use crate::sprt::{Decision, Evidence, Sprt, Trial};
use crate::tally::Tally;
use crate::words::{grouped, range_in_words, spoken};

/// The old version, as a comparison lists it.
pub const OLD: BotId = BotId(0);
/// The new version.
pub const NEW: BotId = BotId(1);

/// What a comparison is to find out, and by when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Question {
    /// Until the test is decided.
    Test(Sprt),
    /// How large the difference is, by this many games.
    Games(u32),
}

/// After this many pairs in a row without a new game no more is expected to come: if one pair in 17 still
/// brought something new, so long a row would be seen in one comparison of twenty.
pub const PAIRS_WITHOUT_NEWS: u32 = 50;

/// Games of [`NEW`] against [`OLD`]: those of a round robin of the two, in which a round is a seed.
#[derive(Clone, Debug)]
pub struct Comparison {
    trial: Option<Trial>,
    aim: Aim,
    sequence: ConfidenceSequence,
    results: PairedResults,
    contents: Contents,
    pairs_without_news: u32,
    tallies: [Tally; 2],
    void: u64,
    decision: Decision,
    /// Rounds below this one are judged.
    next_round: u32,
    /// Rounds below this one count: those after the end are surplus.
    rounds_counted: u32,
    waiting: BTreeMap<u32, [Option<MatchResult>; 2]>,
    surplus: u64,
    alongside: Option<Alongside>,
}

/// A test that is told of all games and ends nothing.
#[derive(Clone, Debug)]
struct Alongside {
    trial: Trial,
    /// Its first answer, and by how many games.
    answer: Option<(Decision, u64)>,
}

/// What a comparison found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    NewIsStronger,
    NoDifferenceShown,
    OldIsStronger,
    /// Both lost every game, so that nothing is shown about their strength.
    BothLost,
}

impl Finding {
    /// The finding's name in machine-readable output.
    pub const fn code(self) -> &'static str {
        match self {
            Finding::NewIsStronger => "new-is-stronger",
            Finding::NoDifferenceShown => "no-difference-shown",
            Finding::OldIsStronger => "old-is-stronger",
            Finding::BothLost => "both-lost",
        }
    }
}

impl Comparison {
    pub fn new(question: Question) -> Comparison {
        let trial = match question {
            Question::Test(test) => Some(Trial::new(test)),
            Question::Games(_) => None,
        };
        let aim = match (&trial, question) {
            (None, Question::Games(games)) => Aim::Pairs(f64::from(games.div_ceil(2).max(1))),
            (trial, _) => trial.as_ref().expect("a test has a trial").aim(),
        };
        Comparison {
            trial,
            aim,
            sequence: ConfidenceSequence::default(),
            results: PairedResults::default(),
            contents: Contents::default(),
            pairs_without_news: 0,
            tallies: [Tally::default(); 2],
            void: 0,
            decision: Decision::Undecided,
            next_round: 0,
            rounds_counted: 0,
            waiting: BTreeMap::new(),
            surplus: 0,
            alongside: None,
        }
    }

    /// Lets a test go along from here on, see [`Comparison::stronger_after`].
    pub fn watch_alongside(&mut self, test: Sprt) {
        self.alongside = Some(Alongside { trial: Trial::new(test), answer: None });
    }

    /// Takes a finished game, in any order, each one once. Whether there is any need for more, see
    /// [`Comparison::has_ended`].
    pub fn add(&mut self, result: &MatchResult) {
        let round = result.id.round;
        if round < self.next_round || self.has_ended() {
            self.surplus += 1;
            return;
        }
        self.waiting.entry(round).or_default()[usize::from(result.id.swapped)] = Some(*result);
        while let Some(games @ [Some(_), Some(_)]) = self.waiting.get(&self.next_round).copied() {
            self.waiting.remove(&self.next_round);
            self.next_round += 1;
            self.judge(games);
        }
    }

    /// Judges what is still waiting for games that will not come: the end of a comparison that was
    /// stopped, or the last game of an odd number.
    pub fn finish(&mut self) {
        for (round, games) in std::mem::take(&mut self.waiting) {
            self.next_round = round + 1;
            self.judge(games);
        }
    }

    fn judge(&mut self, games: [Option<MatchResult>; 2]) {
        let games = games.into_iter().flatten();
        if self.has_ended() {
            self.surplus += games.count() as u64;
            return;
        }
        self.rounds_counted = self.next_round;
        let mut scores = Vec::with_capacity(2);
        let mut has_news = false;
        for game in games {
            let new_seat = if game.bots[Seat::First] == NEW { Seat::First } else { Seat::Second };
            for (tally, seat) in self.tallies.iter_mut().zip([new_seat.other(), new_seat]) {
                tally.add(seat, game.finish, game.errors[seat]);
            }
            match game.finish.score(new_seat) {
                Some(score) => {
                    has_news |= self.contents.add(game.bots[Seat::First], game.content);
                    scores.push(score);
                }
                None => self.void += 1,
            }
        }
        match scores[..] {
            [one, other] => self.judge_pair(one, other, has_news),
            [single] => self.results.add_single(single),
            _ => {}
        }
    }

    fn judge_pair(&mut self, one: Score, other: Score, has_news: bool) {
        let half_points = usize::from(one.half_points() + other.half_points());
        if let Some(Alongside { trial, .. }) = &mut self.alongside {
            trial.settle(stakes(trial.aim(), &self.results.pairs), half_points);
        }
        let stakes = stakes(self.aim, &self.results.pairs);
        self.sequence.settle(stakes, half_points);
        self.results.pairs.add(one, other);
        self.pairs_without_news = if has_news { 0 } else { self.pairs_without_news + 1 };
        if let Some(trial) = &mut self.trial {
            trial.settle(stakes, half_points);
            self.decision = trial.decision(self.contents.worth());
        }
        self.ask_alongside();
    }

    fn ask_alongside(&mut self) {
        let (worth, games) = (self.contents.worth(), self.results.games());
        if let Some(Alongside { trial, answer: answer @ None }) = &mut self.alongside {
            let decision = trial.decision(worth);
            *answer = (decision != Decision::Undecided).then_some((decision, games));
        }
    }

    /// Where the test stands; always undecided without one. Once decided it stays so.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    pub fn is_decided(&self) -> bool {
        self.decision != Decision::Undecided
    }

    /// Whether a test waits in vain: the bots only repeat what they have played.
    pub fn is_exhausted(&self) -> bool {
        let is_undecided = self.trial.is_some() && !self.is_decided();
        is_undecided && self.pairs_without_news >= PAIRS_WITHOUT_NEWS
    }

    /// Whether more games would change nothing.
    pub fn has_ended(&self) -> bool {
        self.is_decided() || self.is_exhausted()
    }

    /// After how many games the test that goes along would have ended them with the answer that the new
    /// version is stronger; `None` if it has not, or if there is none.
    pub fn stronger_after(&self) -> Option<u64> {
        match self.alongside.as_ref()?.answer? {
            (Decision::Above, games) => Some(games),
            _ => None,
        }
    }

    pub fn sprt(&self) -> Option<&Sprt> {
        self.trial.as_ref().map(Trial::test)
    }

    /// What there is for each answer to the test, if there is one.
    pub fn evidence(&self) -> Vec<Evidence> {
        self.trial.as_ref().map_or_else(Vec::new, |trial| trial.evidence(self.contents.worth()))
    }

    /// The strength of the new version relative to the old one.
    pub fn estimate(&self) -> Estimate {
        let games = self.results.games();
        let score = if games == 0 { 0.5 } else { self.results.points() / games as f64 };
        let elo = shown_elo(score, self.contents.different());
        // Pairs make the interval and single games do not, so these could lie outside.
        let (low, high) = self.sequence.interval(self.contents.worth());
        Estimate { games, score, elo, low: low.min(elo), high: high.max(elo) }
    }

    /// The judged games of the new version in pairs.
    pub fn results(&self) -> &PairedResults {
        &self.results
    }

    /// How many of the judged games are no copies of others.
    pub fn different_games(&self) -> u64 {
        self.contents.different()
    }

    /// The judged games of [`OLD`] or [`NEW`].
    pub fn tally(&self, bot: BotId) -> &Tally {
        &self.tallies[bot.index()]
    }

    /// Games that were judged but do not count.
    pub fn void(&self) -> u64 {
        self.void
    }

    /// Games that ended after the comparison, and count for nothing.
    pub fn surplus(&self) -> u64 {
        self.surplus
    }

    /// Whether a game that was taken is one of those that the finding rests on.
    pub fn counts(&self, game: MatchId) -> bool {
        game.round < self.rounds_counted
    }

    /// Games that ended before one with a lower seed, and will be judged after it.
    pub fn waiting(&self) -> usize {
        self.waiting.values().flatten().flatten().count()
    }

    /// What is shown by now. With a test it is what the test decides, and nothing before; where its
    /// answer does not say who is stronger, and where there is no test, the interval does. Since that
    /// holds at every moment, nobody is misled by looking again and again.
    pub fn finding(&self) -> Finding {
        let tally = self.tally(NEW);
        if tally.games() > 0 && tally.both_lost == tally.games() {
            return Finding::BothLost;
        }
        let Some(test) = self.sprt() else { return self.finding_of_the_interval() };
        let by_interval = self.finding_of_the_interval();
        match self.decision {
            Decision::Above if test.elo0() >= 0.0 => Finding::NewIsStronger,
            Decision::Above if by_interval == Finding::NewIsStronger => by_interval,
            Decision::Below if test.elo1() <= 0.0 => Finding::OldIsStronger,
            Decision::Below if !test.is_mirrored() && by_interval == Finding::OldIsStronger => {
                by_interval
            }
            Decision::Mirrored => Finding::OldIsStronger,
            Decision::Undecided | Decision::Above | Decision::Below => Finding::NoDifferenceShown,
        }
    }

    fn finding_of_the_interval(&self) -> Finding {
        let estimate = self.estimate();
        if estimate.low > 0.0 {
            Finding::NewIsStronger
        } else if estimate.high < 0.0 {
            Finding::OldIsStronger
        } else {
            Finding::NoDifferenceShown
        }
    }

    /// The finding as a sentence, such as "new is stronger: +38 Elo (95%: 21 to 55) after 1,214 games
    /// in 41 s". The difference is always that of the bot which the sentence is about.
    pub fn sentence(&self, old: &str, new: &str, time: Duration) -> String {
        self.finding().sentence(self.estimate(), old, new, time)
    }
}

impl Finding {
    /// As [`Comparison::sentence`], of the strength of the new version.
    pub fn sentence(self, mut estimate: Estimate, old: &str, new: &str, time: Duration) -> String {
        let games = grouped(estimate.games);
        let word = if estimate.games == 1 { "game" } else { "games" };
        let finding = match self {
            Finding::BothLost => {
                let time = spoken(time);
                return format!("nobody is stronger: both lost all of {games} {word} in {time}");
            }
            Finding::NewIsStronger => format!("{new} is stronger"),
            Finding::NoDifferenceShown => "no difference shown".to_owned(),
            Finding::OldIsStronger => {
                estimate = estimate.flipped();
                format!("{old} is stronger")
            }
        };
        let strength = Strength(estimate);
        format!("{finding}: {strength} after {games} {word} in {}", spoken(time))
    }
}

impl Evidence {
    /// "new 1.20 of 3.69": whom or what it is for, how much there is and how much is needed. A test that is
    /// not mirrored is about the difference alone.
    pub fn in_words(&self, test: &Sprt, old: &str, new: &str) -> String {
        let answer = match (self.answer, test.is_mirrored()) {
            (Decision::Above, true) => new.to_owned(),
            (Decision::Mirrored, _) => old.to_owned(),
            (Decision::Below, true) => "neither".to_owned(),
            (Decision::Above, false) => format!("above {}", test.elo0()),
            (Decision::Below, false) => format!("below {}", test.elo1()),
            (Decision::Undecided, _) => unreachable!("being undecided is no answer"),
        };
        format!("{answer} {:.2} of {:.2}", self.value, self.needed)
    }
}

/// An estimate in words: "+38 Elo (95%: 21 to 55)".
#[derive(Clone, Copy, Debug)]
pub struct Strength(pub Estimate);

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Estimate { elo, low, high, .. } = self.0;
        let (low, high) = ((low > -ELO_MAX).then_some(low), (high < ELO_MAX).then_some(high));
        // Rounded first, so that there is no -0.
        write!(f, "{:+} Elo (95%: {})", elo.round() as i64, range_in_words(low, high))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quintain_core::{ErrorKind, PerSeat};
    use quintain_record::MatchId;

    use super::*;
    use crate::match_result::Finish;

    /// A game of the given seed in which the new version has the second seat unless swapped.
    fn game(round: u32, swapped: bool, new_wins: bool) -> MatchResult {
        let seats = if swapped { [NEW, OLD] } else { [OLD, NEW] };
        let new_seat = if swapped { Seat::First } else { Seat::Second };
        MatchResult {
            id: MatchId { round, pairing: 0, seed_index: 0, swapped },
            bots: PerSeat(seats),
            finish: Finish::Won(if new_wins { new_seat } else { new_seat.other() }),
            errors: PerSeat::default(),
            content: None,
        }
    }

    /// A comparison of games that differ, as many pairs of each outcome as told, evenly mixed.
    fn judged(question: Question, pairs: [u64; 5]) -> Comparison {
        let mut comparison = Comparison::new(question);
        let total: u64 = pairs.iter().sum();
        let mut drawn = [0; 5];
        for round in 0..total {
            // The outcome that is furthest behind its share.
            let lag = |outcome: &usize| {
                i128::from(pairs[*outcome] * (round + 1)) - i128::from(drawn[*outcome] * total)
            };
            let outcome = (0..5).rev().max_by_key(lag).expect("there are five");
            drawn[outcome] += 1;
            let scores = [outcome.min(2), outcome - outcome.min(2)];
            for (swapped, score) in [false, true].into_iter().zip(scores) {
                let mut result = game(round as u32, swapped, score == 2);
                if score == 1 {
                    result.finish = Finish::Drawn;
                }
                comparison.add(&result);
            }
        }
        comparison.finish();
        comparison
    }

    #[test]
    fn the_sentence_says_who_is_stronger_by_how_much_and_what_it_took() {
        let sentence = |(pairs, seconds): ([u64; 5], f64)| {
            let games = 2 * pairs.iter().sum::<u64>() as u32;
            let comparison = judged(Question::Games(games), pairs);
            comparison.sentence("old", "new", Duration::from_secs_f64(seconds))
        };
        let games = [
            ([20, 90, 290, 140, 67], 41.2),
            ([67, 140, 290, 90, 20], 3.0),
            ([5, 10, 70, 10, 5], 200.0),
            ([0, 0, 0, 0, 50], 7_500.0),
            ([0; 5], 0.0),
        ];
        let expected = [
            "new is stronger: +41 Elo (95%: 23 to 61) after 1,214 games in 41 s",
            "old is stronger: +41 Elo (95%: 23 to 61) after 1,214 games in 3.0 s",
            "no difference shown: +0 Elo (95%: -42 to 40) after 200 games in 3 min 20 s",
            "new is stronger: +921 Elo (95%: 396 or more) after 100 games in 2 h 5 min",
            "no difference shown: +0 Elo (95%: anything) after 0 games in 0.0 s",
        ];
        assert_eq!(games.map(sentence), expected);
    }

    #[test]
    fn the_test_decides_and_the_interval_only_explains() {
        let check = |test: &str, pairs, decision: Decision, expected: Finding| {
            let comparison = judged(Question::Test(test.parse().expect("a test")), pairs);
            assert_eq!(comparison.decision(), decision, "{test} {pairs:?}");
            assert_eq!(comparison.finding(), expected, "{test} {pairs:?}");
        };
        let (better, worse) = ([0, 0, 60, 0, 40], [40, 0, 60, 0, 0]);
        let (level, little) = ([250, 0, 500, 0, 250], [1, 0, 3, 0, 2]);
        check("0,30", little, Decision::Undecided, Finding::NoDifferenceShown);
        check("0,30", better, Decision::Above, Finding::NewIsStronger);
        check("0,30", worse, Decision::Mirrored, Finding::OldIsStronger);
        check("0,30", level, Decision::Below, Finding::NoDifferenceShown);
        check("-30,0", level, Decision::Above, Finding::NoDifferenceShown);
        check("-30,0", worse, Decision::Below, Finding::OldIsStronger);
    }

    /// Two bots without luck of their own: each pair is the same two games.
    fn repeated(question: Question, pairs: u32, new_wins: [bool; 2]) -> Comparison {
        let mut comparison = Comparison::new(question);
        for round in 0..pairs {
            for (swapped, new_wins) in [false, true].into_iter().zip(new_wins) {
                let content = Some(u64::from(swapped));
                comparison.add(&MatchResult { content, ..game(round, swapped, new_wins) });
            }
        }
        comparison
    }

    #[test]
    fn copies_of_a_game_do_not_make_a_difference_surer() {
        let once = repeated(Question::Games(200), 1, [true, true]);
        let often = repeated(Question::Games(200), 100, [true, true]);
        assert_eq!((often.results().games(), often.different_games()), (200, 2));
        let [once, often] = [once, often].map(|comparison| comparison.estimate());
        assert!(often.low <= once.low + 1.0 && often.low < 0.0, "{once:?} {often:?}");
        assert!(often.elo <= once.elo, "{once:?} {often:?}");
    }

    #[test]
    fn a_test_of_bots_that_repeat_themselves_ends_without_a_finding() {
        for new_wins in [[true, true], [true, false]] {
            let comparison = repeated(Question::Test(Sprt::default()), 200, new_wins);
            assert!(comparison.is_exhausted() && !comparison.is_decided());
            assert_eq!(comparison.finding(), Finding::NoDifferenceShown);
            let games = 2 * u64::from(PAIRS_WITHOUT_NEWS + 1);
            assert_eq!(comparison.results().games(), games, "no more is judged");
        }
    }

    #[test]
    fn a_decided_comparison_counts_nothing_more() {
        let mut comparison = Comparison::new(Question::Test(Sprt::default()));
        let mut round = 0;
        while !comparison.is_decided() {
            comparison.add(&game(round, true, true));
            comparison.add(&game(round, false, true));
            round += 1;
        }
        let games = comparison.results().games();
        assert_eq!((comparison.finding(), games), (Finding::NewIsStronger, u64::from(round) * 2));
        comparison.add(&game(round, false, false));
        comparison.finish();
        assert_eq!((comparison.results().games(), comparison.surplus()), (games, 1));
        let of_round = |round| MatchId { round, ..MatchId::default() };
        assert!(comparison.counts(of_round(round - 1)) && !comparison.counts(of_round(round)));
        assert_eq!(comparison.decision(), Decision::Above);
    }

    #[test]
    fn a_test_that_goes_along_ends_nothing_and_answers_as_it_would_alone() {
        let test: Sprt = "0,100".parse().expect("a test");
        let mut alone = Comparison::new(Question::Test(test));
        let mut comparison = Comparison::new(Question::Games(400));
        comparison.watch_alongside(test);
        for round in 0..200 {
            for swapped in [false, true] {
                let result = game(round, swapped, round % 4 != 3);
                alone.add(&result);
                comparison.add(&result);
            }
        }
        assert_eq!(comparison.results().games(), 400);
        assert_eq!(alone.finding(), Finding::NewIsStronger);
        assert_eq!(comparison.stronger_after(), Some(alone.results().games()));
        assert_eq!(alone.stronger_after(), None, "nothing goes along");
    }

    #[test]
    fn stopped_comparisons_count_what_was_waiting_and_void_games_apart() {
        let mut comparison = Comparison::new(Question::Games(6));
        let mut void = game(0, false, false);
        void.finish = Finish::Void;
        let mut crash = game(2, true, true);
        crash.errors[Seat::Second].insert(ErrorKind::Crash);
        for result in [game(0, true, true), void, crash] {
            comparison.add(&result);
        }
        assert_eq!((comparison.results().games(), comparison.waiting()), (1, 1));
        comparison.finish();
        assert_eq!((comparison.results().singles, comparison.waiting()), ([0, 0, 2], 0));
        assert_eq!((comparison.void(), comparison.surplus()), (1, 0));
        assert_eq!(comparison.tally(OLD).errors[ErrorKind::Crash], 1);
        assert_eq!((comparison.tally(NEW).wins, comparison.tally(OLD).losses), (2, 2));
    }

    #[test]
    fn games_that_both_lost_are_told_as_such() {
        let mut comparison = Comparison::new(Question::Games(4));
        for (round, swapped) in [(0, false), (0, true), (1, false)] {
            let finish = Finish::BothLost;
            comparison.add(&MatchResult { finish, ..game(round, swapped, false) });
        }
        comparison.finish();
        assert_eq!(comparison.finding(), Finding::BothLost);
        let sentence = comparison.sentence("old", "new", Duration::from_secs(41));
        assert_eq!(sentence, "nobody is stronger: both lost all of 3 games in 41 s");
        comparison.add(&game(2, false, true));
        comparison.finish();
        assert_eq!(comparison.finding(), Finding::NoDifferenceShown);
        assert_eq!((comparison.tally(NEW).losses, comparison.tally(NEW).both_lost), (3, 3));
    }

    proptest! {
        /// Several games at a time end in any order; the verdict is that of one at a time.
        #[test]
        fn the_order_in_which_games_end_does_not_matter(
            order in Just((0..80_u32).collect::<Vec<_>>()).prop_shuffle(),
            wins in prop::collection::vec(prop::bool::weighted(0.8), 80),
        ) {
            let sprt = Sprt::new(0.0, 200.0, 0.05, 0.05).expect("in order");
            let play = |order: &[u32]| {
                let mut comparison = Comparison::new(Question::Test(sprt));
                for &number in order {
                    comparison.add(&game(number / 2, number % 2 == 1, wins[number as usize]));
                }
                comparison.finish();
                (comparison.results, comparison.tallies, comparison.decision, comparison.surplus)
            };
            let straight: Vec<u32> = (0..80).collect();
            prop_assert_eq!(play(&order), play(&straight));
        }
    }
}
