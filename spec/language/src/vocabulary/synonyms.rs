//! Words of other tools for what a table says. No table can use them: they only advise. Invariant: none of them begins a form
//! of the vocabulary, and each stands for one that does, or for a word of patterns.

/// First words of actions, and of conditions, with ours.
pub const SYNONYMS: &[(&str, &str)] = &[
    ("goto", "switch"),
    ("go", "switch"),
    ("jump", "switch"),
    ("next", "switch"),
    ("enter", "switch"),
    ("transition", "switch"),
    ("become", "switch"),
    ("state", "switch"),
    ("make", "create"),
    ("new", "create"),
    ("begin", "create"),
    ("start", "create"),
    ("push", "append"),
    ("put", "append"),
    ("add", "append"),
    ("concat", "append"),
    ("output", "emit"),
    ("print", "emit"),
    ("yield", "emit"),
    ("produce", "emit"),
    ("send", "emit"),
    ("raise", "error"),
    ("report", "error"),
    ("throw", "error"),
    ("fail", "error"),
    ("parse-error", "error"),
    ("skip", "ignore"),
    ("drop", "ignore"),
    ("discard", "ignore"),
    ("nothing", "ignore"),
    ("pass", "ignore"),
    ("unread", "reconsume"),
    ("unget", "reconsume"),
    ("back", "reconsume"),
    ("rewind", "reconsume"),
    ("backtrack", "reconsume"),
    ("assign", "set"),
    ("let", "set"),
    ("clear", "set"),
    ("increment", "increase"),
    ("count", "increase"),
    ("decrement", "decrease"),
    ("insert", "insert-element"),
    ("pop-element", "pop"),
    ("again", "reprocess"),
    ("redo", "reprocess"),
    ("pop-state", "switch pushed-state"),
];

/// Words after the first one, with ours.
pub const VALUE_SYNONYMS: &[(&str, &str)] = &[
    ("eof", "end-of-file"),
    ("EOF", "end-of-file"),
    ("eoi", "end-of-file"),
    ("end-of-input", "end-of-file"),
];

/// Words of patterns, with ours.
pub const PATTERN_SYNONYMS: &[(&str, &str)] = &[
    ("default", "else"),
    ("any", "else"),
    ("other", "else"),
    ("otherwise", "else"),
    ("anything", "else"),
    ("eof", "EOF"),
    ("end-of-file", "EOF"),
    ("eoi", "EOF"),
    ("end-of-input", "EOF"),
];
