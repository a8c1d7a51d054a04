//! Divides a document into sections, each of which has the blocks under one heading.

use super::blocks::{Block, BlockKind};
use super::english;
use super::profile::Profile;
use tabulex_language::model::kebab_case;

/// The blocks under a heading.
#[derive(Clone, Debug, Default)]
pub(super) struct Section {
    /// Text of the heading, including the number.
    pub(super) title: String,
    /// Name of the state that the section describes, if any.
    pub(super) state: Option<String>,
    /// Line of the heading.
    pub(super) line: usize,
    /// Number of lists that contain the heading.
    depth: usize,
    /// Blocks under the heading.
    pub(super) blocks: Vec<Block>,
}

/// Returns the heading to be inserted before a paragraph: that of the profile, or the state that the paragraph describes
/// as a case of an algorithm.
pub(super) fn title_before(paragraph: &str, profile: &Profile) -> Option<String> {
    let title = profile.title_before(paragraph).map(str::to_owned);
    title.or_else(|| english::case_of_state(paragraph))
}

/// Inserts the headings that paragraphs need before them.
pub(super) fn insert_titles(blocks: Vec<Block>, profile: &Profile) -> Vec<Block> {
    let with_title = |block: Block| {
        let is_text = matches!(block.kind, BlockKind::Body | BlockKind::Item);
        let is_titled = |_: &String| is_text || profile.title_before(&block.text).is_some();
        let text = title_before(&block.text, profile).filter(is_titled);
        let heading = text.map(|text| Block { kind: BlockKind::Heading, text, ..block.clone() });
        heading.into_iter().chain([block])
    };
    blocks.into_iter().flat_map(with_title).collect()
}

/// Divides the blocks from one heading up to another into sections.
pub(super) fn divide(blocks: &[Block], from: &str, to: &str) -> Vec<Section> {
    let (mut sections, mut outer_section) = (Vec::new(), Section::default());
    let mut is_inside = from.is_empty();
    if is_inside {
        sections.push(Section::default());
    }
    for block in blocks {
        if block.kind == BlockKind::Heading {
            if !is_inside && is_same_heading(&block.text, from) {
                is_inside = true;
            } else if is_inside && is_same_heading(&block.text, to) {
                break;
            }
            // If several consecutive headings name a state, only the first begins a section.
            let section = section(block);
            if section.state.is_none() {
                outer_section.clone_from(&section);
            }
            let names_state = |last: &Section| last.state.is_some() && last.blocks.is_empty();
            if is_inside && !(section.state.is_some() && sections.last().is_some_and(names_state)) {
                sections.push(section);
            }
        } else if is_inside {
            let is_after_list = |last: &Section| last.state.is_some() && block.depth < last.depth;
            if sections.last().is_some_and(is_after_list) {
                // The list of states has ended; what follows continues the section that contains the list.
                sections.push(outer_section.clone());
            }
            sections.last_mut().into_iter().for_each(|last| last.blocks.push(block.clone()));
        }
    }
    sections
}

/// Splits a heading into its number, if it has one, and its title.
pub(super) fn split_number(heading: &str) -> (Option<&str>, &str) {
    let is_number = |word: &str| word.split('.').all(|part| part.parse::<u32>().is_ok());
    match heading.split_once(' ').filter(|(number, _)| is_number(number)) {
        Some((number, title)) => (Some(number), title),
        None => (None, heading),
    }
}

/// Whether two headings are equal, ignoring section numbers, which change between editions.
pub(super) fn is_same_heading(one: &str, other: &str) -> bool {
    let words = |heading: &str| {
        let is_number_character = |part: char| part.is_ascii_digit() || matches!(part, '.' | ' ');
        heading.trim_start_matches(is_number_character).to_owned()
    };
    words(one) == words(other)
}

fn section(block: &Block) -> Section {
    let state = english::heading(&block.text).map(kebab_case);
    let (title, line, depth) = (block.text.clone(), block.line, block.depth);
    Section { title, state, line, depth, blocks: Vec::new() }
}
