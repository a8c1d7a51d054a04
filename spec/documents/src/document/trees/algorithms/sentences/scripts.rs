//! Conditions and actions of algorithms that concern scripts.

use super::{Rule, find};
use pest::iterators::Pair;

/// Translates a condition.
pub(super) fn translate_condition(pair: &Pair<'_, Rule>) -> Option<String> {
    let pair = pair.clone().into_inner().next()?;
    let words = match pair.as_rule() {
        Rule::script_mode => {
            let not = find(&pair, Rule::is_not).map_or("", |_| "not ");
            let mode = find(&pair, Rule::noun_mode)?.as_str().to_lowercase();
            return Some(format!("scripting-mode is {not}{mode}"));
        }
        Rule::script_fragment => "fragment",
        Rule::script_written => "parser was called by document-write",
        Rule::script_current => "current is script",
        Rule::script_alone if find(&pair, Rule::is_not).is_some() => "speculative-parser is set",
        Rule::script_alone => "speculative-parser is not set",
        Rule::script_idle => "no script runs",
        Rule::script_nesting if find(&pair, Rule::is_not).is_some() => "script-nesting is not 0",
        Rule::script_nesting => "script-nesting is 0",
        Rule::script_pending => "pending-script is set",
        Rule::script_styled => "style-sheet blocks scripts",
        Rule::script_unready => "the-script is not ready",
        Rule::script_aborted => "parser was aborted",
        _ => return None,
    };
    Some(words.to_owned())
}

/// Translates an action.
pub(super) fn act(pair: &Pair<'_, Rule>) -> Option<String> {
    let pair = pair.clone().into_inner().next()?;
    let has = |rule| find(&pair, rule).is_some();
    let words = match pair.as_rule() {
        Rule::script_parser => "let parser-document document",
        Rule::script_async => "let force-async false",
        Rule::script_started if has(Rule::script_optionally) => {
            "let already-started true or leave it"
        }
        Rule::script_started => "let already-started true",
        Rule::script_checkpoint => "perform microtask-checkpoint",
        Rule::script_is => "let script current",
        Rule::script_keep => "let old-insertion-point insertion-point",
        Rule::script_before => "let insertion-point before next-character",
        Rule::script_restore => "let insertion-point old-insertion-point",
        Rule::script_undefined => "let insertion-point undefined",
        Rule::script_count if has(Rule::script_more) => "increment script-nesting",
        Rule::script_count => "decrement script-nesting",
        Rule::script_pause => {
            let flag = find(&pair, Rule::script_flag)?;
            return Some(format!("let parser-pause-flag {}", flag.as_str()));
        }
        Rule::script_abort => "return to-caller",
        Rule::script_take => "let the-script pending-script",
        Rule::script_none => "let pending-script none",
        Rule::script_speculate if has(Rule::script_start) => "start speculative-parser",
        Rule::script_speculate => "stop speculative-parser",
        Rule::script_block => "block tokenizer",
        Rule::script_unblock => "unblock tokenizer",
        Rule::script_spin => "wait until no style-sheet blocks scripts and the-script is ready",
        Rule::script_execute => "execute the-script",
        _ => return None,
    };
    Some(words.to_owned())
}
