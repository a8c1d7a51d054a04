//! Reads a file of named character references. It builds no automaton (the compiler does). Invariant: the names that it
//! returns are sorted by bytes and distinct.
//!
//! One reference a line: the name as it is after the ampersand, a tab or blanks, and the code points that it
//! stands for, in hexadecimal. Lines that begin with a blank or `//`, and empty ones, are comments.

/// The references of the text: names without the ampersand, and the characters that they stand for.
pub fn read(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with("//") || line.starts_with(char::is_whitespace) {
            continue;
        }
        entries.push(
            entry(line)
                .ok_or_else(|| format!("line {} is not `NAME CODE-POINT…`: {line}", index + 1))?,
        );
    }
    entries.sort_unstable();
    match entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(format!("the name `{}` stands there twice", pair[0].0)),
        None => Ok(entries),
    }
}

fn entry(line: &str) -> Option<(String, String)> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let characters: Option<String> =
        words.map(|word| u32::from_str_radix(word, 16).ok().and_then(char::from_u32)).collect();
    let characters = characters
        .filter(|characters| !characters.is_empty() && characters.chars().count() <= 2)?;
    name.is_ascii().then(|| (name.to_owned(), characters))
}
