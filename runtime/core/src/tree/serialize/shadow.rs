//! Shadow roots as the serialization of HTML writes them: as the templates that declare them. The names are given.
//! Invariant: a shadow root that is not asked for leaves no trace.

use super::HtmlSerializer;
use crate::tree::node_ref::NodeRef;
use crate::tree::shadow::ShadowRootMode;
use std::fmt;

/// What declares a shadow root. It comes from the rows of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShadowRootDeclaration<'a> {
    /// The element.
    pub template: &'a str,
    /// The attribute that says whether scripts can reach the root.
    pub mode: &'a str,
}

/// The attributes of a declaration that make no difference to parsing, and so stand in no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShadowRootNames<'a> {
    /// The attribute without which the root is written only if it is asked for by itself.
    pub serializable: &'a str,
    /// The attributes that are written after the mode where the declaration has them, in order; some only if they have
    /// this value, in any case of ASCII letters.
    pub attributes: &'a [(&'a str, Option<&'a str>)],
}

impl HtmlSerializer<'_> {
    /// Whether the fragment is the shadow root of an element, and is written before what is in that element.
    pub(super) fn shadow_root(&self, fragment: NodeRef<'_>) -> ShadowRoot {
        let Some(host) = fragment.host().filter(|host| host.shadow_root().is_some()) else {
            return ShadowRoot::None;
        };
        let is_serializable = self.serializable_shadow_roots
            && self.shadow_root_names.is_some_and(|names| {
                let template = host.shadow_root_template();
                template.is_some_and(|template| template.attribute(names.serializable).is_some())
            });
        if is_serializable || self.shadow_roots.contains(&fragment.id()) {
            ShadowRoot::Written
        } else {
            ShadowRoot::LeftOut
        }
    }

    /// Writes the tag with which the declaration of the shadow root begins.
    pub(super) fn open_shadow_root(
        &self,
        fragment: NodeRef<'_>,
        out: &mut dyn fmt::Write,
    ) -> fmt::Result {
        let (Some(declaration), Some(names), Some(host)) =
            (self.names.shadow_root, self.shadow_root_names, fragment.host())
        else {
            return Ok(());
        };
        let mode = match host.shadow_root_mode() {
            Some(ShadowRootMode::Closed) => "closed",
            _ => "open",
        };
        write!(out, "<{} {}=\"{mode}\"", declaration.template, declaration.mode)?;
        let declared = |name| host.shadow_root_template().and_then(|it| it.attribute(name));
        for &(name, wanted) in names.attributes {
            let Some(value) = declared(name) else { continue };
            if wanted.is_none_or(|wanted| wanted.eq_ignore_ascii_case(value)) {
                write!(out, " {name}=\"{}\"", wanted.unwrap_or_default())?;
            }
        }
        out.write_str(">")
    }

    /// Writes the tag with which it ends.
    pub(super) fn close_shadow_root(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        self.names.shadow_root.map_or(Ok(()), |names| write!(out, "</{}>", names.template))
    }
}

/// What is written of a fragment as a shadow root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShadowRoot {
    /// It is none.
    None,
    /// The declaration.
    Written,
    /// Nothing.
    LeftOut,
}
