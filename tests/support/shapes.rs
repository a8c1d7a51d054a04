//! Shapes of inputs: parts that occur once and parts that are repeated. Some are listed in a file of this workspace or
//! were published by others; the others are derived from tables.

use crate::inputs::Alphabet;
use crate::interpreted::{Table, table};
use crate::random::Random;
use crate::sample;
use crate::shared::{shared, workspace};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::process::Command;

/// A part of an input. In repeated text, `{i}` stands for the index of the repetition and `{d}` for the index counted
/// down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputPart {
    /// A text that occurs once.
    Once(String),
    /// A text that occurs this many times, regardless of the input's length.
    Times(usize, String),
    /// A text that is repeated.
    Many(String),
}

impl InputPart {
    /// Returns the text of the part, without repetitions.
    pub fn text(&self) -> &str {
        let (Self::Once(text) | Self::Times(_, text) | Self::Many(text)) = self;
        text
    }
}

/// The growth of the work with the length of a shape's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// Linear in the length of the input.
    Linear,
    /// Linear in the size of the tree, which may be larger.
    Output,
    /// Linear in the size of the tree times its depth, which is limited.
    Deep,
    /// Not measured: some parts do not grow, and the others take another amount of work.
    Fixed,
}

/// A shape of inputs: a sequence of parts, some of which are repeated.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The dialects that the shape applies to; empty for all.
    pub dialects: Vec<String>,
    /// The context element, for a fragment.
    pub context: Option<String>,
    /// The growth of the work with the length of the input.
    pub growth: Growth,
    /// The parts of an input, in order.
    pub parts: Vec<InputPart>,
}

impl Shape {
    /// Whether the shape applies to the dialect.
    pub fn applies_to(&self, dialect: &str) -> bool {
        self.dialects.is_empty() || self.dialects.iter().any(|other| other == dialect)
    }

    /// Returns the input with `count` repetitions.
    pub fn input(&self, count: usize) -> String {
        let part = |part: &InputPart| match part {
            InputPart::Once(text) => text.clone(),
            InputPart::Times(times, text) => repeated(text, *times),
            InputPart::Many(text) => repeated(text, count),
        };
        self.parts.iter().map(part).collect()
    }

    /// Returns the number of repetitions for an input of about this length, at least 8.
    pub fn count_for(&self, length: usize) -> usize {
        let fixed_len = self.input(0).len();
        let repetition_len = (self.input(1_000).len() - fixed_len) / 1_000;
        (length.saturating_sub(fixed_len) / repetition_len.max(1)).max(8)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.parts.iter().enumerate() {
            let separator = if index > 0 { " | " } else { "" };
            match part {
                InputPart::Once(text) => write!(formatter, "{separator}1 {}", text.escape_debug())?,
                InputPart::Times(times, text) => {
                    write!(formatter, "{separator}{times} {}", text.escape_debug())?;
                }
                InputPart::Many(text) => write!(formatter, "{separator}n {}", text.escape_debug())?,
            }
        }
        Ok(())
    }
}

/// Repeats a text with the indices inserted.
fn repeated(text: &str, count: usize) -> String {
    if !text.contains("{i}") && !text.contains("{d}") {
        return text.repeat(count);
    }
    let numbered = |index: usize| {
        let with_index = text.replace("{i}", &index.to_string());
        with_index.replace("{d}", &(count - 1 - index).to_string())
    };
    (0..count).map(numbered).collect()
}

/// Returns the shapes listed in `tests/cases/shapes.txt`, which describes its format.
///
/// # Panics
/// If the file is malformed.
pub fn listed() -> Vec<Shape> {
    let path = workspace().join("tests/cases/shapes.txt");
    let text = fs::read_to_string(path).unwrap();
    let (mut shapes, mut dialects, mut context) = (Vec::new(), Vec::new(), None);
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(heading) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            let (ids, element) = heading.split_once(" in ").unwrap_or((heading, ""));
            let ids = ids.split(' ').filter(|&id| id != "every");
            dialects = ids.map(str::to_owned).collect();
            context = Some(element.to_owned()).filter(|element| !element.is_empty());
            continue;
        }
        let (growth, parts) = match line.split_once(' ') {
            Some(("output", parts)) => (Growth::Output, parts),
            Some(("deep", parts)) => (Growth::Deep, parts),
            _ => (Growth::Linear, line),
        };
        let parts: Vec<InputPart> = parts.split(" | ").map(parse_part).collect();
        let is_fixed = parts.iter().any(|part| matches!(part, InputPart::Times(..)));
        let growth = if is_fixed { Growth::Fixed } else { growth };
        shapes.push(Shape { dialects: dialects.clone(), context: context.clone(), growth, parts });
    }
    shapes
}

fn parse_part(text: &str) -> InputPart {
    match text.split_once(' ') {
        Some(("1", text)) => InputPart::Once(unescaped(text)),
        Some(("n", text)) => InputPart::Many(unescaped(text)),
        Some((times, text)) => InputPart::Times(times.parse().expect(text), unescaped(text)),
        None => panic!("expected a number or `n`, a space and a text, found `{text}`"),
    }
}

/// Replaces escapes, which are those of string literals, and `\s` for a space.
///
/// # Panics
/// If the text has another escape.
pub(crate) fn unescaped(text: &str) -> String {
    let (mut plain, mut characters) = (String::new(), text.chars());
    while let Some(character) = characters.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        plain.push(match characters.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('s') => ' ',
            Some('0') => '\0',
            Some('u') => {
                let digits: String =
                    characters.by_ref().skip(1).take_while(|&digit| digit != '}').collect();
                let number = u32::from_str_radix(&digits, 16).expect(text);
                char::from_u32(number).expect(text)
            }
            Some(itself @ ('"' | '\\')) => itself,
            _ => panic!("unknown or incomplete escape in `{text}`"),
        });
    }
    plain
}

/// Reads the published shapes from the shared folder, where a program prints them as JSON.
///
/// # Errors
/// The reason why there are none.
pub fn published() -> Result<Vec<Shape>, String> {
    let path = shared("testdata/pathological").ok_or("the suite is absent")?.join("shapes.py");
    let output = Command::new("python3").arg(path).arg("json").output();
    let output = output.map_err(|error| format!("python3: {error}"))?;
    let shapes: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let shape = |shape: &serde_json::Value| {
        let dialects: &[&str] = match shape["kind"].as_str()? {
            "html" => &["html", "html-2013", "html-2007", "sky"],
            _ => &["xml", "xml-er", "microxml", "microxml-2012-12"],
        };
        let part = |part: &serde_json::Value| {
            let text = part[0].as_str()?.to_owned();
            Some(if part[1] == "n" { InputPart::Many(text) } else { InputPart::Once(text) })
        };
        Some(Shape {
            dialects: dialects.iter().map(|&id| id.to_owned()).collect(),
            context: None,
            growth: Growth::Linear,
            parts: shape["segments"].as_array()?.iter().map(part).collect::<Option<_>>()?,
        })
    };
    let shapes = shapes.as_array().ok_or("the published shapes are not a list")?;
    shapes.iter().map(|it| shape(it).ok_or_else(|| format!("malformed shape: {it}"))).collect()
}

/// Shapes derived from a table: pairs of tags and strings that its modes, algorithms and states mention, and triples of
/// those that a single row or algorithm mentions. Each of the many shapes is computed from its number.
pub struct DerivedShapes {
    dialect: String,
    /// Lists of units of markup, each with the number of units per shape.
    families: Vec<(Vec<String>, usize)>,
}

/// The arrangement of units in a shape: the indices of those that occur once at the start, of those that are repeated,
/// and of those that are repeated after that.
type Form = [&'static [usize]; 3];
const PAIRS: &[Form] = &[[&[], &[0, 1], &[]], [&[0], &[1], &[]], [&[], &[0], &[1]]];
const TRIPLES: &[Form] = &[
    [&[], &[0, 1, 2], &[]],
    [&[0], &[1, 2], &[]],
    [&[0, 1], &[2], &[]],
    [&[0, 1], &[2, 1], &[]],
    [&[0], &[1], &[2]],
];

/// Units of markup that are used for every table, whatever it mentions.
const PLAIN: &[&str] = &[
    "x",
    " ",
    "\0",
    "&amp;",
    "&no",
    "<!---->",
    "<?x?>",
    "<!DOCTYPE a>",
    "<![CDATA[x]]>",
    "</>",
    "<x{i}>",
    "</x{d}>",
    "<x a{i}=b>",
];

impl DerivedShapes {
    /// Derives the shapes of a dialect's table.
    pub fn of(dialect: &str) -> Self {
        let table = table(dialect);
        let mut families = vec![(Alphabet::new(table).pieces().to_vec(), 2)];
        let mentioned = MentionedWords::of(table);
        let mut units: Vec<String> = PLAIN.iter().map(|&unit| unit.to_owned()).collect();
        for name in mentioned.elements() {
            units.extend([format!("<{name}>"), format!("</{name}>")]);
            units.extend([format!("<{name}></{name}>"), format!("<{name} id={{i}}>")]);
        }
        for group in &mentioned.groups {
            let units_with_attributes = mentioned.with_attributes(group);
            let elements = group.iter().filter(|word| mentioned.elements.contains(*word));
            let plain_units =
                elements.flat_map(|name| [format!("<{name}>"), format!("<{name}></{name}>")]);
            let all_units: BTreeSet<String> =
                units_with_attributes.iter().cloned().chain(plain_units).collect();
            units.extend(units_with_attributes);
            // Groups with more than 80 units get no triples: the table treats their elements alike, so pairs suffice.
            if (2..=80).contains(&all_units.len()) {
                families.push((all_units.into_iter().collect(), 3));
            }
        }
        let mut observed = BTreeSet::new();
        units.retain(|unit| observed.insert(unit.clone()));
        families.push((units, 2));
        Self { dialect: dialect.to_owned(), families }
    }

    /// Returns the number of shapes.
    pub fn count(&self) -> usize {
        self.families.iter().map(|(units, arity)| Self::family_size(units, *arity)).sum()
    }

    fn forms(arity: usize) -> &'static [Form] {
        if arity == 2 { PAIRS } else { TRIPLES }
    }

    fn family_size(units: &[String], arity: usize) -> usize {
        units.len().pow(arity as u32) * Self::forms(arity).len()
    }

    /// Returns the shape with this number, which must be below [`count`](Self::count).
    pub fn shape(&self, mut number: usize) -> Shape {
        let mut families = self.families.iter();
        let (units, arity) = families
            .find(|(units, arity)| {
                let size = Self::family_size(units, *arity);
                let is_in_family = number < size;
                number -= if is_in_family { 0 } else { size };
                is_in_family
            })
            .unwrap();
        let forms = Self::forms(*arity);
        let form = forms[number % forms.len()];
        number /= forms.len();
        let mut chosen_units = Vec::new();
        for _ in 0..*arity {
            chosen_units.push(&units[number % units.len()][..]);
            number /= units.len();
        }
        let text = |numbers: &[usize]| numbers.iter().map(|&number| chosen_units[number]).collect();
        let [once, many, after] = form.map(text);
        let mut parts = vec![InputPart::Many(many), InputPart::Many(after)];
        let once: String = once;
        parts.insert(0, InputPart::Once(once.replace("{i}", "1").replace("{d}", "1")));
        parts.retain(|part| !part.text().is_empty());
        let dialects = vec![self.dialect.clone()];
        Shape { dialects, context: None, growth: Growth::Linear, parts }
    }

    /// Returns the numbers of a fixed sample of about `max_count` shapes, with a share from each family; all numbers if
    /// [everything is run](sample::is_full).
    pub fn sample(&self, max_count: usize) -> Vec<usize> {
        let count = self.count();
        if sample::is_full() || count <= max_count {
            return (0..count).collect();
        }
        let mut random = Random::new(4);
        let (mut chosen, mut start) = (BTreeSet::new(), 0);
        for (units, arity) in &self.families {
            let size = Self::family_size(units, *arity);
            let share = (max_count / self.families.len()).max(1);
            chosen.extend((0..share).map(|_| start + random.below(size)));
            start += size;
        }
        chosen.into_iter().collect()
    }
}

/// The words that a table mentions, such as names of elements and attributes.
struct MentionedWords {
    /// The groups of words that are mentioned together: for example in a row of the modes, a set of names, or an
    /// algorithm. Of several elements in the same groups, only the shortest name is kept.
    groups: Vec<BTreeSet<String>>,
    /// The words that are names of elements.
    elements: BTreeSet<String>,
}

impl MentionedWords {
    fn of(table: &Table) -> Self {
        let Some(model) = table.machine().construction.as_ref() else {
            return Self { groups: Vec::new(), elements: BTreeSet::new() };
        };
        let rows =
            model.rows().map(|row| format!("{:?}{:?}{:?}", row.patterns, row.guard, row.steps));
        let sets = model.names.iter().chain(&model.scopes).map(|set| format!("{:?}", set.members));
        let steps = model.steps.iter().map(|steps| format!("{:?}", steps.steps));
        let algorithms = model.algorithms.iter().map(|algorithm| format!("{:?}", algorithm.steps));
        let others = [
            format!(
                "{:?}",
                model
                    .reset
                    .iter()
                    .flatten()
                    .map(|row| (&row.patterns, &row.guard, &row.steps))
                    .collect::<Vec<_>>()
            ),
            format!(
                "{:?}",
                model
                    .fragment
                    .iter()
                    .flat_map(|fragment| &fragment.rows)
                    .map(|row| (&row.patterns, &row.guard, &row.steps))
                    .collect::<Vec<_>>()
            ),
            format!("{:?}", model.selected_content),
            format!("{:?}", model.fostering),
            format!("{:?}", model.integration_points),
        ];
        let texts: Vec<String> =
            rows.chain(sets).chain(steps).chain(algorithms).chain(others).collect();
        let mut elements: BTreeSet<String> = crate::markup::pattern_names(table);
        // For each word, the indices of the groups that mention it.
        let mut groups_by_word: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (group, text) in texts.iter().enumerate() {
            for (word, before) in words(text) {
                if before.ends_with("local: ") {
                    elements.insert(word.to_owned());
                }
                groups_by_word.entry(word.to_owned()).or_default().insert(group);
            }
        }
        let mut representatives: BTreeMap<BTreeSet<usize>, String> = BTreeMap::new();
        let mut kept_words: Vec<(String, BTreeSet<usize>)> = Vec::new();
        for (word, groups) in groups_by_word {
            if !elements.contains(&word) {
                kept_words.push((word, groups));
                continue;
            }
            let shortest = representatives.entry(groups).or_insert_with(|| word.clone());
            if word.len() < shortest.len() {
                *shortest = word;
            }
        }
        kept_words.extend(representatives.into_iter().map(|(groups, word)| (word, groups)));
        let mut groups = vec![BTreeSet::new(); texts.len()];
        for (word, word_groups) in &kept_words {
            for group in word_groups {
                groups[*group].insert(word.clone());
            }
        }
        Self { groups, elements }
    }

    /// Returns the names of elements, one for all names that are mentioned in the same groups.
    fn elements(&self) -> BTreeSet<&String> {
        self.groups.iter().flatten().filter(|word| self.elements.contains(*word)).collect()
    }

    /// Returns tags and processing instructions with the other words of a group as names and values of attributes;
    /// empty for a group of many words.
    fn with_attributes(&self, group: &BTreeSet<String>) -> Vec<String> {
        let (elements, others): (Vec<&String>, Vec<&String>) =
            group.iter().partition(|word| self.elements.contains(*word));
        let mut units = Vec::new();
        if others.len() > 8 || elements.len() > 12 {
            return units;
        }
        for other in &others {
            // In a group with fewer than four words that are not elements, some of these may be values that a condition
            // requires.
            let values = others.iter().filter(|value| others.len() < 4 && value != &other);
            for value in values.map(|value| &value[..]).chain(["y"]) {
                for name in &elements {
                    units.push(format!("<{name} {other}={value}>"));
                    units.push(format!("<{name} {other}={value}></{name}>"));
                }
            }
            // Groups that mention processing instructions mention few elements, so groups with four or more get no
            // instructions.
            let names = others.iter().filter(|name| elements.len() < 4 && name != &other);
            units.extend(names.map(|name| format!("<?{other} {name}=\"y\">")));
        }
        units
    }
}

/// Returns the quoted words of a text, each with the text before it.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_word_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"-:".contains(&byte);
    text.match_indices('"').filter_map(move |(offset, _)| {
        let after = &text[offset + 1..];
        let end = after.bytes().position(|byte| !is_word_byte(byte))?;
        (end > 0 && after[end..].starts_with('"')).then_some((&after[..end], &text[..offset]))
    })
}
