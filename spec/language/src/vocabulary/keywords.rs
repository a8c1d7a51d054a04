//! Keywords of the grammar, for syntax highlighting and suggestions. They are extracted from the grammar itself; the
//! words of actions and conditions are in the vocabulary's forms.

/// The grammar of tables.
const GRAMMAR: &str = include_str!("../grammar.pest");

/// Returns the words that the grammar spells out, sorted and without duplicates.
pub fn keywords() -> Vec<&'static str> {
    let rules = GRAMMAR.lines().filter(|line| line.contains("~ !word_rest"));
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
