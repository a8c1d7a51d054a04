//! Checks the names of characters next to code points, as in "U+003E GREATER-THAN SIGN (>)".

/// Iterates over the characters that documents name next to a code point, each with its names, including short forms.
fn known_names() -> impl Iterator<Item = (char, std::str::Split<'static, &'static str>)> {
    include_str!("characters.txt").lines().filter_map(|line| {
        let (code, names) = line.split_once(' ')?;
        Some((char::from_u32(u32::from_str_radix(code, 16).ok()?)?, names.split(", ")))
    })
}

/// Whether `name` is a known name of the character, or the character itself.
pub(super) fn is_named(character: char, name: &str) -> bool {
    let letter = name.strip_prefix("LATIN CAPITAL LETTER ").or_else(|| {
        name.strip_prefix("LATIN SMALL LETTER ").filter(|_| character.is_ascii_lowercase())
    });
    let is_letter = letter.is_some_and(|letter| {
        let is_same_case = name.contains("CAPITAL") == character.is_ascii_uppercase();
        is_same_case && letter.chars().eq([character.to_ascii_uppercase()])
    });
    name.chars().eq([character])
        || is_letter
        || known_names().any(|(one, mut names)| one == character && names.any(|it| it == name))
}

/// Returns a message for each code point in the text that has the name of another character next to it.
pub fn disagreements(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    for (at, _) in text.match_indices("U+") {
        let digit_count = text[at + 2..].bytes().take_while(u8::is_ascii_hexdigit).count();
        let after_code = &text[at + 2 + digit_count..];
        let number = u32::from_str_radix(&text[at + 2..at + 2 + digit_count], 16);
        let Some(character) = number.ok().and_then(char::from_u32).filter(|_| digit_count >= 4)
        else {
            continue;
        };
        let name = name(after_code);
        let after_name =
            &after_code[(name.len() + usize::from(!name.is_empty())).min(after_code.len())..];
        let short_name = after_name.strip_prefix(" (").and_then(|inner| short_name(inner));
        for name in [Some(name), short_name].into_iter().flatten().filter(|name| !name.is_empty()) {
            let is_known = known_names()
                .any(|(one, mut names)| one == character || names.any(|it| it == name));
            if (is_known || character.is_ascii()) && !is_named(character, name) {
                messages.push(format!("{} is not {name}", &text[at..at + 2 + digit_count]));
            }
        }
    }
    messages
}

/// Returns the name at the start of the text after a code point: words in capital letters. Empty if there is none.
fn name(rest: &str) -> &str {
    let Some(words) = rest.strip_prefix(' ') else { return "" };
    let mut end = 0;
    for word in words.split_inclusive(' ') {
        let bare_word = word.trim_end_matches([' ', ',', '.', ':', ';', ')']);
        let is_first = bare_word.starts_with(|one: char| one.is_ascii_uppercase());
        let is_name_byte =
            |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-';
        let is_name = is_first && bare_word.bytes().all(is_name_byte);
        let is_letter = words[..end].ends_with("LETTER ") && bare_word.len() == 1;
        if !is_name
            || bare_word.len() < 2 && !is_letter
            || matches!(bare_word, "EOF" | "ASCII" | "DOCTYPE")
        {
            break;
        }
        end += bare_word.len();
        if bare_word.len() + 1 != word.len() || !word.ends_with(' ') {
            break;
        }
        end += 1;
    }
    words[..end].trim_end()
}

/// Returns the text before a closing parenthesis, if it can only be a character or a short name of one.
fn short_name(inner: &str) -> Option<&str> {
    let first = inner.chars().next()?;
    if inner[first.len_utf8()..].starts_with(')') {
        return Some(&inner[..first.len_utf8()]);
    }
    let short = &inner[..inner.find(')')?];
    (short.len() <= 3 && short.bytes().all(|byte| byte.is_ascii_uppercase())).then_some(short)
}
