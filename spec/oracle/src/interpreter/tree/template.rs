//! What templates that are more than their contents ask of the tree: which elements can have a shadow root, which
//! instructions mark a place. What is done with them are the algorithms of the table. Invariant: asking changes nothing.

use super::{NodeId, NodeKind, TreeBuilder, node};
use tabulex_language::model::tree::algorithm::{PatchMark, PatchPart};
use tabulex_language::model::tree::{ElementName, Patching};

/// What a template patches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Patch {
    /// Where its content goes.
    pub(super) target: Option<NodeId>,
    /// The instruction that begins the place.
    pub(super) start: Option<NodeId>,
    /// The instruction that ends it.
    pub(super) end: Option<NodeId>,
}

impl TreeBuilder<'_> {
    /// Whether the element can have a shadow root and has none yet: it is one of the first, or can be a custom element, which
    /// has none of the other names.
    pub(super) fn can_be_host(&self, host: NodeId, [hosts, reserved]: [&[ElementName]; 2]) -> bool {
        let Some(name) = self.tree.name(host) else { return false };
        let is_custom = name.local.starts_with(|first: char| first.is_ascii_lowercase())
            && name.local.contains('-')
            && !name.local.contains(|other: char| other.is_ascii_uppercase())
            && !reserved.iter().any(|other| other.local == name.local);
        let can_be = node::is_own(name) && (is_custom || self.is_one_of(host, hosts));
        can_be && self.at(host).shadow_root.is_none()
    }

    /// Whether the element has this name and is in the root element of a document.
    pub(super) fn is_body_of_document(&self, node: NodeId, body: Option<&str>) -> bool {
        let root = self.at(node).parent;
        let document = root.and_then(|root| self.at(root).parent);
        document.is_some_and(|document| self.at(document).kind == NodeKind::Document)
            && body.is_some_and(|body| self.tree.is_own_element(node, body))
    }

    /// Whether the node is an instruction that marks this, of this name if one is wanted.
    pub(super) fn is_patch_mark(
        &self,
        node: NodeId,
        mark: PatchMark,
        name: Option<&str>,
        words: &Patching,
    ) -> bool {
        let NodeKind::ProcessingInstruction(target, data) = &self.at(node).kind else {
            return false;
        };
        let wanted = match mark {
            PatchMark::Place => &words.marker,
            PatchMark::Start => &words.start,
            PatchMark::End => &words.end,
        };
        let is_named = |name| pseudo_attribute(data, &words.name).as_deref() == Some(name);
        target == wanted && name.is_none_or(is_named)
    }

    /// Sets a part of what the template patches.
    pub(super) fn set_patch(&mut self, template: NodeId, part: PatchPart, value: Option<NodeId>) {
        let known = self.patches.iter().position(|(other, _)| *other == template);
        let at = known.unwrap_or_else(|| {
            self.patches.push((template, Patch::default()));
            self.patches.len() - 1
        });
        let patch = &mut self.patches[at].1;
        match part {
            PatchPart::Target => patch.target = value,
            PatchPart::Start => patch.start = value,
            PatchPart::End => patch.end = value,
        }
    }
}

/// The value of a pseudo-attribute: DOM, "update attributes from data", by the production `PseudoAtts` of "Associating Style Sheets with
/// XML documents". If the data do not match it, there are no attributes.
fn pseudo_attribute(data: &str, wanted: &str) -> Option<String> {
    let mut at = Scanner { rest: data };
    let mut attributes: Vec<(String, String)> = Vec::new();
    loop {
        let has_space = at.skip_space();
        if at.rest.is_empty() {
            break;
        }
        if !attributes.is_empty() && !has_space {
            return None;
        }
        let mut name = String::from(at.take(is_name_start)?);
        while let Some(next) = at.take(|it| is_name_start(it) || is_only_in_names(it)) {
            name.push(next);
        }
        at.skip_space();
        at.take(|it| it == '=')?;
        at.skip_space();
        let quote = at.take(|it| it == '"' || it == '\'')?;
        let mut value = String::new();
        while at.take(|it| it == quote).is_none() {
            value.push(match at.take(|it| it != '<' && is_char(it))? {
                '&' => at.reference()?,
                other => other,
            });
        }
        if attributes.iter().any(|(other, _)| *other == name) {
            return None;
        }
        attributes.push((name, value));
    }
    attributes.into_iter().find(|(name, _)| name == wanted).map(|(_, value)| value)
}

/// Reads a string character by character.
struct Scanner<'t> {
    rest: &'t str,
}

impl Scanner<'_> {
    /// Takes the next character if it is one of these.
    fn take(&mut self, is_one: impl Fn(char) -> bool) -> Option<char> {
        let next = self.rest.chars().next().filter(|&next| is_one(next))?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }

    /// Takes white space of XML. Whether there was some.
    fn skip_space(&mut self) -> bool {
        let before = self.rest.len();
        while self.take(|it| "\t\n\r ".contains(it)).is_some() {}
        self.rest.len() < before
    }

    /// Takes the rest of a reference after its ampersand.
    fn reference(&mut self) -> Option<char> {
        const PREDEFINED: [(&str, char); 5] =
            [("amp;", '&'), ("lt;", '<'), ("gt;", '>'), ("quot;", '"'), ("apos;", '\'')];
        for (name, character) in PREDEFINED {
            if let Some(rest) = self.rest.strip_prefix(name) {
                self.rest = rest;
                return Some(character);
            }
        }
        self.take(|it| it == '#')?;
        let radix = if self.take(|it| it == 'x').is_some() { 16 } else { 10 };
        let mut code: Option<u32> = None;
        while let Some(digit) = self.take(|it| it.is_digit(radix)) {
            let digit = digit.to_digit(radix)?;
            code = Some(code.unwrap_or(0).checked_mul(radix)?.checked_add(digit)?);
        }
        self.take(|it| it == ';')?;
        char::from_u32(code?).filter(|&it| is_char(it))
    }
}

/// XML 1.0, production 2.
fn is_char(character: char) -> bool {
    matches!(u32::from(character), 0x9 | 0xA | 0xD | 0x20..=0xD7FF | 0xE000..=0xFFFD | 0x1_0000..=0x10_FFFF)
}

/// XML 1.0, production 4.
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

/// What production 4a of XML 1.0 has besides those that names begin with.
fn is_only_in_names(character: char) -> bool {
    "-.\u{B7}\u{203F}\u{2040}".contains(character)
        || character.is_ascii_digit()
        || ('\u{300}'..='\u{36F}').contains(&character)
}
