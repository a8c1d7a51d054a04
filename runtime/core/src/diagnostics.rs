//! Conversion of parse errors to the diagnostics of `miette`, which show them beside the source.

use crate::error::ParseError;

/// A [`miette`] diagnostic with the error's code, its URL, and its message as a label. Attach the source with
/// `with_source_code`.
///
/// ```
/// use miette::{GraphicalReportHandler, GraphicalTheme, Report};
/// use tabulex::{Options, html};
///
/// let page = "<!DOCTYPE html><p a=1 a=2>";
/// let parsed = html::parse(page, Options::new());
/// let report = Report::new(parsed.errors[0]).with_source_code(page);
/// let mut shown = String::new();
/// GraphicalReportHandler::new_themed(GraphicalTheme::none()).render_report(&mut shown, report.as_ref())?;
/// assert!(shown.contains("duplicate-attribute") && shown.contains(page));
/// # Ok::<(), std::fmt::Error>(())
/// ```
impl miette::Diagnostic for ParseError {
    fn code<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        // A parse error is a warning, because it does not stop parsing.
        Some(miette::Severity::Warning)
    }

    fn url<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        Self::url(self).map(|url| Box::new(url) as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = miette::LabeledSpan> + '_>> {
        let label = miette::LabeledSpan::new(
            Some(self.message().into_owned()),
            self.span.start,
            self.span.len(),
        );
        Some(Box::new(std::iter::once(label)))
    }
}
