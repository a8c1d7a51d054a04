//! The Sanitizer API of the HTML Standard on trees and on markup: what a configuration does not allow is removed, and by default
//! all that runs scripts.
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
//! [`Sanitizer::sanitize`] is for trees, [`Sanitizer::set_html`] for an element of one, [`Sanitizer::clean`] for markup in and
//! markup out. A tree is as safe as the standard makes it; written to markup and read by somebody else it can become
//! another one, which `clean` rules out for readers that follow the standard, and reports if it cannot.
//!
//! What is allowed is the standard's [`Config`], in Rust or as JSON, or the default, changed step by step. Beside the standard
//! there is what users of ammonia and nh3 know:
//!
//! | ammonia, nh3 | here |
//! | --- | --- |
//! | `tags` | [`only_elements`](Sanitizer::only_elements) |
//! | `add_tags` | [`allow_element`](Sanitizer::allow_element) |
//! | `clean_content_tags` | [`remove_element`](Sanitizer::remove_element) |
//! | tags go, their contents stay (their default) | [`unknown_elements`](Sanitizer::unknown_elements) with [`KeepContents`](UnknownElements::KeepContents) |
//! | tags become text (`strip=False` of bleach) | the same with [`Escape`](UnknownElements::Escape) |
//! | `tag_attributes` | [`allow_element_with`](Sanitizer::allow_element_with) |
//! | `generic_attributes` | [`only_attributes`](Sanitizer::only_attributes) |
//! | `generic_attribute_prefixes` of `data-` | [`data_attributes`](Sanitizer::data_attributes) |
//! | `attribute_filter` | [`filter_attributes`](Sanitizer::filter_attributes) |
//! | `url_schemes`, `url_relative` | [`url_schemes`](Sanitizer::url_schemes), [`relative_urls`](Sanitizer::relative_urls) |
//! | `link_rel` | [`link_rel`](Sanitizer::link_rel) |
//! | `allowed_classes` | [`allow_classes`](Sanitizer::allow_classes) |
//! | `strip_comments` | [`comments`](Sanitizer::comments) |
//!
//! Styles are not read: a style that is allowed stays as it is. Nor is anything said of what pages load, unless a policy of URLs
//! is set.

mod bound;
mod config;
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
