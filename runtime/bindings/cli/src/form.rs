//! The output formats of trees. A format that the dialect does not support is rejected before the input is read.

use crate::near::did_you_mean;
use crate::request::ParseRequest;
use std::fmt;
use tabulex::tree::{HtmlSerializer, Tree};
use tabulex::{Dialect, FragmentContext, WriteNode as _};

/// The names of formats, the default one first.
pub(crate) const FORMATS: &[&str] = &["tree", "html", "json", "xml"];

/// An output format of trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    /// The tree dump of the html5lib tests.
    #[default]
    Tree,
    Html,
    /// Nested JSON arrays.
    Json,
    Xml,
}

impl Format {
    /// Returns the format called `name`.
    pub(crate) fn find(name: &str) -> Result<Self, String> {
        match name {
            "tree" => Ok(Self::Tree),
            "html" => Ok(Self::Html),
            "json" => Ok(Self::Json),
            "xml" => Ok(Self::Xml),
            other => {
                let suggestion = did_you_mean(other, FORMATS);
                let names = FORMATS.join(", ");
                Err(format!("unknown format `{other}`, expected one of {names}{suggestion}"))
            }
        }
    }
}

/// A format together with the options that apply to it.
pub(crate) struct Form {
    format: Format,
    is_fragment: bool,
    /// The name of the fragment's context element, if that is an HTML element.
    context: Option<String>,
    dialect: &'static Dialect,
    serializer: Option<HtmlSerializer<'static>>,
}

impl Form {
    /// Creates the form for the dialect's trees; an error if the dialect does not support the format.
    pub(crate) fn of(
        dialect: &'static Dialect,
        format: Format,
        request: &ParseRequest,
    ) -> Result<Self, String> {
        let serializer = dialect.serializer().map(|serializer| {
            serializer.scripting(request.scripting).serializable_shadow_roots(request.shadow_roots)
        });
        if format == Format::Html && serializer.is_none() {
            let id = dialect.id();
            return Err(format!(
                "the format `html` belongs to dialects of HTML, not to `{id}`; use `xml`"
            ));
        }
        let is_fragment = request.fragment.is_some();
        let context = request.fragment.as_deref().map(FragmentContext::from);
        let context = context.and_then(|context| context.html_name().map(str::to_owned));
        Ok(Self { format, is_fragment, context, dialect, serializer })
    }

    /// Whether the format's output ends with a line feed.
    pub(crate) fn ends_line(&self) -> bool {
        self.format == Format::Tree
    }

    /// Whether the format's output is a JSON value.
    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Writes the tree; for a fragment, the contents of the document element.
    pub(crate) fn write(&self, tree: &Tree, out: &mut dyn fmt::Write) -> fmt::Result {
        let root = tree.document_element().filter(|_| self.is_fragment);
        match (self.format, root) {
            (Format::Tree, None) => tabulex::write_dump(self.dialect, tree, out),
            (Format::Tree, Some(root)) => {
                root.children().try_for_each(|child| child.write_dump(out))
            }
            (Format::Html, root) => {
                let root = root.unwrap_or_else(|| tree.root());
                let Some(serializer) = self.serializer else { return Ok(()) };
                match &self.context {
                    Some(name) => serializer.within(name).write_inner(root, out),
                    None => serializer.write_inner(root, out),
                }
            }
            (Format::Json, None) => tree.root().write_json(out),
            (Format::Json, Some(root)) => out.write_str(&root.children_to_json()),
            (Format::Xml, None) => tree.root().write_xml(out),
            (Format::Xml, Some(root)) => root.children().try_for_each(|child| child.write_xml(out)),
        }
    }
}
