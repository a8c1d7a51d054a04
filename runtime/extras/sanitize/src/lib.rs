//! The Sanitizer API of the HTML Standard for trees and markup: removes everything that a configuration does not allow
//! and, by default, everything that runs scripts.
//!
//! ```
//! use tabulex::html::Html;
//! use tabulex::sanitize::Sanitizer;
//!
//! let markup = "<p style=color:red>Hi <a href=javascript:x()>you</a><img src=x onerror=y()><svg><script>z()</script>";
//! let clean = Sanitizer::new().clean::<Html>(markup)?;
//! assert_eq!(clean, "<p>Hi <a>you</a><svg></svg></p>");
//! # Ok::<(), tabulex::sanitize::Unstable>(())
//! ```
//!
//! [`Sanitizer::sanitize`] sanitizes a tree, [`Sanitizer::set_html`] the new contents of an element,
//! [`Sanitizer::clean`] markup. A sanitized tree is as safe as the standard makes it; serialized and parsed elsewhere,
//! it can become a different tree. `clean` rules this out for parsers that follow the standard, and returns an error if
//! it cannot.
//!
//! Allowed nodes are given by the standard's [`Config`], in Rust or, with the feature `json` (of `tabulex`:
//! `sanitize-json`), as JSON, or by modifying the default. Features known from ammonia and nh3 correspond to these
//! methods:
//!
//! | ammonia, nh3 | here |
//! | --- | --- |
//! | `tags` | [`only_elements`](Sanitizer::only_elements) |
//! | `add_tags` | [`allow_element`](Sanitizer::allow_element) |
//! | `clean_content_tags` | [`remove_element`](Sanitizer::remove_element) |
//! | tags are removed, contents kept (their default) | [`unknown_elements`](Sanitizer::unknown_elements) with [`KeepContents`](UnknownElements::KeepContents) |
//! | tags become text (`strip=False` of bleach) | [`unknown_elements`](Sanitizer::unknown_elements) with [`Escape`](UnknownElements::Escape) |
//! | `tag_attributes` | [`allow_element_with`](Sanitizer::allow_element_with) |
//! | `generic_attributes` | [`only_attributes`](Sanitizer::only_attributes) |
//! | `generic_attribute_prefixes` of `data-` | [`data_attributes`](Sanitizer::data_attributes) |
//! | `attribute_filter` | [`filter_attributes`](Sanitizer::filter_attributes) |
//! | `url_schemes`, `url_relative` | [`url_schemes`](Sanitizer::url_schemes), [`relative_urls`](Sanitizer::relative_urls) |
//! | `link_rel` | [`link_rel`](Sanitizer::link_rel) |
//! | `allowed_classes` | [`allow_classes`](Sanitizer::allow_classes) |
//! | `strip_comments` | [`comments`](Sanitizer::comments) |
//!
//! Styles are not parsed: an allowed style is kept unchanged. Which resources pages load is not restricted unless a URL
//! policy is set.

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod bound;
mod config;
#[cfg(feature = "json")]
mod json;
mod lists;
mod name;
mod policy;
mod rules;
mod sanitizer;

pub use config::{Config, ConfigError, Element};
pub use name::Name;
pub use policy::UnknownElements;
pub use sanitizer::{Sanitizer, Unstable};
