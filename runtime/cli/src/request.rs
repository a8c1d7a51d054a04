//! What a command is asked for, and the tokenizer or parser of a dialect that does it. It names no dialect: the library
//! lists them. Invariant: the first dialect of the list is the default one.

use crate::near::{did_you_mean, plain};
use tabulex::encoding::Hints;
use tabulex::tree::DocumentMode;
use tabulex::{AnyParser, AnyTokenizer, Dialect, FragmentContext, Limits, Options, dialects};

/// The dialect of this id, the default one without.
pub(crate) fn find_dialect(id: Option<&str>) -> Result<&'static Dialect, String> {
    let Some(id) = id else {
        return dialects().first().copied().ok_or_else(|| "this program has no dialect".to_owned());
    };
    dialects().iter().copied().find(|dialect| dialect.id() == id).ok_or_else(|| {
        let known: Vec<_> = dialects().iter().map(|dialect| dialect.id()).collect();
        let (near, ids) = (did_you_mean(id, &known), ids(|_| true));
        format!("unknown dialect {id:?}{near}; there are: {ids}")
    })
}

/// The ids of the dialects that are wanted, in one line.
fn ids(is_wanted: impl Fn(&Dialect) -> bool) -> String {
    let wanted = dialects().iter().filter(|dialect| is_wanted(dialect));
    wanted.map(|dialect| dialect.id()).collect::<Vec<_>>().join(", ")
}

/// Flags of the host that are set, and the indices of their values.
pub(crate) type HostFlags = Vec<(&'static str, u8)>;

/// The flags that `NAME=VALUE` sets in the dialect.
pub(crate) fn host_flags(dialect: &Dialect, settings: &[String]) -> Result<HostFlags, String> {
    let mut flags = HostFlags::new();
    for setting in settings {
        let (wanted, value) = setting
            .split_once('=')
            .ok_or_else(|| format!("a flag is set as NAME=VALUE, not as {setting:?}"))?;
        let names = dialect.flag_names();
        let named = |name: &&&str| **name == wanted && !dialect.flag_values(name).is_empty();
        let Some(name) = names.iter().find(named) else {
            let names = names.iter().filter(|name| !dialect.flag_values(name).is_empty());
            let names: Vec<&str> = names.copied().collect();
            let (id, names) = (dialect.id(), names.join(", "));
            let has = if names.is_empty() { "none".to_owned() } else { names };
            return Err(format!("the dialect {id} has no flag {wanted:?}; it has: {has}"));
        };
        let values = dialect.flag_values(name);
        let index = values.iter().position(|known| *known == value);
        let index = index.and_then(|index| u8::try_from(index).ok()).ok_or_else(|| {
            format!("the flag {wanted:?} has no value {value:?}; it has: {}", values.join(", "))
        })?;
        flags.push((*name, index));
    }
    Ok(flags)
}

/// The limits with one more that is written as `NAME=N`, or `NAME=none`.
pub(crate) fn written_limit(limits: Limits, written: &str) -> Result<Limits, String> {
    let wrong = || format!("a limit is NAME=N or NAME=none, not {written:?}");
    let (name, value) = written.split_once('=').ok_or_else(wrong)?;
    let value = if value == "none" { Ok(u64::MAX) } else { value.parse() };
    limit(limits, name, value.map_err(|_| wrong())?)
}

/// The limits with the one of this name set.
pub(crate) fn limit(limits: Limits, name: &str, value: u64) -> Result<Limits, String> {
    limits.set(name, value).ok_or_else(|| {
        let (near, names) = (did_you_mean(name, Limits::NAMES), Limits::NAMES.join(", "));
        format!("no limit is named {name:?}{near}; there are: {names}")
    })
}

/// The limits that say something of tokens without a tree.
const LIMITS_OF_TOKENS: [&str; 4] = ["attributes", "token", "errors", "replacement"];

/// Refuses limits of these names that would do nothing where there is no tree.
pub(crate) fn limits_of_tokens<'a>(mut names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    names.find(|name| !LIMITS_OF_TOKENS.contains(name)).map_or(Ok(()), |name| {
        let known = LIMITS_OF_TOKENS.join(", ");
        Err(format!("the limit {name:?} is one of trees; those of tokens are: {known}"))
    })
}

/// Where and how a tokenizer begins.
#[derive(Debug, Default)]
pub(crate) struct TokenizerStart {
    /// The state by the document's name or the table's, or the value of a flag such as "RCDATA"; unless the start state.
    pub(crate) state: Option<String>,
    /// The name of the last start tag, as for a fragment.
    pub(crate) last_start_tag: Option<String>,
    /// Whether a byte order mark at the beginning is a character.
    pub(crate) keeps_mark: bool,
    /// How long tokens may be, and how many attributes tags may have.
    pub(crate) limits: Limits,
}

impl TokenizerStart {
    /// A tokenizer of the dialect that begins so.
    pub(crate) fn tokenizer(&self, dialect: &Dialect) -> Result<Box<dyn AnyTokenizer>, String> {
        let mut tokenizer = dialect.tokenizer();
        tokenizer.set_limits(&self.limits);
        if self.keeps_mark {
            tokenizer.keep_byte_order_mark();
        }
        if let Some(name) = &self.state {
            let found = dialect.entry(name).or_else(|| dialect.entry(&plain(name)));
            let entry = found.ok_or_else(|| {
                let (id, near) = (dialect.id(), did_you_mean(name, &dialect.entry_names()));
                format!("the dialect {id} has no state {name:?}{near}; `tabulex tokens --dialect {id} --states` lists them")
            })?;
            tokenizer.enter(entry);
        }
        if let Some(name) = &self.last_start_tag {
            tokenizer.set_last_start_tag(name);
        }
        Ok(tokenizer)
    }
}

/// The names of the modes of documents, the default one first.
pub(crate) const DOCUMENT_MODES: [&str; 3] = ["no-quirks", "limited-quirks", "quirks"];

/// An attribute that is written `NAME=VALUE`.
pub(crate) fn attribute(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(format!("an attribute of the context is NAME=VALUE, not {text:?}")),
    }
}

/// What a parser is to do.
#[derive(Debug, Default)]
pub(crate) struct ParseRequest {
    /// Whether errors are wanted.
    pub(crate) errors: bool,
    /// Whether scripting is enabled.
    pub(crate) scripting: bool,
    /// The context element of a fragment.
    pub(crate) fragment: Option<String>,
    /// The attributes of the context element.
    pub(crate) context_attributes: Vec<(String, String)>,
    /// The mode of its document, one of `DOCUMENT_MODES`.
    pub(crate) document_mode: Option<String>,
    /// Whether the document is that of an `iframe` with `srcdoc`.
    pub(crate) srcdoc: bool,
    /// Whether templates can be shadow roots.
    pub(crate) shadow_roots: bool,
    /// How much may be held and made of the input.
    pub(crate) limits: Limits,
    /// Flags of the host, which only some dialects have.
    pub(crate) flags: HostFlags,
    /// What is known of the encoding of bytes.
    pub(crate) hints: Hints,
}

impl ParseRequest {
    /// A parser of the dialect that does what is requested.
    pub(crate) fn parser(&self, dialect: &Dialect) -> Result<Box<dyn AnyParser>, String> {
        let id = dialect.id();
        if dialect.serializer().is_none() && dialect.elements().is_some() && self.is_of_html() {
            return Err(format!(
                "fragments, scripting, srcdoc and shadow roots belong to HTML, not to {id}"
            ));
        }
        let options = self.options();
        let parser = match &self.fragment {
            None => dialect.parser(&options),
            Some(name) => dialect.fragment_parser(&self.context(name)?, &options),
        };
        parser.ok_or_else(|| {
            let ids = ids(|dialect| dialect.elements().is_some());
            format!(
                "the dialect {id} has no tree construction; `tokens` prints what its tokenizer makes; trees have: {ids}"
            )
        })
    }

    /// The context element of this name.
    fn context(&self, name: &str) -> Result<FragmentContext, String> {
        let local =
            name.strip_prefix("svg ").or_else(|| name.strip_prefix("math ")).unwrap_or(name);
        let is_name = local.starts_with(|first: char| first.is_ascii_alphabetic())
            && !local.contains(|it: char| it.is_whitespace() || ":/<>='\"".contains(it));
        if !is_name {
            return Err(format!(
                "the context {name:?} is no element's name; of SVG or MathML it is \"svg NAME\" or \"math NAME\""
            ));
        }
        let mut context = FragmentContext::from(name);
        for (name, value) in &self.context_attributes {
            context = context.attribute(name, value);
        }
        Ok(match self.document_mode.as_deref() {
            None => context,
            Some("quirks") => context.document_mode(DocumentMode::Quirks),
            Some("limited-quirks") => context.document_mode(DocumentMode::LimitedQuirks),
            Some("no-quirks") => context.document_mode(DocumentMode::NoQuirks),
            Some(other) => {
                let modes = DOCUMENT_MODES.join(", ");
                return Err(format!("unknown document mode {other:?}; there are: {modes}"));
            }
        })
    }

    /// Whether something is requested that only HTML knows.
    fn is_of_html(&self) -> bool {
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
