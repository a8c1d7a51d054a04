//! The search for the shortest input on which two machines do different things: inputs by length, over one character of
//! every kind that some row tells apart and every string that some row names, from the start and from every state that
//! may be entered. It proves nothing beyond its bound. Invariant: what it finds is different.

use crate::interpreter::{Control, Error, Host, Interpreter, Options, Token};
use crate::model::{Condition, FlagId, Machine, Pattern, RowId, StateId, Step};
use std::collections::{BTreeSet, HashSet, VecDeque};

/// An input on which two machines do different things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The state in which both begin, if that is not the start.
    pub state: Option<String>,
    /// Flags that the host has set, each with its value.
    pub flags: Vec<(String, String)>,
    /// The input.
    pub input: String,
    /// What the left machine gives.
    pub left: Vec<String>,
    /// What the right machine gives.
    pub right: Vec<String>,
    /// The rows that the left machine took, by state and row.
    pub left_rows: BTreeSet<(String, usize)>,
    /// The rows that the right machine took.
    pub right_rows: BTreeSet<(String, usize)>,
    /// Whether only errors differ.
    pub only_errors: bool,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Inputs, the shortest first.
    pub witnesses: Vec<Witness>,
    /// How many inputs were run.
    pub runs: usize,
    /// Whether every input up to the bound was run that leads to a situation of its own.
    pub is_exhausted: bool,
    /// The longest input that was run, in symbols.
    pub longest: usize,
}

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Inputs that are run at most.
    pub runs: usize,
    /// Symbols of an input at most.
    pub symbols: usize,
    /// Witnesses after which it stops.
    pub witnesses: usize,
}

impl Default for Bound {
    fn default() -> Self {
        Self { runs: 60_000, symbols: 12, witnesses: 400 }
    }
}

/// What a machine gives, and the way it went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) tokens: Vec<String>,
    pub(super) errors: Vec<String>,
    pub(super) end: Option<String>,
    pub(super) rows: BTreeSet<(String, usize)>,
}

struct Recorder<'m> {
    machine: &'m Machine,
    flags: &'m [(FlagId, u8)],
    output: Output,
    text: bool,
}

impl Host for Recorder<'_> {
    fn token(&mut self, token: Token) -> Control {
        match token {
            Token::Text { text, .. } if self.text => {
                if let Some(last) = self.output.tokens.last_mut() {
                    last.push_str(&text);
                }
            }
            Token::Text { text, .. } => {
                self.output.tokens.push(format!("text {text}"));
                self.text = true;
                return Control::Continue;
            }
            other => {
                self.output.tokens.push(shown(&other));
                self.text = false;
            }
        }
        Control::Continue
    }

    fn error(&mut self, error: Error) {
        let name = &self.machine.errors[usize::from(error.error.0)].name;
        self.output.errors.push(format!("{} {name}", error.span.start));
    }

    fn flag(&mut self, flag: FlagId) -> u8 {
        self.flags.iter().find(|(other, _)| *other == flag).map_or(0, |(_, value)| *value)
    }

    fn row(&mut self, row: RowId) {
        let state = self.machine.state(row.state).name.clone();
        self.output.rows.insert((state, usize::from(row.row)));
    }

    fn end(&mut self, state: StateId) {
        self.output.end.get_or_insert_with(|| self.machine.state(state).name.clone());
    }
}

/// A token in words, without its ranges.
fn shown(token: &Token) -> String {
    let text = format!("{token:?}");
    let mut out = String::new();
    let mut rest = &text[..];
    // Ranges are left out: `span: Span { … }`.
    while let Some(at) = rest.find("span: Span {") {
        let begin = rest[..at]
            .trim_end_matches(|part: char| part.is_alphanumeric() || part == '_')
            .trim_end_matches([',', ' ']);
        out += begin;
        rest = rest[at..].split_once('}').map_or("", |(_, rest)| rest);
    }
    out + rest
}

/// Runs a machine.
pub(super) fn run(interpreter: &Interpreter<'_>, input: &str, options: &Options) -> Output {
    let machine = interpreter.machine();
    let mut recorder =
        Recorder { machine, flags: &options.flags, output: Output::default(), text: false };
    if let Err(stuck) = interpreter.run(input, options, &mut recorder) {
        recorder.output.tokens.push(format!("stuck: {stuck}"));
    }
    recorder.output
}

/// Where a search begins.
struct Root {
    state: Option<String>,
    flags: Vec<(String, String)>,
}

fn roots(left: &Machine, right: &Machine) -> Vec<Root> {
    let mut states = vec![None];
    let entered = left.entries.iter().map(|id| left.state(*id).name.clone());
    let entered = entered.chain(right.entries.iter().map(|id| right.state(*id).name.clone()));
    states.extend(
        entered
            .filter(|name| left.find_state(name).is_some() && right.find_state(name).is_some())
            .map(Some),
    );
    states.sort();
    states.dedup();
    let mut flags = vec![Vec::new()];
    for flag in left.flags.iter().chain(&right.flags).filter(|flag| flag.by_host) {
        let known = |name: &str| {
            flags
                .iter()
                .any(|set: &Vec<(String, String)>| set.iter().any(|(other, _)| other == name))
        };
        if !known(&flag.name) {
            flags = flags
                .iter()
                .flat_map(|set| {
                    flag.values.iter().map(move |value| {
                        let mut set = set.clone();
                        set.push((flag.name.clone(), value.clone()));
                        set
                    })
                })
                .collect();
        }
    }
    states
        .iter()
        .flat_map(|state| {
            flags.iter().map(move |flags| Root { state: state.clone(), flags: flags.clone() })
        })
        .collect()
}

fn options(machine: &Machine, root: &Root) -> Options {
    let flags = root.flags.iter().filter_map(|(name, value)| {
        let at = machine.flags.iter().position(|flag| flag.name == *name)?;
        let value = machine.flags[at].values.iter().position(|other| other == value)?;
        Some((FlagId(at as u8), value as u8))
    });
    Options {
        state: root.state.as_ref().and_then(|name| machine.find_state(name)),
        last_start_tag: root.state.as_ref().map(|_| "a".to_owned()),
        flags: flags.collect(),
        ..Options::default()
    }
}

/// One character of every kind, every string, and, for the first place only, references.
fn symbols(machines: [&Machine; 2]) -> (Vec<String>, Vec<String>) {
    let mut starts: BTreeSet<u32> = BTreeSet::from([u32::from('b')]);
    let (mut strings, mut extras) = (BTreeSet::new(), BTreeSet::new());
    for machine in machines {
        for row in machine.states.iter().flat_map(|state| &state.rows) {
            for pattern in &row.patterns {
                match &pattern.value {
                    Pattern::Characters(set) => {
                        for &(first, last) in set.ranges() {
                            starts.extend([first as u32, last as u32 + 1]);
                        }
                    }
                    Pattern::Text { text, .. } => {
                        strings.insert(text.clone());
                    }
                    Pattern::Numbers(first, last) => {
                        extras.extend(
                            [*first, last.saturating_add(1)]
                                .map(|number| format!("&#x{number:X};")),
                        );
                    }
                    Pattern::Reference => {
                        extras.extend(
                            [
                                "&amp;",
                                "&amp",
                                "&amp=",
                                "&ampx",
                                "<a b=\"&amp",
                                "<a b=\"&ampx\">",
                                "<a b='&amp='>",
                            ]
                            .map(str::to_owned),
                        );
                    }
                    _ => {}
                }
            }
            conditions(&row.steps, &mut strings);
        }
    }
    let mut all: Vec<String> =
        starts.into_iter().filter_map(char::from_u32).map(String::from).collect();
    all.extend(strings);
    (all, extras.into_iter().collect())
}

/// Strings that conditions ask for.
fn conditions(steps: &[Step], strings: &mut BTreeSet<String>) {
    for step in steps {
        if let Step::When { condition, then, otherwise } = step {
            for part in condition.value.parts() {
                if let Condition::TemporaryBufferIs(text) | Condition::TagNameIs(text) = part {
                    strings.insert(text.clone());
                }
            }
            conditions(then, strings);
            conditions(otherwise, strings);
        }
    }
}

/// Searches for inputs on which the two machines do different things.
pub fn search(left: &Machine, right: &Machine, bound: Bound) -> Found {
    let mut found = Found { is_exhausted: true, ..Found::default() };
    let (mine, yours) = (Interpreter::new(left), Interpreter::new(right));
    let (symbols, extras) = symbols([left, right]);
    let named = !has_unnamed(left) && !has_unnamed(right);
    let roots = roots(left, right);
    let per_root = bound.runs / roots.len().max(1);
    for root in &roots {
        let (one, other) = (options(left, root), options(right, root));
        let mut seen: HashSet<(Option<String>, Option<String>, String)> = HashSet::new();
        let mut open: VecDeque<(String, usize)> = VecDeque::from([(String::new(), 0)]);
        let mut runs = 0;
        while let Some((prefix, length)) = open.pop_front() {
            let more: &[String] = if length == 0 { &extras } else { &[] };
            let nothing = String::new();
            let first = (length == 0).then_some(&nothing);
            for symbol in first.into_iter().chain(&symbols).chain(more) {
                if runs >= per_root || found.witnesses.len() >= bound.witnesses {
                    found.is_exhausted = false;
                    break;
                }
                let input = format!("{prefix}{symbol}");
                let (a, b) = (run(&mine, &input, &one), run(&yours, &input, &other));
                (runs, found.runs) = (runs + 1, found.runs + 1);
                found.longest = found.longest.max(length + 1);
                let errors = same_errors(&a.errors, &b.errors, named);
                if a.tokens != b.tokens || !errors {
                    found.witnesses.push(witness(root, input, a, b));
                    continue;
                }
                let tail = collapsed(a.tokens.iter().rev().nth(1).map_or("", |token| &token[..]));
                let is_new = seen.insert((a.end, b.end, tail));
                if is_new && length + 1 < bound.symbols {
                    open.push_back((input, length + 1));
                } else if is_new {
                    found.is_exhausted = false;
                }
            }
        }
    }
    found.witnesses.sort_by_key(|witness| (witness.input.chars().count(), witness.state.is_some()));
    found
}

fn has_unnamed(machine: &Machine) -> bool {
    machine.errors.iter().any(|error| error.name == "unnamed")
}

fn same_errors(one: &[String], other: &[String], named: bool) -> bool {
    if named {
        return one == other;
    }
    one.len() == other.len()
}

fn witness(root: &Root, input: String, a: Output, b: Output) -> Witness {
    let only_errors = a.tokens == b.tokens;
    let with = |output: &Output| {
        let errors = output.errors.iter().map(|error| format!("error at {error}"));
        output.tokens.iter().cloned().chain(errors).collect::<Vec<_>>()
    };
    Witness {
        state: root.state.clone(),
        flags: root.flags.clone(),
        input,
        left: with(&a),
        right: with(&b),
        left_rows: a.rows,
        right_rows: b.rows,
        only_errors,
    }
}

/// A token with runs of one character cut to two, and not too long.
fn collapsed(token: &str) -> String {
    let mut out = String::new();
    for character in token.chars().rev() {
        if !out.ends_with(&format!("{character}{character}")) {
            out.push(character);
        }
        if out.len() > 24 {
            break;
        }
    }
    out
}

/// A row and the shortest input that takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The state.
    pub state: String,
    /// The index of the row.
    pub row: usize,
    /// The state in which the run begins, if that is not the start.
    pub from: Option<String>,
    /// Flags that the host has set, each with its value.
    pub flags: Vec<(String, String)>,
    /// The input.
    pub input: String,
}

/// The rows of a machine that no run of a search took, with a shortest input for each of the others.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Rows with their shortest inputs.
    pub taken: Vec<Taken>,
    /// Rows that none of the inputs took.
    pub missing: Vec<(String, usize)>,
    /// How many inputs were run.
    pub runs: usize,
}

/// Searches for the shortest input for each row.
pub fn cover(machine: &Machine, bound: Bound) -> Coverage {
    let mut coverage = Coverage::default();
    let interpreter = Interpreter::new(machine);
    let (symbols, extras) = symbols([machine, machine]);
    let mut taken: BTreeSet<(String, usize)> = BTreeSet::new();
    let roots = roots(machine, machine);
    for root in &roots {
        let options = options(machine, root);
        let mut seen: HashSet<(Option<String>, String)> = HashSet::new();
        let mut open: VecDeque<(String, usize)> = VecDeque::from([(String::new(), 0)]);
        let mut runs = 0;
        while let Some((prefix, length)) = open.pop_front() {
            let more: &[String] = if length == 0 { &extras } else { &[] };
            let nothing = String::new();
            for symbol in (length == 0).then_some(&nothing).into_iter().chain(&symbols).chain(more)
            {
                if runs >= bound.runs / roots.len().max(1) {
                    break;
                }
                let input = format!("{prefix}{symbol}");
                let output = run(&interpreter, &input, &options);
                (runs, coverage.runs) = (runs + 1, coverage.runs + 1);
                for row in output.rows.iter().filter(|row| !taken.contains(*row)) {
                    let (state, row) = row.clone();
                    let (from, flags) = (root.state.clone(), root.flags.clone());
                    coverage.taken.push(Taken { state, row, from, flags, input: input.clone() });
                }
                taken.extend(output.rows.iter().cloned());
                let tail =
                    collapsed(output.tokens.iter().rev().nth(1).map_or("", |token| &token[..]));
                if seen.insert((output.end, tail)) && length + 1 < bound.symbols {
                    open.push_back((input, length + 1));
                }
            }
        }
    }
    for state in &machine.states {
        let rows = (0..state.rows.len()).map(|row| (state.name.clone(), row));
        coverage.missing.extend(rows.filter(|row| !taken.contains(row)));
    }
    coverage
}
