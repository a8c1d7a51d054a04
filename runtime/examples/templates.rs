//! A custom dialect for HTML with `{{ expressions }}`. The guide to `machine!` shows the part of the table for text,
//! and a resulting node.

use tabulex::{Options, WriteNode as _, machine, parse};

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
fn the_guide_shows_the_table_and_a_node() {
    let (guide, program) = (include_str!("../guides/machine.md"), include_str!("templates.rs"));
    let (before, _) = program.split_once("        in state attribute-value").unwrap();
    let (_, table) = before.split_once("\nmachine! {").unwrap();
    assert!(guide.contains(&format!("\nmachine! {{{table}    }}\n}}\n")), "{table}");
    let node = "<?expression  row < 3 ?>";
    assert!(guide.contains(node) && tree().contains(node), "{}", tree());
    assert!(tree().contains(r#"class="{{ css("note") }}""#), "{}", tree());
}
