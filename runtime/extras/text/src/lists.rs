//! The standard's lists of elements, included from `spec/tables/html.text`. No other file of this package names an element.

use tabulex_core::__private::lists;

include!("../../../../spec/tables/html.text");
