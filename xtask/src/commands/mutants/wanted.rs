//! Inputs that would notice a change which no case notices, as cases in the formats of the tests. It judges no case.
//! Invariant: an input that is given out was run with the table as it is and with the change, and they differ.

use super::cases::{self, Case};
use super::words::{Kind, words};
use serde_json::{Value, json};
use tabulex_language::model::Machine;
use tabulex_oracle::formats::{dat, html5lib};
use tabulex_oracle::interpreter::Interpreter;
use tabulex_oracle::interpreter::tree::document;
use tabulex_oracle::search::{Bound, Errors, Start, Witness, differences};

/// How far two machines are searched for a difference.
const BOUND: Bound = Bound { configurations: 800, length: 30, until: None };

/// What a search found.
#[derive(Clone, Debug)]
pub(in crate::commands) enum Found {
    /// Both tables do the same, as far as was searched.
    Same,
    /// A case.
    Case(String),
}

/// Searches the machines for an input with which they differ.
pub(in crate::commands) fn of_machines(machine: &Machine, changed: &Machine) -> Found {
    let found = differences([machine, changed], Errors::Places, BOUND, 1);
    match found.found.first() {
        None => Found::Same,
        Some(one) => case(machine, &one.start, &one.input).map_or(Found::Same, Found::Case),
    }
}

/// The case in the format of tokenizer tests, a line.
fn case(machine: &Machine, start: &Start, input: &str) -> Option<String> {
    let (mut state, mut flags, mut values) = (start.state.clone(), Vec::new(), Vec::new());
    for (name, value) in &start.flags {
        let flag = machine.flags.iter().find(|flag| flag.name == *name)?;
        let index = flag.values.iter().position(|other| other == value)?;
        if flag.by_rows {
            state.clone_from(value);
            values.push(value.to_uppercase());
        } else {
            flags.push((name.clone(), u8::try_from(index).ok()?));
        }
    }
    let begin = (Some(&state[..]), start.last_start_tag.clone(), &flags[..]);
    let (outcome, _, _) = cases::outcome(&Interpreter::new(machine), begin, input)?;
    let witness = Witness { start: start.clone(), input: input.to_owned(), outcome };
    let mut test = html5lib::test(machine, &witness);
    let entries = test.as_object_mut()?;
    // Tests begin in the data state unless they say so.
    if start.state == "data" && machine.state(machine.start).name == start.state {
        entries.remove("initialStates");
    }
    if !values.is_empty() {
        entries.remove("initialStates");
        entries.insert("contentModelFlags".to_owned(), json!(values));
    }
    entries.remove("flags");
    if !flags.is_empty() {
        let flags = flags.into_iter().map(|(name, value)| (name, json!(value)));
        entries.insert("flags".to_owned(), Value::Object(flags.collect()));
    }
    Some(test.to_string())
}

/// What stands around a name: `N` in it.
const AROUND: &[&str] = &[
    "<N>x",
    "</N>x",
    "a<N>b</N>c",
    "<p><N>x</N>y",
    "<b><N></b>x",
    "<i>1<N>2</i>3</N>4",
    "<table><N>x",
    "<table><tr><td><N></table>x",
    "<table></N>x",
    "<table><tr></N>x",
    "<table><tbody></N>x",
    "<table><tr><td></N>x",
    "<table><caption></N>x",
    "<table><caption><N>x",
    "<table><colgroup><N>x",
    "<table><colgroup></N>x",
    "<table><tr><N>x",
    "<table><tbody><N>x",
    "<svg><N>x",
    "<svg><N/>y",
    "<svg></N>x",
    "<svg><desc><N>x</svg>y",
    "<svg><N><p>x",
    "<math><N>x",
    "<math><N/><p>x",
    "<math><mi><N>x",
    "<math><N><b>x",
    "<select><N>x",
    "<select></N>x",
    "<select><option><N>x",
    "<head><N>x",
    "<head></N>x",
    "<head></head><N>x",
    "<head></head></N>x",
    "<body></N>x",
    "<body></body><N>x",
    "<body></body></N>x",
    "<template><N>x</template>",
    "<template></N>x",
    "<template><tr><N>x",
    "<template><col><N>x",
    "<frameset><N>x",
    "<frameset></N>x",
    "<frameset></frameset><N>x",
    "<frameset></frameset></N>x",
    "<frameset></frameset></html><N>x",
    "<frameset></frameset></html></N>x",
    "</body></html><N>x",
    "</body></html></N>x",
    "<li><N><li>x",
    "<dd><N><dt>x",
    "<button><N></button>x",
    "<p><N><p>x",
    "<N><N>x",
    "<div><N></div>y",
    "<form><N></form>z<form>",
    "<a><N><a>x",
    "<nobr><N><nobr>x",
    "<ruby><rb><N><rt>x",
    "<applet><N></applet>x",
    "<b><N><p>x</b>y</p>z",
    "<h1><N></h1>x",
    "<N></p>x",
    "<N></br>x",
    "<N><p></N>x",
    "<N>\n\nx",
    "<N/>x",
    "<frame><N>x",
    "<noscript><N>x",
    "<head><noscript><N>x",
    "<head><noscript></N>x",
    "<ul><li><N><li>x",
    "<option><N><option>x",
    "<optgroup><N><optgroup>x",
    "<svg N=1>",
    "<math N=1>",
    "<input type=N>",
    "<table><input type=N>",
    "<N shadowrootmode=open>x",
    "<p><svg><desc><N></p>x",
    "<select><optgroup><N><hr>x",
    "<x-y><N></x-y>y",
    "<math><annotation-xml encoding=N><p>",
    "<N><template shadowrootmode=open>x</template>",
    "<select><button><N>x</select>",
    "<x-y><math><N></x-y>x",
    "<x-y><svg><N></x-y>x",
    "<p><math><N></p>x",
    "<p><svg><N></p>x",
    "<p><N></p>x",
    "<li><svg><N><li>x",
    "<li><math><N><li>x",
    "<!DOCTYPE html><p><N><table>",
];
/// The same around a text in a DOCTYPE.
const DOCTYPES: &[&str] = &[
    "<!DOCTYPE html PUBLIC \"N\"><p><table>",
    "<!DOCTYPE html PUBLIC \"Nx\"><p><table>",
    "<!DOCTYPE html PUBLIC \"N\" \"x\"><p><table>",
    "<!DOCTYPE html PUBLIC \"N\" \"\"><p><table>",
    "<!DOCTYPE html SYSTEM \"N\"><p><table>",
    "<!DOCTYPE html SYSTEM \"Nx\"><p><table>",
    "<!DOCTYPE N><p><table>",
];
/// Inputs without a name.
const OTHERS: &[&str] = &[
    "",
    "x",
    " ",
    "\u{0}",
    "<!--c-->",
    "<!DOCTYPE html>",
    "<!DOCTYPE x>",
    "<?x y?>",
    "<!DOCTYPE html SYSTEM \"\"><p><table>",
    "<!DOCTYPE html SYSTEM \"about:legacy-compat\">",
];
/// Where an input is put.
const BEFORE: &[&str] = &[
    "",
    "<head>",
    "<head></head>",
    "<body>",
    "<p>",
    "<table>",
    "<table><tr>",
    "<table><td>",
    "<table><caption>",
    "<table><colgroup>",
    "<table><tbody>",
    "<select>",
    "<template>",
    "<frameset>",
    "<frameset></frameset>",
    "<frameset></frameset></html>",
    "</body>",
    "</html>",
    "<svg>",
    "<math>",
    "<svg><title>",
    "<head><noscript>",
    "<textarea>",
    "<script>",
];
const CONTEXTS: &[&str] = &[
    "div",
    "template",
    "select",
    "table",
    "tr",
    "td",
    "tbody",
    "caption",
    "colgroup",
    "html",
    "head",
    "body",
    "frameset",
    "form",
    "svg desc",
    "svg g",
    "math mi",
    "math annotation-xml",
];

/// Names that random inputs are made of, beside those of the changed place.
const COMMON: &[&str] = &[
    "a",
    "b",
    "body",
    "button",
    "caption",
    "col",
    "desc",
    "div",
    "dd",
    "foo",
    "form",
    "frameset",
    "h1",
    "head",
    "html",
    "li",
    "math",
    "mi",
    "nobr",
    "option",
    "optgroup",
    "p",
    "ruby",
    "select",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "title",
    "tr",
    "annotation-xml",
    "applet",
    "hr",
    "input",
];
/// What stands between tags in random inputs.
const BETWEEN: &[&str] = &["x", " ", "<!--c-->", "<br>", "<!DOCTYPE html>"];
/// How many random inputs are tried for a change.
const MOST_RANDOM: usize = 5_000;

/// A random input on which two machines differ, made of the names around a change.
pub(super) fn random(
    (original, changed): (&Interpreter<'_>, &Interpreter<'_>),
    around: &str,
    seed: usize,
) -> Option<Case> {
    let mut names: Vec<String> = words(around)
        .iter()
        .filter(|word| word.kind == Kind::String)
        .map(|word| word.text.trim_matches('"').to_owned())
        .filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        .collect();
    names.dedup();
    let mut state = seed as u64 * 2 + 1;
    let mut below = |most: usize| {
        // The constants of Knuth's generator; its high bits are the better ones.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    for number in 0..MOST_RANDOM {
        let mut input = String::new();
        for _ in 0..2 + number * 6 / MOST_RANDOM {
            let (kind, is_near) = (below(10), !names.is_empty() && below(2) == 0);
            let name = match is_near {
                true => &names[below(names.len())][..],
                false => COMMON[below(COMMON.len())],
            };
            input += &match kind {
                0 => BETWEEN[below(BETWEEN.len())].to_owned(),
                1..=3 => format!("</{name}>"),
                _ => format!("<{name}>"),
            };
        }
        input.push('x');
        let fragment = (below(5) == 0).then(|| CONTEXTS[below(CONTEXTS.len())]);
        let options = cases::options(fragment, below(10) == 0, false);
        let case = Case::Tree { options, input, has_errors: true, has_mode: false };
        if case.run(original).text != case.run(changed).text {
            return Some(case);
        }
    }
    None
}

/// Inputs for tree construction, made of the texts of a file of modes.
pub(super) fn trees(text: &str) -> Vec<Case> {
    let mut texts: Vec<String> = words(text)
        .iter()
        .filter(|word| word.kind == Kind::String)
        .map(|word| word.text.trim_matches('"').to_owned())
        .collect();
    texts.sort();
    texts.dedup();
    let mut inputs: Vec<String> = Vec::new();
    for before in BEFORE {
        inputs.extend(OTHERS.iter().map(|other| format!("{before}{other}")));
    }
    let is_name = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":-/".contains(&byte))
    };
    for text in &texts {
        let around = if is_name(text) { AROUND } else { DOCTYPES };
        inputs.extend(around.iter().map(|around| around.replace('N', text)));
    }
    let tree = |input: &String, fragment: Option<&str>, scripting: bool, shadow: bool| Case::Tree {
        options: cases::options(fragment, scripting, shadow),
        input: input.clone(),
        has_errors: true,
        has_mode: false,
    };
    let mut all: Vec<Case> = inputs.iter().map(|input| tree(input, None, false, false)).collect();
    let scripted = inputs.iter().filter(|input| input.contains("noscript"));
    all.extend(scripted.map(|input| tree(input, None, true, false)));
    let shadowed = inputs.iter().filter(|input| input.contains("shadowroot"));
    all.extend(shadowed.map(|input| tree(input, None, false, true)));
    for context in CONTEXTS {
        let short = inputs.iter().filter(|input| input.matches('<').count() < 2);
        all.extend(short.map(|input| tree(input, Some(context), false, false)));
    }
    all
}

/// The case in the format of tree construction tests; as an entry of `tree-inputs.json` where that cannot say it.
pub(super) fn shown(case: &Case, dialect: &str, interpreter: &Interpreter<'_>) -> Option<String> {
    let Case::Tree { options, input, .. } = case else { return None };
    let parsed = document::parse(interpreter, input, options).ok()?;
    let tree = dat::tree(&parsed.tree, options);
    if options.flags.iter().any(|(name, value)| name == "declarative-shadow-roots" && *value == 1) {
        let lines: Vec<&str> = tree.lines().collect();
        let entry =
            json!({"dialect": dialect, "shadow-roots": true, "input": input, "tree": lines});
        return Some(entry.to_string());
    }
    let machine = interpreter.machine();
    let errors = parsed
        .errors
        .iter()
        .map(|&(error, span)| (machine.errors[usize::from(error.0)].name.clone(), span));
    let mut errors: Vec<String> = html5lib::places(input, errors)
        .map(|(code, line, column)| format!("({line}:{column}) {code}\n"))
        .collect();
    errors.sort();
    let mut context = dat::context(options);
    if !context.contains("#script-on") && input.contains("noscript") {
        context += "#script-off\n";
    }
    Some(format!(
        "#data\n{input}\n#errors\n#new-errors\n{}{context}#document\n{tree}",
        errors.concat()
    ))
}
