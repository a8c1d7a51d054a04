//! Draws tables as an SVG picture: a panel per table, with bars on a logarithmic scale. Each bar has a label with the
//! name and value of a contestant.

use crate::field::Agreement;
use crate::table::{Row, Table};
use std::fmt::Write as _;

const WIDTH: f64 = 960.0;
/// The x coordinate of the start of the bars.
const LEFT: f64 = 250.0;
/// The x coordinate of the end of the longest possible bar.
const RIGHT: f64 = 760.0;
/// Height of a bar with its gap.
const BAR: f64 = 22.0;
/// Height of a panel's title.
const TITLE: f64 = 44.0;
/// Height of a panel's axis.
const AXIS: f64 = 30.0;

/// Returns the picture, with a title and a description.
pub fn svg(tables: &[Table], title: &str, about: &str) -> String {
    let panel = |table: &Table| TITLE + AXIS + BAR * table.rows.len() as f64;
    let height = 70.0 + tables.iter().map(panel).sum::<f64>();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    text(&mut svg, 16.0, 28.0, "font-size=\"18\" font-weight=\"bold\"", title);
    text(&mut svg, 16.0, 50.0, "fill=\"#555\"", about);
    let mut top = 70.0;
    for table in tables {
        draw(&mut svg, table, top);
        top += panel(table);
    }
    svg + "</svg>\n"
}

fn draw(svg: &mut String, table: &Table, top: f64) {
    text(svg, 16.0, top + 16.0, "font-weight=\"bold\"", table.name);
    text(svg, LEFT, top + 16.0, "fill=\"#555\"", &table.about);
    let scale = Scale::of(table);
    let bottom = top + TITLE - 14.0 + BAR * table.rows.len() as f64;
    for power in scale.low..=scale.high {
        let x = scale.x(10f64.powi(power));
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>",
            top + TITLE - 18.0
        );
        let label = match power {
            0.. => format!("{}", 10f64.powi(power)),
            _ => format!("{:.*}", power.unsigned_abs() as usize, 10f64.powi(power)),
        };
        text(
            svg,
            x,
            bottom + 15.0,
            "text-anchor=\"middle\" font-size=\"11\" fill=\"#777\"",
            &label,
        );
    }
    text(svg, RIGHT + 60.0, bottom + 15.0, "font-size=\"11\" fill=\"#777\"", table.unit);
    for (index, row) in table.rows.iter().enumerate() {
        bar(svg, row, &scale, top + TITLE - 16.0 + BAR * index as f64, index == 0);
    }
}

fn bar(svg: &mut String, row: &Row, scale: &Scale, top: f64, is_first: bool) {
    let fill = match row.contestant.agreement {
        _ if row.contestant.is_ours() => "#0b6e8f",
        Agreement::Limit => "#c9c9c9",
        _ => "#e09f3e",
    };
    let width = scale.x(row.value) - LEFT;
    let label =
        format!("text-anchor=\"end\" {}", if is_first { "font-weight=\"bold\"" } else { "" });
    text(svg, LEFT - 8.0, top + 14.0, &label, row.contestant.name);
    let _ = writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{}\" fill=\"{fill}\"/>",
        top + 1.0,
        BAR - 6.0
    );
    let value = format!("{:.*}", if row.value < 100.0 { 1 } else { 0 }, row.value);
    let ratio = match row.format_ratio() {
        ratio if is_first || ratio.is_empty() => value,
        ratio => format!("{value}  ({ratio})"),
    };
    text(svg, LEFT + width + 6.0, top + 14.0, "", &ratio);
}

fn text(svg: &mut String, x: f64, y: f64, attributes: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{text}</text>");
}

/// A logarithmic scale between two powers of ten, given by exponents.
struct Scale {
    low: i32,
    high: i32,
}

impl Scale {
    fn of(table: &Table) -> Self {
        let values = || table.rows.iter().map(|row| row.value.max(1e-3));
        let low = values().fold(f64::INFINITY, f64::min).log10().floor() as i32;
        let high = values().fold(0.0, f64::max).log10().ceil() as i32;
        Self { low, high: high.max(low + 1) }
    }

    fn x(&self, value: f64) -> f64 {
        let fraction =
            (value.max(1e-3).log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        LEFT + fraction.max(0.0) * (RIGHT - LEFT)
    }
}
