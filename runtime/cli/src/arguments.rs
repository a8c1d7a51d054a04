//! Arguments that commands on files share: the files, the dialect, the encoding, errors, help. What else a command takes
//! is its own business. Invariant: what no command knows is refused, and the refusal says where help is.

use crate::failure::Failure;
use crate::input::Input;
use crate::request::{HostFlags, find_dialect, host_flags};
use lexopt::{Arg, ValueExt as _};
use std::ffi::OsString;
use tabulex::Dialect;
use tabulex::encoding::Encoding;

/// The shared arguments.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    files: Vec<OsString>,
    dialect: Option<String>,
    /// Whether errors are wanted.
    pub(crate) errors: bool,
    encoding: Option<Encoding>,
    flags: Vec<String>,
}

/// What a command does with its own options: it takes the value from the parser, and says whether it knows the option.
pub(crate) type Own<'a> = dyn FnMut(&str, &mut lexopt::Parser) -> Result<bool, Failure> + 'a;

impl Shared {
    /// Reads all arguments; none, if help is wanted. `own` is asked about options by name that are not shared; `help` is
    /// the command that helps.
    pub(crate) fn read(
        mut parser: lexopt::Parser,
        help: &'static str,
        own: &mut Own<'_>,
    ) -> Result<Option<Self>, Failure> {
        let mut shared = Self::default();
        while let Some(arg) = parser.next().map_err(|error| Failure::from(error).hint(help))? {
            let name = match arg {
                Arg::Long("help") | Arg::Short('h') => return Ok(None),
                Arg::Value(file) => {
                    shared.files.push(file);
                    continue;
                }
                Arg::Long(name) => name.to_owned(),
                short @ Arg::Short(_) => return Err(Failure::from(short.unexpected()).hint(help)),
            };
            shared.option(&name, &mut parser, own).map_err(|failure| failure.hint(help))?;
        }
        Ok(Some(shared))
    }

    fn option(
        &mut self,
        name: &str,
        parser: &mut lexopt::Parser,
        own: &mut Own<'_>,
    ) -> Result<(), Failure> {
        match name {
            "dialect" => self.dialect = Some(value(parser)?),
            "errors" => self.errors = true,
            "flag" => self.flags.push(value(parser)?),
            "encoding" => {
                let encoding = Encoding::for_label(&value(parser)?);
                self.encoding = Some(encoding.map_err(|error| usage(error.to_string()))?);
            }
            other if own(other, parser)? => {}
            other => return Err(Arg::Long(other).unexpected().into()),
        }
        Ok(())
    }

    /// The dialect.
    pub(crate) fn dialect(&self, help: &'static str) -> Result<&'static Dialect, Failure> {
        find_dialect(self.dialect.as_deref()).map_err(|message| Failure::usage(message, help))
    }

    /// The flags of the host that are set in the dialect.
    pub(crate) fn flags(
        &self,
        dialect: &Dialect,
        help: &'static str,
    ) -> Result<HostFlags, Failure> {
        host_flags(dialect, &self.flags).map_err(|message| Failure::usage(message, help))
    }

    /// The files.
    pub(crate) fn files(&self) -> &[OsString] {
        &self.files
    }

    /// Opens the file, if there are not several; `help` is the command that helps.
    pub(crate) fn input(&self, help: &'static str) -> Result<Input, Failure> {
        match &self.files[..] {
            [_, second, ..] => {
                let message = format!("a second file: {:?}", second.to_string_lossy());
                Err(Failure::usage(message, help))
            }
            files => Input::open(files.first().map(OsString::as_os_str)),
        }
    }

    /// The encoding that is asked for.
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }
}

/// The value of an option.
pub(crate) fn value(parser: &mut lexopt::Parser) -> Result<String, Failure> {
    Ok(parser.value()?.string()?)
}

/// The value of an option that is a number.
pub(crate) fn number(parser: &mut lexopt::Parser) -> Result<usize, Failure> {
    Ok(parser.value()?.parse()?)
}

/// What is wrong about the value of an option.
pub(crate) fn usage(message: impl Into<String>) -> Failure {
    Failure::usage(message, "tabulex --help")
}
