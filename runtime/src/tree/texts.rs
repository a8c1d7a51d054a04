//! The texts of a tree: data of nodes and values of attributes. It knows nothing of nodes. Invariant: a slot's range of
//! the buffer never changes while the slot stands for it, and a string of its own belongs to one slot only.

use super::growth::Growth;

/// Marks a slot whose text is a string of its own.
const OWNED: u32 = u32::MAX;

/// Where a text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TextSlot {
    /// The beginning in the buffer, or the index of the string of its own.
    pub(super) start: u32,
    /// The length in the buffer, or [`OWNED`].
    pub(super) length: u32,
}

/// One buffer for what is written once, and strings for what changes later.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pub(super) buffer: String,
    owned: Vec<String>,
    /// Indices of `owned` that no slot uses.
    free: Vec<u32>,
    /// Bytes of the strings in `owned`, so that telling the size of the tree takes no walk.
    owned_bytes: usize,
}

impl Texts {
    #[inline]
    pub(super) fn get(&self, slot: TextSlot) -> &str {
        if slot.length == OWNED {
            return &self.owned[slot.start as usize];
        }
        let start = slot.start as usize;
        &self.buffer[start..start + slot.length as usize]
    }

    /// A new text, at the end of the buffer.
    #[inline]
    pub(super) fn add(&mut self, text: &str, growth: Growth) -> TextSlot {
        let start = self.buffer.len();
        if text.is_empty() {
            return TextSlot::default();
        }
        if start + text.len() >= OWNED as usize {
            return self.own(text.to_owned());
        }
        growth.push_str(&mut self.buffer, text);
        TextSlot { start: start as u32, length: text.len() as u32 }
    }

    /// Adds to a text. What stands last in the buffer grows in place; anything else moves to a string of its own once,
    /// so that texts that grow by turns cost no more than their length.
    #[inline]
    pub(super) fn append(&mut self, slot: &mut TextSlot, text: &str, growth: Growth) {
        let last = slot.start as usize + slot.length as usize == self.buffer.len();
        if slot.length != OWNED && last && self.buffer.len() + text.len() < OWNED as usize {
            growth.push_str(&mut self.buffer, text);
            slot.length += text.len() as u32;
        } else {
            self.append_elsewhere(slot, text);
        }
    }

    #[cold]
    fn append_elsewhere(&mut self, slot: &mut TextSlot, text: &str) {
        if slot.length != OWNED {
            let whole = [self.get(*slot), text].concat();
            *slot = self.own(whole);
        } else {
            self.change(slot.start, |owned| owned.push_str(text));
        }
    }

    fn change(&mut self, index: u32, change: impl FnOnce(&mut String)) {
        let owned = &mut self.owned[index as usize];
        self.owned_bytes -= owned.capacity();
        change(owned);
        self.owned_bytes += owned.capacity();
    }

    /// Replaces a text.
    pub(super) fn set(&mut self, slot: &mut TextSlot, text: &str) {
        if slot.length == OWNED {
            self.change(slot.start, |owned| text.clone_into(owned));
        } else {
            *slot = self.own(text.to_owned());
        }
    }

    /// A slot with the same text that may be changed without changing this one.
    pub(super) fn copy(&mut self, slot: TextSlot) -> TextSlot {
        if slot.length == OWNED { self.own(self.get(slot).to_owned()) } else { slot }
    }

    /// Gives up a slot.
    pub(super) fn release(&mut self, slot: TextSlot) {
        if slot.length == OWNED {
            self.change(slot.start, |owned| *owned = String::new());
            self.free.push(slot.start);
        }
    }

    fn own(&mut self, text: String) -> TextSlot {
        let index = match self.free.pop() {
            Some(index) => {
                self.change(index, |owned| *owned = text);
                index
            }
            None => {
                self.owned_bytes += text.capacity();
                self.owned.push(text);
                self.owned.len() as u32 - 1
            }
        };
        TextSlot { start: index, length: OWNED }
    }

    /// No texts, with the room of these.
    pub(super) fn emptied(mut self) -> Self {
        self.buffer.clear();
        Self { buffer: self.buffer, ..Self::default() }
    }

    pub(super) fn shrink(&mut self) {
        self.buffer.shrink_to_fit();
        self.owned.shrink_to_fit();
    }

    pub(super) fn heap_size(&self) -> usize {
        self.buffer.capacity()
            + self.owned_bytes
            + self.owned.capacity() * size_of::<String>()
            + self.free.capacity() * size_of::<u32>()
    }
}
