//! Requests of commands, and the tokenizers and parsers for them. The first dialect that the library lists is the
//! default.

use crate::near::{did_you_mean, normalize};
use tabulex::encoding::Hints;
use tabulex::record::RecordDialect;
use tabulex::{
    AnyParser, AnyTokenizer, Dialect, FragmentContext, Limits, Options, dialects, record_dialects,
};

/// Returns the dialect with this id, or the default one.
pub(crate) fn find_dialect(id: Option<&str>) -> Result<&'static Dialect, String> {
    let Some(id) = id else {
        return dialects()
            .first()
            .copied()
            .ok_or_else(|| "this program was built without dialects".to_owned());
    };
    dialects().iter().copied().find(|dialect| dialect.id() == id).ok_or_else(|| {
        let known: Vec<_> = dialects().iter().map(|dialect| dialect.id()).collect();
        let (suggestion, ids) = (did_you_mean(id, &known), ids(|_| true));
        format!("unknown dialect `{id}`, expected one of {ids}{suggestion}")
    })
}

pub(crate) fn find_record_dialect(id: &str) -> Option<&'static RecordDialect> {
    record_dialects().iter().copied().find(|dialect| dialect.id == id)
}

/// Returns the ids of the dialects for which `predicate` holds, separated by commas.
fn ids(predicate: impl Fn(&Dialect) -> bool) -> String {
    let matching_dialects = dialects().iter().filter(|dialect| predicate(dialect));
    matching_dialects.map(|dialect| dialect.id()).collect::<Vec<_>>().join(", ")
}

/// Flags of the host, each with the index of its value.
pub(crate) type HostFlags = Vec<(&'static str, u8)>;

/// Splits a setting written as `NAME=VALUE`.
pub(crate) fn split_setting(setting: &str) -> Result<(String, String), String> {
    match setting.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(format!("expected NAME=VALUE, found `{setting}`")),
    }
}

/// Resolves flags, given by name and value, in the dialect.
pub(crate) fn host_flags(
    dialect: &Dialect,
    settings: &[(String, String)],
) -> Result<HostFlags, String> {
    let mut flags = HostFlags::new();
    for (flag_name, value) in settings {
        let names = dialect.flag_names();
        let has_name = |name: &&&str| **name == *flag_name && !dialect.flag_values(name).is_empty();
        let Some(name) = names.iter().find(has_name) else {
            let names = names.iter().filter(|name| !dialect.flag_values(name).is_empty());
            let names: Vec<&str> = names.copied().collect();
            let (id, names) = (dialect.id(), names.join(", "));
            return Err(match names.is_empty() {
                true => format!("the dialect `{id}` has no flags"),
                false => {
                    format!(
                        "unknown flag `{flag_name}` in the dialect `{id}`, expected one of {names}"
                    )
                }
            });
        };
        let values = dialect.flag_values(name);
        let index = values.iter().position(|known| known == value);
        let index = index.and_then(|index| u8::try_from(index).ok()).ok_or_else(|| {
            format!(
                "unknown value `{value}` of the flag `{flag_name}`, expected one of {}",
                values.join(", ")
            )
        })?;
        flags.push((*name, index));
    }
    Ok(flags)
}

/// Adds a limit written as `NAME=N` or `NAME=none`.
pub(crate) fn parse_limit(limits: Limits, setting: &str) -> Result<Limits, String> {
    let message = || format!("expected NAME=N or NAME=none, found `{setting}`");
    let (name, value) = setting.split_once('=').ok_or_else(message)?;
    let value = if value == "none" { Ok(u64::MAX) } else { value.parse() };
    set_limit(limits, name, value.map_err(|_| message())?)
}

/// Sets the limit called `name`.
pub(crate) fn set_limit(limits: Limits, name: &str, value: u64) -> Result<Limits, String> {
    limits.set(name, value).ok_or_else(|| {
        let (suggestion, names) = (did_you_mean(name, Limits::NAMES), Limits::NAMES.join(", "));
        format!("unknown limit `{name}`, expected one of {names}{suggestion}")
    })
}

/// The limits that apply to tokens without a tree.
const TOKEN_LIMITS: [&str; 4] = ["attributes", "token", "errors", "replacement"];

/// Rejects limits that have no effect without a tree.
pub(crate) fn check_token_limits<'a>(
    mut names: impl Iterator<Item = &'a str>,
) -> Result<(), String> {
    names.find(|name| !TOKEN_LIMITS.contains(name)).map_or(Ok(()), |name| {
        let known = TOKEN_LIMITS.join(", ");
        Err(format!("the limit `{name}` does not apply to tokens, expected one of {known}"))
    })
}

/// The initial state of a tokenizer.
#[derive(Debug, Default)]
pub(crate) struct TokenizerStart {
    /// The initial state by the document's or the table's name, or the value of a flag such as "RCDATA"; the start
    /// state if `None`.
    pub(crate) state: Option<String>,
    /// The name of the last start tag, as for a fragment.
    pub(crate) last_start_tag: Option<String>,
    /// Whether to keep a byte order mark at the start as a character.
    pub(crate) keeps_bom: bool,
    /// The limits on tokens.
    pub(crate) limits: Limits,
}

impl TokenizerStart {
    /// Creates a tokenizer of the dialect in this state.
    pub(crate) fn tokenizer(&self, dialect: &Dialect) -> Result<Box<dyn AnyTokenizer>, String> {
        let mut tokenizer = dialect.tokenizer();
        tokenizer.set_limits(&self.limits);
        if self.keeps_bom {
            tokenizer.keep_byte_order_mark();
        }
        if let Some(name) = &self.state {
            let entry = dialect.entry(name).or_else(|| dialect.entry(&normalize(name)));
            let entry = entry.ok_or_else(|| {
                let (id, suggestion) = (dialect.id(), did_you_mean(name, &dialect.entry_names()));
                format!(
                    "unknown state `{name}` in the dialect `{id}`; \
                     `tabulex tokens --dialect {id} --states` lists the states{suggestion}"
                )
            })?;
            tokenizer.enter(entry);
        }
        if let Some(name) = &self.last_start_tag {
            tokenizer.set_last_start_tag(name);
        }
        Ok(tokenizer)
    }
}

/// A request to parse.
#[derive(Debug, Default)]
pub(crate) struct ParseRequest {
    /// Whether to collect errors.
    pub(crate) errors: bool,
    /// Whether scripting is enabled.
    pub(crate) scripting: bool,
    /// The context element of a fragment.
    pub(crate) fragment: Option<String>,
    /// Whether the document is an `iframe`'s `srcdoc` document.
    pub(crate) srcdoc: bool,
    /// Whether declarative shadow roots are enabled.
    pub(crate) shadow_roots: bool,
    pub(crate) limits: Limits,
    /// Flags of the host, which only some dialects have.
    pub(crate) flags: HostFlags,
    /// The options for detecting the encoding.
    pub(crate) hints: Hints,
}

impl ParseRequest {
    /// Creates a parser of the dialect for the request.
    pub(crate) fn parser(&self, dialect: &Dialect) -> Result<Box<dyn AnyParser>, String> {
        let id = dialect.id();
        if dialect.serializer().is_none() && dialect.elements().is_some() && self.requires_html() {
            return Err(format!(
                "fragments, scripting, srcdoc and shadow roots belong to HTML, not to `{id}`"
            ));
        }
        let options = self.options();
        let parser = match &self.fragment {
            None => dialect.parser(&options),
            Some(name) => dialect.fragment_parser(&fragment_context(name)?, &options),
        };
        parser.ok_or_else(|| {
            let ids = ids(|dialect| dialect.elements().is_some());
            format!("the dialect `{id}` builds no trees; read its tokens, or use one of {ids}")
        })
    }

    /// Whether the request uses an option that only HTML has.
    fn requires_html(&self) -> bool {
        self.scripting || self.fragment.is_some() || self.srcdoc || self.shadow_roots
    }

    fn options(&self) -> Options {
        let mut options = Options::new()
            .errors(self.errors)
            .scripting(self.scripting)
            .iframe_srcdoc(self.srcdoc)
            .declarative_shadow_roots(self.shadow_roots)
            .encoding(self.hints.clone());
        for &(name, value) in &self.flags {
            options = options.host_flag(name, value);
        }
        options.limits(self.limits)
    }
}

/// Returns the context element called `name`.
fn fragment_context(name: &str) -> Result<FragmentContext, String> {
    let local_name =
        name.strip_prefix("svg ").or_else(|| name.strip_prefix("math ")).unwrap_or(name);
    let is_name = local_name.starts_with(|first: char| first.is_ascii_alphabetic())
        && !local_name.contains(|other: char| other.is_whitespace() || ":/<>='\"".contains(other));
    is_name.then(|| FragmentContext::from(name)).ok_or_else(|| {
        format!(
            "the context `{name}` is not the name of an element; for SVG or MathML, write `svg NAME` or `math NAME`"
        )
    })
}
