//! Formatting of generated code for display: rows become comments above their code, and nested blocks are not indented.
//! Token streams have neither comments nor line breaks, so constants mark the places, and are replaced after printing.
//! Code that the macro generates has no such marks and is otherwise identical.

use proc_macro2::TokenStream;
use quote::quote;

/// The line that ends a row comment in printed code.
const ROW: &str = "const ROW: () = ();";
/// The prefix and suffix of a line that opens a block.
const OPEN: [&str; 2] = ["const OPEN: &str = \"", "\";"];
/// The prefix and suffix of a line that closes a block.
const CLOSE: [&str; 2] = ["const CLOSE: &str = \"", "\";"];

/// Returns the mark above the code of a row.
pub(crate) fn row(text: &str) -> TokenStream {
    let lines = lines(text);
    quote! { #(#[doc = #lines])* const ROW: () = (); }
}

/// Returns code between the marks that open and close a labelled block.
pub(crate) fn block(label: &TokenStream, code: &TokenStream) -> TokenStream {
    let label = label.to_string();
    quote! { const OPEN: &str = #label; #code const CLOSE: &str = #label; }
}

/// Returns the lines of a row, preserving their relative indentation after the first.
fn lines(text: &str) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let rest = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let common = rest.map(indent).min().unwrap_or_default();
    let cut =
        |(at, line)| if at == 0 { line } else { str::get(line, common..).unwrap_or_default() };
    text.lines().enumerate().map(cut).map(|line| format!(" {}", line.trim_end())).collect()
}

/// Replaces the marks in printed code with comments and blocks.
pub fn uncover(printed: &str) -> String {
    let mut code = String::new();
    let mut documentation = Vec::new();
    for line in printed.lines() {
        let start = line.trim_start();
        let indent = &line[..line.len() - start.len()];
        if start.starts_with("///") {
            documentation.push(line);
            continue;
        }
        let comment = if start == ROW { "//" } else { "///" };
        for line in documentation.drain(..) {
            code.push_str(&line.replacen("///", comment, 1));
            code.push('\n');
        }
        let label = |[before, after]: [&str; 2]| {
            start.strip_prefix(before).and_then(|rest| rest.strip_suffix(after))
        };
        match (label(OPEN), label(CLOSE)) {
            _ if start == ROW => continue,
            (Some(label), _) => code.extend([indent, label, ": {"]),
            (_, Some(label)) => code.extend([indent, "} // ", label]),
            (None, None) => code.push_str(line),
        }
        code.push('\n');
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_only_marks() {
        let printed = [
            "/// A type.",
            "enum A {}",
            "{",
            "    /// 'a' => x;",
            "    ///  y;",
            "    const ROW: () = ();",
            "    const OPEN: &str = \"'s_a\";",
            "    x();",
            "    const CLOSE: &str = \"'s_a\";",
            "}",
            "",
        ];
        let uncovered = [
            "/// A type.",
            "enum A {}",
            "{",
            "    // 'a' => x;",
            "    //  y;",
            "    's_a: {",
            "    x();",
            "    } // 's_a",
            "}",
            "",
        ];
        assert_eq!(uncover(&printed.join("\n")), uncovered.join("\n"));
    }

    #[test]
    fn unindents_lines_together() {
        assert_eq!(
            lines("'a' => when b {\n            c;\n        }"),
            [" 'a' => when b {", "     c;", " }"]
        );
    }
}
