//! Converts the tables of a page to CSV. A spanning cell is repeated in each slot.

use tabulex::text::tables;
use tabulex::{Options, html};

pub(crate) fn to_csv(page: &str) -> String {
    let mut csv = String::new();
    for table in tables(html::parse(page, Options::new().errors(false)).tree.root()) {
        for row in table.texts() {
            let cells = row.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")));
            csv += &(cells.collect::<Vec<_>>().join(",") + "\r\n");
        }
    }
    csv
}

const PAGE: &str = "<table><tr><th colspan=2>Name<th>Age<tr><td>Ada<td>\"King\"<td rowspan=2>36<tr><td>Al<td>T</table>";

fn main() {
    print!("{}", to_csv(PAGE));
}

#[test]
fn converts_tables_to_rows() {
    let rows =
        ["\"Name\",\"Name\",\"Age\"", "\"Ada\",\"\"\"King\"\"\",\"36\"", "\"Al\",\"T\",\"36\""];
    assert_eq!(to_csv(PAGE), rows.map(|row| row.to_owned() + "\r\n").concat());
}
