//! Scripting modes. Parsing itself depends only on whether scripting is enabled; the rest is for hosts that run
//! scripts.

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
    /// Whether scripting is enabled, so that content for readers without scripting is text.
    pub const fn is_enabled(self) -> bool {
        !matches!(self, Self::Disabled)
    }

    /// Whether scripts run during parsing, so that a parser may pause at them.
    pub const fn runs_while_parsing(self) -> bool {
        matches!(self, Self::Normal)
    }

    /// Whether parsed scripts run when they are inserted into a document.
    pub const fn runs_when_inserted(self) -> bool {
        matches!(self, Self::Fragment)
    }
}
