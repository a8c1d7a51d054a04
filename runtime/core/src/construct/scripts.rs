//! Pauses at scripts, and text that scripts write. Written text is parsed directly after the script, before the input
//! that follows the script.

use super::parser::Parser;
use super::{Builder, Construction, ScriptingMode};
use crate::tokenizer::Progress;
use crate::tree::TreeSink;
use std::collections::HashMap;
use std::hash::Hash;

/// Word with which a row reports a complete script.
pub(super) const SCRIPT: &str = "script";

/// State of a parser that pauses at scripts.
#[derive(Debug)]
pub(super) struct Scripts<N> {
    /// Whether the parser pauses at scripts.
    pub(super) pauses_at_scripts: bool,
    /// The script at which the parser has paused, until the host gets it.
    pub(super) paused_at: Option<N>,
    /// For each text that a script is writing, outermost first, the input that follows the text and is parsed after it.
    deferred_input: Vec<String>,
    /// Copies of formatting elements as created from their tags, outside the tree. Reconstruction uses the copies,
    /// because scripts may have changed the elements.
    copies: HashMap<N, N>,
}

impl<N> Default for Scripts<N> {
    fn default() -> Self {
        Self {
            pauses_at_scripts: false,
            paused_at: None,
            deferred_input: Vec::new(),
            copies: HashMap::new(),
        }
    }
}

impl<N: Copy + Eq + Hash> Scripts<N> {
    /// Returns the copy of a formatting element, or the element itself if it was created while the parser did not pause
    /// at scripts.
    #[inline]
    pub(super) fn as_created(&self, element: N) -> N {
        if self.pauses_at_scripts {
            self.copies.get(&element).copied().unwrap_or(element)
        } else {
            element
        }
    }

    pub(super) fn memory_usage(&self) -> usize {
        self.copies.capacity() * (size_of::<[N; 2]>() + 1) * 8 / 7
    }
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Stores `node` if `word` reports it as a script at which the parser pauses; returns whether the parser pauses.
    #[inline]
    pub(super) fn pauses_at(&mut self, word: &str, node: S::Node) -> bool {
        let should_pause = self.scripts.pauses_at_scripts && word == SCRIPT;
        if should_pause {
            self.scripts.paused_at = Some(node);
        }
        should_pause
    }

    /// If the parser pauses at scripts, copies a new formatting element, because scripts can change the element.
    #[inline]
    pub(super) fn copy_for_scripts(&mut self, element: S::Node) {
        if self.scripts.pauses_at_scripts {
            self.store_copy(element);
        }
    }

    #[cold]
    #[inline(never)]
    fn store_copy(&mut self, element: S::Node) {
        if self.formatting.is_empty() {
            self.scripts.copies.clear();
        }
        let copy = self.sink.make_element_like(element, None);
        self.scripts.copies.insert(element, copy);
    }

    /// Creates an element like the copy of a formatting element, and records the copy for the new element too.
    #[cold]
    #[inline(never)]
    pub(super) fn recreate_from_copy(&mut self, element: S::Node) -> S::Node {
        let copy = self.scripts.as_created(element);
        let node = self.sink.make_element_like(copy, None);
        if copy != element {
            self.scripts.copies.insert(node, copy);
        }
        node
    }
}

/// Scripts. A parser that [pauses](Self::pause_at_scripts) returns each script once it is complete, and its host runs
/// it: with a script engine, by changing the tree through [`sink_mut`](Self::sink_mut), and by passing on what the
/// script writes (in HTML, `document.write`).
///
/// A loop over all scripts, with an "engine" that only writes what is in quotation marks:
///
/// ```
/// use tabulex::html::{self, Parser};
/// use tabulex::tree::NodeId;
/// use tabulex::Options;
///
/// fn run(parser: &mut Parser, script: NodeId) {
///     let code = parser.sink().node(script).text();
///     let Some(written) = code.split('"').nth(1).map(str::to_owned) else { return };
///     // Scripts in what is written run before the next one does.
///     let mut inner = parser.write_text(&written);
///     while let Some(script) = inner {
///         run(parser, script);
///         inner = parser.resume_after_script();
///     }
/// }
///
/// let mut parser = html::parser(Options::new().scripting(true));
/// parser.pause_at_scripts(true);
/// for chunk in ["<p>1<script>write(\"<b>2", "<i>\")</script>3</b>"] {
///     let mut script = parser.feed_to_script(chunk);
///     while let Some(node) = script {
///         run(&mut parser, node);
///         script = parser.resume_after_script();
///     }
/// }
/// let tree = parser.finish().tree;
/// let body = tree.document_element().unwrap().last_child().unwrap();
/// assert_eq!(html::serializer().inner(body), "<p>1<script>write(\"<b>2<i>\")</script><b>2<i>3</i></b></p>");
/// ```
///
/// Positions refer to the stream that was parsed, including written text. After written text, they may be off by one if
/// lines end with CR LF.
impl<D: Construction, S: TreeSink> Parser<D, S> {
    /// Sets whether the parser pauses at each complete script; it is then fed by
    /// [`feed_to_script`](Self::feed_to_script). It never pauses in the modes of fragments, in which scripts run later
    /// or never: [`Inert`](crate::ScriptingMode::Inert) and [`Fragment`](crate::ScriptingMode::Fragment). A script in
    /// the contents of a template, or in a node removed from the document, is returned too, although browsers do not
    /// run it.
    ///
    /// Call this before the first chunk: formatting elements that were read earlier are reconstructed with the
    /// attributes that scripts gave them, not with those of their tags.
    pub fn pause_at_scripts(&mut self, pauses: bool) {
        let is_fragment_mode =
            matches!(self.options.scripting, ScriptingMode::Inert | ScriptingMode::Fragment);
        self.builder.scripts.pauses_at_scripts = pauses && !is_fragment_mode;
    }

    /// Parses the next chunk up to the first script that it completes, and returns that script, or `None` if there is
    /// none. The remaining input waits for [`resume_after_script`](Self::resume_after_script).
    pub fn feed_to_script(&mut self, chunk: &str) -> Option<S::Node> {
        let progress = self.feed_chunk(chunk, false);
        self.take_script(progress)
    }

    /// Continues parsing after a script, and returns the next complete script, if there is one. After a script in
    /// written text, parsing continues to the end of that text only; the next call continues after the text.
    pub fn resume_after_script(&mut self) -> Option<S::Node> {
        let progress = self.resume_with_partial();
        let script = self.take_script(progress);
        if script.is_none() {
            self.restore_deferred_input();
        }
        script
    }

    /// Parses text written by the script at which the parser has paused, as far as it can be parsed without what
    /// follows. Returns the first script in the text, after which [`resume_after_script`](Self::resume_after_script)
    /// continues; if there is none, the script can write more.
    pub fn write_text(&mut self, text: &str) -> Option<S::Node> {
        self.is_new = false;
        self.release_tail();
        let unconsumed = self.tokenizer.take_unconsumed();
        self.builder.scripts.deferred_input.push(unconsumed);
        let progress = self.feed_written_text(text);
        let script = self.take_script(progress);
        if script.is_none() {
            self.restore_deferred_input();
        }
        script
    }

    /// Gives the input that follows the written text back to the tokenizer.
    fn restore_deferred_input(&mut self) {
        if let Some(input) = self.builder.scripts.deferred_input.pop() {
            self.release_tail();
            self.tokenizer.buffer(&input);
        }
    }

    /// Returns and clears the script at which the parser has paused, if it has.
    fn take_script(&mut self, progress: Progress) -> Option<S::Node> {
        let script = self.builder.scripts.paused_at.take();
        script.filter(|_| progress == Progress::Paused)
    }
}
