//! Parses the meanings of rules: steps with blocks in braces, and bytes with notes on them.

use crate::document::DocumentStep;

/// Parses steps from text with blocks in braces.
pub(in crate::document) fn parse_steps(text: &str) -> Vec<DocumentStep> {
    let mut stack: Vec<Vec<DocumentStep>> = vec![Vec::new()];
    let mut words = String::new();
    let mut characters = text.chars();
    let mut quote: Option<char> = None;
    let put = |words: &mut String, stack: &mut Vec<Vec<DocumentStep>>, is_block: bool| {
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
            (';', None) => put(&mut words, &mut stack, false),
            ('{', None) => {
                put(&mut words, &mut stack, true);
                stack.push(Vec::new());
            }
            ('}', None) => {
                put(&mut words, &mut stack, false);
                let inner = stack.pop().unwrap_or_default();
                if let Some(block) = stack.last_mut().and_then(|last| last.last_mut()) {
                    block.inner = inner;
                }
            }
            (one, None) => words.push(one),
        }
    }
    put(&mut words, &mut stack, false);
    stack.into_iter().next().unwrap_or_default()
}

/// Resolves `<<bytes|note>>`: a note that gives bytes as text must agree with them; an exact one replaces them.
pub(in crate::document) fn resolve_notes(words: &str) -> Option<String> {
    let Some((before, rest)) = words.split_once("<<") else { return Some(words.to_owned()) };
    let (noted, after) = rest.split_once(">>")?;
    let noted = noted_bytes(noted)?;
    Some(format!("{before}{noted}{}", resolve_notes(after)?))
}

/// Returns the bytes, or the note's text if it is exact; `None` if they disagree.
fn noted_bytes(noted: &str) -> Option<&str> {
    let (bytes, note) = noted.rsplit_once('|')?;
    let (kind, quoted) = note.split_once(' ')?;
    let text: Vec<char> = quoted.strip_prefix('"')?.strip_suffix('"')?.chars().collect();
    let each: Vec<&str> = bytes.split(" then ").collect();
    let is = |byte: &str, one: char| byte == super::character(one);
    let is_any = |byte: &str, one: char| {
        is(byte, one) || byte == format!("'{}' or '{one}'", one.to_ascii_uppercase())
    };
    // Each character is two bytes, one of them zero.
    let wide = |at: usize| {
        each.len() == 2 * text.len()
            && each
                .chunks(2)
                .zip(&text)
                .all(|(pair, &one)| is(pair[at], one) && is(pair[1 - at], '\0'))
    };
    let agrees = match kind {
        "exactly" => {
            each.len() == text.len() && each.iter().zip(&text).all(|(byte, &one)| is(byte, one))
        }
        "little-endian" => wide(0),
        "big-endian" => wide(1),
        // The bytes extend one position beyond the text.
        "in-any-case" => {
            each.len() == text.len() + 1
                && each.iter().zip(&text).all(|(byte, &one)| is_any(byte, one))
        }
        _ => false,
    };
    // A text of one character is kept as that character.
    let is_text = kind == "exactly" && text.len() > 1;
    agrees.then_some(if is_text { quoted } else { bytes })
}
