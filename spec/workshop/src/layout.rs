//! The canonical layout of tables: indentation, spaces, blank lines, and the columns of arrows. Line breaks within a
//! declaration or a row are kept. Formatting changes no word, order or comment, and is idempotent.
//!
//! ```
//! let text = "machine! { name a;start data;\nstate data {\n'<'=>emit '<' ;\nEOF  => emit end-of-file; else=>ignore;}}";
//! assert_eq!(
//!     tabulex_workshop::layout::format_table(text).unwrap(),
//!     "machine! {\n    name a;\n    start data;\n    state data {\n        '<'  => emit '<';\n        EOF  => emit end-of-file;\n        else => ignore;\n    }\n}\n",
//! );
//! ```

mod printer;

use printer::Printer;
use std::ops::Range;
use tabulex_language::parse::lexer::{closing, tokens};

/// Formats the tables in the text of a table file or Rust file; `None` if there is none, or one has a syntax error that
/// prevents parsing. A byte order mark is kept. If the first line ends with CR LF, all lines of the result do.
pub fn format_table(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix('\u{FEFF}') {
        return format_table(rest).map(|formatted| format!("\u{FEFF}{formatted}"));
    }
    let first_line_len = text.lines().next().map_or(0, str::len);
    match text[first_line_len..].starts_with("\r\n") {
        true => format_lines(&text.replace("\r\n", "\n"))
            .map(|formatted| formatted.replace('\n', "\r\n")),
        false => format_lines(text),
    }
}

/// Formats the tables in a text whose line ends are all LF; see [`format_table`].
fn format_lines(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    let mut has_table = false;
    while let Some(table) = find_machine(rest) {
        let column = rest[..table.start].rsplit('\n').next().unwrap_or_default().chars().count();
        let table_text = &rest[table.clone()];
        tabulex_language::parse::file(table_text).0?;
        // If only comments surround the table, the text is that of a table file, and the comments are formatted too.
        let is_table_file = out.is_empty()
            && tokens(&rest[..table.start]).iter().all(|it| it.is_comment())
            && tokens(&rest[table.end..]).iter().all(|it| it.is_comment());
        if is_table_file {
            return Some(Printer::new(tokens(rest), 0).table() + "\n");
        }
        out += &rest[..table.start];
        out += &Printer::new(tokens(table_text), column).table();
        rest = &rest[table.end..];
        has_table = true;
    }
    has_table.then(|| out + rest)
}

/// Returns the byte range of the first `machine! { … }` in a text.
fn find_machine(text: &str) -> Option<Range<usize>> {
    let tokens = tokens(text);
    let is_call = |index: &usize| {
        let next = |by: usize| tokens.get(index + by);
        tokens[*index].is("machine")
            && next(1).is_some_and(|it| it.is("!"))
            && next(2).is_some_and(|it| it.is("{"))
    };
    let first = (0..tokens.len()).find(is_call)?;
    let last = closing(&tokens, first + 2)?;
    Some(tokens[first].start..tokens[last].start + 1)
}
