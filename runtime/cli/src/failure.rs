//! Why the program ends before its work is done. Mistakes of the markup are not among the reasons. Invariant: every
//! failure but a broken pipe says in one line what is wrong and what would be right.

use std::fmt;
use std::io;

/// The reason of an early end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Arguments that mean nothing, and the command whose help says what would.
    Usage(String, &'static str),
    /// Arguments that mean nothing, with all that is to be said of them.
    Arguments(String),
    /// A file that cannot be read.
    Input(String, io::Error),
    /// A folder where a file is wanted.
    Folder(String),
    /// Files or folders among many that cannot be read; what is wrong was reported for each.
    Unread(usize, usize),
    /// Limits were reached, each of which was reported; what there is was written.
    Limited,
    /// What was to be found well is not; what is wrong was reported.
    #[cfg_attr(not(feature = "table"), expect(dead_code, reason = "only tables are refused"))]
    Refused,
    /// The output cannot be written.
    Output(io::Error),
}

impl Failure {
    /// Arguments that mean nothing; `help` is the command whose help says what would.
    pub(crate) fn usage(message: impl Into<String>, help: &'static str) -> Self {
        Self::Usage(message.into(), help)
    }

    /// Fails if limits were reached.
    pub(crate) fn if_limited(is_limited: bool) -> Result<(), Self> {
        if is_limited { Err(Self::Limited) } else { Ok(()) }
    }

    /// The status of the program.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Self::Limited => 3,
            Self::Refused => 1,
            Self::Usage(..)
            | Self::Arguments(_)
            | Self::Input(..)
            | Self::Folder(_)
            | Self::Unread(..)
            | Self::Output(_) => 2,
        }
    }

    /// Whether the reader of the output has gone away, which is no failure.
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
            Self::Usage(message, help) => write!(formatter, "{message}\n`{help}` says more"),
            Self::Arguments(message) => formatter.write_str(message),
            Self::Input(name, error) => write!(formatter, "cannot read {name}: {error}"),
            Self::Folder(name) => write!(
                formatter,
                "{name} is a folder, and this command reads one file; `tabulex parse {name}` reads all files in a folder"
            ),
            Self::Unread(unread, all) => write!(formatter, "cannot read {unread} of {all} files"),
            Self::Limited => write!(formatter, "limits were reached"),
            Self::Refused => write!(formatter, "not all is well"),
            Self::Output(error) => write!(formatter, "cannot write: {error}"),
        }
    }
}
