//! Tests the graphs of all built-in tables.

use tabulex_workshop::home::{Home, Tables};
use tabulex_workshop::picture::{EdgeTarget, StateGraph, dot, mermaid};

fn pictures() -> Vec<StateGraph> {
    let home = Home::new("tabulex table", Tables::Folder(tabulex_tables::FOLDER.into()));
    let mut all = Vec::new();
    for name in home.dialects() {
        let table = home.table(&name).unwrap();
        let machine = table.machine.as_ref().unwrap();
        all.push(StateGraph::new(&table, machine, None));
        let around = machine.state_ids().map(|state| StateGraph::new(&table, machine, Some(state)));
        all.extend(around);
    }
    assert!(all.len() > 200, "only {} pictures", all.len());
    all
}

#[test]
fn every_row_has_an_edge() {
    let home = Home::new("tabulex table", Tables::Folder(tabulex_tables::FOLDER.into()));
    for name in home.dialects() {
        let table = home.table(&name).unwrap();
        let machine = table.machine.as_ref().unwrap();
        let picture = StateGraph::new(&table, machine, None);
        assert_eq!(picture.nodes.len(), machine.states.len(), "{name}");
        for state in machine.state_ids() {
            for row in &machine.state(state).rows {
                let text = row.text.split_whitespace().collect::<Vec<_>>().join(" ");
                let is_drawn = picture.edges.iter().any(|it| it.from == state && it.row == text);
                assert!(is_drawn, "{name}: no edge for {text} of {}", machine.state(state).name);
            }
        }
    }
}

#[test]
fn neighborhood_edges_touch_the_state() {
    for picture in pictures() {
        let Some(centre) = picture.center else { continue };
        for edge in &picture.edges {
            assert!(edge.from == centre || edge.to == EdgeTarget::State(centre));
        }
        for text in [dot::write(&picture), mermaid::write(&picture)] {
            for node in &picture.nodes {
                assert!(text.contains(&node.name), "no node `{}` in\n{text}", node.name);
            }
        }
    }
}
