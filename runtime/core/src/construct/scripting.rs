//! What a parser does about scripts. It runs none. Invariant: what a mode means for reading is the flag of the table, and
//! all else is for hosts that run scripts.

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
    /// Scripting is disabled: what is for readers without it, in `noscript`, is read as markup. No script runs; a
    /// host that pauses at them gets them all the same.
    #[default]
    Disabled,
    /// Scripting is enabled, and each script runs when it is complete: a parser that
    /// [pauses](crate::Parser::pause_at_scripts) gives it to its host.
    Normal,
    /// Scripting is enabled, but no script of this markup ever runs: a host marks each as "already started". Markup is read
    /// so for `innerHTML`.
    Inert,
    /// Scripting is enabled, and a script runs when it is put into a document, not before: a host takes it for one that no
    /// parser made. Markup is read so for `createContextualFragment`.
    Fragment,
}

impl ScriptingMode {
    /// Whether scripting is enabled: what is for readers without it is text then.
    pub const fn is_enabled(self) -> bool {
        !matches!(self, Self::Disabled)
    }

    /// Whether scripts run while they are parsed, so that a parser may pause at them.
    pub const fn runs_while_parsing(self) -> bool {
        matches!(self, Self::Normal)
    }

    /// Whether scripts that were parsed run when they are put into a document.
    pub const fn runs_when_inserted(self) -> bool {
        matches!(self, Self::Fragment)
    }
}
