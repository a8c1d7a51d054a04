//! Parses the meanings of rules: steps with blocks in braces, and bytes with the document's notes on them.

use crate::document::DocumentStep;

/// Parses steps: each ends with a semicolon, or begins a block in braces. Unclosed blocks and quotes end with the text.
pub(in crate::document) fn parse_steps(text: &str) -> Vec<DocumentStep> {
    parse(text).0
}

/// Returns a brace or quote in steps that is not closed, or not opened; `None` if there is none.
pub(in crate::document) fn unmatched(text: &str) -> Option<char> {
    parse(text).1
}

/// Parses steps. Also returns an unmatched brace or quote, if there is one.
fn parse(text: &str) -> (Vec<DocumentStep>, Option<char>) {
    let mut stack: Vec<Vec<DocumentStep>> = vec![Vec::new()];
    let mut words = String::new();
    let mut characters = text.chars();
    let (mut quote, mut unopened) = (None, None);
    let push_step = |words: &mut String, stack: &mut Vec<Vec<DocumentStep>>, is_block: bool| {
        let step = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let step = if step.contains(['"', '\'']) { words.trim().to_owned() } else { step };
        words.clear();
        if let Some(last) = stack.last_mut().filter(|_| !step.is_empty()) {
            last.push(if is_block {
                DocumentStep::block(step, Vec::new())
            } else {
                DocumentStep::step(step)
            });
        }
    };
    while let Some(one) = characters.next() {
        match (one, quote) {
            ('\\', Some(_)) => {
                words.push(one);
                words.extend(characters.next());
            }
            ('"' | '\'', None) => {
                quote = Some(one);
                words.push(one);
            }
            (_, Some(open)) => {
                quote = quote.filter(|_| one != open);
                words.push(one);
            }
            (';', None) => push_step(&mut words, &mut stack, false),
            ('{', None) => {
                push_step(&mut words, &mut stack, true);
                stack.push(Vec::new());
            }
            ('}', None) => {
                push_step(&mut words, &mut stack, false);
                let inner = stack.pop().unwrap_or_default();
                match stack.last_mut() {
                    Some(last) => {
                        if let Some(block) = last.last_mut() {
                            block.inner = inner;
                        }
                    }
                    None => unopened = Some('}'),
                }
            }
            (one, None) => words.push(one),
        }
    }
    push_step(&mut words, &mut stack, false);
    let unclosed = quote.or((stack.len() > 1).then_some('{'));
    (stack.into_iter().next().unwrap_or_default(), unopened.or(unclosed))
}

/// Resolves each `<<bytes|note>>` to its bytes, or to the note's text if the note is exact; `None` if a note disagrees
/// with its bytes.
pub(in crate::document) fn resolve_notes(words: &str) -> Option<String> {
    let Some((before, rest)) = words.split_once("<<") else { return Some(words.to_owned()) };
    let (noted, after) = rest.split_once(">>")?;
    let noted = noted_bytes(noted)?;
    Some(format!("{before}{noted}{}", resolve_notes(after)?))
}

/// Returns the bytes of `bytes|note`, or the note's text if the note is exact; `None` if the two disagree.
fn noted_bytes(noted: &str) -> Option<&str> {
    let (bytes, note) = noted.rsplit_once('|')?;
    let (kind, quoted) = note.split_once(' ')?;
    let text: Vec<char> = quoted.strip_prefix('"')?.strip_suffix('"')?.chars().collect();
    let byte_texts: Vec<&str> = bytes.split(" then ").collect();
    let is_byte_of = |byte: &str, one: char| byte == super::character(one);
    let is_any = |byte: &str, one: char| {
        is_byte_of(byte, one) || byte == format!("'{}' or '{one}'", one.to_ascii_uppercase())
    };
    // In UTF-16, each of these characters is two bytes, one of them zero.
    let agrees_in_utf16 = |at: usize| {
        byte_texts.len() == 2 * text.len()
            && byte_texts
                .chunks(2)
                .zip(&text)
                .all(|(pair, &one)| is_byte_of(pair[at], one) && is_byte_of(pair[1 - at], '\0'))
    };
    let agrees = match kind {
        "exactly" => {
            byte_texts.len() == text.len()
                && byte_texts.iter().zip(&text).all(|(byte, &one)| is_byte_of(byte, one))
        }
        "little-endian" => agrees_in_utf16(0),
        "big-endian" => agrees_in_utf16(1),
        // The last byte is one that the text does not include, such as white space after a name.
        "in-any-case" => {
            byte_texts.len() == text.len() + 1
                && byte_texts.iter().zip(&text).all(|(byte, &one)| is_any(byte, one))
        }
        _ => false,
    };
    // A single character is written as a byte, not as a string.
    let is_text = kind == "exactly" && text.len() > 1;
    agrees.then_some(if is_text { quoted } else { bytes })
}
