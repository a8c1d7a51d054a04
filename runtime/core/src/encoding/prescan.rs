//! The encoding that a document declares in its first bytes: "prescan a byte stream to determine its encoding", "get an
//! attribute", "get an XML encoding", and the label in the text of an element. The names that are looked for are the
//! table's. Invariant: no byte after those at hand matters, and every step moves forward.

use super::{Clues, Encoding};

const SPACES: &[u8] = b"\t\n\x0C\r ";

fn is_space(byte: u8) -> bool {
    SPACES.contains(&byte)
}

impl Clues {
    /// The encoding that the bytes declare; `None` if they end before this is known.
    pub fn prescan(&self, bytes: &[u8]) -> Option<Encoding> {
        self.utf_16_declaration(bytes)
            .or_else(|| Prescan { bytes, at: 0, clues: self }.run().flatten())
            .or_else(|| self.xml_encoding(bytes))
    }

    /// The beginning of an XML declaration in UTF-16: its opening and the first letter of its target.
    fn utf_16_declaration(&self, bytes: &[u8]) -> Option<Encoding> {
        let (target, _) = self.xml_declaration?;
        let opening = [b'<', b'?', *target.as_bytes().first()?];
        let little: Vec<u8> = opening.iter().flat_map(|&byte| [byte, 0]).collect();
        let big: Vec<u8> = opening.iter().flat_map(|&byte| [0, byte]).collect();
        if bytes.starts_with(&little) {
            return Encoding::utf_16_le();
        }
        if bytes.starts_with(&big) { Encoding::utf_16_be() } else { None }
    }

    /// "Get an XML encoding".
    fn xml_encoding(&self, bytes: &[u8]) -> Option<Encoding> {
        let (target, pseudo_attribute) = self.xml_declaration?;
        let (name, space) = target.strip_suffix(' ').map_or((target, false), |name| (name, true));
        let rest = bytes.strip_prefix(b"<?")?.strip_prefix(name.as_bytes())?;
        if space && !rest.first().is_some_and(|byte| b"\t\n\r ".contains(byte)) {
            return None;
        }
        let end = memchr::memchr(b'>', bytes)?;
        let found = memchr::memmem::find(&bytes[..end], pseudo_attribute.as_bytes())?;
        let skip = |rest: &[u8]| rest.iter().take_while(|&&byte| byte <= 0x20).count();
        let rest = &bytes[found + pseudo_attribute.len()..];
        let rest = rest[skip(rest)..].strip_prefix(b"=")?;
        let rest = &rest[skip(rest)..];
        let (&quote, rest) = rest.split_first().filter(|(quote, _)| b"\"'".contains(quote))?;
        let label = &rest[..memchr::memchr(quote, rest)?];
        let has_space = label.iter().any(|&byte| byte <= 0x20);
        let encoding = (!has_space).then(|| for_label(label)).flatten()?;
        // Only what cannot be read byte by byte is taken for something else here.
        Some(if encoding.is_utf_16() { self.read_as(encoding) } else { encoding })
    }
}

/// An attribute as the prescan sees it: in lower case.
type Attribute = (Vec<u8>, Vec<u8>);

struct Prescan<'b> {
    bytes: &'b [u8],
    at: usize,
    clues: &'b Clues,
}

/// Each method is `None` where the bytes end.
impl Prescan<'_> {
    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn run(&mut self) -> Option<Option<Encoding>> {
        loop {
            self.at += memchr::memchr(b'<', &self.bytes[self.at..])?;
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"<!--") {
                // The hyphens of the opening can be those of the end.
                self.at += 2 + memchr::memmem::find(&rest[2..], b"-->")? + 2;
            } else if self.is_declaring_element(rest) {
                if let Some(encoding) = self.declaring_element()? {
                    return Some(Some(encoding));
                }
            } else if is_tag(rest) {
                self.at += 1 + rest[1..].iter().position(|&b| is_space(b) || b == b'>')?;
                while self.attribute()?.is_some() {}
            } else if let Some(b'!' | b'/' | b'?') = rest.get(1) {
                self.at += memchr::memchr(b'>', rest)?;
            }
            self.at += 1;
        }
    }

    /// Whether a start tag of the element that declares the encoding is here, with something after its name.
    fn is_declaring_element(&self, rest: &[u8]) -> bool {
        self.clues.element.is_some_and(|element| {
            let (name, after) = (rest.get(1..=element.len()), rest.get(1 + element.len()));
            name.is_some_and(|name| name.eq_ignore_ascii_case(element.as_bytes()))
                && after.is_some_and(|&byte| is_space(byte) || byte == b'/')
        })
    }

    /// What the attributes of the element declare. Stands after them then.
    fn declaring_element(&mut self) -> Option<Option<Encoding>> {
        self.at += 1 + self.clues.element.map_or(0, str::len);
        let mut names: Vec<Vec<u8>> = Vec::new();
        let (mut got_pragma, mut need_pragma) = (false, None);
        let mut charset: Option<Option<Encoding>> = None;
        let is = |wanted: &str, name: &[u8]| wanted.as_bytes() == name;
        while let Some((name, value)) = self.attribute()? {
            if names.contains(&name) {
                continue;
            }
            let text = String::from_utf8_lossy(&value);
            if let Some((pragma, wanted)) = self.clues.pragma
                && is(pragma, &name)
            {
                got_pragma |= is(wanted, &value);
            } else if let Some((content, word)) = self.clues.content
                && is(content, &name)
            {
                if let (Some(encoding), None) = (label_in(&text, word), charset) {
                    (charset, need_pragma) = (Some(Some(encoding)), Some(true));
                }
            } else if self.clues.label.is_some_and(|label| is(label, &name)) {
                (charset, need_pragma) = (Some(for_label(&value)), Some(false));
            }
            names.push(name);
        }
        let counts = need_pragma.is_some_and(|needs| got_pragma || !needs);
        Some(charset.flatten().filter(|_| counts).map(|encoding| self.clues.read_as(encoding)))
    }

    /// "Get an attribute"; none at the end of a tag.
    fn attribute(&mut self) -> Option<Option<Attribute>> {
        while is_space(self.byte()?) || self.byte()? == b'/' {
            self.at += 1;
        }
        if self.byte()? == b'>' {
            return Some(None);
        }
        let mut name = Vec::new();
        loop {
            match self.byte()? {
                b'=' if !name.is_empty() => break,
                byte if is_space(byte) => {
                    self.skip_spaces()?;
                    if self.byte()? != b'=' {
                        return Some(Some((name, Vec::new())));
                    }
                    break;
                }
                b'/' | b'>' => return Some(Some((name, Vec::new()))),
                byte => name.push(byte.to_ascii_lowercase()),
            }
            self.at += 1;
        }
        self.at += 1;
        let value = self.value()?;
        Some(Some((name, value)))
    }

    fn skip_spaces(&mut self) -> Option<()> {
        while is_space(self.byte()?) {
            self.at += 1;
        }
        Some(())
    }

    fn value(&mut self) -> Option<Vec<u8>> {
        self.skip_spaces()?;
        let mut value = Vec::new();
        if let quote @ (b'"' | b'\'') = self.byte()? {
            self.at += 1;
            while self.byte()? != quote {
                value.push(self.byte()?.to_ascii_lowercase());
                self.at += 1;
            }
            self.at += 1;
            return Some(value);
        }
        while !is_space(self.byte()?) && self.byte()? != b'>' {
            value.push(self.byte()?.to_ascii_lowercase());
            self.at += 1;
        }
        Some(value)
    }
}

/// Whether a start or end tag is here.
fn is_tag(rest: &[u8]) -> bool {
    let name = if rest.get(1) == Some(&b'/') { rest.get(2) } else { rest.get(1) };
    name.is_some_and(u8::is_ascii_alphabetic)
}

/// The label after the word in the text of an element: "extracting a character encoding from a meta element".
pub(super) fn label_in(text: &str, word: &str) -> Option<Encoding> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        let is_word = |window: &[u8]| window.eq_ignore_ascii_case(word.as_bytes());
        at += bytes[at..].windows(word.len()).position(is_word)? + word.len();
        let skip = |rest: &[u8]| rest.iter().take_while(|&&byte| is_space(byte)).count();
        at += skip(&bytes[at..]);
        let Some(rest) = bytes[at..].strip_prefix(b"=") else { continue };
        let rest = &rest[skip(rest)..];
        let label = match rest.first()? {
            quote @ (b'"' | b'\'') => &rest[1..=memchr::memchr(*quote, &rest[1..])?],
            _ => {
                let ends = |&byte: &u8| is_space(byte) || byte == b';';
                &rest[..rest.iter().position(ends).unwrap_or(rest.len())]
            }
        };
        return for_label(label);
    }
}

fn for_label(label: &[u8]) -> Option<Encoding> {
    Encoding::for_label(std::str::from_utf8(label).ok()?).ok()
}
