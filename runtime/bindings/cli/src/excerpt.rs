//! Excerpts of the input: the line of an error with carets below its range. Width and cost are bounded, regardless of
//! the length of the line and the input.

use crate::visible::picture;
use tabulex::Span;
use unicode_width::UnicodeWidthChar as _;

/// Maximum number of columns of the source line, not counting the mark of a cut end.
const MAX_WIDTH: usize = 76;
/// Maximum number of columns before the range, not counting the mark of a cut start.
const MAX_BEFORE: usize = 48;
/// The mark where a long line is cut.
const ELLIPSIS: char = '\u{2026}';
/// The replacement of a tab, at any column.
const TAB_REPLACEMENT: &str = "    ";

/// An excerpt of two lines: part of the source, and carets below it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// The source around the range.
    pub(crate) source: String,
    /// Number of columns before the range.
    pub(crate) indent: usize,
    /// Number of columns of the visible range; 1 for an empty one.
    pub(crate) carets: usize,
}

/// Returns the excerpt of a range, or of its first line if the range has several.
pub(crate) fn excerpt(text: &str, span: Span) -> Excerpt {
    let start = text.floor_char_boundary(span.start);
    let line_before = text[..start].chars().rev().take_while(|&character| !is_newline(character));
    let (before, is_start_cut) = prefix_within(line_before, MAX_BEFORE);
    let mut source = String::new();
    if is_start_cut {
        source.push(ELLIPSIS);
    }
    before.iter().rev().for_each(|&character| push_printable(character, &mut source));
    let indent = before.iter().map(|&character| columns(character)).sum::<usize>()
        + usize::from(is_start_cut);
    let line_after = text[start..].chars().take_while(|&character| !is_newline(character));
    let (after, is_end_cut) = prefix_within(line_after, MAX_WIDTH - indent);
    after.iter().for_each(|&character| push_printable(character, &mut source));
    if is_end_cut {
        source.push(ELLIPSIS);
    }
    let mut offset = start;
    let range_characters = after.iter().take_while(|character| {
        let is_inside = offset < span.end;
        offset += character.len_utf8();
        is_inside
    });
    let carets = range_characters.map(|&character| columns(character)).sum::<usize>().max(1);
    Excerpt { source, indent, carets }
}

/// Returns the longest prefix within `limit` columns, and whether more characters follow. The number of zero-width
/// characters is also bounded.
fn prefix_within(characters: impl Iterator<Item = char>, limit: usize) -> (Vec<char>, bool) {
    let (mut prefix, mut width) = (Vec::new(), 0);
    for character in characters {
        width += columns(character);
        if width > limit || prefix.len() >= 2 * limit {
            return (prefix, true);
        }
        prefix.push(character);
    }
    (prefix, false)
}

fn is_newline(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

/// Appends a character in printable form: a tab as spaces, control characters and direction marks replaced.
fn push_printable(character: char, out: &mut String) {
    match character {
        '\t' => out.push_str(TAB_REPLACEMENT),
        other => out.push(picture(other)),
    }
}

fn columns(character: char) -> usize {
    match character {
        '\t' => TAB_REPLACEMENT.len(),
        other => picture(other).width().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats the excerpt of the range between two `|` in the text.
    fn marked_excerpt(marked: &str) -> String {
        let start = marked.find('|').expect("a range begins with `|`");
        let end = marked.rfind('|').expect("a range ends with `|`") - 1;
        let Excerpt { source, indent, carets } =
            excerpt(&marked.replace('|', ""), Span::new(start, end));
        format!("{source}\n{}{}", " ".repeat(indent), "^".repeat(carets))
    }

    #[test]
    fn puts_carets_below_the_range() {
        for (marked, expected) in [
            ("a\nbc|de|f\ng", "bcdef\n  ^^"),
            ("||", "\n^"),
            ("a||", "a\n ^"),
            ("a\r\n|b|\r\n", "b\n^"),
            ("a|\n|b", "a\n ^"),
            ("x|y\nz|", "xy\n ^"),
            ("\ta|\t|b", "    a    b\n     ^^^^"),
            ("\u{65E5}\u{672C}|\u{8A9E}|.", "\u{65E5}\u{672C}\u{8A9E}.\n    ^^"),
            ("e\u{301}|x|", "e\u{301}x\n ^"),
            ("\u{1F600}|<|", "\u{1F600}<\n  ^"),
            ("\x1B[1m|\0|\u{202E}x", "\u{241B}[1m\u{2400}\u{FFFD}x\n    ^"),
        ] {
            assert_eq!(marked_excerpt(marked), expected, "{marked:?}");
        }
    }

    #[test]
    fn cuts_long_lines_around_the_range() {
        let dots = ".".repeat(1000);
        for (marked, is_cut) in [
            (format!("{dots}|x|{dots}"), (true, true)),
            (format!("{dots}|x|"), (true, false)),
            (format!("|x|{dots}"), (false, true)),
            (format!("|{dots}|"), (false, true)),
            (format!("{}|x|", "\u{65E5}".repeat(500)), (true, false)),
            (format!("e{}|x|y", "\u{301}".repeat(5000)), (true, false)),
        ] {
            let excerpt = marked_excerpt(&marked);
            let (source, carets) = excerpt.split_once('\n').expect("an excerpt has two lines");
            let columns = |text: &str| text.chars().map(columns).sum::<usize>();
            assert!(columns(source) <= MAX_WIDTH + 1 && carets.len() <= MAX_WIDTH, "{excerpt}");
            assert_eq!(
                (source.starts_with(ELLIPSIS), source.ends_with(ELLIPSIS)),
                is_cut,
                "{excerpt}"
            );
            // The first character in the range must be above the first caret.
            let indent = carets.find('^').expect("the second line has a caret");
            let mut column = 0;
            let above_caret = source.chars().find(|&character| {
                column += super::columns(character);
                column > indent
            });
            let first_in_range = marked.split('|').nth(1).and_then(|range| range.chars().next());
            assert_eq!(above_caret, first_in_range, "{excerpt}");
        }
    }
}
