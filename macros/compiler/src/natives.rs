//! Algorithms that the runtime implements by hand. An implementation is bound to the algorithm's steps and to those of
//! the algorithms that it runs: if any of these steps differ, the algorithm is compiled instead, as are all other
//! algorithms. `natives.list` has fingerprints of the steps; `UPDATE_EXPECT=1 cargo test -p tabulex-compiler --test
//! natives` renews them.
//!
//! Trees of 14 pages take 26.6 M instructions. Compiled, algorithms of `elements html` would add: `insert-character`
//! 628 M, `insert-foreign-element`, which inserts all elements, 42 M, `reconstruct-formatting` 15 M, `push-formatting`
//! 11 M, `insert-comment` 0.7 M; and `adoption-agency` 18 M to the 40 M of 22 pages. `serialize` would take 226 M instead of 15 M for these trees.
//! `clone-option` and `prepare-content-patching` find in an index what their steps find by a walk, which would make the
//! work quadratic: 4,000 options of a select take 4.6 s instead of 55 ms. `create-element` of `elements xml` finds the
//! namespace of a prefix in constant time, its steps by a walk up the stack.

use crate::generate::algorithm;
use tabulex_language::model::Machine;
use tabulex_language::model::tree::algorithm::{Algorithm, AlgorithmId, Effect, Routine, RunStep};
use tabulex_language::model::tree::{Construction, Elements};
use tabulex_language::{Diagnostic, Severity};

/// The bound algorithms, one per line: `native`, or `fixed` if no other steps can be compiled; the kind of elements; the
/// algorithm's name; and the fingerprint of its steps.
const LIST: &str = include_str!("natives.list");

/// The variants of expressions and conditions that run an algorithm without naming it, each with that algorithm.
const IMPLIED_CALLS: &[(&str, Routine)] = &[
    ("Like", Routine::CreateElement),
    ("InsertedLike", Routine::InsertElement),
    ("IsInScope", Routine::InScope),
    ("Current", Routine::Current),
    ("AdjustedCurrent", Routine::AdjustedCurrent),
    ("AdjustedCurrent", Routine::Current),
];

/// Whether the runtime implements the algorithm for exactly its steps in this table, and for the steps of all
/// algorithms that it runs, directly or indirectly. Also `true` if the table does not have the algorithm.
pub(crate) fn is_native(construction: &Construction, routine: Routine) -> bool {
    let id = construction.routine(routine);
    id.is_none_or(|id| is_listed(&line(construction, bound_algorithm(construction, id), "native")))
}

/// Returns the algorithm whose line binds the implementation of the algorithm: one function of the runtime creates
/// elements and inserts them.
fn bound_algorithm(construction: &Construction, id: AlgorithmId) -> AlgorithmId {
    let routine = construction.algorithm(id).routine;
    let bound = if construction.elements == Elements::Html && routine == Routine::InsertElement {
        Routine::InsertForeignElement
    } else if [Routine::InsertElement, Routine::AppendElement].contains(&routine) {
        Routine::CreateElement
    } else {
        return id;
    };
    construction.routine(bound).unwrap_or(id)
}

/// Whether the list has the algorithm as `fixed` with exactly its steps in this table. Also `true` if the table does
/// not have the algorithm.
pub(crate) fn is_fixed(construction: &Construction, routine: Routine) -> bool {
    let id = construction.routine(routine);
    id.is_none_or(|id| is_listed(&line(construction, id, "fixed")))
}

/// Returns the lines that `natives.list` should have for those of the machine's algorithms that the list names.
pub fn lines(machine: &Machine) -> Vec<String> {
    let constructions = machine.construction.iter();
    let lines = constructions.flat_map(|construction| {
        algorithm_ids(construction)
            .flat_map(move |id| ["native", "fixed"].map(|bond| line(construction, id, bond)))
    });
    lines.filter(|line| is_named(line)).collect()
}

/// Returns warnings about algorithms that are compiled because the runtime implements them for other steps, and errors
/// about algorithms that cannot be compiled.
pub fn check(machine: &Machine) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let Some(construction) = &machine.construction else { return diagnostics };
    for id in algorithm_ids(construction) {
        let algorithm = construction.algorithm(id);
        let bound = bound_algorithm(construction, id);
        let lines = ["native", "fixed"].map(|bond| line(construction, bound, bond));
        if lines.iter().any(|line| is_listed(line)) {
            continue;
        }
        let name = &algorithm.name;
        let (check, severity, message, help) = match algorithm::compiles(
            construction,
            algorithm.routine,
        ) {
            Ok(()) if lines.iter().any(|line| is_named(line)) => (
                "compiled-steps",
                Severity::Warning,
                format!("algorithm `{name}` is compiled, which is slower than the native one"),
                "the native implementation is used only for the steps of the built-in tables",
            ),
            Ok(()) => continue,
            Err(reason) => (
                "unfollowed-steps",
                Severity::Error,
                format!("algorithm `{name}` cannot be compiled from these steps: {reason}"),
                "keep the steps of the built-in table, or change the steps so that they can be compiled",
            ),
        };
        let (span, other, included_at, help) = (algorithm.span, None, None, Some(help.into()));
        diagnostics.push(Diagnostic { check, severity, span, message, other, included_at, help });
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    diagnostics
}

fn algorithm_ids(construction: &Construction) -> impl Iterator<Item = AlgorithmId> + use<> {
    (0..construction.algorithms.len()).map(|index| AlgorithmId(index as u8))
}

fn is_listed(line: &str) -> bool {
    LIST.lines().any(|known| known == line)
}

/// Whether the list has the algorithm of the line, for any steps.
fn is_named(line: &str) -> bool {
    let name = |line: &str| line.rsplit_once(' ').map(|(name, _)| name.to_owned());
    LIST.lines().any(|known| name(known) == name(line))
}

/// Returns the algorithm and all algorithms that it runs, directly or indirectly, or whose steps its implementation
/// depends on, each once.
fn with_callees(construction: &Construction, id: AlgorithmId) -> Vec<AlgorithmId> {
    let mut all = vec![id];
    let mut index = 0;
    while let Some(&id) = all.get(index) {
        index += 1;
        let callees = callees(construction, construction.algorithm(id));
        let others = callees.into_iter().chain(dependencies(construction, id));
        for id in others.filter_map(|other| construction.routine(other)) {
            if !all.contains(&id) {
                all.push(id);
            }
        }
    }
    all
}

/// Returns the algorithms whose steps the implementation of the algorithm depends on without running them.
fn dependencies(construction: &Construction, id: AlgorithmId) -> Vec<Routine> {
    let routine_of = |id| construction.algorithm(id).routine;
    let routine = routine_of(id);
    if routine == Routine::PushFormatting {
        // Rows pass the current node.
        vec![Routine::Current]
    } else if routine == Routine::InsertForeignElement {
        vec![Routine::InsertElement]
    } else if routine == Routine::CreateElement && construction.elements != Elements::Html {
        // Prefixes are bound while their element is on the stack, which other steps must only pop.
        let changing =
            algorithm_ids(construction).filter(|&id| changes_stack(construction.algorithm(id)));
        let inserting = [Routine::InsertElement, Routine::AppendElement];
        inserting.into_iter().chain(changing.map(routine_of)).collect()
    } else {
        Vec::new()
    }
}

/// Whether the algorithm changes the stack of open elements other than by popping.
fn changes_stack(algorithm: &Algorithm) -> bool {
    RunStep::all(&algorithm.steps).into_iter().any(|step| {
        matches!(
            step,
            RunStep::Effect(
                Effect::Push(_)
                    | Effect::RemoveFromOpen(_)
                    | Effect::ReplaceInOpen(..)
                    | Effect::InsertBelow(..)
            )
        )
    })
}

/// Returns the algorithms that the steps run.
pub(crate) fn callees(construction: &Construction, algorithm: &Algorithm) -> Vec<Routine> {
    let steps = format!("{:?}", algorithm.steps);
    let named = steps.split("AlgorithmId(").skip(1).filter_map(|rest| {
        let index: usize = rest.split(')').next()?.parse().ok()?;
        Some(construction.algorithms.get(index)?.routine)
    });
    let words: Vec<&str> = steps.split(|letter: char| !letter.is_alphanumeric()).collect();
    let implied = IMPLIED_CALLS.iter().filter(|(word, _)| words.contains(word));
    named.chain(implied.map(|(_, routine)| *routine)).collect()
}

/// Returns the line of an algorithm in `natives.list`; `bond` is `native` or `fixed`. The fingerprint in a `native`
/// line also covers the steps of the algorithms that the algorithm runs.
fn line(construction: &Construction, id: AlgorithmId, bond: &str) -> String {
    let kind = match construction.elements {
        Elements::Html => "html",
        Elements::Plain => "plain",
        Elements::Xml => "xml",
    };
    let all = if bond == "native" { with_callees(construction, id) } else { vec![id] };
    let text: String = all
        .into_iter()
        .map(|id| canonical_text(construction, construction.algorithm(id)))
        .collect();
    format!("{bond} {kind} {} {:08x}", construction.algorithm(id).name, hash(&text))
}

/// Returns the FNV-1a hash of the text, which serves as its fingerprint.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Returns the text that is hashed for an algorithm's fingerprint: its parameters and steps, but not the names of
/// variables, numbers that the table declares as limits (which parsers take from the declaration), or indices into
/// lists of the table.
fn canonical_text(construction: &Construction, algorithm: &Algorithm) -> String {
    let Algorithm { parameters, variables, definitions, steps, .. } = algorithm;
    let kinds: Vec<_> = variables.iter().map(|variable| variable.kind).collect();
    let mut text = format!("{parameters:?} {kinds:?} {definitions:?} {steps:?}");
    // The native implementation of `clone-option` uses the names declared by `selected-content`, which may differ
    // from those in the steps, so these names are hashed, too.
    if algorithm.routine == Routine::CloneOption
        && let Some(names) = &construction.selected_content
    {
        text += &format!("{names:?}");
    }
    let text = replace_indices(&text, "AlgorithmId(", |at| &construction.algorithms[at].name);
    let text = replace_indices(&text, "TreeFlagId(", |at| &construction.flags[at].name);
    let text = replace_indices(&text, "StepsId(", |_| "");
    let text = replace_indices(&text, "ErrorId(", |_| "");
    without_limits(&text)
}

/// Returns the text with each index after `head` replaced by a name.
fn replace_indices<'n>(text: &str, head: &str, name: impl Fn(usize) -> &'n str) -> String {
    let mut pieces = text.split(head);
    let mut replaced = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(')').unwrap_or(piece.len());
        replaced.push_str(head);
        replaced.push_str(piece[..end].parse().map_or("", &name));
        replaced.push_str(&piece[end..]);
    }
    replaced
}

/// Returns the text of steps without the numbers in conditions that compare with a declared limit.
fn without_limits(text: &str) -> String {
    let mut stripped = String::new();
    let mut rest = text;
    // The limit is the first operand of `AreAlike`, and the last one of `AtLeast` and `MoreThan`.
    while let Some(at) =
        ["AtLeast(", "MoreThan(", "AreAlike("].iter().filter_map(|head| rest.find(head)).min()
    {
        let is_first = rest[at..].starts_with("AreAlike(");
        let start = at + rest[at..].find('(').unwrap_or_default() + 1;
        let mut depth = 1;
        let end = rest[start..].find(|character| {
            depth += i32::from(character == '(') - i32::from(character == ')');
            depth == 0
        });
        let end = end.map_or(rest.len(), |end| start + end);
        let number = if is_first {
            start..rest[start..end].find(',').map_or(end, |comma| start + comma)
        } else {
            rest[start..end].rfind(' ').map_or(end, |space| start + space)..end
        };
        stripped.push_str(&rest[..number.start]);
        rest = &rest[number.end..];
    }
    stripped + rest
}
