//! The name of the last start tag, which outlives the chunk that it was read from.

use super::{SourceText, TagRegister, TextRegister};

/// The name of the last start tag that was emitted.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastStartTag {
    name: TextRegister,
    is_set: bool,
}

impl LastStartTag {
    #[inline]
    pub(crate) fn remember(&mut self, tag: &TagRegister) {
        self.name.copy_from(&tag.name);
        self.is_set = true;
    }

    pub(crate) fn set(&mut self, name: &str) {
        self.name.set_copy(name);
        self.is_set = true;
    }

    /// Returns the name, if there is one.
    pub(crate) fn name<'a>(&'a self, source: SourceText<'a>) -> Option<&'a str> {
        self.is_set.then(|| self.name.text(source))
    }

    /// Whether the tag is an end tag with the name of the last start tag.
    pub(crate) fn is_appropriate(&self, tag: &TagRegister, source: SourceText<'_>) -> bool {
        self.is_set && tag.is_end && self.name.text(source) == tag.name.text(source)
    }

    pub(crate) fn detach_from_chunk(&mut self, source: SourceText<'_>) {
        self.name.detach_from_chunk(source);
    }
}
