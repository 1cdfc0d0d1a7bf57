//! Which games are asked for.

use std::str::FromStr;

use quintain_core::{CodeError, ErrorKind, Seat, Verdict};
use quintain_record::BotId;

use crate::RunId;
use crate::statement::Statement;

/// Lets games through that fit everything that is set. The default lets all through.
///
/// Bots are named by their place; see [`crate::RunInfo::place_of`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// This bot played.
    pub bot: Option<BotId>,
    /// This bot played too; with `bot` set, against it.
    pub opponent: Option<BotId>,
    /// `bot` had this seat. Without `bot` it means nothing.
    pub seat: Option<Seat>,
    pub round: Option<u32>,
    pub seed: Option<i64>,
    pub reason: Option<String>,
    /// The verdict of `bot`, or of either seat without it. A loss is also a disqualification; asked
    /// for by its name a disqualification is only that.
    pub verdict: Option<Verdict>,
    /// What `bot` made of both games of a seed, seats swapped, in half points: 0 to 4. Without `bot` it means
    /// nothing.
    pub pair: Option<u32>,
    /// `bot` failed, or either seat without it.
    pub errors: Option<Errors>,
    /// Each of them must be found.
    pub tags: Vec<TagFilter>,
    /// Only void games, or only those that count.
    pub void: Option<bool>,
    /// Only games of which an attempt was thrown away, or only the others.
    pub disturbed: Option<bool>,
}

/// Which errors are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Errors {
    Any,
    Kind(ErrorKind),
}

/// A tag that must be there: one of `bot` or of the match; of anyone if `bot` is not set.
#[derive(Clone, Debug, PartialEq)]
pub struct TagFilter {
    pub name: String,
    pub test: TagTest,
    pub turn: Option<u32>,
}

/// What a tag's value must be. Values that are no numbers are neither least nor most.
#[derive(Clone, Debug, PartialEq)]
pub enum TagTest {
    Present,
    Is(String),
    AtLeast(f64),
    AtMost(f64),
}

/// `any`, or the code of a kind.
impl FromStr for Errors {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Errors, CodeError> {
        if text == "any" { Ok(Errors::Any) } else { text.parse().map(Errors::Kind) }
    }
}

/// What was written is no test of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a tag such as depth, depth=7, depth>=7 or depth<=7")]
pub struct TagFilterError;

/// `name`, `name=value`, `name>=number` or `name<=number`.
impl FromStr for TagFilter {
    type Err = TagFilterError;

    fn from_str(text: &str) -> Result<TagFilter, TagFilterError> {
        let number = |text: &str| text.trim().parse().map_err(|_| TagFilterError);
        let (name, test) = if let Some((name, least)) = text.split_once(">=") {
            (name, TagTest::AtLeast(number(least)?))
        } else if let Some((name, most)) = text.split_once("<=") {
            (name, TagTest::AtMost(number(most)?))
        } else if let Some((name, value)) = text.split_once('=') {
            (name, TagTest::Is(value.to_owned()))
        } else {
            (text, TagTest::Present)
        };
        match name.trim() {
            "" => Err(TagFilterError),
            name => Ok(TagFilter { name: name.to_owned(), test, turn: None }),
        }
    }
}

/// The end of an `EXISTS`. Without its limit SQLite 3.51 makes a join of it, in which each game meets all rows of
/// the other table.
const FIRST_ONE: &str = " LIMIT 1)";

impl Filter {
    /// Whether an index leads to the games that it lets through; otherwise each game is looked at.
    pub fn is_indexed(&self) -> bool {
        let is_rare = self.void == Some(true) || self.disturbed == Some(true);
        is_rare || self.errors.is_some() || self.seed.is_some() || self.reason.is_some()
    }

    /// Adds `WHERE ..` for `games AS g`.
    pub(crate) fn add_to(&self, statement: &mut Statement, run: RunId) {
        statement.sql(" WHERE g.run = ").value(run.0);
        self.add_bots(statement);
        if let Some(round) = self.round {
            statement.sql(" AND g.round = ").value(round);
        }
        if let Some(seed) = self.seed {
            statement.sql(" AND g.seed = ").value(seed);
        }
        if let Some(reason) = &self.reason {
            statement.sql(" AND g.reason = ").value(reason.as_str());
        }
        if let Some(verdict) = self.verdict {
            self.add_verdict(statement, verdict);
        }
        if let (Some(bot), Some(pair)) = (self.bot, self.pair) {
            add_pair(statement, bot, pair);
        }
        if let Some(void) = self.void {
            statement.sql(if void { " AND g.result IS NULL" } else { " AND g.result IS NOT NULL" });
        }
        if let Some(disturbed) = self.disturbed {
            statement.sql(if disturbed { " AND g.disturbed > 0" } else { " AND g.disturbed = 0" });
        }
        if let Some(errors) = &self.errors {
            self.add_errors(statement, errors);
        }
        for tag in &self.tags {
            self.add_tag(statement, tag);
        }
    }

    fn add_bots(&self, statement: &mut Statement) {
        for bot in [self.bot, self.opponent].into_iter().flatten() {
            statement.sql(" AND (g.first_bot = ").value(bot);
            statement.sql(" OR g.second_bot = ").value(bot).sql(")");
        }
        if let (Some(bot), Some(seat)) = (self.bot, self.seat) {
            statement.sql(match seat {
                Seat::First => " AND g.first_bot = ",
                Seat::Second => " AND g.second_bot = ",
            });
            statement.value(bot);
        }
    }

    fn add_verdict(&self, statement: &mut Statement, verdict: Verdict) {
        let sides = [
            (" AND ((g.first_verdict IN (", " AND g.first_bot = "),
            (" OR (g.second_verdict IN (", " AND g.second_bot = "),
        ];
        // Who was disqualified has lost: so the tallies count it.
        let worse = if verdict == Verdict::Loss { Verdict::Disqualified } else { verdict };
        for (verdict_is, bot_is) in sides {
            statement.sql(verdict_is).value(verdict.code());
            statement.sql(", ").value(worse.code()).sql(")");
            if let Some(bot) = self.bot {
                statement.sql(bot_is).value(bot);
            }
            statement.sql(")");
        }
        statement.sql(")");
    }

    fn add_errors(&self, statement: &mut Statement, errors: &Errors) {
        // The columns of the game itself spare most games the second look.
        statement.sql(
            " AND (g.first_fault IS NOT NULL OR g.second_fault IS NOT NULL) \
             AND EXISTS (SELECT 1 FROM faults f WHERE f.run = g.run AND f.number = g.number",
        );
        if let Some(bot) = self.bot {
            statement.sql(" AND f.bot = ").value(bot);
        }
        if let Errors::Kind(kind) = errors {
            statement.sql(" AND f.kind = ").value(kind.code());
        }
        statement.sql(FIRST_ONE);
    }

    fn add_tag(&self, statement: &mut Statement, tag: &TagFilter) {
        statement.sql(
            " AND EXISTS (SELECT 1 FROM tags t WHERE t.run = g.run AND t.number = g.number \
             AND t.name = ",
        );
        statement.value(tag.name.as_str());
        if let Some(bot) = self.bot {
            statement.sql(" AND (t.player IS NULL OR t.player = ").value(bot).sql(")");
        }
        if let Some(turn) = tag.turn {
            statement.sql(" AND t.turn = ").value(turn);
        }
        match &tag.test {
            TagTest::Present => &mut *statement,
            TagTest::Is(value) => statement.sql(" AND t.value = ").value(value.as_str()),
            TagTest::AtLeast(least) => statement.sql(" AND t.amount >= ").value(*least),
            TagTest::AtMost(most) => statement.sql(" AND t.amount <= ").value(*most),
        };
        statement.sql(FIRST_ONE);
    }
}

/// Both games of a pair, whichever was recorded first.
fn add_pair(statement: &mut Statement, bot: BotId, half_points: u32) {
    statement.sql(
        " AND g.result IS NOT NULL AND EXISTS (SELECT 1 FROM games h WHERE h.run = g.run \
         AND h.round = g.round AND h.pairing = g.pairing AND h.swapped = 1 - g.swapped \
         AND h.seed_index = g.seed_index AND h.result IS NOT NULL AND ",
    );
    for (index, game) in ["g", "h"].into_iter().enumerate() {
        statement.sql(if index == 0 { "" } else { " + " });
        // A game that both lost is half a point for each.
        statement.sql("CASE WHEN ").sql(game).sql(".result IN (-1, 1) THEN 1 WHEN ");
        statement.sql(game).sql(".first_bot = ").value(bot).sql(" THEN ");
        statement.sql(game).sql(".result ELSE 2 - ").sql(game).sql(".result END");
    }
    statement.sql(" = ").value(half_points).sql(FIRST_ONE);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_with_their_test() {
        let test = |text: &str| text.parse().map(|tag: TagFilter| (tag.name, tag.test));
        assert_eq!(test("depth"), Ok(("depth".to_owned(), TagTest::Present)));
        assert_eq!(test("depth=7"), Ok(("depth".to_owned(), TagTest::Is("7".to_owned()))));
        assert_eq!(test("depth>=7"), Ok(("depth".to_owned(), TagTest::AtLeast(7.0))));
        assert_eq!(test("depth <= 7.5"), Ok(("depth".to_owned(), TagTest::AtMost(7.5))));
        for wrong in ["", "=7", "depth>=deep", ">=7"] {
            assert_eq!(test(wrong), Err(TagFilterError), "{wrong}");
        }
    }
}
