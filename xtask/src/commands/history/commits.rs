//! The list of a standard's changes in spec/documents/DIALECT.history: the dates of its texts, and the commits between
//! them. A commit is named only for differences at the places that it lists, between an earlier and a later text.

use crate::{Failure, root};
use tabulex_documents::compare::Difference;

/// The list of a standard's changes that concern a dialect.
#[derive(Default)]
pub(super) struct ChangeList {
    /// Dates and files of the texts, oldest first.
    pub(super) texts: Vec<(String, String)>,
    commits: Vec<Commit>,
}

struct Commit {
    date: String,
    /// Hash and subject of the commit.
    title: String,
    /// Names of states, modes and declarations, or `*` for any; each with a word that a changed row must contain, or an
    /// empty text.
    places: Vec<(String, String)>,
}

impl ChangeList {
    /// Reads the list of a dialect; a missing file is an empty list.
    pub(super) fn read(dialect: &str) -> Result<Self, Failure> {
        let path = root::root().join(format!("spec/documents/{dialect}.history"));
        match std::fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text),
            Err(_) => Ok(Self::default()),
        }
    }

    /// Parses a list: lines `text DATE FILE`, and lines `commit DATE HASH SUBJECT`, each followed by indented lines
    /// `PLACE` or `PLACE: WORD`.
    fn parse(text: &str) -> Result<Self, Failure> {
        let mut list = Self::default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
            let invalid_line = || {
                format!(
                    "invalid line in a history: `{line}`; expected `text`, `commit`, or a place after a commit"
                )
            };
            if let Some(place) = line.strip_prefix("    ") {
                let (name, word) = place.split_once(": ").unwrap_or((place, ""));
                let last_commit = list.commits.last_mut().ok_or_else(invalid_line)?;
                last_commit.places.push((name.to_owned(), word.to_owned()));
                continue;
            }
            let mut fields = line.splitn(3, ' ');
            match (fields.next(), fields.next(), fields.next()) {
                (Some("text"), Some(date), Some(file)) => {
                    list.texts.push((date.to_owned(), file.to_owned()));
                }
                (Some("commit"), Some(date), Some(title)) => {
                    let (date, title) = (date.to_owned(), title.to_owned());
                    list.commits.push(Commit { date, title, places: Vec::new() });
                }
                _ => return Err(invalid_line()),
            }
        }
        Ok(list)
    }

    /// Returns the date of a text from the list, or else from the name of the file; `None` if neither has a date.
    pub(super) fn date(&self, file: &str) -> Option<String> {
        let listed = self.texts.iter().find(|(_, other)| other == file);
        let date_at = |offset: usize| {
            let date = file.get(offset..offset + 10)?;
            let is_date = date.bytes().enumerate().all(|(index, byte)| match index {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
            is_date.then(|| date.to_owned())
        };
        listed.map(|(date, _)| date.clone()).or_else(|| (0..file.len()).find_map(date_at))
    }

    /// Returns the date and title of each commit after `from` and up to `to` that concerns a difference.
    pub(super) fn between(&self, [from, to]: [&str; 2], difference: &Difference) -> Vec<String> {
        let Difference { state, input, left, right, .. } = difference;
        let name = if state.is_empty() { input } else { state };
        let name = name.strip_prefix("algorithm ").unwrap_or(name);
        let row = [Some(input), left.as_ref(), right.as_ref()];
        let row_contains = |word: &str| row.iter().flatten().any(|text| text.contains(word));
        // A state's name alone does not identify the changed row, so without a word, a place matches only outside of
        // states.
        let is_named = |place: &str, word: &str| match word {
            "" => state.is_empty() && place == name,
            word => (place == "*" || place == name) && row_contains(word),
        };
        let is_about = |commit: &&Commit| {
            let is_between = &commit.date[..] > from && &commit.date[..] <= to;
            is_between && commit.places.iter().any(|(place, word)| is_named(place, word))
        };
        let commits = self.commits.iter().filter(is_about);
        commits.map(|Commit { date, title, .. }| format!("{date} {title}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::ChangeList;
    use tabulex_documents::compare::Difference;

    #[test]
    fn attributes_row_to_commit_by_words() {
        let text = "commit 2020-01-10 abc placed\n    data\ncommit 2020-01-11 def said\n    data: plaintext\n";
        let list = ChangeList::parse(text).expect("the history is valid");
        let difference = |right: &str| Difference {
            state: "data".to_owned(),
            input: "'&'".to_owned(),
            left: Some("ignore".to_owned()),
            right: Some(right.to_owned()),
            ..Difference::default()
        };
        let commits = |right: &str| list.between(["2020-01-01", "2020-02-01"], &difference(right));
        assert_eq!(commits("switch plaintext"), ["2020-01-11 def said"]);
        assert!(commits("emit current").is_empty());
    }
}
