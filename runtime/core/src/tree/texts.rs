//! The texts of a tree: data of nodes and values of attributes. It knows nothing of nodes. Invariant: a slot's range of
//! the buffers never changes while the slot stands for it, and a string of its own belongs to one slot only.

use super::growth::Growth;
use super::input::Input;
use crate::span::Span;
use std::sync::Arc;

/// Marks a slot whose text is a string of its own.
const OWNED: u32 = u32::MAX;

/// The length in bytes above which a string of its own is not copied for each part that is cut off.
const LONG: usize = 1 << 12;

/// Where a text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TextSlot {
    /// The beginning in the input and the buffers, one after another, or the index of the string of its own.
    pub(super) start: u32,
    /// The length there, or [`OWNED`].
    pub(super) length: u32,
}

impl TextSlot {
    /// Adds what is at this offset of the input, if that is where the text ends.
    #[inline(always)]
    pub(super) fn extend(&mut self, start: u32, length: usize) -> bool {
        let follows = self.start.checked_add(self.length) == Some(start);
        if follows {
            self.length += length as u32;
        }
        follows
    }

    /// The place of what is in this range of an input that is kept.
    #[inline(always)]
    pub(super) fn at(span: Span) -> Self {
        Self { start: span.start as u32, length: (span.end - span.start) as u32 }
    }

    /// Whether the text is where this range of the input says.
    #[inline(always)]
    pub(super) fn is_at(self, span: Span) -> bool {
        let length = span.end.wrapping_sub(span.start);
        self.start as usize == span.start && self.length as usize == length
    }
}

/// The input, of which most texts are parts, buffers for others that are written once, and strings for what changes
/// later. Where a buffer is full there is another one: what was written is not moved, and never held twice.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    /// What the tree was made of, if it is known as a whole.
    pub(super) input: Input,
    /// The last buffer.
    pub(super) buffer: String,
    /// The length of the input and of all buffers before it.
    base: usize,
    /// Those buffers, each with the length of all before it.
    earlier: Vec<(usize, String)>,
    /// Bytes of those buffers, capacity included.
    earlier_bytes: usize,
    owned: Vec<String>,
    /// Indices of `owned` that no slot uses.
    free: Vec<u32>,
    /// Bytes of the strings in `owned`, so that telling the size of the tree takes no walk.
    owned_bytes: usize,
}

impl Texts {
    /// Keeps the whole input of a tree that has no texts yet.
    pub(super) fn keep_input(&mut self, input: &str, normalizes: bool, look: impl FnMut(&[u8])) {
        self.input.keep(input, normalizes, look);
        self.base = self.input.text.len();
    }

    #[inline]
    pub(super) fn get(&self, slot: TextSlot) -> &str {
        if slot.length == OWNED {
            return &self.owned[slot.start as usize];
        }
        let (start, length) = (slot.start as usize, slot.length as usize);
        if start < self.input.text.len() {
            return &self.input.text[start..start + length];
        }
        match start.checked_sub(self.base) {
            Some(start) => &self.buffer[start..start + length],
            None => self.get_earlier(start, length),
        }
    }

    /// The bytes of a text, which need not be looked at for where characters end.
    #[inline]
    pub(super) fn bytes(&self, slot: TextSlot) -> &[u8] {
        let (start, length) = (slot.start as usize, slot.length as usize);
        match self.input.text.as_bytes().get(start..start + length) {
            Some(bytes) if slot.length != OWNED => bytes,
            _ => self.get(slot).as_bytes(),
        }
    }

    fn get_earlier(&self, start: usize, length: usize) -> &str {
        let index = self.earlier.partition_point(|&(base, _)| base <= start) - 1;
        let (base, buffer) = &self.earlier[index];
        &buffer[start - base..start - base + length]
    }

    /// A text that is a part of the input.
    #[inline(always)]
    pub(super) fn part(&self, text: &str) -> Option<TextSlot> {
        let start = self.input.offset_of(text)?;
        Some(TextSlot { start, length: text.len() as u32 })
    }

    /// Whether a text is a part of the input, and no copy.
    pub(super) fn is_part(&self, slot: TextSlot) -> bool {
        slot.length != OWNED && (slot.start as usize) < self.input.text.len()
    }

    /// A new text: a part of the input, or else at the end of the buffer.
    #[inline(always)]
    pub(super) fn add(&mut self, text: &str, growth: &Growth) -> TextSlot {
        match self.part(text) {
            Some(slot) => slot,
            None => self.copy_in(text, *growth),
        }
    }

    /// The slot of a text that was read at this offset of the input.
    #[inline(always)]
    pub(super) fn add_read(&mut self, text: &str, here: usize, growth: &Growth) -> TextSlot {
        match self.input.offset_of_read(text, here) {
            Some(start) => TextSlot { start, length: text.len() as u32 },
            None => self.copy_in(text, *growth),
        }
    }

    /// A new text at the end of the buffer.
    #[inline(never)]
    fn copy_in(&mut self, text: &str, growth: Growth) -> TextSlot {
        let start = self.base + self.buffer.len();
        let has_room = text.len() <= self.buffer.capacity() - self.buffer.len();
        if !has_room || start + text.len() >= OWNED as usize {
            return self.add_beyond(text, growth);
        }
        self.buffer.push_str(text);
        TextSlot { start: start as u32, length: text.len() as u32 }
    }

    /// A new text that does not fit into the buffer. Where a good part of the buffer is free, it is kept for others.
    #[cold]
    fn add_beyond(&mut self, text: &str, growth: Growth) -> TextSlot {
        let start = self.base + self.buffer.len();
        let free = self.buffer.capacity() - self.buffer.len();
        let is_kept = !self.buffer.is_empty() && free > self.buffer.capacity() / 8;
        if is_kept || start + text.len() >= OWNED as usize {
            return self.own(text.to_owned());
        }
        self.grow(0, text.len(), growth);
        self.buffer.push_str(text);
        TextSlot { start: start as u32, length: text.len() as u32 }
    }

    /// Reserves capacity for more, where `moved` bytes at the end of the buffer belong to the text that grows. A new
    /// buffer is begun, unless the text would leave much of the old one empty.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, moved: usize, more: usize, growth: Growth) {
        let length = self.base - self.input.text.len() + self.buffer.len();
        let room = growth.capacity(length, length + more) - length;
        if moved * 4 >= self.buffer.len() {
            return self.buffer.reserve_exact(room);
        }
        let kept = self.buffer.len() - moved;
        let mut next = String::with_capacity(moved + room);
        next.push_str(&self.buffer[kept..]);
        self.buffer.truncate(kept);
        self.earlier_bytes += self.buffer.capacity();
        self.earlier.push((self.base, std::mem::replace(&mut self.buffer, next)));
        self.base += kept;
    }

    /// Adds what was read at this offset of the input to a text. What is in the input grows there, if it is
    /// followed by what is added.
    #[inline(always)]
    pub(super) fn append(&mut self, slot: &mut TextSlot, text: &str, here: usize, growth: &Growth) {
        match self.input.offset_of_read(text, here) {
            Some(start) if slot.extend(start, text.len()) => {}
            _ => self.append_copy(slot, text, *growth),
        }
    }

    /// Adds a copy to a text. What is last in the buffer grows in place, what is in the input is copied there;
    /// anything else moves to a string of its own once, so that texts that grow by turns cost no more than their length.
    #[inline(never)]
    fn append_copy(&mut self, slot: &mut TextSlot, text: &str, growth: Growth) {
        if self.is_part(*slot) {
            let input = Arc::clone(&self.input.text);
            let start = slot.start as usize;
            *slot = self.copy_in(&input[start..start + slot.length as usize], growth);
        }
        let (start, end) = (slot.start as usize, self.base + self.buffer.len());
        let is_last = start + slot.length as usize == end && start >= self.base;
        if slot.length != OWNED && is_last && end + text.len() < OWNED as usize {
            if self.buffer.capacity() - self.buffer.len() < text.len() {
                self.grow(slot.length as usize, text.len(), growth);
            }
            slot.length += text.len() as u32;
            self.buffer.push_str(text);
        } else {
            self.append_elsewhere(slot, text);
        }
    }

    /// Adds to a text with a string of its own, or gives it one. Apart, as few texts grow that way.
    #[cold]
    #[inline(never)]
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

    /// Cuts a text at this byte offset, where a character begins: what is after it is in the slot that is returned. A long
    /// string of its own becomes a buffer first, so that a text that is cut into many is copied once at most.
    pub(super) fn split(&mut self, slot: &mut TextSlot, at: usize) -> TextSlot {
        if slot.length == OWNED && self.owned[slot.start as usize].len() > LONG {
            self.share(slot);
        }
        if slot.length == OWNED {
            let mut after = String::new();
            self.change(slot.start, |owned| after = owned.split_off(at));
            return self.own(after);
        }
        let (at, length) = (at as u32, slot.length);
        slot.length = at;
        TextSlot { start: slot.start + at, length: length - at }
    }

    /// Makes a string of its own the last buffer but one, if offsets count that far.
    fn share(&mut self, slot: &mut TextSlot) {
        let length = self.owned[slot.start as usize].len();
        let start = self.base + self.buffer.len();
        if start + length >= OWNED as usize {
            return;
        }
        let mut text = String::new();
        self.change(slot.start, |owned| text = std::mem::take(owned));
        self.free.push(slot.start);
        self.earlier_bytes += self.buffer.capacity() + text.capacity();
        self.earlier.push((self.base, std::mem::take(&mut self.buffer)));
        self.earlier.push((start, text));
        self.base = start + length;
        *slot = TextSlot { start: start as u32, length: length as u32 };
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

    /// No texts, with the capacity of these.
    pub(super) fn emptied(mut self) -> Self {
        for (_, buffer) in self.earlier {
            if buffer.capacity() > self.buffer.capacity() {
                self.buffer = buffer;
            }
        }
        self.buffer.clear();
        Self { input: self.input.emptied(), buffer: self.buffer, ..Self::default() }
    }

    pub(super) fn shrink(&mut self) {
        self.buffer.shrink_to_fit();
        self.earlier.iter_mut().for_each(|(_, buffer)| buffer.shrink_to_fit());
        self.earlier.shrink_to_fit();
        self.earlier_bytes = self.earlier.iter().map(|(_, buffer)| buffer.capacity()).sum();
        self.owned.shrink_to_fit();
    }

    pub(super) fn heap_size(&self) -> usize {
        self.input.text.capacity()
            + self.input.line_ends_size()
            + self.buffer.capacity()
            + self.earlier_bytes
            + self.earlier.capacity() * size_of::<(usize, String)>()
            + self.owned_bytes
            + self.owned.capacity() * size_of::<String>()
            + self.free.capacity() * size_of::<u32>()
    }
}
