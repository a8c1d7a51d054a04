//! Binds algorithms that are not compiled to their steps in the built-in tables: algorithms of tokens, which parsers
//! implement by hand, and those that nothing executes. Other steps are an error. `bound.list` has fingerprints of the
//! steps; `UPDATE_EXPECT=1 cargo test -p tabulex-language --test bound` writes it.

use crate::model::Machine;
use crate::model::token_steps::TokenRoutine;
use crate::model::tree::algorithm::Routine;
use crate::syntax::{AlgorithmStep, Item, Span, Table, TreeItem};
use crate::vocabulary::algorithm::ROUTINES;
use crate::vocabulary::find;
use crate::vocabulary::token_steps::TOKEN_ROUTINES;

/// One algorithm per line: its kind, its name, and the fingerprints of its steps.
const LIST: &str = include_str!("bound.list");

/// An algorithm of a table, with fingerprints of its steps.
#[derive(Clone, Debug)]
pub struct BoundAlgorithm {
    /// Kind of the algorithm, which determines its executor.
    pub kind: BoundKind,
    /// Name of the algorithm.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Fingerprint of all steps; for an algorithm that nothing executes, one for each step, with its span.
    pub steps: Vec<(u32, Span)>,
}

/// A kind of algorithms that are not compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundKind {
    /// Algorithms of tokens, which parsers implement by hand.
    Token,
    /// Algorithms that nothing executes, because rows, declarations or the runtime already have their effect.
    Unexecuted,
}

impl BoundKind {
    /// Returns the word for the kind in the list.
    pub fn word(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Unexecuted => "stated",
        }
    }
}

/// Result of comparing an algorithm with the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The list has the algorithm with these steps.
    Bound,
    /// The list has the algorithm with other steps. The span is that of the first step that the list does not have, or
    /// of the name.
    Other(Span),
    /// The list does not have the algorithm.
    Unknown,
}

impl BoundAlgorithm {
    /// Returns the line for the algorithm in the list.
    pub fn line(&self) -> String {
        let steps: Vec<String> = self.steps.iter().map(|(hash, _)| format!("{hash:08x}")).collect();
        format!("{} {} {}", self.kind.word(), self.name, steps.join(" "))
    }

    /// Compares the steps of the algorithm with those in the list.
    pub fn comparison(&self) -> Comparison {
        let (line, head) = (self.line(), format!("{} {} ", self.kind.word(), self.name));
        let known: Vec<&str> = LIST.lines().filter(|line| line.starts_with(&head)).collect();
        if known.is_empty() {
            return Comparison::Unknown;
        }
        if known.contains(&line.trim_end()) {
            return Comparison::Bound;
        }
        let is_known = |hash: u32| {
            let hash = format!("{hash:08x}");
            known.iter().any(|line| line.split(' ').skip(2).any(|other| other == hash))
        };
        let new = self.steps.iter().find(|(hash, _)| !is_known(*hash));
        Comparison::Other(new.map_or(self.span, |(_, span)| *span))
    }
}

/// Returns the names of the algorithms in the list that nothing executes.
pub(crate) fn unexecuted_names() -> Vec<&'static str> {
    let of = |line: &'static str| line.strip_prefix("stated ")?.split(' ').next();
    LIST.lines().filter_map(of).collect()
}

/// Returns the algorithms of the table that are bound to their steps.
pub fn all(machine: &Machine, table: &Table) -> Vec<BoundAlgorithm> {
    let mut found = Vec::new();
    for item in &table.items {
        let Item::Tree(TreeItem::Algorithm { name, steps, .. }) = item else { continue };
        let (name, span) = (&name.value, name.span);
        if let Some(routine) = find(TOKEN_ROUTINES, name) {
            let steps = vec![(token_steps_fingerprint(machine, routine), span)];
            found.push(BoundAlgorithm { kind: BoundKind::Token, name: name.clone(), span, steps });
        } else if !is_executed(machine, name) && !is_prefix_of_another(name) {
            let mut all = Vec::new();
            add_words(steps, 0, &mut all);
            found.push(BoundAlgorithm {
                kind: BoundKind::Unexecuted,
                name: name.clone(),
                span,
                steps: all,
            });
        }
    }
    found
}

fn is_executed(machine: &Machine, name: &str) -> bool {
    machine.construction.iter().flat_map(|it| &it.algorithms).any(|other| other.name == name)
}

/// Whether the steps of the algorithm are the first ones of another algorithm.
fn is_prefix_of_another(name: &str) -> bool {
    ROUTINES.iter().any(|(_, routine): &(_, Routine)| routine.prefix_algorithm() == Some(name))
}

fn token_steps_fingerprint(machine: &Machine, routine: TokenRoutine) -> u32 {
    hash(&format!("{:?}", machine.token_steps(routine)))
}

/// Collects fingerprints of steps and of the steps inside them; each covers the step's words and its nesting depth.
fn add_words(steps: &[AlgorithmStep], depth: usize, all: &mut Vec<(u32, Span)>) {
    for step in steps {
        match step {
            AlgorithmStep::Step { words, inner } => {
                let text = format!("{depth} {}", crate::resolve::format_words(words));
                all.push((hash(&text), words.span));
                add_words(inner, depth + 1, all);
            }
            AlgorithmStep::Apart { inner, .. } => add_words(inner, depth + 1, all),
        }
    }
}

/// Returns the fingerprint of the text (FNV-1a).
pub fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
