//! Reads tables of error codes and of default encodings, and expands the character classes that Infra defines.

use super::InputReader;
use crate::document::outline::{ListEntry, Node};
use crate::document::rules::{character, range, text};
use crate::document::sentence::{self, Read};
use std::collections::BTreeSet;

/// The range of the noncharacters other than the last two code points of each plane.
const NONCHARACTERS: (u32, u32) = (0xFDD0, 0xFDEF);
/// The controls: the C0 controls, and U+007F to U+009F.
const CONTROLS: [(u32, u32); 2] = [(0, 0x1F), (0x7F, 0x9F)];
/// The characters of ASCII whitespace.
const WHITESPACE: [char; 5] = ['\t', '\n', '\x0C', '\r', ' '];

/// Splits declarations in the table language, and replaces `@CLASS` by the ranges of the class; `None` if a class is
/// unknown.
pub(super) fn declarations(items: &str) -> Option<Vec<String>> {
    let mut declarations = Vec::new();
    for item in items.split_inclusive(';').map(str::trim).filter(|item| !item.is_empty()) {
        let Some((before, after)) = item.split_once('@') else {
            declarations.push(item.to_owned());
            continue;
        };
        let (class, rest) = after.split_once(" =>")?;
        declarations.push(format!("{before}{} =>{rest}", characters(class)?));
    }
    Some(declarations)
}

/// Returns the ranges of a character class in the table language; `None` if the class is unknown.
fn characters(class: &str) -> Option<String> {
    let range_text =
        |&(low, high): &(u32, u32)| Some(range(&(char::from_u32(low)?, char::from_u32(high)?)));
    let ranges: Vec<(u32, u32)> = if class == "noncharacters" {
        let planes = (0..=0x10).map(|plane| (plane * 0x1_0000 + 0xFFFE, plane * 0x1_0000 + 0xFFFF));
        std::iter::once(NONCHARACTERS).chain(planes).collect()
    } else {
        let exception = class.strip_prefix("controls ")?;
        let is_excepted =
            |control: char| WHITESPACE.contains(&control) || character(control) == exception;
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for code in CONTROLS.iter().flat_map(|&(low, high)| low..=high) {
            match ranges.last_mut() {
                _ if char::from_u32(code).is_none_or(is_excepted) => {}
                Some(last) if last.1 + 1 == code => last.1 = code,
                _ => ranges.push((code, code)),
            }
        }
        ranges
    };
    Some(ranges.iter().map(range_text).collect::<Option<Vec<_>>>()?.join(" | "))
}

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
                    self.note(&words, cell.line, outcome);
                }
                if at > 0 && is_code {
                    if self.list_of_codes.is_none() {
                        self.list_of_codes = Some((self.place.clone(), cell.line));
                    }
                    codes.push(cell.words.clone());
                }
            }
            self.read_lists_in_cells(entry);
        }
        self.reading.listed_codes.extend(codes);
    }

    /// Reads the lists within the cells of a table row.
    fn read_lists_in_cells(&mut self, entry: &ListEntry) {
        for node in &entry.nodes {
            if let Node::List(_, entries) = node {
                self.read_other_list(entries);
            }
        }
    }

    /// Records each code that is used but missing from the list of codes as an unread sentence.
    pub(super) fn report_unlisted_codes(&mut self) {
        let Some((place, line)) = self.list_of_codes.clone() else { return };
        self.place = place;
        let listed: BTreeSet<&str> =
            self.reading.listed_codes.iter().map(|code| &code[..]).collect();
        let used_codes = super::super::facts::codes(self.reading);
        let missing: Vec<String> = used_codes
            .into_iter()
            .filter(|code| !listed.contains(code))
            .map(str::to_owned)
            .collect();
        for code in missing {
            self.note(&format!("{code} is not in the list of codes"), line, Read::Unread);
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
            self.note(&words.join(" "), line, outcome);
            self.reading.encodings.extend(item.flatten());
        }
    }
}

fn is_code(words: &str) -> bool {
    words.contains('-') && words.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}
