//! A table with states and modes, inline: text in brackets becomes elements.

use tabulex::tree::Tree;
use tabulex::{Options, Parser, machine, parse};

machine! {
    name brackets;
    document "elements in square brackets";
    start text;
    class blank = ' ' | '\n';
    class letter = 'a'..='z';
    errors stray-bracket, open-at-end;

    state text {
        '['  => create start-tag; switch name;
        ']'  => create end-tag; emit tag;
        EOF  => emit end-of-file;
        else => emit current;
    }

    state name {
        letter => append current to tag-name;
        '!'    => set self-closing; emit tag; switch text;
        EOF    => emit end-of-file;
        else   => emit tag; switch text; reconsume;
    }

    names holder = "p";
    tree start before;

    mode before {
        character blank => ignore;
        else            => reprocess inside;
    }

    mode inside {
        character => append-text;
        empty     => append-element;
        start     => insert-element;
        end       => when stack-is-empty { error stray-bracket; } otherwise { pop; }
        EOF       => when open holder { error open-at-end; } stop;
        else      => ignore;
    }
}

fn dump(tree: &Tree) -> String {
    let mut text = String::new();
    for node in tree.root().descendants() {
        match node.name() {
            Some(name) => text += &format!("<{}>", name.local()),
            None => text += &node.text(),
        }
    }
    text
}

fn main() {
    let input = "  [p One [b two] three [br! four]] five [p open";
    let whole = parse::<Brackets>(input, &Options::new());
    assert_eq!(dump(&whole.tree), "<p> One <b> two three <br> four five <p> open");
    let codes: Vec<&str> = whole.errors.iter().map(|error| error.code).collect();
    assert_eq!(codes, ["stray-bracket", "open-at-end"]);
    let mut parser = Parser::<Brackets>::new(&Options::new());
    for character in input.chars() {
        parser.feed(character.encode_utf8(&mut [0; 4]));
    }
    let cut = parser.finish();
    assert!(cut.tree == whole.tree && cut.errors == whole.errors);
}
