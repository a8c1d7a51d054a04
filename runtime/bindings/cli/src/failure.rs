//! The reasons for ending with an error status. Errors in the markup are not failures.

use std::fmt;
use std::io;

/// The reason for ending with an error status.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Invalid arguments: the message, and the command line that prints the help.
    Usage(String, &'static str),
    /// Invalid arguments: the message, which includes any hint at the help.
    Arguments(String),
    /// An unreadable file: its quoted name or "standard input", and the error.
    Input(String, io::Error),
    /// A folder given instead of a file.
    Folder(String),
    /// Unreadable files or folders, which were reported: their number, and the number of all files.
    Unreadable(usize, usize),
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
    pub(crate) fn usage(message: impl Into<String>, help: &'static str) -> Self {
        Self::Usage(message.into(), help)
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
            Self::Usage(..)
            | Self::Arguments(_)
            | Self::Input(..)
            | Self::Folder(_)
            | Self::Unreadable(..)
            | Self::Output(_) => 2,
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
        Self::Arguments(text.strip_prefix("error: ").unwrap_or(&text).trim_end().to_owned())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message, help) => write!(formatter, "{message}\nsee `{help}`"),
            Self::Arguments(message) => formatter.write_str(message),
            Self::Input(name, error) => write!(formatter, "cannot read {name}: {error}"),
            Self::Folder(name) => write!(
                formatter,
                "`{name}` is a folder; `tabulex parse {name}` parses all files in it"
            ),
            Self::Unreadable(unreadable, all) => {
                write!(formatter, "unreadable files: {unreadable} of {all}")
            }
            Self::Limited => write!(formatter, "a limit was reached"),
            Self::Refused => write!(formatter, "a check failed"),
            Self::Output(error) => write!(formatter, "cannot write the output: {error}"),
        }
    }
}
