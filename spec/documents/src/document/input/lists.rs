//! Reads tables of error codes and of default encodings.

use super::InputReader;
use crate::document::outline::{ListEntry, Node};
use crate::document::rules::{is_code, text};
use crate::document::sentence::{self, Read};
use std::collections::BTreeSet;

impl InputReader<'_> {
    /// Reads a table of error codes with descriptions.
    pub(super) fn read_codes(&mut self, entries: &[ListEntry]) {
        let mut codes: Vec<String> = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let cells = entry.cells();
            for (column, cell) in cells.iter().enumerate() {
                let is_code = column == 0 && is_code(&cell.words);
                let outcome = match (at, column) {
                    (0, 0) if cell.words == "Code" => Read::Asks,
                    (0, 1) if cell.words == "Description" => Read::Asks,
                    (_, 0) if is_code => Read::Asks,
                    (1.., 1..) if self.are_descriptions_remarks => Read::Remark,
                    _ => Read::Unread,
                };
                for words in sentence::divide(&cell.words) {
                    self.reading.note(&words, cell.line, outcome);
                }
                if at > 0 && is_code {
                    codes.push(cell.words.clone());
                }
            }
            for node in &entry.nodes {
                if let Node::List(_, entries) = node {
                    self.read_other_list(entries);
                }
            }
        }
        self.reading.listed_codes.extend(codes);
    }

    /// Records each code that is used but missing from the list of codes as an unread sentence.
    pub(super) fn report_unlisted_codes(&mut self) {
        let first_code = self.reading.listed_codes.first();
        let mut sentences = self.reading.sentences.iter();
        let Some(first) = sentences.find(|one| Some(&one.words) == first_code) else { return };
        let (place, line) = (first.place.clone(), first.line);
        self.reading.current_section = place;
        let listed: BTreeSet<&str> =
            self.reading.listed_codes.iter().map(|code| &code[..]).collect();
        let used_codes = super::super::facts::codes(self.reading);
        let missing: Vec<String> = used_codes
            .into_iter()
            .filter(|code| !listed.contains(code))
            .map(str::to_owned)
            .collect();
        for code in missing {
            self.reading.note(&format!("{code} is not in the list of codes"), line, Read::Unread);
        }
    }

    /// Reads the table of default encodings by locale.
    pub(super) fn read_locales(&mut self, entries: &[ListEntry]) {
        for (at, entry) in entries.iter().enumerate() {
            let cells = entry.cells();
            let words: Vec<&str> = cells.iter().map(|cell| &cell.words[..]).collect();
            let line = cells.first().map_or(0, |cell| cell.line);
            let item = match words[..] {
                ["Locale language", "Suggested default encoding"] if at == 0 => Some(None),
                ["All other locales", label] => Some(Some(format!("default {};", text(label)))),
                [tags, _, label] => {
                    let tags: Vec<String> = tags.split(", ").map(text).collect();
                    Some(Some(format!("locale {} => {};", tags.join(" | "), text(label))))
                }
                _ => None,
            };
            let outcome = if item.is_some() { Read::Asks } else { Read::Unread };
            self.reading.note(&words.join(" "), line, outcome);
            self.reading.encodings.extend(item.flatten());
        }
    }
}
