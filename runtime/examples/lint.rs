//! Reports the parse errors of a page beside its source, with `miette`.

use miette::{GraphicalReportHandler, GraphicalTheme, Report};
use tabulex::{Options, html};

pub(crate) fn lint(page: &'static str) -> String {
    let (theme, mut output) = (GraphicalTheme::none(), String::new());
    let handler = GraphicalReportHandler::new_themed(theme);
    for error in html::parse(page, Options::new()).errors {
        let report = Report::new(error).with_source_code(page);
        // Writing to a string cannot fail.
        let _ = handler.render_report(&mut output, report.as_ref());
    }
    output
}

const PAGE: &str = "<!DOCTYPE html>\n<p id=a id=b>1\n</q>";

fn main() {
    print!("{}", lint(PAGE));
}

#[test]
fn shows_errors_at_their_positions() {
    let output = lint(PAGE);
    let first_report = "  ! duplicate-attribute at byte 26\n   ,-[2:11]\n";
    let second_report = "  ! unexpected-end-tag at byte 31\n   ,-[3:1]\n";
    assert!(output.contains(first_report) && output.contains(second_report), "{output}");
    let explanation = "\n 2 | <p id=a id=b>1\n   :           |\n   :           `-- The tag already has an attribute";
    assert!(output.contains(explanation), "{output}");
}
