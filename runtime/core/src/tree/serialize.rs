//! Serialization of trees as HTML. Nothing here recurses.

mod html;
mod steps;

pub use html::{HtmlSerializer, SerializerNames, ShadowRootDeclaration, ShadowRootNames, escape};
pub use steps::{Pieces, SerializerSteps, StepsWriter, WrittenNode};
