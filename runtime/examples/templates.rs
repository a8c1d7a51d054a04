//! HTML with `{{ expressions }}`: a dialect of one's own. It evaluates none of them. Invariant: the README shows this table,
//! and the tree that comes of it.

use tabulex::{Options, machine, parse};

machine! {
    name templates;
    errors eof-in-expression;
    extends html {
        in state data {
            add "{{" => create processing-instruction; append "expression" to target; switch expression;
        }
        add state expression {
            "}}" => switch data; emit processing-instruction;
            EOF  => error eof-in-expression; reconsume data;
            else => append current to data;
        }
        in state attribute-value-double-quoted {
            add "{{" => append matched to attribute-value; switch expression-in-value;
        }
        add state expression-in-value {
            "}}" => append matched to attribute-value; switch attribute-value-double-quoted;
            EOF  => error eof-in-expression; reconsume data;
            else => append current to attribute-value;
        }
    }
}

fn tree() -> String {
    let page =
        r#"<p class="{{ css("note") }}">Dear {{ user.name }},<table><tr>{{ row < 3 }}</table>"#;
    parse::<Templates>(page, &Options::new()).tree.root().to_dump()
}

fn main() {
    print!("{}", tree());
}

#[test]
fn the_readme_shows_the_table_and_the_tree() {
    let (readme, program) = (include_str!("../README.md"), include_str!("templates.rs"));
    let table = program.split_once("\nfn tree").unwrap().0.split_once("\n\n").unwrap().1;
    assert!(readme.contains(table.trim_end()), "{table}");
    assert!(readme.contains(&tree()), "{}", tree());
}
