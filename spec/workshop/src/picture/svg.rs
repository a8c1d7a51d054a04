//! A picture as SVG. Each box lists the rows of its state; an arrow leaves the line of its row. Arrows lie below boxes, so
//! that the lines stay readable. Invariant: the same picture gives the same text.

use super::boxes::{Boxes, CHARACTER, LINE, Placed, label, place};
use super::{Arrow, Picture, To};
use std::fmt::Write as _;

/// States that more arrows lead to than this are named at the arrows, which end there: their lines would cover all others.
const POPULAR: usize = 14;

const STYLE: &str = "text{font:11px 'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1d2733;white-space:pre}\
.box{fill:#fff;stroke:#7a8796}.first{stroke:#1a6bb5;stroke-width:2}.title{font-weight:bold}.head{fill:#e8eef5}\
.section{fill:#6a7683}.rare text,.rare{fill:#8a94a0}.witness{fill:#1c7a3f}.rare .witness{fill:#7aa98a}\
path{fill:none;stroke:#3f6d9c;stroke-width:1.1}path.rare{fill:none;stroke:#d3d8de;stroke-width:.9}\
marker path{fill:#3f6d9c;stroke:none}marker.rare path{fill:#c3c9d1}";

/// Writes the picture.
pub fn write(picture: &Picture) -> String {
    let boxes = place(picture);
    let Boxes { width, height, .. } = boxes;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n<defs>{}{}</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#f7f9fb\"/>\n",
        escaped(&picture.name),
        marker("tip", ""),
        marker("pale", " class=\"rare\""),
    );
    for is_rare in [true, false] {
        for (at, one) in boxes.placed.iter().enumerate() {
            for (number, &index) in one.lines.iter().enumerate() {
                let arrow = &picture.arrows[index];
                if arrow.is_rare == is_rare {
                    out += &path(picture, &boxes, at, number, arrow);
                }
            }
        }
    }
    for (node, one) in picture.nodes.iter().zip(&boxes.placed) {
        let Placed { x, y, width, height, .. } = one;
        let class = if node.is_start { "box first" } else { "box" };
        let _ = write!(
            out,
            "<g><rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\"/>\
             <rect class=\"head\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{LINE}\" rx=\"3\"/>\
             <text class=\"title\" x=\"{:.1}\" y=\"{:.1}\">{}</text>{}",
            x + 2.0,
            y + 2.0,
            width - 4.0,
            x + 6.0,
            y + 14.0,
            escaped(&node.name),
            at_end("section", x + width - 6.0, y + 14.0, &node.section),
        );
        out.push('\n');
        for (number, &index) in one.lines.iter().enumerate() {
            out += &line(picture, one, number, &picture.arrows[index]);
        }
        out += "</g>\n";
    }
    out + "</svg>\n"
}

fn marker(id: &str, class: &str) -> String {
    format!(
        "<marker id=\"{id}\"{class} viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 1 8 4 0 7z\"/></marker>"
    )
}

/// A line of a box: what the row looks at, its input, where it goes.
fn line(picture: &Picture, one: &Placed, number: usize, arrow: &Arrow) -> String {
    let y = baseline(one, number);
    let label = label(arrow);
    let mut out = format!(
        "<g{}><title>{}</title><text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
        if arrow.is_rare { " class=\"rare\"" } else { "" },
        escaped(if arrow.row.is_empty() { &arrow.label } else { &arrow.row }),
        one.x + 6.0,
        escaped(&label),
    );
    if let Some(witness) = &arrow.witness {
        let x = one.x + 6.0 + (label.chars().count() + 2) as f64 * CHARACTER;
        let _ = write!(
            out,
            "<text class=\"witness\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            escaped(witness)
        );
    }
    let target = format!("→ {}", picture.target(arrow));
    out + &at_end("section", one.x + one.width - 6.0, y, &target) + "</g>\n"
}

fn at_end(class: &str, x: f64, y: f64, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!(
        "<text class=\"{class}\" text-anchor=\"end\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
        escaped(text)
    )
}

fn baseline(one: &Placed, number: usize) -> f64 {
    one.y + (number + 1) as f64 * LINE + 16.0
}

/// The line from a row to a box; nothing where the row stays, leaves the picture, or goes where most do.
fn path(picture: &Picture, boxes: &Boxes, at: usize, number: usize, arrow: &Arrow) -> String {
    let To::State(state) = arrow.to else { return String::new() };
    let Some(to) = picture.index(state).filter(|to| *to != at) else { return String::new() };
    let one = &boxes.placed[at];
    let target = &boxes.placed[to];
    let y = baseline(one, number) - 4.0;
    let class = if arrow.is_rare { " class=\"rare\"" } else { "" };
    let tip = if arrow.is_rare { "pale" } else { "tip" };
    let right = one.x + one.width;
    let end = target.y + 10.0;
    let d = if picture.around.is_none() && is_popular(picture, arrow.to) {
        format!("M{right:.1} {y:.1}h14")
    } else if target.column > one.column {
        bend((right, y), (target.x, end), (1.0, -1.0))
    } else if target.column == one.column {
        bend((right, y), (target.x + target.width, end), (1.0, 1.0))
    } else {
        bend((one.x, y), (target.x + target.width, end), (-1.0, 1.0))
    };
    format!("<path{class} marker-end=\"url(#{tip})\" d=\"{d}\"/>\n")
}

fn bend(from: (f64, f64), to: (f64, f64), sides: (f64, f64)) -> String {
    let reach = 46.0;
    format!(
        "M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
        from.0,
        from.1,
        from.0 + reach * sides.0,
        from.1,
        to.0 + reach * sides.1,
        to.1,
        to.0,
        to.1
    )
}

/// Whether more arrows lead there than can be drawn.
fn is_popular(picture: &Picture, to: To) -> bool {
    let others = |it: &&Arrow| it.to == to && To::State(it.from) != to;
    picture.arrows.iter().filter(others).count() > POPULAR
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
