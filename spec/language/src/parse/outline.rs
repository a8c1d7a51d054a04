//! The outline of a text that may be no table: the names that code beside it can use. It reports nothing. Invariant: each name is
//! there once.

use super::{Grammar, Node, Rule, children};
use crate::syntax::FileId;
use pest::Parser as _;
use pest::iterators::Pair;

/// The names that a table declares: what code that uses the machine can name, even if the table is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The id of the dialect, if one is given.
    pub name: Option<String>,
    /// The states, each once.
    pub states: Vec<String>,
    /// The error codes, each once.
    pub errors: Vec<String>,
    /// The flags that the host sets, each once.
    pub host_flags: Vec<String>,
}

/// Reads the outline of what is between the braces, whether or not it is a table.
pub fn outline(text: &str) -> Outline {
    let mut outline = Outline::default();
    let Ok(pairs) = Grammar::parse(Rule::outline, text) else { return outline };
    for pair in pairs.flat_map(Pair::into_inner) {
        let pair = Node { pair, file: FileId::OWN };
        let rule = pair.as_rule();
        let is_of_host = children(pair.clone()).any(|part| part.as_rule() == Rule::by_host);
        let mut names = children(pair).map(|part| part.as_str().to_owned());
        match rule {
            Rule::machine_name => outline.name = outline.name.or_else(|| names.next()),
            Rule::outlined_state => outline.states.extend(names.next()),
            Rule::errors | Rule::host_errors => outline.errors.extend(names),
            Rule::flag if is_of_host => outline.host_flags.extend(names.next()),
            _ => {}
        }
    }
    for list in [&mut outline.states, &mut outline.errors, &mut outline.host_flags] {
        let mut seen = std::collections::HashSet::new();
        list.retain(|name| seen.insert(name.clone()));
    }
    outline
}
