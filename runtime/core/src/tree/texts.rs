//! Storage of a tree's texts: data of nodes and values of attributes. The text of a slot is never overwritten through
//! another slot: ranges of the input and of the buffer are immutable, and an owned string belongs to one slot only.

use super::input::KeptInput;
use super::options::Growth;
use crate::span::Span;

/// The `length` of a slot with an owned string.
const OWNED: u32 = u32::MAX;

/// The `start` of the first text in the buffer; lower values are offsets in the kept input.
const BUFFER_BASE: usize = 1 << 31;
const _: () = assert!(KeptInput::MAX_LEN < BUFFER_BASE);

/// Minimum number of bytes by which the capacity of the buffer grows.
const MIN_GROWTH: usize = 128;

/// A reference to a text: a range of the kept input or of the buffer, or an owned string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TextSlot {
    /// The offset in the kept input, [`BUFFER_BASE`] plus the offset in the buffer, or the index of the owned string.
    pub(super) start: u32,
    /// The length in bytes, or [`OWNED`].
    pub(super) length: u32,
}

impl TextSlot {
    /// Extends the text by `length` bytes if it ends at offset `start` of the input; returns whether it did.
    #[inline(always)]
    pub(super) fn extend(&mut self, start: u32, length: usize) -> bool {
        let follows = self.start.checked_add(self.length) == Some(start);
        if follows {
            self.length += length as u32;
        }
        follows
    }

    /// Returns the slot of a range of the kept input.
    #[inline(always)]
    pub(super) fn at(span: Span) -> Self {
        Self { start: span.start as u32, length: (span.end - span.start) as u32 }
    }

    /// Whether the text is exactly this range of the input.
    #[inline(always)]
    pub(super) fn is_at(self, span: Span) -> bool {
        let length = span.end.wrapping_sub(span.start);
        self.start as usize == span.start && self.length as usize == length
    }
}

/// The kept input, of which most texts are parts, an append-only buffer for others, and owned strings for texts that
/// change later.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    /// The input that the tree was made from, as far as it is kept.
    pub(super) input: KeptInput,
    buffer: String,
    owned_strings: Vec<String>,
    /// Indices of `owned_strings` that no slot uses.
    free_indices: Vec<u32>,
    /// Total capacity of the strings in `owned_strings` in bytes, maintained so that the size of the tree is known
    /// without a walk.
    owned_bytes: usize,
}

impl Texts {
    /// Returns the text of a slot.
    #[inline]
    pub(super) fn get(&self, slot: TextSlot) -> &str {
        if slot.length == OWNED {
            return &self.owned_strings[slot.start as usize];
        }
        let (start, length) = (slot.start as usize, slot.length as usize);
        match start.checked_sub(BUFFER_BASE) {
            Some(start) => &self.buffer[start..start + length],
            None => self.input.get(start, length),
        }
    }

    /// Returns the text of a slot as bytes, which for texts in the input avoids checks of character boundaries.
    #[inline]
    pub(super) fn bytes(&self, slot: TextSlot) -> &[u8] {
        if self.is_in_input(slot) {
            self.input.bytes(slot.start as usize, slot.length as usize)
        } else {
            self.get(slot).as_bytes()
        }
    }

    /// Returns the slot of a text if its memory is part of the latest segment of the input.
    #[inline(always)]
    pub(super) fn slot_in_input(&self, text: &str) -> Option<TextSlot> {
        let start = self.input.offset_of(text)?;
        Some(TextSlot { start, length: text.len() as u32 })
    }

    /// Whether the slot refers to a range of the kept input rather than a copy.
    #[inline(always)]
    pub(super) fn is_in_input(&self, slot: TextSlot) -> bool {
        slot.length != OWNED && (slot.start as usize) < BUFFER_BASE
    }

    /// Extends a text by `length` bytes if it is part of the input and ends there at offset `start`; returns whether it
    /// did.
    #[inline(always)]
    pub(super) fn extend(&self, slot: &mut TextSlot, start: u32, length: usize) -> bool {
        // A text in an earlier segment of the input cannot continue in the latest one.
        self.input.is_latest(slot.start) && slot.extend(start, length)
    }

    /// Stores a text: as a range of the input if it is part of that, or else as a copy in the buffer.
    #[inline(always)]
    pub(super) fn add(&mut self, text: &str, growth: &Growth) -> TextSlot {
        match self.slot_in_input(text) {
            Some(slot) => slot,
            None => self.push_copy(text, *growth),
        }
    }

    /// Stores a text that was read at offset `read_at` of the input: as a range of the input if possible, or else as a
    /// copy.
    #[inline(always)]
    pub(super) fn add_read(&mut self, text: &str, read_at: usize, growth: &Growth) -> TextSlot {
        match self.input.offset_of_read(text, read_at) {
            Some(start) => TextSlot { start, length: text.len() as u32 },
            None => self.push_copy(text, *growth),
        }
    }

    /// Stores a copy of a text at the end of the buffer; as an owned string once the buffer's offsets are used up.
    #[inline(never)]
    fn push_copy(&mut self, text: &str, growth: Growth) -> TextSlot {
        let start = BUFFER_BASE + self.buffer.len();
        if start + text.len() >= OWNED as usize {
            return self.store_owned(text.to_owned());
        }
        self.push_to_buffer(text, growth);
        TextSlot { start: start as u32, length: text.len() as u32 }
    }

    /// Appends text to the buffer.
    fn push_to_buffer(&mut self, text: &str, growth: Growth) {
        if self.buffer.capacity() - self.buffer.len() < text.len() {
            self.grow(text.len(), growth);
        }
        self.buffer.push_str(text);
    }

    /// Reserves capacity for `needed` more bytes in the buffer, and for those that the rest of the input is expected to
    /// need.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, needed: usize, growth: Growth) {
        let length = self.buffer.len();
        let additional = growth.capacity(length, length + needed) - length;
        self.buffer.reserve_exact(additional.max(MIN_GROWTH));
    }

    /// Appends text that was read at offset `read_at` of the input to the text of a slot. If the new text directly
    /// follows in the input, the slot's range is extended.
    #[inline(always)]
    pub(super) fn append(
        &mut self,
        slot: &mut TextSlot,
        text: &str,
        read_at: usize,
        growth: &Growth,
    ) {
        match self.input.offset_of_read(text, read_at) {
            Some(start) if self.extend(slot, start, text.len()) => {}
            _ => self.append_copy(slot, text, *growth),
        }
    }

    /// Appends a copy of `text` to the text of a slot. The last text in the buffer is extended in place; a text in the
    /// input is first copied to the buffer; any other text moves to an owned string once, so that texts that grow
    /// alternately cost no more than their total length.
    #[inline(never)]
    fn append_copy(&mut self, slot: &mut TextSlot, text: &str, growth: Growth) {
        if self.is_in_input(*slot) {
            let (segment, start) = self.input.segment(slot.start as usize);
            *slot = self.push_copy(&segment[start..start + slot.length as usize], growth);
        }
        let end = BUFFER_BASE + self.buffer.len();
        let is_last = slot.start as usize + slot.length as usize == end;
        if slot.length != OWNED && is_last && end + text.len() < OWNED as usize {
            slot.length += text.len() as u32;
            self.push_to_buffer(text, growth);
        } else {
            self.append_owned(slot, text);
        }
    }

    /// Appends `text` to an owned string, into which the text of the slot is moved first if necessary. Out of line, as
    /// few texts need it.
    #[cold]
    #[inline(never)]
    fn append_owned(&mut self, slot: &mut TextSlot, text: &str) {
        if slot.length != OWNED {
            let new_text = [self.get(*slot), text].concat();
            *slot = self.store_owned(new_text);
        } else {
            self.change_owned(slot.start, |owned| owned.push_str(text));
        }
    }

    /// Changes an owned string, and updates the total capacity.
    fn change_owned(&mut self, index: u32, change: impl FnOnce(&mut String)) {
        let owned = &mut self.owned_strings[index as usize];
        self.owned_bytes -= owned.capacity();
        change(owned);
        self.owned_bytes += owned.capacity();
    }

    /// Sets the text of a slot, and stores it as an owned string.
    pub(super) fn set(&mut self, slot: &mut TextSlot, text: &str) {
        if slot.length == OWNED {
            self.change_owned(slot.start, |owned| text.clone_into(owned));
        } else {
            *slot = self.store_owned(text.to_owned());
        }
    }

    /// Returns a slot with the same text that can be changed independently.
    pub(super) fn copy(&mut self, slot: TextSlot) -> TextSlot {
        if slot.length == OWNED { self.store_owned(self.get(slot).to_owned()) } else { slot }
    }

    /// Frees the owned string of a slot that is no longer used.
    pub(super) fn release(&mut self, slot: TextSlot) {
        if slot.length == OWNED {
            self.change_owned(slot.start, |owned| *owned = String::new());
            self.free_indices.push(slot.start);
        }
    }

    fn store_owned(&mut self, text: String) -> TextSlot {
        let index = match self.free_indices.pop() {
            Some(index) => {
                self.change_owned(index, |owned| *owned = text);
                index
            }
            None => {
                self.owned_bytes += text.capacity();
                self.owned_strings.push(text);
                self.owned_strings.len() as u32 - 1
            }
        };
        TextSlot { start: index, length: OWNED }
    }

    /// Removes all texts, and keeps the capacity of the buffer.
    pub(super) fn clear(&mut self) {
        self.buffer.clear();
        self.owned_strings.clear();
        self.free_indices.clear();
        self.owned_bytes = 0;
        self.input.clear();
    }

    pub(super) fn shrink(&mut self) {
        self.input.shrink();
        self.buffer.shrink_to_fit();
        self.owned_strings.shrink_to_fit();
    }

    pub(super) fn heap_size(&self) -> usize {
        self.input.heap_size()
            + self.buffer.capacity()
            + self.owned_bytes
            + self.owned_strings.capacity() * size_of::<String>()
            + self.free_indices.capacity() * size_of::<u32>()
    }
}
