//! Flags that both rows and the host set. A flag that only the host sets is not stored: the machine asks the sink for
//! it.

use crate::machine::{Machine, Registers};
use crate::named::Named;
use crate::sink::{Control, Sink};

impl<M: Machine> Registers<M> {
    /// Sets a flag to the value at index `value`, if rows also set that flag.
    pub(crate) fn set_flag(&mut self, flag: M::HostFlag, value: u8) {
        if let Some(index) = M::stored_flag(flag) {
            self.flags[index] = value;
        }
    }

    /// Initializes the flags that rows also set with the sink's values.
    pub(crate) fn ask_flags<K: Sink<M>>(&mut self, sink: &mut K) {
        for &flag in <M::HostFlag as Named>::ALL {
            if let Some(index) = M::stored_flag(flag) {
                self.flags[index] = sink.flag(flag);
            }
        }
    }

    /// Applies a flag change that the sink requests; any other control is left to the row that emits.
    #[inline(always)]
    pub(crate) fn apply_control(&mut self, control: Control<M::State>) -> Control<M::State> {
        match control {
            Control::SetFlag(flag, value) => {
                self.set_flag(flag, value);
                Control::Continue
            }
            other => other,
        }
    }
}
