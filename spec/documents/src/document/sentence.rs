//! Sentences: where they end, their hashes and their shapes. It does not read them. Invariant: the sentences of a block
//! are its whole text, in order.

pub(super) use super::english::table_row;

/// How a sentence was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// It says what a state does, or declares something.
    Asks,
    /// It asks nothing of a state.
    Remark,
    /// It is about something that is left out, and compared with no table; the reason stands for its shape.
    NotCompared,
    /// It was not read.
    Unread,
}

/// A sentence of a document, without its words.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// The heading that it is under.
    pub place: String,
    /// Its line.
    pub line: usize,
    /// The hash of its words.
    pub hash: u32,
    /// Its shape: the rule by which it was read, with the rules within.
    pub shape: String,
    /// How it was read.
    pub read: Read,
    /// Its words, for the terminal only: they are never written to a file.
    pub words: String,
}

/// The hash of a sentence: FNV-1a over its words.
pub(crate) fn hash(words: &str) -> u32 {
    words.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Divides a text into sentences: after a full stop or a colon that is followed by a blank and a capital letter or an
/// opening bracket, outside of brackets.
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
