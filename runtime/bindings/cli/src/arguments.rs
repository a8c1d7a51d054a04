//! Arguments that several commands have: files, dialect, encodings, errors, colours.

use crate::colours::Colours;
use crate::failure::Failure;
use crate::input::Input;
use crate::request::{
    HostFlags, find_dialect, find_record_dialect, host_flags, parse_limit, split_setting,
};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::ffi::OsString;
use std::fmt::Display;
use tabulex::encoding::{Encoding, Hints};
use tabulex::record::RecordDialect;
use tabulex::{Dialect, Limits, dialects, record_dialects};

/// Creates an option without a value.
pub(crate) fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
}

/// Creates an option with a value.
pub(crate) fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

/// Creates the option `--format` with the given values, the first of which is the default.
pub(crate) fn format(names: &'static [&'static str], help: &'static str) -> Arg {
    option("format", "FORMAT", help)
        .value_parser(PossibleValuesParser::new(names))
        .default_value(names[0])
}

/// Creates the switch `--errors`.
pub(crate) fn errors() -> Arg {
    switch("errors", "also print errors, in order of position")
}

/// Adds the shared arguments of commands on files.
pub(crate) fn add_shared_arguments(command: Command) -> Command {
    let record_ids = record_dialects().iter().map(|dialect| dialect.id);
    let ids = dialects().iter().map(|dialect| dialect.id()).chain(record_ids);
    let id_parser = PossibleValuesParser::new(ids);
    let dialect =
        option("dialect", "D", "the dialect, html by default; `tabulex --help` lists them");
    let files = Arg::new("files")
        .value_name("FILE")
        .help("the input; `-` or no argument for standard input");
    let colours = option("color", "WHEN", "colours; NO_COLOR also disables them");
    command
        .arg(files.num_args(0..).value_parser(value_parser!(OsString)))
        .arg(dialect.value_parser(id_parser).hide_possible_values(true))
        .arg(option(
            "encoding",
            "LABEL",
            "the encoding, overridden only by a byte order mark; an unknown label is ignored",
        ))
        .arg(option(
            "default-encoding",
            "LABEL",
            "the fallback encoding of input that declares none and is not UTF-8",
        ))
        .arg(switch(
            "no-autodetect",
            "use the fallback encoding even for input that is valid UTF-8",
        ))
        .arg(switch("strict-encoding", "treat an unknown label as an error (status 2)"))
        .arg(
            option(
                "flag",
                "NAME=VALUE",
                "a flag of the host, such as parsing-context=module in sky; may be repeated",
            )
            .action(ArgAction::Append),
        )
        .arg(
            option("limit", "NAME=N", "a limit, for example on memory or depth; may be repeated")
                .action(ArgAction::Append),
        )
        .arg(colours.value_parser(["auto", "always", "never"]).default_value("auto"))
}

/// The arguments that all commands on files have.
#[derive(Debug)]
pub(crate) struct SharedArguments {
    /// The command line that prints the command's help.
    help_command: &'static str,
    pub(crate) files: Vec<OsString>,
    dialect: Option<String>,
    /// The options for detecting the encoding.
    pub(crate) hints: Hints,
    flags: Vec<(String, String)>,
    pub(crate) limits: Limits,
    /// Whether to print errors.
    pub(crate) errors: bool,
    /// The names of the limits that were given.
    pub(crate) given_limits: Vec<String>,
    /// The colouring of standard output.
    pub(crate) colours: Colours,
}

impl SharedArguments {
    /// Reads the shared arguments of a command; `help_command` is the command line that prints its help.
    pub(crate) fn read(matches: &ArgMatches, help_command: &'static str) -> Result<Self, Failure> {
        let strict = matches.get_flag("strict-encoding");
        let read_encoding = |name| match text(matches, name) {
            None => Ok(None),
            Some(label) => find_encoding(&label, strict)
                .map_err(|message| Failure::usage(format!("`--{name}`: {message}"), help_command)),
        };
        let mut hints = Hints::new().autodetect(!matches.get_flag("no-autodetect"));
        hints.fallback = read_encoding("default-encoding")?;
        hints.override_with = read_encoding("encoding")?;
        let settings = texts(matches, "limit");
        let given_limits =
            settings.iter().filter_map(|setting| Some(setting.split_once('=')?.0.to_owned()));
        let usage = |message| Failure::usage(message, help_command);
        let limits = settings.iter().try_fold(Limits::new(), |limits, setting| {
            parse_limit(limits, setting).map_err(|message| usage(format!("`--limit`: {message}")))
        })?;
        let files: Vec<OsString> =
            matches.get_many("files").into_iter().flatten().cloned().collect();
        if files.iter().filter(|file| *file == "-").count() > 1 {
            return Err(Failure::usage("`-` is given more than once", help_command));
        }
        let flags = texts(matches, "flag");
        let flags: Result<_, _> = flags.iter().map(|flag| split_setting(flag)).collect();
        Ok(Self {
            help_command,
            files,
            dialect: text(matches, "dialect"),
            hints,
            flags: flags.map_err(|message| usage(format!("`--flag`: {message}")))?,
            limits,
            given_limits: given_limits.collect(),
            errors: matches!(matches.try_get_one("errors"), Ok(Some(true))),
            colours: Colours::from_option(&text(matches, "color").unwrap_or_default()),
        })
    }

    /// Creates a failure for invalid arguments.
    pub(crate) fn usage(&self, message: impl Display) -> Failure {
        Failure::usage(message, self.help_command)
    }

    pub(crate) fn dialect(&self) -> Result<&'static Dialect, Failure> {
        find_dialect(self.dialect.as_deref()).map_err(|message| self.usage(message))
    }

    /// Returns the dialect of records that `--dialect` names, if it names one.
    pub(crate) fn record_dialect(&self) -> Option<&'static RecordDialect> {
        self.dialect.as_deref().and_then(find_record_dialect)
    }

    /// Returns the flags of the host that were given, resolved in the dialect.
    pub(crate) fn flags(&self, dialect: &Dialect) -> Result<HostFlags, Failure> {
        host_flags(dialect, &self.flags).map_err(|message| self.usage(message))
    }

    /// Opens the file that the arguments name, or standard input. More than one file is an error.
    pub(crate) fn input(&self) -> Result<Input, Failure> {
        match &self.files[..] {
            [_, second, ..] => Err(self.usage(format!(
                "unexpected second file `{}`, as this command reads one",
                second.to_string_lossy()
            ))),
            files => Input::open(files.first().map(OsString::as_os_str)),
        }
    }
}

/// Returns the encoding of a label. An unknown label is an error if `strict`; otherwise it is ignored, as in the
/// encoding sniffing algorithm, and reported on standard error.
fn find_encoding(label: &str, strict: bool) -> Result<Option<Encoding>, String> {
    match Encoding::for_label(label) {
        Ok(encoding) => Ok(Some(encoding)),
        Err(error) if strict => Err(error.to_string()),
        Err(error) => {
            crate::report(&format!("{error}; the label is ignored"));
            Ok(None)
        }
    }
}

/// Returns the value of a text option; `None` if it was not given.
pub(crate) fn text(matches: &ArgMatches, name: &str) -> Option<String> {
    matches.get_one::<String>(name).cloned()
}

/// Returns the values of an option that may be repeated.
fn texts(matches: &ArgMatches, name: &str) -> Vec<String> {
    matches.get_many(name).into_iter().flatten().cloned().collect()
}
