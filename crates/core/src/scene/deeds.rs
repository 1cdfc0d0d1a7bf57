//! What both players did in their latest turn, in words.

use super::shortened;
use crate::{Fault, PerSeat, Reply, Seat, printable};

/// The lines of each player: its order first, in the words of the game, then what the rules made of it.
pub type Deeds = PerSeat<Vec<String>>;

/// As much as a line of a terminal holds.
pub const CAPTION_LETTERS_MAX: usize = 78;
/// Longer names would leave no room for what their players did.
const NAME_LETTERS_MAX: usize = 14;
/// Bots can send long texts; a deed shows the beginning.
const ORDER_LETTERS_MAX: usize = 60;
const BETWEEN: &str = "; ";

/// How the deeds of a seat begin: with what it ordered, as `write` has it, or with what kept it from
/// that. Nothing of a seat that was not asked.
pub fn order_of<A>(reply: Option<&Reply<A>>, write: impl FnOnce(&A) -> String) -> Vec<String> {
    match reply {
        None => Vec::new(),
        Some(Reply::Act(action)) => vec![order_words(&write(action))],
        Some(Reply::Fault(Fault::Malformed(error))) => {
            let why = format!("without meaning: expected {}", error.expected);
            vec![order_words(error.got.as_str()), why]
        }
        Some(Reply::Fault(fault)) => vec!["no answer".to_owned(), fault.to_string()],
    }
}

/// A bot's text as it is safe to show, and no longer than a line.
pub fn order_words(text: &str) -> String {
    shortened(&printable(text), ORDER_LETTERS_MAX)
}

/// What both did, on one line of at most so many letters: the first line of each one's deeds. Empty if
/// there are none.
pub fn deeds_line(deeds: &Deeds, names: &PerSeat<String>, letters_max: usize) -> String {
    let told = deeds.as_ref().map(|seat, lines| {
        let order = lines.first()?;
        Some((format!("{}: ", shortened(&names[seat], NAME_LETTERS_MAX)), order.as_str()))
    });
    let length = |text: &str| text.chars().count();
    let of_names: usize = told.0.iter().flatten().map(|(name, _)| length(name)).sum();
    let room = letters_max.saturating_sub(of_names + BETWEEN.len());
    let letters = told.as_ref().map(|_, told| told.as_ref().map_or(0, |(_, order)| length(order)));
    // What one does not need is the other's.
    let share = |seat: Seat| (room / 2).max(room.saturating_sub(letters[seat.other()])).max(1);
    let parts = told.iter().filter_map(|(seat, told)| {
        let (name, order) = told.as_ref()?;
        Some(format!("{name}{}", shortened(order, share(seat))))
    });
    parts.collect::<Vec<String>>().join(BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ParseError;

    fn line(orders: [&[&str]; 2], letters_max: usize) -> String {
        let names = PerSeat(["Anna".to_owned(), "a name of many letters".to_owned()]);
        let deeds = PerSeat(orders.map(|lines| lines.iter().map(ToString::to_string).collect()));
        deeds_line(&deeds, &names, letters_max)
    }

    #[test]
    fn both_orders_stand_on_one_line_and_the_longer_one_takes_the_room_of_the_other() {
        assert_eq!(
            line([&["dig 1 2", "worm 1"], &["move 3 4"]], 78),
            "Anna: dig 1 2; a name of man…: move 3 4"
        );
        assert_eq!(line([&["dig 1 2"], &[]], 78), "Anna: dig 1 2");
        assert_eq!(line([&[], &[]], 78), "");
        let long = "BUILD 12 BARRACKS-KNIGHT, TRAIN 1 2 3 4 5 6 7 8 9 10 11";
        for (orders, expected) in [
            (
                [long, "WAIT"],
                "Anna: BUILD 12 BARRACKS-KNIGHT, TRAIN 1 2 3 4…; a name of man…: WAIT",
            ),
            (
                ["WAIT", long],
                "Anna: WAIT; a name of man…: BUILD 12 BARRACKS-KNIGHT, TRAIN 1 2 3 4…",
            ),
            ([long, long], "Anna: BUILD 12 BARRACKS-KNI…; a name of man…: BUILD 12 BARRACKS-KNI…"),
        ] {
            let got = line([&[orders[0]], &[orders[1]]], 68);
            assert_eq!(got, expected);
            assert!(got.chars().count() <= 68, "{got}");
        }
        assert!(!line([&[long], &[long]], 0).is_empty());
    }

    #[test]
    fn deeds_begin_with_the_order_or_with_what_kept_from_it() {
        let of =
            |reply: Option<Reply<u8>>| order_of(reply.as_ref(), |stones| format!("take\n{stones}"));
        assert_eq!(of(None), [""; 0]);
        assert_eq!(of(Some(Reply::Act(2))), ["take\u{fffd}2"]);
        assert_eq!(of(Some(Reply::Fault(Fault::Late))), ["no answer", "did not answer in time"]);
        let malformed = Fault::Malformed(ParseError::new("a number", "two"));
        let expected = ["two", "without meaning: expected a number"];
        assert_eq!(of(Some(Reply::Fault(malformed))), expected);
    }
}
