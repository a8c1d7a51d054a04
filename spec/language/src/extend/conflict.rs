//! Declarations of one name in two files. Equal ones are merged; different ones are errors, so that it is always clear
//! which one applies.

use super::key;
use crate::diagnostic::{CONFLICTING_DECLARATION, Diagnostic};
use crate::syntax::{ElementSet, Item, Span, TreeItem, Word};

/// Result of the search for a declaration of one kind and name in another file.
pub(super) enum Namesake<'i> {
    /// There is no such declaration.
    None,
    /// The declarations are equal.
    Equal,
    /// The declarations differ; the word is the name in the other file.
    Different(&'i Word),
}

/// Searches `others` for a declaration of the item's kind and name, and compares the two. Items without a name and
/// `tell` declarations have no namesake.
pub(super) fn find_namesake<'i>(item: &Item, others: &'i [Item]) -> Namesake<'i> {
    let (kind, Some(name)) = key(item) else { return Namesake::None };
    // A flag may have several answers, so `tell` declarations never conflict.
    if kind == "tell" {
        return Namesake::None;
    }
    let namesake = others.iter().find_map(|other| match key(other) {
        (other_kind, Some(word)) if other_kind == kind && word.value == name.value => {
            Some((other, word))
        }
        _ => None,
    });
    match namesake {
        None => Namesake::None,
        Some((other, _)) if has_same_contents(item, other) => Namesake::Equal,
        Some((_, word)) => Namesake::Different(word),
    }
}

/// Returns the error for a conflict between the table's declaration `own` and the file that is included at
/// `included_at`.
pub(super) fn conflict(item: &Item, own: &Word, included_at: Span, help: &str) -> Diagnostic {
    let (kind, _) = key(item);
    let message =
        format!("{kind} `{}` conflicts with a declaration in the included file", own.value);
    Diagnostic::new(CONFLICTING_DECLARATION, own.span, message)
        .and(included_at, "the included file")
        .help(help)
}

/// Whether two classes, sets of names, scopes or limits have equal contents. Other declarations never count as equal,
/// as there is no reason to repeat them.
fn has_same_contents(one: &Item, other: &Item) -> bool {
    match (one, other) {
        (Item::Class { patterns, .. }, Item::Class { patterns: others, .. }) => {
            have_equal_elements(patterns, others, |one, other| one.value == other.value)
        }
        (Item::Names(one), Item::Names(other))
        | (Item::Tree(TreeItem::Scope(one)), Item::Tree(TreeItem::Scope(other))) => {
            have_same_members(one, other)
        }
        (Item::Limit { number, .. }, Item::Limit { number: other, .. }) => {
            number.value == other.value
        }
        _ => false,
    }
}

fn have_same_members(one: &ElementSet, other: &ElementSet) -> bool {
    have_equal_elements(&one.members, &other.members, |one, other| one.value == other.value)
        && have_equal_elements(&one.except, &other.except, |one, other| one.value == other.value)
}

/// Whether each element of either list equals an element of the other list.
fn have_equal_elements<T>(some: &[T], others: &[T], is_equal: impl Fn(&T, &T) -> bool) -> bool {
    some.iter().all(|one| others.iter().any(|other| is_equal(one, other)))
        && others.iter().all(|one| some.iter().any(|other| is_equal(one, other)))
}
