//! Parsing that pauses at scripts, and text that scripts write. It runs no script. Invariant: what is written is read right
//! after the script that writes it, before what follows that script in the input.

use super::parser::Parser;
use super::{Builder, Construction, ScriptingMode};
use crate::tokenizer::Progress;
use crate::tree::TreeSink;
use std::collections::HashMap;
use std::hash::Hash;

/// The word by which a row reports a script that is complete.
pub(super) const SCRIPT: &str = "script";

/// What a parser that pauses knows of scripts.
#[derive(Debug)]
pub(super) struct Scripts<N> {
    /// Whether the parser pauses at them.
    pub(super) pauses: bool,
    /// The one at which it has paused.
    pub(super) at: Option<N>,
    /// What comes after the texts that are being written, the outermost first.
    set_aside: Vec<String>,
    /// Formatting elements as their tags made them, in no tree: what is made again is made of the tag, and scripts may
    /// have changed the element.
    copies: HashMap<N, N>,
}

impl<N> Default for Scripts<N> {
    fn default() -> Self {
        Self { pauses: false, at: None, set_aside: Vec::new(), copies: HashMap::new() }
    }
}

impl<N: Copy + Eq + Hash> Scripts<N> {
    /// The copy of a formatting element; the element itself, if the parser did not pause when it was made.
    #[inline]
    pub(super) fn as_made(&self, element: N) -> N {
        if self.pauses { self.copies.get(&element).copied().unwrap_or(element) } else { element }
    }

    /// The bytes on the heap.
    pub(super) fn memory_usage(&self) -> usize {
        self.copies.capacity() * (size_of::<[N; 2]>() + 1) * 8 / 7
    }
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Whether the parser is to pause, as this word is about a script.
    #[inline]
    pub(super) fn pauses_at(&mut self, word: &str, node: S::Node) -> bool {
        let pauses = self.scripts.pauses && word == SCRIPT;
        if pauses {
            self.scripts.at = Some(node);
        }
        pauses
    }

    /// Makes the copy of an element that is about to be a formatting element, if scripts can change it.
    #[inline]
    pub(super) fn keep_from_scripts(&mut self, element: S::Node) {
        if self.scripts.pauses {
            self.copy_for_later(element);
        }
    }

    #[cold]
    #[inline(never)]
    fn copy_for_later(&mut self, element: S::Node) {
        if self.formatting.is_empty() {
            self.scripts.copies.clear();
        }
        let copy = self.sink.make_element_like(element, None);
        self.scripts.copies.insert(element, copy);
    }

    /// A new element with the attributes that the tag of a formatting element had. The next one is made like it as well.
    #[cold]
    #[inline(never)]
    pub(super) fn make_as_made(&mut self, element: S::Node) -> S::Node {
        let copy = self.scripts.as_made(element);
        let node = self.sink.make_element_like(copy, None);
        if copy != element {
            self.scripts.copies.insert(node, copy);
        }
        node
    }
}

/// Scripts. A parser that [pauses](Self::pause_at_scripts) gives each script when it is complete, and its host runs it:
/// whoever has a script engine, changes the tree by [`sink_mut`](Self::sink_mut), and hands on what the script writes
/// (in HTML, `document.write`).
///
/// A loop over all scripts, here with an "engine" that knows one thing, to write what is in quotation marks:
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
/// Positions are those of the stream that was read, with what was written in its place; after it, where lines end with
/// CR LF, they may be off by one.
impl<D: Construction, S: TreeSink> Parser<D, S> {
    /// Whether the parser pauses at each script that is complete. Then it is fed by [`feed_to_script`](Self::feed_to_script).
    /// It never does in the modes of fragments, in which scripts run later or never:
    /// [`Inert`](crate::ScriptingMode::Inert) and [`Fragment`](crate::ScriptingMode::Fragment). A script that stands in the
    /// contents of a template, or in what was taken out of the document, is given as well; browsers do not run it.
    ///
    /// To be set before the first chunk: of formatting elements that are read earlier, those that are made again have the
    /// attributes that scripts gave to the first one, not those of its tag.
    pub fn pause_at_scripts(&mut self, pauses: bool) {
        let is_later =
            matches!(self.options.scripting, ScriptingMode::Inert | ScriptingMode::Fragment);
        self.builder.scripts.pauses = pauses && !is_later;
    }

    /// Parses the next chunk, up to the first script in it, which is returned. After it the rest waits for
    /// [`resume_after_script`](Self::resume_after_script).
    pub fn feed_to_script(&mut self, chunk: &str) -> Option<S::Node> {
        let progress = self.feed_chunk(chunk);
        self.script_at(progress)
    }

    /// Goes on after a script, and returns the next one. After a script in a text that was written, it goes on to the end
    /// of that text and no farther; the next call goes on after it.
    pub fn resume_after_script(&mut self) -> Option<S::Node> {
        let progress = self.go_on();
        let script = self.script_at(progress);
        if script.is_none() {
            self.take_set_aside();
        }
        script
    }

    /// Parses a text that the script has written at which the parser has paused, as far as it can be parsed without what
    /// follows; returns the first script in it, after which [`resume_after_script`](Self::resume_after_script) goes on. If
    /// there is none, the script can write more.
    pub fn write_text(&mut self, text: &str) -> Option<S::Node> {
        self.is_new = false;
        let rest = self.tokenizer.set_aside();
        self.builder.scripts.set_aside.push(rest);
        let progress = self.feed_piece(text);
        let script = self.script_at(progress);
        if script.is_none() {
            self.take_set_aside();
        }
        script
    }

    /// What was written is read: what follows comes next.
    fn take_set_aside(&mut self) {
        if let Some(rest) = self.builder.scripts.set_aside.pop() {
            self.tokenizer.hold(&rest);
        }
    }

    /// The script at which the parser has paused.
    fn script_at(&mut self, progress: Progress) -> Option<S::Node> {
        let script = self.builder.scripts.at.take();
        script.filter(|_| progress == Progress::Paused)
    }
}
