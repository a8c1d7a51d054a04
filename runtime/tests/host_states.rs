//! Test of states that return to a caller but are set by a host, so that no state has called them. Characters consumed
//! by an earlier call must not be reconsumed.

#![cfg(feature = "html-2013")]

use tabulex::html_2013::{Html2013, State};
use tabulex::{Control, MachineSink, Sink, Text, Tokenizer};

/// A sink that concatenates texts.
#[derive(Default)]
struct Texts(String);

impl MachineSink for Texts {}

impl Sink for Texts {
    fn text(&mut self, text: Text<'_>) -> Control {
        self.0.push_str(text.text);
        Control::Continue
    }
}

/// Returns the text of an input in two parts; the second one starts in a state that returns to its caller.
fn joined_text(first: &str, second: &str) -> String {
    let (mut tokenizer, mut sink) = (Tokenizer::<Html2013>::new(), Texts::default());
    let _ = tokenizer.feed(first, &mut sink);
    tokenizer.set_state(State::CharacterReference);
    let _ = tokenizer.feed(second, &mut sink);
    let _ = tokenizer.finish(&mut sink);
    sink.0
}

#[test]
fn does_not_reconsume_characters_of_an_earlier_call() {
    assert_eq!(joined_text("&amp;b", "amp;c"), "&b&c");
    assert_eq!(joined_text("&amp;b", " c"), "&b& c");
    assert_eq!(joined_text("&#38;b", "#c"), "&b&c");
    assert_eq!(joined_text("& b", " c"), "& b& c");
    assert_eq!(joined_text("&x b", "&amp;"), "&x b&&");
}
