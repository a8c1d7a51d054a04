//! Follows the edges of a machine together with the next input, as far as it is known. After an edge that consumes, any
//! input may be next; after others it is unchanged.

use super::CheckContext;
use super::flow::{Edge, Outcome};
use super::inputs::{FirstCharacters, InputClass, classes};
use crate::model::{State, StateId};
use std::collections::{BTreeSet, HashSet};

/// A transition that consumes no input: a single edge, or a whole call that returns nothing.
#[derive(Clone, Copy)]
pub(super) struct Move {
    /// Index of the situation reached.
    pub(super) to: usize,
    /// The edge taken; `None` for a whole call that returned nothing.
    pub(super) edge: Option<Edge>,
}

/// The next input: the index of its class, or `None` if it is unknown.
pub(super) type NextClass = Option<usize>;

/// The edges of a machine, restricted by the class of the next input.
pub(super) struct Follower<'s, 'm> {
    context: &'s CheckContext<'m>,
    /// The classes of inputs that the machine's rows distinguish.
    pub(super) classes: Vec<InputClass>,
    /// For each class of inputs, by state and row, whether the row can match; meaningless for states that match no
    /// input.
    rows: Vec<Vec<Vec<bool>>>,
}

impl<'s, 'm> Follower<'s, 'm> {
    pub(super) fn new(context: &'s CheckContext<'m>) -> Self {
        let machine = context.machine;
        let (firsts, classes) = (FirstCharacters::new(machine), classes(machine));
        let rows_of_state = |state: &State, class| {
            let possible_rows = firsts.rows(machine, state, class);
            (0..state.rows.len()).map(|row| possible_rows.contains(&row)).collect()
        };
        let rows_of_class =
            |class| machine.states.iter().map(|state| rows_of_state(state, class)).collect();
        let rows = classes.iter().map(rows_of_class).collect();
        Self { context, classes, rows }
    }

    pub(super) fn state(&self, index: usize) -> StateId {
        self.context.flow.situations[index].state
    }

    fn consumes_input(&self, index: usize) -> bool {
        self.context.machine.state(self.state(index)).consumes_input()
    }

    /// Whether the edge can be taken before an input of this class; always true of calls, and of rows that match no
    /// input.
    fn can_take(&self, index: usize, edge: Edge, class: usize) -> bool {
        match edge.via {
            Some((row, _)) if self.consumes_input(index) => {
                self.rows[class][usize::from(self.state(index).0)][row]
            }
            _ => true,
        }
    }

    /// Whether the next input is unchanged after the edge.
    fn keeps_input(&self, index: usize, edge: Edge, class: usize) -> bool {
        !self.consumes_input(index)
            || matches!(self.classes[class], InputClass::End)
            || self.context.row_and_path(index, edge).is_some_and(|(_, path)| path.reconsumes())
    }

    /// Whether the edge is the `return nothing` of a procedure, as shown by the result in its target.
    fn returns_nothing(&self, edge: Edge) -> bool {
        let situations = &self.context.flow.situations;
        edge.to.is_some_and(|to| situations[to].result == Some(Outcome::Nothing))
    }

    /// Returns the edges that can be taken before an input of this class, each with its target and the next input after
    /// it. Edges without a target are omitted.
    fn steps(
        &self,
        index: usize,
        class: usize,
    ) -> impl Iterator<Item = (Edge, usize, NextClass)> + '_ {
        self.context.flow.edges[index].iter().filter_map(move |&edge| {
            let to = edge.to.filter(|_| self.can_take(index, edge, class))?;
            Some((edge, to, self.keeps_input(index, edge, class).then_some(class)))
        })
    }

    /// Returns the moves that are possible before an input of this class. A call that returns nothing is a single move,
    /// because `return nothing` gives back the input that the procedure consumed.
    pub(super) fn moves(&self, index: usize, class: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        for (edge, to, next) in self.steps(index, class) {
            if edge.via.is_none() {
                let continuations = self.continuations(to, class);
                moves.extend(continuations.into_iter().map(|to| Move { to, edge: None }));
            }
            if next.is_some() && !self.returns_nothing(edge) {
                moves.push(Move { to, edge: Some(edge) });
            }
        }
        moves
    }

    /// Returns the situations in which callers continue if the procedure that starts at `start`, before an input of
    /// class `class`, returns nothing.
    fn continuations(&self, start: usize, class: usize) -> BTreeSet<usize> {
        let mut visited = HashSet::from([(start, Some(class))]);
        let mut open = vec![(start, Some(class))];
        let mut continuations = BTreeSet::new();
        while let Some((at, next)) = open.pop() {
            for class in self.possible_classes(next) {
                for (edge, to, next) in self.steps(at, class) {
                    let is_in_procedure = self.context.flow.situations[to].caller.is_some();
                    if self.returns_nothing(edge) {
                        continuations.insert(to);
                    } else if is_in_procedure && visited.insert((to, next)) {
                        open.push((to, next));
                    }
                }
            }
        }
        continuations
    }

    /// Returns the edges that can be taken before the input `next`: the index of each in its situation, and the next
    /// input that is possible after it.
    pub(super) fn edges(&self, at: usize, next: NextClass) -> Vec<(usize, NextClass)> {
        let mut edges = Vec::new();
        for (index, &edge) in self.context.flow.edges[at].iter().enumerate() {
            let takes = |class: &usize| self.can_take(at, edge, *class);
            // The input that `return nothing` gives back is not tracked, so any input may be next.
            let keeps =
                |class: &usize| self.keeps_input(at, edge, *class) && !self.returns_nothing(edge);
            let (kept, lost): (Vec<usize>, Vec<usize>) =
                self.possible_classes(next).filter(takes).partition(keeps);
            match (next, &kept[..], &lost[..]) {
                (_, [], []) => {}
                (_, _, [_, ..]) => edges.push((index, None)),
                (None, kept, []) if kept.len() == self.classes.len() => edges.push((index, None)),
                (_, kept, []) => edges.extend(kept.iter().map(|&class| (index, Some(class)))),
            }
        }
        edges
    }

    fn possible_classes(&self, next: NextClass) -> std::ops::Range<usize> {
        match next {
            Some(class) => class..class + 1,
            None => 0..self.classes.len(),
        }
    }

    /// Returns, by class and situation, whether the situation is reachable with the class as the next input. `moves`
    /// has the possible moves by class and situation.
    pub(super) fn arrivals(&self, moves: &[Vec<Vec<Move>>]) -> Vec<Vec<bool>> {
        let flow = self.context.flow;
        let mut is_reachable = vec![vec![false; flow.situations.len()]; self.classes.len()];
        let mut open = Vec::new();
        let mut arrive = |to: usize, next: NextClass, open: &mut Vec<(usize, usize)>| {
            for class in self.possible_classes(next) {
                if !std::mem::replace(&mut is_reachable[class][to], true) {
                    open.push((to, class));
                }
            }
        };
        for &at in &flow.starts {
            arrive(at, None, &mut open);
        }
        while let Some((at, class)) = open.pop() {
            for step in &moves[class][at] {
                arrive(step.to, Some(class), &mut open);
            }
            for (edge, to, next) in self.steps(at, class) {
                if next.is_none() && !self.returns_nothing(edge) {
                    arrive(to, None, &mut open);
                }
            }
        }
        is_reachable
    }
}
