//! The shortest inputs on which the modes of two texts do different things. A change is taken back in the modes of the later
//! text, which run within today's table, with today's states and algorithms; where a change means nothing alone, all are
//! taken back. It compares no rows. Invariant: what is shown was parsed by two machines that differ in modes only.

use super::Text;
use crate::commands::diff::mutants::declarations;
use crate::{documents, root};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tabulex_documents::compare::Difference;
use tabulex_documents::document::facts::Facts;
use tabulex_language::Source;
use tabulex_language::model::Machine;
use tabulex_language::model::tree::ModeRowId;
use tabulex_language::syntax::{Item, Span, TreeItem};
use tabulex_oracle::formats::dat;
use tabulex_oracle::interpreter::Interpreter;
use tabulex_oracle::interpreter::tree::document::{self, ParseOptions};
use tabulex_oracle::search::{
    Bound, TreeDifference, TreeWitness, TreeWitnesses, each_tree_difference_after, tree_starts,
    tree_witnesses,
};

/// How long one change is searched for.
const PATIENCE: Duration = Duration::from_secs(30);

/// How far one search goes on.
const NEAR: Bound = Bound { configurations: 100, length: 1, until: None };

/// How far inputs for all rows are searched.
const FAR: Bound = Bound { configurations: 4_000, length: 60, until: None };

/// An input on which a change shows.
pub(super) struct Shown {
    /// The input.
    pub(super) input: String,
    /// In which element it is parsed, and with which flags, in words.
    pub(super) how: String,
    /// What only each of the two gives: lines of the tree, or the number of errors.
    pub(super) gives: [Vec<String>; 2],
}

/// The modes of two texts, ready to run.
pub(super) struct Modes<'t> {
    table: OfTable,
    texts: [&'t Facts; 2],
    machines: [Machine; 2],
    /// An input for each row of each machine, as far as one was found.
    rows: [TreeWitnesses; 2],
}

/// What stands around modes in today's table.
struct OfTable {
    top: Source,
    /// The file of modes, and what of it no document says.
    file: String,
    kept: String,
}

impl<'t> Modes<'t> {
    /// None if the texts are not about modes, or make no machine.
    pub(super) fn new(dialect: &str, texts: &'t [Text; 2]) -> Option<Self> {
        let file = documents::profile(dialect).ok()?.table?;
        let top = format!("{}.states", file.strip_suffix(".modes")?);
        let own = beside(&file)?;
        let kept = written(&own, &|item| is_of_table(item), &BTreeSet::new())?;
        let table = OfTable { top: Source::new(top.clone(), beside(&top)?), file, kept };
        let texts = [&texts[0].facts, &texts[1].facts];
        let machines = [table.machine(&texts[0].text)?, table.machine(&texts[1].text)?];
        let rows = machines.each_ref().map(|machine| tree_witnesses(machine, FAR));
        let [Some(one), Some(other)] = rows else { return None };
        Some(Self { table, texts, machines, rows: [one, other] })
    }

    /// The shortest input that was found for a change, which stands at these places of the two texts.
    pub(super) fn shown(&self, change: &Difference, places: [Option<Span>; 2]) -> Option<Shown> {
        if change.state.is_empty() && change.input.starts_with("algorithm ") {
            return None;
        }
        let [before, after] = &self.machines;
        let near = self.near(change);
        let alone = self.taken_back(change, places).and_then(|text| self.table.machine(&text));
        match &alone {
            Some(one) => shown([one, after], &first([one, after], &near, &|_| true)?),
            // What it needs is changed as well.
            None => {
                let takes = |found: &TreeDifference| self.takes(change, found);
                shown([before, after], &first([before, after], &near, &takes)?)
            }
        }
    }

    /// Whether an input takes a row of the change on one of the sides.
    fn takes(&self, change: &Difference, found: &TreeDifference) -> bool {
        let sides = self.machines.iter().zip([change.left_row, change.right_row]);
        let mut taken = sides.zip(&found.rows).map(|((machine, row), rows)| {
            let modes = machine.construction.iter().flat_map(|trees| &trees.modes);
            let mode = modes.enumerate().find(|(_, mode)| mode.name == change.state);
            mode.is_some_and(|(at, _)| {
                let is_row = |id: &ModeRowId| row.is_none_or(|(_, row)| usize::from(id.row) == row);
                rows.iter().any(|id| usize::from(id.mode.0) == at && is_row(id))
            })
        });
        taken.any(|is_taken| is_taken)
    }

    /// Inputs near a change: each that is known, with a token after it that the change is about.
    fn near(&self, change: &Difference) -> Vec<TreeWitness> {
        let tokens = tokens(change);
        // What both texts do otherwise everywhere shows nothing of this change.
        let is_of =
            |one: &&TreeWitness| change.input.contains("instruction") || !one.input.contains("<?");
        let known = self.rows.iter().flat_map(|found| found.rows.values()).filter(is_of);
        let starts = tree_starts(&self.machines[1]).into_iter();
        let begun: Vec<TreeWitness> =
            starts.map(|options| TreeWitness { options, input: String::new() }).collect();
        let all = begun.iter().chain(known).flat_map(|known| {
            tokens.iter().map(|token| {
                let input = format!("{}{token}", known.input);
                TreeWitness { options: known.options.clone(), input }
            })
        });
        let mut all: Vec<TreeWitness> = all.collect();
        all.sort_by_key(|one| (one.options.context.is_some(), one.input.chars().count()));
        all
    }

    /// The later text with the earlier one's row or declaration; none if it is part of neither.
    fn taken_back(&self, change: &Difference, places: [Option<Span>; 2]) -> Option<String> {
        let [old, new] = self.texts.map(|facts| &facts.text[..]);
        let [mine, yours] = places;
        let line = |text: &str, span: Span| line_of(text, span.start as usize);
        if !change.state.is_empty() {
            let row = mine.map_or("", |span| {
                let (begin, end) = line(old, span);
                old[begin..end].split("//@").next().unwrap_or_default().trim()
            });
            let (begin, end) = match yours {
                Some(span) => line(new, span),
                None => {
                    let head = new.find(&format!("\n    mode {} ", change.state))? + 1;
                    let first = new[head..].find('\n')? + head + 1;
                    (first, first)
                }
            };
            let row = replaced(row, new[begin..end].split("//@").next()?.trim(), &change.input);
            let lent = lent(old, &row, new);
            let closing = new.rfind('}')?;
            return Some([&new[..begin], &row, "\n", &new[end..closing], &lent, "}\n"].concat());
        }
        let (key, mut text) = (&change.input, new.to_owned());
        let mut there = None;
        let of_key = |text: &str| {
            let items = declarations(text);
            items.into_iter().find(|&(begin, end)| headed(&text[begin..end], key))
        };
        if let Some((begin, end)) = of_key(new) {
            text.replace_range(begin..end, "");
            there = Some(());
        }
        if let Some((begin, end)) = of_key(old) {
            let closing = text.rfind('}')?;
            let item = &old[begin..end];
            text.insert_str(closing, &format!("{item}\n{}", lent(old, item, new)));
            there = Some(());
        }
        there.filter(|()| !key.starts_with("algorithm ")).map(|()| text)
    }
}

/// The row that does for this input what the old row did, and what is left of the new row.
fn replaced(old: &str, new: &str, input: &str) -> String {
    let (Some((asked, steps)), Some((patterns, own))) =
        (old.split_once("=>"), new.split_once("=>"))
    else {
        return old.to_owned();
    };
    if asked.contains(" when ") || patterns.contains(" when ") {
        return old.to_owned();
    }
    // Of a row with many names only the changed ones are taken out.
    let names: Vec<&str> = input.split('"').skip(1).step_by(2).collect();
    let is_plain = !input.contains("other") && !names.is_empty();
    let mut rest = patterns.to_owned();
    for name in &names {
        for cut in [format!(" | \"{name}\""), format!("\"{name}\" | ")] {
            if rest.contains(&cut) {
                rest = rest.replacen(&cut, "", 1);
                break;
            }
        }
    }
    let is_left = names.iter().all(|name| !rest.contains(&format!("\"{name}\"")));
    match is_plain && is_left && rest != patterns {
        true => format!("{input} => {steps}\n{rest} => {own}"),
        false => format!("{patterns} => {steps}"),
    }
}

/// Tokens that a change is about.
fn tokens(change: &Difference) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut kind = "";
    if !change.state.is_empty() {
        for word in change.input.split([' ', '|']).filter(|word| !word.is_empty()) {
            match word.strip_prefix('"').and_then(|word| word.strip_suffix('"')) {
                Some(name) if kind == "end" => tokens.push(format!("</{name}>")),
                Some(name) => {
                    tokens.push(format!("<{name}>"));
                    tokens.push(format!("<{name} type=hidden>"));
                }
                None => kind = word,
            }
            match word {
                "processing-instruction" => tokens.push("<?x y?>".to_owned()),
                "comment" => tokens.push("<!--x-->".to_owned()),
                "doctype" => tokens.push("<!DOCTYPE x>".to_owned()),
                "else" | "character" => tokens.extend(["x", "<q>"].map(str::to_owned)),
                _ => {}
            }
        }
    }
    let said = [Some(&change.input), change.left.as_ref(), change.right.as_ref()];
    if tokens.is_empty() {
        for name in said.into_iter().flatten().flat_map(|text| text.split('"').skip(1).step_by(2)) {
            tokens.push(format!("<!DOCTYPE html PUBLIC \"{name}\" \"\"><p><table>"));
            if name.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !name.is_empty() {
                tokens.extend([format!("<{name}>"), format!("</{name}>")]);
            }
        }
        // A declaration of names says them bare.
        for name in said.into_iter().flatten().flat_map(|text| text.split(" | ")) {
            if name.bytes().all(|byte| byte.is_ascii_lowercase()) {
                tokens.extend([format!("<{name}>"), format!("</{name}>")]);
            }
        }
    }
    if tokens.is_empty() {
        tokens.extend(["", "<q>", "</p>"].map(str::to_owned));
    }
    tokens
}

/// Whether a declaration begins with these words: its kind and its name.
fn headed(item: &str, key: &str) -> bool {
    let rest = item.strip_prefix(key);
    rest.is_some_and(|rest| rest.starts_with([' ', '=', '{']))
}

/// The line of a place, without its end.
fn line_of(text: &str, at: usize) -> (usize, usize) {
    let begin = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    (begin, end)
}

/// The sets of names and the modes that what stands in the old text needs and the new text does not declare.
fn lent(old: &str, taken: &str, new: &str) -> String {
    let mut all = String::new();
    let mut modes = Vec::new();
    for (begin, end) in declarations(old) {
        let item = &old[begin..end];
        let name = item.strip_prefix("mode ").and_then(|rest| rest.split_whitespace().next());
        let is_there = |name: &str| new.contains(&format!("\n    mode {name} "));
        modes.extend(name.filter(|name| !is_there(name)).map(|name| (name, item)));
    }
    // One of them may switch to another one.
    if modes.iter().any(|(name, _)| taken.contains(&format!("switch {name};"))) {
        modes.iter().for_each(|(_, item)| all += &format!("{item}\n"));
    }
    let row = [taken, &all].concat();
    for line in old.lines().filter(|line| line.starts_with("    names ")) {
        let name = line.split_whitespace().nth(1).unwrap_or_default();
        let is_there = new.contains(&format!("    names {name} "));
        if !is_there && row.contains(name) {
            all += line;
            all.push('\n');
        }
    }
    all
}

/// The text of a file beside the tables.
fn beside(name: &str) -> Option<String> {
    std::fs::read_to_string(root::root().join("spec/tables").join(name)).ok()
}

impl OfTable {
    /// The machine with the modes that a text describes. What a mode of it does not speak of is ignored there.
    fn machine(&self, text: &str) -> Option<Machine> {
        let with = |silent: &BTreeSet<String>| {
            let modes = written(text, &is_of_document, silent)?;
            let modes = format!("machine! {{\n{modes}\n{}\n}}\n", self.kept);
            let within = |name: &str| {
                if name == self.file { Some(modes.clone()) } else { beside(name) }
            };
            Some((tabulex_language::load(&self.top, &within), modes))
        };
        let (loaded, modes) = with(&BTreeSet::new())?;
        let missing = loaded.diagnostics.iter().filter(|one| one.check == "missing-else");
        let place = |span: Span| modes.get(span.start as usize..span.end as usize);
        let silent: BTreeSet<String> =
            missing.filter_map(|one| Some(place(one.span)?.to_owned())).collect();
        if silent.is_empty() { loaded.machine } else { with(&silent)?.0.machine }
    }
}

/// Some declarations of a text; modes of these names get a row for all else.
fn written(
    text: &str,
    is_wanted: &dyn Fn(&Item) -> bool,
    silent: &BTreeSet<String>,
) -> Option<String> {
    let table = tabulex_language::parse::file(text).0?;
    let ranges = declarations(text);
    if ranges.len() != table.items.len() {
        return None;
    }
    let mut all = String::new();
    for (&(begin, end), item) in ranges.iter().zip(&table.items) {
        match item {
            _ if !is_wanted(item) => continue,
            Item::Mode(mode) if silent.contains(&mode.name.value) => {
                all += text[begin..end].strip_suffix('}')?;
                all += "else => ignore; }";
            }
            _ => all += &text[begin..end],
        }
        all.push('\n');
    }
    Some(all)
}

/// What a document says of modes, whatever its algorithms are.
fn is_of_document(item: &Item) -> bool {
    !is_of_table(item) || matches!(item, Item::Errors(_))
}

/// Algorithms, what is declared for them, and the names of errors.
fn is_of_table(item: &Item) -> bool {
    matches!(
        item,
        Item::Errors(_)
            | Item::Tree(
                TreeItem::Algorithm { .. }
                    | TreeItem::SelectedContent(..)
                    | TreeItem::Unacknowledged { .. }
            )
    )
}

/// The first input on which two machines do different things, and that is wanted, after some of these.
fn first(
    machines: [&Machine; 2],
    near: &[TreeWitness],
    is_wanted: &dyn Fn(&TreeDifference) -> bool,
) -> Option<TreeDifference> {
    let mut first: Option<TreeDifference> = None;
    for length in 0..=NEAR.length {
        let bound = Bound { length, until: Some(Instant::now() + PATIENCE), ..NEAR };
        each_tree_difference_after(machines, near, bound, &mut |found| {
            let is_it = is_wanted(&found);
            if is_it {
                first = Some(found);
            }
            is_it
        });
        if first.is_some() {
            break;
        }
    }
    first
}

/// What each machine makes of the input.
fn shown(machines: [&Machine; 2], found: &TreeDifference) -> Option<Shown> {
    let TreeDifference { options, input, .. } = found;
    let parsed =
        machines.map(|machine| document::parse(&Interpreter::new(machine), input, options));
    let [Ok(one), Ok(other)] = parsed else { return None };
    let trees = [&one, &other].map(|parsed| dat::tree(&parsed.tree, options));
    let lines = trees.each_ref().map(|tree| tree.lines().collect::<Vec<_>>());
    let errors = [one.errors.len(), other.errors.len()];
    let only = |at: usize| -> Vec<String> {
        if trees[0] == trees[1] {
            return vec![format!("errors: {}", errors[at])];
        }
        let others = &lines[1 - at];
        let own = lines[at].iter().filter(|line| !others.contains(line));
        own.map(|line| line.trim_start_matches("| ").to_owned()).collect()
    };
    Some(Shown { input: input.clone(), how: how(options), gives: [only(0), only(1)] })
}

fn how(options: &ParseOptions) -> String {
    let context = options.context.iter().map(|context| format!("in <{}>", context.local));
    let flags = options.flags.iter().map(|(name, value)| format!("with {name} {value}"));
    context.chain(flags).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn a_row_is_taken_back_for_the_names_that_changed() {
        let new = r#"start "p" | "search" => close-p; insert-element;"#;
        assert_eq!(
            replaced("start => insert-element;", new, r#"start "search""#),
            "start \"search\" =>  insert-element;\nstart \"p\"  =>  close-p; insert-element;"
        );
        assert_eq!(
            replaced("else => ignore;", "comment => stop;", "comment"),
            "comment  =>  ignore;"
        );
        let asked = r#"start "a" when fragment => ignore;"#;
        assert_eq!(replaced(asked, r#"start "a" => stop;"#, r#"start "a""#), asked);
    }
}
