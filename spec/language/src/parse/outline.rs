//! The names that a text declares, collected even if it is not a valid table, so that code using the machine still
//! resolves.

use super::{Grammar, Node, Rule, children};
use crate::syntax::FileId;
use pest::Parser as _;
use pest::iterators::Pair;

/// Names that a table declares and that code using the machine can refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Id of the dialect, if the table gives one.
    pub name: Option<String>,
    /// State names, without duplicates.
    pub states: Vec<String>,
    /// Error codes, without duplicates.
    pub errors: Vec<String>,
    /// Flags that the host sets, without duplicates.
    pub host_flags: Vec<String>,
}

/// Collects the outline of the contents of the macro call's braces, which need not be a valid table.
pub fn outline(text: &str) -> Outline {
    let mut outline = Outline::default();
    let Ok(pairs) = Grammar::parse(Rule::outline, text) else { return outline };
    for pair in pairs.flat_map(Pair::into_inner) {
        let pair = Node { pair, file: FileId::TABLE };
        let rule = pair.as_rule();
        let is_set_by_host = children(pair.clone()).any(|part| part.as_rule() == Rule::by_host);
        let mut names = children(pair).map(|part| part.as_str().to_owned());
        match rule {
            Rule::machine_name => outline.name = outline.name.or_else(|| names.next()),
            Rule::outlined_state => outline.states.extend(names.next()),
            Rule::errors | Rule::host_errors => outline.errors.extend(names),
            Rule::flag if is_set_by_host => outline.host_flags.extend(names.next()),
            _ => {}
        }
    }
    for list in [&mut outline.states, &mut outline.errors, &mut outline.host_flags] {
        let mut known_names = std::collections::HashSet::new();
        list.retain(|name| known_names.insert(name.clone()));
    }
    outline
}
