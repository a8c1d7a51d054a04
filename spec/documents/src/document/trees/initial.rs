//! Sentences that set initial values or refine declarations: the first mode, flags, and the comparison of DOCTYPEs.
//! Sentences that describe parts of algorithms are passed on.

use super::english::{English, Rule, Say, mode, quoted};
use super::modes::Reader;
use crate::document::sentence::Read;
use pest::Parser;
use pest::iterators::Pair;

/// Declaration of the flag that prevents a document from entering quirks mode.
const CHANGE: &str = "tree flag change-of-mode = ";

impl Reader<'_> {
    /// Whether the sentence defines terms or initial values; if so, it is recorded.
    pub(super) fn means(&mut self, words: &str, section: &str, line: usize) -> bool {
        if let Some((name, steps)) = self.reading.stated(words, line) {
            self.reading.record((name, section.to_owned(), line), steps);
            // It may also contain steps of a row.
            let say = super::english::sentence(words).map(|parsed| parsed.say);
            if matches!(say, Some(Say::Do(_) | Say::If(..))) {
                return false;
            }
        } else if let Some(pair) = sentence(words) {
            self.begins(&pair, line);
        } else {
            return false;
        }
        self.note(words, line, Read::Asks);
        true
    }

    /// Returns the declarations so far.
    fn declared(&mut self) -> impl DoubleEndedIterator<Item = &mut String> {
        self.reading.declarations.iter_mut().map(|(_, item)| item)
    }

    fn begins(&mut self, pair: &Pair<'_, Rule>, line: usize) {
        let values = pair.clone().into_inner().filter_map(|part| quoted(&part));
        let values: Vec<String> = values.map(|value| mode(&value)).collect();
        match (pair.as_rule(), &values[..]) {
            (Rule::first_mode, [first]) => self.declare(line, format!("tree start {first};")),
            (Rule::first_value, [value]) => {
                self.declare(line, format!("tree flag frameset-ok = {value};"));
            }
            (Rule::other_value, [value, ..]) => {
                let flag =
                    self.declared().rev().find(|item| item.starts_with("tree flag frameset-ok "));
                if let Some(end) = flag {
                    *end = end.replacen(';', &format!(" | {value};"), 1);
                }
            }
            (Rule::host_value, [holds, otherwise]) => {
                self.declare(line, format!("tree flag scripting = {otherwise} | {holds} by host;"));
            }
            (Rule::host_mode, _) => {
                self.declare(line, "tree flag scripting = disabled | enabled by host;".to_owned());
            }
            (Rule::host_roots, _) => {
                let is_off = pair.as_str().contains("initially false");
                let values = if is_off { "forbidden | allowed" } else { "allowed | forbidden" };
                self.declare(
                    line,
                    format!("tree flag declarative-shadow-roots = {values} by host;"),
                );
            }
            (Rule::parsing_contents, _) => {
                let asked = pair.clone().into_inner().next().and_then(super::asks::condition);
                if let Some(asked) = asked {
                    let asked = super::written::guard(&asked, &mut self.sets);
                    self.declare(
                        line,
                        format!("tree condition parsing-template-contents = {asked};"),
                    );
                }
            }
            // By default the mode cannot change.
            (Rule::host_flag, _) => {
                self.declare(line, format!("{CHANGE}forbidden | allowed by host;"));
            }
            (Rule::host_flag_value, _) => {
                let flag = self.declared().find(|item| item.starts_with(CHANGE));
                if let Some(flag) = flag {
                    *flag = format!("{CHANGE}allowed | forbidden by host;");
                }
            }
            (Rule::case_ignored, _) => {
                let named = |item: &&mut String| {
                    item.starts_with("doctypes ") && !item.starts_with("doctypes nonconforming ")
                };
                self.declared()
                    .filter(named)
                    .for_each(|item| *item = item.replacen(" = ", " ignoring-case = ", 1));
            }
            _ => {}
        }
    }
}

fn sentence(words: &str) -> Option<Pair<'_, Rule>> {
    English::parse(Rule::initial, words).ok()?.next()?.into_inner().next()
}

/// Returns the rules that match such a sentence.
pub(super) fn shape(words: &str) -> Option<String> {
    let pair = sentence(words)?;
    let within = pair.clone().into_inner().flatten();
    let rules = std::iter::once(pair).chain(within).map(|pair| format!("{:?}", pair.as_rule()));
    Some(rules.collect::<Vec<_>>().join(" "))
}
