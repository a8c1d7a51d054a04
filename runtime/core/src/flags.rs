//! Requests of sinks to machines: switches to a state, and values of flags that both rows and the host set. A flag that
//! only the host sets is not stored: the machine asks the sink for it.

use crate::machine::{Machine, Registers};
use crate::named::Named;
use crate::sink::{Control, Entry, Request};

impl<M: Machine> Registers<M> {
    /// Sets a flag to the value at index `value`, if rows also set that flag.
    pub(crate) fn set_flag(&mut self, flag: M::HostFlag, value: u8) {
        if let Some(index) = M::stored_flag(flag) {
            self.flags[index] = value;
        }
    }

    /// Switches to the state, or sets the flag. An entry of another dialect has no effect.
    pub(crate) fn enter(&mut self, entry: Entry) {
        if let Request::Switch(state) = self.request(entry) {
            self.state = state;
        }
    }

    /// Applies a flag that the sink sets; any other request is left to the row that emits.
    #[inline(always)]
    pub(crate) fn apply_control(&mut self, control: Control) -> Request<M::State> {
        match control {
            Control::Continue => Request::Continue,
            Control::Pause => Request::Pause,
            Control::Enter(entry) => self.request(entry),
        }
    }

    /// Sets the flag, or returns the request to switch to the state.
    #[cold]
    #[inline(never)]
    fn request(&mut self, entry: Entry) -> Request<M::State> {
        match entry {
            Entry::State(index) => {
                let state = M::State::ALL.get(usize::from(index)).copied();
                return state.map_or(Request::Continue, Request::Switch);
            }
            Entry::Flag(index, value) => {
                if let Some(&flag) = M::HostFlag::ALL.get(usize::from(index)) {
                    self.set_flag(flag, value);
                }
            }
        }
        Request::Continue
    }
}
