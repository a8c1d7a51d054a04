//! Compares declarations by their members. A different declaration is a single difference, regardless of the rows that
//! use the declaration, and needs a note at the declaration.

use super::effect::are_equal_words;
use super::pieces::{Member, Need, Piece};
use super::{Comparison, Difference, Index};
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::syntax::Note;

/// Compares the declarations of both tables.
pub(super) fn compare(left: &Index<'_>, right: &Index<'_>, comparison: &mut Comparison) {
    let sides = [left, right].map(|index| &index.pieces.all);
    let have_modes = left.has_modes() && right.has_modes();
    let has_lexemes =
        |all: &BTreeMap<_, Piece<'_>>| all.values().any(|one| one.need == Need::Lexemes);
    let have_lexemes = sides.into_iter().all(has_lexemes);
    for key in sides.iter().flat_map(|all| all.keys()).collect::<BTreeSet<_>>() {
        let [one, other] = sides.map(|all| all.get(key).filter(|piece| !piece.members.is_empty()));
        let need = one.or(other).map_or(Need::None, |piece| piece.need);
        let is_compared = match need {
            Need::None => false,
            Need::Both => true,
            Need::Modes | Need::Set => have_modes,
            Need::Lexemes => have_lexemes,
            Need::Declared => one.is_some(),
            Need::Shared => one.is_some() && other.is_some(),
        };
        if is_compared {
            compare_piece(key, [one, other], comparison);
        }
    }
}

/// Compares one declaration of both sides.
fn compare_piece(key: &str, sides: [Option<&Piece<'_>>; 2], comparison: &mut Comparison) {
    let [mine, yours] = members(sides);
    let [one, other] = sides;
    let unmatched = |from: &[Member<'_>], to: &[Member<'_>]| -> Vec<usize> {
        let is_unmatched =
            |at: &usize| to.iter().all(|to| !are_equal_members(&from[*at].text, &to.text));
        (0..from.len()).filter(is_unmatched).collect()
    };
    let (missing, additional) = (unmatched(&mine, &yours), unmatched(&yours, &mine));
    // A note on a set or on a single member also covers the members that only the document has.
    let has_single_note = other.is_some_and(Piece::is_set) || yours.len() == 1;
    let is_stale = |at: &usize| match has_single_note {
        true => *at == 0 && missing.is_empty() && additional.is_empty(),
        false => !additional.contains(at),
    };
    for note in (0..yours.len()).filter(is_stale).filter_map(|at| yours[at].notes.first()) {
        comparison.stale.push((key.to_owned(), note.span, note.reason.clone()));
    }
    let notes = yours.first().filter(|_| has_single_note).map_or(&[][..], |member| member.notes);
    let (less_noted, missing): (Vec<usize>, Vec<usize>) =
        missing.into_iter().partition(|_| !notes.is_empty());
    let (more_noted, additional): (Vec<usize>, Vec<usize>) =
        additional.into_iter().partition(|&at| !yours[at].notes.is_empty());
    let mut add_difference = |missing: &[usize], additional: &[usize], notes: &[Note]| {
        let joined_texts = |members: &[Member<'_>], indices: &[usize]| {
            let texts: Vec<&str> = indices.iter().map(|&at| &members[at].text[..]).collect();
            (!texts.is_empty()).then(|| texts.join(" | "))
        };
        let span = additional.first().map(|&at| yours[at].span).or(other.map(|piece| piece.span));
        comparison.differences.push(Difference {
            input: key.to_owned(),
            left: joined_texts(&mine, missing),
            right: joined_texts(&yours, additional),
            left_place: one.map(|piece| piece.span),
            span,
            notes: notes.iter().map(|note| (note.kind, note.reason.clone())).collect(),
            ..Difference::default()
        });
    };
    if !missing.is_empty() || !additional.is_empty() {
        add_difference(&missing, &additional, &[]);
    }
    if !has_single_note {
        more_noted.iter().for_each(|&at| add_difference(&[], &[at], yours[at].notes));
    } else if !less_noted.is_empty() || !more_noted.is_empty() {
        add_difference(&less_noted, &more_noted, notes);
    }
}

/// Returns the members of both sides. If both sides refer to equal names of sets, only the other members are returned,
/// because the named sets are compared separately.
fn members<'t>(sides: [Option<&Piece<'t>>; 2]) -> [Vec<Member<'t>>; 2] {
    let [mine, yours] = sides.map(|piece| {
        let lines = piece.filter(|piece| piece.is_set()).into_iter().flat_map(|piece| &piece.lines);
        lines.filter(|line| !line.contains('"')).collect::<BTreeSet<_>>()
    });
    let name_equal_sets = !mine.is_empty() && mine == yours;
    sides.map(|piece| match piece {
        Some(Piece { members, lines, .. }) if name_equal_sets && !members.is_empty() => {
            let lines = lines.iter().filter(|line| line.contains('"'));
            let member =
                |line: &String| Member { text: line.replace('"', ""), ..members[0].clone() };
            lines.map(member).collect()
        }
        piece => piece.map_or_else(Vec::new, |piece| piece.members.clone()),
    })
}

/// Whether two members are equal; the code of an unnamed error equals any code.
fn are_equal_members(one: &str, other: &str) -> bool {
    match (one.rsplit_once(" => "), other.rsplit_once(" => ")) {
        (Some((one, code)), Some((two, other))) => one == two && are_equal_words(code, other),
        _ => one == other,
    }
}
