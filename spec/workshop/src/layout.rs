//! The canonical layout of tables: indentation, spaces, blank lines, and the columns in which rows have their arrows. Where
//! a line ends within a declaration or a row is its writer's choice. It changes no word, no order and no comment.
//! Invariant: the tokens of the result are those of the text, and the layout of the result is the result.
//!
//! ```
//! let text = "machine! { name a;start data;\nstate data {\n'<'=>emit '<' ;\nEOF  => emit end-of-file; else=>ignore;}}";
//! assert_eq!(
//!     tabulex_workshop::layout::laid_out(text).unwrap(),
//!     "machine! {\n    name a;\n    start data;\n    state data {\n        '<'  => emit '<';\n        EOF  => emit end-of-file;\n        else => ignore;\n    }\n}\n",
//! );
//! ```

mod printer;
pub(crate) mod token;

use printer::Printer;

/// The text of a table file in its canonical layout; `None` if it is no table. Of a Rust file the tables in it are laid out,
/// and the rest is as it was, also the mark of its encoding with which some editors begin a file. Lines end as the first one
/// does: with CR LF, or with LF.
pub fn laid_out(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix('\u{FEFF}') {
        return laid_out(rest).map(|laid| format!("\u{FEFF}{laid}"));
    }
    let first = text.lines().next().map_or(0, str::len);
    match text[first..].starts_with("\r\n") {
        true => laid_out_lines(&text.replace("\r\n", "\n")).map(|laid| laid.replace('\n', "\r\n")),
        false => laid_out_lines(text),
    }
}

/// The layout of a text whose lines end with LF.
fn laid_out_lines(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    let mut found = false;
    while let Some(table) = token::find_machine(rest) {
        let column = rest[..table.start].rsplit('\n').next().unwrap_or_default().chars().count();
        let own = &rest[table.clone()];
        tabulex_language::parse::file(own).0?;
        // What is before the first table of a table file is comments, which belong to its layout.
        let is_whole = out.is_empty()
            && token::tokens(&rest[..table.start]).iter().all(|it| it.is_comment())
            && token::tokens(&rest[table.end..]).iter().all(|it| it.is_comment());
        if is_whole {
            return Some(Printer::new(token::tokens(rest), 0).table() + "\n");
        }
        out += &rest[..table.start];
        out += &Printer::new(token::tokens(own), column).table();
        rest = &rest[table.end..];
        found = true;
    }
    found.then(|| out + rest)
}
