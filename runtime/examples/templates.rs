//! A dialect of one's own: HTML with `{{ expressions }}`. In text an expression becomes a processing instruction; in a quoted
//! attribute it may contain quotation marks. Invariant: the README shows the code below, word for word.

use tabulex::tree::NodeKind;
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

fn main() {
    let page = r#"<p class="{{ css("note") }}">Dear {{ user.name }},<table><tr>{{ row < 3 }}</table>"#;
    let parsed = parse::<Templates>(page, &Options::new());
    let nodes = || parsed.tree.root().descendants();
    let expressions = nodes().filter(|node| node.kind() == NodeKind::ProcessingInstruction);
    let expressions: Vec<&str> = expressions.filter_map(|node| node.data()).collect();
    assert_eq!(expressions, [" user.name ", " row < 3 "]);
    let p = nodes().find(|node| node.local_name() == Some("p")).unwrap();
    assert_eq!(p.attribute("class"), Some("{{ css(\"note\") }}"));
}
