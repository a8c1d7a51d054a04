//! What holds the current tokens of the kinds that a table declares, and the states that it has pushed. It emits nothing.
//! Invariant: a table that declares neither has nothing on the heap for them.

use super::{Source, TextRegister};
use crate::declared::{DeclaredToken, TokenForm};
use crate::original::original;
use crate::span::Span;

/// The current tokens of declared kinds.
#[derive(Clone, Debug, Default)]
pub struct DeclaredRegister {
    /// Where the current token of each kind begins.
    starts: Vec<usize>,
    /// The fields of all kinds.
    pub fields: Vec<TextRegister>,
}

impl DeclaredRegister {
    pub(crate) fn new(forms: &[TokenForm]) -> Self {
        let fields = forms.iter().flat_map(|form| form.fields).map(|_| TextRegister::default());
        Self { starts: vec![0; forms.len()], fields: fields.collect() }
    }

    /// The bytes on the heap.
    pub(crate) fn held(&self) -> usize {
        self.fields.iter().map(TextRegister::held).sum()
    }

    /// Creates a new token of the kind, which begins at this offset of the input.
    pub(crate) fn create(&mut self, kind: usize, form: &TokenForm, start: usize) {
        self.starts[kind] = start;
        let fields = &mut self.fields[form.first..][..form.fields.len()];
        fields.iter_mut().for_each(TextRegister::clear);
    }

    /// Where the current token of the kind begins.
    pub(crate) fn start(&self, kind: usize) -> usize {
        self.starts[kind]
    }

    /// The token.
    pub(crate) fn token<'a>(
        &'a self,
        (kind, form): (usize, &'static TokenForm),
        source: Source<'a>,
        span: Span,
        is_inside: bool,
    ) -> DeclaredToken<'a> {
        let fields = &self.fields[form.first..][..form.fields.len()];
        DeclaredToken { form, fields, source, span, kind, is_inside }
    }

    pub(crate) fn spill(&mut self, source: Source<'_>) {
        self.fields.iter_mut().for_each(|field| field.spill(source));
    }

    /// Copies texts out of the source, and gives ranges their places in the input.
    pub(crate) fn settle(&mut self, source: Source<'_>, origin: Span) {
        self.fields.iter_mut().for_each(|field| field.settle(source, origin));
        for start in &mut self.starts {
            *start = original(Span::new(*start, *start), origin).start;
        }
    }
}

/// The states to come back to.
#[derive(Clone, Debug)]
pub struct PushedStates<S> {
    states: Vec<S>,
    /// How many more were pushed than the stack holds.
    excess: u32,
}

impl<S> Default for PushedStates<S> {
    fn default() -> Self {
        Self { states: Vec::new(), excess: 0 }
    }
}

impl<S: Copy> PushedStates<S> {
    /// The bytes on the heap.
    pub(crate) fn held(&self) -> usize {
        self.states.capacity() * size_of::<S>()
    }

    /// Pushes a state; false where the stack holds `most`, and the state is only counted.
    pub fn push(&mut self, state: S, most: usize) -> bool {
        let has_place = self.states.len() < most;
        match has_place {
            true => self.states.push(state),
            false => self.excess = self.excess.saturating_add(1),
        }
        has_place
    }

    /// The state to come back to, if there is one. Those that were only counted lead to the last one that the stack holds.
    pub fn pop(&mut self) -> Option<S> {
        if self.excess == 0 {
            return self.states.pop();
        }
        self.excess -= 1;
        self.states.last().copied()
    }
}
