//! The words that the grammar itself knows, for editors that colour tables and for advice. The words of actions and
//! conditions are not among them: those are the vocabulary's forms. Invariant: all is read from the grammar.

/// The grammar of tables.
const GRAMMAR: &str = include_str!("../grammar.pest");

/// The words that are written out in the grammar as words of their own, sorted, each once.
pub fn keywords() -> Vec<&'static str> {
    let rules = GRAMMAR.lines().filter(|line| line.contains("~ !word_rest"));
    // What stands around literals has blanks.
    let pieces = rules.flat_map(|line| line.split('"'));
    let is_word = |it: &&str| it.chars().all(|it| it.is_ascii_alphabetic() || it == '-');
    let mut words: Vec<&str> = pieces.filter(is_word).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// How a declaration is written that begins with these two words, or else one that begins with the first of them: the example
/// that stands at its rule.
pub(crate) fn example(word: &str, next: &str) -> Option<&'static str> {
    let examples =
        || GRAMMAR.lines().filter_map(|line| line.strip_prefix("/// `")?.split('`').next());
    let beginning = |words: String| examples().find(|example| example.starts_with(&words));
    beginning(format!("{word} {next} ")).or_else(|| beginning(format!("{word} ")))
}
