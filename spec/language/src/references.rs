//! Reader of files with named character references. The result is sorted by the bytes of the names, without duplicates.
//!
//! Each line contains a reference: the name without its ampersand, a tab or blanks, and its code points in hexadecimal.
//! Empty lines, and lines that begin with a blank or `//`, are comments.

/// Parses named character references into pairs: the name without the ampersand, and its characters. Returns a message
/// if a line is invalid or a name occurs more than once.
pub fn read(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with("//") || line.starts_with(char::is_whitespace) {
            continue;
        }
        entries.push(
            parse_entry(line)
                .ok_or_else(|| format!("line {} is not `NAME CODE-POINT…`: {line}", index + 1))?,
        );
    }
    entries.sort_unstable();
    match entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(format!("the reference `{}` is listed more than once", pair[0].0)),
        None => Ok(entries),
    }
}

fn parse_entry(line: &str) -> Option<(String, String)> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let characters: Option<String> =
        words.map(|word| u32::from_str_radix(word, 16).ok().and_then(char::from_u32)).collect();
    let characters = characters
        .filter(|characters| !characters.is_empty() && characters.chars().count() <= 2)?;
    name.is_ascii().then(|| (name.to_owned(), characters))
}
