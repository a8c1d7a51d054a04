//! Algorithms about bytes and strings, run as their steps stand in a table: the prescan for an encoding, and what a tree is
//! written as. Trees that are built have their own executor (`interpreter`). Invariant: what is not said by a step is not
//! done; a step that no executor knows is a mistake that is returned.

mod ask;
mod prescan;
mod serialize;

pub use prescan::{Declared, prescan};
pub use serialize::{Attribute, Element, Kind, Node, Shadow, serialize};

use tabulex_language::syntax::{AlgorithmStep, Argument, Item, NoteKind, Table, TreeItem};

/// The algorithms of a table.
#[derive(Clone, Debug, Default)]
pub struct Algorithms(Vec<(String, Vec<Step>)>);

/// A step, and those that belong to it.
#[derive(Clone, Debug, Default)]
struct Step {
    words: Vec<Word>,
    inner: Vec<Step>,
}

/// A word of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Word {
    Name(String),
    Character(char),
    Text(String),
}

impl Word {
    fn is(&self, name: &str) -> bool {
        matches!(self, Self::Name(word) if word == name)
    }
}

/// What an executor does not know.
fn unknown(words: &[Word]) -> String {
    let shown: Vec<String> = words
        .iter()
        .map(|word| match word {
            Word::Name(name) => name.clone(),
            Word::Character(one) => format!("{one:?}"),
            Word::Text(text) => format!("{text:?}"),
        })
        .collect();
    format!("no such step: {}", shown.join(" "))
}

impl Algorithms {
    /// The algorithms of the table: what it leaves out of them is not there, what it adds is.
    pub fn of(table: &Table) -> Self {
        let algorithms = table.items.iter().filter_map(|item| match item {
            Item::Tree(TreeItem::Algorithm { name, steps, .. }) => {
                Some((name.value.clone(), gathered(steps)))
            }
            _ => None,
        });
        Self(algorithms.collect())
    }

    fn steps(&self, name: &str) -> Result<&[Step], String> {
        let found = self.0.iter().find(|(other, _)| other == name);
        found
            .map(|(_, steps)| &steps[..])
            .ok_or_else(|| format!("the table has no algorithm {name}"))
    }
}

fn gathered(steps: &[AlgorithmStep]) -> Vec<Step> {
    let mut all = Vec::new();
    for step in steps {
        match step {
            AlgorithmStep::Step { words, inner } => {
                let words = words.arguments.iter().map(|argument| match &argument.value {
                    Argument::Name(name) => Word::Name(name.clone()),
                    Argument::Character(one) => Word::Character(*one),
                    Argument::Text(text) => Word::Text(text.clone()),
                    Argument::Number(number) => Word::Name(number.to_string()),
                });
                all.push(Step { words: words.collect(), inner: gathered(inner) });
            }
            AlgorithmStep::Apart { note, inner } if note.kind == NoteKind::Fills => {
                all.extend(gathered(inner));
            }
            AlgorithmStep::Apart { .. } => {}
        }
    }
    all
}
