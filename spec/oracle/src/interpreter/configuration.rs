//! The configuration of a machine between two characters, for searches over inputs. Runs with equal configurations take
//! the same rows on any further input.

use super::registers::{PushedStates, Registers};
use std::collections::BTreeMap;
use tabulex_language::model::{Field, StateId};

/// The state and registers of a machine between two characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Configuration {
    /// Current state.
    pub state: StateId,
    /// State that made the last call of a procedure, even if the procedure has returned; `None` before the first call.
    pub caller: Option<StateId>,
    /// Number of bytes from the position of the last procedure call to the current position; 0 before the first call.
    pub since_call: usize,
    /// Return state, if one has been set.
    pub return_state: Option<StateId>,
    /// Additional allowed character, if one is set.
    pub additional_allowed_character: Option<char>,
    /// Index of the current value of each flag.
    pub flags: Vec<u8>,
    /// Character reference code.
    pub number: u32,
    /// Temporary buffer.
    pub temporary_buffer: String,
    /// Name of the last start tag that was emitted, if any.
    pub last_start_tag: Option<String>,
    /// Current tag, if any: whether it is an end tag, and its name.
    pub tag: Option<(bool, String)>,
    /// Stack of states.
    pub pushed: PushedStates,
    /// Contents of tokens under construction, on which no row depends.
    pub pending: Pending,
}

/// The contents of tokens that have not been emitted, without their ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pending {
    /// Names and values of the current tag's attributes, and whether the current attribute was dropped.
    pub attributes: (Vec<(String, String)>, bool),
    /// Self-closing flag of the current tag.
    pub self_closing: bool,
    /// Texts of other current tokens and declarations, except those of declared kinds.
    pub texts: BTreeMap<Field, String>,
    /// Force-quirks flag of the current DOCTYPE, if any.
    pub force_quirks: Option<bool>,
    /// Whether the current attribute declaration, if any, strips and collapses spaces in the attribute's values.
    pub collapses: Option<bool>,
    /// For each declared kind, the texts of its current token's fields; `None` without a current token.
    pub declared: Vec<Option<Vec<String>>>,
}

impl Registers {
    /// Returns the configuration with these registers in `state`, at `position`; `caller` is the calling state and the
    /// position of its call.
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
            temporary_buffer: self.text(Field::TemporaryBuffer).to_owned(),
            last_start_tag: self.last_start_tag.clone(),
            tag: self.current_tag(),
            pushed: self.pushed.clone(),
            pending: self.pending(),
        }
    }
}
