//! How a run is shown in the browser while it is played.

use clap::Args;

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct OpenArgs {
    /// Show it in the browser while it is played, and afterwards until Ctrl-C
    #[arg(long)]
    pub(crate) open: bool,
    /// The same on this address, without opening a browser; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) serve: Option<String>,
}

impl OpenArgs {
    /// Where the pages are: any free port, unless somebody names one.
    pub(crate) fn listen(&self) -> String {
        self.serve.clone().unwrap_or_else(|| "127.0.0.1:0".to_owned())
    }

    /// Whether anything is shown at all.
    pub(crate) fn is_wanted(&self) -> bool {
        self.open || self.serve.is_some()
    }
}
