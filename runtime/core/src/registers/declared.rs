//! Registers of the current tokens of declared kinds, and the stack of states. Nothing is allocated for tables that use
//! neither.

use super::{SourceText, TextRegister};
use crate::declared::{DeclaredToken, TokenForm};
use crate::original::original;
use crate::span::Span;

/// The current tokens of declared kinds.
#[derive(Clone, Debug, Default)]
pub struct DeclaredTokenRegisters {
    /// The input offset at which the current token of each kind begins.
    starts: Vec<usize>,
    /// The fields of all kinds, concatenated.
    pub fields: Vec<TextRegister>,
}

impl DeclaredTokenRegisters {
    pub(crate) fn new(forms: &[TokenForm]) -> Self {
        let fields = forms.iter().flat_map(|form| form.fields).map(|_| TextRegister::default());
        Self { starts: vec![0; forms.len()], fields: fields.collect() }
    }

    /// Returns the heap memory in bytes.
    pub(crate) fn memory_usage(&self) -> usize {
        self.fields.iter().map(TextRegister::memory_usage).sum()
    }

    /// Creates a token of the kind, beginning at input offset `start`.
    pub(crate) fn create(&mut self, kind: usize, form: &TokenForm, start: usize) {
        self.starts[kind] = start;
        let fields = &mut self.fields[form.first..][..form.fields.len()];
        fields.iter_mut().for_each(TextRegister::clear);
    }

    /// Creates a token of the kind with the given fields, of which some may be missing, before the machine starts.
    pub(crate) fn preset_token(
        &mut self,
        kind: usize,
        form: &TokenForm,
        fields: &[Option<String>],
    ) {
        self.create(kind, form, 0);
        for (register, text) in self.fields[form.first..].iter_mut().zip(fields) {
            if let Some(text) = text {
                register.set(SourceText { text: "", base: 0 }, text, 0);
            }
        }
    }

    /// Returns the input offset at which the current token of the kind begins.
    pub(crate) fn start(&self, kind: usize) -> usize {
        self.starts[kind]
    }

    /// Returns the current token of the kind.
    pub(crate) fn token<'a>(
        &'a self,
        (kind, form): (usize, &'static TokenForm),
        source: SourceText<'a>,
        span: Span,
        is_inside: bool,
    ) -> DeclaredToken<'a> {
        let fields = &self.fields[form.first..][..form.fields.len()];
        DeclaredToken { form, fields, source, span, kind, is_inside }
    }

    pub(crate) fn detach_from_chunk(&mut self, source: SourceText<'_>) {
        self.fields.iter_mut().for_each(|field| field.detach_from_chunk(source));
    }

    /// Copies the fields out of the source and maps ranges to the input.
    pub(crate) fn settle(&mut self, source: SourceText<'_>, origin: Span) {
        self.fields.iter_mut().for_each(|field| field.settle(source, origin));
        for start in &mut self.starts {
            *start = original(Span::new(*start, *start), origin).start;
        }
    }
}

/// A bounded stack of states to return to.
#[derive(Clone, Debug)]
pub struct PushedStates<S> {
    states: Vec<S>,
    /// The number of pushed states that exceed the limit.
    excess: u32,
}

impl<S> Default for PushedStates<S> {
    fn default() -> Self {
        Self { states: Vec::new(), excess: 0 }
    }
}

impl<S: Copy> PushedStates<S> {
    /// Returns the heap memory in bytes.
    pub(crate) fn memory_usage(&self) -> usize {
        self.states.capacity() * size_of::<S>()
    }

    /// Pushes a state. If the stack already has `limit` states, only counts it and returns `false`.
    pub fn push(&mut self, state: S, limit: usize) -> bool {
        let fits = self.states.len() < limit;
        match fits {
            true => self.states.push(state),
            false => self.excess = self.excess.saturating_add(1),
        }
        fits
    }

    /// Pops the state to return to. For each excess state that was only counted, returns the topmost stored one without
    /// popping it.
    pub fn pop(&mut self) -> Option<S> {
        if self.excess == 0 {
            return self.states.pop();
        }
        self.excess -= 1;
        self.states.last().copied()
    }
}
