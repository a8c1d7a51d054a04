//! A table inside of a Rust file, below other code and indented, whose machine and tokens are used.

use tabulex::Named;
use tabulex::Token;

mod shouting {
    tabulex::machine! {
        name shouting;
        document "none";
        start quiet;
        errors eof-in-shout;
        class bang = '!';
        state quiet {
            bang => create comment; switch shout;
            EOF  => emit end-of-file;
            else => emit current;
        }
        state shout {
            bang       => emit comment; switch quiet;
            'A'..='Z'  => append lower to comment;
            EOF        => error eof-in-shout; emit comment; emit end-of-file;
            else       => append current to comment;
        }
    }
}

fn main() {
    let mut tokens = tabulex::Tokens::<shouting::Shouting>::new("so !QUIET! a \u{e9}!x");
    let shown: Vec<String> = tokens
        .by_ref()
        .map(|token| match token {
            Token::Text(text, span) => format!("{text} {}..{}", span.start, span.end),
            Token::Comment(data, span) => format!("[{data}] {}..{}", span.start, span.end),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(shown, ["so  0..3", "[quiet] 3..10", " a \u{e9} 10..15", "[x] 15..17"]);
    assert_eq!(shouting::State::Shout.name(), "shout");
    assert_eq!(shouting::ErrorCode::ALL, [shouting::ErrorCode::EofInShout]);
    assert_eq!(shouting::HostFlag::ALL, []);
}
