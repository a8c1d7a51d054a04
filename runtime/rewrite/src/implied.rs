//! Open elements that end at a start tag without an end tag of their own. What ends where is asked of the dialect's parser.

use crate::markup::Parser;
use std::collections::HashMap;
use tabulex_edit::seam;

/// The number of innermost elements of which the parser is told.
pub(crate) const MAX_ASKED: usize = 64;

/// The number of answers that are remembered.
const MAX_REMEMBERED: usize = 4096;

/// Answers of the parser.
#[derive(Debug, Default)]
pub(crate) struct Implied {
    /// Whether a start tag of the second name ends an element of the first with nothing open inside.
    pairs: HashMap<(u64, u64), bool>,
    /// Which elements end, by their names and that of the start tag.
    chains: HashMap<String, Vec<bool>>,
}

impl Implied {
    /// Which of the open elements, outermost first, end at a start tag; none if the list is empty. Each has a number that
    /// stands for its name.
    pub(crate) fn ended(
        &mut self,
        open: &[(u64, String)],
        (key, name): (u64, &str),
        parser: Parser,
    ) -> &[bool] {
        if self.chains.len() > MAX_REMEMBERED || self.pairs.len() > MAX_REMEMBERED {
            *self = Self::default();
        }
        let ask = |open: &[(u64, String)]| {
            let names: Vec<&str> = open.iter().map(|(_, name)| &**name).collect();
            seam::ended_by(&names, name, &|markup| parser.parse(markup))
        };
        let is_candidate = (0..open.len()).rev().any(|index| {
            let ends = || ask(&open[..=index]).last() == Some(&true);
            *self.pairs.entry((open[index].0, key)).or_insert_with(ends)
        });
        if !is_candidate {
            return &[];
        }
        let mut chain = String::new();
        for (_, name) in open {
            chain += name;
            chain.push(' ');
        }
        self.chains.entry(chain + name).or_insert_with(|| ask(open))
    }
}
