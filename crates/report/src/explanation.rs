//! A match explained: how it ended, what went wrong, where it turned.

use quintain_arena::explain::{Continued, ExplainedFault, Explanation, Judge, Moment, UsedTime};
use quintain_arena::results::milliseconds;
use quintain_core::{PerSeat, Seat, printable};
use quintain_tournament::grouped;
use serde_json::{Value, json};

use crate::exchange;
use crate::words::{Line, counted, tenths};

/// Kinds of faults of which the first is told with all that the bot was sent; the others are counted.
const FAULTS_SHOWN: usize = 5;

/// The whole explanation as text. `elsewhere` says where the lines are that are left out.
pub fn lines(explanation: &Explanation, elsewhere: &str) -> Vec<Line> {
    let mut lines = vec![Line::heading(explanation.result.clone())];
    lines.extend(Seat::BOTH.map(|seat| Line::text(time_line(explanation, seat))));
    lines.extend(fault_lines(explanation, elsewhere));
    lines.extend(moment_lines(explanation));
    lines
}

fn time_line(explanation: &Explanation, seat: Seat) -> String {
    let name = &explanation.names[seat];
    let UsedTime { answers, all, slowest, slowest_turn } = explanation.times[seat];
    if answers == 0 {
        return format!("{name}: no answer");
    }
    let mean = all / u32::try_from(answers).unwrap_or(u32::MAX);
    format!(
        "{name}: {} in {} ms on average, the slowest in {} ms ({} {slowest_turn})",
        counted(answers, "answer"),
        tenths(mean),
        tenths(slowest),
        explanation.turn_name
    )
}

fn fault_lines(explanation: &Explanation, elsewhere: &str) -> Vec<Line> {
    let faults = &explanation.faults;
    let words = faults.iter().map(|fault| fault_in_words(explanation, fault)).collect();
    let kinds = alike(words);
    let mut lines = Vec::new();
    for (words, members) in kinds.iter().take(FAULTS_SHOWN) {
        let exchange = &faults[members[0]].exchange;
        lines.push(Line::text(""));
        lines.push(Line::heading(format!("{} {}: {words}", explanation.turn_name, exchange.turn)));
        let told = exchange::told(&exchange.told, elsewhere);
        lines.extend(told.into_iter().map(Line::text));
        let answer = exchange::answer(&exchange.recorded, elsewhere);
        lines.push(Line::text(format!("  < {answer}")));
        if let [_, others @ .., last] = members.as_slice() {
            let more = counted(others.len() as u64 + 1, &format!("more {}", explanation.turn_name));
            let last = faults[*last].exchange.turn;
            lines.push(Line::text(format!("  the same in {more}, last in {last}")));
        }
    }
    let more: usize = kinds.iter().skip(FAULTS_SHOWN).map(|(_, members)| members.len()).sum();
    if more > 0 {
        let more = counted(more as u64, "more fault");
        lines.extend([Line::text(""), Line::text(format!("{more}, {elsewhere}"))]);
    }
    lines
}

/// Which of them say the same, by their first occurrence.
fn alike(words: Vec<String>) -> Vec<(String, Vec<usize>)> {
    let mut kinds: Vec<(String, Vec<usize>)> = Vec::new();
    for (index, words) in words.into_iter().enumerate() {
        match kinds.iter_mut().find(|(known, _)| *known == words) {
            Some((_, members)) => members.push(index),
            None => kinds.push((words, vec![index])),
        }
    }
    kinds
}

fn fault_in_words(explanation: &Explanation, fault: &ExplainedFault) -> String {
    let name = &explanation.names[fault.seat];
    match (&fault.exchange.recorded.fault, &fault.exchange.refusal) {
        (Some(fault), _) => format!("{name} {fault}"),
        (None, Some(refusal)) => printable(refusal).into_owned(),
        (None, None) => format!("{name} gave no answer"),
    }
}

fn moment_lines(explanation: &Explanation) -> Vec<Line> {
    let judge = judge_in_words(&explanation.judge);
    if explanation.moments.is_empty() {
        let none = format!("no moment at which more was to be expected than before, {judge}");
        return vec![Line::text(""), Line::text(none)];
    }
    let moments = counted(explanation.moments.len() as u64, "moment");
    let mut lines = vec![Line::text(""), Line::text(format!("{moments} to look at, {judge}"))];
    for moment in &explanation.moments {
        lines.push(Line::text(""));
        lines.push(Line::heading(moment_heading(explanation, moment)));
        lines.extend(moment.board.iter().map(|row| Line::text(format!("  {row}"))));
        lines.push(Line::text(format!(
            "  played: {}",
            step_in_words(&explanation.names, &moment.played)
        )));
        lines.extend(better_lines(explanation, moment).into_iter().map(Line::text));
    }
    lines
}

fn judge_in_words(judge: &Judge) -> String {
    format!("by the champion's opinion at {} positions", grouped(judge.nodes))
}

fn moment_heading(explanation: &Explanation, moment: &Moment) -> String {
    let Moment { turn, seat, before, after, time, .. } = moment;
    let name = &explanation.names[*seat];
    let time = time.map_or_else(String::new, |time| format!(", {} ms", tenths(time)));
    format!(
        "{} {turn}: {name} went from {} to {}{time}",
        explanation.turn_name,
        percent(*before),
        percent(*after)
    )
}

/// What may be expected, as a share of the points.
fn percent(value: f64) -> String {
    format!("{:.0}%", 50.0 * (value + 1.0))
}

/// Who does what, first seat first.
fn step_in_words(names: &PerSeat<String>, step: &PerSeat<Option<String>>) -> String {
    let acted = Seat::BOTH.into_iter().filter_map(|seat| {
        let action = step[seat].as_ref()?;
        Some(format!("{} {}", names[seat], printable(&action.replace('\n', " | "))))
    });
    let words: Vec<String> = acted.collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join("; ") }
}

fn better_lines(explanation: &Explanation, moment: &Moment) -> Vec<String> {
    let Some(Continued { action, is_same, line }) = &moment.better else { return Vec::new() };
    let bot = explanation.judge.bot;
    let action = printable(&action.replace('\n', " | ")).into_owned();
    let first = match is_same {
        true => format!("  house:{bot} would have played the same"),
        false => format!("  house:{bot} would have played: {action}"),
    };
    let on = line.iter().skip(1).map(|step| step_in_words(&explanation.names, step));
    let mut lines = vec![first];
    lines.extend(on.map(|step| format!("    then {step}")));
    lines
}

pub fn json(explanation: &Explanation) -> Value {
    let Explanation { game, names, result, judge, values, .. } = explanation;
    let seats = Seat::BOTH.map(|seat| time_json(explanation, seat));
    let fault = |fault: &ExplainedFault| {
        let mut object = exchange::json(&fault.exchange);
        object["seat"] = json!(fault.seat);
        object["what"] = json!(fault_in_words(explanation, fault));
        object
    };
    json!({
        "game": game,
        "names": names.0,
        "result": result,
        "seats": seats,
        "judge": { "bot": judge.bot, "nodes": judge.nodes },
        "values": values,
        "faults": explanation.faults.iter().map(fault).collect::<Value>(),
        "moments": explanation.moments.iter().map(moment_json).collect::<Value>(),
    })
}

fn time_json(explanation: &Explanation, seat: Seat) -> Value {
    let UsedTime { answers, all, slowest, slowest_turn } = explanation.times[seat];
    json!({
        "name": explanation.names[seat],
        "answers": answers,
        "all_ms": milliseconds(all),
        "slowest_ms": milliseconds(slowest),
        "slowest_turn": slowest_turn,
    })
}

fn moment_json(moment: &Moment) -> Value {
    let better = moment.better.as_ref().map(|Continued { action, is_same, line }| {
        let line: Vec<_> = line.iter().map(|step| &step.0).collect();
        json!({ "action": action, "same": is_same, "line": line })
    });
    json!({
        "turn": moment.turn,
        "seat": moment.seat,
        "before": moment.before,
        "after": moment.after,
        "board": moment.board,
        "played": moment.played.0,
        "better": better,
        "time_ms": moment.time.map(milliseconds),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_again_and_again_is_told_once() {
        let words = ["one", "two", "one", "one"].map(str::to_owned).to_vec();
        let kinds = vec![("one".to_owned(), vec![0, 2, 3]), ("two".to_owned(), vec![1])];
        assert_eq!(alike(words), kinds);
    }
}
