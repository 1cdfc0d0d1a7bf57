//! How the words behind an option become values.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use quintain_arena::plan::check_time_scale;
use quintain_core::read_duration;
use quintain_core::scene::Theme;
use quintain_server::ScaleLimits;
use serde_json::Value;

pub(crate) fn seed(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("expected a whole number from {} to {}", i64::MIN, i64::MAX))
}

pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    read_duration(text).map_err(|expected| format!("expected {expected}"))
}

/// What times may be multiplied by, for instance `0.5..2`.
pub(super) fn scale_limits(text: &str) -> Result<ScaleLimits, String> {
    let expected = "expected MIN..MAX, for instance 0.5..2, with MIN at most 1 and MAX at least 1";
    let limits = text.split_once("..").and_then(|(least, most)| {
        let limit = |text: &str| check_time_scale(text.parse().ok()?).ok();
        Some(ScaleLimits { least: limit(least)?, most: limit(most)? })
    });
    let limits = limits.filter(|limits| limits.least <= 1.0 && limits.most >= 1.0);
    limits.ok_or_else(|| expected.to_owned())
}

/// What `export` writes, by the option and the ending of its file.
const PICTURES: [&str; 3] = ["gif", "png", "svg"];

/// A file for a picture of this format, whose name does not say another one.
pub(super) fn picture(format: &'static str) -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(move |path| {
        let ending = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        let is_other = |other: &&str| *other != format && ending.as_deref() == Some(*other);
        match PICTURES.into_iter().find(is_other) {
            None => Ok(path),
            Some(other) => Err(format!(
                "expected a name that ends with .{format}; a file .{other} is written with --{other}"
            )),
        }
    })
}

/// A file for a replay, whose name does not say that it is a picture.
pub(super) fn replay_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let ending = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        match PICTURES.into_iter().find(|format| ending.as_deref() == Some(*format)) {
            None => Ok(path),
            Some(format) => Err(format!(
                "expected a name for a replay, such as match.jsonl.zst; a file .{format} is made of it \
                 with quintain export REPLAY --{format} {}",
                path.display()
            )),
        }
    })
}

/// One of some values, by its name.
pub(crate) fn named<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let meant = move |word: String| all.into_iter().find(|&one| name(one) == word);
    PossibleValuesParser::new(all.map(name)).map(move |word| meant(word).expect("it is possible"))
}

pub(super) fn key_and_value(text: &str) -> Result<(String, Value), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), Value::from(value))),
        _ => Err("expected a key and its value, such as limit=500ms".to_owned()),
    }
}

pub(crate) fn time_scale(text: &str) -> Result<f64, String> {
    // What is no number is none of those that are sensible.
    Ok(check_time_scale(text.parse().unwrap_or(f64::NAN))?)
}

pub(super) fn origin(text: &str) -> Result<String, String> {
    match quintain_server::Neighbours::is_origin(text) {
        true => Ok(text.to_owned()),
        false => Err("expected an origin such as https://example.org".to_owned()),
    }
}

pub(super) fn sheet_size(text: &str) -> Result<(u32, Option<u32>), String> {
    const EXPECTED: &str = "expected a width from 160 to 4096, such as 800, or with a \
                            height, such as 800x600";
    let parse = |text: &str| text.parse().ok().filter(|size| (160..=4096).contains(size));
    let (width, height) = match text.split_once('x') {
        Some((width, height)) => (parse(width), Some(parse(height).ok_or(EXPECTED)?)),
        None => (parse(text), None),
    };
    Ok((width.ok_or(EXPECTED)?, height))
}

pub(super) fn theme_name(theme: Theme) -> &'static str {
    match theme {
        Theme::Light => "light",
        Theme::Dark => "dark",
    }
}

/// How fast a film runs: `2x`, or `2`.
pub(super) fn film_speed(text: &str) -> Result<f64, String> {
    let speed = text.strip_suffix('x').unwrap_or(text).parse().ok();
    let speed = speed.filter(|speed| (0.1..=20.0).contains(speed));
    speed.ok_or_else(|| "expected a speed from 0.1x to 20x, such as 2x".to_owned())
}

/// The first and the last turn, each of which can be left out.
pub(super) fn turn_range(text: &str) -> Result<(u32, u32), String> {
    const EXPECTED: &str = "expected the first and the last turn, such as 10..40, 10.. or ..40";
    let (first, last) = text.split_once("..").ok_or(EXPECTED)?;
    let parse = |text: &str, otherwise: u32| match text {
        "" => Some(otherwise),
        number => number.parse().ok(),
    };
    let (first, last) = parse(first, 0).zip(parse(last, u32::MAX)).ok_or(EXPECTED)?;
    if first > last {
        return Err(format!("{EXPECTED}, found a first turn after the last one"));
    }
    Ok((first, last))
}

/// The form of a report on many games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputArg {
    Table,
    Csv,
    Json,
    Html,
}

impl OutputArg {
    pub(crate) fn name(self) -> &'static str {
        match self {
            OutputArg::Table => "table",
            OutputArg::Csv => "csv",
            OutputArg::Json => "json",
            OutputArg::Html => "html",
        }
    }
}
