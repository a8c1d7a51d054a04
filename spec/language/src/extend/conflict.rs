//! Declarations of one name in two files. Equal ones are merged; different ones are errors, so that it is always clear
//! which one applies.

use super::has_kind_and_name;
use crate::diagnostic::{CONFLICTING_DECLARATION, Diagnostic};
use crate::syntax::{Item, ItemBody, Span, Spanned};

/// Returns the declaration among `others` with the item's kind and name, if any. Items without a name and `tell`
/// declarations have no namesake.
pub(super) fn namesake<'i>(item: &Item, others: &'i [Item]) -> Option<&'i Item> {
    // A flag may have several answers, so `tell` declarations never conflict.
    let name = item.own_name().filter(|_| item.kind != "tell")?;
    others.iter().find(|other| has_kind_and_name(other, &item.kind, &name.value))
}

/// Returns the error for a conflict between the table's declaration `own` and its namesake in the file that is included
/// at `included_at`; `None` if both have equal contents.
pub(super) fn conflict(
    own: &Item,
    namesake: &Item,
    included_at: Span,
    help: &str,
) -> Option<Diagnostic> {
    let name = own.own_name().filter(|_| !have_same_contents(&own.body, &namesake.body))?;
    let message =
        format!("{} `{}` conflicts with a declaration in the included file", own.kind, name.value);
    let diagnostic = Diagnostic::new(CONFLICTING_DECLARATION, name.span, message);
    Some(diagnostic.and(included_at, "the included file").help(help))
}

/// Whether two classes, sets of names, scopes or limits have equal contents. Other declarations never count as equal,
/// as there is no reason to repeat them.
fn have_same_contents(one: &ItemBody, other: &ItemBody) -> bool {
    match (one, other) {
        (ItemBody::Class(patterns), ItemBody::Class(others)) => {
            have_equal_elements(patterns, others)
        }
        (ItemBody::Names(one), ItemBody::Names(other))
        | (ItemBody::Scope(one), ItemBody::Scope(other)) => {
            have_equal_elements(&one.members, &other.members)
                && have_equal_elements(&one.except, &other.except)
        }
        (ItemBody::Limit(number), ItemBody::Limit(other)) => number.value == other.value,
        _ => false,
    }
}

/// Whether each element of either list equals an element of the other list.
fn have_equal_elements<T: PartialEq>(some: &[Spanned<T>], others: &[Spanned<T>]) -> bool {
    let are_among = |some: &[Spanned<T>], others: &[Spanned<T>]| {
        some.iter().all(|one| others.iter().any(|other| one.value == other.value))
    };
    are_among(some, others) && are_among(others, some)
}
