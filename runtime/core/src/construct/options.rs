//! Options of parsers.

use super::{Construction, Elements};
use crate::encoding::Hints;
use crate::limits::Limits;
use crate::setters::setters;
use crate::tree::{Positions, SHORT_INPUT, Tree, TreeOptions};

/// Options of a parser.
///
/// ```
/// use tabulex::Options;
/// let options = Options::new().scripting(true).depth_limit(1000).errors(false);
/// # let _ = options;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    pub(super) collects_errors: bool,
    pub(super) positions: Positions,
    pub(super) flags: Vec<(&'static str, u8)>,
    pub(crate) limits: Limits,
    pub(super) hints: Hints,
    pub(super) keeps_bom: bool,
    pub(super) scripting: ScriptingMode,
}

impl Options {
    /// Creates the default options: errors are collected, all positions are kept, scripting is disabled, and elements
    /// are nested at most 513 deep.
    pub fn new() -> Self {
        Self {
            collects_errors: true,
            positions: Positions::All,
            flags: Vec::new(),
            limits: Limits::new(),
            hints: Hints::new(),
            keeps_bom: false,
            scripting: ScriptingMode::Disabled,
        }
    }

    /// Sets whether scripting is enabled; if so, the contents of `noscript` are parsed as text. The parser runs no
    /// scripts, but can [pause](crate::Parser::pause_at_scripts) at each.
    #[must_use]
    pub fn scripting(self, scripting: bool) -> Self {
        self.scripting_mode(if scripting { ScriptingMode::Normal } else { ScriptingMode::Disabled })
    }

    /// Sets the scripting mode, which also determines when scripts are to run. If scripting is enabled, the standard
    /// parses documents as [`Normal`](ScriptingMode::Normal) and fragments as [`Inert`](ScriptingMode::Inert).
    #[must_use]
    pub fn scripting_mode(mut self, mode: ScriptingMode) -> Self {
        self.scripting = mode;
        self.host_flag("scripting", u8::from(mode.is_enabled()))
    }

    /// Sets whether the document is the contents of an `iframe`'s `srcdoc` attribute, so that it is never in quirks
    /// mode.
    #[must_use]
    pub fn iframe_srcdoc(self, iframe_srcdoc: bool) -> Self {
        self.host_flag("iframe-srcdoc", u8::from(iframe_srcdoc))
    }

    /// Sets whether templates can become shadow roots, as in a document that a browser navigates to.
    #[must_use]
    pub fn declarative_shadow_roots(self, allowed: bool) -> Self {
        self.host_flag("declarative-shadow-roots", u8::from(allowed))
    }

    /// Sets the maximum nesting depth of elements: [`Limits::depth`].
    #[must_use]
    pub fn depth_limit(mut self, elements: usize) -> Self {
        self.limits = self.limits.depth(elements);
        self
    }

    /// Sets the maximum number of bytes that the parser holds: [`Limits::bytes`].
    #[must_use]
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.limits = self.limits.bytes(bytes);
        self
    }

    /// Sets hints on the encoding of bytes, such as the encoding that the transport layer specifies, or a fallback.
    /// They have no effect on input given as text.
    ///
    /// ```
    /// use tabulex::encoding::{Encoding, Hints};
    /// use tabulex::{Options, html};
    ///
    /// let hints = Hints::new().transport(Encoding::for_label("utf-8")?);
    /// let parsed = html::parse_bytes(b"<p>na\xC3\xAFve", Options::new().encoding(hints));
    /// assert_eq!(parsed.tree.root().text(), "na\u{EF}ve");
    /// # Ok::<(), tabulex::encoding::UnknownEncoding>(())
    /// ```
    #[must_use]
    pub fn encoding(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }

    /// Sets a flag that the table declares `by host` to the value with this index. A dialect without the flag ignores
    /// the setting.
    #[must_use]
    pub fn host_flag(mut self, name: &'static str, value: u8) -> Self {
        set_flag(&mut self.flags, name, value);
        self
    }

    /// Creates an empty tree with the known names of the dialect, for an input of `input_length` bytes; 0 stands for an
    /// unknown length.
    pub(super) fn tree<C: Construction>(&self, input_length: usize) -> Tree {
        let options = TreeOptions::new().positions(self.positions).node_limit(self.limits.nodes);
        // Reserved capacity would count against a memory limit that is checked during parsing.
        let should_reserve =
            input_length <= SHORT_INPUT && !self.limits.checks_memory_while_parsing();
        let options = options.input_length(if should_reserve { input_length } else { 0 });
        Tree::with_options(options.known_names(C::KNOWN).xml(C::ELEMENTS == Elements::Xml))
    }
}

setters! {
    Options: Default = new;

    /// Sets whether errors are collected.
    errors(errors: bool) => collects_errors = errors;

    /// Sets which positions the tree keeps.
    positions(positions: Positions) => positions = positions;

    /// Sets the limits of the parser.
    limits(limits: Limits) => limits = limits;

    /// Sets whether a byte order mark (U+FEFF) at the beginning of a document given as text is kept as a character. By
    /// default it is dropped, like that of bytes, though ranges still count it. In a fragment given as text it is
    /// always kept.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let text = "\u{FEFF}<!DOCTYPE html>";
    /// assert_eq!(html::parse(text, Options::new()).tree.root().text(), "");
    /// let kept = html::parse(text, Options::new().keep_byte_order_mark(true));
    /// assert_eq!(kept.tree.root().text(), "\u{FEFF}");
    /// ```
    keep_byte_order_mark(is_kept: bool) => keeps_bom = is_kept;
}

/// A parser's scripting mode (HTML, 13.2.4.5 "parser scripting mode").
///
/// ```
/// use tabulex::html::{self, Parser};
/// use tabulex::{Options, ScriptingMode};
///
/// let pauses = |mode| {
///     let mut parser = html::parser(Options::new().scripting_mode(mode));
///     parser.pause_at_scripts(true);
///     parser.feed_to_script("<script>1</script>").is_some()
/// };
/// assert!(pauses(ScriptingMode::Normal) && pauses(ScriptingMode::Disabled));
/// assert!(!pauses(ScriptingMode::Inert) && !pauses(ScriptingMode::Fragment));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScriptingMode {
    /// Scripting is disabled: the contents of `noscript` are parsed as markup. No script runs, but a host that pauses
    /// at scripts still gets them.
    #[default]
    Disabled,
    /// Scripting is enabled, and each script runs once it is complete: a parser that
    /// [pauses](crate::Parser::pause_at_scripts) passes it to its host.
    Normal,
    /// Scripting is enabled, but scripts in this markup never run: a host marks each as "already started". This is the
    /// mode for `innerHTML`.
    Inert,
    /// Scripting is enabled, and a script runs when it is inserted into a document: a host treats it as one that no
    /// parser created. This is the mode for `createContextualFragment`.
    Fragment,
}

impl ScriptingMode {
    /// Whether scripting is enabled, so that the contents of `noscript` are parsed as text.
    pub const fn is_enabled(self) -> bool {
        !matches!(self, Self::Disabled)
    }
}

/// Sets a flag to a value, replacing an earlier value.
pub(crate) fn set_flag(flags: &mut Vec<(&'static str, u8)>, name: &'static str, value: u8) {
    flags.retain(|(other, _)| *other != name);
    flags.push((name, value));
}
