//! The machine of the dialect: what the macro makes of the table, state by state. Nothing is written here by hand; the
//! published archive has the expansion in this place. Invariant: all that is here comes from `xml-er.states`.

use tabulex_macros::machine;

include!("../../../../spec/tables/xml-er.states");
