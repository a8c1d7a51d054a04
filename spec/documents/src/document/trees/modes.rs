//! Sections to modes: lists of labels become rows, what is defined beside them declarations. It reads no words
//! (`english` and `lists` do). Invariant: every sentence of a section is listed once, with how it was read.

use super::english::{self, Ask, Definition, English, Rule, Say, Step, Walk};
use super::fold::{Stated, fold};
use super::written::Sets;
use super::{fold, lists, walk, written};
use crate::document::outline::{Entry, ListKind, Node, Part, Text};
use crate::document::sentence::{self, Read, Sentence};
use crate::document::{ModeRead, Profile, Reading, RowRead, StepRead};
use pest::Parser;

/// Reads the sections.
pub(super) fn read(parts: &[Part], profile: &Profile, reading: &mut Reading) {
    let mut reader = Reader {
        reading,
        sets: Sets::default(),
        beside: "script",
        given: Vec::new(),
        remarks: &profile.remarks,
        place: String::new(),
        paragraph: 0,
        hashes: Vec::new(),
    };
    for part in parts {
        reader.part(part);
    }
    let Reader { reading, sets, .. } = reader;
    for (name, names) in sets.0 {
        reading.declarations.push((0, format!("names {name} = {names};")));
    }
}

/// What reads.
pub(super) struct Reader<'r> {
    pub(super) reading: &'r mut Reading,
    pub(super) sets: Sets,
    /// What algorithms beside rows are about: the tag of the row, if it is one that has some.
    beside: &'static str,
    /// What the algorithm is given whose head was read last.
    pub(super) given: Vec<StepRead>,
    /// Sentences that ask nothing, by their hashes.
    remarks: &'r [u32],
    place: String,
    paragraph: usize,
    /// The sentences of the row that is read.
    hashes: Vec<u32>,
}

/// A row before it is written.
struct Draft {
    patterns: Vec<(String, Option<Ask>)>,
    steps: Vec<Step>,
    line: usize,
    hashes: Vec<u32>,
}

impl Reader<'_> {
    /// Lists a sentence.
    pub(super) fn note(&mut self, words: &str, line: usize, read: Read) {
        let hash = sentence::hash(words);
        self.hashes.push(hash);
        self.reading.sentences.push(Sentence {
            place: self.place.clone(),
            line,
            hash,
            shape: if read == Read::Asks { shape(words) } else { String::new() },
            read,
            words: words.to_owned(),
        });
    }

    /// Lists a sentence that is compared with no table.
    pub(super) fn left_out(&mut self, words: &str, line: usize, reason: &str) {
        self.note(words, line, Read::NotCompared);
        if let Some(sentence) = self.reading.sentences.last_mut() {
            sentence.shape = reason.to_owned();
        }
    }

    /// The sentences of nodes, each noted alike; their shape is what they are about.
    fn mute(&mut self, nodes: &[Node], read: Read, what: &str) {
        for node in nodes {
            match node {
                Node::Paragraph(text) => {
                    let read = if text.is_note { Read::Remark } else { read };
                    for words in sentence::divide(&text.words) {
                        self.note(&words, text.line, read);
                        if let Some(sentence) = self.reading.sentences.last_mut() {
                            sentence.shape = what.to_owned();
                        }
                    }
                }
                Node::List(_, entries) => {
                    entries.iter().for_each(|entry| self.mute(&entry.nodes, read, what))
                }
            }
        }
    }

    /// Reads and notes the sentences of a paragraph.
    fn sentences(&mut self, text: &Text) -> Vec<english::Heard> {
        self.paragraph += 1;
        let mut heard = Vec::new();
        for words in sentence::divide(&text.words) {
            if !text.is_note && self.means(&words, &heading(&self.place).0, text.line) {
                continue;
            }
            if !text.is_note
                && let Some(head) = self.head(&words, text.line)
            {
                heard.extend(head);
                continue;
            }
            let is_remark = text.is_note || self.remarks.contains(&sentence::hash(&words));
            let read = english::sentence(&words).filter(|_| !is_remark);
            let how = match &read {
                _ if is_remark => Read::Remark,
                None => Read::Unread,
                Some(one) if one.say == Say::Remark => Read::Remark,
                Some(_) => Read::Asks,
            };
            match &read {
                Some(one) if one.say == Say::Scripts => self.script(&words, text.line),
                _ => self.note(&words, text.line, how),
            }
            if let Some(declaration) = lists::nonconforming(&words) {
                self.reading.declarations.push((text.line, declaration));
            }
            heard.extend(read);
        }
        heard
    }

    /// A section.
    fn part(&mut self, part: &Part) {
        self.place = part.heading.words.clone();
        let (section, name) = heading(&part.heading.words);
        let mut definition = None;
        let mut name = name;
        for node in &part.nodes {
            match node {
                Node::Paragraph(text) => self.definitions(text, &mut definition),
                Node::List(ListKind::Switch, entries) if name.is_some() && definition.is_none() => {
                    let name = name.take().unwrap_or_default();
                    self.mode(name, &section, part.heading.line, entries);
                }
                Node::List(kind, entries) => self.defined(*kind, entries, definition.take(), part),
            }
        }
    }

    /// Sentences that define. What only acts belongs to no row, and is not read.
    fn definitions(&mut self, text: &Text, definition: &mut Option<(Definition, usize)>) {
        let from = self.reading.sentences.len();
        let heard = self.sentences(text);
        for one in heard {
            match one.say {
                Say::Defines(Definition::Names(name, names)) => {
                    self.declare(text.line, format!("names {name} = {};", names.join(" | ")));
                    if name == "special" {
                        self.declare(text.line, "scope special-element = special;".to_owned());
                    }
                }
                Say::Defines(Definition::Adjust(name, Some((from, to)))) => {
                    self.declare(text.line, format!("adjust {name} = {from:?} => {to:?};"));
                }
                Say::Defines(other) => *definition = Some((other, text.line)),
                Say::Remark | Say::Scripts | Say::Begins(_) => {
                    definition.get_or_insert((Definition::Primitive(""), text.line));
                }
                Say::Goes => {
                    *definition =
                        definition.take().filter(|(other, _)| *other != Definition::Primitive(""))
                }
                _ => {
                    let unused = self.reading.sentences[from..]
                        .iter_mut()
                        .filter(|one| one.read == Read::Asks);
                    unused.for_each(|one| one.read = Read::Unread);
                }
            }
        }
    }

    /// Steps of the algorithm of scripts in the mode that is read.
    pub(super) fn record_script(&mut self, line: usize, steps: Vec<StepRead>) {
        let (section, mode) = heading(&self.place);
        let name = format!("{}-{}", self.beside, mode.unwrap_or_default());
        self.reading.record((name, section, line), steps);
    }

    /// The number of the section.
    pub(super) fn section(&self) -> String {
        heading(&self.place).0
    }

    pub(super) fn declare(&mut self, line: usize, item: String) {
        self.reading.declarations.push((line, item));
    }

    /// A list after a sentence that defines.
    fn defined(
        &mut self,
        kind: ListKind,
        entries: &[Entry],
        definition: Option<(Definition, usize)>,
        part: &Part,
    ) {
        let (definition, line) =
            definition.unwrap_or((Definition::Primitive(""), part.heading.line));
        match definition {
            Definition::Steps(name) => {
                self.hashes.clear();
                let stated = self.entries(entries);
                self.steps(name, &fold(&stated), line);
            }
            Definition::RawText => {
                let stated = self.entries(entries);
                self.raw_text(&fold(&stated), line);
            }
            Definition::Scope(name, is_all_but) => {
                // The language has no word for all but some: special ones stand for them, and it is not compared.
                if is_all_but {
                    let reason = "no table has a scope of all elements but some";
                    entries
                        .iter()
                        .for_each(|entry| self.mute(&entry.nodes, Read::NotCompared, reason));
                    self.declare(line, format!("scope {name} = special;"));
                    return;
                }
                let items = self.items(entries, lists::item);
                self.declare(line, format!("scope {name} = {};", items.join(" | ")));
            }
            Definition::Points(is_text) => {
                let items = self.items(entries, lists::item).join(" | ");
                let word = if is_text {
                    "names mathml-text-integration-point ="
                } else {
                    "integration-points"
                };
                self.declare(line, format!("{word} {items};"));
            }
            Definition::Adjust(name, _) => self.adjustments(name, entries, line),
            Definition::Reset => self.reset(entries, &heading(&part.heading.words).0, line),
            Definition::Fragment => self.fragment(entries, &heading(&part.heading.words).0, line),
            Definition::Primitive("") if kind == ListKind::Switch => {
                self.named_by(entries);
                for entry in entries {
                    for node in &entry.nodes {
                        if let Node::Paragraph(text) = node {
                            self.definitions(text, &mut None);
                        }
                    }
                }
            }
            Definition::Primitive("") => {
                entries.iter().for_each(|entry| self.mute(&entry.nodes, Read::Remark, ""));
            }
            Definition::Primitive(name) => {
                let given = std::mem::take(&mut self.given);
                self.algorithm(name, entries, (heading(&part.heading.words).0, line), given);
            }
            Definition::Names(..) => {}
        }
    }

    /// The labels of a list after "one of the following".
    fn named_by(&mut self, entries: &[Entry]) {
        let labels = entries.iter().flat_map(|entry| &entry.labels);
        let names: Vec<String> = labels.map(|label| label.words.to_lowercase()).collect();
        let last = self.reading.algorithms.last_mut().and_then(|one| one.steps.last_mut());
        if let Some(last) = last.filter(|last| last.words.ends_with("is one of")) {
            last.words = format!("{} {}", last.words, names.join(" or "));
        }
    }

    /// Items of a list that each say one thing.
    pub(super) fn items(
        &mut self,
        entries: &[Entry],
        read: fn(&str) -> Option<String>,
    ) -> Vec<String> {
        let mut items = Vec::new();
        for node in entries.iter().flat_map(|entry| &entry.nodes) {
            if let Node::Paragraph(text) = node {
                let item = read(&text.words);
                self.note(
                    &text.words,
                    text.line,
                    if item.is_some() { Read::Asks } else { Read::Unread },
                );
                items.extend(item);
            }
        }
        items
    }

    /// The rows of a table of names, after its heading.
    pub(super) fn adjustments(&mut self, name: &str, entries: &[Entry], line: usize) {
        let mut rows = Vec::new();
        for entry in entries.iter().skip(1) {
            let cells: Vec<&Text> = entry
                .nodes
                .iter()
                .filter_map(|node| match node {
                    Node::Paragraph(text) => Some(text),
                    Node::List(..) => None,
                })
                .collect();
            let words: Vec<&str> = cells.iter().map(|cell| &cell.words[..]).collect();
            let row = lists::adjusted(&words);
            let read = if row.is_some() { Read::Asks } else { Read::Unread };
            self.note(&words.join(" "), cells.first().map_or(line, |cell| cell.line), read);
            rows.extend(row);
        }
        self.declare(line, format!("adjust {name} = {};", rows.join(" | ")));
    }

    /// Steps with a name.
    fn steps(&mut self, name: &str, steps: &[Step], line: usize) {
        let text = written::steps(&finished(steps), &mut self.sets);
        self.declare(line, format!("steps {name} {{ {text} }}"));
    }

    /// The two algorithms for elements of text differ in the state of the tokenizer.
    fn raw_text(&mut self, steps: &[Step], line: usize) {
        for (name, which) in [("raw-text", 0), ("rcdata", 1)] {
            let one = |step: &Step| match step {
                Step::Act(action) => match action
                    .strip_prefix("tokenizer ")
                    .and_then(|states| states.split(" or ").nth(which))
                {
                    Some(state) => Step::Act(format!("tokenizer {state}")),
                    None => step.clone(),
                },
                other => other.clone(),
            };
            let steps: Vec<Step> = steps.iter().map(one).collect();
            self.steps(name, &steps, line);
        }
    }

    /// A mode: one row for each label that asks something else.
    fn mode(&mut self, name: String, section: &str, line: usize, entries: &[Entry]) {
        let mut drafts: Vec<Draft> = Vec::new();
        for entry in entries {
            self.hashes.clear();
            let mut patterns = Vec::new();
            for label in &entry.labels {
                match label_of(&label.words) {
                    Some(found) => patterns.extend(found),
                    None => self.note(&label.words, label.line, Read::Unread),
                }
            }
            let is_template = patterns.iter().any(|(pattern, _)| pattern == "start \"template\"");
            self.beside = if is_template { "template" } else { "script" };
            let stated = self.stated(&entry.nodes);
            let line = entry.labels.first().map_or(line, |label| label.line);
            drafts.push(Draft {
                patterns,
                steps: fold(&stated),
                line,
                hashes: std::mem::take(&mut self.hashes),
            });
        }
        if name == "dispatcher" {
            self.dispatch(&mut drafts, line);
        }
        let mut rows = Vec::new();
        for at in 0..drafts.len() {
            let steps = finished(&referred(&drafts, at, &drafts[at].steps));
            let mut text = written::steps(&steps, &mut self.sets);
            let draft = &drafts[at];
            self.scope_of_walk(&text, draft.line);
            if name == "in-body" && draft.patterns.iter().any(|(pattern, _)| pattern == "end") {
                self.declare(draft.line, format!("steps any-other-end-tag {{ {text} }}"));
                text = "any-other-end-tag;".to_owned();
            }
            rows.extend(self.rows(draft, &text));
        }
        self.reading.modes.push(ModeRead { name, section: section.to_owned(), line, rows });
    }

    /// Declares the scope at which a walk up the stack ends, once.
    fn scope_of_walk(&mut self, text: &str, line: usize) {
        const BEGIN: &str = "special-but-";
        let Some((_, after)) = text.split_once(BEGIN) else { return };
        let names = after.split(' ').next().unwrap_or_default();
        let except: Vec<String> = names.split('-').map(|name| format!("{name:?}")).collect();
        let item = format!("scope {BEGIN}{names} = special except {};", except.join(" | "));
        if self.reading.declarations.iter().all(|(_, other)| *other != item) {
            self.declare(line, item);
        }
    }

    /// The rows of a draft: patterns with the same condition are one.
    fn rows(&mut self, draft: &Draft, text: &str) -> Vec<RowRead> {
        let mut rows: Vec<RowRead> = Vec::new();
        for (pattern, ask) in &draft.patterns {
            let guard = ask.as_ref().map(|ask| written::guard(ask, &mut self.sets));
            match rows.last_mut().filter(|row| row.guard == guard) {
                Some(row) => row.patterns = format!("{} | {pattern}", row.patterns),
                None => rows.push(RowRead {
                    patterns: pattern.clone(),
                    guard,
                    steps: if text.is_empty() { "ignore;".to_owned() } else { text.to_owned() },
                    line: draft.line,
                    is_gap: false,
                    hashes: draft.hashes.clone(),
                }),
            }
        }
        rows
    }

    /// While the adjusted current node is foreign, the dispatcher's rows decide; those that say that it is not are what
    /// this asks.
    fn dispatch(&mut self, drafts: &mut Vec<Draft>, line: usize) {
        let otherwise = drafts.last().map(|draft| draft.steps.clone()).unwrap_or_default();
        let Some(first) = drafts.first_mut() else { return };
        let before = first.patterns.len();
        first.patterns.retain(|(pattern, _)| pattern != "empty" && pattern != "html");
        if before == first.patterns.len() + 2 {
            self.declare(
                line,
                "tree dispatch dispatcher when adjusted-current is-foreign;".to_owned(),
            );
        }
        let (neither, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut first.patterns)
            .into_iter()
            .partition(|(pattern, _)| pattern.starts_with("neither "));
        first.patterns = rest;
        let mut excepted = Vec::new();
        for (pattern, ask) in neither {
            first.patterns.insert(0, ("start".to_owned(), ask.clone()));
            excepted.push((pattern["neither ".len()..].to_owned(), ask));
        }
        let (line, hashes) = (first.line, first.hashes.clone());
        drafts.insert(0, Draft { patterns: excepted, steps: otherwise, line, hashes });
    }

    /// The sentences of entries, one after the other.
    fn entries(&mut self, entries: &[Entry]) -> Vec<Stated> {
        let mut stated = Vec::new();
        let mut at = 0;
        while at < entries.len() {
            let Some(action) = begun(&entries[at]) else {
                stated.extend(self.stated(&entries[at].nodes));
                at += 1;
                continue;
            };
            let belongs = |entry: &&Entry| !is_of_row(entry);
            let count = 1 + entries[at + 1..].iter().take_while(belongs).count();
            self.supplied(action, &entries[at..at + count]);
            at += count;
            let paragraph = self.paragraph;
            let say = Say::Do(vec![Step::Act(action.to_owned())]);
            stated.push(Stated::Said { say, opens: false, label: None, paragraph });
        }
        stated
    }

    /// Steps that the action does at once: the algorithm of its name.
    fn supplied(&mut self, action: &str, entries: &[Entry]) {
        let name = action.split(' ').next().unwrap_or_default();
        let line = entries.first().and_then(|entry| entry.nodes.first()).map_or(0, line_of);
        self.algorithm(name, entries, (heading(&self.place).0, line), Vec::new());
    }

    /// The sentences of a row.
    fn stated(&mut self, nodes: &[Node]) -> Vec<Stated> {
        let mut stated: Vec<Stated> = Vec::new();
        let mut is_script = false;
        for node in nodes {
            match node {
                Node::Paragraph(text) => {
                    for heard in self.sentences(text) {
                        is_script = heard.say == Say::Scripts && heard.opens;
                        if !matches!(
                            heard.say,
                            Say::Remark | Say::Scripts | Say::Goes | Say::Begins(_)
                        ) {
                            let english::Heard { say, opens, label } = heard;
                            stated.push(Stated::Said {
                                say,
                                opens,
                                label,
                                paragraph: self.paragraph,
                            });
                        }
                    }
                }
                Node::List(kind, entries) if is_script => self.script_list(*kind, entries),
                Node::List(kind, entries) => self.list(*kind, entries, &mut stated),
            }
        }
        stated
    }

    /// A list within a row.
    fn list(&mut self, kind: ListKind, entries: &[Entry], stated: &mut Vec<Stated>) {
        let line = entries.first().and_then(|entry| entry.nodes.first()).map_or(0, line_of);
        match kind {
            ListKind::Steps => {
                let steps = fold::list(&self.entries(entries));
                stated.push(Stated::Block(steps));
            }
            ListKind::Switch => {
                let steps = self.choices(entries);
                stated.push(Stated::Block(steps));
            }
            ListKind::Items => {
                let items = self.items(entries, lists::doctype);
                if let Some(Stated::Said {
                    say: Say::If(ask, acts) | Say::OtherwiseIf(ask, acts),
                    ..
                }) = stated.last_mut()
                    && let Some(name) = acts.iter().find_map(document_mode)
                {
                    with_list(ask, &name);
                    self.declare(line, format!("doctypes {name} = {};", items.join(" | ")));
                }
            }
            ListKind::Rows => {
                self.adjustments("svg-tag-names", entries, line);
                if let Some(Stated::Said { say: Say::If(_, acts), .. }) = stated.last_mut() {
                    acts.retain(|step| *step != Step::Adjusts);
                }
            }
        }
    }

    /// Labels within a row: the first whose condition holds.
    fn choices(&mut self, entries: &[Entry]) -> Vec<Step> {
        let mut choices = Vec::new();
        for entry in entries {
            let ask = entry.labels.first().and_then(|label| inner_label(&label.words));
            if let (None, Some(label)) = (&ask, entry.labels.first()) {
                self.note(&label.words, label.line, Read::Unread);
            }
            let steps = fold(&self.stated(&entry.nodes));
            choices.push((ask.unwrap_or(Ask::Always), steps));
        }
        let mut steps = Vec::new();
        for (ask, then) in choices.into_iter().rev() {
            steps = if ask == Ask::Always { then } else { vec![Step::When(ask, then, steps)] };
        }
        steps
    }
}

fn line_of(node: &Node) -> usize {
    match node {
        Node::Paragraph(text) => text.line,
        Node::List(_, entries) => {
            entries.iter().flat_map(|entry| &entry.nodes).map(line_of).next().unwrap_or(0)
        }
    }
}

/// The first sentence of an entry.
fn first_sentence(entry: &Entry) -> Option<String> {
    match entry.nodes.first()? {
        Node::Paragraph(text) => sentence::divide(&text.words).into_iter().next(),
        Node::List(..) => None,
    }
}

/// The action whose steps begin with this entry.
fn begun(entry: &Entry) -> Option<&'static str> {
    match english::sentence(&first_sentence(entry)?)?.say {
        Say::Begins(action) => Some(action),
        _ => None,
    }
}

/// Whether the entry is of the row: its words act, and do not only go on with what is before.
fn is_of_row(entry: &Entry) -> bool {
    first_sentence(entry).and_then(|words| english::sentence(&words)).is_some_and(|heard| {
        !matches!(heard.say, Say::Otherwise(_) | Say::OtherwiseIf(..) | Say::Remark)
    })
}

/// The mode of a document that the step sets.
fn document_mode(step: &Step) -> Option<String> {
    match step {
        Step::Act(action) => action.strip_prefix("set document-mode ").map(str::to_owned),
        _ => None,
    }
}

/// The list that a condition speaks of has this name.
fn with_list(ask: &mut Ask, name: &str) {
    match ask {
        Ask::DoctypeList => *ask = Ask::Is(format!("doctype in {name}")),
        Ask::All(asks) | Ask::Any(asks) => asks.iter_mut().for_each(|ask| with_list(ask, name)),
        _ => {}
    }
}

/// Steps of other rows that the row refers to.
fn referred(drafts: &[Draft], at: usize, steps: &[Step]) -> Vec<Step> {
    let mut out = Vec::new();
    for step in steps {
        match step {
            Step::When(ask, then, otherwise) => out.push(Step::When(
                ask.clone(),
                referred(drafts, at, then),
                referred(drafts, at, otherwise),
            )),
            Step::AsEndOf(name) => {
                let pattern = format!("end {name:?}");
                let row = drafts
                    .iter()
                    .find(|draft| draft.patterns.iter().any(|(other, _)| *other == pattern));
                out.extend(
                    row.map(|draft| draft.steps.clone()).unwrap_or_else(|| vec![step.clone()]),
                );
            }
            Step::AsNext(name) => {
                let next = drafts.get(at + 1).map(|draft| draft.steps.clone()).unwrap_or_default();
                for step in next {
                    match step {
                        Step::Act(action) if action == "insert-element" => {
                            out.push(Step::Act(format!("insert-element {name:?}")))
                        }
                        Step::Act(action) if action == "acknowledge-self-closing" => {}
                        other => out.push(other),
                    }
                }
            }
            other => out.push(other.clone()),
        }
    }
    out
}

/// Steps as a table has them.
fn finished(steps: &[Step]) -> Vec<Step> {
    let mut steps = fold::without_ends(&walk::resolved(fold::joined(steps.to_vec())));
    steps.retain(|step| !matches!(step, Step::Walk(Walk::Done)));
    steps
}

/// The number of a section, and the mode that it describes.
fn heading(words: &str) -> (String, Option<String>) {
    let Some(pair) = English::parse(Rule::heading, words).ok().and_then(|mut pairs| pairs.next())
    else {
        return (words.to_owned(), None);
    };
    let mut number = String::new();
    let mut name = None;
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::number => number = part.as_str().to_owned(),
            Rule::heading_mode => name = english::quoted(&part).map(|words| english::mode(&words)),
            Rule::heading_foreign => name = Some("in-foreign-content".to_owned()),
            Rule::heading_dispatcher => name = Some("dispatcher".to_owned()),
            _ => {}
        }
    }
    (number, name)
}

/// The condition of a label within a row.
fn inner_label(words: &str) -> Option<Ask> {
    let pair = English::parse(Rule::inner_label, words).ok()?.next()?.into_inner().next()?;
    match pair.as_rule() {
        Rule::condition => super::asks::condition(pair),
        _ => Some(Ask::Always),
    }
}

/// The patterns of a label, each with its condition.
fn label_of(words: &str) -> Option<Vec<(String, Option<Ask>)>> {
    super::labels::label(words)
}

/// The rules by which a sentence is read.
fn shape(words: &str) -> String {
    let shape = super::initial::shape(words).unwrap_or_else(|| english::shape(words));
    if shape.is_empty() { super::algorithms::shape(words) } else { shape }
}
