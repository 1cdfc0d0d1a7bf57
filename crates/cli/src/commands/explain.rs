//! `quintain explain`

use std::io::Write as _;

use quintain_arena::explain::{ExplainPlan, explain};
use quintain_replay::Replay;
use quintain_report::explanation as shown;

use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::output::{print_lines, wrapped_output};
use crate::words::ELSEWHERE;
use quintain_arena::write_whole;
use quintain_terminal::StatusLine;

pub(super) fn run(args: &ExplainArgs) -> Result<(), Failure> {
    let (mut reader, game) = super::open_replay(&args.file)?;
    let replay = Replay::of(&mut reader)?;
    let plan = ExplainPlan { seat: args.seat, nodes: args.nodes };
    let mut live = StatusLine::new();
    let explained = explain(game, &replay, &plan, &mut |judged, all| {
        if live.is_due() {
            live.show(&[format!("{judged} of {all} positions judged")]);
        }
    });
    live.clear();
    let explanation = explained.map_err(|error| super::not_the_same(&args.file, &error))?;
    if let Some(path) = &args.html {
        let expected: Vec<f64> = explanation.values.iter().map(|at| at.value).collect();
        let page = quintain_server::mailed_page(&args.file, &expected);
        write_whole(path, page.map_err(anyhow::Error::from)?.as_bytes())?;
    }
    let mut out = wrapped_output();
    if args.json {
        return Ok(writeln!(out, "{}", shown::json(&explanation))?);
    }
    Ok(print_lines(shown::lines(&explanation, ELSEWHERE), &mut out)?)
}
