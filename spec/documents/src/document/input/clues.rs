//! Derives the declaration of encodings from the steps of the prescan algorithms, which name elements, attributes, and
//! encodings to replace, and from glosses for the place `encodings`.

use super::InputReader;
use crate::document::DocumentStep;

impl InputReader<'_> {
    /// Adds the clauses from the algorithms in front of those from the tables of encodings.
    pub(super) fn add_encoding_clues(&mut self) {
        let steps = |name: &str| {
            let algorithm = self.reading.algorithms.iter().find(|one| one.name == name);
            algorithm.map_or(&[][..], |one| &one.steps)
        };
        let mut clues = Vec::new();
        add_prescan_clues(steps("prescan-encoding"), &mut clues);
        add_xml_clues(steps("get-xml-encoding"), &mut clues);
        add_replacements(steps("prescan-encoding"), &mut clues);
        let from_glosses = self.reading.algorithms.iter().position(|one| one.name == "encodings");
        for step in
            from_glosses.map(|at| self.reading.algorithms.remove(at).steps).into_iter().flatten()
        {
            let clue = format!("{};", step.words);
            if !clues.contains(&clue) {
                clues.push(clue);
            }
        }
        clues.append(&mut self.reading.encodings);
        self.reading.encodings = clues;
    }
}

/// Adds clauses for the element that declares an encoding, from the bytes of its tag, and for its attributes, from the
/// steps for each of them.
fn add_prescan_clues(steps: &[DocumentStep], clues: &mut Vec<String>) {
    for step in steps {
        let letters = step.words.strip_prefix("when '<' then ").map(|rest| rest.split(" then "));
        let lowercase_letter = |either: &str| -> Option<char> {
            let (_, lower) = either.split_once(" or '")?;
            lower
                .strip_suffix('\'')?
                .chars()
                .next()
                .filter(|one| one.is_ascii_lowercase() && lower.len() == 2)
        };
        let name: String = letters.into_iter().flatten().map_while(lowercase_letter).collect();
        if !name.is_empty() {
            clues.push(format!("element {name:?};"));
        }
        if let Some(name) = step
            .words
            .strip_prefix("when name of attribute is ")
            .filter(|name| name.starts_with('"'))
        {
            let attribute_value = step
                .inner
                .iter()
                .find_map(|inner| inner.words.strip_prefix("when value of attribute is "));
            let has_inner_step =
                |words: &str| step.inner.iter().any(|inner| inner.words.starts_with(words));
            if let Some(attribute_value) = attribute_value {
                clues.push(format!("pragma {name} => {attribute_value};"));
            } else if has_inner_step("let charset encoding-of value of attribute") {
                clues.push(format!("label {name};"));
            }
        }
        add_prescan_clues(&step.inner, clues);
    }
}

/// Adds a clause for the target of an XML declaration and its pseudo-attribute.
fn add_xml_clues(steps: &[DocumentStep], clues: &mut Vec<String>) {
    let target =
        steps.iter().find_map(|step| step.words.split_once(" not at \"<?")?.1.strip_suffix('"'));
    let attribute = steps.iter().find_map(|step| {
        let (_, rest) = step.words.split_once(" first \"")?;
        Some(rest.split_once('"')?.0)
    });
    if let (Some(target), Some(attribute)) = (target, attribute) {
        clues.push(format!("xml-declaration {target:?} => {attribute:?};"));
    }
}

/// Adds a clause for each declared encoding that the steps replace by another one.
fn add_replacements(steps: &[DocumentStep], clues: &mut Vec<String>) {
    for step in steps {
        let replacement =
            step.inner.first().and_then(|inner| inner.words.strip_prefix("let charset "));
        if let (Some(declared), Some(replacement)) =
            (step.words.strip_prefix("when charset is "), replacement)
        {
            let declared =
                if declared == "utf-16" { "\"UTF-16BE\" | \"UTF-16LE\"" } else { declared };
            clues.push(format!("read-as {declared} => {replacement};"));
        }
        add_replacements(&step.inner, clues);
    }
}
