//! Where the boxes of a picture stand: columns by the number of arrows from a first state, the table's order in each. It
//! knows no format. Invariant: no two boxes touch, and every arrow has a line in the box that it leaves.

use super::{Arrow, Picture, To};

/// Width of a character, in pixels.
pub const CHARACTER: f64 = 6.7;
/// Height of a line, in pixels.
pub const LINE: f64 = 16.0;
/// Between two columns, where arrows bend.
const GUTTER: f64 = 110.0;
/// Between two boxes of a column.
const GAP: f64 = 18.0;
/// Around all.
const MARGIN: f64 = 20.0;
/// Most characters of a label that are shown; the whole row is in the tooltip.
const LONGEST: usize = 34;

/// A box.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// The number of the column.
    pub column: usize,
    /// The arrows that leave it, by index, a line each.
    pub lines: Vec<usize>,
}

/// All boxes of a picture.
#[derive(Clone, Debug)]
pub struct Boxes {
    /// A box for each node.
    pub placed: Vec<Placed>,
    /// Width of the whole.
    pub width: f64,
    /// Height of the whole.
    pub height: f64,
}

/// The label of an arrow, cut where it is long.
pub fn label(arrow: &Arrow) -> String {
    if arrow.label.chars().count() <= LONGEST {
        return arrow.label.clone();
    }
    arrow.label.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// Gives each node its place.
pub fn place(picture: &Picture) -> Boxes {
    let columns = columns(picture);
    let mut placed: Vec<Placed> = Vec::new();
    for (at, node) in picture.nodes.iter().enumerate() {
        let leaves = |index: &usize| picture.arrows[*index].from == node.state;
        let lines: Vec<usize> = (0..picture.arrows.len()).filter(leaves).collect();
        let title = node.name.chars().count() + node.section.chars().count() + 4;
        let longest = lines.iter().map(|&line| width(picture, &picture.arrows[line])).max();
        placed.push(Placed {
            x: 0.0,
            y: 0.0,
            width: longest.unwrap_or_default().max(title) as f64 * CHARACTER + 12.0,
            height: (lines.len() + 1) as f64 * LINE + 10.0,
            column: columns[at],
            lines,
        });
    }
    let count = columns.iter().max().map_or(0, |last| last + 1);
    let mut x = MARGIN;
    for column in 0..count {
        let widest = placed.iter().filter(|it| it.column == column).map(|it| it.width);
        let widest = widest.fold(0.0, f64::max);
        let mut y = MARGIN;
        for at in 0..placed.len() {
            if placed[at].column != column {
                continue;
            }
            let wanted = wanted(picture, &placed, at);
            let one = &mut placed[at];
            (one.x, one.width, one.y) = (x, widest, f64::max(y, wanted));
            y = one.y + one.height + GAP;
        }
        x += widest + GUTTER;
    }
    let height = placed.iter().map(|it| it.y + it.height).fold(0.0, f64::max) + MARGIN;
    Boxes { placed, width: x - GUTTER + MARGIN, height }
}

/// Characters of an arrow's line.
fn width(picture: &Picture, arrow: &Arrow) -> usize {
    let witness = arrow.witness.as_ref().map_or(0, |it| it.chars().count() + 2);
    label(arrow).chars().count() + witness + picture.target(arrow).chars().count() + 4
}

/// The height at which a box would like to stand: at the first line that leads to it from the column before.
fn wanted(picture: &Picture, placed: &[Placed], at: usize) -> f64 {
    let state = picture.nodes[at].state;
    let mut heights =
        placed.iter().filter(|it| it.column + 1 == placed[at].column).flat_map(|it| {
            let lines = it.lines.iter().enumerate();
            lines
                .filter(|(_, line)| picture.arrows[**line].to == To::State(state))
                .map(|(number, _)| it.y + number as f64 * LINE)
        });
    heights.next().unwrap_or_default()
}

/// The column of each node: how many arrows lead to it from a first state, rare ones only where there are no others. Around
/// a state: what leads to it, itself, and where it leads.
fn columns(picture: &Picture) -> Vec<usize> {
    if let Some(centre) = picture.around {
        let leads = |node: &super::Node| {
            let is_before = |it: &Arrow| it.from == node.state && it.to == To::State(centre);
            picture.arrows.iter().any(is_before)
        };
        let column = |node: &super::Node| match node.state == centre {
            true => 1,
            false if leads(node) => 0,
            false => 2,
        };
        return picture.nodes.iter().map(column).collect();
    }
    let mut columns: Vec<Option<usize>> = vec![None; picture.nodes.len()];
    for (at, node) in picture.nodes.iter().enumerate() {
        if node.is_start {
            columns[at] = Some(0);
        }
    }
    loop {
        spread(picture, &mut columns, false);
        if spread(picture, &mut columns, true) {
            continue;
        }
        // What no arrow leads to begins anew.
        match columns.iter_mut().find(|it| it.is_none()) {
            Some(first) => *first = Some(0),
            None => return columns.into_iter().flatten().collect(),
        }
    }
}

/// Gives columns to all that usual arrows lead to, or any; whether there were such.
fn spread(picture: &Picture, columns: &mut [Option<usize>], rare: bool) -> bool {
    let mut any = false;
    let mut column = 0;
    while column <= columns.len() {
        for arrow in picture.arrows.iter().filter(|it| rare || !it.is_rare) {
            let To::State(to) = arrow.to else { continue };
            let (Some(from), Some(to)) = (picture.index(arrow.from), picture.index(to)) else {
                continue;
            };
            if columns[from] == Some(column) && columns[to].is_none() {
                columns[to] = Some(column + 1);
                any = true;
            }
        }
        column += 1;
    }
    any
}
