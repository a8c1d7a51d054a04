//! The cursor over bytes with which prescan algorithms, compiled from tables, run; and extraction of an encoding label
//! from an element's text. Loops of algorithms count against a limit, so that the prescan terminates.

use super::{Clues, Encoding};

/// A set of bytes as inclusive ranges.
type ByteSet = [(u8, u8)];

/// An error returned when a prescan algorithm reads past the last byte or exceeds the limit on loop iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended;

/// A cursor over the first bytes of an input.
#[derive(Debug)]
pub struct Bytes<'b> {
    bytes: &'b [u8],
    /// The byte offset of the next byte, shared by an algorithm and the algorithms that it calls.
    pub position: usize,
    /// Whether this is the second run of the prescan, after the first one returned [`Ended`].
    pub have_ended: bool,
    /// The number of loop iterations left.
    remaining_steps: usize,
}

impl<'b> Bytes<'b> {
    fn new(bytes: &'b [u8], have_ended: bool) -> Self {
        Self { bytes, position: 0, have_ended, remaining_steps: 10_000 + 100 * bytes.len() }
    }

    /// Counts one loop iteration.
    ///
    /// # Errors
    /// The limit on loop iterations is exceeded.
    #[inline(always)]
    pub fn count_step(&mut self) -> Result<(), Ended> {
        self.remaining_steps = self.remaining_steps.checked_sub(1).ok_or(Ended)?;
        Ok(())
    }

    /// Returns the byte at `offset`, or `None` if `offset` is `None`.
    ///
    /// # Errors
    /// The offset is past the last byte.
    #[inline(always)]
    pub fn byte(&self, offset: Option<usize>) -> Result<Option<u8>, Ended> {
        offset.map(|at| self.bytes.get(at).copied().ok_or(Ended)).transpose()
    }

    /// Returns the offset of the next byte of the set at or after `from`, in time linear in the distance.
    ///
    /// # Errors
    /// There is no such byte.
    #[inline(always)]
    pub fn next_of(&self, from: usize, set: &ByteSet) -> Result<usize, Ended> {
        let rest = self.bytes.get(from..).ok_or(Ended)?;
        let found = match set {
            &[(first, last)] if first == last => memchr::memchr(first, rest),
            _ => rest.iter().position(|&byte| is_in(byte, set)),
        };
        found.map(|at| from + at).ok_or(Ended)
    }

    /// Returns the offset of the next byte of `set` that directly follows one byte of each of the sets `before`, in
    /// order, all at or after `from`.
    ///
    /// # Errors
    /// There is no such byte.
    #[inline(always)]
    pub fn next_after(
        &self,
        from: usize,
        set: &ByteSet,
        before: &[&ByteSet],
    ) -> Result<usize, Ended> {
        let mut offset = self.next_of(from + before.len(), set)?;
        loop {
            let preceding = &self.bytes[offset - before.len()..offset];
            if preceding.iter().zip(before).all(|(&byte, set)| is_in(byte, set)) {
                return Ok(offset);
            }
            offset = self.next_of(offset + 1, set)?;
        }
    }

    /// Whether some suffix of the bytes begins with a byte of the set `first` and satisfies `matches`.
    #[inline(always)]
    pub fn contains(&self, first: &ByteSet, matches: impl Fn(&[u8]) -> bool) -> bool {
        let mut from = 0;
        while let Ok(found) = self.next_of(from, first) {
            if matches(&self.bytes[found..]) {
                return true;
            }
            from = found + 1;
        }
        false
    }

    /// Returns the offset of the next byte equal to `byte` at or after `from`; `None` if there is none or an argument
    /// is `None`.
    pub fn next_like(&self, byte: Option<u8>, from: Option<usize>) -> Option<usize> {
        let byte = byte?;
        self.next_of(from?, &[(byte, byte)]).ok()
    }

    /// Returns the offset of the first occurrence of `text` between the offsets `from` and `before`; `None` if there is
    /// none or an offset is `None`.
    pub fn text_between(
        &self,
        text: &[u8],
        from: Option<usize>,
        before: Option<usize>,
    ) -> Option<usize> {
        let from = from?;
        Some(from + memchr::memmem::find(self.bytes.get(from..before?)?, text)?)
    }

    /// Returns a copy of the bytes between the offsets `from` and `before`; empty if that is not a valid range.
    pub fn between(&self, from: Option<usize>, before: Option<usize>) -> Vec<u8> {
        let bytes = from.zip(before).and_then(|(from, before)| self.bytes.get(from..before));
        bytes.unwrap_or_default().to_vec()
    }

    /// Returns the bytes from `offset` to the end, or an empty slice if `offset` is `None`.
    ///
    /// # Errors
    /// There is no byte at the offset.
    #[inline(always)]
    pub fn from(&self, offset: Option<usize>) -> Result<&'b [u8], Ended> {
        let Some(at) = offset else { return Ok(&[]) };
        self.bytes.get(at..).filter(|rest| !rest.is_empty()).ok_or(Ended)
    }
}

#[inline(always)]
fn is_in(byte: u8, set: &ByteSet) -> bool {
    set.iter().any(|&(first, last)| (first..=last).contains(&byte))
}

impl Clues {
    /// Returns the encoding that the bytes declare, if any. It is found by the table's prescan algorithm or, if the
    /// table has none, in an XML declaration with the target and pseudo-attribute that the table gives.
    pub fn prescan(&self, bytes: &[u8]) -> Option<Encoding> {
        let Some(steps) = self.prescan else {
            return self.utf_16_declaration(bytes).or_else(|| self.xml_encoding(bytes));
        };
        let mut results =
            [false, true].into_iter().map(|have_ended| steps(&mut Bytes::new(bytes, have_ended)));
        results.find_map(Result::ok).flatten().flatten()
    }

    /// Returns UTF-16LE or UTF-16BE if the bytes, read in that encoding, begin with `<?` and the first letter of the
    /// target that the table gives for an XML declaration; `None` otherwise.
    fn utf_16_declaration(&self, bytes: &[u8]) -> Option<Encoding> {
        let (target, _) = self.xml_declaration?;
        let opening = [b'<', b'?', *target.as_bytes().first()?];
        let little_endian: Vec<u8> = opening.iter().flat_map(|&byte| [byte, 0]).collect();
        let big_endian: Vec<u8> = opening.iter().flat_map(|&byte| [0, byte]).collect();
        if bytes.starts_with(&little_endian) {
            return encoding_of(b"utf-16le");
        }
        if bytes.starts_with(&big_endian) { encoding_of(b"utf-16be") } else { None }
    }

    /// Returns the encoding that an XML declaration at the start of the bytes names, if there is one. The table gives
    /// the declaration's target and pseudo-attribute.
    fn xml_encoding(&self, bytes: &[u8]) -> Option<Encoding> {
        let (target, pseudo_attribute) = self.xml_declaration?;
        let (name, needs_space) =
            target.strip_suffix(' ').map_or((target, false), |name| (name, true));
        let rest = bytes.strip_prefix(b"<?")?.strip_prefix(name.as_bytes())?;
        if needs_space && !rest.first().is_some_and(|byte| b"\t\n\r ".contains(byte)) {
            return None;
        }
        let end = memchr::memchr(b'>', bytes)?;
        let found = memchr::memmem::find(&bytes[..end], pseudo_attribute.as_bytes())?;
        let count_spaces = |rest: &[u8]| rest.iter().take_while(|&&byte| byte <= 0x20).count();
        let rest = &bytes[found + pseudo_attribute.len()..];
        let rest = rest[count_spaces(rest)..].strip_prefix(b"=")?;
        let rest = &rest[count_spaces(rest)..];
        let (&quote, rest) = rest.split_first().filter(|(quote, _)| b"\"'".contains(quote))?;
        let label = &rest[..memchr::memchr(quote, rest)?];
        let has_space = label.iter().any(|&byte| byte <= 0x20);
        let encoding = (!has_space).then(|| encoding_of(label)).flatten()?;
        // A declaration in UTF-16 could not have been read byte by byte, so a label of UTF-16 is wrong.
        Some(if encoding.is_utf_16() { self.read_as(encoding) } else { encoding })
    }
}

/// Returns the encoding whose label follows `word`, in any ASCII case, and an equals sign in `bytes` ("extracting a
/// character encoding from a meta element"); `None` if there is no such label or it names no known encoding.
pub fn encoding_in(bytes: &[u8], word: &str) -> Option<Encoding> {
    let mut offset = 0;
    loop {
        let is_word = |window: &[u8]| window.eq_ignore_ascii_case(word.as_bytes());
        offset += bytes[offset..].windows(word.len()).position(is_word)? + word.len();
        let rest = bytes[offset..].trim_ascii_start();
        let Some(rest) = rest.strip_prefix(b"=") else { continue };
        let rest = rest.trim_ascii_start();
        let label = match rest.first()? {
            quote @ (b'"' | b'\'') => &rest[1..=memchr::memchr(*quote, &rest[1..])?],
            _ => {
                let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b';';
                &rest[..rest.iter().position(is_end).unwrap_or(rest.len())]
            }
        };
        return encoding_of(label);
    }
}

/// Returns the encoding with the label `label`, or `None` if the label names no known encoding.
pub fn encoding_of(label: &[u8]) -> Option<Encoding> {
    Encoding::for_label(std::str::from_utf8(label).ok()?).ok()
}
