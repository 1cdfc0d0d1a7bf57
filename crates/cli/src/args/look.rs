//! What is made of replays, for people and for programs.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use quintain_core::Seat;
use quintain_core::scene::Theme;
use quintain_server::ScaleLimits;

use super::values::{
    duration, film_speed, named, origin, picture, scale_limits, sheet_size, theme_name, turn_range,
};
use super::{LogArgs, examples, one_bot};

#[derive(Debug, Args)]
#[command(after_help = examples::REPLAY)]
pub(crate) struct ReplayArgs {
    /// A *.replay.jsonl.zst or *.jsonl file
    pub(crate) file: PathBuf,
    /// Print plain text even on a terminal
    #[arg(long)]
    pub(crate) text: bool,
    /// Show it in the browser: this match alone, on a free port of this machine, until Ctrl-C
    #[arg(long, conflicts_with = "text")]
    pub(crate) open: bool,
}

const EXPLAIN_HELP: &str = "\
A moment is a step after which a player could expect more or less than before, by what the champion's search \
    thinks of each position. The strongest house bot that does not use the clock, who has followed the match \
    from its seat, says what could have been played, and how it goes on. All of it follows from the \
    replay, so that everybody is told the same.";

#[derive(Debug, Args)]
#[command(after_help = [EXPLAIN_HELP, examples::EXPLAIN].join("\n\n"))]
pub(crate) struct ExplainArgs {
    /// A *.replay.jsonl.zst or *.jsonl file
    pub(crate) file: PathBuf,
    /// Look for the mistakes of this seat alone: 1 or first, 2 or second
    #[arg(long, value_name = "SEAT", value_parser = one_bot::seat)]
    pub(crate) seat: Option<Seat>,
    /// How many positions are looked at to judge one, and at most to say what could have been played
    /// [default: as many as take seconds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) nodes: Option<u64>,
    /// Write a page that shows the match as export --html does, with what was to be expected on its seek bar
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Print one JSON object, with the value of every position
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = [SERVE_HELP, examples::SERVE].join("\n\n"))]
pub(crate) struct ServeArgs {
    /// Where to listen; `localhost:8080` listens on 127.0.0.1 and `[::1]`, port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: String,
    /// The folder with the replays, those in folders below it included
    #[arg(long, value_name = "DIR", default_value = quintain_arena::REPLAYS_FOLDER)]
    pub(crate) replays: PathBuf,
    /// Show the runs of this store too, and keep the jobs of workers in it: a file, or
    /// postgres://...
    #[arg(long, value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// Read the password of the database from the first line of this file [default: PGPASSWORD, or
    /// the file of PGPASSFILE]
    #[arg(long, value_name = "FILE", requires = "store")]
    pub(crate) store_password_file: Option<PathBuf>,
    /// A name by which the server may be asked, beside its addresses and localhost
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// A site whose pages may embed matches, for instance `https://example.org`
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub(crate) embed: Vec<String>,
    /// Whoever knows the token in this file may begin matches, and nobody else; without one, whoever is
    /// on this machine
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Hand out games to workers, and take those of organisers: whoever has a token of the store
    #[arg(long, requires = "store")]
    pub(crate) workers: bool,
    /// Keep archives of bots in this folder, and replays until they are collected [default: beside the
    /// store]
    #[arg(long, value_name = "DIR", requires = "workers")]
    pub(crate) blobs: Option<PathBuf>,
    /// How long a worker may say nothing before its games are given to another one
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s", requires = "workers")]
    pub(crate) lease: Duration,
    /// Multiply time limits for the speed of each worker, between these [default: not at all]
    #[arg(long, value_name = "MIN..MAX", value_parser = scale_limits, requires = "workers")]
    pub(crate) scale_time: Option<ScaleLimits>,
    /// Speak HTTPS with this certificate, in PEM, those that vouch for it behind it
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// The private key of the certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) log: LogArgs,
}

const SERVE_HELP: &str = "\
Pages, player and films come from this program alone; nothing is changed, nothing is fetched.
Only this machine is listened to unless --listen says otherwise, and whoever can reach the address
can see all replays of the folder. /embed/REPLAY shows a match in a page of yours; its parameters
are turn, speed, loop, theme, controls, autoplay and eye, and it tells that page TURN, GAME_OVER and
RESIZE. /api/v1/openapi.json describes what programs can ask for.";

#[derive(Debug, Args)]
#[command(after_help = examples::SCHEMA)]
pub(crate) struct SchemaArgs {
    /// What is described
    #[arg(value_parser = PossibleValuesParser::new(quintain_server::SCHEMA_NAMES))]
    pub(crate) name: String,
}

#[derive(Debug, Args)]
#[command(after_help = examples::EXPORT)]
#[command(
    override_usage = "quintain export [OPTIONS] REPLAY --gif|--html|--png|--svg|--match-log TO"
)]
pub(crate) struct ExportArgs {
    /// The replay
    pub(crate) replay: PathBuf,
    #[command(flatten)]
    pub(crate) target: ExportTarget,
    /// For a picture: the position after this many turns [default: the last]
    #[arg(long, value_name = "N", conflicts_with = "gif")]
    pub(crate) turn: Option<u32>,
    /// Width and height in pixels, such as 1400x900; a width alone makes the picture as high as the game
    /// wants it
    #[arg(long, value_name = "W[xH]", default_value = "800", value_parser = sheet_size)]
    pub(crate) size: (u32, Option<u32>),
    /// Whether the picture is for a light room or a dark one
    #[arg(long, value_parser = named([Theme::Light, Theme::Dark], theme_name))]
    #[arg(default_value = "light")]
    pub(crate) theme: Theme,
    /// For a film: how fast it runs. At 1x a turn takes 0.4 s
    #[arg(long, value_name = "F", default_value = "1x", value_parser = film_speed, requires = "gif")]
    pub(crate) speed: f64,
    /// For a film: the turns that it shows, for instance 10..40, 10.. or ..40 [default: all]
    #[arg(long, value_name = "A..B", value_parser = turn_range, requires = "gif")]
    pub(crate) turns: Option<(u32, u32)>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct ExportTarget {
    /// Write a film of the match
    #[arg(long, value_name = "FILE", value_parser = picture("gif"))]
    pub(crate) gif: Option<PathBuf>,
    /// Write a page that shows the match and needs no network: the player is inside of it
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a picture of one position
    #[arg(long, value_name = "FILE", value_parser = picture("png"))]
    pub(crate) png: Option<PathBuf>,
    /// Write a picture of one position as SVG
    #[arg(long, value_name = "FILE", value_parser = picture("svg"))]
    pub(crate) svg: Option<PathBuf>,
    /// Write the match log of the original runner to this new folder (worms, overdrive)
    #[arg(long, value_name = "DIR")]
    pub(crate) match_log: Option<PathBuf>,
}
