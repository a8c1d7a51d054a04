//! Extracts the points and names of a map in XML from its tokens, without a tree.

use tabulex::xml_er::XmlEr;
use tabulex::{TokenReader, TokenRef};

pub(crate) fn points(map: &str) -> (Vec<(f64, f64)>, Vec<String>) {
    let (mut tokens, mut points, mut names) = (TokenReader::<XmlEr>::new(map), vec![], vec![]);
    while let Some(token) = tokens.next_token() {
        let TokenRef::StartTag(tag) = token else { continue };
        let number = |name: &str| tag.attribute(name).and_then(|text| text.parse().ok());
        match tag.name() {
            "node" => points.extend(number("lat").zip(number("lon"))),
            "tag" if tag.attribute("k") == Some("name") => {
                names.extend(tag.attribute("v").map(str::to_owned));
            }
            _ => {}
        }
    }
    (points, names)
}

const MAP: &str = "<osm><node id='1' lat='52.5' lon='13.4'/><node id='2' lat='0' lon='1'>\
    <tag k='name' v='Caf&#xE9; &amp; Bar'/><tag k='a' v='b'/></node></osm>";

fn main() {
    let (points, names) = points(MAP);
    println!("{points:?} {names:?}");
}

#[test]
fn extracts_points_and_names() {
    assert_eq!(points(MAP), (vec![(52.5, 13.4), (0.0, 1.0)], vec!["Café & Bar".to_owned()]));
}
