//! Diagnostics about a table: errors and warnings, each with its check from [`CHECKS`], its spans, and a help text.

use crate::syntax::{FileId, Span};
use std::fmt::Write as _;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The table cannot be compiled.
    Error,
    /// The table is compiled nevertheless.
    Warning,
}

/// A message about a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Name of the check in kebab case.
    pub check: &'static str,
    /// Severity of the diagnostic.
    pub severity: Severity,
    /// Span of the mistake.
    pub span: Span,
    /// Description of the mistake, in one line.
    pub message: String,
    /// Related span, with an explanation, if there is one.
    pub other: Option<(Span, String)>,
    /// If the mistake is in an included file, the span at which the table includes the file.
    pub included_at: Option<Span>,
    /// Suggestion for a fix, if there is one.
    pub help: Option<String>,
}

/// Address of the published reference, for users without `spec/REFERENCE.md`.
pub const MANUAL: &str = "https://docs.rs/tabulex/latest/tabulex/reference/index.html";

/// A check: its name, its severity, and a description.
#[derive(Debug)]
pub struct Check {
    /// Name of the check in kebab case.
    pub name: &'static str,
    /// Severity of the check's diagnostics.
    pub severity: Severity,
    /// Description of the mistakes that the check finds.
    pub finds: &'static str,
}

macro_rules! checks {
    ($($constant:ident $severity:ident $name:literal $finds:literal;)*) => {
        $(#[doc = $finds] pub(crate) const $constant: &Check =
            &Check { name: $name, severity: Severity::$severity, finds: $finds };)*
        /// All checks, in the order of the manual.
        pub const CHECKS: &[&Check] = &[$($constant),*];
    };
}

checks! {
    SYNTAX Error "syntax" "Text that the grammar does not accept.";
    BAD_LITERAL Error "bad-literal" "A literal that is not a character, or a number that is too large.";
    MISSING_DECLARATION Error "missing-declaration" "A required declaration that is missing, such as `name`, `start`, a state, or the capacity of the stack of states.";
    DUPLICATE_DECLARATION Error "duplicate-declaration" "A second declaration where one is allowed, such as `name`, `start`, `document`, `newlines`, `nulls` or `references`.";
    UNKNOWN_BASE Error "unknown-base" "An extended table or a file of modes that does not exist, a table that extends itself, or a second base or file of modes.";
    NOTHING_TO_CHANGE Error "nothing-to-change" "A change of a declaration, row or step that the extended table does not have.";
    CONFLICTING_DECLARATION Error "conflicting-declaration" "Two declarations with one name and different contents, one of which is included by `modes` or `extends`.";
    DUPLICATE_STATE Error "duplicate-state" "Two states with one name.";
    DUPLICATE_NAME Error "duplicate-name" "Two declarations of one kind with one name, such as classes, errors, flags or procedures.";
    TOO_MANY Error "too-many" "A number, or a number of declarations of one kind, that exceeds what a machine supports.";
    UNKNOWN_STATE Error "unknown-state" "The name of a state that the table does not declare.";
    UNKNOWN_MODE Error "unknown-mode" "The name of a mode that the table does not declare.";
    UNKNOWN_ACTION Error "unknown-action" "Words that are not an action of the vocabulary.";
    UNKNOWN_CONDITION Error "unknown-condition" "Words that are not a condition of the vocabulary.";
    UNKNOWN_CLASS Error "unknown-class" "A pattern that is neither a class of the table nor a word of the state's subject.";
    UNKNOWN_STEP Error "unknown-step" "Words of an algorithm that are not a step of the vocabulary.";
    UNKNOWN_LABEL Error "unknown-label" "A `go` to a label that the algorithm does not have.";
    UNBOUND_VARIABLE Error "unbound-variable" "A variable of an algorithm that is read before it is declared by `given` or `let`.";
    WRONG_KIND Error "wrong-kind" "A value in an algorithm that is not of the required kind.";
    UNKNOWN_ERROR Error "unknown-error" "An error code that the table does not declare.";
    UNKNOWN_FLAG Error "unknown-flag" "A flag, a counter, or a value of one of these, that the table does not declare.";
    UNKNOWN_NAME Error "unknown-name" "A word that is not one of those allowed in its place.";
    UNKNOWN_SUBJECT Error "unknown-subject" "A state `on` something that is neither a procedure nor a register.";
    UNKNOWN_LEXEME Error "unknown-lexeme" "A name in an expression or a lexical mode that is not a lexeme.";
    BAD_PATTERN Error "bad-pattern" "A pattern that is not allowed in its place.";
    BAD_REFERENCES Error "bad-references" "A file of named character references that is missing or invalid.";
    OVERLAPPING_ROWS Error "overlapping-rows" "Two rows of a state that match the same input.";
    MISSING_EOF Error "missing-eof" "A state without a row for the end of the input.";
    MISSING_ELSE Error "missing-else" "A state or mode without rows for all cases, and without `else`.";
    UNREACHABLE_ROW Error "unreachable-row" "A row that no input can take.";
    UNREACHABLE_STATE Error "unreachable-state" "A state that no run of the machine reaches.";
    UNREACHABLE_MODE Error "unreachable-mode" "A mode that nothing switches to and whose rules nothing uses.";
    STEPS_CYCLE Error "steps-cycle" "Named steps or algorithms that run themselves, directly or through others.";
    MISPLACED_STEP Error "misplaced-step" "A step or a condition of tree construction that has no meaning in its place.";
    UNFOLLOWED_STEPS Error "unfollowed-steps" "Steps of an algorithm that parsers do not implement, or an algorithm that nothing runs.";
    REPROCESS_CYCLE Error "reprocess-cycle" "Modes that reprocess a token among themselves without an effect.";
    UNMATCHABLE_LEXEME Error "unmatchable-lexeme" "A lexeme that never wins, because an earlier one always matches the same input.";
    AMBIGUOUS_DATA Error "ambiguous-data" "A lexeme whose data, or end, cannot be determined while it is read character by character.";
    RECONSUME_CYCLE Error "reconsume-cycle" "States that reconsume an input among themselves without consuming it.";
    NO_CURRENT_CHARACTER Error "no-current-character" "`current`, `lower` or `add-digit` where no single character was consumed.";
    USED_BEFORE_CREATED Error "used-before-created" "A register that is used on a path on which it was not created.";
    EMITTED_BEFORE_CREATED Error "emitted-before-created" "A token that is emitted on a path on which it was not created.";
    RETURN_STATE_NOT_SET Error "return-state-not-set" "A switch to the return state on a path on which it was not set.";
    RETURN_WITHOUT_CALLER Error "return-without-caller" "`return` or `called-by` outside a procedure, or a procedure that is never called.";
    PROCEDURE_BOUNDARY Error "procedure-boundary" "A switch into or out of a procedure, a call within one, or `return nothing` in a machine that inserts text.";
    HOST_FLAG Error "host-flag" "A row that sets a flag which only the host sets.";
    DANGLING_END Error "dangling-end" "Steps after `as else`, `return`, `emit end-of-file` or `stop`, or after branches that both end; a second switch; or an end in a place that allows none.";
    CONDITION_AFTER_ACTION Error "condition-after-action" "A condition on a value that an earlier step of the row changes: the conditions of a row are evaluated first.";
    MISPLACED_CONDITION Error "misplaced-condition" "A condition on following input in a state that does not match input, or a guard on what follows the row's match.";
    UNUSED_CLASS Warning "unused-class" "A class that nothing uses.";
    UNUSED_LEXEME Warning "unused-lexeme" "A lexeme that nothing uses.";
    UNUSED_ERROR Warning "unused-error" "An error code that nothing reports.";
    UNUSED_FLAG Warning "unused-flag" "A flag that no condition tests.";
    UNUSED_STEPS Warning "unused-steps" "Steps of tree construction that nothing runs.";
    UNUSED_DECLARATION Warning "unused-declaration" "A scope, flag, pointer, condition, table of names or word of tree construction that nothing uses.";
    UNUSED_NAMES Warning "unused-names" "A set of element names that nothing uses.";
    RARE_NAME Warning "rare-name" "An element name that occurs once in modes and differs by one letter from one that occurs more often.";
    STALE_NOTE Warning "stale-note" "A `fills` or `deviates` without a reason.";
}

impl Diagnostic {
    /// Creates a diagnostic of a check.
    pub(crate) fn new(check: &'static Check, span: Span, message: impl Into<String>) -> Self {
        Self {
            check: check.name,
            severity: check.severity,
            span,
            message: message.into(),
            other: None,
            included_at: None,
            help: None,
        }
    }

    /// Sets the related span and its explanation.
    pub(crate) fn and(mut self, span: Span, why: impl Into<String>) -> Self {
        self.other = Some((span, why.into()));
        self
    }

    /// Sets the suggestion for a fix.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns the message for tools that display the span themselves, such as rustc: name of the check, message,
    /// related positions as `path:line:column`, and help.
    pub fn text(&self, source: &Source) -> String {
        let mut text = format!("[{}] {}", self.check, self.message);
        for (span, why) in self.others() {
            let _ = write!(text, "\nnote: {why}: {}", source.place(span));
        }
        if let Some(help) = &self.help {
            let _ = write!(text, "\nhelp: {help}");
        }
        text
    }

    /// Returns the message for a terminal, with path, line, column, source line and caret. `source` is the table as in
    /// [`crate::Loaded`], with its included files.
    pub fn render(&self, source: &Source) -> String {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut text = format!("{severity}[{}]: {}\n", self.check, self.message);
        source.render_span(&mut text, self.span, "-->");
        for (span, why) in self.others() {
            let _ = writeln!(text, "  note: {why}");
            source.render_span(&mut text, span, ":::");
        }
        if let Some(help) = &self.help {
            let _ = writeln!(text, "  help: {help}");
        }
        text
    }

    /// Returns the related spans with their explanations, including the span at which the table includes the file.
    pub fn others(&self) -> impl Iterator<Item = (Span, &str)> {
        let other = self.other.as_ref().map(|(span, why)| (*span, &why[..]));
        other.into_iter().chain(self.included_at.map(|span| (span, "included here")))
    }
}

/// The text of a table and its origin.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Path shown in messages.
    pub path: String,
    /// Text of the table.
    pub text: String,
    /// Number of lines before the text, for a table inside another file.
    pub lines_before: usize,
    /// Number of characters before the text in its first line, for a table inside another file.
    pub columns_before: usize,
    /// Included files in the order of their [`FileId`]s, starting after [`FileId::TABLE`]. Their paths are the names
    /// used in the table, unless the caller replaces them.
    pub files: Vec<Source>,
}

impl Source {
    /// Creates the source of a table that is a file of its own.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), ..Self::default() }
    }

    /// Returns the file with this id, which is the table itself or an included file; `None` if there is no such file.
    pub fn file(&self, id: FileId) -> Option<&Self> {
        let included_index = usize::from(id.0).checked_sub(1);
        included_index.map_or(Some(self), |index| self.files.get(index))
    }

    /// Formats the start of a span as `path:line:column`, which editors and terminals open.
    pub fn place(&self, span: Span) -> String {
        let Some(file) = self.file(span.file) else { return self.path.clone() };
        let (line, column) = file.line_column(span.start);
        format!("{}:{line}:{column}", file.path)
    }

    /// Returns the line and column of a byte offset in this text, counted from 1 in the file that contains the text;
    /// columns are characters.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let text_before = self.text.get(..offset as usize).unwrap_or(&self.text);
        let line_start = text_before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text_before.bytes().filter(|&byte| byte == b'\n').count();
        let columns_before = if line == 0 { self.columns_before } else { 0 };
        (
            self.lines_before + line + 1,
            columns_before + text_before[line_start..].chars().count() + 1,
        )
    }

    /// Appends a span's position as `path:line:column`, its source line, and carets below the span.
    fn render_span(&self, text: &mut String, span: Span, arrow: &str) {
        let Some(file) = self.file(span.file) else { return };
        let (line, column) = file.line_column(span.start);
        let (offset, file_text) = (span.start as usize, &file.text);
        let line_start = file_text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end =
            file_text[offset..].find('\n').map_or(file_text.len(), |length| offset + length);
        let source_line = &file_text[line_start..line_end];
        let caret_indent = file_text[line_start..offset].chars().count();
        let caret_count =
            file_text[offset..(span.end as usize).clamp(offset, line_end)].chars().count();
        let gutter = line.to_string().len();
        let _ = writeln!(text, "{:gutter$}{arrow} {}:{line}:{column}", "", file.path);
        let _ = writeln!(text, "{line} | {source_line}");
        let _ = writeln!(
            text,
            "{:gutter$} | {:caret_indent$}{}",
            "",
            "",
            "^".repeat(caret_count.max(1))
        );
    }
}

/// Returns a count with its noun, which is in the plural unless the count is 1: "1 entry", "2 entries".
pub fn counted(count: usize, noun: &str) -> String {
    let plurals = [("y", "ies"), ("ss", "sses"), ("um", "a")];
    let plural = plurals.iter().find_map(|(end, plural)| Some((noun.strip_suffix(end)?, plural)));
    match plural {
        _ if count == 1 => format!("1 {noun}"),
        Some((stem, plural)) => format!("{count} {stem}{plural}"),
        None => format!("{count} {noun}s"),
    }
}
