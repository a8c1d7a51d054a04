//! Pictures of all built-in tables: every way of every row is drawn, and nothing covers anything else. It compares no text
//! (`commands` does). Invariant: each table has states, and each picture arrows.

use tabulex_workshop::home::{Home, Tables};
use tabulex_workshop::picture::boxes::{CHARACTER, LINE, Placed, label, place};
use tabulex_workshop::picture::{Picture, To, dot, mermaid, svg};

fn pictures() -> Vec<Picture> {
    let home = Home::new("tabulex table", Tables::Folder(tabulex_tables::FOLDER.into()));
    let mut all = Vec::new();
    for name in home.dialects() {
        let table = home.table(&name).expect("a table");
        let machine = table.machine.as_ref().expect("a table without mistakes");
        all.push(Picture::new(&table, machine, None));
        let around = machine.state_ids().map(|state| Picture::new(&table, machine, Some(state)));
        all.extend(around);
    }
    assert!(all.len() > 200, "only {} pictures", all.len());
    all
}

#[test]
fn every_row_leaves_its_box() {
    let home = Home::new("tabulex table", Tables::Folder(tabulex_tables::FOLDER.into()));
    for name in home.dialects() {
        let table = home.table(&name).expect("a table");
        let machine = table.machine.as_ref().expect("a table without mistakes");
        let picture = Picture::new(&table, machine, None);
        assert_eq!(picture.nodes.len(), machine.states.len(), "{name}");
        for state in machine.state_ids() {
            for row in &machine.state(state).rows {
                let text = row.text.split_whitespace().collect::<Vec<_>>().join(" ");
                let is_drawn = picture.arrows.iter().any(|it| it.from == state && it.row == text);
                assert!(is_drawn, "{name}: {text} of {} is not drawn", machine.state(state).name);
            }
        }
        let drawn: usize = place(&picture).placed.iter().map(|it| it.lines.len()).sum();
        assert_eq!(drawn, picture.arrows.len(), "{name}");
    }
}

#[test]
fn boxes_do_not_touch_and_lines_fit() {
    for picture in pictures() {
        let boxes = place(&picture);
        for (at, one) in boxes.placed.iter().enumerate() {
            let name = &picture.nodes[at].name;
            assert!(one.x >= 0.0 && one.x + one.width <= boxes.width, "{name} is not within");
            assert!(one.y >= 0.0 && one.y + one.height <= boxes.height, "{name} is not within");
            assert!(one.height >= (one.lines.len() + 1) as f64 * LINE, "{name} is too low");
            for &line in &one.lines {
                let arrow = &picture.arrows[line];
                let shown = format!("{} → {}", label(arrow), picture.target(arrow));
                let needed = shown.chars().count() as f64 * CHARACTER;
                assert!(needed <= one.width, "{name}: {shown} does not fit");
            }
            let touches = |other: &Placed| {
                one.x < other.x + other.width
                    && other.x < one.x + one.width
                    && one.y < other.y + other.height
                    && other.y < one.y + one.height
            };
            let other = boxes.placed[..at].iter().position(touches);
            assert!(other.is_none(), "{}: {name} covers {other:?}", picture.name);
        }
    }
}

#[test]
fn what_is_around_a_state_touches_it() {
    for picture in pictures() {
        let Some(centre) = picture.around else { continue };
        for arrow in &picture.arrows {
            assert!(arrow.from == centre || arrow.to == To::State(centre));
        }
        for text in [svg::write(&picture), dot::write(&picture), mermaid::write(&picture)] {
            for node in &picture.nodes {
                assert!(text.contains(&node.name), "{} is not in\n{text}", node.name);
            }
        }
    }
}
