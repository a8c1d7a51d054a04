//! A custom dialect for text with `{notes}`. The documentation of `machine!` shows its table and tokens.

use tabulex::Token;
use tabulex::{Tokens, machine};

machine! {
    name notes;
    document "Notes in braces, an example";
    start text;
    errors eof-in-note;

    /// Text outside of braces.
    state text {
        '{'  => create comment; switch note;
        EOF  => emit end-of-file;
        else => emit current;
    }

    /// A note in braces, which do not nest.
    state note {
        '}'  => switch text; emit comment;
        // An unterminated note is dropped.
        EOF  => error eof-in-note; reconsume text;
        else => append current to comment;
    }
}

fn describe_tokens(input: &str) -> String {
    let mut tokens = Tokens::<Notes>::new(input);
    let mut output = String::new();
    for token in tokens.by_ref() {
        output += &match token {
            Token::Text(text, span) => format!("text {text:?} at {span:?}\n"),
            Token::Comment(note, span) => format!("note {note:?} at {span:?}\n"),
            _ => String::new(),
        };
    }
    for error in tokens.take_errors() {
        output += &format!("error {} at {:?}\n", error.code, error.span);
    }
    output
}

fn main() {
    print!("{}", describe_tokens("a {b} c{d"));
}

#[test]
fn the_chapter_shows_the_table_and_its_output() {
    let (chapter, program) = (include_str!("../guides/machine.md"), include_str!("notes.rs"));
    let (_, table) = program.split_once("\nmachine! {").unwrap();
    let (table, _) = table.split_once("\n}\n").unwrap();
    assert!(chapter.contains(&format!("\nmachine! {{{table}\n}}\n")), "{table}");
    assert!(chapter.contains(&describe_tokens("a {b} c{d")), "{}", describe_tokens("a {b} c{d"));
}
