//! Shapes of input: parts that stand once, and parts that are repeated. It runs nothing. Invariant: an input of a shape is
//! as long as its count says, and the same for the same count.

use crate::shared::{shared, workspace};
use std::fmt;
use std::fs;
use std::process::Command;

/// A part of an input: text that stands there once or a fixed number of times, or that is repeated, with `{i}` for the
/// number of the repetition and `{d}` for the same counted down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text that stands there once.
    Once(String),
    /// Text that stands there so many times, however long the input is.
    Times(usize, String),
    /// Text that is repeated.
    Many(String),
}

/// How the work of a shape grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// With the length of the input.
    Linear,
    /// With the tree, which is itself larger.
    Output,
    /// With the depth of the tree besides, which a limit bounds.
    Deep,
    /// Not looked at: parts of it do not grow, and what follows them takes other work.
    Fixed,
}

/// A shape of input.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The dialects that it is for; none for every one.
    pub dialects: Vec<String>,
    /// The element as whose contents it is parsed.
    pub context: Option<String>,
    /// How the work grows.
    pub growth: Growth,
    /// What it consists of.
    pub parts: Vec<Part>,
}

impl Shape {
    /// Whether the shape is one of the dialect's.
    pub fn is_of(&self, dialect: &str) -> bool {
        self.dialects.is_empty() || self.dialects.iter().any(|other| other == dialect)
    }

    /// The input in which repeated parts stand this number of times.
    pub fn input(&self, count: usize) -> String {
        let part = |part: &Part| match part {
            Part::Once(text) => text.clone(),
            Part::Times(times, text) => repeated(text, *times),
            Part::Many(text) => repeated(text, count),
        };
        self.parts.iter().map(part).collect()
    }

    /// The count for an input of about this length.
    pub fn count_for(&self, length: usize) -> usize {
        let fixed = self.input(0).len();
        let each = (self.input(1_000).len() - fixed) / 1_000;
        (length.saturating_sub(fixed) / each.max(1)).max(8)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.parts.iter().enumerate() {
            let separator = if index > 0 { " | " } else { "" };
            match part {
                Part::Once(text) => write!(formatter, "{separator}1 {}", text.escape_debug())?,
                Part::Times(times, text) => {
                    write!(formatter, "{separator}{times} {}", text.escape_debug())?;
                }
                Part::Many(text) => write!(formatter, "{separator}n {}", text.escape_debug())?,
            }
        }
        Ok(())
    }
}

/// The text so many times, each with its number.
fn repeated(text: &str, count: usize) -> String {
    if !text.contains("{i}") && !text.contains("{d}") {
        return text.repeat(count);
    }
    let numbered = |index: usize| {
        let up = text.replace("{i}", &index.to_string());
        up.replace("{d}", &(count - 1 - index).to_string())
    };
    (0..count).map(numbered).collect()
}

/// The shapes of `cases/shapes.txt`, which says how it is written.
///
/// # Panics
/// If the file is not as it says.
pub fn own() -> Vec<Shape> {
    let path = workspace().join("tests/cases/shapes.txt");
    let text = fs::read_to_string(path).expect("the file is there");
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
            Some(("output", rest)) => (Growth::Output, rest),
            Some(("deep", rest)) => (Growth::Deep, rest),
            _ => (Growth::Linear, line),
        };
        let parts: Vec<Part> = parts.split(" | ").map(part).collect();
        let is_fixed = parts.iter().any(|part| matches!(part, Part::Times(..)));
        let growth = if is_fixed { Growth::Fixed } else { growth };
        shapes.push(Shape { dialects: dialects.clone(), context: context.clone(), growth, parts });
    }
    shapes
}

fn part(text: &str) -> Part {
    match text.split_once(' ') {
        Some(("1", text)) => Part::Once(unescaped(text)),
        Some(("n", text)) => Part::Many(unescaped(text)),
        Some((times, text)) => Part::Times(times.parse().expect(text), unescaped(text)),
        None => panic!("a part begins with a number or n: {text}"),
    }
}

/// What the text stands for, in which escapes are those of string literals, and `\s` a space.
///
/// # Panics
/// With the text, if it holds another escape.
pub(crate) fn unescaped(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text.chars());
    while let Some(character) = rest.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        plain.push(match rest.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('s') => ' ',
            Some('0') => '\0',
            Some('u') => {
                let digits: String = rest.by_ref().skip(1).take_while(|&it| it != '}').collect();
                let number = u32::from_str_radix(&digits, 16).expect(text);
                char::from_u32(number).expect(text)
            }
            Some(itself @ ('"' | '\\')) => itself,
            _ => panic!("no such escape: {text}"),
        });
    }
    plain
}

/// The shapes that other people published, of the shared folder; the program there writes them as JSON.
///
/// # Errors
/// Why there are none.
pub fn published() -> Result<Vec<Shape>, String> {
    let path = shared("testdata/pathological").ok_or("absent")?.join("shapes.py");
    let output = Command::new("python3").arg(path).arg("json").output();
    let output = output.map_err(|error| format!("python3: {error}"))?;
    let shapes: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let shape = |shape: &serde_json::Value| {
        let dialects: &[&str] = match shape["kind"].as_str()? {
            "html" => &["html", "html-2013", "html-2007", "sky"],
            _ => &["xml-er", "microxml", "microxml-2012-12"],
        };
        let part = |part: &serde_json::Value| {
            let text = part[0].as_str()?.to_owned();
            Some(if part[1] == "n" { Part::Many(text) } else { Part::Once(text) })
        };
        Some(Shape {
            dialects: dialects.iter().map(|&id| id.to_owned()).collect(),
            context: None,
            growth: Growth::Linear,
            parts: shape["segments"].as_array()?.iter().map(part).collect::<Option<_>>()?,
        })
    };
    let shapes = shapes.as_array().ok_or("not a list")?;
    shapes.iter().map(|it| shape(it).ok_or_else(|| format!("not a shape: {it}"))).collect()
}
