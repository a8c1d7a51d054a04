//! Keywords of the grammar, for syntax highlighting and suggestions. They are extracted from the grammar itself; the
//! words of actions and conditions are in the vocabulary's forms.

use std::sync::LazyLock;

/// The grammar of tables.
const GRAMMAR: &str = include_str!("../grammar.pest");

/// Words that begin declarations: the first keyword of each alternative of the rules `item` and `tree_item`.
pub(crate) static DECLARATIONS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let lists = ["item", "tree_item"].into_iter().filter_map(definition);
    let alternatives = lists.filter_map(|list| list.split(['{', '}']).nth(1));
    alternatives.flat_map(|rules| rules.split('|')).filter_map(first_word).collect()
});

/// Returns the text of the grammar after `RULE =`; `None` if it does not define the rule.
fn definition(rule: &str) -> Option<&'static str> {
    Some(GRAMMAR.split_once(&format!("\n{} = ", rule.trim()))?.1)
}

/// Returns the first word of a rule, if the rule begins with a keyword.
fn first_word(rule: &str) -> Option<&'static str> {
    let keyword = definition(rule)?.strip_prefix("{ ")?.split(' ').next()?;
    definition(keyword).filter(|_| keyword.starts_with("keyword_"))?.split('"').nth(1)
}

/// Returns the words that the grammar spells out, sorted and without duplicates.
pub fn keywords() -> Vec<&'static str> {
    let rules = GRAMMAR.lines().filter(|line| line.contains("~ word_end"));
    // The pieces between literals contain blanks, so they are not mistaken for words.
    let pieces = rules.flat_map(|line| line.split('"'));
    let is_word = |piece: &&str| piece.chars().all(|one| one.is_ascii_alphabetic() || one == '-');
    let mut words: Vec<&str> = pieces.filter(is_word).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Returns the example of a declaration that begins with these two words, or else with the first of them; `None` if
/// there is neither. The grammar has the examples in its comments.
pub(crate) fn example(word: &str, next: &str) -> Option<&'static str> {
    let examples =
        || GRAMMAR.lines().filter_map(|line| line.strip_prefix("/// `")?.split('`').next());
    let beginning = |words: String| examples().find(|example| example.starts_with(&words));
    beginning(format!("{word} {next} ")).or_else(|| beginning(format!("{word} ")))
}
