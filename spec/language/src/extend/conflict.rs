//! Declarations of one name in two files. Equal ones are merged; different ones are errors, so that it is always clear
//! which one applies.

use super::key;
use crate::diagnostic::{CONFLICTING_DECLARATION, Diagnostic};
use crate::syntax::{Item, Members, Span, TreeItem, Word};

/// Relation of a declaration to those of another file.
pub(super) enum Meeting<'i> {
    /// No other declaration has its name.
    New,
    /// A declaration of this name is equal.
    Same,
    /// A declaration of this name, at the given word, differs.
    Other(&'i Word),
}

/// Searches for a declaration of this kind and name.
pub(super) fn meet<'i>(item: &Item, others: &'i [Item]) -> Meeting<'i> {
    let (kind, Some(name)) = key(item) else { return Meeting::New };
    // A flag may have several answers, so answers never conflict.
    if kind == "tell" {
        return Meeting::New;
    }
    let namesake = others.iter().find_map(|other| match key(other) {
        (other_kind, Some(word)) if other_kind == kind && word.value == name.value => {
            Some((other, word))
        }
        _ => None,
    });
    match namesake {
        None => Meeting::New,
        Some((other, _)) if has_same_contents(item, other) => Meeting::Same,
        Some((_, word)) => Meeting::Other(word),
    }
}

/// Reports a conflict: `own` is in the table, its namesake in the file that `brought` names.
pub(super) fn conflict(item: &Item, own: &Word, brought: Span, help: &str) -> Diagnostic {
    let (kind, _) = key(item);
    let message = format!("{kind} `{}` is different in the included file", own.value);
    Diagnostic::new(CONFLICTING_DECLARATION, own.span, message)
        .and(brought, "the included file")
        .help(help)
}

/// Whether two declarations have equal contents. Those with rows or steps never count as equal, as there is no reason
/// to repeat them.
fn has_same_contents(one: &Item, other: &Item) -> bool {
    match (one, other) {
        (Item::Class { patterns, .. }, Item::Class { patterns: others, .. }) => {
            are_alike(patterns, others, |one, other| one.value == other.value)
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

fn have_same_members(one: &Members, other: &Members) -> bool {
    are_alike(&one.members, &other.members, |one, other| one.value == other.value)
        && are_alike(&one.except, &other.except, |one, other| one.value == other.value)
}

/// Whether two lists have the same elements, in any order.
fn are_alike<T>(some: &[T], others: &[T], is_equal: impl Fn(&T, &T) -> bool) -> bool {
    some.iter().all(|one| others.iter().any(|other| is_equal(one, other)))
        && others.iter().all(|one| some.iter().any(|other| is_equal(one, other)))
}
