//! Serialization of shadow roots in HTML, as the templates that declare them.

use super::HtmlSerializer;
use crate::tree::node_ref::NodeRef;
use crate::tree::shadow::ShadowRootMode;
use std::fmt;

/// The names that declare a shadow root, as given by the rows of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShadowRootDeclaration<'a> {
    /// The name of the template element.
    pub template: &'a str,
    /// The attribute with the mode of the root.
    pub mode: &'a str,
}

/// The attributes of a declaration of a shadow root that do not affect parsing and therefore occur in no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShadowRootNames<'a> {
    /// The attribute that makes a shadow root serializable.
    pub serializable: &'a str,
    /// The attributes that are written after the mode, in this order, if the declaration has them. An attribute listed
    /// with a value is written only if the declaration has that value, ignoring ASCII case.
    pub attributes: &'a [(&'a str, Option<&'a str>)],
}

impl HtmlSerializer<'_> {
    /// Determines whether a fragment is a shadow root, and whether to write it.
    pub(super) fn shadow_root(&self, fragment: NodeRef<'_>) -> ShadowRootTreatment {
        let Some(host) = fragment.host().filter(|host| host.shadow_root().is_some()) else {
            return ShadowRootTreatment::None;
        };
        let (Some(_), Some(names)) = (self.names.shadow_root, self.shadow_root_names) else {
            return ShadowRootTreatment::Omitted;
        };
        let is_serializable = self.writes_serializable_roots
            && host
                .shadow_root_template()
                .is_some_and(|template| template.attribute(names.serializable).is_some());
        if is_serializable || self.shadow_roots.contains(&fragment.id()) {
            ShadowRootTreatment::Written
        } else {
            ShadowRootTreatment::Omitted
        }
    }

    /// Writes the start tag of the template that declares a shadow root.
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
        let mode = host.shadow_root_mode().unwrap_or(ShadowRootMode::Open).as_str();
        write!(out, "<{} {}=\"{mode}\"", declaration.template, declaration.mode)?;
        let declared_value =
            |name| host.shadow_root_template().and_then(|template| template.attribute(name));
        for &(name, expected) in names.attributes {
            let Some(value) = declared_value(name) else { continue };
            if expected.is_none_or(|expected| expected.eq_ignore_ascii_case(value)) {
                write!(out, " {name}=\"{}\"", expected.unwrap_or_default())?;
            }
        }
        out.write_str(">")
    }

    /// Writes the end tag of the template that declares a shadow root.
    pub(super) fn close_shadow_root(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        self.names.shadow_root.map_or(Ok(()), |names| write!(out, "</{}>", names.template))
    }
}

/// The way in which a fragment that may be a shadow root is serialized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShadowRootTreatment {
    /// The fragment is not a shadow root.
    None,
    /// The fragment is a shadow root, and is written as a template that declares it.
    Written,
    /// The fragment is a shadow root, and is omitted.
    Omitted,
}
