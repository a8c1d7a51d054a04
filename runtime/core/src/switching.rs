//! What is known of tree construction without a tree: the start tags after which it makes the machine go on otherwise. It
//! knows no open element. Invariant: the list is that of the table's rows.

use crate::construct::Feedback;
use crate::machine::{Machine, Registers};
use crate::named::Named;
use crate::sink::Control;

/// A start tag after which tree construction makes the machine go on otherwise.
#[derive(Clone, Copy, Debug)]
pub struct SwitchingTag {
    /// The tag name.
    pub name: &'static str,
    /// A flag of tree construction, and the index of the value without which it is not so.
    pub flag: Option<(&'static str, u8)>,
    /// How the machine goes on.
    pub feedback: Feedback,
}

/// What tree construction would do to the machine after a start tag of this name, where its flags have these values, and
/// others their first ones.
pub(crate) fn feedback_after<M: Machine>(name: &str, flags: &[(&'static str, u8)]) -> Feedback {
    let value = |flag: &str| flags.iter().find(|(other, _)| *other == flag).map_or(0, |&(_, v)| v);
    let is_so =
        |tag: &&SwitchingTag| tag.name == name && tag.flag.is_none_or(|(flag, v)| value(flag) == v);
    M::SWITCHING_TAGS.iter().find(is_so).map_or(Feedback::None, |tag| tag.feedback)
}

/// What a sink without a tree returns for a start tag of this name, so that the machine goes on as the rows of the table's
/// modes say; `flags` are those of tree construction, by name and index of the value, others have their first one.
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
    /// Goes on as tree construction says.
    pub(crate) fn heed(&mut self, feedback: Feedback) {
        match feedback {
            Feedback::None | Feedback::Declaration | Feedback::Script => {}
            Feedback::Switch(state) => self.state = M::State::ALL[usize::from(state)],
            Feedback::SetFlag(flag, value) => {
                self.set_flag(M::HostFlag::ALL[usize::from(flag)], value);
            }
        }
    }
}
