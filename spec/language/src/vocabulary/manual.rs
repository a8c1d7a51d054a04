//! Generation of the manual's lists of forms, clauses, slots and checks from their declarations. The text around the
//! lists is in `spec/REFERENCE.md` and stays unchanged.
//!
//! A list is between the lines `<!-- generated: NAME -->` and `<!-- end of NAME -->`.

use super::algorithm::{
    BYTE_QUESTIONS, BYTE_STEPS, BYTE_VALUES, COMMON_QUESTIONS, COMMON_VALUES, FLOW, Phrase,
    QUESTIONS, STEPS, VALUES, WRITING_QUESTIONS, WRITING_STEPS, WRITING_VALUES,
};
use super::tree::{DOCTYPE_TESTS, TREE_ACTIONS, TREE_CONDITIONS};
use super::{
    ACTIONS, CONDITIONS, Clause, ENCODINGS, FIELDS, Field, Form, FormPart, Product,
    SELECTED_CONTENT, Slot, TEXTS, Text, form_parts,
};
use crate::diagnostic::{CHECKS, Severity};

/// The cells of a row of a list.
type TableRow = Vec<String>;

/// A list of the manual.
struct List {
    name: &'static str,
    head: &'static [&'static str],
    rows: Vec<TableRow>,
}

/// Returns the manual with its lists regenerated.
///
/// # Errors
///
/// Returns an error if a list is missing, unknown, duplicate or unterminated.
pub fn fill(manual: &str) -> Result<String, String> {
    let mut lists = lists();
    let (mut text, mut lines) = (String::new(), manual.lines());
    while let Some(line) = lines.next() {
        text.push_str(line);
        text.push('\n');
        let name = line.strip_prefix("<!-- generated: ").and_then(|rest| rest.strip_suffix(" -->"));
        let Some(name) = name else { continue };
        let index = lists.iter().position(|list| list.name == name);
        let index = index.ok_or_else(|| format!("the list `{name}` is unknown or duplicate"))?;
        let end = format!("<!-- end of {name} -->");
        if !lines.any(|line| line == end) {
            return Err(format!("the list `{name}` has no line `{end}`"));
        }
        text.push_str(&lists.remove(index).markdown());
        text.push_str(&end);
        text.push('\n');
    }
    match lists.first() {
        Some(list) => Err(format!("the manual lacks the list `{}`", list.name)),
        None => Ok(text),
    }
}

/// Returns all lists that the manual must contain.
fn lists() -> Vec<List> {
    let (actions, conditions) = (&["action", "meaning"], &["condition", "meaning"]);
    let (steps, values) = (&["step", "meaning"], &["value", "meaning"]);
    let (of_states, of_trees) = slots();
    vec![
        form_list("actions", actions, ACTIONS),
        form_list("conditions", conditions, CONDITIONS),
        form_list("tree-actions", actions, TREE_ACTIONS),
        form_list("html-tree-actions", actions, TREE_ACTIONS),
        form_list("tree-conditions", conditions, TREE_CONDITIONS),
        form_list("html-tree-conditions", conditions, TREE_CONDITIONS),
        form_list("doctype-tests", &["test", "meaning"], DOCTYPE_TESTS),
        phrase_list("common-steps", steps, FLOW),
        phrase_list("common-conditions", conditions, COMMON_QUESTIONS),
        phrase_list("common-values", values, COMMON_VALUES),
        phrase_list("steps", steps, STEPS),
        phrase_list("step-conditions", conditions, QUESTIONS),
        phrase_list("step-values", values, VALUES),
        phrase_list("byte-steps", steps, BYTE_STEPS),
        phrase_list("byte-conditions", conditions, BYTE_QUESTIONS),
        phrase_list("byte-values", values, BYTE_VALUES),
        phrase_list("writing-steps", steps, WRITING_STEPS),
        phrase_list("writing-conditions", conditions, WRITING_QUESTIONS),
        phrase_list("writing-values", values, WRITING_VALUES),
        clause_list("encodings", ENCODINGS),
        clause_list("selected-content", SELECTED_CONTENT),
        slot_list("slots", &of_states),
        texts(),
        fields(),
        slot_list("tree-slots", &of_trees),
        checks(),
    ]
}

fn form_list<M>(name: &'static str, head: &'static [&'static str], forms: &[Form<M>]) -> List {
    let in_list = forms.iter().filter(|form| form.list == name);
    let row = |form: &Form<M>| vec![format!("`{}`", form.syntax), form.meaning.to_owned()];
    List { name, head, rows: in_list.map(row).collect() }
}

fn phrase_list<M>(
    name: &'static str,
    head: &'static [&'static str],
    phrases: &[Phrase<M>],
) -> List {
    let description = |phrase: &Phrase<M>| match phrase.kind {
        Some(kind) => format!("{} It is {}.", phrase.meaning, kind.description()),
        None => phrase.meaning.to_owned(),
    };
    let row = |phrase: &Phrase<M>| vec![format!("`{}`", phrase.syntax), description(phrase)];
    List { name, head, rows: phrases.iter().map(row).collect() }
}

fn clause_list<M>(name: &'static str, clauses: &[Clause<M>]) -> List {
    let row =
        |clause: &Clause<M>| vec![format!("`{}`", clause.syntax()), clause.meaning.to_owned()];
    List { name, head: &["clause", "meaning"], rows: clauses.iter().map(row).collect() }
}

/// Returns the slots of states, and those that only modes have.
fn slots() -> (Vec<Slot>, Vec<Slot>) {
    let (mut of_states, mut of_trees) = (Vec::new(), Vec::new());
    collect_slots(ACTIONS, &mut of_states);
    collect_slots(CONDITIONS, &mut of_states);
    collect_slots(TREE_ACTIONS, &mut of_trees);
    collect_slots(TREE_CONDITIONS, &mut of_trees);
    let all = || Slot::ALL.iter().copied();
    let is_of_trees = |slot: &Slot| of_trees.contains(slot) && !of_states.contains(slot);
    (all().filter(|slot| of_states.contains(slot)).collect(), all().filter(is_of_trees).collect())
}

/// Adds the slots of the forms to `slots`, except those of forms that stand for names defined by the table.
fn collect_slots<M>(forms: &[Form<M>], slots: &mut Vec<Slot>) {
    for form in forms.iter().filter(|form| !matches!(form.makes, Product::Defined)) {
        slots.extend(form_parts(form.syntax).filter_map(|part| match part {
            FormPart::Slot(slot) => Some(slot),
            FormPart::Word(_) => None,
        }));
    }
}

fn slot_list(name: &'static str, slots: &[Slot]) -> List {
    let row = |slot: &Slot| {
        let words: Vec<String> = slot.words().iter().map(|word| format!("`{word}`")).collect();
        let takes = match &words[..] {
            [] => slot.takes().to_owned(),
            words => format!("{}: {}.", slot.takes(), words.join(", ")),
        };
        vec![format!("`<{}>`", slot.name()), takes]
    };
    List { name, head: &["slot", "takes"], rows: slots.iter().map(row).collect() }
}

/// Returns the list of texts: those that have a word, and those that have none.
fn texts() -> List {
    let row = |shown: String, text: &Text| vec![shown, text.meaning().to_owned()];
    let literal = row("`'-'`, `\"</\"`".to_owned(), &Text::Literal(String::new()));
    let words = TEXTS.iter().map(|(word, text)| row(format!("`{word}`"), text));
    let data = row("a name that the row gives to data".to_owned(), &Text::Data(0));
    let rows = std::iter::once(literal).chain(words).chain([data]).collect();
    List { name: "texts", head: &["text", "meaning"], rows }
}

fn fields() -> List {
    let row = |(word, field): &(&str, Field)| -> TableRow {
        vec![format!("`{word}`"), field.meaning().to_owned()]
    };
    List { name: "fields", head: &["field", "meaning"], rows: FIELDS.iter().map(row).collect() }
}

fn checks() -> List {
    let rows = CHECKS.iter().map(|check| {
        let severity = match check.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        vec![format!("`{}`", check.name), severity.to_owned(), check.finds.to_owned()]
    });
    List { name: "checks", head: &["check", "severity", "finds"], rows: rows.collect() }
}

impl List {
    /// Formats the list as a Markdown table.
    fn markdown(&self) -> String {
        let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let cells =
            |cell: &str| -> TableRow { self.head.iter().map(|_| cell.to_owned()).collect() };
        let head: TableRow = self.head.iter().map(|cell| (*cell).to_owned()).collect();
        let body = self.rows.iter().map(|cells| {
            let escaped: TableRow = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            row(&escaped)
        });
        [row(&head), row(&cells("---"))].into_iter().chain(body).collect()
    }
}
