//! URLs read by the compiled parser and by the interpreter, in a common form.

use crate::interpreted::table;
use crate::records::interpreted_with_rows;
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use std::borrow::Cow;
use tabulex::record::Record;
use tabulex_language::model::RowId;

/// Reads a URL with the compiled parser, fed in chunks of `chunk` bytes if that is given.
///
/// # Panics
/// If the dialect is absent.
pub fn read(input: &str, base: Option<&str>, chunk: Option<usize>) -> Record {
    let dialects = tabulex::record_dialects().iter();
    let dialect = dialects.copied().find(|dialect| dialect.id == "url");
    let dialect = dialect.unwrap();
    (dialect.read)(input, base, chunk)
}

/// Converts a domain to ASCII as a host function named by the table does, or returns `None` if the domain is invalid.
pub fn convert<'t>(function: &str, domain: &'t str) -> Option<Cow<'t, str>> {
    let (denied, hyphens, length) = match function {
        "to-ascii" => (AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore),
        _ => (AsciiDenyList::STD3, Hyphens::Check, DnsLength::Verify),
    };
    Uts46::new().to_ascii(domain.as_bytes(), denied, hyphens, length).ok()
}

/// The texts of all fields, or `None` if the input is refused; and the codes and ranges of the errors.
pub type FieldsAndErrors = (Option<Vec<String>>, Vec<(String, usize, usize)>);

/// Returns the texts and errors of a record.
pub fn fields_and_errors(record: &Record) -> FieldsAndErrors {
    let fields = record.fields.as_ref();
    let texts = fields.map(|all| all.iter().map(|(_, text)| text.clone()).collect());
    let errors = record.errors.iter();
    (texts, errors.map(|error| (error.code.to_owned(), error.span.start, error.span.end)).collect())
}

/// The number of fields of a URL and of its serialization.
pub const FIELD_COUNT: usize = 13;

/// Reads a URL with the interpreter.
pub fn interpret(input: &str, base: Option<&str>) -> FieldsAndErrors {
    interpret_with_rows(input, base, &mut |_| ())
}

/// Like [`interpret`], and reports each row taken.
pub fn interpret_with_rows(
    input: &str,
    base: Option<&str>,
    on_row: &mut dyn FnMut(RowId),
) -> FieldsAndErrors {
    let mut interpreted = |input: &str, given: &[_]| {
        interpreted_with_rows::<FIELD_COUNT>(table("url"), input, given, None, convert, on_row)
    };
    let base = base.map(|base| interpreted(base, &[]));
    let base = base.as_ref().map(|base| base.fields.as_ref());
    if base == Some(None) {
        return (None, Vec::new());
    }
    let base = base.flatten().map(|url| ("base", url.iter().collect()));
    let outcome = interpreted(input, base.as_slice());
    let texts = outcome.fields.map(|fields| {
        let text = |index| fields.get(index).unwrap_or_default().to_owned();
        let (protocol, path) = (text(0) + ":", text(5) + &text(6));
        let [user, password, host, port] = [1, 2, 3, 4].map(text);
        let [href, host_and_port, search, hash] = [9, 10, 11, 12].map(text);
        vec![href, protocol, user, password, host_and_port, host, port, path, search, hash]
    });
    (texts, outcome.errors)
}
