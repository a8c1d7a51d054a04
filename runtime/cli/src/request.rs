//! What a command is asked for, and the tokenizer or parser of a dialect that does it. It names no dialect: the library
//! lists them. Invariant: the first dialect of the list is the default one.

use tabulex::encoding::Hints;
use tabulex::{AnyParser, AnyTokenizer, Dialect, FragmentContext, Options, dialects};

/// The dialect of this id, the default one without.
pub(crate) fn find_dialect(id: Option<&str>) -> Result<&'static Dialect, String> {
    let Some(id) = id else {
        return dialects().first().copied().ok_or_else(|| "this program has no dialect".to_owned());
    };
    dialects().iter().copied().find(|dialect| dialect.id() == id).ok_or_else(|| {
        let ids = ids(|_| true);
        format!("unknown dialect {id:?}; there are: {ids}")
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

/// Where and how a tokenizer begins.
#[derive(Debug, Default)]
pub(crate) struct TokenizerStart {
    /// The state by the document's name or the table's, or the value of a flag such as "RCDATA"; unless the start state.
    pub(crate) state: Option<String>,
    /// The name of the last start tag, as for a fragment.
    pub(crate) last_start_tag: Option<String>,
    /// Whether a byte order mark at the beginning is a character: what was decoded has lost its own one.
    pub(crate) keeps_mark: bool,
}

impl TokenizerStart {
    /// A tokenizer of the dialect that begins so.
    pub(crate) fn tokenizer(&self, dialect: &Dialect) -> Result<Box<dyn AnyTokenizer>, String> {
        let mut tokenizer = dialect.tokenizer();
        if self.keeps_mark {
            tokenizer.keep_byte_order_mark();
        }
        if let Some(name) = &self.state {
            let entry = dialect.entry(name).ok_or_else(|| {
                let (id, names) = (dialect.id(), dialect.entry_names().join(", "));
                format!("the dialect {id} has no state {name:?}; it has: {names}")
            })?;
            tokenizer.enter(entry);
        }
        if let Some(name) = &self.last_start_tag {
            tokenizer.set_last_start_tag(name);
        }
        Ok(tokenizer)
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
    /// Whether the document is that of an `iframe` with `srcdoc`.
    pub(crate) srcdoc: bool,
    /// Whether templates can be shadow roots.
    pub(crate) shadow_roots: bool,
    /// How deep elements may be nested, unless as deep as the library allows.
    pub(crate) depth_limit: Option<usize>,
    /// How many bytes the tree may take.
    pub(crate) memory_limit: Option<usize>,
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
            Some(context) => {
                dialect.fragment_parser(&FragmentContext::from(&context[..]), &options)
            }
        };
        parser.ok_or_else(|| {
            let ids = ids(|dialect| dialect.elements().is_some());
            format!(
                "the dialect {id} has no tree construction; `tokens` prints what its tokenizer makes; trees have: {ids}"
            )
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
        if let Some(limit) = self.depth_limit {
            options = options.depth_limit(limit);
        }
        if let Some(limit) = self.memory_limit {
            options = options.memory_limit(limit);
        }
        options
    }
}
