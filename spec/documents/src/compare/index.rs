//! Prepares a table for comparison: states and modes become blocks of rows, in which the names of classes and of sets
//! of elements are replaced by their members. Rows keep their order and spans.

use super::answers::Names;
use super::pieces::Pieces;
use super::text;
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::model::CharacterSet;
use tabulex_language::syntax::{
    Argument, Conditions, ElementSet, Item, ItemBody, NoteKind, ParsedElementName,
    ParsedElementRow, ParsedPattern, ParsedState, ParsedStep, ParsedTokenPattern, Span, Spanned,
    Table,
};

/// A table prepared for comparison.
#[derive(Clone, Debug)]
pub struct Index<'t> {
    pub(super) table: &'t Table,
    /// The states, followed by the modes. `reset` and `fragment` are represented as modes with elements for tokens.
    pub(super) blocks: Vec<NamedRows<'t>>,
    /// Sets of element names, including scopes, with their members.
    pub(super) element_sets: BTreeMap<&'t str, Names>,
    pub(super) conditions: BTreeMap<&'t str, &'t Conditions>,
    pub(super) flags: BTreeMap<&'t str, Names>,
    /// Actions and steps that the table defines.
    pub(super) definitions: BTreeMap<&'t str, &'t [ParsedStep]>,
    pub(super) classes: BTreeMap<&'t str, CharacterSet>,
    /// The declarations and algorithms as lines.
    pub(super) pieces: Pieces<'t>,
    /// States from which the temporary buffer may be read before it is set again; `return-state` stands for every state
    /// to which a row may return.
    buffer_readers: BTreeSet<&'t str>,
}

/// A state or a mode.
#[derive(Clone, Debug)]
pub(super) struct NamedRows<'t> {
    pub(super) name: &'t str,
    pub(super) span: Span,
    pub(super) is_mode: bool,
    /// The state's syntax; `None` for a mode.
    state: Option<&'t ParsedState>,
    /// Whether every row of the state leaves it, so that the machine passes through without a loop.
    pub(super) is_pass_through: bool,
    pub(super) rows: Vec<ComparedRow<'t>>,
}

/// A row of a state or a mode.
#[derive(Clone, Debug)]
pub(super) struct ComparedRow<'t> {
    pub(super) span: Span,
    pub(super) notes: Vec<(NoteKind, String)>,
    pub(super) tokens: Vec<Tokens>,
    pub(super) guard: Option<&'t Conditions>,
    pub(super) steps: &'t [ParsedStep],
}

/// The inputs or tokens of one alternative of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tokens {
    /// Every input or token that no other row matches.
    Else,
    /// A string, a lexical token, a result of the subject, or a kind of token without names or characters.
    Word(String),
    /// Tags or elements of a kind, with these names or any name.
    Named(String, Option<Names>),
    /// Characters or strings of a kind, from this set or any; the kind of an input character is the empty string.
    Characters(String, Option<CharacterSet>),
    /// Numbers from the first to the second, inclusive.
    Numbers(u32, u32),
}

impl Tokens {
    /// Whether some input matches both patterns.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Named(kind, Some(one)), Self::Named(other_kind, Some(other))) => {
                kind == other_kind && !one.is_disjoint(other)
            }
            (Self::Characters(kind, Some(one)), Self::Characters(other_kind, Some(other))) => {
                kind == other_kind && !one.intersection(other).is_empty()
            }
            (Self::Numbers(low, high), Self::Numbers(first, last)) => low <= last && first <= high,
            _ => self == other,
        }
    }

    /// Whether the pattern matches every input of the kind of `other`.
    pub(super) fn covers_kind_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Named(kind, None), Self::Named(other, _))
            | (Self::Characters(kind, None), Self::Characters(other, _)) => kind == other,
            _ => false,
        }
    }

    /// Returns the pattern in the table language.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Else => "else".to_owned(),
            Self::Word(kind) | Self::Named(kind, None) | Self::Characters(kind, None) => {
                kind.clone()
            }
            Self::Named(kind, Some(names)) => {
                let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
                format!("{kind} {}", names.join(" | "))
            }
            Self::Characters(kind, Some(set)) => {
                format!("{kind} {}", text::characters(set)).trim_start().to_owned()
            }
            Self::Numbers(first, last) => text::pattern(&ParsedPattern::Numbers(*first, *last)),
        }
    }
}

impl ComparedRow<'_> {
    /// Whether some input matches both rows.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.tokens.iter().any(|one| other.tokens.iter().any(|other| one.overlaps(other)))
    }

    /// Returns the row's patterns in the table language.
    pub(super) fn text(&self) -> String {
        self.tokens.iter().map(Tokens::text).collect::<Vec<_>>().join(" | ")
    }

    /// Whether the row matches the inputs that no other row matches.
    pub(super) fn is_else(&self) -> bool {
        self.tokens.contains(&Tokens::Else)
    }
}

impl<'t> NamedRows<'t> {
    /// Whether the rows match lexical tokens.
    pub(super) fn is_lexical(&self) -> bool {
        self.state.is_some_and(|state| state.otherwise.is_some())
    }

    /// Returns the subject that the rows match instead of the next input character, if any.
    pub(super) fn subject(&self) -> Option<&'t str> {
        self.state?.subject.as_ref().map(|subject| &subject.value[..])
    }

    /// Returns the steps run whenever the state is entered.
    pub(super) fn enter(&self) -> &'t [ParsedStep] {
        self.state.map_or(&[], |state| &state.enter)
    }

    /// Returns the steps run whenever the state is left.
    pub(super) fn leave(&self) -> &'t [ParsedStep] {
        self.state.map_or(&[], |state| &state.leave)
    }
}

impl<'t> Index<'t> {
    /// Prepares a table for comparison.
    pub fn new(table: &'t Table) -> Self {
        let mut index = Self {
            table,
            blocks: Vec::new(),
            element_sets: BTreeMap::new(),
            conditions: BTreeMap::new(),
            flags: BTreeMap::new(),
            definitions: BTreeMap::new(),
            classes: BTreeMap::new(),
            pieces: Pieces::default(),
            buffer_readers: BTreeSet::new(),
        };
        let mut members: BTreeMap<&str, &ElementSet> = BTreeMap::new();
        for item in &table.items {
            let name = &item.name.value[..];
            match &item.body {
                ItemBody::Class(patterns) => {
                    let characters = index.characters(patterns);
                    index.classes.insert(name, characters);
                }
                ItemBody::Steps(steps) => {
                    index.definitions.insert(name, steps);
                }
                ItemBody::Condition(conditions) => {
                    index.conditions.insert(name, conditions);
                }
                ItemBody::Flag { values, .. } => {
                    let values = values.iter().map(|value| value.value.clone()).collect();
                    index.flags.insert(name, values);
                }
                ItemBody::Names(set) | ItemBody::Scope(set) => {
                    members.insert(name, set);
                }
                _ => {}
            }
        }
        // A definition that refers to itself is not expanded, since the expansion would not end.
        let action_names = |steps: &&[ParsedStep]| {
            let steps = ParsedStep::all(steps).into_iter();
            let name = |step: &ParsedStep| match step {
                ParsedStep::Action(words) => Some(text::arguments(words)),
                _ => None,
            };
            steps.filter_map(name).collect()
        };
        let acyclic = without_cycles(&index.definitions, &action_names);
        index.definitions.retain(|name, _| acyclic.contains(name));
        let condition_names = |one: &&Conditions| one.parts.iter().map(text::arguments).collect();
        let acyclic = without_cycles(&index.conditions, &condition_names);
        index.conditions.retain(|name, _| acyclic.contains(name));
        // A set may refer to later sets, so the passes are repeated. Their number is limited, because sets may form a
        // cycle by mistake.
        for _ in 0..members.len() {
            let sets = members.iter().map(|(&name, set)| {
                let except = index.elements(&set.except);
                (name, index.elements(&set.members).difference(&except).cloned().collect())
            });
            let sets = sets.collect();
            if sets == index.element_sets {
                break;
            }
            index.element_sets = sets;
        }
        let mut blocks: Vec<NamedRows<'t>> =
            table.items.iter().flat_map(|item| index.blocks_of(item)).collect();
        blocks.sort_by_key(|block| block.is_mode);
        index.blocks = blocks;
        index.pieces = Pieces::new(&index);
        index.find_buffer_readers();
        index
    }

    /// Returns the states or modes that an item declares.
    fn blocks_of(&self, item: &'t Item) -> Vec<NamedRows<'t>> {
        let row = |span, tokens, guard: &'t Option<Conditions>, steps: &'t [ParsedStep]| {
            ComparedRow { span, notes: notes(steps), tokens, guard: guard.as_ref(), steps }
        };
        let state = |state: &'t ParsedState| NamedRows {
            name: &state.name.value,
            span: state.name.span,
            is_mode: false,
            state: Some(state),
            is_pass_through: state
                .rows
                .iter()
                .all(|row| always_leaves(&row.steps, &state.name.value)),
            rows: (state.rows.iter())
                .map(|it| row(it.span, self.patterns(&it.patterns), &it.guard, &it.steps))
                .collect(),
        };
        let mode = |name, span, rows| NamedRows {
            name,
            span,
            is_mode: true,
            state: None,
            is_pass_through: false,
            rows,
        };
        let elements = |name, rows: &'t [ParsedElementRow]| {
            let tokens = |it: &ParsedElementRow| match it.patterns.is_empty() {
                true => Tokens::Else,
                false => Tokens::Named("element".to_owned(), Some(self.elements(&it.patterns))),
            };
            let compared =
                rows.iter().map(|it| row(it.span, vec![tokens(it)], &it.guard, &it.steps));
            rows.first()
                .map(|first| mode(name, first.span, compared.collect()))
                .into_iter()
                .collect()
        };
        match &item.body {
            ItemBody::Mode(rows) => {
                let rows = rows.iter();
                let rows =
                    rows.map(|it| row(it.span, self.tokens(&it.patterns), &it.guard, &it.steps));
                vec![mode(&item.name.value[..], item.name.span, rows.collect())]
            }
            ItemBody::Reset(rows) => elements("reset", rows),
            ItemBody::Fragment { rows, .. } => elements("fragment", rows),
            _ => item.states().iter().map(state).collect(),
        }
    }

    /// Returns the index in `blocks` of the state or mode with this name, or `None` if there is none.
    pub(super) fn find(&self, name: &str, is_mode: bool) -> Option<usize> {
        self.blocks.iter().position(|block| block.is_mode == is_mode && block.name == name)
    }

    /// Whether the table has modes.
    pub(super) fn has_modes(&self) -> bool {
        self.blocks.iter().any(|block| block.is_mode)
    }

    /// Returns the name of the row's state or mode, whether it is a mode, and the row's index in it; `None` if the
    /// table has no such state or mode.
    pub fn row(&self, (at, row): super::RowAt) -> Option<(&str, bool, usize)> {
        self.blocks.get(at).map(|block| (block.name, block.is_mode, row))
    }

    /// Returns the name of a set of elements with the members of a set of the other table.
    pub fn equal_set(&self, other: &Self, name: &str) -> Option<&'t str> {
        let members = other.element_sets.get(name)?;
        self.element_sets.iter().find(|(_, own)| *own == members).map(|(name, _)| *name)
    }

    /// Returns the span of a row.
    pub fn row_span(&self, (at, row): super::RowAt) -> Span {
        self.blocks[at].rows[row].span
    }

    /// Returns all actions in the steps, also those of both branches and of definitions, each as a list of words.
    pub(super) fn actions(&self, steps: &[ParsedStep]) -> Vec<Vec<String>> {
        let mut actions = Vec::new();
        for step in steps {
            match step {
                ParsedStep::Action(words) => {
                    match self.definitions.get(&text::arguments(words)[..]) {
                        Some(steps) => actions.extend(self.actions(steps)),
                        None => {
                            let words = words.arguments.iter();
                            actions.push(words.map(|word| text::argument(&word.value)).collect());
                        }
                    }
                }
                ParsedStep::When { then, otherwise, .. } => {
                    actions.extend(self.actions(then));
                    actions.extend(self.actions(otherwise));
                }
                ParsedStep::Note(_) => {}
            }
        }
        actions
    }

    /// Returns the states and modes that the steps may switch to, set as the return state, or run rows of.
    pub(super) fn targets(&self, steps: &[ParsedStep]) -> Vec<String> {
        let target = |words: Vec<String>| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match words[..] {
                ["switch" | "reconsume" | "reprocess" | "using" | "run", target, ..]
                | ["set", "return-state", target] => Some(target.to_owned()),
                _ => None,
            }
        };
        self.actions(steps).into_iter().filter_map(target).collect()
    }

    /// Returns the characters that the patterns match.
    pub(super) fn characters(&self, patterns: &[Spanned<ParsedPattern>]) -> CharacterSet {
        let mut characters = CharacterSet::default();
        for pattern in patterns {
            match &pattern.value {
                ParsedPattern::Characters(first, last) => characters.insert(*first, *last),
                ParsedPattern::Name(name) => {
                    self.classes
                        .get(&name[..])
                        .into_iter()
                        .for_each(|set| characters.insert_all(set));
                }
                _ => {}
            }
        }
        characters
    }

    /// Returns the inputs that a state's row matches.
    fn patterns(&self, patterns: &[Spanned<ParsedPattern>]) -> Vec<Tokens> {
        let characters = self.characters(patterns);
        let mut inputs = Vec::new();
        if !characters.is_empty() {
            inputs.push(Tokens::Characters(String::new(), Some(characters)));
        }
        inputs.extend(patterns.iter().filter_map(|one| match &one.value {
            ParsedPattern::Characters(..) => None,
            ParsedPattern::Name(name) if self.classes.contains_key(&name[..]) => None,
            ParsedPattern::Name(name) if name == "else" => Some(Tokens::Else),
            ParsedPattern::Numbers(first, last) => Some(Tokens::Numbers(*first, *last)),
            other => Some(Tokens::Word(text::pattern(other))),
        }));
        inputs
    }

    /// Returns the tokens that a mode's row matches. A pattern without a kind has that of the preceding pattern.
    fn tokens(&self, patterns: &[Spanned<ParsedTokenPattern>]) -> Vec<Tokens> {
        let mut kind: Option<&str> = None;
        let mut alternatives = Vec::new();
        for pattern in patterns {
            let ParsedTokenPattern { kind: own, pattern: value } = &pattern.value;
            kind = own.as_deref().or(kind);
            let word = match (own, value) {
                (None, Some(ParsedPattern::Name(word))) => Some(&word[..]),
                _ => None,
            };
            alternatives.push(match (word, kind) {
                (Some("else"), _) => Tokens::Else,
                (Some(word), _) if is_nameless_kind(word) => Tokens::Word(word.to_owned()),
                (_, Some(kind @ ("character" | "string"))) => {
                    let pattern_value =
                        value.clone().map(|value| [Spanned { value, span: pattern.span }]);
                    let set = pattern_value.map(|value| self.characters(&value));
                    Tokens::Characters(kind.to_owned(), set)
                }
                (_, Some(kind)) => {
                    let names = value.as_ref().map(|what| match what {
                        ParsedPattern::Text { text, .. } => Names::from([text.clone()]),
                        // The names of tags have no namespace, so only the local names of the set's members are
                        // compared.
                        ParsedPattern::Name(set) => {
                            let names = self.element_sets.get(&set[..]).into_iter().flatten();
                            let local_names = names.filter_map(|name| name.rsplit(' ').next());
                            local_names.map(str::to_owned).collect()
                        }
                        _ => Names::new(),
                    });
                    Tokens::Named(kind.to_owned(), names)
                }
                (word, None) => Tokens::Word(word.unwrap_or_default().to_owned()),
            });
        }
        alternatives
    }

    /// Returns the elements that names or sets of names denote.
    pub(super) fn elements(&self, names: &[Spanned<ParsedElementName>]) -> Names {
        let members = |name: &Spanned<ParsedElementName>| match &name.value {
            ParsedElementName::Local(namespace, local) => Names::from([element(namespace, local)]),
            ParsedElementName::Set(set) => {
                self.element_sets.get(&set[..]).cloned().unwrap_or_default()
            }
        };
        names.iter().flat_map(members).collect()
    }

    /// Returns the element names that the arguments denote: a qualified name, a local name, `token-name`, or a set.
    pub(super) fn elements_named(&self, arguments: &[&Argument], token_name: &str) -> Names {
        match arguments {
            [Argument::Name(namespace), Argument::Text(local)] => {
                Names::from([element(&Some(namespace.clone()), local)])
            }
            [Argument::Text(local)] => Names::from([local.clone()]),
            [Argument::Name(word)] if word == "token-name" => Names::from([token_name.to_owned()]),
            [Argument::Name(word)] => match self.element_sets.get(&word[..]) {
                Some(names) => names.clone(),
                None => Names::from([format!("`{word}`")]),
            },
            _ => Names::new(),
        }
    }

    /// Whether the temporary buffer may be read in the state, or in a later one, before it is set again.
    pub(super) fn reads_buffer(&self, state: &str) -> bool {
        self.buffer_readers.contains(state)
    }

    /// Returns the index with further states counted as ones that read the temporary buffer.
    pub(crate) fn with_readers(mut self, is_reader: &dyn Fn(&str) -> bool) -> Self {
        let names = self.blocks.iter().map(|block| block.name);
        self.buffer_readers.extend(names.filter(|name| is_reader(name)));
        self.find_buffer_readers();
        self
    }

    fn find_buffer_readers(&mut self) {
        loop {
            let states = || self.blocks.iter().filter(|block| !block.is_mode);
            let is_new = |name: &str| !self.buffer_readers.contains(name);
            let readers =
                states().filter(|state| is_new(state.name) && self.may_read_buffer(state));
            let mut readers: Vec<&'t str> = readers.map(|state| state.name).collect();
            let returns_to_reader = |words: &Vec<String>| match &words[..] {
                [set, what, state] => set == "set" && what == "return-state" && !is_new(state),
                _ => false,
            };
            let mut rows = states().flat_map(|state| &state.rows);
            if is_new("return-state")
                && rows.any(|row| self.actions(row.steps).iter().any(returns_to_reader))
            {
                readers.push("return-state");
            }
            if readers.is_empty() {
                return;
            }
            self.buffer_readers.extend(readers);
        }
    }

    fn may_read_buffer(&self, state: &NamedRows<'_>) -> bool {
        let enter_actions = self.actions(state.enter());
        state.rows.iter().any(|row| {
            let (mut is_set, mut targets) = (false, Vec::new());
            let row_actions = self.actions(row.steps);
            for action in enter_actions.iter().chain(&row_actions) {
                let words: Vec<&str> = action.iter().map(String::as_str).collect();
                match words[..] {
                    ["set", "temporary-buffer", ..] => is_set = true,
                    ["append", "temporary-buffer", ..] | ["emit", "temporary-buffer"]
                        if !is_set =>
                    {
                        return true;
                    }
                    ["switch" | "reconsume", target] => targets.push(target),
                    _ => {}
                }
            }
            // If any step is conditional, the buffer counts as unset, because the branch that sets it might not run.
            is_set &= !row.steps.iter().any(|step| matches!(step, ParsedStep::When { .. }));
            row.guard.is_some_and(|guard| self.has_buffer_test(guard))
                || self.have_buffer_test(row.steps)
                || !is_set && targets.iter().any(|target| self.reads_buffer(target))
        })
    }

    /// Whether a condition in the steps, or in the definition of one of their actions, reads the temporary buffer.
    pub(super) fn have_buffer_test(&self, steps: &[ParsedStep]) -> bool {
        steps.iter().any(|step| match step {
            ParsedStep::When { condition, then, otherwise, .. } => {
                self.has_buffer_test(condition)
                    || [then, otherwise].iter().any(|steps| self.have_buffer_test(steps))
            }
            ParsedStep::Action(words) => {
                let definition = self.definitions.get(&text::arguments(words)[..]);
                definition.is_some_and(|steps| self.have_buffer_test(steps))
            }
            ParsedStep::Note(_) => false,
        })
    }

    fn has_buffer_test(&self, conditions: &Conditions) -> bool {
        conditions.parts.iter().any(|words| {
            let words = text::arguments(words);
            words.starts_with("temporary-buffer")
                || self.conditions.get(&words[..]).is_some_and(|it| self.has_buffer_test(it))
        })
    }
}

/// Returns the names of the definitions from which references do not lead into a cycle. `references` returns the names
/// to which a definition refers.
fn without_cycles<'t, T>(
    definitions: &BTreeMap<&'t str, T>,
    references: &dyn Fn(&T) -> Vec<String>,
) -> BTreeSet<&'t str> {
    let mut acyclic: BTreeSet<&'t str> = BTreeSet::new();
    loop {
        let is_acyclic =
            |name: &String| !definitions.contains_key(&name[..]) || acyclic.contains(&name[..]);
        let newly_acyclic = definitions.iter().filter(|(name, one)| {
            !acyclic.contains(*name) && references(one).iter().all(is_acyclic)
        });
        let newly_acyclic: Vec<&str> = newly_acyclic.map(|(name, _)| *name).collect();
        if newly_acyclic.is_empty() {
            return acyclic;
        }
        acyclic.extend(newly_acyclic);
    }
}

fn notes(steps: &[ParsedStep]) -> Vec<(NoteKind, String)> {
    let note = |step: &ParsedStep| match step {
        ParsedStep::Note(note) => Some((note.kind, note.reason.clone())),
        _ => None,
    };
    steps.iter().filter_map(note).collect()
}

fn is_nameless_kind(word: &str) -> bool {
    matches!(word, "comment" | "doctype" | "processing-instruction" | "short-end" | "EOF")
}

/// Returns an element's qualified name: the namespace, if any, a space, and the local name.
pub(super) fn element(namespace: &Option<String>, local: &str) -> String {
    namespace.as_ref().map_or(local.to_owned(), |namespace| format!("{namespace} {local}"))
}

/// Whether the steps leave the state `name` whichever branches they take.
fn always_leaves(steps: &[ParsedStep], name: &str) -> bool {
    steps.iter().any(|step| match step {
        ParsedStep::Action(words) => {
            let words = text::arguments(words);
            match words.split_once(' ').unwrap_or((&words, "")) {
                ("switch" | "reconsume", target) if !target.is_empty() => target != name,
                ("emit", what) => what == "end-of-file",
                (verb, _) => matches!(verb, "return" | "stop" | "as"),
            }
        }
        ParsedStep::When { then, otherwise, .. } => {
            always_leaves(then, name) && always_leaves(otherwise, name)
        }
        ParsedStep::Note(_) => false,
    })
}
