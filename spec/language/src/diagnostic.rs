//! Mistakes and doubts about a table: what is wrong, where, what else is concerned, and the cure. It does not find
//! them (`parse`, `resolve` and `check` do). Invariant: every diagnostic has the kebab-case name of one check from
//! [`CHECKS`], and its places lie within the text of the table, or of a file that the table brings in.

use crate::syntax::{FileId, Span};
use std::fmt::Write as _;

/// Whether a diagnostic stops the build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The table cannot be compiled.
    Error,
    /// The table is compiled.
    Warning,
}

/// One message about a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kebab-case name of the check.
    pub check: &'static str,
    /// Whether the build stops.
    pub severity: Severity,
    /// Where the mistake is.
    pub span: Span,
    /// What is wrong, in one line.
    pub message: String,
    /// The other place that is concerned, and why.
    pub other: Option<(Span, String)>,
    /// Where the table brings in the file of the mistake, if that is another file.
    pub brought: Option<Span>,
    /// The cure.
    pub help: Option<String>,
}

/// Where people read the manual who have no copy of `spec/README.md`.
pub const MANUAL: &str = "https://docs.rs/tabulex/latest/tabulex/manual/index.html";

/// A check: the name that its diagnostics have, whether they stop the build, and what it is about.
#[derive(Debug)]
pub struct Check {
    /// The kebab-case name.
    pub name: &'static str,
    /// Whether it stops the build.
    pub severity: Severity,
    /// What it finds.
    pub finds: &'static str,
}

macro_rules! checks {
    ($($constant:ident $severity:ident $name:literal $finds:literal;)*) => {
        $(#[doc = $finds] pub(crate) const $constant: &Check =
            &Check { name: $name, severity: Severity::$severity, finds: $finds };)*
        /// Every check, in the order in which the manual lists them.
        pub const CHECKS: &[&Check] = &[$($constant),*];
    };
}

checks! {
    SYNTAX Error "syntax" "Text that the grammar does not accept.";
    BAD_LITERAL Error "bad-literal" "A literal that names no character, or a number that does not fit.";
    MISSING_DECLARATION Error "missing-declaration" "A machine without `name`, `start` or states, or one that pushes states and does not say how many.";
    DUPLICATE_DECLARATION Error "duplicate-declaration" "Declared twice: `name`, `start`, `document`, `newlines`, `nulls`, `byte-order-mark`, `references` or `pushed-states`.";
    UNKNOWN_BASE Error "unknown-base" "A table that extends one which is not there, extends itself, or has mistakes.";
    NOTHING_TO_CHANGE Error "nothing-to-change" "A change of something that the extended table does not have.";
    CONFLICTING_DECLARATION Error "conflicting-declaration" "Two declarations of one name with different contents, one of them brought in by `modes` or `extends`.";
    DUPLICATE_STATE Error "duplicate-state" "Two states of one name.";
    DUPLICATE_NAME Error "duplicate-name" "Two classes, errors, flags, kinds of tokens or procedures of one name.";
    TOO_MANY Error "too-many" "A declaration with more than a machine can hold: a number, or the declarations of a kind.";
    UNKNOWN_STATE Error "unknown-state" "A name where a state is expected, and no state has it.";
    UNKNOWN_MODE Error "unknown-mode" "A name where a mode is expected, and no mode has it.";
    UNKNOWN_ACTION Error "unknown-action" "Words that are no action of the vocabulary.";
    UNKNOWN_CONDITION Error "unknown-condition" "Words that are no condition of the vocabulary.";
    UNKNOWN_CLASS Error "unknown-class" "A pattern that is no class of the table and no word of the state's subject.";
    UNKNOWN_STEP Error "unknown-step" "Words of an algorithm that are no step of the vocabulary.";
    UNKNOWN_LABEL Error "unknown-label" "A `go` to a label that the algorithm does not have.";
    UNBOUND_VARIABLE Error "unbound-variable" "A variable of an algorithm that is read before it is given or let.";
    WRONG_KIND Error "wrong-kind" "A value of an algorithm that is of another kind than its place wants.";
    UNKNOWN_ERROR Error "unknown-error" "An error code that the table does not declare.";
    UNKNOWN_FLAG Error "unknown-flag" "A flag, a counter, or a value of one, that the table does not declare.";
    UNKNOWN_NAME Error "unknown-name" "A word that is not among those that may stand here.";
    UNKNOWN_SUBJECT Error "unknown-subject" "A state `on` something that is no procedure and no register.";
    UNKNOWN_LEXEME Error "unknown-lexeme" "A name in an expression or a lexical mode that is no lexeme.";
    BAD_PATTERN Error "bad-pattern" "A pattern that cannot stand in this place.";
    BAD_REFERENCES Error "bad-references" "The file of named character references is missing or not in its format.";
    OVERLAPPING_ROWS Error "overlapping-rows" "Two rows of a state that both want the same input.";
    MISSING_EOF Error "missing-eof" "A state that does not say what happens at the end of the input.";
    MISSING_ELSE Error "missing-else" "A state that does not say what happens otherwise.";
    UNREACHABLE_ROW Error "unreachable-row" "A row that no input can reach.";
    UNREACHABLE_STATE Error "unreachable-state" "A state that nothing switches to.";
    UNREACHABLE_MODE Error "unreachable-mode" "A mode that nothing switches to and whose rules nothing uses.";
    STEPS_CYCLE Error "steps-cycle" "Steps of tree construction that take themselves.";
    MISPLACED_STEP Error "misplaced-step" "A step or a condition of tree construction where it makes no sense.";
    SAID_OTHERWISE Error "said-otherwise" "A name that a declaration of tree construction says, and the algorithms that do the same do not, or the other way around.";
    UNFOLLOWED_STEPS Error "unfollowed-steps" "Steps of an algorithm that parsers do by hand, where those of the table are others; or an algorithm that nothing runs.";
    REPROCESS_CYCLE Error "reprocess-cycle" "Modes that hand a token around and do nothing with it.";
    UNMATCHABLE_LEXEME Error "unmatchable-lexeme" "A lexical token that can never win: other rows of the mode always take what it matches.";
    AMBIGUOUS_DATA Error "ambiguous-data" "A lexeme whose data, or end, cannot be known while it is read character by character.";
    RECONSUME_CYCLE Error "reconsume-cycle" "States that hand an input around without consuming it.";
    NO_CURRENT_CHARACTER Error "no-current-character" "`current`, `lower` or `add-digit` where no single character was consumed.";
    USED_BEFORE_CREATED Error "used-before-created" "A register that is used on a way on which it was not made.";
    EMITTED_BEFORE_CREATED Error "emitted-before-created" "A token that is emitted on a way on which it was not created.";
    RETURN_STATE_NOT_SET Error "return-state-not-set" "A switch to the return state on a way on which it was not set.";
    RETURN_WITHOUT_CALLER Error "return-without-caller" "`return` or `called-by` outside a procedure, or a procedure that is never called.";
    PROCEDURE_BOUNDARY Error "procedure-boundary" "A switch into or out of a procedure, a call within one, or `return nothing` in a machine that inserts text.";
    HOST_FLAG Error "host-flag" "A row that sets a flag which only the host sets.";
    DANGLING_END Error "dangling-end" "Steps after `as else`, `return`, `emit end-of-file` or `stop`, or after branches that both end, a second switch, or an end where none can stand.";
    CONDITION_AFTER_ACTION Error "condition-after-action" "A condition on something that the row has changed before: conditions are read first.";
    MISPLACED_CONDITION Error "misplaced-condition" "A condition on the input ahead where no input is looked at, or a guard that asks what comes after.";
    UNUSED_CLASS Warning "unused-class" "A class that no row names.";
    UNUSED_LEXEME Warning "unused-lexeme" "A lexeme that no row and no other lexeme names.";
    UNUSED_ERROR Warning "unused-error" "An error code that nothing reports.";
    UNUSED_FLAG Warning "unused-flag" "A flag that no condition asks for.";
    UNUSED_STEPS Warning "unused-steps" "Steps of tree construction that nothing takes.";
    UNUSED_DECLARATION Warning "unused-declaration" "A scope, flag, pointer, condition, table of names or word of tree construction that nothing uses.";
    UNUSED_NAMES Warning "unused-names" "A set of element names that nothing uses.";
    RARE_NAME Warning "rare-name" "An element name of modes that occurs once and is one letter from one that occurs more often.";
    STALE_NOTE Warning "stale-note" "A `fills` or `deviates` without a reason.";
}

impl Diagnostic {
    /// A diagnostic of the check, with its message.
    pub(crate) fn new(check: &'static Check, span: Span, message: impl Into<String>) -> Self {
        Self {
            check: check.name,
            severity: check.severity,
            span,
            message: message.into(),
            other: None,
            brought: None,
            help: None,
        }
    }

    /// The diagnostic, naming the other place that is concerned.
    pub(crate) fn and(mut self, span: Span, why: impl Into<String>) -> Self {
        self.other = Some((span, why.into()));
        self
    }

    /// The diagnostic, with the cure.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The message where the place is shown already, as under rustc's caret: check, message, the other places as
    /// `path:line:column`, and the cure.
    pub fn text(&self, source: &Source) -> String {
        let mut text = format!("[{}] {}", self.check, self.message);
        for (span, why) in self.others() {
            let _ = write!(text, "\n{why} at {}", source.place(span));
        }
        if let Some(help) = &self.help {
            let _ = write!(text, "\nhelp: {help}");
        }
        text
    }

    /// The message with path, line, column, the line itself and a caret, as a terminal shows it. `source` is the table as
    /// [`crate::Loaded`] has it, with the files that it brings in.
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

    /// The other places that are concerned, and why.
    pub fn others(&self) -> impl Iterator<Item = (Span, &str)> {
        let other = self.other.as_ref().map(|(span, why)| (*span, &why[..]));
        other.into_iter().chain(self.brought.map(|span| (span, "the file is brought in")))
    }
}

/// The text of a table and where it came from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as messages show it.
    pub path: String,
    /// The text.
    pub text: String,
    /// Lines before the text, for a table that is inside another file.
    pub lines_before: usize,
    /// Characters before the first line of the text, likewise.
    pub columns_before: usize,
    /// The files that the table brings in, in the order of their [`FileId`]s: first the one after [`FileId::OWN`]. Their
    /// paths are the names by which they were asked for, until somebody writes better ones.
    pub files: Vec<Source>,
}

impl Source {
    /// A table that is a file of its own.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let (path, text) = (path.into(), text.into());
        Self { path, text, lines_before: 0, columns_before: 0, files: Vec::new() }
    }

    /// The file: the table itself, or one that it brings in.
    pub fn file(&self, id: FileId) -> Option<&Self> {
        let brought = usize::from(id.0).checked_sub(1);
        brought.map_or(Some(self), |index| self.files.get(index))
    }

    /// The place as `path:line:column`, which editors and terminals open.
    pub fn place(&self, span: Span) -> String {
        let Some(file) = self.file(span.file) else { return self.path.clone() };
        let (line, column) = file.line_column(span.start);
        format!("{}:{line}:{column}", file.path)
    }

    /// Line and column of a byte offset of this text, both from 1, the column in characters.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let before = self.text.get(..offset as usize).unwrap_or(&self.text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count();
        let indent = if line == 0 { self.columns_before } else { 0 };
        (self.lines_before + line + 1, indent + before[start..].chars().count() + 1)
    }

    /// Appends the place as `path:line:column`, the line and a caret under it.
    fn render_span(&self, text: &mut String, span: Span, arrow: &str) {
        let Some(file) = self.file(span.file) else { return };
        let (line, column) = file.line_column(span.start);
        let (at, own) = (span.start as usize, &file.text);
        let start = own[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let end = own[at..].find('\n').map_or(own.len(), |end| at + end);
        let shown = &own[start..end];
        let within = own[start..at].chars().count();
        let marked = own[at..(span.end as usize).clamp(at, end)].chars().count();
        let gutter = line.to_string().len();
        let _ = writeln!(text, "{:gutter$}{arrow} {}:{line}:{column}", "", file.path);
        let _ = writeln!(text, "{line} | {shown}");
        let _ = writeln!(text, "{:gutter$} | {:within$}{}", "", "", "^".repeat(marked.max(1)));
    }
}
