//! Tests the graphs of all built-in tables.

use tabulex_language::model::{StateId, Transfer};
use tabulex_workshop::home::{Home, Tables};
use tabulex_workshop::picture::StateGraph;

/// Returns the graph of each table, and that of the neighborhood of each state, after the state.
fn graphs() -> Vec<(Option<StateId>, StateGraph)> {
    let home = Home::new("tabulex table", Tables::Folder(tabulex_tables::FOLDER.into()));
    let mut graphs = Vec::new();
    for name in home.dialects() {
        let table = home.table(&name).unwrap();
        let machine = table.machine.as_ref().unwrap();
        let centers = std::iter::once(None).chain(machine.state_ids().map(Some));
        graphs.extend(centers.map(|center| (center, StateGraph::new(&table, machine, center))));
    }
    assert!(
        graphs.len() > 200,
        "only {} graphs were created, expected more than 200",
        graphs.len()
    );
    graphs
}

#[test]
fn every_row_has_an_edge() {
    let home = Home::new("tabulex table", Tables::Folder(tabulex_tables::FOLDER.into()));
    for name in home.dialects() {
        let table = home.table(&name).unwrap();
        let machine = table.machine.as_ref().unwrap();
        let graph = StateGraph::new(&table, machine, None);
        assert_eq!(graph.nodes.len(), machine.states.len(), "{name}");
        for state in machine.state_ids() {
            for row in &machine.state(state).rows {
                // Edges have the text of rows without comments.
                let lines = row.text.lines().filter_map(|line| line.split("// ").next());
                let words: Vec<_> = lines.flat_map(str::split_whitespace).collect();
                let row_text = words.join(" ");
                let has_edge = graph.edges.iter().any(|it| it.from == state && it.row == row_text);
                assert!(
                    has_edge,
                    "`{name}`: no edge for row `{row_text}` of state `{}`",
                    machine.state(state).name
                );
            }
        }
    }
}

#[test]
fn neighborhood_edges_touch_the_state() {
    for (center, graph) in graphs() {
        let Some(center) = center else { continue };
        for edge in &graph.edges {
            assert!(edge.from == center || edge.to == Transfer::To(center));
        }
        for text in [graph.dot(), graph.mermaid()] {
            for node in &graph.nodes {
                assert!(text.contains(&node.name), "no node `{}` in:\n{text}", node.name);
            }
        }
    }
}
