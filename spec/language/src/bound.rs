//! Algorithms that parsers have by hand, each bound to the steps for which it was written: a table with other steps would be
//! compiled to a parser that does not follow them. The steps stand in `bound.list` as fingerprints, which
//! `UPDATE_EXPECT=1 cargo test -p tabulex-language --test bound` writes; that compiled parsers do what those steps say is
//! what the differential suites show.

use crate::model::Machine;
use crate::model::token_steps::TokenRoutine;
use crate::model::tree::algorithm::{Algorithm, Routine};
use crate::model::tree::{Construction, Elements};
use crate::syntax::{AlgorithmStep, Item, Span, Table, TreeItem};
use crate::vocabulary::algorithm::ROUTINES;
use crate::vocabulary::find;
use crate::vocabulary::token_steps::TOKEN_ROUTINES;

/// Fingerprints of the steps that parsers have by hand, an algorithm a line.
const LIST: &str = include_str!("bound.list");

/// An algorithm of a table, with fingerprints of its steps.
#[derive(Clone, Debug)]
pub struct Bound {
    /// What the algorithm is about, and so who executes it.
    pub kind: BoundKind,
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// The fingerprint of all steps, or one for each step of an algorithm that nothing executes, with the step's place.
    pub steps: Vec<(u32, Span)>,
}

/// What an algorithm is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundKind {
    /// Trees whose elements are made so, the bytes before them, and how they are written.
    Tree(Elements),
    /// Tokens.
    Token,
    /// What no step executes: rows, declarations or the runtime do it by being what they are.
    Stated,
}

impl BoundKind {
    /// The word for it in the list.
    pub fn word(self) -> &'static str {
        match self {
            Self::Tree(Elements::Html) => "html",
            Self::Tree(Elements::Plain) => "plain",
            Self::Tree(Elements::Xml) => "xml",
            Self::Token => "token",
            Self::Stated => "stated",
        }
    }
}

/// How an algorithm stands to those in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its steps are in the list.
    Bound,
    /// Its name is in the list, but with other steps; the place of the first one that is not there, or that of the name.
    Other(Span),
    /// Its name is not in the list.
    Unknown,
}

impl Bound {
    /// The line of the algorithm in the list.
    pub fn line(&self) -> String {
        let steps: Vec<String> = self.steps.iter().map(|(hash, _)| format!("{hash:08x}")).collect();
        format!("{} {} {}", self.kind.word(), self.name, steps.join(" "))
    }

    /// How it stands to those in the list.
    pub fn standing(&self) -> Standing {
        let (own, head) = (self.line(), format!("{} {} ", self.kind.word(), self.name));
        let known: Vec<&str> = LIST.lines().filter(|line| line.starts_with(&head)).collect();
        if known.is_empty() {
            return Standing::Unknown;
        }
        if known.contains(&own.trim_end()) {
            return Standing::Bound;
        }
        let is_known = |hash: u32| {
            let hash = format!("{hash:08x}");
            known.iter().any(|line| line.split(' ').skip(2).any(|other| other == hash))
        };
        let new = self.steps.iter().find(|(hash, _)| !is_known(*hash));
        Standing::Other(new.map_or(self.span, |(_, span)| *span))
    }
}

/// The names of algorithms that nothing executes, and that are known all the same.
pub(crate) fn stated_names() -> Vec<&'static str> {
    let of = |line: &'static str| line.strip_prefix("stated ")?.split(' ').next();
    LIST.lines().filter_map(of).collect()
}

/// All algorithms of the machine and of the table that it was resolved from, those included that the table takes over.
pub fn all(machine: &Machine, table: &Table) -> Vec<Bound> {
    let mut found = Vec::new();
    if let Some(construction) = &machine.construction {
        let kind = BoundKind::Tree(construction.elements);
        found.extend(construction.algorithms.iter().map(|algorithm| {
            let steps = vec![(of_tree(construction, algorithm), algorithm.span)];
            Bound { kind, name: algorithm.name.clone(), span: algorithm.span, steps }
        }));
    }
    for item in &table.items {
        let Item::Tree(TreeItem::Algorithm { name, steps, .. }) = item else { continue };
        let (name, span) = (&name.value, name.span);
        if let Some(routine) = find(TOKEN_ROUTINES, name) {
            let steps = vec![(of_token(machine, routine), span)];
            found.push(Bound { kind: BoundKind::Token, name: name.clone(), span, steps });
        } else if !is_executed(machine, name) && !comes_before_others(name) {
            let mut all = Vec::new();
            add_words(steps, 0, &mut all);
            found.push(Bound { kind: BoundKind::Stated, name: name.clone(), span, steps: all });
        }
    }
    found
}

fn is_executed(machine: &Machine, name: &str) -> bool {
    machine.construction.iter().flat_map(|it| &it.algorithms).any(|other| other.name == name)
}

/// Whether the steps of the algorithm are the first ones of another.
fn comes_before_others(name: &str) -> bool {
    ROUTINES.iter().any(|(_, routine): &(_, Routine)| routine.begins_with() == Some(name))
}

fn of_token(machine: &Machine, routine: TokenRoutine) -> u32 {
    hash(&format!("{:?}", machine.token_steps(routine)))
}

/// The fingerprint of an algorithm of trees: of what it is given and of its steps, whatever names its variables have. Numbers
/// that the table declares as limits are left out, as parsers take them from the declaration; so is where things stand
/// among those of their kind.
fn of_tree(construction: &Construction, algorithm: &Algorithm) -> u32 {
    let Algorithm { parameters, variables, definitions, steps, .. } = algorithm;
    let kinds: Vec<_> = variables.iter().map(|variable| variable.kind).collect();
    let said = format!("{parameters:?} {kinds:?} {definitions:?} {steps:?}");
    let said = replaced(&said, "AlgorithmId(", |at| &construction.algorithms[at].name);
    let said = replaced(&said, "TreeFlagId(", |at| &construction.flags[at].name);
    let said = replaced(&said, "StepsId(", |_| "");
    let said = replaced(&said, "ErrorId(", |_| "");
    hash(&without_limits(&said))
}

/// The text with each index after `head` replaced.
fn replaced<'n>(said: &str, head: &str, name: impl Fn(usize) -> &'n str) -> String {
    let mut parts = said.split(head);
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(')').unwrap_or(part.len());
        made.push_str(head);
        made.push_str(part[..end].parse().map_or("", &name));
        made.push_str(&part[end..]);
    }
    made
}

/// The text without the numbers of conditions that compare with a declared limit.
fn without_limits(said: &str) -> String {
    let mut made = String::new();
    let mut rest = said;
    // The number is the first of two parts, or the last.
    while let Some(at) =
        ["AtLeast(", "MoreThan(", "AreAlike("].iter().filter_map(|head| rest.find(head)).min()
    {
        let is_first = rest[at..].starts_with("AreAlike(");
        let from = at + rest[at..].find('(').unwrap_or_default() + 1;
        let mut depth = 1;
        let end = rest[from..].find(|character| {
            depth += i32::from(character == '(') - i32::from(character == ')');
            depth == 0
        });
        let end = end.map_or(rest.len(), |end| from + end);
        let number = if is_first {
            from..rest[from..end].find(',').map_or(end, |comma| from + comma)
        } else {
            rest[from..end].rfind(' ').map_or(end, |space| from + space)..end
        };
        made.push_str(&rest[..number.start]);
        rest = &rest[number.end..];
    }
    made + rest
}

/// The fingerprints of the words of steps, and of those in them, each with how deep it stands.
fn add_words(steps: &[AlgorithmStep], depth: usize, all: &mut Vec<(u32, Span)>) {
    for step in steps {
        match step {
            AlgorithmStep::Step { words, inner } => {
                let said = format!("{depth} {}", crate::resolve::spelt(words));
                all.push((hash(&said), words.span));
                add_words(inner, depth + 1, all);
            }
            AlgorithmStep::Apart { inner, .. } => add_words(inner, depth + 1, all),
        }
    }
}

/// FNV-1a.
fn hash(said: &str) -> u32 {
    said.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
