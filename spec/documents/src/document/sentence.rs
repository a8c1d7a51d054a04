//! Divides texts into sentences, and computes the hashes that identify sentences.

/// Outcome of reading a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// A normative sentence, or a declaration.
    Asks,
    /// A sentence without normative content.
    Remark,
    /// A sentence that no reader understands.
    Unread,
}

/// A sentence of a document.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// Heading above the sentence.
    pub place: String,
    /// Line of the paragraph that contains the sentence.
    pub line: usize,
    /// Hash of the sentence's text.
    pub hash: u32,
    /// Outcome of reading the sentence.
    pub read: Read,
    /// Text of the sentence, which may be printed but must not be written to a file.
    pub words: String,
}

impl Sentence {
    /// Returns the hash of the sentence in its section, for a remark or gloss that applies only there.
    pub fn hash_in_section(&self) -> u32 {
        hashes(&self.place, &self.words)[0]
    }
}

/// Returns the FNV-1a hash of a sentence.
pub(crate) fn hash(words: &str) -> u32 {
    words.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Returns two hashes of a sentence: one that depends on the section's title, and one that does not.
pub(crate) fn hashes(section: &str, words: &str) -> [u32; 2] {
    [hash(&format!("{section}: {words}")), hash(words)]
}

/// Splits a text into sentences. A sentence ends at a full stop outside parentheses, or at a parenthesis after a full
/// stop, if a space and a capital letter or opening parenthesis follow; "i.e." and "e.g." end no sentence.
pub(super) fn divide(text: &str) -> Vec<String> {
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let mut sentences = Vec::new();
    let (mut start, mut depth) = (0, 0usize);
    for (index, &(at, character)) in characters.iter().enumerate() {
        let character_after = |ahead: usize| characters.get(index + ahead).map(|&(_, next)| next);
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
        let is_end = may_end
            && character_after(1) == Some(' ')
            && character_after(2).is_some_and(|next| next.is_uppercase() || next == '(')
            && !text[start..=at].ends_with("i.e.")
            && !text[start..=at].ends_with("e.g.");
        if is_end {
            sentences.push(text[start..at + 1].trim().to_owned());
            start = at + 1;
        }
    }
    if !text[start..].trim().is_empty() {
        sentences.push(text[start..].trim().to_owned());
    }
    sentences
}
