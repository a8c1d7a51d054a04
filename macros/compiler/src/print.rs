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

/// Returns the lines of a row. The lines after the first keep their indentation relative to each other.
fn lines(text: &str) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let later_lines = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let common_indent = later_lines.map(indent).min().unwrap_or_default();
    let unindent = |(at, line)| {
        if at == 0 { line } else { str::get(line, common_indent..).unwrap_or_default() }
    };
    text.lines().enumerate().map(unindent).map(|line| format!(" {}", line.trim_end())).collect()
}

/// Returns the part of displayed code that is generated for a state, mode or algorithm; `None` if there is none.
pub fn part(displayed: &str, name: &str) -> Option<String> {
    let name = name.replace('-', "_");
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut part_lines = Vec::new();
    let mut lines = displayed.lines();
    while let Some(line) = lines.next() {
        // Earlier blocks reach the block of a state by a `break` out of the Rust block labeled `'s_…`, so the state's
        // code follows the end of that labeled block.
        if line.trim_start() == format!("}} // 's_{name}") {
            let is_inside = |next: &&str| {
                !next.trim_start().starts_with("} // 's_") && indent(next) >= indent(line)
            };
            part_lines.extend(lines.clone().take_while(is_inside));
        } else if function_name(line).is_some_and(|function| is_function_of(function, &name)) {
            part_lines.push(line);
            let is_end = |next: &str| indent(next) <= indent(line) && next.ends_with('}');
            if !is_end(line) {
                part_lines.extend(lines.clone().take_while(|next| !is_end(next)));
                part_lines.extend(lines.find(|next| is_end(next)));
            }
        }
    }
    (!part_lines.is_empty()).then(|| part_lines.join("\n") + "\n")
}

/// Returns the name of the function whose definition begins on the line, if one does.
fn function_name(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("fn ")?;
    let is_start = before.split_whitespace().all(|word| word.starts_with("pub"));
    rest.split(['<', '(']).next().filter(|_| is_start)
}

/// Whether the function called `function` is generated for the mode or algorithm called `name`.
fn is_function_of(function: &str, name: &str) -> bool {
    let is_number = |part: &str| part.chars().all(|one| one.is_ascii_digit());
    let function = match function.rsplit_once('_') {
        Some((before, last)) if is_number(last) => before,
        _ => function,
    };
    let kind = function.strip_suffix(name).and_then(|kind| kind.strip_suffix('_'));
    kind.is_some_and(|kind| {
        ["mode", "else", "row", "steps", "algorithm"].contains(&kind) || kind.ends_with("_mode")
    })
}

/// Replaces the marks in printed code with comments and blocks.
pub fn uncover(printed: &str) -> String {
    let mut code = String::new();
    let mut documentation = Vec::new();
    for line in printed.lines() {
        let trimmed = line.trim_start();
        let indent = &line[..line.len() - trimmed.len()];
        if trimmed.starts_with("///") {
            documentation.push(line);
            continue;
        }
        let comment = if trimmed == ROW { "//" } else { "///" };
        for line in documentation.drain(..) {
            code.push_str(&line.replacen("///", comment, 1));
            code.push('\n');
        }
        let label = |[before, after]: [&str; 2]| {
            trimmed.strip_prefix(before).and_then(|rest| rest.strip_suffix(after))
        };
        match (label(OPEN), label(CLOSE)) {
            _ if trimmed == ROW => continue,
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
    fn selects_part_of_name() {
        let code = [
            "    } // 's_a_b",
            "    } // 's_a",
            "    loop {",
            "        x();",
            "    }",
            "    } // 's_b",
            "    y();",
            "}",
            "fn row_in_a_2(",
            "    x: u8,",
            ") {",
            "    z();",
            "}",
            "fn else_in_b_a() {}",
            "fn mode_a() {}",
        ]
        .join("\n");
        let assert_part = |name: &str, lines: &[&str]| {
            assert_eq!(part(&code, name), Some(lines.join("\n") + "\n"), "part of `{name}`");
        };
        assert_part("a", &["    loop {", "        x();", "    }", "fn mode_a() {}"]);
        assert_part("b", &["    y();"]);
        assert_part("in-a", &["fn row_in_a_2(", "    x: u8,", ") {", "    z();", "}"]);
        assert_eq!(part(&code, "c"), None);
    }

    #[test]
    fn unindents_lines_together() {
        assert_eq!(
            lines("'a' => when b {\n            c;\n        }"),
            [" 'a' => when b {", "     c;", " }"]
        );
    }
}
