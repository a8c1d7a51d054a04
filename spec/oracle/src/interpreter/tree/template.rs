//! Primitives of the algorithms for declarative shadow roots and patching templates: possible hosts, and processing
//! instructions that mark a target.

use super::{NodeId, NodeKind, TreeBuilder, node};
use tabulex_language::model::tree::algorithm::{PatchMark, PatchPart};
use tabulex_language::model::tree::{ElementName, Patching};

/// Target of a patching template: the node into which contents are inserted, and a range of its children.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Patch {
    /// Node into which the contents are inserted.
    pub(super) target: Option<NodeId>,
    /// Processing instruction that starts the target range.
    pub(super) start: Option<NodeId>,
    /// Processing instruction that ends the target range.
    pub(super) end: Option<NodeId>,
}

impl TreeBuilder<'_> {
    /// Whether an element can have a shadow root and has none. It must be an HTML element that is one of `hosts`, or
    /// that has a valid custom element name not in `reserved`.
    pub(super) fn can_be_host(&self, host: NodeId, [hosts, reserved]: [&[ElementName]; 2]) -> bool {
        let Some(name) = self.tree.name(host) else { return false };
        let has_custom_name = name.local.starts_with(|first: char| first.is_ascii_lowercase())
            && name.local.contains('-')
            && !name.local.contains(|other: char| other.is_ascii_uppercase())
            && !reserved.iter().any(|other| other.local == name.local);
        let is_suitable =
            node::is_in_own_namespace(name) && (has_custom_name || self.is_one_of(host, hosts));
        is_suitable && self.node_at(host).shadow_root.is_none()
    }

    /// Whether a node is an HTML element with the name `body`, and its parent is the root element of a document. False
    /// if `body` is `None`.
    pub(super) fn is_body_of_document(&self, node: NodeId, body: Option<&str>) -> bool {
        let root = self.node_at(node).parent;
        let document = root.and_then(|root| self.node_at(root).parent);
        document.is_some_and(|document| self.node_at(document).kind == NodeKind::Document)
            && body.is_some_and(|body| self.tree.is_own_element(node, body))
    }

    /// Whether a node is a processing instruction that is a mark of this kind, with this name if one is given.
    pub(super) fn is_patch_mark(
        &self,
        node: NodeId,
        mark: PatchMark,
        name: Option<&str>,
        patching: &Patching,
    ) -> bool {
        let NodeKind::ProcessingInstruction(target, data) = &self.node_at(node).kind else {
            return false;
        };
        let expected = match mark {
            PatchMark::Place => &patching.marker,
            PatchMark::Start => &patching.start,
            PatchMark::End => &patching.end,
        };
        let is_named = |name| pseudo_attribute(data, &patching.name).as_deref() == Some(name);
        target == expected && name.is_none_or(is_named)
    }

    /// Sets a part of the target of a patching template.
    pub(super) fn set_patch(&mut self, template: NodeId, part: PatchPart, value: Option<NodeId>) {
        let existing_index = self.patches.iter().position(|(other, _)| *other == template);
        let index = existing_index.unwrap_or_else(|| {
            self.patches.push((template, Patch::default()));
            self.patches.len() - 1
        });
        let patch = &mut self.patches[index].1;
        match part {
            PatchPart::Target => patch.target = value,
            PatchPart::Start => patch.start = value,
            PatchPart::End => patch.end = value,
        }
    }
}

/// Returns the value of a pseudo-attribute in the data of a processing instruction, if there is one. The syntax is the
/// production `PseudoAtts` of "Associating Style Sheets with XML documents", to which DOM's "update attributes from
/// data" refers; data with other syntax have no attributes.
fn pseudo_attribute(data: &str, expected: &str) -> Option<String> {
    let mut scanner = Scanner { rest: data };
    let mut attributes: Vec<(String, String)> = Vec::new();
    loop {
        let has_space = scanner.skip_space();
        if scanner.rest.is_empty() {
            break;
        }
        if !attributes.is_empty() && !has_space {
            return None;
        }
        let mut name = String::from(scanner.next_if(is_name_start)?);
        while let Some(character) = scanner.next_if(|it| is_name_start(it) || is_only_in_names(it))
        {
            name.push(character);
        }
        scanner.skip_space();
        scanner.next_if(|it| it == '=')?;
        scanner.skip_space();
        let quote = scanner.next_if(|it| it == '"' || it == '\'')?;
        let mut value = String::new();
        while scanner.next_if(|it| it == quote).is_none() {
            value.push(match scanner.next_if(|it| it != '<' && is_char(it))? {
                '&' => scanner.reference()?,
                other => other,
            });
        }
        if attributes.iter().any(|(other, _)| *other == name) {
            return None;
        }
        attributes.push((name, value));
    }
    attributes.into_iter().find(|(name, _)| name == expected).map(|(_, value)| value)
}

/// A cursor over a string.
struct Scanner<'t> {
    rest: &'t str,
}

impl Scanner<'_> {
    /// Consumes and returns the next character, if there is one and it satisfies `is_one`.
    fn next_if(&mut self, is_one: impl Fn(char) -> bool) -> Option<char> {
        let character = self.rest.chars().next().filter(|&character| is_one(character))?;
        self.rest = &self.rest[character.len_utf8()..];
        Some(character)
    }

    /// Skips white space as defined by XML. Returns whether there was any.
    fn skip_space(&mut self) -> bool {
        let length_before = self.rest.len();
        while self.next_if(|it| "\t\n\r ".contains(it)).is_some() {}
        self.rest.len() < length_before
    }

    /// Consumes a reference after its ampersand, and returns the character. Returns `None` if the reference is invalid.
    fn reference(&mut self) -> Option<char> {
        const PREDEFINED: [(&str, char); 5] =
            [("amp;", '&'), ("lt;", '<'), ("gt;", '>'), ("quot;", '"'), ("apos;", '\'')];
        for (name, character) in PREDEFINED {
            if let Some(rest) = self.rest.strip_prefix(name) {
                self.rest = rest;
                return Some(character);
            }
        }
        self.next_if(|it| it == '#')?;
        let radix = if self.next_if(|it| it == 'x').is_some() { 16 } else { 10 };
        let mut code: Option<u32> = None;
        while let Some(digit) = self.next_if(|it| it.is_digit(radix)) {
            let digit = digit.to_digit(radix)?;
            code = Some(code.unwrap_or(0).checked_mul(radix)?.checked_add(digit)?);
        }
        self.next_if(|it| it == ';')?;
        char::from_u32(code?).filter(|&it| is_char(it))
    }
}

/// Whether a character matches production 2 (`Char`) of XML 1.0.
fn is_char(character: char) -> bool {
    matches!(u32::from(character), 0x9 | 0xA | 0xD | 0x20..=0xD7FF | 0xE000..=0xFFFD | 0x1_0000..=0x10_FFFF)
}

/// Whether a character matches production 4 (`NameStartChar`) of XML 1.0.
fn is_name_start(character: char) -> bool {
    const RANGES: [(u32, u32); 14] = [
        (0x61, 0x7A),
        (0x41, 0x5A),
        (0xC0, 0xD6),
        (0xD8, 0xF6),
        (0xF8, 0x2FF),
        (0x370, 0x37D),
        (0x37F, 0x1FFF),
        (0x200C, 0x200D),
        (0x2070, 0x218F),
        (0x2C00, 0x2FEF),
        (0x3001, 0xD7FF),
        (0xF900, 0xFDCF),
        (0xFDF0, 0xFFFD),
        (0x1_0000, 0xE_FFFF),
    ];
    let code = u32::from(character);
    ":_".contains(character) || RANGES.iter().any(|(first, last)| (*first..=*last).contains(&code))
}

/// Whether a character matches production 4a (`NameChar`) of XML 1.0, but not production 4.
fn is_only_in_names(character: char) -> bool {
    "-.\u{B7}\u{203F}\u{2040}".contains(character)
        || character.is_ascii_digit()
        || ('\u{300}'..='\u{36F}').contains(&character)
}
