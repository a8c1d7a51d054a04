//! A host sets a state of a procedure that no state has called. What procedures return is the business of other suites.
//! Invariant: nothing of an earlier call is given back.

#![cfg(feature = "html-2013")]

use tabulex::html_2013::{Html2013, State};
use tabulex::{Control, Sink, Text, Tokenizer};

/// The texts, one after another.
#[derive(Default)]
struct Texts(String);

impl Sink<Html2013> for Texts {
    fn text(&mut self, text: Text<'_>) -> Control<State> {
        self.0.push_str(text.text);
        Control::Continue
    }
}

/// The texts of an input whose second part begins in the procedure.
fn texts(first: &str, second: &str) -> String {
    let (mut tokenizer, mut sink) = (Tokenizer::<Html2013>::new(), Texts::default());
    let _ = tokenizer.feed(first, &mut sink);
    tokenizer.set_state(State::CharacterReference);
    let _ = tokenizer.feed(second, &mut sink);
    let _ = tokenizer.finish(&mut sink);
    sink.0
}

#[test]
fn what_an_earlier_call_consumed_is_not_given_back() {
    assert_eq!(texts("&amp;b", "amp;c"), "&b&c");
    assert_eq!(texts("&amp;b", " c"), "&b& c");
    assert_eq!(texts("&#38;b", "#c"), "&b&c");
    assert_eq!(texts("& b", " c"), "& b& c");
    assert_eq!(texts("&x b", "&amp;"), "&x b&&");
}
