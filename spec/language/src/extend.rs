//! Extension of a table: the declarations of the base, changed as the table specifies. Works on syntax trees, and keeps
//! the spans of included files.

mod conflict;
mod rows;
mod steps;

use conflict::{conflict, namesake};

use crate::diagnostic::{
    Diagnostic, NOTHING_TO_CHANGE, RARE_NAME, Severity, Source, UNKNOWN_BASE, UNKNOWN_NAME,
};
use crate::nearest::nearest;
use crate::parse;
use crate::syntax::{
    Change, FileId, Item, ItemBody, ParsedState, ParsedTokenPattern, RowChange, Span, StepChange,
    Table, Word,
};

/// Maximum depth of a chain of extensions.
const MAX_DEPTH: usize = 16;

/// Returns the name of the table that a table extends, if any.
pub fn base_of(table: &Table) -> Option<&Word> {
    table.items.iter().find_map(|item| match &item.body {
        ItemBody::Extends { base, is_whole: true, .. } => Some(base),
        _ => None,
    })
}

/// A table with its extensions applied, and the files that it includes.
#[derive(Debug, Default)]
pub struct Extended {
    /// The table with all extensions applied.
    pub table: Table,
    /// Diagnostics about included files and changes.
    pub diagnostics: Vec<Diagnostic>,
    /// Included files in the order of their ids, each with its file name.
    pub files: Vec<Source>,
    /// For each included file, the span that names it.
    pub included_at: Vec<Span>,
    /// Words of included text that could not be parsed.
    pub skipped_words: Vec<String>,
    /// Whether an included file is missing or could not be parsed at all, so that unknown names may be declared in it.
    pub is_partial: bool,
}

/// Returns the table with its extensions applied, together with its included files. `files` returns the text of the file
/// with a given name, or `None` if there is no such file.
pub fn extended(table: Table, files: &dyn Fn(&str) -> Option<String>) -> Extended {
    let mut extender = Extender { files, collected: Extended::default() };
    let table = extender.extended(table, MAX_DEPTH);
    Extended { table, ..extender.collected }
}

/// A reader of the files that a table includes or extends, which applies the extensions.
struct Extender<'f> {
    files: &'f dyn Fn(&str) -> Option<String>,
    /// Files and diagnostics collected so far.
    collected: Extended,
}

/// Sets `included_at` in each diagnostic about an included file. Drops warnings about included files, except
/// `rare-name`, as they concern another table or result from a replacement.
pub fn set_included_at(diagnostics: &mut Vec<Diagnostic>, included_at: &[Span]) {
    let is_in_included = |span: Span| span.file != FileId::TABLE;
    diagnostics.retain(|one| {
        one.severity == Severity::Error || !is_in_included(one.span) || one.check == RARE_NAME.name
    });
    for diagnostic in diagnostics.iter_mut().filter(|one| is_in_included(one.span)) {
        // An included file may be included by another included file, so the chain of inclusions is followed to the
        // table.
        let mut span = diagnostic.span;
        while let Some(index) = usize::from(span.file.0).checked_sub(1) {
            let Some(&outer) = included_at.get(index) else { break };
            span = outer;
        }
        diagnostic.included_at = Some(span);
    }
}

impl Extender<'_> {
    /// Parses the file that is included at the span `included_at`, and collects the file and its diagnostics. Returns
    /// `None` if nothing could be parsed.
    fn read(&mut self, name: &str, text: String, included_at: Span) -> Option<Table> {
        let collected = &mut self.collected;
        collected.included_at.push(included_at);
        let parsed = parse::read_file(FileId(collected.included_at.len() as u16), &text);
        collected.files.push(Source::new(name, text));
        collected.diagnostics.extend(parsed.diagnostics);
        collected.skipped_words.extend(parsed.skipped_words);
        collected.is_partial |= parsed.table.is_none();
        parsed.table
    }

    fn extended(&mut self, mut table: Table, depth: usize) -> Table {
        let modes_index = table.items.iter().position(|item| item.setting("modes").is_some());
        let modes_item = modes_index.map(|index| table.items.remove(index));
        if let Some(file) = modes_item.as_ref().and_then(|item| item.setting("modes")) {
            self.add_modes(&mut table, file);
            if let Some(second) = table.items.iter().find_map(|item| item.setting("modes")) {
                let message = "a table can include only one file of modes";
                self.collected.diagnostics.push(
                    Diagnostic::new(UNKNOWN_BASE, second.span, message)
                        .and(file.span, "the first file of modes")
                        .help("write the modes of both files into one"),
                );
            }
        }
        let is_extension = |item: &Item| matches!(item.body, ItemBody::Extends { .. });
        let mut has_base = false;
        while let Some(index) = table.items.iter().position(is_extension) {
            let ItemBody::Extends { base, changes, is_whole } = table.items.remove(index).body
            else {
                break;
            };
            if is_whole && std::mem::replace(&mut has_base, true) {
                continue;
            }
            table = self.with_base(table, base, changes, is_whole, depth);
        }
        table
    }

    /// Adds to the table the declarations of its base, after applying the changes to them: all of the declarations if
    /// `is_whole`, otherwise only those that the changes take. Reports a base that cannot be read, and then returns the
    /// table unchanged.
    fn with_base(
        &mut self,
        table: Table,
        base: Word,
        changes: Vec<Change>,
        is_whole: bool,
        depth: usize,
    ) -> Table {
        if let Some(second) = base_of(&table).filter(|_| is_whole) {
            let message = "a table can extend only one other table";
            self.collected.diagnostics.push(
                Diagnostic::new(UNKNOWN_BASE, second.span, message)
                    .and(base.span, "the first extended table")
                    .help("let one of the extended tables extend the other"),
            );
        }
        let name = format!("{}.states", base.value);
        let text = (self.files)(&name);
        let exists = text.is_some();
        let (Some(text), Some(depth)) = (text, depth.checked_sub(1)) else {
            self.collected.diagnostics.push(unknown_base(&base, exists));
            self.collected.is_partial = true;
            return table;
        };
        let Some(parsed) = self.read(&name, text, base.span) else { return table };
        let base_table = self.extended(parsed, depth);
        let mut items = base_table.items;
        items.retain(|item| {
            item.setting("name").is_none() && (is_whole || is_selected(&changes, item))
        });
        for Item { kind, .. } in table.items.iter().filter(|own| own.own_name().is_none()) {
            items.retain(|item| !is_single(kind) || item.kind != *kind);
        }
        let declarations = items.iter().chain(&table.items);
        let tokens = declarations.filter(|item| matches!(item.body, ItemBody::Token { .. }));
        let tokens = tokens.map(|item| item.name.value.clone()).collect();
        let mut change_diagnostics = Vec::new();
        let mut merger = Merger { items, tokens, diagnostics: &mut change_diagnostics };
        changes.into_iter().for_each(|change| merger.change(change));
        let mut items = merger.items;
        // If a file could not be read, the names that changes refer to may be declared in it, so no errors of changes
        // are reported.
        if !self.collected.is_partial {
            self.collected.diagnostics.extend(change_diagnostics);
        }
        for own in table.items {
            let Some(other) = namesake(&own, &items) else {
                items.push(own);
                continue;
            };
            let help = "write `replace …` after `extends`, or give it another name";
            self.collected.diagnostics.extend(conflict(&own, other, base.span, help));
        }
        Table { items }
    }

    /// Adds the declarations of a file of modes to the table, except `name`, `document`, `start` and `extends`. A
    /// declaration with the kind and name of one of the table's own is not added, and is reported if the two differ.
    fn add_modes(&mut self, table: &mut Table, file: &Word) {
        let Some(text) = (self.files)(&file.value) else {
            let message = format!("there is no file `{}` next to the table", file.value);
            let help = "put it there, or write the modes into this table";
            self.collected
                .diagnostics
                .push(Diagnostic::new(UNKNOWN_BASE, file.span, message).help(help));
            self.collected.is_partial = true;
            return;
        };
        let parsed = self.read(&file.value, text, file.span);
        let identifies_machine =
            |item: &Item| matches!(&item.kind[..], "name" | "start" | "document" | "extends");
        for mut item in parsed.unwrap_or_default().items {
            // An error code that the table declares, too, is dropped from the included items, as a second declaration
            // would be an error.
            if let ItemBody::Errors(codes) = &mut item.body {
                codes.retain(|code| !declares_error(table, &code.value));
            }
            if identifies_machine(&item) {
                continue;
            }
            let Some(own) = namesake(&item, &table.items) else {
                table.items.push(item);
                continue;
            };
            let help = "rename one of the two: the rows of the file rely on its declarations";
            self.collected.diagnostics.extend(conflict(own, &item, file.span, help));
        }
    }
}

fn declares_error(table: &Table, code: &str) -> bool {
    table.items.iter().any(|item| match &item.body {
        ItemBody::Errors(codes) | ItemBody::HostErrors(codes) => {
            codes.iter().any(|other| other.value == code)
        }
        _ => false,
    })
}

fn unknown_base(base: &Word, exists: bool) -> Diagnostic {
    let (message, help) = match exists {
        true => (
            format!("`{}` extends itself, or the chain of extended tables is too long", base.value),
            "name a table that extends no other table",
        ),
        false => (
            format!("there is no table `{}.states`", base.value),
            "name a dialect of tabulex, or a table next to this one",
        ),
    };
    Diagnostic::new(UNKNOWN_BASE, base.span, message).help(help)
}

/// For each base that does not exist, suggests the nearest of the existing tables, whose names `names` returns.
pub fn suggest_bases(
    diagnostics: &mut [Diagnostic],
    source: &Source,
    names: &dyn Fn() -> Vec<String>,
) {
    for diagnostic in diagnostics.iter_mut().filter(|one| one.check == UNKNOWN_BASE.name) {
        let Span { file, start, end } = diagnostic.span;
        let file = source.file(file);
        let name = file.and_then(|file| file.text.get(start as usize..end as usize));
        let names = names();
        let names: Vec<&str> = names.iter().map(|name| &name[..]).collect();
        let unknown = name.filter(|name| !names.contains(name));
        if let Some(help) = unknown.and_then(|name| nearest(name, &names)) {
            diagnostic.help = Some(help);
        }
    }
}

/// Whether a table has at most one declaration of this kind. The kind must be one whose declarations have no names.
fn is_single(kind: &str) -> bool {
    !matches!(kind, "entry" | "errors" | "input" | "emitting" | "extends")
}

/// Whether one of the changes takes the declaration from the included file.
fn is_selected(changes: &[Change], item: &Item) -> bool {
    changes.iter().any(|change| match change {
        Change::Take { kind, names } => {
            names.iter().any(|name| has_kind_and_name(item, &kind.value, &name.value))
        }
        _ => false,
    })
}

/// Whether the declaration has this kind and name.
fn has_kind_and_name(item: &Item, kind: &str, name: &str) -> bool {
    item.kind == kind && item.own_name().is_some_and(|own| own.value == name)
}

/// Kinds of declarations that can be removed by name.
const REMOVABLE: &str = "limit, class, flag, counter, token, condition, action, lexeme, \
    procedure, state, lexical-mode, names, steps, mode, scope, adjust, doctypes, tokenizer, tell, \
    errors, entry";

/// The base's declarations while changes are applied.
struct Merger<'d> {
    items: Vec<Item>,
    /// Names of the kinds of tokens that the base and the table declare.
    tokens: Vec<String>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Merger<'_> {
    fn report(&mut self, span: Span, what: &str) {
        let message = format!("the extended table has no {what}");
        let help = "use a name of that table, or `add` a new declaration";
        self.diagnostics.push(Diagnostic::new(NOTHING_TO_CHANGE, span, message).help(help));
    }

    /// Reports that the extended table has no declaration of this kind and name, and suggests the nearest of those that
    /// it has, if one is near enough.
    fn report_missing(&mut self, kind: &str, name: &Word) {
        self.report(name.span, &format!("{kind} `{}`", name.value));
        let names = self.items.iter().flat_map(|item| match kind {
            "state" => Vec::from_iter(item.states().iter().map(|state| &state.name)),
            _ => Vec::from_iter(item.own_name().filter(|_| item.kind == kind)),
        });
        let names: Vec<&str> = names.map(|name| &name.value[..]).collect();
        let help = nearest(&name.value, &names);
        if let (Some(help), Some(last)) = (help, self.diagnostics.last_mut()) {
            last.help = Some(help);
        }
    }

    /// Reports a change of a row that the state or mode `place` of the extended table does not have.
    fn report_row(&mut self, span: Span, place: &str) {
        let message = format!("the extended table has no row with this pattern in {place}");
        let help = "use the pattern of one of its rows, exactly as written there, or `add` a row";
        self.diagnostics.push(Diagnostic::new(NOTHING_TO_CHANGE, span, message).help(help));
    }

    fn change(&mut self, change: Change) {
        match change {
            Change::Add(item) => self.items.push(*item),
            Change::Replace(item, span) => self.replace(*item, span),
            Change::Take { kind, names } => self.check_selected_names(&kind, &names),
            Change::Remove { kind, names } => self.remove_all(&kind, &names),
            Change::Rows { state, changes } => self.change_rows(&state, changes),
            Change::ModeRows { mode, changes } => self.change_mode_rows(&mode, changes),
            Change::Steps { algorithm, changes } => self.change_steps(&algorithm, changes),
        }
    }

    /// Reports the names in a `take` that the extended table does not declare.
    fn check_selected_names(&mut self, kind: &Word, names: &[Word]) {
        for name in names {
            if !self.items.iter().any(|item| has_kind_and_name(item, &kind.value, &name.value)) {
                self.report(name.span, &format!("{} `{}`", kind.value, name.value));
            }
        }
    }

    fn replace(&mut self, item: Item, span: Span) {
        let (kind, name) = (item.kind.clone(), item.name.value.clone());
        let span = item.own_name().map_or(span, |name| name.span);
        if name.is_empty() && !is_single(&kind) {
            let message =
                format!("`{kind}` declarations cannot be replaced, as a table may have several");
            let help = "`add` a declaration beside those of the extended table";
            self.diagnostics.push(Diagnostic::new(NOTHING_TO_CHANGE, span, message).help(help));
            return;
        }
        let is_state = |item: &Item| matches!(item.body, ItemBody::State(_));
        // A state also replaces a lexical mode of its name, and vice versa.
        let is_replaced = |other: &Item| {
            other.name.value == name && (other.kind == kind || is_state(other) && is_state(&item))
        };
        if let Some(index) = self.items.iter().position(is_replaced) {
            self.items[index] = item;
            return;
        }
        // Otherwise, the state may belong to a procedure.
        match (self.state(&name), item.body) {
            (Some(old), ItemBody::State(new)) => *old = new,
            _ => self.report(span, &format!("{kind} `{name}`")),
        }
    }

    fn remove_all(&mut self, kind: &Word, names: &[Word]) {
        if !REMOVABLE.split(", ").any(|removable| removable == kind.value) {
            let message = format!("declarations of kind `{}` cannot be removed", kind.value);
            let help = format!("only these kinds can be removed: {REMOVABLE}");
            self.diagnostics.push(Diagnostic::new(UNKNOWN_NAME, kind.span, message).help(help));
            return;
        }
        for name in names {
            if !self.remove(&kind.value, &name.value) {
                self.report(name.span, &format!("{} `{}`", kind.value, name.value));
            }
        }
    }

    /// Removes the declaration of this kind and name. Returns whether it existed.
    fn remove(&mut self, kind: &str, name: &str) -> bool {
        let mut was_found = false;
        for item in &mut self.items {
            match &mut item.body {
                ItemBody::Errors(names) | ItemBody::HostErrors(names) if kind == "errors" => {
                    was_found |= remove_name(names, name);
                }
                ItemBody::Entry(names) if kind == "entry" => was_found |= remove_name(names, name),
                ItemBody::Procedure(states) if kind == "state" => {
                    let count_before = states.len();
                    states.retain(|state| state.name.value != name);
                    was_found |= states.len() < count_before;
                }
                _ => {}
            }
        }
        let count_before = self.items.len();
        self.items.retain(|item| !has_kind_and_name(item, kind, name));
        was_found || self.items.len() < count_before
    }

    /// Returns the state with this name, inside or outside of a procedure; `None` if there is none.
    fn state(&mut self, name: &str) -> Option<&mut ParsedState> {
        let states = self.items.iter_mut().flat_map(|item| match &mut item.body {
            ItemBody::State(state) => std::slice::from_mut(state),
            ItemBody::Procedure(states) => &mut states[..],
            _ => &mut [],
        });
        states.into_iter().find(|state| state.name.value == name)
    }

    fn change_rows(&mut self, name: &Word, changes: Vec<RowChange>) {
        let Some(state) = self.state(&name.value) else {
            return self.report_missing("state", name);
        };
        for span in rows::change(&mut state.rows, changes, &|_| {}) {
            self.report_row(span, &format!("state `{}`", name.value));
        }
    }

    fn change_mode_rows(&mut self, name: &Word, changes: Vec<RowChange<ParsedTokenPattern>>) {
        let rows = self.items.iter_mut().find_map(|item| match &mut item.body {
            ItemBody::Mode(rows) if item.name.value == name.value => Some(rows),
            _ => None,
        });
        let Some(rows) = rows else { return self.report_missing("mode", name) };
        let tokens = &self.tokens;
        for span in rows::change(rows, changes, &|patterns| rows::add_kinds(patterns, tokens)) {
            self.report_row(span, &format!("mode `{}`", name.value));
        }
    }

    fn change_steps(&mut self, name: &Word, changes: Vec<StepChange>) {
        let steps = self.items.iter_mut().find_map(|item| match &mut item.body {
            ItemBody::Algorithm(steps) if item.name.value == name.value => Some(steps),
            _ => None,
        });
        let Some(steps) = steps else { return self.report_missing("algorithm", name) };
        self.diagnostics.extend(steps::change(steps, changes, &name.value));
    }
}

/// Removes a name from a list. Returns whether the list contained it.
fn remove_name(names: &mut Vec<Word>, name: &str) -> bool {
    let count_before = names.len();
    names.retain(|other| other.value != name);
    names.len() < count_before
}
