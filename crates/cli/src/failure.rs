//! How a command can fail: exit code 2 for a wrong call, 1 for everything else.

use std::io;

#[derive(Debug)]
pub(crate) enum Failure {
    /// The call was wrong: says what was expected and what was found.
    Usage(String),
    Failed(anyhow::Error),
    /// What went wrong has been said already.
    Told,
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::Usage(message.into())
    }

    /// Whether whoever reads our output has gone, as `head` does: no reason to complain.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        let Failure::Failed(error) = self else {
            return false;
        };
        let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
        error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(broken))
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Failed(error.into())
    }
}
