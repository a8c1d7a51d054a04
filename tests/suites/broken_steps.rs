//! The steps of algorithms, broken: each executed step of a dialect's trees, of its prescan and of serializing left out, and each condition negated, in the model
//! alone. Of an algorithm that can do without all of its steps, as no row runs it, no single one is tried. The oracle must notice on some input; that it agrees with the compiled builders while nothing is broken is the
//! business of `trees`. Invariant: what no input notices is in `broken-steps.json` with the reason why it makes no difference,
//! and nothing else is there.

use serde_json::Value;
use std::collections::BTreeMap;
use tabulex::encoding::Encoding;
use tabulex_language::model::Machine;
use tabulex_language::model::token_steps::TokenStep;
use tabulex_language::model::tree::DocumentMode;
use tabulex_language::model::tree::algorithm::{AlgorithmId, Question, Routine, RunStep};
use tabulex_language::vocabulary::algorithm::{BYTE_ROUTINES, WRITING_ROUTINES};
use tabulex_oracle::steps::{prescan, serialize};
use tabulex_tests::interpreted::{Table, table};
use tabulex_tests::markup::{CONTEXTS, DOCUMENT_MODES, markup, names};
use tabulex_tests::random::Random;
use tabulex_tests::recording::Recording;
use tabulex_tests::setup::Setup;
use tabulex_tests::shared::report;
use tabulex_tests::steps;
use tabulex_tests::trees::{Built, Input, tried_by};

/// What is parsed besides random markup.
const PIECES: &[&str] = &[
    "<a>",
    "</a>",
    "<b>",
    "</b>",
    "<b id=x>",
    "<i>",
    "</i>",
    "<font size=1>",
    "<font color=a size=1>",
    "</font>",
    "<nobr>",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<address>",
    "<li>",
    "<dd>",
    "<option>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "</td>",
    "<caption>",
    "<button>",
    "</button>",
    "<applet>",
    "</applet>",
    "<template>",
    "</template>",
    "<template for=y>",
    "<template for=z>",
    "<template for>",
    "<?start name=\"y\"?>",
    "<?marker name=\"y\"?>",
    "<?marker name=\"z\"?>",
    "<?end?>",
    "<template shadowrootmode=open>",
    "<template shadowrootmode=Closed shadowrootdelegatesfocus shadowrootclonable>",
    "<template shadowrootmode=open shadowrootserializable shadowrootslotassignment=Manual>",
    "<x-y>",
    "<body>",
    "<noscript>",
    "</noscript>",
    "<form>",
    "<!--c-->",
    "<svg>",
    "<desc>",
    "</svg>",
    "x",
    "y",
    "</body>",
    "</html>",
    "<select>",
];

/// What is parsed by the other dialects.
const OTHERS: &[(&str, &[&str])] = &[
    (
        "xml-er",
        &[
            "<a>",
            "</a>",
            "<b>",
            "</b>",
            "</>",
            "<a/>",
            "<p:a>",
            "</p:a>",
            "<a xmlns='u'>",
            "<a xmlns:p='u'>",
            "<b p:x='1' x='2'>",
            "<a x='1' y='3' x='2'/>",
            "<a xmlns:p='u' xmlns:q='u' p:x='1' q:x='2'>",
            "<xml:a xml:lang='l'>",
            "<a xmlns:p='' p:x='1' q:x='2'>",
            "<a :x='1'>",
            "<xmlns:a>",
            "<!--c-->",
            "<?t d?>",
            "x",
            "&lt;",
            " ",
        ],
    ),
    (
        "microxml",
        &[
            "<a>",
            "</a>",
            "<b x='1' x='2' y='3'>",
            "</b>",
            "<a/>",
            "<b x='1' x='2'/>",
            "x",
            "&#x41;",
            " ",
        ],
    ),
    (
        "sky",
        &[
            "<a>",
            "</a>",
            "<b c=1 c=2 d=3>",
            "</b c=1>",
            "<a/>",
            "<t>",
            "</t>",
            "<template>",
            "</template>",
            "<script>",
            "</script>",
            "x",
            " ",
            "<!--c-->",
        ],
    ),
];

/// What is parsed where steps on tokens are broken.
const TAGS: &[&str] = &[
    "<!doctype html>",
    "<!doctype>",
    "<!DOCTYPE html PUBLIC 'a' 'b'>",
    "<!DOCTYPE html SYSTEM 'a'>",
    "<a/>",
    "<br/>",
    "<a x x=1>",
    "<a x=1 y=2 x=3 z=4>",
    "<b y>",
    "</a/>",
    "</b z>",
    "<title>",
    "</title>",
    "</a>",
    "<textarea>",
    "</textarea>",
    "<script>",
    "</script>",
    "x",
];

/// How many characters of a change are shown, and listed.
const SHOWN: usize = 100;

/// The change of an algorithm that loses all of its steps.
const ALL: &str = "without any step";

/// How many inputs are tried.
const INPUTS: u64 = 4_000;

/// What random inputs hardly have: more elements alike than the list takes, and more rounds than the adoption agency makes.
fn long_ones() -> Vec<String> {
    let alike = "<p><b><b><b><b></p>x".to_owned();
    let rounds = format!("<a>{}</a>x", "<div>".repeat(12));
    let order = format!("<section><b><i>{}</b></section>x", "<div>".repeat(10));
    let others = [
        "<a><span><div></a>x</span>y</div>z",
        "<div><?start name='y'?>a<?start name='q'?>b<?end?>c<?end?>d</div><template for=y>x</template>e",
        "<div><?start name='y'?>a<b>b</b></div><template for=y>x</template>e",
        "<div><?marker name='y'?>a<?end?></div><template for=y>x</template>e",
        "<head><?marker name='y'?></head><body><template for=y><title>x</title></template>",
        "<p><?marker name=''?><template for>x</template>",
        "<p><template shadowrootmode=open></template><template shadowrootmode=open>x</template>",
        "<div><?start name='y'?></div><p><?end?><template for=y>x</template>",
        "<pre>\n\nx\n",
        "<textarea>x\ny",
    ];
    let others = others.map(str::to_owned);
    [alike, rounds, order].into_iter().chain(others).chain(choices()).collect()
}

/// Options of selects that show which of them is chosen, some of which are not.
fn choices() -> impl Iterator<Item = String> {
    let shows = "<button><selectedcontent>z</selectedcontent></button>";
    let inside = [
        ("", "<option>a<b>b<i>c</i></b>d<template>t</template><option>e"),
        ("", "<option>a<option selected>b<option>c"),
        ("", "<option selected>a<option selected>b<option>c"),
        ("", "<option disabled>a<option>b"),
        ("", "<optgroup disabled><option>a</optgroup><option>b"),
        ("", "<optgroup><option>a</optgroup><option>b"),
        ("", "<div disabled><option>a</div><option>b"),
        ("", "<optgroup><div><optgroup><option>a</optgroup></div></optgroup><option>b"),
        ("", "<datalist><option selected>a</datalist><option>b"),
        ("", "<div><svg><foreignObject><select><option selected>a</select></svg></div><option>b"),
        (" size=1", "<option>a"),
        (" size=2", "<option>a<option selected>b"),
        (" size=2", "<option>a"),
        (" multiple", "<option selected>a"),
    ];
    let first = inside.map(|(attributes, options)| format!("<select{attributes}>{shows}{options}"));
    let others = [
        "<select><option>a<selectedcontent></selectedcontent></option><option selected>b</select>",
        "<select><option>a</option><selectedcontent></selectedcontent><option>b</select>",
        "<select><svg><foreignObject><select><selectedcontent></selectedcontent></select></svg><option>a</select>",
        "<select><option>a</select>",
        "<option>a</option><selectedcontent></selectedcontent>",
    ];
    first.into_iter().chain(others.map(str::to_owned))
}

/// What is made of an input.
#[derive(PartialEq)]
enum Made {
    Tree(Built),
    Tokens(Recording),
}

struct Tried {
    text: String,
    fragment: Option<&'static str>,
    context_mode: Option<DocumentMode>,
    scripting: bool,
    /// Whether tokens are looked at, and no tree.
    is_of_tokens: bool,
    whole: Option<Made>,
}

impl Tried {
    fn by(&self, table: &Table) -> Option<Made> {
        if self.is_of_tokens {
            let setup = Setup { follows_modes: true, ..Setup::default() };
            let (recording, stuck) = table.attempt(&setup, &self.text, &mut |_| ());
            return stuck.is_none().then_some(Made::Tokens(recording));
        }
        let &Self { fragment, context_mode, scripting, .. } = self;
        let text = &self.text[..];
        let shadow_roots = true;
        let input =
            Input { text, fragment, context_mode, scripting, shadow_roots, ..Input::default() };
        tried_by(table, &input).ok().map(|(built, _)| Made::Tree(built))
    }
}

fn inputs(whole: &Table) -> Vec<Tried> {
    let names = names("html");
    let of = |seed| {
        let mut random = Random::new(seed);
        let text = match random.below(4) {
            0 => markup(&mut random, &names, 24),
            _ => (0..3 + random.below(20)).map(|_| *random.pick(PIECES)).collect(),
        };
        let fragment = random.one_in(3).then(|| *random.pick(CONTEXTS));
        let context_mode = Some(*random.pick(DOCUMENT_MODES));
        let scripting = random.one_in(2);
        let is_of_tokens = false;
        let tried = Tried { text, fragment, context_mode, scripting, is_of_tokens, whole: None };
        Tried { whole: tried.by(whole), ..tried }
    };
    let plain = |text| {
        let (fragment, context_mode, scripting, whole) = (None, None, false, None);
        Tried { text, fragment, context_mode, scripting, is_of_tokens: false, whole }
    };
    let long = long_ones().into_iter().map(plain);
    let long = long.map(|one| Tried { whole: one.by(whole), ..one });
    let mut tried: Vec<Tried> = (0..INPUTS).map(of).chain(long).collect();
    assert!(tried.iter().all(|one| one.whole.is_some()), "whole steps end");
    // What is long notices most.
    tried.sort_by_key(|one| std::cmp::Reverse(one.text.len()));
    tried
}

/// Breaks what has this number; what that was, if there are so many.
fn broken(steps: &mut Vec<RunStep>, left: &mut usize) -> Option<String> {
    let mut at = 0;
    while at < steps.len() {
        // Without its label, an algorithm would be another one altogether.
        if !matches!(steps[at], RunStep::At(_)) {
            if *left == 0 {
                return Some(format!("without {:?}", steps.remove(at)));
            }
            *left -= 1;
        }
        if let RunStep::When { condition, .. }
        | RunStep::RepeatWhile(condition, _)
        | RunStep::Assert(condition) = &mut steps[at]
        {
            if *left == 0 {
                let told = format!("not {condition:?}");
                *condition = Question::Not(Box::new(condition.clone()));
                return Some(told);
            }
            *left -= 1;
        }
        let found = match &mut steps[at] {
            RunStep::When { then, otherwise, .. } => {
                broken(then, left).or_else(|| broken(otherwise, left))
            }
            RunStep::Repeat(inner)
            | RunStep::RepeatWhile(_, inner)
            | RunStep::ForEachAttribute(_, _, _, inner)
            | RunStep::ForEach(_, _, _, inner) => broken(inner, left),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        at += 1;
    }
    None
}

/// A machine with one thing broken, the algorithm, and what it was.
type Mutant = (Machine, String, String);

/// The machine with one thing broken of what builds trees.
fn mutant(machine: &Machine, number: usize) -> Option<Mutant> {
    mutant_among(machine, number, |name| {
        !is_of(BYTE_ROUTINES, name) && !is_of(WRITING_ROUTINES, name)
    })
}

fn is_of(routines: &[(&str, Routine)], name: &str) -> bool {
    routines.iter().any(|(other, _)| *other == name)
}

/// The machine with one thing broken of the prescan.
fn mutant_of_bytes(machine: &Machine, number: usize) -> Option<Mutant> {
    mutant_among(machine, number, |name| is_of(BYTE_ROUTINES, name))
}

/// The machine with one thing broken of what trees are written as.
fn mutant_of_writing(machine: &Machine, number: usize) -> Option<Mutant> {
    mutant_among(machine, number, |name| is_of(WRITING_ROUTINES, name))
}

/// The machine with one thing broken of what is done with a token that is emitted.
fn mutant_of_emit(machine: &Machine, number: usize) -> Option<Mutant> {
    mutant_among(machine, number, |name| name == "emit")
}

/// The machine with one thing broken in an algorithm of such a name.
fn mutant_among(
    machine: &Machine,
    mut number: usize,
    is_tried: fn(&str) -> bool,
) -> Option<Mutant> {
    let mut machine = machine.clone();
    let algorithms = &mut machine.construction.as_mut()?.algorithms;
    let names: Vec<String> = algorithms.iter().map(|algorithm| algorithm.name.clone()).collect();
    for (algorithm, name) in algorithms.iter_mut().zip(&names).filter(|(_, name)| is_tried(name)) {
        if number == 0 {
            algorithm.steps.clear();
            return Some((machine, name.clone(), ALL.to_owned()));
        }
        number -= 1;
        if let Some(what) = broken(&mut algorithm.steps, &mut number) {
            let what = by_name(&what, &names).chars().take(SHOWN).collect();
            return Some((machine, name.clone(), what));
        }
    }
    None
}

/// The change with the names of the algorithms that it runs: an algorithm that is inserted before them moves their numbers.
fn by_name(what: &str, names: &[String]) -> String {
    (0u8..).zip(names).fold(what.to_owned(), |what, (id, name)| {
        what.replace(&format!("{:?}", AlgorithmId(id)), name)
    })
}

/// The machine with one step on tokens left out.
fn mutant_of_tokens(machine: &Machine, mut number: usize) -> Option<Mutant> {
    let mut machine = machine.clone();
    for algorithm in &mut machine.token_algorithms {
        if let Some(what) = without(&mut algorithm.steps, &mut number) {
            let name = format!("{:?}", algorithm.routine);
            return Some((machine, name, what));
        }
    }
    None
}

/// Leaves out the step on tokens that has this number; what it was, if there are so many.
fn without(steps: &mut Vec<TokenStep>, left: &mut usize) -> Option<String> {
    for at in 0..steps.len() {
        if *left == 0 {
            return Some(format!("without {:?}", steps.remove(at)));
        }
        *left -= 1;
        if let TokenStep::When(_, inner) = &mut steps[at]
            && let Some(found) = without(inner, left)
        {
            return Some(found);
        }
    }
    None
}

/// What is broken in the dialect and makes no difference: the algorithm, and the change; of several that look alike, which one.
fn listed(dialect: &str) -> Vec<[String; 2]> {
    let list: Vec<Value> =
        serde_json::from_str(include_str!("../broken-steps.json")).expect("a list");
    let text = |entry: &Value, key: &str| entry[key].as_str().expect("a string").to_owned();
    assert!(list.iter().all(|entry| text(entry, "reason").len() > 10), "each has a reason");
    let of_dialect = list.iter().filter(|entry| text(entry, "dialect") == dialect);
    of_dialect.map(|entry| [text(entry, "algorithm"), text(entry, "change")]).collect()
}

#[test]
fn every_broken_step_is_noticed() {
    let inputs = inputs(table("html"));
    assert_eq!(check("html", "html", mutant, |table| notice(&inputs, table), 150), None);
}

#[test]
fn every_broken_step_of_the_prescan_is_noticed() {
    let named = |label: &str| Encoding::for_label(label).ok().map(|it| it.name().to_owned());
    let encoding = |table: &Table, bytes: &[u8]| prescan(table.machine(), bytes, &named);
    let fixed = steps::DECLARING.iter().map(|text| text.as_bytes().to_vec());
    let random = (0..4_000).map(|seed| steps::declaring(&mut Random::new(seed)));
    let whole = |bytes: Vec<u8>| {
        let whole = encoding(table("html"), &bytes);
        (bytes, whole)
    };
    let inputs: Vec<_> = fixed.chain(random).map(whole).collect();
    let notices =
        |table: &Table| inputs.iter().any(|(bytes, whole)| encoding(table, bytes) != *whole);
    assert_eq!(check("html", "prescan of html", mutant_of_bytes, notices, 150), None);
}

#[test]
fn every_broken_step_of_serializing_is_noticed() {
    let whole = table("html");
    let of = |seed| {
        let mut random = Random::new(seed);
        let page = steps::page(&mut random);
        let (scripting, shadows) = (random.one_in(2), random.one_in(2));
        let mut tree = steps::tree(whole, &page, scripting);
        if random.one_in(2) {
            steps::make_unusual(&mut tree, &mut random);
        }
        let node = random.below(tree.nodes.len());
        let whole = serialize(whole.machine(), &tree, node, scripting, shadows);
        move |table: &Table| serialize(table.machine(), &tree, node, scripting, shadows) != whole
    };
    let inputs: Vec<_> = (0..1_000).map(of).collect();
    let notices = |table: &Table| inputs.iter().any(|notices| notices(table));
    assert_eq!(check("html", "serializing of html", mutant_of_writing, notices, 80), None);
}

#[test]
fn every_broken_step_without_the_rules_of_html_is_noticed() {
    let mut wrong = Vec::new();
    for (dialect, pieces) in OTHERS {
        let inputs = of_pieces(dialect, pieces, false);
        wrong.extend(check(dialect, dialect, mutant, |table| notice(&inputs, table), 15));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_broken_step_on_tokens_is_noticed() {
    let mut wrong = Vec::new();
    for dialect in ["html", "html-2013", "html-2007"] {
        let told = format!("tokens of {dialect}");
        let inputs = of_pieces(dialect, TAGS, true);
        let notices = |table: &Table| notice(&inputs, table);
        wrong.extend(check(dialect, &told, mutant_of_tokens, notices, 10));
    }
    // Their other algorithms of trees are those of `html`.
    for dialect in ["html-2013", "html-2007"] {
        let inputs = of_pieces(dialect, TAGS, false);
        wrong.extend(check(dialect, dialect, mutant_of_emit, |table| notice(&inputs, table), 1));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Random inputs of these pieces.
fn of_pieces(dialect: &str, pieces: &[&str], is_of_tokens: bool) -> Vec<Tried> {
    let whole = table(dialect);
    let of = |seed| {
        let mut random = Random::new(seed);
        let text = (0..2 + random.below(14)).map(|_| *random.pick(pieces)).collect();
        let (fragment, context_mode, scripting) = (None, None, false);
        let tried = Tried { text, fragment, context_mode, scripting, is_of_tokens, whole: None };
        Tried { whole: tried.by(whole), ..tried }
    };
    (0..1_000).map(of).collect()
}

/// Whether something else is made of one of the inputs.
fn notice(inputs: &[Tried], table: &Table) -> bool {
    inputs.iter().any(|one| one.by(table) != one.whole)
}

/// What is wrong with the list of what no input notices, if anything is.
fn check(
    dialect: &str,
    told: &str,
    mutant: fn(&Machine, usize) -> Option<Mutant>,
    notices: impl Fn(&Table) -> bool,
    least: usize,
) -> Option<String> {
    let whole = table(dialect);
    let (mut count, mut skipped, mut unnoticed) = (0, 0, Vec::new());
    let mut alike: BTreeMap<[String; 2], usize> = BTreeMap::new();
    while let Some((machine, name, mut what)) = mutant(whole.machine(), count) {
        count += 1;
        if unnoticed.contains(&[name.clone(), ALL.to_owned()]) {
            skipped += 1;
            continue;
        }
        let times = alike.entry([name.clone(), what.clone()]).or_default();
        *times += 1;
        if *times > 1 {
            what += &format!(" ({times})");
        }
        let table = Table::of(whole.source.clone(), machine);
        if !notices(&table) {
            unnoticed.push([name, what]);
        }
    }
    let tried = count - skipped;
    assert!(tried > least, "{tried}");
    report(&format!("broken steps of {told}: {} of {tried} noticed", tried - unnoticed.len()));
    let listed = listed(told);
    let new: Vec<_> = unnoticed.iter().filter(|one| !listed.contains(one)).collect();
    let stale: Vec<_> = listed.iter().filter(|one| !unnoticed.contains(one)).collect();
    let is_well = new.is_empty() && stale.is_empty();
    let told = || format!("{told}: no input notices {new:#?}; noticed, or not there: {stale:#?}");
    (!is_well).then(told)
}
