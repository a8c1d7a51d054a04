//! The search for the shortest input on which two machines do different things: inputs by length, over one character of
//! every kind that some row tells apart and every string that some row names, from the start and from every state that
//! may be entered. It proves nothing beyond its bound. Invariant: what it finds is different.

use crate::interpreter::{Control, Error, Host, Interpreter, Options, Token};
use crate::model::{Action, Condition, FlagId, Machine, Pattern, RowId, StateId, Step};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

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
        Self { runs: 60_000, symbols: 12, witnesses: 4_000 }
    }
}

/// What a machine gives, and the way it went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) tokens: Vec<String>,
    pub(super) errors: Vec<String>,
    pub(super) end: Option<String>,
    pub(super) rows: BTreeSet<(String, usize)>,
    /// The states before the one in which the input ends, the last one last.
    way: Vec<StateId>,
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
        let way = &mut self.output.way;
        if self.output.end.is_none() && way.last() != Some(&row.state) {
            way.push(row.state);
        }
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

/// Symbols by the state in which the input may go on with them: one character of every kind that its rows tell apart, or
/// those of the states to which it hands the character on; and every string.
struct Symbols {
    by_state: [BTreeMap<String, Vec<String>>; 2],
    /// Strings that conditions ask for.
    asked: BTreeSet<String>,
    /// Whole references, for the first place only.
    extras: Vec<String>,
}

impl Symbols {
    fn new(machines: [&Machine; 2]) -> Self {
        let (mut asked, mut extras) = (BTreeSet::new(), BTreeSet::new());
        for row in machines.iter().flat_map(|machine| &machine.states).flat_map(|state| &state.rows)
        {
            conditions(&row.steps, &mut asked);
            for pattern in &row.patterns {
                match &pattern.value {
                    Pattern::Numbers(first, last) => {
                        extras.extend(
                            [*first, last.saturating_add(1)]
                                .map(|number| format!("&#x{number:X};")),
                        );
                    }
                    Pattern::Reference => extras.extend(REFERENCES.map(str::to_owned)),
                    _ => {}
                }
            }
        }
        let of = |machine: &Machine| {
            let named = |id: StateId| {
                (machine.state(id).name.clone(), of_state(machine, id).into_iter().collect())
            };
            machine.state_ids().map(named).collect()
        };
        Self { by_state: machines.map(of), asked, extras: extras.into_iter().collect() }
    }

    /// The symbols with which an input may go on that ends in these states.
    fn behind(&self, left: Option<&String>, right: Option<&String>) -> BTreeSet<String> {
        let mut all = self.asked.clone();
        for (name, by_state) in [left, right].into_iter().zip(&self.by_state) {
            match name.and_then(|name| by_state.get(name)) {
                Some(symbols) => all.extend(symbols.iter().cloned()),
                None => all.extend(by_state.values().flatten().cloned()),
            }
        }
        all
    }
}

/// References in text and in attributes, with and without semicolon.
const REFERENCES: [&str; 7] =
    ["&amp;", "&amp", "&amp=", "&ampx", "<a b=\"&amp", "<a b=\"&ampx\">", "<a b='&amp='>"];

fn of_state(machine: &Machine, id: StateId) -> BTreeSet<String> {
    let mut symbols = BTreeSet::from(["b".to_owned()]);
    let (mut open, mut seen) = (vec![id], BTreeSet::from([id]));
    while let Some(id) = open.pop() {
        for row in &machine.state(id).rows {
            for pattern in &row.patterns {
                match &pattern.value {
                    Pattern::Characters(set) => {
                        let ends = set
                            .ranges()
                            .iter()
                            .flat_map(|&(first, last)| [first as u32, last as u32 + 1]);
                        symbols.extend(ends.filter_map(char::from_u32).map(String::from));
                    }
                    Pattern::Text { text, .. } => {
                        symbols.insert(text.clone());
                    }
                    Pattern::Lexeme(lexeme) => {
                        let first = machine.lexeme(*lexeme).expression.first_characters();
                        symbols
                            .extend(first.ranges().iter().map(|&(first, _)| String::from(first)));
                    }
                    _ => {}
                }
            }
            let mut targets = Vec::new();
            if hands_on(&row.steps, &mut targets) {
                open.extend(targets.into_iter().filter(|target| seen.insert(*target)));
            }
        }
    }
    symbols
}

/// Whether the steps may consume the character again; the states that they switch to.
fn hands_on(steps: &[Step], targets: &mut Vec<StateId>) -> bool {
    let mut again = false;
    for step in steps {
        match step {
            Step::Action(action) => match &action.value {
                Action::Reconsume => again = true,
                Action::Switch(target) => targets.push(*target),
                _ => {}
            },
            Step::When { then, otherwise, .. } => {
                again |= hands_on(then, targets);
                again |= hands_on(otherwise, targets);
            }
        }
    }
    again
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
    let symbols = Symbols::new([left, right]);
    let named = !has_unnamed(left) && !has_unnamed(right);
    let roots = roots(left, right);
    for (at, root) in roots.iter().enumerate() {
        let (one, other) = (options(left, root), options(right, root));
        let mut seen: HashSet<(Option<String>, Option<String>, String)> = HashSet::new();
        let mut open: VecDeque<Prefix> = VecDeque::from([Prefix::default()]);
        let per_root = share(bound.runs - found.runs, at, roots.len());
        let mut runs = 0;
        while let Some(prefix) = open.pop_front() {
            for input in prefix.longer(&symbols) {
                if runs >= per_root || found.witnesses.len() >= bound.witnesses {
                    found.is_exhausted = false;
                    break;
                }
                let (a, b) = (run(&mine, &input, &one), run(&yours, &input, &other));
                (runs, found.runs) = (runs + 1, found.runs + 1);
                let length = prefix.length + 1;
                found.longest = found.longest.max(length);
                let tail = situation(&a, &symbols);
                let is_new = seen.insert((a.end.clone(), b.end.clone(), tail));
                let ends = (a.end.clone(), b.end.clone());
                let goes_on = same_until_end(&a, &b, input.len(), named);
                if a.tokens != b.tokens || !same_errors(&a.errors, &b.errors, named) {
                    found.witnesses.push(witness(root, input.clone(), a, b));
                }
                if is_new && goes_on {
                    found.is_exhausted &= length < bound.symbols;
                    open.extend((length < bound.symbols).then_some(Prefix { input, length, ends }));
                }
            }
        }
    }
    found.witnesses.sort_by_key(|witness| (witness.input.chars().count(), witness.state.is_some()));
    found
}

/// How many of the runs that are left a root gets: the first one half of them, the others even shares.
fn share(left: usize, at: usize, roots: usize) -> usize {
    if at == 0 && roots > 1 { left / 2 } else { left / (roots - at) }
}

/// An input that may go on.
#[derive(Default)]
struct Prefix {
    input: String,
    /// Its symbols.
    length: usize,
    /// The states in which the two machines meet its end.
    ends: (Option<String>, Option<String>),
}

impl Prefix {
    /// The inputs that are one symbol longer.
    fn longer(&self, symbols: &Symbols) -> Vec<String> {
        let mut longer = Vec::new();
        if self.length == 0 {
            longer.push(String::new());
            longer.extend(symbols.extras.iter().cloned());
        }
        let behind = symbols.behind(self.ends.0.as_ref(), self.ends.1.as_ref());
        longer.extend(behind.into_iter().map(|symbol| format!("{}{symbol}", self.input)));
        longer
    }
}

/// Whether the two do the same but for what the end of the input brings.
fn same_until_end(a: &Output, b: &Output, end: usize, named: bool) -> bool {
    let before = |output: &Output| -> Vec<String> {
        let is_before = |error: &&String| {
            error
                .split(' ')
                .next()
                .and_then(|at| at.parse::<usize>().ok())
                .is_some_and(|at| at < end)
        };
        output.errors.iter().filter(is_before).cloned().collect()
    };
    let tokens = |output: &Output| output.tokens.len().saturating_sub(2);
    let known = tokens(a).min(tokens(b));
    a.tokens[..known] == b.tokens[..known] && same_errors(&before(a), &before(b), named)
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

/// What tells situations apart that end in the same state: the states before, the kind of the last token, and whether it
/// ends with a string that conditions ask for.
fn situation(output: &Output, symbols: &Symbols) -> String {
    let last = output.tokens.iter().rev().nth(1).map_or("", |token| &token[..]);
    let asked = symbols.asked.iter().find(|asked| last.ends_with(&asked[..]));
    let kind = last.split(' ').next().unwrap_or_default();
    let way: Vec<u16> = output.way.iter().rev().take(3).map(|state| state.0).collect();
    format!("{kind} {asked:?} {way:?}")
}
