//! Messages for syntax errors. They do not mention grammar rules, which users do not know.

use super::grammar::Rule;
use super::lexer::{LexicalKind, Token};
use super::recover::{ROW_BLOCKS, head};
use crate::diagnostic::{Diagnostic, MANUAL, SYNTAX};
use crate::nearest::nearest;
use crate::syntax::{FileId, Span};
use crate::vocabulary::{self, DECLARATIONS};
use pest::error::{Error, ErrorVariant, InputLocation};
use std::ops::Range;

/// Returns the token index and byte offset at which the grammar fails, after skipping white space.
pub(super) fn error_position(error: &Error<Rule>, tokens: &[Token<'_>]) -> (usize, usize) {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let mut index = tokens.iter().position(|token| token.end() > at).unwrap_or(tokens.len());
    // Invalid literals have been removed before, so an error within a literal concerns the token after it.
    let is_literal = |token: &Token<'_>| token.kind == LexicalKind::Literal && token.start < at;
    if tokens.get(index).is_some_and(is_literal) {
        index += 1;
    }
    (index, tokens.get(index).map_or(at, |token| token.start.max(at)))
}

/// Creates the diagnostic for an error at a token. `unit` is the row or declaration that contains it, `at` the byte
/// offset where the grammar fails.
pub(super) fn syntax_error(
    error: &Error<Rule>,
    file: FileId,
    text: &str,
    tokens: &[Token<'_>],
    (index, at): (usize, usize),
    unit: Range<usize>,
) -> Diagnostic {
    let context = Context { text, tokens, index, unit };
    let here = tokens.get(index);
    if let Some((token, message, help)) = context.common_mistake() {
        return Diagnostic::new(SYNTAX, token.span(file), message).help(help);
    }
    let found = here.map_or("the end of the table".to_owned(), |token| {
        format!("`{}`", &token.text[at - token.start..])
    });
    let expected = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => {
            let expected = expectation(positives);
            // The list may begin with the token that was found, which would make the message contradict itself.
            expected.strip_prefix(&format!("{found} or ")).map_or(expected.clone(), str::to_owned)
        }
        ErrorVariant::CustomError { message } => message.clone(),
    };
    let help = match context.missing_end() {
        Some(help) => help,
        None => context.example().unwrap_or_else(manual_help),
    };
    let span = Span { file, start: at as u32, end: here.map_or(at, Token::end) as u32 };
    Diagnostic::new(SYNTAX, span, format!("expected {expected}, found {found}")).help(help)
}

/// A syntax error and the tokens around it.
struct Context<'a, 't> {
    text: &'t str,
    tokens: &'a [Token<'t>],
    /// Index of the token at which the grammar fails.
    index: usize,
    /// Token range of the row or declaration.
    unit: Range<usize>,
}

impl<'t> Context<'_, 't> {
    /// Returns the text of the token `distance` tokens after the error, or before it if negative; empty if there is
    /// none.
    fn text_at(&self, distance: isize) -> &'t str {
        let index = self.index.checked_add_signed(distance);
        index.and_then(|index| self.tokens.get(index)).map_or("", |token| token.text)
    }

    /// Returns the tokens that precede the error in its row or declaration.
    fn unit_before(&self) -> &[Token<'t>] {
        &self.tokens[self.unit.start..self.index.min(self.unit.end).max(self.unit.start)]
    }

    /// Whether the row's arrow precedes the error.
    fn is_after_arrow(&self) -> bool {
        self.unit_before().iter().any(|token| token.is("=>"))
    }

    /// Returns the index of the first token of the step or declaration that contains the error.
    fn first_index(&self) -> usize {
        let before = &self.tokens[..self.index.min(self.tokens.len())];
        let ends = |token: &Token<'_>| [";", "{", "}", "=>"].contains(&token.text);
        before.iter().rposition(ends).map_or(0, |end| end + 1)
    }

    /// Recognizes operators that the language does not have: comparisons, `+=` and `++`, and dots in names. Returns a
    /// message and a help text, or `None` for other mistakes.
    fn unsupported_operator(&self, word: &str) -> Option<(String, String)> {
        let (before, after) = (self.text_at(-1), self.text_at(1));
        match word {
            "<" | "<=" | ">" | ">=" if self.step_contains("when") => Some((
                format!("the language has no operator `{word}`"),
                "conditions test one value: `when NAME is VALUE`".to_owned(),
            )),
            "+" if self.is_after_arrow() && ["=", "+"].contains(&after) => Some((
                format!("`+{after}` is not an action"),
                "a counter grows by `increase NAME;`, and shrinks by `decrease NAME;`".to_owned(),
            )),
            "." if self.is_after_arrow() => Some((
                format!("`{before}.{after}` is not a name: names are written with hyphens"),
                format!("did you mean `{before}-{after}`?"),
            )),
            _ => None,
        }
    }

    /// Whether `word` precedes the error in its step, or in the guard of its row.
    fn step_contains(&self, word: &str) -> bool {
        let before = self.tokens[..self.index.min(self.tokens.len())].iter().rev();
        let mut step = before.take_while(|token| ![";", "{", "}"].contains(&token.text));
        step.any(|token| token.is(word))
    }

    /// Recognizes common mistakes, such as missing semicolons and the syntax of other languages. Returns the token, a
    /// message and a help text, or `None` for other mistakes.
    fn common_mistake(&self) -> Option<(Token<'t>, String, String)> {
        let declaration = self.unterminated_declaration().map(|last| (last, "declaration"));
        let unterminated = declaration.or_else(|| Some((self.unterminated_step()?, "step")));
        if let Some((last, what)) = unterminated {
            let message =
                format!("`;` is missing after `{}`, the last word of the {what}", last.text);
            return Some((last, message, "end it with `;`".to_owned()));
        }
        let token = *self.tokens.get(self.index)?;
        let word = token.text;
        let first = self.tokens.get(self.first_index());
        if let Some((message, help)) =
            self.unsupported_operator(word).or_else(|| self.mixed_operators(word))
        {
            return Some((token, message, help));
        }
        if word == "_" {
            let message = "`_` is not a pattern".to_owned();
            return Some((
                token,
                message,
                "write `else` for anything else, and `EOF` for the end".to_owned(),
            ));
        }
        if token.kind == LexicalKind::Word && word.contains('_') {
            let message = format!("`{word}` is not a name: names are written with hyphens");
            let kebab = word.trim_matches('_').replace('_', "-");
            return Some((token, message, format!("did you mean `{kebab}`?")));
        }
        if let Some((message, help)) = self.declaration_mistake(&token) {
            return Some((token, message, help));
        }
        if let Some(first) = first.filter(|first| first.is("if")) {
            let message = "`if` does not begin a condition".to_owned();
            let help = "write `when … { … } otherwise { … }`".to_owned();
            return Some((*first, message, help));
        }
        let is_after_arrow = self.is_after_arrow();
        let is_block = |first: &&Token<'_>| ["state", "mode", "lexical-mode"].contains(&first.text);
        if let Some(first) = first.filter(is_block).filter(|_| word == "{" && self.looks_like_row())
        {
            let message = format!("`{}` begins inside the block before it", first.text);
            return Some((*first, message, "close that block with `}`".to_owned()));
        }
        let (message, help) = match (word, self.text_at(-1)) {
            (";", "}") => ("`;` does not end a block".to_owned(), "remove it: blocks end with `}`"),
            ("#" | "--", _) => {
                (format!("`{word}` does not begin a comment"), "comments begin with `//`")
            }
            ("=>", before) if before.starts_with('"') && self.block_word() == "mode" => (
                format!("`{}` is not a kind of token", self.text_at(-2)),
                "write an element name after `start`, `end` or `empty`",
            ),
            ("if" | "where" | "unless", _) => (
                format!("`{word}` does not begin a guard"),
                "a guard is written `when …` before `=>`",
            ),
            ("->", _) if is_after_arrow => {
                ("`->` is not a step".to_owned(), "the next state is named by `switch NAME;`")
            }
            ("->" | ":" | "=", _) if self.looks_like_row() => {
                (format!("`{word}` is not an arrow"), "write `=>` between patterns and steps")
            }
            (",", _) if is_after_arrow => {
                ("`,` does not end a step".to_owned(), "each step ends with `;`")
            }
            (",", _) if self.looks_like_row() || self.unit_begins(&["class", "names", "scope"]) => {
                ("`,` does not join alternatives".to_owned(), "alternatives are joined by `|`")
            }
            ("{", "=>") => (
                "steps are not in braces".to_owned(),
                "write them after the arrow: `=> step; step;`",
            ),
            ("else", "}") | ("{", "else") => {
                ("`else` is a pattern".to_owned(), "the other branch is `otherwise { … }`")
            }
            ("&&" | "||" | "!" | "==" | "!=", _) => (
                format!("the language has no operator `{word}`"),
                "conditions are joined by `and` or `or`, negated by `not`, and compare with `is`",
            ),
            ("..", _) if self.text_at(1).starts_with('\'') => (
                "`..` is not a range of characters".to_owned(),
                "write `'a'..='z'`, which includes both ends",
            ),
            _ => return None,
        };
        Some((token, message, help.to_owned()))
    }

    /// Recognizes conditions that mix `and` with `or`. Returns a message and a help text, or `None` for other mistakes.
    fn mixed_operators(&self, word: &str) -> Option<(String, String)> {
        let other = match word {
            "and" => "or",
            "or" => "and",
            _ => return None,
        };
        let before = self.unit_before();
        let begin = before.iter().rposition(|token| token.is("when"))?;
        before[begin..].iter().any(|token| token.is(other)).then(|| {
            let help = "use one of them: nest a `when` in a `when`, or write two rows";
            (format!("`{word}` cannot be combined with `{other}`"), help.to_owned())
        })
    }

    /// Returns the last token of a declaration that lacks its semicolon and is followed by a declaration on the next
    /// line; `None` if the error has another cause.
    fn unterminated_declaration(&self) -> Option<Token<'t>> {
        let is_first = self.index == self.unit.start;
        if !is_first || !self.unit_begins(&DECLARATIONS) {
            return None;
        }
        let pairs = self.tokens[self.unit.clone()].windows(2);
        let mut ends = pairs.filter(|pair| {
            let between = &self.text[pair[0].end()..pair[1].start];
            between.contains('\n') && DECLARATIONS.contains(&pair[1].text) && !pair[0].is("{")
        });
        ends.next().map(|pair| pair[0])
    }

    /// Returns the last token of a step that lacks its semicolon and is followed by a row on the next line; `None` if
    /// the error has another cause.
    fn unterminated_step(&self) -> Option<Token<'t>> {
        if self.text_at(0) != "=>" {
            return None;
        }
        let joins = |token: &Token<'_>| ["|", "when", "and", "or", "not"].contains(&token.text);
        let is_end = |pair: &&[Token<'_>]| {
            let between = &self.text[pair[0].end()..pair[1].start];
            between.contains('\n') && !joins(&pair[0]) && !joins(&pair[1])
        };
        let step = &self.tokens[self.first_index()..self.index.min(self.tokens.len())];
        step.windows(2).rfind(is_end).map(|pair| pair[0])
    }

    /// Returns a help text if the step or declaration before the error probably lacks its semicolon.
    fn missing_end(&self) -> Option<String> {
        let word = self.text_at(0);
        if word == "=>" && self.is_after_arrow() {
            return Some("if a row begins here, end the step before it with `;`".to_owned());
        }
        let before = self.text_at(-1);
        let is_ended = [";", "{", "}"].contains(&before) || self.index == self.unit.start + 1;
        if !is_ended && (word == "}" || DECLARATIONS.contains(&word)) {
            return Some(format!("if `{before}` ends a step or declaration, write `;` after it"));
        }
        None
    }

    /// Whether the block around the error is a state, a mode or an `in` block, and thus probably contains rows.
    fn looks_like_row(&self) -> bool {
        ["state", "mode", "lexical-mode", "in"].contains(&self.block_word())
    }

    /// Recognizes mistakes at the first word of a declaration, which may follow `add` or `replace`. Returns a message
    /// and a help text.
    fn declaration_mistake(&self, token: &Token<'_>) -> Option<(String, String)> {
        const CHANGES: &[&str] = &["add", "in", "remove", "replace", "take"];
        let word = token.text;
        let is_changed = ["add", "replace"].contains(&self.text_at(-1));
        let is_first = self.index == self.unit.start + usize::from(is_changed);
        if !is_first || token.kind != LexicalKind::Word || self.is_among_rows() {
            return None;
        }
        let is_known = DECLARATIONS.contains(&word);
        if !is_changed && ["extends", "from"].contains(&self.block_word()) {
            let help = match nearest(word, CHANGES).filter(|_| !is_known) {
                Some(help) => help,
                None => format!("write `add {word} …`, or move the declaration out of the braces"),
            };
            return Some((format!("`{word}` does not begin a change of the base table"), help));
        }
        if is_known {
            return Some((format!("unknown form of the declaration `{word}`"), self.example()?));
        }
        let help = nearest(word, &DECLARATIONS).unwrap_or_else(manual_help);
        Some((format!("`{word}` does not begin a declaration"), help))
    }

    /// Returns an example of the declaration that contains the error, unless the error is within braces whose parts
    /// have another form.
    fn example(&self) -> Option<String> {
        let is_changed = self.unit_begins(&["add", "replace"]);
        let mut unit = self.tokens.get(self.unit.start + usize::from(is_changed)..)?.iter();
        let first = unit.next().filter(|first| DECLARATIONS.contains(&first.text))?;
        let mut signs = self.unit_before().iter().map(|token| token.text);
        if self.is_among_rows() || signs.find(|it| ["=", "{"].contains(it)) == Some("{") {
            return None;
        }
        let example = vocabulary::example(first.text, unit.next().map_or("", |next| next.text))?;
        Some(format!("for example: `{example}`"))
    }

    fn is_among_rows(&self) -> bool {
        ROW_BLOCKS.contains(&self.block_word())
    }

    fn unit_begins(&self, words: &[&str]) -> bool {
        self.tokens.get(self.unit.start).is_some_and(|first| words.contains(&first.text))
    }

    /// Returns the first word of the block around the row or declaration; empty outside of blocks.
    fn block_word(&self) -> &'t str {
        let mut depth = 0;
        let is_open = |&index: &usize| {
            depth -= self.tokens[index].nesting();
            depth < 0
        };
        let brace = (0..self.unit.start).rev().find(is_open);
        let first = brace.and_then(|brace| self.tokens[head(self.tokens, brace)].first());
        first.map_or("", |first| first.text)
    }
}

/// Returns the default help text, which refers to the manual.
fn manual_help() -> String {
    format!("the reference lists what is allowed here: {MANUAL}")
}

/// Describes the tokens that the grammar expected.
fn expectation(rules: &[Rule]) -> String {
    let mut words: Vec<&str> = rules.iter().filter_map(|&rule| rule_name(rule)).collect();
    words.sort_unstable();
    words.dedup();
    match words.split_last() {
        None => "`;` or the next part of the declaration".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
    }
}

/// Returns the name of a rule in messages; `None` for rules that messages do not mention.
fn rule_name(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::name | Rule::own_name => "a name",
        Rule::string | Rule::text => "a string",
        Rule::character | Rule::range => "a character",
        Rule::number | Rule::number_range => "a number",
        Rule::pattern => "a pattern",
        Rule::row => "a row (`pattern => steps`)",
        Rule::step | Rule::action => "a step",
        Rule::note => "`fills` or `deviates`",
        Rule::condition | Rule::conditions => "a condition",
        Rule::argument => "an argument or `;`",
        Rule::guard => "`when`",
        Rule::state | Rule::keyword_state => "`state`",
        Rule::lexeme => "`lexeme`",
        Rule::replaced_item
        | Rule::replaced_row
        | Rule::replaced_mode_row
        | Rule::replaced_step => "`replace`",
        Rule::added_item
        | Rule::added_row
        | Rule::added_mode_row
        | Rule::preceding_steps
        | Rule::following_steps => "`add`",
        Rule::removed_items | Rule::removed_row | Rule::removed_mode_row | Rule::removed_step => {
            "`remove`"
        }
        Rule::changed_state | Rule::changed_mode | Rule::changed_algorithm => "`in`",
        Rule::lexical_mode => "`lexical-mode`",
        Rule::repeated => "a part of a lexeme",
        Rule::repetition => "`*`, `+` or `?`",
        Rule::bindings => "names for data",
        Rule::procedure => "`procedure`",
        Rule::class => "`class`",
        Rule::errors | Rule::host_errors => "`errors`",
        Rule::EOI => "the end of the table",
        Rule::machine_name
        | Rule::start
        | Rule::entry
        | Rule::flag
        | Rule::references
        | Rule::document => "a declaration",
        _ => return None,
    })
}
