//! Conversions of parse errors to the diagnostics of `miette` and `codespan-reporting`, which show them beside the
//! source.

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
#[cfg(feature = "miette")]
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

#[cfg(feature = "codespan")]
impl ParseError {
    /// Converts the error to a `codespan-reporting` diagnostic in the given file.
    ///
    /// ```
    /// use codespan_reporting::files::SimpleFile;
    /// use codespan_reporting::term::{self, Config};
    /// use tabulex::{Options, html};
    ///
    /// let page = "<!DOCTYPE html><p a=1 a=2>";
    /// let error = html::parse(page, Options::new()).errors[0];
    /// let mut shown = String::new();
    /// let file = SimpleFile::new("page.html", page);
    /// term::emit_to_string(&mut shown, &Config::default(), &file, &error.to_codespan(()))?;
    /// assert!(shown.starts_with("warning[duplicate-attribute]") && shown.contains("page.html:1:2"));
    /// # Ok::<(), codespan_reporting::files::Error>(())
    /// ```
    pub fn to_codespan<F>(&self, file: F) -> codespan_reporting::diagnostic::Diagnostic<F> {
        use codespan_reporting::diagnostic::{Diagnostic, Label};
        let label = Label::primary(file, self.span.start..self.span.end);
        let diagnostic = Diagnostic::warning().with_code(self.code).with_labels(vec![label]);
        diagnostic.with_message(self.message()).with_notes(self.url().into_iter().collect())
    }
}
