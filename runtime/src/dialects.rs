//! The dialects, one leaf each, each a cargo feature. A leaf holds the table's machine and the entry points; what a
//! table can say is not written here. Invariant: deleting a leaf and its line here leaves the rest compiling.

#[cfg(feature = "html")]
pub mod html;
#[cfg(feature = "html-2007")]
pub mod html_2007;
#[cfg(feature = "html-2013")]
pub mod html_2013;
#[cfg(feature = "microxml")]
pub mod microxml;
#[cfg(feature = "microxml-2012-12")]
pub mod microxml_2012_12;
#[cfg(feature = "sky")]
pub mod sky;
#[cfg(feature = "xml-er")]
pub mod xml_er;
