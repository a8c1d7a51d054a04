//! Tables of measurements, as text and in Markdown. Each row is a contestant, with the ratio to the first one.

use crate::corpus::total_len;
use crate::field::{Agreement, Contestant, Field, digests};
use std::fmt::Write as _;

/// The results of one field.
pub struct Table {
    /// The name of the field.
    pub name: &'static str,
    /// A description of the documents that were processed.
    pub about: String,
    /// The unit of the values.
    pub unit: &'static str,
    /// The heading of the ratios.
    pub ratio_heading: &'static str,
    /// Whether values are rates, to which the aims of contestants apply.
    pub has_aims: bool,
    pub documents: usize,
    pub rows: Vec<Row>,
}

/// The results of one contestant.
pub struct Row {
    pub contestant: &'static Contestant,
    pub value: f64,
    /// The first contestant's value divided by that of this contestant; for rates, the median of the quotients of
    /// adjacent turns.
    pub ratio: f64,
    /// The number of documents for which the result equals that of tabulex.
    pub equal_documents: usize,
}

/// Describes the documents: their number and their total length.
pub fn describe(documents: &[String]) -> String {
    let count = documents.len();
    let noun = if count == 1 { "document" } else { "documents" };
    format!("{count} {noun}, {} bytes", total_len(documents))
}

impl Row {
    /// Formats the ratio; empty if one of the two values is zero.
    pub fn format_ratio(&self) -> String {
        if self.ratio.is_normal() { format!("{:.2}x", self.ratio) } else { String::new() }
    }

    /// Describes how far the results agree with those of tabulex, for `documents` documents.
    fn describe_agreement(&self, documents: usize) -> String {
        match self.contestant.agreement {
            _ if self.contestant.is_joined => "as one document".to_owned(),
            Agreement::Limit => "parses nothing".to_owned(),
            Agreement::None => "follows other rules".to_owned(),
            Agreement::StartTags(_) => {
                format!("{} of {documents} (start tags)", self.equal_documents)
            }
            _ => format!("{} of {documents}", self.equal_documents),
        }
    }
}

impl Table {
    /// Creates a table of costs, which `measure` returns for each contestant.
    pub fn of_costs(
        field: &Field,
        contestants: &[&'static Contestant],
        documents: &[String],
        unit: &'static str,
        measure: impl Fn(&Contestant) -> Result<f64, String>,
    ) -> Result<Self, String> {
        let tabulex_digests = digests(contestants, documents);
        let mut rows: Vec<Row> = Vec::new();
        for &contestant in contestants {
            let equal_documents = contestant.check(documents, &tabulex_digests)?;
            let value = measure(contestant)?;
            let ratio = rows.first().map_or(1.0, |first| first.value / value);
            rows.push(Row { contestant, value, ratio, equal_documents });
        }
        Ok(Self {
            name: field.name,
            about: describe(documents),
            unit,
            ratio_heading: "cost of tabulex / this",
            has_aims: false,
            documents: documents.len(),
            rows,
        })
    }

    fn headings(&self) -> [&'static str; 5] {
        ["", self.unit, self.ratio_heading, "aim", "matching documents"]
    }

    fn cells(&self, row: &Row) -> [String; 5] {
        [
            row.contestant.name.to_owned(),
            format!("{:.*}", if row.value < 1000.0 { 1 } else { 0 }, row.value),
            row.format_ratio(),
            if self.has_aims { row.contestant.aim } else { "" }.to_owned(),
            row.describe_agreement(self.documents),
        ]
    }

    /// Formats the table in columns.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}: {}\n", self.name, self.about);
        let mut write_line = |cells: [&str; 5]| {
            let [name, value, ratio, aim, agreement] = cells;
            let _ = writeln!(text, "{name:<34} {value:>18} {ratio:>24} {aim:>13} {agreement:>24}");
        };
        write_line(self.headings());
        for row in &self.rows {
            write_line(self.cells(row).each_ref().map(String::as_str));
        }
        text
    }

    /// Formats the table in Markdown.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("### {}\n\n{}\n\n", self.name, self.about);
        let _ = writeln!(text, "| {} |", self.headings().join(" | "));
        text.push_str("| --- | --: | --: | --: | --- |\n");
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", self.cells(row).join(" | "));
        }
        text
    }
}
