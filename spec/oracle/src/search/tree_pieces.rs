//! Derives the pieces of inputs for tree construction: tags of each class that the rows of a mode distinguish, with the
//! attributes that conditions test, texts, comments and DOCTYPEs. Names are in one class if exactly the same patterns
//! and sets contain them.

use super::Bound;
use super::pieces::preferred_character;
use super::witnesses::witnesses;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tabulex_language::model::tree::{
    Construction, DoctypeQuestion, DoctypeTest, ElementName, Mode, ModeId, ModeRow, TokenPattern,
    TreeAction, TreeCondition, TreeStep,
};
use tabulex_language::model::{Action, Machine, Register, RowId, Step};

/// Returns the pieces for each mode, shortest first.
pub(super) fn pieces(machine: &Machine, construction: &Construction) -> Vec<Rc<[String]>> {
    let doctypes = doctypes(construction);
    let sets = sets(construction);
    let names = names(construction, &sets);
    let declared_inputs = declared_token_inputs(machine, construction);
    let pieces_for = |index: usize| {
        let modes = reachable_modes(construction, ModeId(index as u8));
        let modes: Vec<&Mode> = modes.into_iter().map(|id| construction.mode(id)).collect();
        let mut pieces: BTreeSet<String> = ["x", " ", "</>"].map(str::to_owned).into();
        let markup = ["<!--x-->", "<?x y?>", "<x/>"].map(str::to_owned);
        pieces.extend(markup);
        pieces.extend(doctypes.iter().cloned());
        pieces.extend(construction.integration_points.iter().filter_map(|point| {
            let (attribute, value) = point.attribute.as_ref()?;
            Some(format!("<{} {attribute}=\"{value}\">", point.name.local))
        }));
        let mut shortest_names: BTreeMap<Vec<usize>, &str> = BTreeMap::new();
        for name in &names {
            let shortest = shortest_names.entry(name_class(&sets, &modes, name)).or_insert(name);
            if (name.len(), &**name) < (shortest.len(), *shortest) {
                *shortest = name;
            }
        }
        for name in shortest_names.values() {
            pieces.extend([format!("<{name}>"), format!("</{name}>")]);
        }
        modes.iter().for_each(|mode| add_row_pieces(mode, &mut pieces));
        pieces.extend(declared_inputs.iter().cloned());
        if machine.states.is_empty() {
            pieces.clear();
        }
        let mut pieces: Vec<String> = pieces.into_iter().collect();
        pieces.sort_by_key(|piece| piece.chars().count());
        pieces.into()
    };
    (0..construction.modes.len()).map(pieces_for).collect()
}

/// Returns inputs that produce declared tokens that modes match. For each row that emits one: its shortest input, and
/// that input with `x` or a text that conditions compare inserted before each character but the first.
fn declared_token_inputs(machine: &Machine, construction: &Construction) -> BTreeSet<String> {
    let emits_matched_token = |action: &Action| matches!(action, Action::EmitToken(Register::Declared(kind)) if construction.takes(*kind));
    let mut inputs = BTreeSet::new();
    let is_emitting =
        |&id: &RowId| Step::actions(&machine.row(id).steps).into_iter().any(emits_matched_token);
    let emitting_rows: Vec<RowId> = machine.row_ids().filter(is_emitting).collect();
    if emitting_rows.is_empty() {
        return inputs;
    }
    let mut texts = vec!["x".to_owned()];
    for condition in conditions(construction).into_iter().flat_map(TreeCondition::parts) {
        if let TreeCondition::FieldIs(_, text) = condition {
            texts.push(text.clone());
        }
    }
    let witnesses_by_row = witnesses(machine, Bound::default()).rows;
    for witness in emitting_rows.iter().filter_map(|row| witnesses_by_row.get(row)) {
        let input = &witness.input;
        inputs.insert(input.clone());
        for (at, _) in input.char_indices().skip(1) {
            let (before, after) = input.split_at(at);
            inputs.extend(texts.iter().map(|text| format!("{before}{text}{after}")));
        }
    }
    inputs
}

/// Returns the sets of element names that the table declares or that most of its conditions contain, in lower case.
fn sets(construction: &Construction) -> Vec<Vec<String>> {
    let mut sets: Vec<&[ElementName]> = Vec::new();
    let declared_sets = construction.names.iter().chain(&construction.scopes);
    sets.extend(declared_sets.map(|set| &set.members[..]));
    // These two conditions are left out: in the built-in tables, patterns or other conditions already distinguish their
    // names.
    let is_included = |part: &&TreeCondition| {
        !matches!(part, TreeCondition::InScope(..) | TreeCondition::OpenOtherThan(_))
    };
    let parts = conditions(construction).into_iter().flat_map(TreeCondition::parts);
    sets.extend(parts.filter(is_included).filter_map(TreeCondition::elements));
    let lowercase_local = |name: &ElementName| name.local.to_ascii_lowercase();
    let mut sets: Vec<Vec<String>> =
        sets.into_iter().map(|set| set.iter().map(lowercase_local).collect()).collect();
    let points = construction.integration_points.iter();
    sets.extend(points.map(|point| vec![lowercase_local(&point.name)]));
    sets.sort();
    sets.dedup();
    sets
}

/// Returns all conditions of all rows of modes.
pub(super) fn conditions(construction: &Construction) -> Vec<&TreeCondition> {
    construction.rows().flat_map(ModeRow::conditions).collect()
}

/// Returns all names in patterns and sets, and `q`, which stands for all other names.
fn names(construction: &Construction, sets: &[Vec<String>]) -> BTreeSet<String> {
    let mut names = BTreeSet::from(["q".to_owned()]);
    let patterns = construction.rows().flat_map(|row| &row.patterns);
    names.extend(patterns.flat_map(|pattern| pattern.value.tag_names()).cloned());
    names.extend(sets.iter().flatten().cloned());
    names
}

/// Returns the class of a name: the indices of the patterns and sets that contain it.
fn name_class(sets: &[Vec<String>], modes: &[&Mode], name: &str) -> Vec<usize> {
    let rows = modes.iter().flat_map(|mode| &mode.rows);
    let patterns = rows.flat_map(|row| &row.patterns);
    let by_pattern = patterns.map(|pattern| pattern.value.tag_names());
    let by_set = sets.iter().map(|set| &set[..]);
    let all = by_pattern.chain(by_set).enumerate();
    all.filter(|(_, names)| names.iter().any(|other| other == name)).map(|(at, _)| at).collect()
}

/// Returns a mode, the dispatcher's mode, and the modes to which rows of these switch or delegate. Modes that are reached
/// only through those are left out, although their rows may run for the next piece.
fn reachable_modes(construction: &Construction, id: ModeId) -> Vec<ModeId> {
    let start_modes = construction.dispatch.iter().map(|dispatch| dispatch.mode).chain([id]);
    let mut modes: BTreeSet<ModeId> = start_modes.collect();
    let rows = modes.iter().flat_map(|&id| &construction.mode(id).rows);
    let targets = rows.flat_map(|row| TreeStep::actions(&row.steps)).filter_map(|action| {
        if let TreeAction::Using(other) | TreeAction::Switch(other) = action {
            Some(*other)
        } else {
            None
        }
    });
    let targets: Vec<ModeId> = targets.collect();
    modes.extend(targets);
    modes.into_iter().collect()
}

/// Adds the pieces for the rows of a mode: characters, empty tags, and start tags with the attributes that conditions
/// test.
fn add_row_pieces(mode: &Mode, pieces: &mut BTreeSet<String>) {
    for row in &mode.rows {
        let mut texts = Vec::new();
        row.conditions().for_each(|condition| add_attribute_texts(condition, &mut texts));
        for pattern in &row.patterns {
            if let TokenPattern::Character(Some(set)) | TokenPattern::Text(Some(set)) =
                &pattern.value
            {
                pieces.extend(preferred_character(set.ranges()).map(String::from));
                // A row may treat a non-printable character of the set, such as white space, differently.
                pieces.extend(set.ranges().first().map(|range| range.0.to_string()));
            } else if let TokenPattern::StartTag(_) | TokenPattern::EmptyTag(_) = &pattern.value {
                let shortest = pattern.value.tag_names().iter().min_by_key(|name| name.len());
                let name = shortest.map_or("q", |name| name);
                pieces.extend(texts.iter().map(|attribute| format!("<{name} {attribute}>")));
                pieces.insert(format!("<{name}/>"));
            }
        }
    }
}

/// Adds the text of an attribute for each part of the condition that tests an attribute.
fn add_attribute_texts(condition: &TreeCondition, texts: &mut Vec<String>) {
    for part in condition.parts() {
        if let TreeCondition::TokenAttribute(name) = part {
            texts.push(format!("{name}=x"));
        } else if let TreeCondition::TokenAttributeIs(name, value) = part {
            texts.push(format!("{name}=\"{value}\""));
        }
    }
}

/// Returns DOCTYPEs for the first three and the last two tests of each set, one that no set contains, and `html`.
fn doctypes(construction: &Construction) -> BTreeSet<String> {
    let mut doctypes = BTreeSet::from(["<!DOCTYPE x>".to_owned(), "<!DOCTYPE html>".to_owned()]);
    for set in &construction.doctypes {
        let first_doctypes = set.tests.iter().filter_map(|test| doctype(test)).take(3);
        doctypes.extend(first_doctypes);
        doctypes.extend(set.tests.iter().rev().filter_map(|test| doctype(test)).take(2));
    }
    doctypes
}

/// Returns a DOCTYPE that satisfies a test as far as possible.
fn doctype(test: &[DoctypeTest]) -> Option<String> {
    let (mut name, mut public, mut system) = ("html", None, None);
    for part in test {
        match &part.question {
            DoctypeQuestion::NameIs(other) if part.negated => {
                name = if other == "html" { "x" } else { "html" };
            }
            DoctypeQuestion::PublicMissing if part.negated => public = public.or(Some("")),
            DoctypeQuestion::SystemMissing if part.negated => system = system.or(Some("x")),
            _ if part.negated => {}
            DoctypeQuestion::ForceQuirks => return Some("<!DOCTYPE>".to_owned()),
            DoctypeQuestion::NameIs(other) => name = other,
            DoctypeQuestion::PublicIs(text) | DoctypeQuestion::PublicBegins(text) => {
                public = Some(text);
            }
            DoctypeQuestion::SystemIs(text) => system = Some(text),
            DoctypeQuestion::PublicMissing | DoctypeQuestion::SystemMissing => {}
        }
    }
    let identifiers = match (public, system) {
        (Some(public), Some(system)) => format!(" PUBLIC \"{public}\" \"{system}\""),
        (Some(public), None) => format!(" PUBLIC \"{public}\""),
        (None, Some(system)) => format!(" SYSTEM \"{system}\""),
        (None, None) => String::new(),
    };
    Some(format!("<!DOCTYPE {name}{identifiers}>"))
}
