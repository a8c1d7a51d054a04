//! Directionality for `:dir()` (HTML, 3.2.6.4 "The dir attribute").

use crate::form::{input_type, is_html};
use crate::lists::LISTS;
use tabulex_core::tree::{Edge, Namespace, NodeRef};
use unicode_bidi::{BidiClass, bidi_class};

/// The direction that an element itself declares.
enum DeclaredDirection {
    LeftToRight,
    RightToLeft,
    /// The direction of the first character in the contents that has one.
    Auto,
}

fn declared_direction(node: NodeRef<'_>) -> Option<DeclaredDirection> {
    if node.namespace() != Some(Namespace::HTML) {
        return None;
    }
    match node.attribute_in(Namespace::NONE, "dir") {
        Some(value) if value.eq_ignore_ascii_case("ltr") => Some(DeclaredDirection::LeftToRight),
        Some(value) if value.eq_ignore_ascii_case("rtl") => Some(DeclaredDirection::RightToLeft),
        Some(value) if value.eq_ignore_ascii_case("auto") => Some(DeclaredDirection::Auto),
        _ if is_html(node, LISTS.isolated) => Some(DeclaredDirection::Auto),
        _ => {
            let is_left_to_right = |state| LISTS.left_to_right_types.contains(&state);
            input_type(node).is_some_and(is_left_to_right).then_some(DeclaredDirection::LeftToRight)
        }
    }
}

/// Whether the direction of an element is independent of its parent's.
pub(crate) fn declares_direction(node: NodeRef<'_>) -> bool {
    declared_direction(node).is_some()
}

/// Whether an element that declares its direction is written from right to left.
pub(crate) fn is_right_to_left(element: NodeRef<'_>) -> bool {
    match declared_direction(element) {
        None | Some(DeclaredDirection::LeftToRight) => false,
        Some(DeclaredDirection::RightToLeft) => true,
        Some(DeclaredDirection::Auto) => {
            let is_left_to_right = match input_type(element) {
                Some(state) if LISTS.auto_direction_types.contains(&state) => {
                    let value = element.attribute_in(Namespace::NONE, "value");
                    starts_left_to_right(value.unwrap_or_default())
                }
                _ => text_starts_left_to_right(element),
            };
            is_left_to_right == Some(false)
        }
    }
}

/// Whether the first character with a direction in the text of an element is written from left to right; `None` without
/// such a character. Descendants with directions of their own are skipped, so that all elements of a tree together take
/// linear time.
fn text_starts_left_to_right(element: NodeRef<'_>) -> Option<bool> {
    let mut walk = element.walk();
    while let Some(edge) = walk.next() {
        let Edge::Open(node) = edge else { continue };
        let is_skipped = is_html(node, LISTS.without_direction) || declares_direction(node);
        if is_skipped && node != element {
            walk.skip_inside(node);
        } else if node.is_text() {
            let direction = node.data().and_then(starts_left_to_right);
            if direction.is_some() {
                return direction;
            }
        }
    }
    None
}

/// Whether the first strongly directional character in a text is left-to-right; `None` if there is no such character.
fn starts_left_to_right(text: &str) -> Option<bool> {
    text.chars().find_map(|character| match bidi_class(character) {
        BidiClass::L => Some(true),
        BidiClass::R | BidiClass::AL => Some(false),
        _ => None,
    })
}
