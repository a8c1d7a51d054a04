//! The Sanitizer API of the HTML standard (its text of 2026-04-29) on trees: what a configuration does not allow is removed,
//! and by default all that runs scripts. Markup that is returned is read again before. It decides nothing about styles,
//! what pages load, or where links lead, but for scripts. Invariant: the lists are those of the standard.
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

mod bound;
mod config;
mod lists;
mod name;
mod sanitizer;

pub use config::NotReplaceable;
pub use sanitizer::{Sanitizer, Unstable};
