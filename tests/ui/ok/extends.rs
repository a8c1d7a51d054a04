//! A dialect of one's own: HTML in which `<{` … `}>` is text, in eight rows.

use tabulex::machine;
use tabulex::Token;

machine! {
    name templates;
    extends html-2013 {
        in state tag-open {
            add '{' => emit "<{"; switch template;
        }
        add state template {
            '}'  => emit current; switch template-close;
            EOF  => reconsume data;
            else => emit current;
        }
        add state template-close {
            '>'  => emit current; switch data;
            '}'  => emit current;
            EOF  => reconsume data;
            else => reconsume template;
        }
    }
}

fn main() {
    let input = "<p>&lt;<{ if a < b &amp; \"<i>\" }}><b>";
    let tokens: Vec<Token<'_>> = tabulex::Tokens::<Templates>::new(input).collect();
    let [Token::StartTag(p), Token::Text(text, _), Token::StartTag(b)] = &tokens[..] else {
        panic!("{tokens:?}")
    };
    assert_eq!((&*p.name, &*b.name), ("p", "b"));
    assert_eq!(text, "<<{ if a < b &amp; \"<i>\" }}>");
}
