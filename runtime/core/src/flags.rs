//! Flags that rows and the host set: how they are stored and asked for. It is not the answers of sinks (`sink`).
//! Invariant: a flag that only the host sets is never stored.

use crate::machine::{Machine, Registers};
use crate::named::Named;
use crate::sink::{Control, Sink};

impl<M: Machine> Registers<M> {
    /// Sets a flag to the value of this index, if it is one that rows set as well.
    pub(crate) fn set_flag(&mut self, flag: M::HostFlag, value: u8) {
        if let Some(index) = M::stored_flag(flag) {
            self.flags[index] = value;
        }
    }

    /// Asks the sink for the first values of the flags that rows set as well.
    pub(crate) fn ask_flags<K: Sink<M>>(&mut self, sink: &mut K) {
        for &flag in <M::HostFlag as Named>::ALL {
            if let Some(index) = M::stored_flag(flag) {
                self.flags[index] = sink.flag(flag);
            }
        }
    }

    /// Does at once what the sink wants, unless the row that emits must know of it.
    #[inline(always)]
    pub(crate) fn obey(&mut self, control: Control<M::State>) -> Control<M::State> {
        match control {
            Control::SetFlag(flag, value) => {
                self.set_flag(flag, value);
                Control::Continue
            }
            other => other,
        }
    }
}
