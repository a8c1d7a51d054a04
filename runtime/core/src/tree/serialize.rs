//! Serialization of trees as HTML. Nothing here recurses.

mod escape;
mod html;
mod shadow;
mod steps;

pub use escape::escape;
pub use html::{HtmlSerializer, SerializerNames};
pub use shadow::{ShadowRootDeclaration, ShadowRootNames};
pub use steps::{Pieces, SerializerSteps, StepsWriter, WrittenNode};
