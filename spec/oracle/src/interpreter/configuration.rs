//! What a machine remembers when it has read all of its input so far, for those who search inputs. It decides nothing.
//! Invariant: two runs with equal configurations take the same rows for whatever follows.

use super::registers::{PushedStates, Registers};
use tabulex_language::model::StateId;

/// What a machine remembers, as far as rows can ask for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Configuration {
    /// The state.
    pub state: StateId,
    /// The state that called the procedure.
    pub caller: Option<StateId>,
    /// How many characters were read since the call.
    pub since_call: usize,
    /// The return state.
    pub return_state: Option<StateId>,
    /// The additional allowed character.
    pub additional_allowed_character: Option<char>,
    /// The values of the flags.
    pub flags: Vec<u8>,
    /// The character reference code.
    pub number: u32,
    /// The temporary buffer.
    pub temporary_buffer: String,
    /// The name of the last start tag.
    pub last_start_tag: Option<String>,
    /// The current tag: whether it is an end tag, and its name.
    pub tag: Option<(bool, String)>,
    /// The states to come back to.
    pub pushed: PushedStates,
    /// What no row asks for, but tokens to come will hold.
    pub pending: Pending,
}

/// The texts of tokens that are not emitted yet, without their ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pending {
    /// The attributes of the current tag, names and values, and whether the current one was dropped.
    pub attributes: (Vec<(String, String)>, bool),
    /// The self-closing flag of the current tag.
    pub self_closing: bool,
    /// The current comment.
    pub comment: Option<String>,
    /// The current DOCTYPE: name, public and system identifier, force-quirks flag.
    pub doctype: Option<([Option<String>; 3], bool)>,
    /// The current processing instruction: target and data.
    pub processing_instruction: Option<(String, String)>,
    /// The current entity: name and value.
    pub entity: Option<(String, String)>,
    /// The tag name whose attributes are being declared, and the current declaration.
    pub declaration: (Option<String>, Option<Declaration>),
    /// The fields of the current tokens of declared kinds.
    pub declared: Vec<Option<Vec<String>>>,
}

/// An attribute declaration: name, type, and the default value if it has one.
type Declaration = (String, String, Option<String>);

impl Registers {
    /// The configuration in a state.
    pub(super) fn configuration(
        &self,
        state: StateId,
        caller: Option<(StateId, usize)>,
        position: usize,
    ) -> Configuration {
        Configuration {
            state,
            caller: caller.map(|(caller, _)| caller),
            since_call: caller.map_or(0, |(_, at)| position.saturating_sub(at)),
            return_state: self.return_state,
            additional_allowed_character: self.additional_allowed_character,
            flags: self.flags.clone(),
            number: self.number,
            temporary_buffer: self.temporary_buffer.clone(),
            last_start_tag: self.last_start_tag.clone(),
            tag: self.tag_told(),
            pushed: self.pushed.clone(),
            pending: self.pending(),
        }
    }
}
