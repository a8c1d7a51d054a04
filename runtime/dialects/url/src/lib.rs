//! The URL parser of the URL Standard. Everything but the entry points and the mapping of domains is generated from the
//! table `url.states`.

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to `tabulex_core` as `::tabulex`.
extern crate tabulex_core as tabulex;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use std::borrow::Cow;
use std::fmt;
use tabulex_core::__private::byte_set;
use tabulex_core::__private::edits::lowercase;
use tabulex_core::record::{self, Fields, Given};
use tabulex_core::{Machine as _, Named as _, TokenForm};

// The published archive has this module as a file with the expanded code, so that users need not compile the macro.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/url.states");
}

pub use machine::*;

/// The machine that the table declares as `url`; in this module, [`Url`] is the result of a parse.
pub type Machine = machine::Url;

/// A parsed URL.
///
/// ```
/// let url = tabulex::url::parse("HTTPS://user@EXAMPLE.com:443/a/../b?q#f").url.unwrap();
/// assert_eq!(url.href(), "https://user@example.com/b?q#f");
/// assert_eq!((url.protocol(), url.username(), url.port()), ("https:", "user", ""));
/// assert_eq!((url.pathname(), url.search(), url.hash()), ("/b", "?q", "#f"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// The fields of the URL record, from which relative URLs are resolved, followed by those of the serialization.
    fields: Fields<FIELD_COUNT>,
}

/// The form of the URL token, whose fields are the first ones of a record.
const URL: &TokenForm = TokenForm::find(Machine::TOKENS, "url");

/// The form of the serialization token, whose fields follow.
const SERIALIZATION: &TokenForm = TokenForm::find(Machine::TOKENS, "serialization");

/// The number of fields of a record.
const FIELD_COUNT: usize = URL.fields.len() + SERIALIZATION.fields.len();

/// Returns the index in [`Url::fields`] of a field of the URL.
const fn of_url(field: &str) -> usize {
    URL.field_index(field)
}

/// Returns the index in [`Url::fields`] of a field of the serialization.
const fn of_serialization(field: &str) -> usize {
    URL.fields.len() + SERIALIZATION.field_index(field)
}

macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident = $text:expr;)*) => {
        impl Url {
            $($(#[$doc])* pub fn $name(&self) -> &str {
                let text: fn(&Self) -> &str = $text;
                text(self)
            })*
        }

        /// The names of the parts, and the functions that return them.
        #[cfg(feature = "value")]
        const PARTS: &[(&str, fn(&Url) -> &str)] = &[$((stringify!($name), Url::$name)),*];
    };
}

parts! {
    /// Returns the serialized URL.
    href = |url| url.field(const { of_serialization("href") });
    /// Returns the scheme with a colon.
    protocol = |url| &url.href()[..=url.scheme().len()];
    /// Returns the user name; empty if there is none.
    username = |url| url.field(const { of_url("username") });
    /// Returns the password; empty if there is none.
    password = |url| url.field(const { of_url("password") });
    /// Returns the host and, if there is a port, a colon and the port; empty if there is no host.
    host = |url| url.field(const { of_serialization("host") });
    /// Returns the host without the port; empty if there is no host.
    hostname = |url| url.field(const { of_url("host") });
    /// Returns the port; empty if it is missing or is the default port of the scheme.
    port = |url| url.field(const { of_url("port") });
    /// Returns the path.
    pathname = |url| {
        // The fields from the path to the query are the forms of a path, of which a URL has one.
        let mut forms = const { of_url("path") }..const { of_url("query") };
        forms.find_map(|index| url.fields.get(index)).unwrap_or_default()
    };
    /// Returns a question mark and the query; empty if the query is empty or missing.
    search = |url| url.field(const { of_serialization("search") });
    /// Returns a number sign and the fragment; empty if the fragment is empty or missing.
    hash = |url| url.field(const { of_serialization("hash") });
}

impl Url {
    /// Parses a URL that may be relative to `base`, without collecting errors, which is faster than [`parse`](parse()) and
    /// [`join`](Self::join). Returns `None` if the input is not a URL.
    ///
    /// ```
    /// use tabulex::url::Url;
    ///
    /// let base = Url::parse("https://example.com/a/b?c", None).unwrap();
    /// assert_eq!(Url::parse("../d", Some(&base)).unwrap().href(), "https://example.com/d");
    /// assert_eq!(Url::parse("../d", None), None);
    /// ```
    pub fn parse(input: &str, base: Option<&Self>) -> Option<Self> {
        parse_relative(input, base, None, None)
    }

    /// Returns the text of the field at `index`; empty if it is missing.
    fn field(&self, index: usize) -> &str {
        self.fields.get(index).unwrap_or_default()
    }

    /// Returns the scheme without a colon.
    pub fn scheme(&self) -> &str {
        self.field(const { of_url("scheme") })
    }

    /// Returns the serialized origin, which is the text `null` if the origin is opaque.
    pub fn origin(&self) -> String {
        let given =
            Given { tokens: &[(URL, self.fields.as_given())], state: State::find("origin") };
        let origin = record::read::<Machine, 1>("", given, convert, None).fields;
        let blob_origin = || {
            let url = Url::parse(self.pathname(), None).filter(|_| self.scheme() == "blob")?;
            ["http", "https"].contains(&url.scheme()).then(|| url.origin())
        };
        let origin = origin.as_ref().and_then(|origin| origin.get(0)).map(str::to_owned);
        origin.or_else(blob_origin).unwrap_or_else(|| "null".to_owned())
    }

    /// Sets a part as the setter of the class `URL` does: `protocol`, `username`, `password`, `host`, `hostname`, `port`,
    /// `pathname`, `search` or `hash`. Returns the errors of the value. A value that the part cannot have, or the name of
    /// another part, leaves the URL as it is.
    ///
    /// ```
    /// let mut url = tabulex::url::parse("https://example.com/a?b#c").url.unwrap();
    /// url.set("host", "example.org:8080");
    /// url.set("pathname", "x/../y z");
    /// url.set("search", "");
    /// assert_eq!(url.href(), "https://example.org:8080/y%20z#c");
    /// ```
    pub fn set(&mut self, part: &str, value: &str) -> Vec<tabulex_core::ParseError> {
        let find = |form: &str| State::find(&format!("{part}-{form}"));
        let (input, state) = match find("setter") {
            Some(setter) => (value, Some(setter)),
            None => ("", find("assignment")),
        };
        if state.is_none() {
            return Vec::new();
        }
        let value = Fields::from([Some(value)]);
        let given_form = const { TokenForm::find(Machine::TOKENS, "given") };
        let tokens = &[(URL, self.fields.as_given()), (given_form, value.as_given())];
        let given = Given { tokens, state };
        let mut errors = Vec::new();
        if let Some(url) = parse_given(input, given, None, Some(&mut errors)) {
            *self = url;
        }
        errors
    }

    /// Parses a URL that may be relative to this one.
    ///
    /// ```
    /// let base = tabulex::url::parse("https://example.com/a/b?c").url.unwrap();
    /// assert_eq!(base.join("../d").url.unwrap().href(), "https://example.com/d");
    /// ```
    pub fn join(&self, input: &str) -> Parsed {
        parse_with(input, Some(self), None)
    }
}

impl fmt::Display for Url {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.href())
    }
}

/// The result of parsing a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parsed {
    /// The URL, or `None` if the input is not a URL.
    pub url: Option<Url>,
    /// The validation errors in input order.
    pub errors: Vec<tabulex_core::ParseError>,
}

/// Parses an absolute URL.
///
/// ```
/// let parsed = tabulex::url::parse("https://example.com:99999");
/// assert_eq!((parsed.url, parsed.errors[0].code), (None, "port-out-of-range"));
/// ```
pub fn parse(input: &str) -> Parsed {
    parse_with(input, None, None)
}

/// Parses a URL that may be relative to `base`. If `base` is not a URL, the result has no URL and no errors.
pub fn parse_with_base(input: &str, base: &str) -> Parsed {
    match Url::parse(base, None) {
        Some(base) => base.join(input),
        None => Parsed { url: None, errors: Vec::new() },
    }
}

fn parse_with(input: &str, base: Option<&Url>, chunk_len: Option<usize>) -> Parsed {
    let mut errors = Vec::new();
    let url = parse_relative(input, base, chunk_len, Some(&mut errors));
    Parsed { url, errors }
}

fn parse_relative(
    input: &str,
    base: Option<&Url>,
    chunk_len: Option<usize>,
    errors: Option<&mut Vec<tabulex_core::ParseError>>,
) -> Option<Url> {
    let base_form = const { TokenForm::find(Machine::TOKENS, "base") };
    let base = base.map(|base| (base_form, base.fields.as_given()));
    parse_given(input, Given { tokens: base.as_slice(), state: None }, chunk_len, errors)
}

fn parse_given(
    input: &str,
    initial_values: Given<'_, State>,
    chunk_len: Option<usize>,
    errors: Option<&mut Vec<tabulex_core::ParseError>>,
) -> Option<Url> {
    let mut url = None;
    let Url { fields } = url.insert(Url { fields: Fields::default() });
    let is_accepted = record::read_into::<Machine, FIELD_COUNT>(
        input,
        initial_values,
        convert,
        chunk_len,
        fields,
        errors,
    );
    if !is_accepted {
        url = None;
    }
    url
}

/// Applies the function that the table calls `function` to a domain; returns `None` if that fails.
fn convert<'t>(function: &str, domain: &'t str) -> Option<Cow<'t, str>> {
    let (deny_list, hyphens, dns_length) = match function {
        "to-ascii" => (AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore),
        // Most domains are in ASCII, for which this test is faster than the conversion.
        "to-ascii-strictly" => match is_strictly_valid(domain) {
            Some(true) => return Some(lowercase(domain)),
            Some(false) => return None,
            None => (AsciiDenyList::STD3, Hyphens::Check, DnsLength::Verify),
        },
        _ => return None,
    };
    Uts46::new().to_ascii(domain.as_bytes(), deny_list, hyphens, dns_length).ok()
}

/// Whether the strict conversion of a domain in ASCII succeeds, so that it converts the domain to lower case; `None` for a
/// domain with other characters or with labels in Punycode.
fn is_strictly_valid(domain: &str) -> Option<bool> {
    const PLAIN: [bool; 256] = byte_set(&[(b'a', b'z'), (b'A', b'Z'), (b'0', b'9'), (b'-', b'-')]);
    let mut is_valid = domain.len() <= 253;
    for label in domain.as_bytes().split(|&byte| byte == b'.') {
        let is_plain = label.iter().all(|&byte| PLAIN[usize::from(byte)]);
        if !is_plain && !label.is_ascii()
            || label
                .first_chunk()
                .is_some_and(|first: &[u8; 4]| first.eq_ignore_ascii_case(b"xn--"))
        {
            return None;
        }
        is_valid &= is_plain
            && (1..64).contains(&label.len())
            && !label.starts_with(b"-")
            && !label.ends_with(b"-")
            && label.get(2..4) != Some(b"--");
    }
    Some(is_valid)
}

/// The dialect as a value, for programs that choose a dialect at run time.
#[cfg(feature = "value")]
pub static RECORD_DIALECT: record::RecordDialect = record::RecordDialect { id: "url", read };

#[cfg(feature = "value")]
fn read(input: &str, base: Option<&str>, chunk_len: Option<usize>) -> record::Record {
    let base = base.map(|base| Url::parse(base, None));
    if base == Some(None) {
        return record::Record::new(None, Vec::new());
    }
    let Parsed { url, errors } = parse_with(input, base.flatten().as_ref(), chunk_len);
    let fields =
        url.map(|url| PARTS.iter().map(|(name, part)| (*name, part(&url).to_owned())).collect());
    record::Record::new(fields, errors)
}
