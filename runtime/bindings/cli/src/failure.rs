//! The reasons for ending with an error status. Errors in the markup are not failures.

use std::fmt;
use std::io;

/// The reason for ending with an error status.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The message about invalid arguments or unreadable files.
    Message(String),
    /// Limits were reached, each of which was reported; the output is written.
    Limited,
    /// A check failed; the problems were reported.
    #[cfg_attr(
        not(feature = "table"),
        expect(dead_code, reason = "only the command `table` constructs this variant")
    )]
    Refused,
    /// The output cannot be written.
    Output(io::Error),
}

impl Failure {
    /// Creates a failure for invalid arguments; `help` is the command line that prints the help.
    pub(crate) fn usage(message: impl fmt::Display, help: &str) -> Self {
        Self::Message(format!("{message}\nsee `{help}`"))
    }

    /// Creates a failure for an unreadable file, given by its quoted name or as "standard input".
    pub(crate) fn unreadable(name: &str, error: &io::Error) -> Self {
        Self::Message(format!("cannot read {name}: {error}"))
    }

    /// Returns an error if limits were reached.
    pub(crate) fn if_limited(is_limited: bool) -> Result<(), Self> {
        if is_limited { Err(Self::Limited) } else { Ok(()) }
    }

    /// Returns the exit status.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Self::Limited => 3,
            Self::Refused => 1,
            Self::Message(_) | Self::Output(_) => 2,
        }
    }

    /// Whether the reader of the output has closed it, which is not an error.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        let text = error.render().to_string();
        Self::Message(text.strip_prefix("error: ").unwrap_or(&text).trim_end().to_owned())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(message) => formatter.write_str(message),
            Self::Limited => formatter.write_str("a limit was reached"),
            Self::Refused => formatter.write_str("a check failed"),
            Self::Output(error) => write!(formatter, "cannot write the output: {error}"),
        }
    }
}
