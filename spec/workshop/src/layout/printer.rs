//! Prints the tokens of a table line by line, without parsing: the kind of a block follows from the first word of its
//! declaration and from its arrows. The text must already be accepted by the grammar.

use tabulex_language::parse::lexer::{LexicalKind, Token, closing};

/// Number of columns per indentation level.
const INDENT: usize = 4;

/// Maximum width, in columns, of row heads whose arrows are aligned.
const MAX_ALIGNED_HEAD: usize = 22;

/// Maximum width, in columns, at which a block other than steps is printed on one line.
const MAX_WIDTH: usize = 120;

/// Kind of a block, by its contents.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    /// Declarations: of the machine, a procedure, or changes.
    Items,
    /// Rows, each of a pattern, `=>` and steps.
    Rows,
    /// Clauses, one per line.
    Clauses,
    /// Steps, of a row or a condition.
    Steps,
}

/// A pretty printer for tokens.
pub(super) struct Printer<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
    out: String,
    /// Column of the next output.
    column: usize,
    /// Indentation of the whole table.
    base: usize,
    /// Whether the last token was a comment, after which a line must begin.
    is_after_comment: bool,
    /// Whether nothing has been printed on the current line.
    is_fresh: bool,
    /// Whether the declaration is a lexeme, in which braces enclose a capture rather than a block.
    is_in_lexeme: bool,
}

impl<'t> Printer<'t> {
    pub(super) fn new(tokens: Vec<Token<'t>>, base: usize) -> Self {
        Self {
            tokens,
            next: 0,
            out: String::new(),
            column: base,
            base,
            is_after_comment: false,
            is_fresh: true,
            is_in_lexeme: false,
        }
    }

    /// Prints the whole table and returns the text.
    pub(super) fn table(mut self) -> String {
        self.comments(self.base, true);
        if !self.is_fresh {
            self.line(self.base, true);
        }
        while self.peek().is_some_and(|token| !token.is("{")) {
            self.word(self.base);
        }
        self.block(self.base, Block::Items);
        while self.peek().is_some() {
            self.line(self.base, false);
            self.word(self.base);
        }
        self.out
    }

    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.next).copied()
    }

    /// Begins a line. Keeps a blank line of the source before it if `keeps_blank_line`.
    fn line(&mut self, indent: usize, keeps_blank_line: bool) {
        let is_first = self.out.is_empty();
        if !is_first {
            let is_blank = keeps_blank_line && self.peek().is_some_and(|token| token.breaks > 1);
            self.out += if is_blank { "\n\n" } else { "\n" };
            self.out += &" ".repeat(indent);
        }
        self.column = indent;
        (self.is_fresh, self.is_after_comment) = (true, false);
    }

    fn raw(&mut self, text: &str) {
        self.out += text;
        self.column += text.chars().count();
        self.is_fresh = false;
    }

    /// Prints the next token, on a new line with this indentation if the source has a line break before the token.
    fn word(&mut self, indent: usize) {
        let Some(token) = self.peek() else { return };
        let is_broken = token.breaks > 0 || self.is_after_comment;
        if is_broken && !self.is_fresh {
            self.line(indent, false);
        }
        if !self.is_fresh && self.next > 0 && self.needs_space(self.tokens[self.next - 1], token) {
            self.raw(" ");
        }
        self.raw(token.text);
        self.is_after_comment = token.is_comment();
        self.next += 1;
    }

    /// Prints comments up to the next token of another kind; trailing comments stay on their line. `is_beginning` means
    /// that nothing precedes the first comment in its block or in the text.
    fn comments(&mut self, indent: usize, mut is_beginning: bool) {
        while self.peek().is_some_and(|token| token.is_comment()) {
            let token = self.tokens[self.next];
            if token.breaks > 0 || self.is_after_comment || is_beginning {
                if !(self.is_fresh && is_beginning) {
                    self.line(indent, !is_beginning);
                }
            } else {
                self.raw(" ");
            }
            self.raw(token.text);
            is_beginning = false;
            self.is_after_comment = true;
            self.next += 1;
        }
    }

    /// Whether a space separates the two tokens.
    fn needs_space(&self, before: Token<'_>, next: Token<'_>) -> bool {
        let in_lexeme = self.is_in_lexeme;
        let opens = before.is("(") || (in_lexeme && before.is("{"));
        let closes = next.is(")") || (in_lexeme && next.is("}"));
        let is_postfix = in_lexeme && (next.is("*") || next.is("+") || next.is("?"));
        let attaches = next.is(";") || next.is(",") || next.is("!") || is_postfix;
        let is_range = next.is("..=") || next.is("..") || before.is("..=");
        let is_open_range = before.is("..") && next.kind == LexicalKind::Number;
        !(opens || closes || attaches || is_range || is_open_range)
    }

    /// Prints a block from its opening to its closing brace, with contents one level deeper than `indent`.
    fn block(&mut self, indent: usize, block: Block) {
        let close = closing(&self.tokens, self.next).unwrap_or(self.tokens.len() - 1);
        let inner = &self.tokens[self.next + 1..close];
        let is_broken = inner.iter().chain([&self.tokens[close]]).any(|it| it.breaks > 0)
            || inner.iter().any(Token::is_comment);
        let is_empty = inner.is_empty();
        let is_wide =
            block != Block::Steps && self.column + self.width(self.next, close) > MAX_WIDTH;
        let is_open = !is_empty && (is_broken || is_wide || block == Block::Items);
        self.brace(indent);
        if is_open {
            self.entries(indent + INDENT, block, close, true);
            self.comments(indent + INDENT, false);
            self.line(indent, false);
        } else {
            self.entries(indent + INDENT, block, close, false);
            if !is_empty {
                self.raw(" ");
            }
        }
        self.raw("}");
        self.is_after_comment = false;
        self.next = close + 1;
    }

    /// Prints the opening brace.
    fn brace(&mut self, indent: usize) {
        if self.is_after_comment && !self.is_fresh {
            self.line(indent, false);
        }
        if !self.is_fresh {
            self.raw(" ");
        }
        self.raw("{");
        self.next += 1;
    }

    /// Returns the width, in columns, of the tokens `from..to` if printed on one line.
    fn width(&self, from: usize, to: usize) -> usize {
        let tokens = &self.tokens[from..to];
        let texts: usize = tokens.iter().map(|token| token.text.chars().count()).sum();
        let spaces = tokens.windows(2).filter(|pair| self.needs_space(pair[0], pair[1])).count();
        texts + spaces
    }

    /// Prints the contents of a block up to the closing brace, each entry on a line if `is_open`.
    fn entries(&mut self, indent: usize, block: Block, close: usize, is_open: bool) {
        if block == Block::Steps {
            return self.steps(indent, is_open, is_open, &|printer| printer.next >= close);
        }
        let column = if block == Block::Rows && is_open { self.arrow_column(close) } else { 0 };
        let mut is_first = true;
        while self.next < close {
            if let Some(comment) = self.peek().filter(Token::is_comment) {
                self.comments(indent, is_first && comment.breaks > 0);
                is_first = false;
                continue;
            }
            if is_open {
                self.line(indent, !is_first);
            } else {
                self.raw(" ");
                self.is_fresh = true;
            }
            is_first = false;
            match block {
                Block::Rows => self.row(indent, column, close),
                Block::Items => self.item(indent),
                Block::Clauses | Block::Steps => self.until_semicolon(indent + INDENT),
            }
        }
    }

    /// Prints tokens up to a semicolon.
    fn until_semicolon(&mut self, indent: usize) {
        while let Some(token) = self.peek() {
            self.word(indent);
            if token.is(";") {
                return;
            }
        }
    }

    /// Prints a declaration with its block, if it has one.
    fn item(&mut self, indent: usize) {
        let words = self.tokens[self.next..].iter().filter(|token| !token.is_comment());
        let prefixes = ["add", "replace", "remove"];
        let keyword = words.clone().find(|token| !prefixes.contains(&token.text));
        let keyword = keyword.map_or("", |token| token.text);
        let is_lexeme = keyword == "lexeme";
        let end = self.tokens[self.next..]
            .iter()
            .position(|token| token.is(";") || (!is_lexeme && token.is("{")));
        let end = self.next + end.unwrap_or(self.tokens.len() - 1 - self.next);
        if self.tokens[end].is(";") {
            self.is_in_lexeme = is_lexeme;
            self.declaration(indent, end);
            self.is_in_lexeme = false;
            return;
        }
        // The braces of a `token` declaration contain only names, which are printed like other words.
        if keyword == "token"
            && let Some(close) = closing(&self.tokens, end)
        {
            return self.declaration(indent, close);
        }
        while self.next < end {
            self.word(indent + INDENT);
        }
        let block = match keyword {
            "machine" | "procedure" | "extends" | "from" => Block::Items,
            "encodings" => Block::Clauses,
            _ if self.has_arrow(end) => Block::Rows,
            _ => Block::Steps,
        };
        self.block(indent, block);
    }

    /// Whether the block that opens at this index contains an arrow outside inner blocks.
    fn has_arrow(&self, open: usize) -> bool {
        let mut depth = 0_usize;
        for token in &self.tokens[open..] {
            if token.is("{") {
                depth += 1;
            } else if token.is("}") {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            } else if depth == 1 && token.is("=>") {
                return true;
            }
        }
        false
    }

    /// Prints a declaration up to the token `end`. If any of its lines begins with `|`, the first alternative is
    /// aligned with the text after the bars.
    fn declaration(&mut self, indent: usize, end: usize) {
        let is_line_start = |token: &&Token<'_>| token.breaks > 0;
        let has_bars =
            self.tokens[self.next..end].iter().filter(is_line_start).any(|it| it.is("|"));
        let mut is_first_line = true;
        while self.next <= end {
            let token = self.tokens[self.next];
            let is_broken = !self.is_fresh && (token.breaks > 0 || self.is_after_comment);
            let may_be_indented = is_broken && is_first_line && has_bars;
            let is_note = token.is("fills") || token.is("deviates");
            let extra_indent = if may_be_indented && !token.is("|") && !is_note { 2 } else { 0 };
            if is_broken && !token.is_comment() {
                is_first_line = false;
            }
            self.word(indent + INDENT + extra_indent);
        }
    }

    /// Returns the common column of the arrows in a block, relative to the start of the rows.
    fn arrow_column(&self, close: usize) -> usize {
        let mut widest = 0;
        let mut index = self.next;
        while index < close {
            if self.tokens[index].is_comment() {
                index += 1;
                continue;
            }
            if let Some((arrow, _)) = self.head(index, close).filter(|(arrow, is_whole)| {
                *is_whole && !self.begins_line(arrow + 1) && !self.is_hook(index)
            }) {
                let width = self.width(index, arrow);
                if width <= MAX_ALIGNED_HEAD {
                    widest = widest.max(width);
                }
            }
            index = self.row_end(index, close);
        }
        widest + 1
    }

    /// Whether the token at the index begins a line or is a comment.
    fn begins_line(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.breaks > 0 || token.is_comment())
    }

    /// Whether the entry at the index is an `enter` or `leave` clause rather than a row.
    fn is_hook(&self, index: usize) -> bool {
        self.tokens[index].is("enter") || self.tokens[index].is("leave")
    }

    /// Returns the index of the arrow of the row at `start`, and whether everything up to the arrow is on one line.
    /// `None` if the entry has no arrow.
    fn head(&self, start: usize, close: usize) -> Option<(usize, bool)> {
        let ends_head = |token: &Token<'_>| token.is("=>") || token.is(";") || token.is("{");
        let arrow = start + self.tokens[start..close].iter().position(ends_head)?;
        if !self.tokens[arrow].is("=>") {
            return None;
        }
        let is_on_line = |token: &Token<'_>| token.breaks == 0 && !token.is_comment();
        Some((arrow, self.tokens[start + 1..=arrow].iter().all(is_on_line)))
    }

    /// Returns the index of the first token after the row at `start`.
    fn row_end(&self, start: usize, close: usize) -> usize {
        let Some((arrow, _)) = self.head(start, close) else {
            let end = self.tokens[start..close].iter().position(|token| token.is(";"));
            return end.map_or(close, |end| start + end + 1);
        };
        let mut index = arrow + 1;
        while index < close {
            if self.tokens[index].is("{") {
                index = closing(&self.tokens, index).map_or(close, |end| end + 1);
            } else if self.tokens[index].is(";") {
                index += 1;
            } else {
                index += 1;
                continue;
            }
            if self.begins_row(index, close) {
                return index;
            }
        }
        close
    }

    /// Whether a row or the end of the block follows at the index, perhaps after comments.
    fn begins_row(&self, index: usize, close: usize) -> bool {
        let is_code = |token: &&Token<'_>| !token.is_comment();
        let mut rest = self.tokens[index.min(close)..close].iter().filter(is_code).peekable();
        match rest.peek() {
            None => true,
            Some(first) if first.is("remove") => true,
            Some(_) => rest
                .find(|token| token.is("=>") || token.is(";") || token.is("{"))
                .is_some_and(|token| token.is("=>")),
        }
    }

    /// Prints a row, with its arrow at `column` if the head is narrow enough.
    fn row(&mut self, indent: usize, column: usize, close: usize) {
        let end = self.row_end(self.next, close);
        let is_hook = self.is_hook(self.next);
        let Some((arrow, is_whole)) = self.head(self.next, close) else {
            return self.until_semicolon(indent + INDENT);
        };
        let width = self.width(self.next, arrow);
        while self.next < arrow {
            self.word(indent + INDENT);
        }
        if is_whole && !is_hook && column > 0 && width < column {
            self.raw(&" ".repeat(column - width - 1));
        }
        self.word(indent + INDENT);
        let steps_column =
            if self.begins_line(self.next) { indent + INDENT } else { self.column + 1 };
        self.steps(steps_column, false, true, &|printer| {
            printer.next >= end || printer.has_only_comments_left(end)
        });
    }

    /// Whether only comments remain before the token `end`, the first of them on its own line.
    fn has_only_comments_left(&self, end: usize) -> bool {
        let mut rest = self.tokens[self.next..end].iter();
        self.tokens[self.next].breaks > 0 && rest.all(Token::is_comment)
    }

    /// Prints steps, indented to `column`, until `is_over`. If `may_break`, line breaks of the source are kept, and the
    /// first step begins a line if `is_broken`.
    fn steps(
        &mut self,
        column: usize,
        is_broken: bool,
        may_break: bool,
        is_over: &dyn Fn(&Self) -> bool,
    ) {
        let mut is_first = true;
        while !is_over(self) {
            let token = self.tokens[self.next];
            if token.is_comment() {
                if token.breaks == 0 && !self.is_after_comment {
                    self.raw(" ");
                } else {
                    self.line(column, !is_first);
                }
                self.raw(token.text);
                self.next += 1;
                (self.is_after_comment, is_first) = (true, false);
                continue;
            }
            let wants_break = token.breaks > 0 || self.is_after_comment || (is_first && is_broken);
            if wants_break && may_break {
                self.line(column, !is_first);
            }
            self.step(column);
            is_first = false;
        }
    }

    /// Prints a step: words up to a semicolon, or words and a block.
    fn step(&mut self, column: usize) {
        while let Some(token) = self.peek() {
            if token.is("{") {
                return self.block(column, Block::Steps);
            }
            self.word(column + INDENT);
            if token.is(";") {
                return;
            }
        }
    }
}
