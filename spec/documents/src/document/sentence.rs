//! Sentences: their boundaries and hashes. The sentences of a block are its whole text, in order.

pub(super) use super::english::table_row;

/// Outcome of reading a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// A normative sentence, or a declaration.
    Asks,
    /// A sentence without normative content.
    Remark,
    /// A sentence about contents that are compared with no table.
    NotCompared,
    /// A sentence that no reader understands.
    Unread,
}

/// A sentence of a document.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// Heading above the sentence.
    pub place: String,
    /// Line of the sentence.
    pub line: usize,
    /// Hash of the sentence's text.
    pub hash: u32,
    /// Why the sentence is compared with no table.
    pub reason: String,
    /// Outcome of reading the sentence.
    pub read: Read,
    /// Text of the sentence, for the terminal only; never written to a file.
    pub words: String,
}

/// Returns the FNV-1a hash of a sentence.
pub(crate) fn hash(words: &str) -> u32 {
    words.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Returns the hashes of a sentence in the section of this title, and anywhere.
pub(crate) fn hashes(section: &str, words: &str) -> [u32; 2] {
    [hash(&format!("{section}: {words}")), hash(words)]
}

/// Splits a text into sentences: outside parentheses, after a full stop or colon that is followed by a space and a
/// capital letter or an opening bracket.
pub(super) fn divide(text: &str) -> Vec<String> {
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let mut sentences = Vec::new();
    let (mut start, mut depth) = (0, 0usize);
    for (index, &(at, character)) in characters.iter().enumerate() {
        let next = |ahead: usize| characters.get(index + ahead).map(|&(_, next)| next);
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let may_end = match character {
            '.' => depth == 0,
            ')' => depth == 0 && index > 0 && characters[index - 1].1 == '.',
            _ => false,
        };
        let ends = may_end
            && next(1) == Some(' ')
            && next(2).is_some_and(|next| next.is_uppercase() || next == '(')
            && !text[start..=at].ends_with("i.e.")
            && !text[start..=at].ends_with("e.g.");
        if ends {
            sentences.push(text[start..at + 1].trim().to_owned());
            start = at + 1;
        }
    }
    if !text[start..].trim().is_empty() {
        sentences.push(text[start..].trim().to_owned());
    }
    sentences
}
