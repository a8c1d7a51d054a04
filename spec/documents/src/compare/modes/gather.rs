//! A table's tree construction prepared for comparison: modes with their rows, whose names are replaced by their
//! definitions. Rows keep their order and spans.

use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::model::CharacterSet;
use tabulex_language::syntax::{
    Argument, Conditions, ElementName, ElementRow, Item, Members, NoteKind, Pattern, Span, Spanned,
    Step, Table, TokenPattern, TreeItem,
};

/// The tree construction of a table.
#[derive(Debug, Default)]
pub(in crate::compare) struct Trees<'t> {
    /// The modes, followed by the element rules of `reset` and `fragment`.
    pub(in crate::compare) modes: Vec<Mode<'t>>,
    /// Sets of element names, including scopes, with their members.
    pub(super) names: BTreeMap<&'t str, BTreeSet<String>>,
    pub(super) conditions: BTreeMap<&'t str, &'t Conditions>,
    pub(super) flags: BTreeMap<&'t str, BTreeSet<String>>,
    /// Bodies of named steps, by name.
    pub(super) steps: BTreeMap<&'t str, &'t [Step]>,
}

/// A mode with its names resolved.
#[derive(Debug)]
pub(in crate::compare) struct Mode<'t> {
    pub(in crate::compare) name: String,
    pub(in crate::compare) span: Span,
    pub(in crate::compare) rows: Vec<Row<'t>>,
}

/// A row of a mode with its names resolved.
#[derive(Debug)]
pub(in crate::compare) struct Row<'t> {
    pub(in crate::compare) span: Span,
    pub(in crate::compare) notes: Vec<(NoteKind, String)>,
    pub(super) tokens: Vec<Tokens>,
    pub(super) guard: Option<&'t Conditions>,
    pub(super) steps: &'t [Step],
}

impl Row<'_> {
    pub(in crate::compare) fn guard(&self) -> Option<&Conditions> {
        self.guard
    }

    /// Whether the patterns of the two rows overlap, by a common name or an equal pattern.
    pub(in crate::compare) fn meets(&self, other: &Self) -> bool {
        let meets = |one: &Tokens, other: &Tokens| match (one, other) {
            (Tokens::Named(kind, Some(one)), Tokens::Named(other_kind, Some(other))) => {
                kind == other_kind && !one.is_disjoint(other)
            }
            _ => one == other,
        };
        self.tokens.iter().any(|one| other.tokens.iter().any(|other| meets(one, other)))
    }

    /// Returns the row's patterns in the table language.
    pub(in crate::compare) fn text(&self) -> String {
        let one = |tokens: &Tokens| match tokens {
            Tokens::Else => "else".to_owned(),
            Tokens::Kind(kind) | Tokens::Named(kind, None) | Tokens::Characters(kind, None) => {
                kind.clone()
            }
            Tokens::Named(kind, Some(names)) => {
                let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
                format!("{kind} {}", names.join(" | "))
            }
            Tokens::Characters(kind, Some(set)) => {
                format!("{kind} {}", crate::compare::cells::set_text(set))
            }
        };
        self.tokens.iter().map(one).collect::<Vec<_>>().join(" | ")
    }
}

/// The tokens of one alternative of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tokens {
    /// Tokens that no other row takes.
    Else,
    /// A kind of token without names or characters.
    Kind(String),
    /// Tags with these names, or all tags of the kind.
    Named(String, Option<BTreeSet<String>>),
    /// Characters or texts of this set, or all of the kind.
    Characters(String, Option<CharacterSet>),
}

/// Gathers the tree construction of a table.
pub(in crate::compare) fn gather<'t>(
    table: &'t Table,
    classes: &BTreeMap<&'t str, CharacterSet>,
) -> Trees<'t> {
    let mut trees = Trees::default();
    let mut members: BTreeMap<&str, &Members> = BTreeMap::new();
    for item in &table.items {
        match item {
            Item::Names(set) | Item::Tree(TreeItem::Scope(set)) => {
                members.insert(&set.name.value, set);
            }
            Item::Steps { name, steps, .. } => {
                trees.steps.insert(&name.value, steps);
            }
            Item::Tree(TreeItem::Condition { name, conditions }) => {
                trees.conditions.insert(&name.value, conditions);
            }
            Item::Tree(TreeItem::Flag { name, values, .. }) => {
                let values = values.iter().map(|value| value.value.clone()).collect();
                trees.flags.insert(&name.value, values);
            }
            _ => {}
        }
    }
    for &name in members.keys() {
        trees.names.insert(name, set(name, &members, members.len()));
    }
    let modes: Vec<Mode<'t>> = table
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Mode(mode) => {
                let rows = mode.rows.iter().map(|row| Row {
                    span: row.span,
                    notes: notes(&row.steps),
                    tokens: tokens(&row.patterns, &trees, classes),
                    guard: row.guard.as_ref(),
                    steps: &row.steps,
                });
                let (name, span) = (mode.name.value.clone(), mode.name.span);
                Some(Mode { name, span, rows: rows.collect() })
            }
            Item::Tree(TreeItem::Reset { rows, .. }) => elements("reset", rows, &trees),
            Item::Tree(TreeItem::Fragment { rows, .. }) => elements("fragment", rows, &trees),
            _ => None,
        })
        .collect();
    trees.modes = modes;
    trees
}

/// Returns element rules as a mode whose tokens are elements.
fn elements<'t>(name: &str, rows: &'t [ElementRow], trees: &Trees<'t>) -> Option<Mode<'t>> {
    let span = rows.first()?.span;
    let rows = rows.iter().map(|row| {
        let names = row.names.iter().flat_map(|name| match &name.value {
            ElementName::Local(namespace, local) => BTreeSet::from([element(namespace, local)]),
            ElementName::Set(set) => trees.names.get(&set[..]).cloned().unwrap_or_default(),
        });
        let tokens = match row.names.is_empty() {
            true => Tokens::Else,
            false => Tokens::Named("element".to_owned(), Some(names.collect())),
        };
        Row {
            span: row.span,
            notes: notes(&row.steps),
            tokens: vec![tokens],
            guard: row.guard.as_ref(),
            steps: &row.steps,
        }
    });
    Some(Mode { name: name.to_owned(), span, rows: rows.collect() })
}

fn notes(steps: &[Step]) -> Vec<(NoteKind, String)> {
    let note = |step: &Step| match step {
        Step::Note(note) => Some((note.kind, note.reason.clone())),
        _ => None,
    };
    steps.iter().filter_map(note).collect()
}

/// Returns an element's qualified name as one text.
pub(super) fn element(namespace: &Option<String>, local: &str) -> String {
    namespace.as_ref().map_or(local.to_owned(), |namespace| format!("{namespace} {local}"))
}

/// Returns the members of a set; `depth` bounds the nesting of sets.
fn set(name: &str, members: &BTreeMap<&str, &Members>, depth: usize) -> BTreeSet<String> {
    let Some(found) = members.get(name).filter(|_| depth > 0) else { return BTreeSet::new() };
    let all = |names: &[Spanned<ElementName>]| -> BTreeSet<String> {
        let of = |name: &Spanned<ElementName>| match &name.value {
            ElementName::Local(namespace, local) => BTreeSet::from([element(namespace, local)]),
            ElementName::Set(other) => set(other, members, depth - 1),
        };
        names.iter().flat_map(of).collect()
    };
    let except = all(&found.except);
    all(&found.members).into_iter().filter(|name| !except.contains(name)).collect()
}

/// Returns the tokens of a row; an omitted kind is that of the preceding alternative.
fn tokens<'t>(
    patterns: &[Spanned<TokenPattern>],
    trees: &Trees<'t>,
    classes: &BTreeMap<&'t str, CharacterSet>,
) -> Vec<Tokens> {
    let mut kind: Option<&str> = None;
    let mut found = Vec::new();
    for pattern in patterns {
        let TokenPattern { kind: own, what } = &pattern.value;
        kind = own.as_deref().or(kind);
        let word = match (own, what) {
            (None, Some(Pattern::Name(word))) => Some(&word[..]),
            _ => None,
        };
        found.push(match (word, kind) {
            (Some("else"), _) => Tokens::Else,
            (Some(word), _) if is_kind(word) => Tokens::Kind(word.to_owned()),
            (_, Some(kind @ ("character" | "string"))) => {
                let set = what.as_ref().map(|what| characters(what, classes));
                Tokens::Characters(kind.to_owned(), set)
            }
            (_, Some(kind)) => {
                let names = what.as_ref().map(|what| match what {
                    Pattern::Text { text, .. } => BTreeSet::from([text.clone()]),
                    Pattern::Name(set) => local(trees.names.get(&set[..])),
                    _ => BTreeSet::new(),
                });
                Tokens::Named(kind.to_owned(), names)
            }
            (word, None) => Tokens::Kind(word.unwrap_or_default().to_owned()),
        });
    }
    found
}

/// Returns only the local names, as a tag has no namespace.
fn local(names: Option<&BTreeSet<String>>) -> BTreeSet<String> {
    let bare = |name: &String| name.rsplit(' ').next().unwrap_or_default().to_owned();
    names.into_iter().flatten().map(bare).collect()
}

fn is_kind(word: &str) -> bool {
    matches!(word, "comment" | "doctype" | "processing-instruction" | "short-end" | "EOF")
}

fn characters(what: &Pattern, classes: &BTreeMap<&str, CharacterSet>) -> CharacterSet {
    match what {
        Pattern::Characters(first, last) => CharacterSet::range(*first, *last),
        Pattern::Name(class) => classes.get(&class[..]).cloned().unwrap_or_default(),
        _ => CharacterSet::default(),
    }
}

impl Trees<'_> {
    /// Returns the element names that the arguments denote: a qualified name, a local name, or a set.
    pub(super) fn named(&self, arguments: &[&Argument], token_name: &str) -> BTreeSet<String> {
        match arguments {
            [Argument::Name(namespace), Argument::Text(local)] => {
                BTreeSet::from([element(&Some(namespace.clone()), local)])
            }
            [Argument::Text(local)] => BTreeSet::from([local.clone()]),
            [Argument::Name(word)] if word == "token-name" => {
                BTreeSet::from([token_name.to_owned()])
            }
            [Argument::Name(word)] => match self.names.get(&word[..]) {
                Some(names) => names.clone(),
                None => BTreeSet::from([format!("`{word}`")]),
            },
            _ => BTreeSet::new(),
        }
    }
}
