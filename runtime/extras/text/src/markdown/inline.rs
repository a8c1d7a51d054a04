//! Inline Markdown: the text of a paragraph, heading or table cell, with marks around parts of it.
//!
//! A CommonMark reader gets back exactly the text and the marks that were put in: everything that looks like markup is
//! escaped, and delimiters that would be misread are separated.

use std::rc::Rc;

/// Formatting of a part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Emphasis,
    Strong,
    Struck,
    /// A subscript or superscript, by the name of its element.
    Script(Rc<str>),
    /// A link, with its target.
    Link(Rc<str>),
}

/// A piece of a line of Markdown: text, an image, a break, or the start or end of a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// The contents of a code span.
    Code(String),
    /// An image: alternative text and target.
    Image(String, String),
    /// The checkbox of a task, and whether it is checked.
    Checkbox(bool),
    Break,
    Open(Mark),
    Close(Mark),
}

/// The kind of block that contains a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineContext {
    Paragraph,
    Heading,
    Cell,
}

/// An empty comment between two delimiters that would be read as one, or between a delimiter and a letter.
const SEPARATOR: &str = "<!-- -->";

/// Formats pieces as one line, or several where they contain breaks. Marks must be properly nested.
pub(super) fn format_line(pieces: &[Piece], context: LineContext) -> String {
    let pieces = tidy_pieces(pieces);
    let delimiters = delimiters(&pieces);
    let next_characters = next_characters(&pieces, &delimiters);
    let mut line = Line { out: String::new(), context, just_closed: false };
    for (index, piece) in pieces.iter().enumerate() {
        let (delimiter, next) = (delimiters[index], next_characters[index]);
        match piece {
            Piece::Text(text) => line.write_text(text, index + 1 < pieces.len()),
            Piece::Code(text) => line.write_code(text),
            Piece::Image(words, target) => line.write_image(words, target),
            Piece::Checkbox(is_checked) => {
                line.out.push_str(if *is_checked { "[x]" } else { "[ ]" })
            }
            Piece::Break => line.write_break(),
            Piece::Open(Mark::Link(_)) => line.out.push('['),
            Piece::Close(Mark::Link(target)) => line.out.extend(["](", target, ")"]),
            Piece::Open(Mark::Script(name)) => line.out.extend(["<", name, ">"]),
            Piece::Close(Mark::Script(name)) => line.out.extend(["</", name, ">"]),
            Piece::Open(_) => line.write_opening(delimiter, next),
            Piece::Close(_) => line.write_closing(delimiter, next),
        }
        line.just_closed = matches!(piece, Piece::Close(_)) && !delimiter.is_empty();
    }
    line.out
}

/// Returns, for each piece, the first character written after it that differs from the character of its delimiter, as
/// adjacent delimiters of one character are read as a single run.
fn next_characters(pieces: &[Piece], delimiters: &[&'static str]) -> Vec<Option<char>> {
    let mut following = None;
    let mut after_runs = ['*', '_', '~'].map(|delimiter| (delimiter, None));
    let mut next_characters = Vec::with_capacity(pieces.len());
    for (piece, delimiter) in pieces.iter().zip(delimiters).rev() {
        let after_run = after_runs.iter().find(|(character, _)| delimiter.starts_with(*character));
        next_characters.push(after_run.map_or(following, |(_, next)| *next));
        let Some(character) = first_character(piece, delimiter) else { continue };
        following = Some(character);
        for (delimiter, next) in &mut after_runs {
            if *delimiter != character {
                *next = Some(character);
            }
        }
    }
    next_characters.reverse();
    next_characters
}

/// Returns the first character that a piece with this delimiter writes, if any.
fn first_character(piece: &Piece, delimiter: &str) -> Option<char> {
    match piece {
        // The characters of delimiters are escaped in text.
        Piece::Text(text) => match text.chars().next() {
            Some('*' | '_' | '~') => Some('\\'),
            other => other,
        },
        Piece::Code(_) => Some('`'),
        Piece::Image(..) | Piece::Checkbox(_) | Piece::Open(Mark::Link(_)) => Some('['),
        Piece::Close(Mark::Link(_)) => Some(']'),
        Piece::Open(Mark::Script(_)) | Piece::Close(Mark::Script(_)) => Some('<'),
        Piece::Break => Some(' '),
        Piece::Open(_) | Piece::Close(_) => delimiter.chars().next(),
    }
}

/// Returns the delimiter of each piece, or `""`. Nested marks alternate between `*` and `_`, so that two delimiters
/// never form one run.
fn delimiters(pieces: &[Piece]) -> Vec<&'static str> {
    let mut open_delimiters: Vec<&'static str> = Vec::new();
    let delimiter_of = |piece: &Piece| match piece {
        Piece::Open(mark) => {
            let is_in_asterisks = open_delimiters.iter().any(|it| it.starts_with('*'));
            let delimiter = match mark {
                Mark::Emphasis if is_in_asterisks => "_",
                Mark::Emphasis => "*",
                Mark::Strong if is_in_asterisks => "__",
                Mark::Strong => "**",
                Mark::Struck => "~~",
                Mark::Script(_) | Mark::Link(_) => "",
            };
            open_delimiters.push(delimiter);
            delimiter
        }
        Piece::Close(_) => open_delimiters.pop().unwrap_or_default(),
        Piece::Text(_) | Piece::Code(_) | Piece::Image(..) | Piece::Checkbox(_) | Piece::Break => {
            ""
        }
    };
    pieces.iter().map(delimiter_of).collect()
}

/// Removes empty marks and breaks at the ends, and moves white space at the edges of marks outside of them.
fn tidy_pieces(pieces: &[Piece]) -> Vec<Piece> {
    let mut tidy: Vec<Piece> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Close(mark) => close(&mut tidy, mark),
            Piece::Text(text) => {
                let text: &str =
                    if is_after_space(&tidy) { text.trim_start_matches(' ') } else { text };
                push_text(&mut tidy, text);
            }
            Piece::Break => {
                // A break goes before the marks that have just been opened, because no white space may follow an
                // opening delimiter.
                let just_opened = tidy.split_off(tidy.len() - count_just_opened(&tidy));
                trim_end(&mut tidy);
                if tidy.iter().any(|piece| !matches!(piece, Piece::Open(_))) {
                    tidy.push(Piece::Break);
                }
                tidy.extend(just_opened);
            }
            Piece::Code(text) => match tidy.last_mut() {
                // Two adjacent code spans would be read as one.
                Some(Piece::Code(previous)) => previous.push_str(text),
                _ => tidy.push(piece.clone()),
            },
            Piece::Open(_) | Piece::Image(..) | Piece::Checkbox(_) => tidy.push(piece.clone()),
        }
    }
    loop {
        trim_end(&mut tidy);
        match tidy.last() {
            Some(Piece::Break) => drop(tidy.pop()),
            _ => return tidy,
        }
    }
}

/// Whether the next piece follows white space or begins the line.
fn is_after_space(tidy: &[Piece]) -> bool {
    let last_visible =
        tidy.iter().rev().find(|piece| !matches!(piece, Piece::Open(_) | Piece::Close(_)));
    match last_visible {
        None | Some(Piece::Break) => true,
        Some(Piece::Text(text)) => text.ends_with(' '),
        Some(_) => false,
    }
}

/// Returns the number of opening marks at the end of `tidy`.
fn count_just_opened(tidy: &[Piece]) -> usize {
    tidy.iter().rev().take_while(|piece| matches!(piece, Piece::Open(_))).count()
}

/// Appends text; leading white space goes before marks that have just been opened.
fn push_text(tidy: &mut Vec<Piece>, text: &str) {
    let opened_count = count_just_opened(tidy);
    let mut text = text;
    let words = text.trim_start();
    let space = &text[..text.len() - words.len()];
    if !space.is_empty() {
        text = words;
        let index = tidy.len() - opened_count;
        match tidy[..index].last_mut() {
            Some(Piece::Text(previous)) => previous.push_str(space),
            _ => tidy.insert(index, Piece::Text(space.to_owned())),
        }
    }
    match tidy.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(previous)) => previous.push_str(text),
        _ => tidy.push(Piece::Text(text.to_owned())),
    }
}

/// Closes a mark before its trailing white space and breaks, or removes it if it is empty.
fn close(tidy: &mut Vec<Piece>, mark: &Mark) {
    let mut trailing_pieces = Vec::new();
    loop {
        match tidy.last_mut() {
            Some(Piece::Break) => {
                tidy.pop();
                trailing_pieces.push(Piece::Break);
            }
            Some(Piece::Text(text)) if text.ends_with(char::is_whitespace) => {
                let length = text.trim_end().len();
                trailing_pieces.push(Piece::Text(text.split_off(length)));
                if text.is_empty() {
                    tidy.pop();
                }
            }
            _ => break,
        }
    }
    if tidy.last() == Some(&Piece::Open(mark.clone())) {
        tidy.pop();
    } else {
        tidy.push(Piece::Close(mark.clone()));
    }
    for piece in trailing_pieces.into_iter().rev() {
        match piece {
            Piece::Text(text) => push_text(tidy, &text),
            other => tidy.push(other),
        }
    }
}

fn trim_end(tidy: &mut Vec<Piece>) {
    if let Some(Piece::Text(text)) = tidy.last_mut() {
        text.truncate(text.trim_end_matches(' ').len());
        if text.is_empty() {
            tidy.pop();
        }
    }
}

/// A line of Markdown under construction.
struct Line {
    out: String,
    context: LineContext,
    /// Whether the last piece closed a mark.
    just_closed: bool,
}

impl Line {
    /// Writes an opening delimiter. CommonMark reads it as one (it is left-flanking) if no white space follows it, and
    /// if no letter precedes it where punctuation follows or the delimiter consists of underscores.
    fn write_opening(&mut self, delimiter: &str, next: Option<char>) {
        let follows_neutral = self.out.chars().next_back().is_none_or(is_neutral);
        let is_always_flanking =
            !delimiter.starts_with('_') && next.is_some_and(char::is_alphanumeric);
        let follows_delimiter = self.just_closed && !self.out.ends_with(SEPARATOR);
        if follows_delimiter || !follows_neutral && !is_always_flanking {
            self.out.push_str(SEPARATOR);
        }
        self.out.push_str(delimiter);
    }

    /// Writes a closing delimiter, so that CommonMark reads it as one (it is right-flanking).
    fn write_closing(&mut self, delimiter: &str, next: Option<char>) {
        let previous = self.out.chars().next_back();
        let is_always_flanking =
            !delimiter.starts_with('_') && previous.is_some_and(char::is_alphanumeric);
        self.out.push_str(delimiter);
        if !is_always_flanking && !next.is_none_or(is_neutral) {
            self.out.push_str(SEPARATOR);
        }
    }

    fn write_break(&mut self) {
        match self.context {
            LineContext::Paragraph => self.out.push_str("\\\n"),
            LineContext::Heading => self.out.push(' '),
            LineContext::Cell => self.out.push_str("<br>"),
        }
    }

    fn write_code(&mut self, text: &str) {
        let run_lengths = text.split(|it| it != '`').map(str::len);
        let fence = "`".repeat(run_lengths.max().unwrap_or(0) + 1);
        let needs_space = text.starts_with('`') || text.ends_with('`');
        let space = if needs_space { " " } else { "" };
        let text = match self.context {
            // A `|` ends a cell even within code.
            LineContext::Cell => text.replace('|', "\\|"),
            LineContext::Paragraph | LineContext::Heading => text.to_owned(),
        };
        self.out.extend([&fence, space, &text, space, &fence]);
    }

    fn write_image(&mut self, alt_text: &str, target: &str) {
        self.out.push_str("![");
        self.write_text(alt_text, false);
        self.out.extend(["](", target, ")"]);
    }

    /// Writes text and escapes everything that would be read as markup.
    fn write_text(&mut self, text: &str, has_more: bool) {
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let next = characters.peek().copied();
            let previous = self.out.chars().next_back();
            let is_line_start = previous.is_none_or(|previous| previous == '\n');
            let is_escaped = match character {
                '\\' | '`' | '*' | '[' | ']' | '<' | '~' => true,
                '_' => {
                    !(previous.is_some_and(char::is_alphanumeric)
                        && next.is_some_and(char::is_alphanumeric))
                }
                '&' => next.is_none_or(|next| next == '#' || next.is_ascii_alphanumeric()),
                '!' => next.is_none() && has_more,
                '|' => is_line_start || self.context == LineContext::Cell,
                '#' => is_line_start || self.context == LineContext::Heading,
                '+' | '-' | '=' | '>' | ':' => is_line_start,
                // After a number, these characters would begin a list item.
                '.' | ')' => self.is_after_number(),
                _ => false,
            };
            if is_escaped {
                self.out.push('\\');
            }
            self.out.push(character);
        }
    }

    /// Whether the current line consists of a number of at most nine digits.
    fn is_after_number(&self) -> bool {
        // The search is limited to nine characters, because it may run for every character of a line.
        let last_bytes = self.out.bytes().rev().take(9);
        let digits = last_bytes.take_while(u8::is_ascii_digit).count();
        let previous = self.out.bytes().rev().nth(digits);
        let is_line_start = previous.is_none_or(|previous| previous == b'\n');
        digits > 0 && is_line_start
    }
}

/// Whether a character next to a delimiter does not affect its flanking.
fn is_neutral(character: char) -> bool {
    character.is_whitespace() || character.is_ascii_punctuation()
}

/// Formats a URL as a link destination, with a title if it is not empty.
pub(super) fn destination(url: &str, title: &str) -> String {
    let mut out = String::from("<");
    for character in url.chars() {
        match character {
            '<' | '>' | '\\' | '&' | '|' => out.extend(['\\', character]),
            '\n' => out.push_str("%0A"),
            '\r' => out.push_str("%0D"),
            other => out.push(other),
        }
    }
    out.push('>');
    let is_allowed =
        |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#@!$'*+,;=%".contains(&byte);
    let is_plain = !url.is_empty() && url.bytes().all(is_allowed);
    let mut target = if is_plain { url.to_owned() } else { out };
    if !title.is_empty() {
        target.push_str(" \"");
        for character in title.chars() {
            if matches!(character, '"' | '\\' | '&' | '|') {
                target.push('\\');
            }
            target.push(character);
        }
        target.push('"');
    }
    target
}
