//! A table in another folder, with its file of named character references beside it.

use tabulex::machine;
use tabulex::owned::Token;

include!("table/greeting.states");

fn main() {
    let tokens: Vec<Token<'_>> = tabulex::Tokens::<Greeting>::new("a &hi; &hill; &x").collect();
    let [Token::Text(text, span)] = &tokens[..] else { panic!("{tokens:?}") };
    assert_eq!(text, "a \u{1F44B} \u{26F0} &x");
    assert_eq!((span.start, span.end), (0, 16));
}
