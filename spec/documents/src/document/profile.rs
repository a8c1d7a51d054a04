//! How one document is read: its form, its sections, and its errata. It is data beside the facts, and names no sentence
//! beyond the few words that an erratum replaces. Invariant: an erratum that finds nothing to mend is reported.

use super::sections::is_same_heading;

/// The form in which a document comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// A dump of plain text.
    #[default]
    Text,
    /// HTML.
    Html,
    /// Markdown.
    Markdown,
}

/// A place where the document is broken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erratum {
    /// The heading that it is under.
    pub place: String,
    /// The words that are broken.
    pub instead_of: String,
    /// The words that are read.
    pub read: String,
    /// Why.
    pub why: String,
}

/// How a document is read.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// The id of the dialect.
    pub dialect: String,
    /// What the document is called.
    pub title: String,
    /// The name of its file.
    pub file: String,
    /// The name of the file beside it that lists named character references, if there is one.
    pub names: Option<String>,
    /// Its form.
    pub form: Form,
    /// The heading at which the states begin; all of the document if it is empty.
    pub from: String,
    /// The heading at which they end.
    pub to: String,
    /// Where tree construction is described: the headings at which its sections begin and end.
    pub sections: Vec<(String, String)>,
    /// Where the input and what is written are described: the headings at which these sections begin and end.
    pub input: Vec<(String, String)>,
    /// Sections that are read as another dialect: the headings at which they begin and end.
    pub elsewhere: Vec<(String, String)>,
    /// The file of the table, if that is not the dialect's own.
    pub table: Option<String>,
    /// Abstract tokens of lexical modes, each with the steps that it stands for; after `|` those within another one.
    pub tokens: Vec<(String, String)>,
    /// Declarations that the sections take for granted, in the words of the table language.
    pub granted: Vec<String>,
    /// Sentences that ask nothing, by their hashes: whatever else is said there is not one of them.
    pub remarks: Vec<u32>,
    /// The errata.
    pub errata: Vec<Erratum>,
}

impl Profile {
    /// Reads the text of a profile: lines `word: value`; an erratum is four of them.
    ///
    /// # Errors
    ///
    /// The line that is none of these.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut profile = Self::default();
        for line in
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"))
        {
            let (word, value) =
                line.split_once(": ").ok_or_else(|| format!("not `word: value`: {line}"))?;
            let value = value.trim().to_owned();
            match word {
                "dialect" => profile.dialect = value,
                "title" => profile.title = value,
                "file" => profile.file = value,
                "names" => profile.names = Some(value),
                "form" => {
                    profile.form = match &value[..] {
                        "text" => Form::Text,
                        "html" => Form::Html,
                        "markdown" => Form::Markdown,
                        other => return Err(format!("no form of documents: {other}")),
                    }
                }
                "from" => profile.from = value,
                "to" => profile.to = value,
                "table" => profile.table = Some(value),
                "sections" | "input" => {
                    let (from, to) = value
                        .split_once(" until ")
                        .ok_or_else(|| format!("no `until`: {value}"))?;
                    let both = (from.to_owned(), to.to_owned());
                    match word {
                        "sections" => profile.sections.push(both),
                        _ => profile.input.push(both),
                    }
                }
                "token" => {
                    let (name, steps) =
                        value.split_once(" = ").ok_or_else(|| format!("no `=`: {value}"))?;
                    profile.tokens.push((name.to_owned(), steps.to_owned()));
                }
                "remarks" => {
                    for word in value.split(' ') {
                        let hash = u32::from_str_radix(word, 16);
                        profile.remarks.push(hash.map_err(|_| format!("no hash: {word}"))?);
                    }
                }
                "granted" => profile.granted.push(value),
                "erratum" => profile.errata.push(Erratum { place: value, ..Erratum::default() }),
                "instead of" | "read" | "why" => {
                    let erratum = profile
                        .errata
                        .last_mut()
                        .ok_or_else(|| format!("no erratum before: {line}"))?;
                    match word {
                        "instead of" => erratum.instead_of = value,
                        "read" => erratum.read = value,
                        _ => erratum.why = value,
                    }
                }
                other => return Err(format!("an unknown word: {other}")),
            }
        }
        Ok(profile)
    }

    /// Takes over which sections of the document other profiles read.
    pub fn beside(mut self, others: &[Self]) -> Self {
        let same = others.iter().filter(|other| other.file == self.file);
        let others = same.filter(|other| other.dialect != self.dialect);
        self.elsewhere = others.flat_map(Self::bounds).collect();
        self
    }

    /// The headings at which the sections that are read begin and end; the first may be empty.
    pub(super) fn bounds(&self) -> Vec<(String, String)> {
        // A profile that names sections alone reads nothing before them.
        let first = (!self.from.is_empty() || self.sections.is_empty())
            .then(|| (self.from.clone(), self.to.clone()));
        first.into_iter().chain(self.sections.iter().chain(&self.input).cloned()).collect()
    }

    /// The headings at which the sections that are read begin; none if all of the document is read.
    pub fn headings(&self) -> Vec<&str> {
        let sections = self.sections.iter().chain(&self.input).map(|(from, _)| &from[..]);
        std::iter::once(&self.from[..]).chain(sections).filter(|from| !from.is_empty()).collect()
    }

    /// Whether a section that is read begins or ends at the heading, whatever its number.
    pub fn is_bound(&self, heading: &str) -> bool {
        let own = (self.from.clone(), self.to.clone());
        let all = self.sections.iter().chain(&self.input).chain([&own]);
        let mut all = all.flat_map(|(from, to)| [from, to]).filter(|bound| !bound.is_empty());
        all.any(|bound| is_same_heading(heading, bound))
    }

    /// The document with its errata mended, each at its first occurrence after its place, and the errata that were
    /// applied.
    pub fn mend(&self, text: &str) -> (String, Vec<usize>) {
        let mut text = text.to_owned();
        let mut applied = Vec::new();
        for (index, erratum) in self.errata.iter().enumerate() {
            let Some(place) = find_heading(&text, &erratum.place) else { continue };
            if let Some(found) = text[place..].find(&erratum.instead_of) {
                let at = place + found;
                text.replace_range(at..at + erratum.instead_of.len(), &erratum.read);
                applied.push(index);
            }
        }
        (text, applied)
    }
}

/// Where the heading stands: at the beginning of a line, or after a tag, a section number or the signs of Markdown.
fn find_heading(text: &str, heading: &str) -> Option<usize> {
    let begins = |at: usize| {
        text[..at].ends_with(['\n', '>']) || at == 0 || text[..at].ends_with("> ") || {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            text[line..at]
                .trim()
                .chars()
                .all(|part| part.is_ascii_digit() || matches!(part, '.' | '#'))
        }
    };
    let ends = |at: usize| text[at + heading.len()..].starts_with(['\n', '<', '\r']);
    let mut places = text.match_indices(heading).map(|(at, _)| at);
    places.find(|&at| begins(at) && ends(at))
}
