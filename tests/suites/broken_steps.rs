//! The steps of algorithms, broken: each executed step of `html.modes` left out, and each condition negated, in the model
//! alone. The oracle must notice on some input; that it agrees with the compiled builders while nothing is broken is the
//! business of `trees`. Invariant: what no input notices is listed with the reason why it makes no difference.

use tabulex_language::model::Machine;
use tabulex_language::model::tree::algorithm::{Question, RunStep};
use tabulex_tests::interpreted::{Table, table};
use tabulex_tests::markup::{CONTEXTS, markup, names};
use tabulex_tests::random::Random;
use tabulex_tests::sample;
use tabulex_tests::shared::report;
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
    "<?start name=\"y\"?>",
    "<?end?>",
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

/// How many inputs are tried.
const INPUTS: u64 = 4_000;

/// What random inputs hardly have: more elements alike than the list takes, and more rounds than the adoption agency makes.
fn long_ones() -> Vec<String> {
    let alike = "<p><b><b><b><b></p>x".to_owned();
    let rounds = format!("<a>{}</a>x", "<div>".repeat(12));
    let order = format!("<section><b><i>{}</b></section>x", "<div>".repeat(10));
    vec![alike, rounds, order]
}

/// What is broken and makes no difference: the algorithm, how the change begins, and why.
const ALIKE: &[(&str, &str, &str)] = &[
    (
        "in-scope",
        "without Return(Some(Truth(false)))",
        "an algorithm that ends without a state of match has failed",
    ),
    ("appropriate-place", "without Let(VariableId(2), None)", "a variable is none until it is let"),
    (
        "appropriate-place",
        "without Let(VariableId(1), Relative(Above",
        "only scripts take an open table out of the tree",
    ),
    (
        "create-element",
        "without Let(VariableId(3), Relative(NodeDocument",
        "all nodes have one document here",
    ),
    (
        "adjusted-location",
        "without When",
        "a fragment is parsed into its root element here, which is no other target",
    ),
    ("adjusted-location", "without Let(VariableId(2), Place(RootInsertionTarget", "the same"),
    (
        "insert-at-adjusted-location",
        "without When",
        "only scripts bring about what cannot be inserted",
    ),
    ("insert-at-adjusted-location", "without Return(None)", "the same"),
    ("insert-at-adjusted-location", "without Assert", "what is asserted holds"),
    (
        "insert-foreign-element",
        "without Let(VariableId(3), Call",
        "the intended parent only gives the document",
    ),
    (
        "insert-character",
        "without When",
        "only scripts leave the document as the place for a character",
    ),
    ("insert-character", "without Return(None)", "the same"),
    (
        "adoption-agency",
        "without When { condition: All([IsNamed(Current",
        "any other end tag pops it as well",
    ),
    ("adoption-agency", "without Effect(Pop)", "the same"),
    ("adoption-agency", "without Return(None)", "the same"),
    ("adoption-agency", "without Assert", "what is asserted holds"),
];

struct Tried {
    text: String,
    fragment: Option<&'static str>,
    whole: Option<Built>,
}

impl Tried {
    fn by(&self, table: &Table) -> Option<Built> {
        let (text, fragment) = (&self.text[..], self.fragment);
        let input = Input { text, fragment, shadow_roots: true, ..Input::default() };
        tried_by(table, &input).ok().map(|(built, _)| built)
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
        let fragment = random.one_in(4).then(|| *random.pick(CONTEXTS));
        let tried = Tried { text, fragment, whole: None };
        Tried { whole: tried.by(whole), ..tried }
    };
    let long = long_ones().into_iter().map(|text| Tried { text, fragment: None, whole: None });
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
            RunStep::Repeat(inner) | RunStep::RepeatWhile(_, inner) => broken(inner, left),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        at += 1;
    }
    None
}

/// The machine with one thing broken: the algorithm and what it was.
fn mutant(machine: &Machine, mut number: usize) -> Option<(Machine, String, String)> {
    let mut machine = machine.clone();
    let algorithms = &mut machine.construction.as_mut()?.algorithms;
    for algorithm in algorithms {
        if let Some(what) = broken(&mut algorithm.steps, &mut number) {
            let name = algorithm.name.clone();
            return Some((machine, name, what));
        }
    }
    None
}

#[test]
fn every_broken_step_is_noticed() {
    let whole = table("html");
    let inputs = inputs(whole);
    let all = (0..).take_while(|&number| mutant(whole.machine(), number).is_some()).count();
    assert!(all > 150, "{all}");
    let numbers = sample::of("broken steps", (0..all).collect(), 40);
    let (mut tried, mut unnoticed) = (Vec::new(), Vec::new());
    for &number in &numbers {
        let Some((machine, name, what)) = mutant(whole.machine(), number) else { continue };
        let table = Table::of(whole.source.clone(), machine);
        if !inputs.iter().any(|one| one.by(&table) != one.whole) {
            unnoticed.push((name.clone(), what.clone()));
        }
        tried.push((name, what));
    }
    let noticed = numbers.len() - unnoticed.len();
    report(&format!("broken steps: {noticed} of {} of {all} noticed", numbers.len()));
    let is_listed = |(name, what): &&(String, String)| {
        ALIKE.iter().any(|(other, begin, _)| name == other && what.starts_with(begin))
    };
    let other: Vec<_> = unnoticed.iter().filter(|one| !is_listed(one)).collect();
    assert!(other.is_empty(), "no input notices {other:#?}");
    for (name, begin, _) in ALIKE {
        let is_it = |(other, what): &&(String, String)| other == name && what.starts_with(begin);
        let is_noticed =
            tried.iter().filter(is_it).count() > 0 && !unnoticed.iter().any(|one| is_it(&one));
        assert!(!is_noticed || !sample::is_full(), "an input notices `{name}` {begin}");
    }
}
