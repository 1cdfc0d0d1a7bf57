//! What long-lived commands tell of their work.

use std::io;

use clap::{Args, ValueEnum};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::prelude::*;

#[derive(Clone, Debug, Args)]
pub(crate) struct LogArgs {
    /// Write what happens to standard error, a line each: for people, or as JSON
    #[arg(long, value_enum, value_name = "FORM")]
    log: Option<LogForm>,
    /// What is important enough for the log
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "info", requires = "log")]
    log_level: LogLevel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogForm {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogLevel {
    // What went wrong.
    Warn,
    // What happened to jobs.
    Info,
    // Every question and every answer.
    Debug,
}

impl LogArgs {
    /// Begins the log, if one is wished; whether it is.
    pub(crate) fn begin(&self) -> bool {
        let level = match self.log_level {
            LogLevel::Warn => LevelFilter::WARN,
            LogLevel::Info => LevelFilter::INFO,
            LogLevel::Debug => LevelFilter::DEBUG,
        };
        // What libraries of others tell is not about jobs.
        let ours = Targets::new().with_target("quintain", level);
        let lines = fmt::layer().with_writer(io::stderr);
        let log = tracing_subscriber::registry();
        match self.log {
            None => return false,
            Some(LogForm::Text) => log.with(lines.with_target(false).with_filter(ours)).init(),
            Some(LogForm::Json) => {
                let lines = lines.json().flatten_event(true).with_current_span(false);
                log.with(lines.with_span_list(false).with_filter(ours)).init();
            }
        }
        true
    }
}
