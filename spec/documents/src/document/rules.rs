//! A grammar as data: rules by category that translate words to steps of the table language. The rules stand in files
//! `*.rules`; a text is matched whole or not at all.

mod steps;
mod tokens;

pub(super) use steps::{parse_steps, resolve_notes};
pub(super) use tokens::{character, literal, range, text};

use std::collections::BTreeMap;
use tabulex_language::model::kebab_case;
use tabulex_language::vocabulary::Form;
use tokens::Token;

/// A rule: its pattern and its meaning.
struct Rule {
    words: Vec<Token>,
    means: String,
}

/// The rules of a grammar, by category.
pub(super) struct Rules(BTreeMap<String, Vec<Rule>>);

/// Possible ends of a match, as token indices, each with the meaning of the match.
type Matches = Vec<(usize, String)>;

impl Rules {
    /// Parses a grammar: lines `category: words {category} => meaning $1`, with optional words in brackets.
    pub(super) fn parse(text: &str) -> Self {
        let mut all: BTreeMap<String, Vec<Rule>> = BTreeMap::new();
        let mut category = String::new();
        let lines =
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
        for line in lines {
            if let Some(name) = line.strip_suffix(" ::") {
                name.clone_into(&mut category);
                continue;
            }
            let (words, means) =
                line.split_once(" => ").unwrap_or((line.trim_end_matches(" =>"), ""));
            for words in expand_optional(words) {
                let words = tokens::tokens(&words).unwrap_or_default();
                let rule = Rule { words, means: means.to_owned() };
                all.entry(category.clone()).or_default().push(rule);
            }
        }
        Self(all)
    }

    /// Adds the wordings of actions as rules of a category: those whose slots are categories, and all of the action's own.
    pub(super) fn with_wordings<M>(mut self, category: &str, forms: &[Form<M>]) -> Self {
        for form in forms {
            for wording in form.wordings {
                let words = tokens::tokens(wording).unwrap_or_default();
                let slots = words.iter().filter_map(|token| match token {
                    Token::Slot(slot) => Some(slot),
                    _ => None,
                });
                let mut means = form.syntax.to_owned();
                for (at, slot) in slots.enumerate() {
                    means = means.replacen(&format!("<{slot}>"), &format!("${}", at + 1), 1);
                }
                if !means.contains('<') {
                    self.0.entry(category.to_owned()).or_default().push(Rule { words, means });
                }
            }
        }
        self
    }

    /// Returns the meaning of a text; `None` if no rule of the category matches all of its words.
    pub(super) fn read(&self, category: &str, text: &str) -> Option<String> {
        let tokens = tokens::tokens(without_citations(text))?;
        let mut reader = Matcher { rules: self, tokens: &tokens, known: BTreeMap::new() };
        let ends = reader.ends(category, 0);
        ends.into_iter().find(|(end, _)| *end == tokens.len()).map(|(_, means)| means)
    }
}

/// Strips trailing references to other documents.
fn without_citations(mut text: &str) -> &str {
    while let Some((before, _)) = text.strip_suffix(']').and_then(|text| text.rsplit_once(" [")) {
        text = before;
    }
    text
}

/// Expands the optional parts of a pattern to all alternatives.
fn expand_optional(words: &str) -> Vec<String> {
    let Some(begin) = words.find('[') else { return vec![words.to_owned()] };
    let Some(end) = words[begin..].find(']').map(|end| begin + end) else {
        return vec![words.to_owned()];
    };
    let (before, after) = (&words[..begin], &words[end + 1..]);
    let both = [format!("{before}{}{after}", &words[begin + 1..end]), format!("{before}{after}")];
    both.iter().flat_map(|words| expand_optional(words)).collect()
}

struct Matcher<'r> {
    rules: &'r Rules,
    tokens: &'r [Token],
    known: BTreeMap<(String, usize), Matches>,
}

impl Matcher<'_> {
    fn ends(&mut self, category: &str, at: usize) -> Matches {
        let key = (category.to_owned(), at);
        if let Some(ends) = self.known.get(&key) {
            return ends.clone();
        }
        let rules = self.rules;
        let mut ends = Matches::new();
        match rules.0.get(category) {
            Some(of_category) => {
                for rule in of_category {
                    for (end, parts) in self.match_words(&rule.words, at) {
                        if ends.iter().all(|(other, _)| *other != end) {
                            ends.push((end, substitute(&rule.means, &parts)));
                        }
                    }
                }
            }
            None => ends
                .extend(self.built_in(category, at).or_else(|| self.built_in_phrase(category, at))),
        }
        self.known.insert(key, ends.clone());
        ends
    }

    fn match_words(&mut self, words: &[Token], at: usize) -> Vec<(usize, Vec<String>)> {
        let Some((first, rest)) = words.split_first() else { return vec![(at, Vec::new())] };
        let mut all = Vec::new();
        match first {
            Token::Slot(category) => {
                for (end, means) in self.ends(category, at) {
                    for (last, parts) in self.match_words(rest, end) {
                        all.push((last, [vec![means.clone()], parts].concat()));
                    }
                }
            }
            word if self.tokens.get(at).is_some_and(|token| are_equal(word, token)) => {
                all = self.match_words(rest, at + 1);
            }
            _ => {}
        }
        all
    }

    /// Matches a built-in category of several tokens: the name of a state, or a note in parentheses.
    fn built_in_phrase(&self, category: &str, at: usize) -> Option<(usize, String)> {
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

    /// Matches a built-in category.
    fn built_in(&self, category: &str, at: usize) -> Option<(usize, String)> {
        let token = self.tokens.get(at)?;
        let means = match (category, token) {
            ("character", Token::Character(one)) => tokens::character(*one),
            ("character-text", Token::Quoted(one)) if one.chars().count() == 1 => {
                tokens::character(one.chars().next()?)
            }
            ("hex", Token::Character(one)) => u32::from(*one).to_string(),
            ("error-code", Token::Word(word)) if is_code(&word.to_lowercase()) => {
                word.to_lowercase()
            }
            ("range", Token::Range(low, high)) => {
                format!("from {} to {}", tokens::character(*low), tokens::character(*high))
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
            ("symbol", Token::Word(word)) if is_symbol(word) => word.clone(),
            ("tag-name", Token::Word(word)) if is_tag_name(word) => tokens::text(word),
            ("place", Token::Word(word))
                if word.starts_with(|one: char| one.is_ascii_alphabetic()) =>
            {
                kebab_case(&word.to_lowercase())
            }
            ("variable", Token::Word(word)) if is_camel(word) => kebab(word),
            _ => return None,
        };
        Some((at + 1, means))
    }
}

/// Whether a word is the name of a token, as `END_TAG` or `EndTag`.
fn is_symbol(word: &str) -> bool {
    word.starts_with(|one: char| one.is_ascii_uppercase())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a word is the code of an error.
fn is_code(word: &str) -> bool {
    word.contains('-') && word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// Whether a word can be the name of an element or attribute.
fn is_tag_name(word: &str) -> bool {
    word.starts_with(|one: char| one.is_ascii_lowercase())
        && word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        && !matches!(word, "element" | "or" | "and" | "the" | "a" | "an")
}

/// Whether a word is in camel case, with an inner capital.
fn is_camel(word: &str) -> bool {
    let is_first = word.starts_with(|one: char| one.is_ascii_lowercase());
    is_first
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

/// Substitutes the parts for `$1`, `$2` … in a meaning.
fn substitute(means: &str, parts: &[String]) -> String {
    let mut text = String::new();
    let mut rest = means;
    while let Some((before, after)) = rest.split_once('$') {
        text += before;
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let number: usize = after[..digits].parse().unwrap_or_default();
        text += number.checked_sub(1).and_then(|at| parts.get(at)).map_or("", |part| part);
        rest = &after[digits..];
    }
    text + rest
}
