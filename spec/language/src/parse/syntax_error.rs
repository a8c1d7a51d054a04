//! What is said where a table is not written as the grammar has it. Invariant: the words are for people, who know no names
//! of rules.

use super::grammar::Rule;
use crate::diagnostic::{Diagnostic, SYNTAX};
use crate::syntax::{FileId, Span};
use pest::error::{Error, ErrorVariant, InputLocation};

/// What is reported where the grammar does not go on.
pub(super) fn syntax_error(error: &Error<Rule>, file: FileId, text: &str) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    // The parser stops before blanks; the mistake is the word after them.
    let at = at + text[at..].len() - text[at..].trim_start().len();
    let is_row = text[at..].starts_with("=>");
    let word = text[at..].chars().take_while(|&c| c.is_alphanumeric() || c == '-').count();
    let word = word.max(if is_row { 2 } else { 1 });
    let end = text[at..].char_indices().nth(word).map_or(text.len(), |(index, _)| at + index);
    let span = Span { file, start: at as u32, end: end as u32 };
    let found = if at == text.len() {
        "the end of the table".to_owned()
    } else {
        format!("`{}`", &text[at..end])
    };
    let expected = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => expectation(positives),
        ErrorVariant::CustomError { message } => message.clone(),
    };
    let help = if is_row {
        "if a row begins here, end the step before it with `;`"
    } else {
        "the grammar is spec/language/src/grammar.pest; its manual is spec/README.md"
    };
    Diagnostic::new(SYNTAX, span, format!("expected {expected}, found {found}")).help(help)
}

/// What could have stood at the place of a syntax error, in words.
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

/// The name of a rule for people; `None` where another rule of the same place says it.
fn rule_name(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::name => "a name",
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
        Rule::replaced_item | Rule::replaced_row => "`replace`",
        Rule::added_item | Rule::added_row => "`add`",
        Rule::removed_items | Rule::removed_row => "`remove`",
        Rule::changed_state => "`in`",
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
