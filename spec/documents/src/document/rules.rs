//! Translates sentences to the table language by grammars in files `*.rules`: rules, grouped by category, each with a
//! pattern of words and a meaning. A rule must match all words of a text.

mod steps;
mod tokens;

pub(super) use steps::{parse_steps, resolve_notes, unmatched};
pub(super) use tabulex_language::parse::literal;
pub(super) use tokens::{character, range, text};

use std::collections::BTreeMap;
use tabulex_language::model::kebab_case;
use tabulex_language::vocabulary::Form;
use tokens::Token;

/// A rule of a grammar.
struct Rule {
    /// Pattern of words and slots.
    words: Vec<Token>,
    /// Text in the table language, with `$1` and so on for the meanings of the slots.
    meaning: String,
}

/// The rules of a grammar, by category.
pub(super) struct Rules(BTreeMap<String, Vec<Rule>>);

/// Matches from one position: for each, the index of the token after it, and the meaning.
type Matches = Vec<(usize, String)>;

impl Rules {
    /// Parses a grammar: lines `CATEGORY ::`, each followed by rules `words {category} => meaning $1`, with optional
    /// words in brackets.
    pub(super) fn parse(text: &str) -> Self {
        let mut rules: BTreeMap<String, Vec<Rule>> = BTreeMap::new();
        let mut category = String::new();
        let lines =
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
        for line in lines {
            if let Some(name) = line.strip_suffix(" ::") {
                name.clone_into(&mut category);
                continue;
            }
            let (words, meaning) =
                line.split_once(" => ").unwrap_or((line.trim_end_matches(" =>"), ""));
            for words in expand_optional(words) {
                let words = tokens::tokens(&words).unwrap_or_default();
                let rule = Rule { words, meaning: meaning.to_owned() };
                rules.entry(category.clone()).or_default().push(rule);
            }
        }
        Self(rules)
    }

    /// Adds the wordings of actions as rules of a category. A wording is left out unless it fills all slots of the
    /// form.
    pub(super) fn with_wordings<M>(mut self, category: &str, forms: &[Form<M>]) -> Self {
        for form in forms {
            for wording in form.wordings {
                let words = tokens::tokens(wording).unwrap_or_default();
                let slots = words.iter().filter_map(|token| match token {
                    Token::Slot(slot) => Some(slot),
                    _ => None,
                });
                let mut meaning = form.syntax.to_owned();
                for (at, slot) in slots.enumerate() {
                    meaning = meaning.replacen(&format!("<{slot}>"), &format!("${}", at + 1), 1);
                }
                if !meaning.contains('<') {
                    self.0.entry(category.to_owned()).or_default().push(Rule { words, meaning });
                }
            }
        }
        self
    }

    /// Returns the meaning of a text, or `None` if no rule of the category matches all words.
    pub(super) fn read(&self, category: &str, text: &str) -> Option<String> {
        let tokens = tokens::tokens(without_citations(text))?;
        let mut matcher = Matcher { rules: self, tokens: &tokens, cache: BTreeMap::new() };
        let matches = matcher.match_category(category, 0);
        matches.into_iter().find(|(end, _)| *end == tokens.len()).map(|(_, meaning)| meaning)
    }
}

/// Strips trailing citations such as ` [UNICODE]`.
fn without_citations(mut text: &str) -> &str {
    while let Some((before, _)) = text.strip_suffix(']').and_then(|text| text.rsplit_once(" [")) {
        text = before;
    }
    text
}

/// Returns all variants of a pattern with and without its optional parts.
fn expand_optional(words: &str) -> Vec<String> {
    let Some(begin) = words.find('[') else { return vec![words.to_owned()] };
    let Some(end) = words[begin..].find(']').map(|end| begin + end) else {
        return vec![words.to_owned()];
    };
    let (before, after) = (&words[..begin], &words[end + 1..]);
    let variants =
        [format!("{before}{}{after}", &words[begin + 1..end]), format!("{before}{after}")];
    variants.iter().flat_map(|words| expand_optional(words)).collect()
}

/// A matcher that applies rules to the tokens of one text.
struct Matcher<'r> {
    rules: &'r Rules,
    tokens: &'r [Token],
    /// Matches found so far, by category and index of the first token.
    cache: BTreeMap<(String, usize), Matches>,
}

impl Matcher<'_> {
    fn match_category(&mut self, category: &str, at: usize) -> Matches {
        let key = (category.to_owned(), at);
        if let Some(matches) = self.cache.get(&key) {
            return matches.clone();
        }
        let rules = self.rules;
        let mut matches = Matches::new();
        match rules.0.get(category) {
            Some(category_rules) => {
                for rule in category_rules {
                    for (end, parts) in self.match_words(&rule.words, at) {
                        if matches.iter().all(|(other, _)| *other != end) {
                            matches.push((end, substitute(&rule.meaning, &parts)));
                        }
                    }
                }
            }
            None => {
                let built_in_match = self.match_built_in(category, at);
                matches.extend(built_in_match.or_else(|| self.match_built_in_phrase(category, at)));
            }
        }
        self.cache.insert(key, matches.clone());
        matches
    }

    fn match_words(&mut self, words: &[Token], at: usize) -> Vec<(usize, Vec<String>)> {
        let Some((first, rest)) = words.split_first() else { return vec![(at, Vec::new())] };
        let mut matches = Vec::new();
        match first {
            Token::Slot(category) => {
                for (end, meaning) in self.match_category(category, at) {
                    for (last, parts) in self.match_words(rest, end) {
                        matches.push((last, [vec![meaning.clone()], parts].concat()));
                    }
                }
            }
            word if self.tokens.get(at).is_some_and(|token| are_equal(word, token)) => {
                matches = self.match_words(rest, at + 1);
            }
            _ => {}
        }
        matches
    }

    /// Matches a built-in category of several tokens: the name of a state, or a note in parentheses. Returns the index
    /// after the match and the meaning, or `None` without a match.
    fn match_built_in_phrase(&self, category: &str, at: usize) -> Option<(usize, String)> {
        let word = |at: usize| match self.tokens.get(at) {
            Some(Token::Word(word)) => Some(&word[..]),
            _ => None,
        };
        if category == "note" {
            let mut depth = 0;
            let end = (at..self.tokens.len()).find(|&end| {
                depth += usize::from(word(end) == Some("("));
                depth -= usize::from(depth > 0 && word(end) == Some(")"));
                depth == 0
            })?;
            return (end > at).then(|| (end + 1, String::new()));
        }
        let mut words = Vec::new();
        for end in at.. {
            match word(end).filter(|_| category == "state")? {
                "state" => break,
                "," | "." | ";" => return None,
                word => words.push(word),
            }
        }
        let is_name = !matches!(words[..], [] | ["return"] | ["this"] | ["current"]);
        is_name.then(|| (at + words.len() + 1, kebab_case(&words.join(" "))))
    }

    /// Matches a built-in category of a single token. Returns the index after the token and the meaning, or `None`
    /// without a match.
    fn match_built_in(&self, category: &str, at: usize) -> Option<(usize, String)> {
        let token = self.tokens.get(at)?;
        let meaning = match (category, token) {
            ("character", Token::Character(one)) => tokens::character(*one),
            ("character-text", Token::Quoted(one)) if one.chars().count() == 1 => {
                tokens::character(one.chars().next()?)
            }
            ("hex", Token::Character(one)) => u32::from(*one).to_string(),
            ("error-code", Token::Word(word)) if is_code(&word.to_lowercase()) => {
                word.to_lowercase()
            }
            ("quoted", Token::Quoted(text)) => tokens::text(text),
            ("quoted-word", Token::Quoted(text)) => kebab_case(&text.to_lowercase()),
            ("number", Token::Word(word)) if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                word.clone()
            }
            ("name", Token::Word(word))
                if word.starts_with(|one: char| one.is_ascii_alphabetic()) =>
            {
                tokens::text(word)
            }
            ("tag-name", Token::Word(word)) if is_tag_name(word) => tokens::text(word),
            ("place", Token::Word(word))
                if word.starts_with(|one: char| one.is_ascii_alphabetic()) =>
            {
                kebab_case(&word.to_lowercase())
            }
            ("variable", Token::Word(word)) if is_camel(word) => kebab(word),
            _ => return None,
        };
        Some((at + 1, meaning))
    }
}

/// Whether a word has the form of an error code.
pub(super) fn is_code(word: &str) -> bool {
    word.contains('-') && word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// Whether a word can be the name of an element or attribute.
fn is_tag_name(word: &str) -> bool {
    word.starts_with(|one: char| one.is_ascii_lowercase())
        && word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        && !matches!(word, "element" | "or" | "and" | "the" | "a" | "an")
}

/// Whether a word is in camel case, with a lower-case first letter and a later capital.
fn is_camel(word: &str) -> bool {
    let starts_lowercase = word.starts_with(|one: char| one.is_ascii_lowercase());
    starts_lowercase
        && word.bytes().any(|byte| byte.is_ascii_uppercase())
        && word.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn kebab(word: &str) -> String {
    let mut name = String::new();
    for one in word.chars() {
        if one.is_ascii_uppercase() {
            name.push('-');
        }
        name.push(one.to_ascii_lowercase());
    }
    name
}

/// Whether two tokens are equal, ignoring the case of the first letter.
fn are_equal(one: &Token, other: &Token) -> bool {
    match (one, other) {
        (Token::Word(one), Token::Word(other)) => {
            let (one, other) = (one.as_bytes(), other.as_bytes());
            one.len() == other.len()
                && one[1..] == other[1..]
                && one[0].eq_ignore_ascii_case(&other[0])
        }
        _ => one == other,
    }
}

/// Replaces `$1`, `$2` and so on in a meaning by the parts with these numbers.
fn substitute(meaning: &str, parts: &[String]) -> String {
    let mut text = String::new();
    let mut rest = meaning;
    while let Some((before, after)) = rest.split_once('$') {
        text += before;
        let digit_count = after.bytes().take_while(u8::is_ascii_digit).count();
        let number: usize = after[..digit_count].parse().unwrap_or_default();
        text += number.checked_sub(1).and_then(|at| parts.get(at)).map_or("", |part| part);
        rest = &after[digit_count..];
    }
    text + rest
}
