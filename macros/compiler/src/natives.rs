//! Algorithms that the runtime implements by hand, each bound to the steps for which it was written. `natives.list` has
//! fingerprints of these steps; `UPDATE_EXPECT=1 cargo test -p tabulex-compiler --test natives` writes it. An algorithm
//! with other steps is compiled from them; one that cannot be compiled is an error. An implementation by hand calls
//! others, so that it also depends on their steps. If the adoption agency, the three algorithms of formatting elements,
//! resetting the mode and three that pop were compiled, trees of 1.1 MB of pages would take 88 M instructions instead
//! of 21 M.

use crate::generate::algorithm;
use tabulex_language::bound::hash;
use tabulex_language::model::Machine;
use tabulex_language::model::tree::algorithm::{Algorithm, Routine};
use tabulex_language::model::tree::{Construction, Elements};
use tabulex_language::vocabulary::algorithm::routine_of;
use tabulex_language::{Diagnostic, Severity};

/// One algorithm per line: the kind of elements, its name, and the fingerprint of its steps.
const LIST: &str = include_str!("natives.list");

/// Algorithms that the runtime calls through [`Construction`], so that no implementation depends on their steps.
const HOOKS: &[Routine] = &[Routine::ResetInsertionMode, Routine::PrepareContentPatching];

/// Words of steps that run another algorithm without naming it.
const IMPLIED: &[(&str, Routine)] = &[
    ("Like", Routine::CreateElement),
    ("InsertedLike", Routine::InsertElement),
    ("IsInScope", Routine::InScope),
    ("Current", Routine::Current),
    ("AdjustedCurrent", Routine::AdjustedCurrent),
];

/// Whether the runtime implements the algorithm for its steps, and each algorithm that it calls for theirs. Also `true`
/// if the table does not have the algorithm and none is compiled in its place.
pub(crate) fn is_native(construction: &Construction, routine: Routine) -> bool {
    edited(construction, routine, &mut Vec::new()).is_empty()
}

/// Whether all algorithms are compiled: without the rules of HTML, that is so as soon as the runtime does not implement
/// one of them for its steps.
pub(crate) fn is_by_steps(construction: &Construction) -> bool {
    let is_edited = |algorithm: &Algorithm| {
        let own = line(construction, algorithm);
        !LIST.lines().any(|known| known == own)
    };
    construction.elements != Elements::Html && construction.algorithms.iter().any(is_edited)
}

/// Returns the lines of `natives.list` for those algorithms of the machine that are not always compiled.
pub fn lines(machine: &Machine) -> Vec<String> {
    let Some(construction) = &machine.construction else { return Vec::new() };
    let of_routine = |algorithm: &Algorithm| {
        let routine = routine_of(construction.elements, &algorithm.name)?;
        (!is_always_compiled(routine)).then(|| line(construction, algorithm))
    };
    construction.algorithms.iter().filter_map(of_routine).collect()
}

/// Returns warnings about algorithms that are compiled because the runtime implements them for other steps, and errors
/// about algorithms that cannot be compiled.
pub fn check(machine: &Machine) -> Vec<Diagnostic> {
    let Some(construction) = &machine.construction else { return Vec::new() };
    let mut found = Vec::new();
    for algorithm in &construction.algorithms {
        let Some(routine) = routine_of(construction.elements, &algorithm.name) else { continue };
        let others = edited(construction, routine, &mut Vec::new());
        let name = &algorithm.name;
        match (algorithm::compiles(construction, routine), others.contains(&routine)) {
            (Ok(()), true) if !is_always_compiled(routine) => found.push(Diagnostic {
                check: "compiled-steps",
                severity: Severity::Warning,
                span: algorithm.span,
                message: format!("`{name}` is compiled from its steps, which is slower"),
                other: None,
                included_at: None,
                help: Some("the runtime implements it for the steps of the built-in tables".into()),
            }),
            (Err(reason), true) => found.push(refusal(
                algorithm,
                format!("`{name}` cannot be compiled from these steps: {reason}"),
            )),
            (Err(_), false) => {
                for other in others.iter().filter_map(|&other| construction.routine(other)) {
                    let other = construction.algorithm(other);
                    found.push(refusal(
                        other,
                        format!("`{name}` is implemented for other steps of `{}`", other.name),
                    ));
                }
            }
            (Ok(()), _) => {}
        }
    }
    found.sort_by_key(|diagnostic| diagnostic.span);
    found.dedup_by_key(|diagnostic| (diagnostic.span, diagnostic.severity == Severity::Error));
    found
}

/// Whether the algorithm has the steps of the built-in tables.
pub(crate) fn is_listed(construction: &Construction, algorithm: &Algorithm) -> bool {
    let own = line(construction, algorithm);
    LIST.lines().any(|known| known == own)
}

fn refusal(algorithm: &Algorithm, message: String) -> Diagnostic {
    Diagnostic {
        check: "unfollowed-steps",
        severity: Severity::Error,
        span: algorithm.span,
        message,
        other: None,
        included_at: None,
        help: Some("keep the steps of the built-in tables".into()),
    }
}

/// Whether the runtime has no implementation of the algorithm, for any steps.
fn is_always_compiled(routine: Routine) -> bool {
    matches!(
        routine,
        Routine::PrescanEncoding
            | Routine::GetAttribute
            | Routine::GetXmlEncoding
            | Routine::ClearBackTo
            | Routine::LeaveForeignContent
            | Routine::PopUntilForeignTokenName
            | Routine::MarkEndTag
    )
}

/// Returns the algorithms, among this one and those that it calls, that are not implemented for their steps.
fn edited(
    construction: &Construction,
    routine: Routine,
    passed: &mut Vec<Routine>,
) -> Vec<Routine> {
    let Some(id) = construction.routine(routine) else { return Vec::new() };
    if passed.contains(&routine) {
        return Vec::new();
    }
    passed.push(routine);
    let algorithm = construction.algorithm(id);
    let mut found = Vec::new();
    if is_always_compiled(routine) || !is_listed(construction, algorithm) {
        found.push(routine);
    }
    for callee in callees(construction, algorithm) {
        if !HOOKS.contains(&callee) {
            found.extend(edited(construction, callee, passed));
        }
    }
    found
}

/// Returns the algorithms that the steps run.
fn callees(construction: &Construction, algorithm: &Algorithm) -> Vec<Routine> {
    let steps = format!("{:?}", algorithm.steps);
    let named = steps.split("AlgorithmId(").skip(1).filter_map(|rest| {
        let index: usize = rest.split(')').next()?.parse().ok()?;
        routine_of(construction.elements, &construction.algorithms.get(index)?.name)
    });
    let words: Vec<&str> = steps.split(|letter: char| !letter.is_alphanumeric()).collect();
    let implied = IMPLIED.iter().filter(|(word, _)| words.contains(word));
    named.chain(implied.map(|(_, routine)| *routine)).collect()
}

fn line(construction: &Construction, algorithm: &Algorithm) -> String {
    let kind = match construction.elements {
        Elements::Html => "html",
        Elements::Plain => "plain",
        Elements::Xml => "xml",
    };
    format!("{kind} {} {:08x}", algorithm.name, fingerprint(construction, algorithm))
}

/// Returns the fingerprint of an algorithm of trees: of its parameters and its steps, independent of the names of
/// variables. Numbers that the table declares as limits do not contribute, as parsers take them from the declaration;
/// nor do indices into lists of the table.
fn fingerprint(construction: &Construction, algorithm: &Algorithm) -> u32 {
    let Algorithm { parameters, variables, definitions, steps, .. } = algorithm;
    let kinds: Vec<_> = variables.iter().map(|variable| variable.kind).collect();
    let mut said = format!("{parameters:?} {kinds:?} {definitions:?} {steps:?}");
    // The implementation uses the declared names, the steps their own.
    if routine_of(construction.elements, &algorithm.name) == Some(Routine::CloneOption)
        && let Some(names) = &construction.selected_content
    {
        said += &format!("{names:?}");
    }
    let said = replaced(&said, "AlgorithmId(", |at| &construction.algorithms[at].name);
    let said = replaced(&said, "TreeFlagId(", |at| &construction.flags[at].name);
    let said = replaced(&said, "StepsId(", |_| "");
    let said = replaced(&said, "ErrorId(", |_| "");
    hash(&without_limits(&said))
}

/// Returns the text with each index after `head` replaced.
fn replaced<'n>(said: &str, head: &str, name: impl Fn(usize) -> &'n str) -> String {
    let mut parts = said.split(head);
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(')').unwrap_or(part.len());
        made.push_str(head);
        made.push_str(part[..end].parse().map_or("", &name));
        made.push_str(&part[end..]);
    }
    made
}

/// Returns the text without the numbers of conditions that compare with a declared limit.
fn without_limits(said: &str) -> String {
    let mut made = String::new();
    let mut rest = said;
    // The number is the first of two operands, or the last.
    while let Some(at) =
        ["AtLeast(", "MoreThan(", "AreAlike("].iter().filter_map(|head| rest.find(head)).min()
    {
        let is_first = rest[at..].starts_with("AreAlike(");
        let from = at + rest[at..].find('(').unwrap_or_default() + 1;
        let mut depth = 1;
        let end = rest[from..].find(|character| {
            depth += i32::from(character == '(') - i32::from(character == ')');
            depth == 0
        });
        let end = end.map_or(rest.len(), |end| from + end);
        let number = if is_first {
            from..rest[from..end].find(',').map_or(end, |comma| from + comma)
        } else {
            rest[from..end].rfind(' ').map_or(end, |space| from + space)..end
        };
        made.push_str(&rest[..number.start]);
        rest = &rest[number.end..];
    }
    made + rest
}
