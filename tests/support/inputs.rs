//! Random inputs composed of characters and strings in a table's rows, determined by table and seed.

use crate::interpreted::Table;
use crate::random::Random;
use crate::setup::Setup;
use crate::suites::{SUITES, Suite};
use tabulex_language::model::{Action, LexemeExpression, Machine, Pattern};

/// The pieces that random inputs of a table are made of.
#[derive(Debug)]
pub struct Alphabet {
    machine: &'static Machine,
    /// Characters and strings in rows, bounds of character classes, and prefixes of strings.
    pieces: Vec<String>,
    /// Inputs of this project's cases, if the start state can reject the input: few random ones would pass it.
    beginnings: Vec<String>,
}

impl Alphabet {
    /// Returns the characters and strings in rows, bounds of character classes, and prefixes of strings.
    pub fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// Collects the pieces of a table.
    pub fn new(table: &Table) -> Self {
        let machine = table.machine();
        let mut pieces: Vec<String> = Vec::new();
        let patterns =
            machine.states.iter().flat_map(|state| &state.rows).flat_map(|row| &row.patterns);
        for pattern in patterns {
            match &pattern.value {
                Pattern::Characters(set) => {
                    for &(first, last) in set.ranges() {
                        pieces.extend([String::from(first), String::from(last)]);
                    }
                }
                Pattern::Text { text, .. } => {
                    pieces.extend([text.clone(), text.to_lowercase()]);
                    pieces.extend(text.char_indices().map(|(end, _)| text[..end].to_owned()));
                }
                Pattern::Numbers(first, last) => {
                    pieces.extend([format!("&#x{first:X};"), format!("&#{last}")]);
                }
                _ => {}
            }
        }
        for lexeme in &machine.lexemes {
            let example = sample(&lexeme.expression);
            pieces.extend(example.char_indices().map(|(end, _)| example[..end].to_owned()));
            pieces.push(example);
            push_range_bounds(&lexeme.expression, &mut pieces);
        }
        for class in &machine.classes {
            for &(first, last) in class.characters.ranges() {
                pieces.extend([String::from(first), String::from(last)]);
            }
        }
        pieces.sort();
        pieces.dedup();
        pieces.retain(|piece| !piece.is_empty());
        let rejects = machine.state(machine.start).actions().any(|it| *it == Action::Stop);
        let is_own =
            |suite: &&Suite| rejects && suite.is_in_repository() && suite.dialect == machine.name;
        let runs = SUITES.iter().filter(is_own).flat_map(Suite::read);
        let beginnings = runs.filter_map(|run| run.input).collect();
        Self { machine, pieces, beginnings }
    }

    /// Returns a random input of up to `max_count` pieces, some of them repeated. If the table inserts text, most inputs
    /// start with up to `max_count` declarations.
    pub fn input(&self, random: &mut Random, max_count: usize) -> String {
        let mut input = String::new();
        if !self.beginnings.is_empty() && !random.one_in(4) {
            let case = random.pick::<String>(&self.beginnings);
            let count = random.below(case.chars().count() + 1);
            input.extend(case.chars().take(count));
        }
        let has_declarations = self.machine.inserts() && !random.one_in(4);
        if has_declarations {
            push_declarations(random, &mut input, max_count);
        }
        for _ in 0..=random.below(max_count) {
            if has_declarations && random.one_in(3) {
                input.push_str(random.piece("values"));
                continue;
            }
            match random.below(16) {
                // A table whose rows all match any character has no pieces.
                0..7 if !self.pieces.is_empty() => {
                    input.push_str(random.pick::<String>(&self.pieces))
                }
                7..12 => input.push_str(random.piece("markup")),
                12..14 => input.push_str(random.piece("special characters")),
                14 => self.push_reference(random, &mut input),
                _ => {
                    // Repeat a piece, to exercise runs and their ends.
                    let piece = self.pieces.get(random.below(self.pieces.len()));
                    (0..random.below(6)).for_each(|_| input += piece.map_or("\n", String::as_str));
                }
            }
        }
        input
    }

    /// Appends a named character reference, or a prefix of one.
    fn push_reference(&self, random: &mut Random, input: &mut String) {
        let Some(references) = &self.machine.references else { return };
        let (name, _) = random.pick(references);
        let end = if random.one_in(4) { random.below(name.len() + 1) } else { name.len() };
        input.push('&');
        input.push_str(&name[..end]);
    }

    /// Returns a random setup: the start state or one that can be set from outside, a last start tag, flags of the
    /// host.
    pub fn setup(&self, random: &mut Random) -> Setup {
        let entries = &self.machine.entries;
        let entry_index = random.below(2 * entries.len() + 1);
        let state = entries.get(entry_index).copied().unwrap_or(self.machine.start);
        let names = ["a", "script", "title", "textarea", "style", "xmp"];
        let host_flags = self.machine.flags.iter().filter(|flag| flag.by_host);
        Setup {
            state: Some(self.machine.state(state).name.clone()),
            last_start_tag: (!random.one_in(3)).then(|| (*random.pick(&names)).to_owned()),
            flags: host_flags
                // With values other than the first, the machine may ignore most of the input, so they are rarer.
                .map(|flag| {
                    let value = random.below(flag.values.len()) as u8;
                    (flag.name.clone(), if random.one_in(3) { value } else { 0 })
                })
                .collect(),
            switches: random.one_in(2),
            follows_modes: random.one_in(2),
        }
    }
}

/// Returns a string that the expression matches, with the last of alternatives and one repetition.
fn sample(expression: &LexemeExpression) -> String {
    match expression {
        LexemeExpression::Characters(set) => {
            set.ranges().first().map(|&(first, _)| first).into_iter().collect()
        }
        LexemeExpression::Sequence(parts) => parts.iter().map(sample).collect(),
        LexemeExpression::Alternatives(parts) => parts.last().map(sample).unwrap_or_default(),
        LexemeExpression::Repeated { inner, .. } | LexemeExpression::Data(_, inner) => {
            sample(inner)
        }
    }
}

/// Appends the bounds of all character ranges in the expression.
fn push_range_bounds(expression: &LexemeExpression, pieces: &mut Vec<String>) {
    match expression {
        LexemeExpression::Characters(set) => {
            for &(first, last) in set.ranges() {
                pieces.extend([String::from(first), String::from(last)]);
            }
        }
        LexemeExpression::Sequence(parts) | LexemeExpression::Alternatives(parts) => {
            parts.iter().for_each(|part| push_range_bounds(part, pieces));
        }
        LexemeExpression::Repeated { inner, .. } | LexemeExpression::Data(_, inner) => {
            push_range_bounds(inner, pieces);
        }
    }
}

/// Appends a DOCTYPE that declares entities and attributes.
fn push_declarations(random: &mut Random, input: &mut String, max_count: usize) {
    input.push_str("<!DOCTYPE a [");
    for _ in 0..=random.below(max_count) {
        let kinds = [
            "<!ENTITY a",
            "<!ENTITY b",
            "<!ENTITY c",
            "<!ENTITY % p",
            "<!ATTLIST a b CDATA",
            "%p;",
        ];
        let kind = random.pick::<&str>(&kinds);
        input.push_str(kind);
        if *kind == "%p;" {
            continue;
        }
        input.push_str(" '");
        for _ in 0..random.below(5) {
            input.push_str(random.piece("values"));
        }
        input.push_str(if random.one_in(8) { "'" } else { "'>" });
    }
    input.push_str(if random.one_in(8) { "]" } else { "]>" });
}

/// Cuts the input into chunks at up to `max_count` random offsets between characters.
pub fn cut<'a>(random: &mut Random, input: &'a str, max_count: usize) -> Vec<&'a str> {
    let count = random.below(max_count + 1);
    let mut offsets: Vec<usize> =
        (0..count).map(|_| input.floor_char_boundary(random.below(input.len() + 1))).collect();
    offsets.sort_unstable();
    offsets.push(input.len());
    let mut start = 0;
    let mut chunks = Vec::new();
    for end in offsets {
        chunks.push(&input[start..end]);
        start = end;
    }
    chunks
}

/// Splits the input into its characters.
pub fn characters(input: &str) -> Vec<&str> {
    let starts = input.char_indices();
    starts.map(|(start, character)| &input[start..start + character.len_utf8()]).collect()
}

/// Returns all cuts of the input into two chunks, and the cut into characters.
pub fn all_cuts(input: &str) -> Vec<Vec<&str>> {
    let halves = input.char_indices().map(|(offset, _)| vec![&input[..offset], &input[offset..]]);
    halves.chain([characters(input)]).collect()
}

/// Shrinks a text for which `fails` holds, by removing parts of decreasing size.
pub fn shrink(text: &str, fails: &dyn Fn(&str) -> bool) -> String {
    let characters: Vec<char> = text.chars().collect();
    shrink_list(characters, &mut |shorter| fails(&String::from_iter(shorter))).into_iter().collect()
}

/// Shrinks a list for which `fails` holds, by removing parts of decreasing size.
pub fn shrink_list<T: Clone>(list: Vec<T>, fails: &mut dyn FnMut(&[T]) -> bool) -> Vec<T> {
    let mut current = list;
    let mut size = current.len().div_ceil(2);
    while size > 0 {
        let mut start = 0;
        let mut has_shrunk = false;
        while start < current.len() {
            let end = (start + size).min(current.len());
            let shorter = [&current[..start], &current[end..]].concat();
            if fails(&shorter) {
                current = shorter;
                has_shrunk = true;
            } else {
                start += size;
            }
        }
        if !has_shrunk || size > 1 {
            size /= 2;
        }
    }
    current
}
