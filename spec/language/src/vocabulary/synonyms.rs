//! Words of other tools, which tables cannot use, mapped to their equivalents here. Used for suggestions only.

/// Words of tables, each with its equivalents in other tools.
type Synonyms = &'static [(&'static str, &'static [&'static str])];

/// Returns the word of tables for a word of other tools, if the list has it.
pub fn equivalent(synonyms: Synonyms, word: &str) -> Option<&'static str> {
    synonyms.iter().find(|(_, others)| others.contains(&word)).map(|(equivalent, _)| *equivalent)
}

/// First words of actions and conditions in other tools, with their equivalents in tables.
pub const SYNONYMS: Synonyms = &[
    ("switch", &["goto", "go", "jump", "next", "enter", "transition", "become", "state"]),
    ("create", &["make", "new", "begin", "start"]),
    ("append", &["push", "put", "add", "concat"]),
    ("emit", &["output", "print", "yield", "produce", "send"]),
    ("error", &["raise", "report", "throw", "fail", "parse-error"]),
    ("ignore", &["skip", "drop", "discard", "nothing", "pass"]),
    ("reconsume", &["unread", "unget", "back", "rewind", "backtrack"]),
    ("set", &["assign", "let", "clear"]),
    ("increase", &["increment", "count"]),
    ("decrease", &["decrement"]),
    ("insert-element", &["insert"]),
    ("pop", &["pop-element"]),
    ("reprocess", &["again", "redo"]),
    ("switch pushed-state", &["pop-state"]),
];

/// Later words of actions and conditions in other tools, with their equivalents in tables.
pub const VALUE_SYNONYMS: Synonyms = &[("end-of-file", &["eof", "EOF", "eoi", "end-of-input"])];

/// Words of patterns in other tools, with their equivalents in tables.
pub const PATTERN_SYNONYMS: Synonyms = &[
    ("else", &["default", "any", "other", "otherwise", "anything"]),
    ("EOF", &["eof", "end-of-file", "eoi", "end-of-input"]),
];
