//! State switches of the tokenizer that depend only on the name of a start tag, so that they can be applied without a
//! tree.

use crate::construct::Feedback;
use crate::machine::{Machine, Registers};
use crate::named::Named;
use crate::registers::name_bit;
use crate::sink::Control;

/// A start tag after which tree construction switches the tokenizer.
#[derive(Clone, Copy, Debug)]
pub struct SwitchingTag {
    /// The tag name.
    pub name: &'static str,
    /// A flag of tree construction, and the index of the value that it must have for the switch.
    pub flag: Option<(&'static str, u8)>,
    /// The switch of the tokenizer after the tag.
    pub feedback: Feedback,
}

/// Whether tree construction may switch after a start tag of this name: a quick test, which most names fail.
#[inline(always)]
pub(crate) fn may_switch<M: Machine>(name: &[u8]) -> bool {
    let switching = const { name_bits(M::SWITCHING_TAGS) };
    name_bit(name) & switching != 0
}

/// Returns the filter bits of the names.
const fn name_bits(tags: &[SwitchingTag]) -> u64 {
    let (mut bits, mut index) = (0, 0);
    while index < tags.len() {
        bits |= name_bit(tags[index].name.as_bytes());
        index += 1;
    }
    bits
}

/// Returns the switch that tree construction makes after a start tag called `name`. `flags` are the flags of tree
/// construction, by name and index of the value; others have their first value.
pub(crate) fn feedback_after<M: Machine>(name: &str, flags: &[(&'static str, u8)]) -> Feedback {
    let value = |flag: &str| flags.iter().find(|(other, _)| *other == flag).map_or(0, |&(_, v)| v);
    let applies =
        |tag: &&SwitchingTag| tag.name == name && tag.flag.is_none_or(|(flag, v)| value(flag) == v);
    M::SWITCHING_TAGS.iter().find(applies).map_or(Feedback::None, |tag| tag.feedback)
}

/// Returns the instruction with which a sink without a tree should answer a start tag called `name`, so that the
/// machine follows the table's modes. `flags` are the flags of tree construction, by name and index of the value;
/// others have their first value.
///
/// ```
/// use tabulex::html::{Html, State};
/// use tabulex::{Control, control_after};
///
/// assert_eq!(control_after::<Html>("script", &[]), Control::Switch(State::ScriptData));
/// assert_eq!(control_after::<Html>("noscript", &[("scripting", 1)]), Control::Switch(State::Rawtext));
/// assert_eq!(control_after::<Html>("noscript", &[]), Control::Continue);
/// ```
pub fn control_after<M: Machine>(name: &str, flags: &[(&'static str, u8)]) -> Control<M::State> {
    match feedback_after::<M>(name, flags) {
        Feedback::None | Feedback::Declaration | Feedback::Script => Control::Continue,
        Feedback::Switch(state) => Control::Switch(M::State::ALL[usize::from(state)]),
        Feedback::SetFlag(flag, value) => {
            Control::SetFlag(M::HostFlag::ALL[usize::from(flag)], value)
        }
    }
}

impl<M: Machine> Registers<M> {
    /// Applies a switch of the tokenizer that tree construction requests.
    pub(crate) fn apply_feedback(&mut self, feedback: Feedback) {
        match feedback {
            Feedback::None | Feedback::Declaration | Feedback::Script => {}
            Feedback::Switch(state) => self.state = M::State::ALL[usize::from(state)],
            Feedback::SetFlag(flag, value) => {
                self.set_flag(M::HostFlag::ALL[usize::from(flag)], value);
            }
        }
    }
}
