//! State switches of the tokenizer that depend only on the name of a start tag and on flags, so that they can be applied
//! without a tree.

use crate::construct::Feedback;
use crate::machine::Machine;
use crate::registers::name_bit;
use crate::sink::Control;

/// A start tag after which tree construction switches the tokenizer.
#[derive(Clone, Copy, Debug)]
pub struct SwitchingTag {
    /// The tag name.
    pub name: &'static str,
    /// A flag of tree construction, and the index of the value that it must have for the switch; `None` if the switch
    /// depends on the name alone.
    pub flag: Option<(&'static str, u8)>,
    /// The switch of the tokenizer after the tag.
    pub feedback: Feedback,
}

/// The switches of a machine's state that tree construction makes after start tags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwitchingTags {
    /// A Bloom filter of the tags' names, with one bit per name.
    bits: u64,
    /// The function that returns the instruction to the tokenizer after a start tag. Its arguments are the tag's name,
    /// and the names of flags of tree construction, each with the index of the flag's value; flags not listed have
    /// their first value. Instantiated for the machine, so that names are compared with constants.
    pub(crate) after: fn(&str, &[(&'static str, u8)]) -> Feedback,
}

impl SwitchingTags {
    pub(crate) const fn of<M: Machine>() -> Self {
        let (mut bits, mut index) = (0, 0);
        while index < M::SWITCHING_TAGS.len() {
            bits |= name_bit(M::SWITCHING_TAGS[index].name.as_bytes());
            index += 1;
        }
        Self { bits, after: feedback_after::<M> }
    }

    /// Whether the machine may switch after a start tag called `name`.
    #[inline(always)]
    pub(crate) fn may_switch_after(&self, name: &[u8]) -> bool {
        name_bit(name) & self.bits != 0
    }
}

/// Returns the instruction to the tokenizer after a start tag called `name`; see [`SwitchingTags::after`].
pub(crate) fn feedback_after<M: Machine>(name: &str, flags: &[(&'static str, u8)]) -> Feedback {
    let value = |flag: &str| flags.iter().find(|(other, _)| *other == flag).map_or(0, |&(_, v)| v);
    let applies =
        |tag: &&SwitchingTag| tag.name == name && tag.flag.is_none_or(|(flag, v)| value(flag) == v);
    M::SWITCHING_TAGS.iter().find(applies).map_or(Feedback::None, |tag| tag.feedback)
}

/// Returns the instruction with which a sink without a tree should answer a start tag called `name`, so that the
/// machine follows the table's modes. `flags` lists names of flags of tree construction, each with the index of the
/// flag's value; flags not listed have their first value.
///
/// ```
/// use tabulex::html::{Html, State};
/// use tabulex::{Control, Entry, control_after};
///
/// let raw_text = Control::Enter(Entry::state::<Html>(State::Rawtext));
/// assert_eq!(control_after::<Html>("noscript", &[("scripting", 1)]), raw_text);
/// assert_eq!(control_after::<Html>("noscript", &[]), Control::Continue);
/// ```
pub fn control_after<M: Machine>(name: &str, flags: &[(&'static str, u8)]) -> Control {
    feedback_after::<M>(name, flags).control()
}
