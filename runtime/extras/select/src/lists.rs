//! The standard's lists of elements and types, included from `spec/tables/html.selectors`. No other file of this package
//! names an element.

use tabulex_core::__private::lists;

include!("../../../../spec/tables/html.selectors");
