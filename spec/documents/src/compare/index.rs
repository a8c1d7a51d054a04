//! A table prepared for comparison: names of classes and conditions are replaced by their definitions. Rows keep their
//! order and spans.

use super::modes::Trees;
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::model::CharacterSet;
use tabulex_language::syntax::{
    Argument, Conditions, Item, NoteKind, Pattern, Span, Spanned, Step, Table, Word, Words,
};

/// A table prepared for comparison.
#[derive(Debug)]
pub struct Index<'t> {
    pub(super) table: &'t Table,
    pub(super) states: Vec<State<'t>>,
    /// The declarations of tree construction.
    pub(super) trees: Trees<'t>,
    pub(super) conditions: BTreeMap<&'t str, &'t Conditions>,
    pub(super) flags: BTreeMap<&'t str, Vec<&'t str>>,
    /// Actions that the table defines.
    pub(super) actions: BTreeMap<&'t str, &'t [Step]>,
    classes: BTreeMap<&'t str, CharacterSet>,
    /// Text of the definitions that all states share.
    common: String,
    /// States in which the temporary buffer may be read before it is set again.
    reading_buffer: BTreeSet<String>,
    /// Whether some state that may be returned to is in `reading_buffer`.
    read_on_return: bool,
}

/// A state with its names resolved.
#[derive(Debug)]
pub(super) struct State<'t> {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) subject: Option<&'t str>,
    /// Whether its rows match lexical tokens.
    pub(super) is_lexical: bool,
    pub(super) enter: &'t [Step],
    pub(super) leave: &'t [Step],
    pub(super) rows: Vec<Row<'t>>,
    /// Whether every row leaves the state.
    pub(super) is_passed: bool,
    /// Text of the state's own contents.
    pub(super) signature: String,
}

/// A row of a state with its names resolved.
#[derive(Debug)]
pub(super) struct Row<'t> {
    pub(super) span: Span,
    pub(super) characters: CharacterSet,
    pub(super) numbers: Vec<(u32, u32)>,
    /// Other patterns, each as a word.
    pub(super) words: Vec<String>,
    pub(super) guard: Option<&'t Conditions>,
    pub(super) steps: &'t [Step],
    pub(super) notes: Vec<(NoteKind, String)>,
}

impl<'t> Index<'t> {
    /// Prepares a table for comparison.
    pub fn new(table: &'t Table) -> Self {
        let mut index = Self {
            table,
            states: Vec::new(),
            trees: Trees::default(),
            conditions: BTreeMap::new(),
            flags: BTreeMap::new(),
            actions: BTreeMap::new(),
            classes: BTreeMap::new(),
            common: String::new(),
            reading_buffer: BTreeSet::new(),
            read_on_return: false,
        };
        for item in &table.items {
            match item {
                Item::Class { name, patterns } => {
                    let patterns = patterns.iter().map(|pattern| &pattern.value);
                    let (characters, ..) = index.patterns(patterns);
                    index.classes.insert(&name.value, characters);
                }
                Item::Action { name, steps, .. } => {
                    index.actions.insert(&name.value, steps);
                }
                Item::Condition { name, conditions } => {
                    index.conditions.insert(&name.value, conditions);
                }
                Item::Flag { name, values, .. } => {
                    let values = values.iter().map(|value| &value.value[..]).collect();
                    index.flags.insert(&name.value, values);
                }
                _ => {}
            }
        }
        for item in &table.items {
            match item {
                Item::State(state) => index.add(state),
                Item::Procedure { states, .. } => states.iter().for_each(|state| index.add(state)),
                _ => {}
            }
        }
        index.trees = super::modes::gather(table, &index.classes);
        index.find_buffer_readers();
        index.sign();
        index
    }

    /// Fills in `common` and each state's `signature`.
    fn sign(&mut self) {
        let mut common =
            format!("{:?} {:?} {}", self.flags, self.reading_buffer, self.read_on_return);
        for (name, conditions) in &self.conditions {
            common += &format!("{name} {}", condition_text(conditions));
        }
        for (name, steps) in &self.actions {
            common += &format!("{name} {}", steps_text(steps));
        }
        for state in &self.states {
            common += &format!("{} {} {}", state.name, state.is_passed, steps_text(state.enter));
        }
        for state in &mut self.states {
            let mut signature = format!("{:?} {}", state.subject, steps_text(state.leave));
            for row in &state.rows {
                let guard = row.guard.map_or(String::new(), condition_text);
                signature += &format!(
                    "{:?} {:?} {:?} {guard} {} {:?}\n",
                    row.characters,
                    row.numbers,
                    row.words,
                    steps_text(row.steps),
                    row.notes.len(),
                );
            }
            state.signature = signature;
        }
        self.common = common;
    }

    /// Whether both tables have equal common definitions.
    pub(super) fn is_common(&self, other: &Self) -> bool {
        self.common == other.common
    }

    /// Whether the state or a successor may read the temporary buffer before it is set again.
    pub(super) fn reads_buffer(&self, state: &str) -> bool {
        match state {
            "return-state" => self.read_on_return,
            name => self.reading_buffer.contains(name),
        }
    }

    fn is_returned_to(&self, name: &str) -> bool {
        let returned = ["set", "return-state", name];
        self.states.iter().any(|state| {
            state.rows.iter().any(|row| self.flat(row.steps).iter().any(|words| *words == returned))
        })
    }

    fn find_buffer_readers(&mut self) {
        loop {
            let found: Vec<String> = self
                .states
                .iter()
                .filter(|state| {
                    !self.reading_buffer.contains(&state.name) && self.may_read_buffer(state)
                })
                .map(|state| state.name.clone())
                .collect();
            if found.is_empty() {
                return;
            }
            self.reading_buffer.extend(found);
            self.read_on_return = self.reading_buffer.iter().any(|name| self.is_returned_to(name));
        }
    }

    fn may_read_buffer(&self, state: &State<'_>) -> bool {
        let (mut entered, mut set) = (Vec::new(), false);
        entered.extend(self.flat(state.enter));
        let asks = |steps: &[Step]| reads_buffer_in_condition(steps);
        state.rows.iter().any(|row| {
            let words: Vec<Vec<String>> =
                entered.iter().cloned().chain(self.flat(row.steps)).collect();
            set = false;
            let mut goes = Vec::new();
            for action in &words {
                let refs: Vec<&str> = action.iter().map(String::as_str).collect();
                match refs[..] {
                    ["set", "temporary-buffer", ..] => set = true,
                    ["append", what, ..] | ["emit", what] if what == "temporary-buffer" && !set => {
                        return true;
                    }
                    ["switch" | "reconsume", target] => goes.push(target.to_owned()),
                    _ => {}
                }
            }
            // A conditional step may not set the buffer.
            let set = set && !row.steps.iter().any(|step| matches!(step, Step::When { .. }));
            asks(row.steps) || !set && goes.iter().any(|target| self.reads_buffer(target))
        })
    }

    /// Returns the subject of an atomic condition, and the value for which it holds.
    pub(super) fn question(&self, words: &Words) -> (String, String) {
        let text = text(words);
        if let Some((what, value)) = text.split_once(" is ") {
            return (what.to_owned(), value.to_owned());
        }
        // A class is replaced by its characters.
        if let Some((before, class)) = text.rsplit_once(' ')
            && let Some(set) = self.classes.get(class)
        {
            return (format!("{before} {}", super::cells::set_text(set)), "true".to_owned());
        }
        (text, "true".to_owned())
    }

    /// Returns the index of the state with this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.states.iter().position(|state| state.name == name)
    }

    /// Returns the rows of other states that lead to the state.
    pub(super) fn leading_to(&self, name: &str) -> Vec<super::RowAt> {
        let mut rows = Vec::new();
        for (at, state) in self.states.iter().enumerate().filter(|(_, state)| state.name != name) {
            for (row, stated) in state.rows.iter().enumerate() {
                let leads = |words: &Vec<String>| matches!(&words[..], [verb, target] if (verb == "switch" || verb == "reconsume") && target == name);
                if self.flat(stated.steps).iter().any(leads) {
                    rows.push((at, row));
                }
            }
        }
        rows
    }

    /// Returns the name of the row's state or mode, whether it is a mode, and the row's index in it.
    pub fn row(&self, (at, row): super::RowAt) -> Option<(&str, bool, usize)> {
        let mode = || self.trees.modes.get(at - self.states.len());
        match self.states.get(at) {
            Some(state) => Some((&state.name, false, row)),
            None => Some((&mode()?.name, true, row)),
        }
    }

    /// Returns the span of a row; modes are numbered after the states.
    pub fn row_span(&self, (state, row): super::RowAt) -> Span {
        match self.states.get(state) {
            Some(state) => state.rows[row].span,
            None => self.trees.modes[state - self.states.len()].rows[row].span,
        }
    }

    fn add(&mut self, state: &'t tabulex_language::syntax::State) {
        let rows = state.rows.iter().map(|row| {
            let (characters, numbers, words) =
                self.patterns(row.patterns.iter().map(|pattern| &pattern.value));
            let notes = row.steps.iter().filter_map(|step| match step {
                Step::Note(note) => Some((note.kind, note.reason.clone())),
                _ => None,
            });
            Row {
                span: row.span,
                characters,
                numbers,
                words,
                guard: row.guard.as_ref(),
                steps: &row.steps,
                notes: notes.collect(),
            }
        });
        let rows: Vec<Row<'t>> = rows.collect();
        let is_passed = state.rows.iter().all(|row| always_switches(&row.steps, &state.name.value));
        self.states.push(State {
            name: state.name.value.clone(),
            span: state.name.span,
            subject: state.subject.as_ref().map(|subject| &subject.value[..]),
            is_lexical: state.otherwise.is_some(),
            enter: &state.enter,
            leave: &state.leave,
            rows,
            is_passed,
            signature: String::new(),
        });
    }

    /// Returns the characters that the patterns match, in normalized form.
    pub(super) fn characters(&self, patterns: &[Spanned<Pattern>]) -> String {
        let (characters, ..) = self.patterns(patterns.iter().map(|pattern| &pattern.value));
        super::cells::set_text(&characters)
    }

    /// Returns the characters, numbers and words that the patterns match.
    fn patterns<'p>(
        &self,
        patterns: impl Iterator<Item = &'p Pattern>,
    ) -> (CharacterSet, Vec<(u32, u32)>, Vec<String>) {
        let (mut characters, mut numbers, mut words) =
            (CharacterSet::default(), Vec::new(), Vec::new());
        for pattern in patterns {
            match pattern {
                Pattern::Characters(first, last) => characters.insert(*first, *last),
                Pattern::Numbers(first, last) => numbers.push((*first, *last)),
                Pattern::Text { text, ignoring_case } => {
                    words.push(format!(
                        "{text:?}{}",
                        if *ignoring_case { " ignoring-case" } else { "" }
                    ));
                }
                Pattern::Name(name) => match self.classes.get(&name[..]) {
                    Some(class) => characters.insert_all(class),
                    None => words.push(name.clone()),
                },
            }
        }
        (characters, numbers, words)
    }
}

/// Whether the steps unconditionally switch to another state.
fn always_switches(steps: &[Step], name: &str) -> bool {
    steps.iter().any(|step| match step {
        Step::Action(words) => match &words.arguments[..] {
            [first, rest @ ..] => match (&first.value, rest.first().map(|word| &word.value)) {
                (Argument::Name(verb), Some(Argument::Name(target)))
                    if verb == "switch" || verb == "reconsume" =>
                {
                    target != name
                }
                (Argument::Name(verb), Some(Argument::Name(what))) if verb == "emit" => {
                    what == "end-of-file"
                }
                (Argument::Name(verb), _) => verb == "return" || verb == "stop" || verb == "as",
                _ => false,
            },
            [] => false,
        },
        Step::When { then, otherwise, .. } => {
            always_switches(then, name) && always_switches(otherwise, name)
        }
        Step::Note(_) => false,
    })
}

impl Index<'_> {
    /// Returns all actions of the steps, each as its words.
    fn flat(&self, steps: &[Step]) -> Vec<Vec<String>> {
        let mut all = Vec::new();
        for step in steps {
            match step {
                Step::Action(words) => match self.actions.get(&text(words)[..]) {
                    Some(steps) => all.extend(self.flat(steps)),
                    None => all.push(text(words).split(' ').map(str::to_owned).collect()),
                },
                Step::When { then, otherwise, .. } => {
                    all.extend(self.flat(then));
                    all.extend(self.flat(otherwise));
                }
                Step::Note(_) => {}
            }
        }
        all
    }
}

/// Returns a flag's values as text, with the parties that may set it: (host, rows).
pub(super) fn flag_text(values: &[Word], by: (bool, bool)) -> String {
    let values: Vec<&str> = values.iter().map(|value| &value.value[..]).collect();
    let by = match by {
        (true, true) => " by host and rows",
        (true, false) => " by host",
        (false, _) => "",
    };
    format!("{}{by}", values.join(" | "))
}

pub(super) fn condition_text(conditions: &Conditions) -> String {
    let one = |words: &Words| format!("{}{}", if words.negated { "not " } else { "" }, text(words));
    conditions.parts.iter().map(one).collect::<Vec<_>>().join(if conditions.any {
        " or "
    } else {
        " and "
    })
}

pub(super) fn steps_text(steps: &[Step]) -> String {
    let one = |step: &Step| match step {
        Step::Note(_) => String::new(),
        Step::Action(words) => text(words) + "; ",
        Step::When { condition, then, otherwise } => {
            format!(
                "when {} {{ {}}} {{ {}}} ",
                condition_text(condition),
                steps_text(then),
                steps_text(otherwise)
            )
        }
    };
    steps.iter().map(one).collect()
}

/// Whether a condition reads the temporary buffer.
fn reads_buffer_in_condition(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::When { condition, then, otherwise } => {
            condition.parts.iter().any(|words| text(words).starts_with("temporary-buffer"))
                || reads_buffer_in_condition(then)
                || reads_buffer_in_condition(otherwise)
        }
        _ => false,
    })
}

/// Returns an action or a condition as one text.
pub(super) fn text(words: &Words) -> String {
    let one = |argument: &Argument| match argument {
        Argument::Name(name) => name.clone(),
        Argument::Character(character) => format!("{:?}", character.to_string()),
        Argument::Text(text) => format!("{text:?}"),
        Argument::Number(number) => number.to_string(),
    };
    words.arguments.iter().map(|argument| one(&argument.value)).collect::<Vec<_>>().join(" ")
}
