//! How a command can fail: exit code 2 for a wrong call, 130 if it was stopped, 1 for everything else.

use std::io;

use quintain_core::{Field, FieldError};

#[derive(Debug)]
pub(crate) enum Failure {
    /// The call was wrong: says what was expected and what was found.
    Usage(String),
    /// The same about one thing that was wished, which whoever took the wish names.
    Field {
        field: Field,
        wrong: String,
    },
    Failed(anyhow::Error),
    /// What went wrong has been said already.
    Told,
    /// Somebody stopped the command, and what to do about it has been said.
    Interrupted,
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::Usage(message.into())
    }

    pub(crate) fn field(error: FieldError) -> Self {
        let wrong = error.wrong();
        Failure::Field { field: error.field, wrong }
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
