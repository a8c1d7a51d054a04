//! Guides for users of other libraries: the corresponding names, and ported programs. Their code runs as documentation
//! tests.

#[doc = include_str!("../guides/coming-from.md")]
pub mod coming_from {}

#[cfg(all(feature = "html", feature = "select"))]
#[doc = include_str!("../guides/scraper.md")]
pub mod scraper {}

#[cfg(all(feature = "html", feature = "rewrite"))]
#[doc = include_str!("../guides/lol_html.md")]
pub mod lol_html {}

#[cfg(all(feature = "html", feature = "encoding"))]
#[doc = include_str!("../guides/html5ever.md")]
pub mod html5ever {}

#[cfg(feature = "xml")]
#[doc = include_str!("../guides/quick-xml.md")]
pub mod quick_xml {}

#[cfg(all(feature = "html", feature = "text", feature = "links", feature = "sanitize"))]
#[doc = include_str!("../guides/beautiful-soup.md")]
pub mod beautiful_soup {}
