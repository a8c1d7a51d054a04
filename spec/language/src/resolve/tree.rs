//! Resolves modes of tree construction: names, and words of the vocabulary.

use super::Resolver;
use crate::diagnostic::{BAD_PATTERN, Diagnostic, MISSING_DECLARATION, UNKNOWN_NAME};
use crate::model::Flag;
use crate::model::tree::{
    Construction, ElementName, Elements, Mode, ModeId, ModeRow, NameSet, NamedSteps, Namespace,
    TagNames, TokenPattern, TreeCondition,
};
use crate::nearest::{nearest, nearest_or};
use crate::syntax::{self, ItemBody, ParsedPattern, Span, Spanned, Table, Word};
use crate::vocabulary;
use crate::vocabulary::tree::{NAMESPACES, TOKEN_PATTERNS};

mod algorithm;
mod blocks;
mod bytes;
mod declared;
mod phrase;
mod standard;

/// The names that a table declares for tree construction.
#[derive(Default)]
pub(super) struct TreeNames {
    /// Names of algorithms that call themselves, directly or through others.
    circular: Vec<String>,
    /// The algorithms to resolve, by id; each is `None` until it is resolved.
    algorithms: Vec<Option<crate::model::tree::algorithm::Algorithm>>,
    /// The model of tree construction, as far as it has been resolved.
    pub(super) construction: Construction,
    /// Conditions of modes that the table defines; `None` if the definition is invalid.
    pub(super) conditions: Vec<(String, Option<TreeCondition>)>,
}

impl Resolver {
    /// Declares the modes, sets, steps and other names of tree construction (first pass).
    pub(super) fn declare_tree(&mut self, table: &Table) {
        for item in &table.items {
            let name = &item.name;
            match &item.body {
                ItemBody::Mode(_) => self.declare_unique(name, "mode"),
                ItemBody::Steps(_) if item.is_of_trees() => {
                    self.declare_unique(name, "block of steps");
                }
                ItemBody::Names(set) => {
                    self.declare_unique(name, "set of names");
                    let set = self.resolve_set(name, set);
                    self.tree.construction.names.push(set);
                }
                _ => self.declare_tree_item(item),
            }
        }
    }

    /// Resolves a set of element names, which may include sets declared before; excepted names are removed.
    fn resolve_set(&mut self, name: &Word, set: &syntax::ElementSet) -> NameSet {
        let (mut members, mut except) = (Vec::new(), Vec::new());
        for member in &set.members {
            members.extend(self.element_names(&member.value, member.span));
        }
        for member in &set.except {
            except.extend(self.element_names(&member.value, member.span));
        }
        members.retain(|member| !except.contains(member));
        members.sort();
        members.dedup();
        NameSet { name: name.value.clone(), span: name.span, members }
    }

    fn element_names(&mut self, name: &syntax::ParsedElementName, span: Span) -> Vec<ElementName> {
        match name {
            syntax::ParsedElementName::Local(namespace, local) => {
                let namespace = namespace.as_deref().map_or(Namespace::Own, |word| {
                    vocabulary::find(NAMESPACES, word)
                        .expect("the grammar accepts only known namespaces")
                });
                vec![ElementName { namespace, local: local.clone() }]
            }
            syntax::ParsedElementName::Set(set) => self.name_set(set, span),
        }
    }

    /// Returns the members of the set or scope with this name; none, after a report, if it is not declared.
    pub(super) fn name_set(&mut self, name: &str, span: Span) -> Vec<ElementName> {
        let construction = &self.tree.construction;
        let sets = construction.names.iter().chain(&construction.scopes);
        if let Some(set) = sets.clone().find(|set| set.name == name) {
            return set.members.clone();
        }
        let names: Vec<&str> = sets.map(|set| &set.name[..]).collect();
        let help = nearest_or(name, &names, "declare it with `names`, before it is used");
        let message = format!("there is no set of names `{name}`");
        self.report(Diagnostic::new(UNKNOWN_NAME, span, message).help(help));
        Vec::new()
    }

    /// Resolves the modes (second pass); `None` for a table without `tree start`.
    pub(super) fn resolve_construction(&mut self, table: &Table) -> Option<Construction> {
        let start = self.single(table, "tree start");
        let (mut modes, mut steps) = (Vec::new(), Vec::new());
        for item in &table.items {
            let (name, span) = (item.name.value.clone(), item.name.span);
            match &item.body {
                ItemBody::Mode(rows) => {
                    let section = item.section.clone();
                    let rows = rows.iter().map(|row| self.resolve_mode_row(row)).collect();
                    modes.push(Mode { name, span, doc: String::new(), section, rows });
                }
                ItemBody::Steps(inner) if item.is_of_trees() => {
                    let inner = self.steps(inner, &mut Vec::new());
                    steps.push(NamedSteps { name, span, steps: inner });
                }
                _ => {}
            }
        }
        let Some(start) = start else {
            if let Some(mode) = modes.first() {
                let message = "the table has modes, but no `tree start …;`";
                let diagnostic = Diagnostic::new(MISSING_DECLARATION, mode.span, message);
                self.report(diagnostic.help("declare the first mode: `tree start MODE;`"));
            }
            return None;
        };
        let start = self.mode_id(&start.value, start.span);
        let elements = self.single(table, "elements");
        let template = self.single(table, "template").map(|name| name.value);
        if let Some(word) = self.single(table, "text-nodes") {
            let what = "a treatment of adjacent texts";
            self.word_of(&[("merged", ())], &word.value, word.span, what);
        }
        self.resolve_late_declarations(table);
        let kinds = [("plain", Elements::Plain), ("xml", Elements::Xml), ("html", Elements::Html)];
        let elements = elements
            .and_then(|word| self.word_of(&kinds, &word.value, word.span, "a kind of elements"));
        let elements = elements.unwrap_or(Elements::Plain);
        let algorithms = self.resolve_algorithms(table, elements);
        Some(Construction {
            start,
            tokens: self.machine.tokens.clone(),
            algorithms,
            elements,
            steps,
            modes,
            template,
            ..std::mem::take(&mut self.tree.construction)
        })
    }

    pub(super) fn mode_id(&mut self, name: &str, span: Span) -> ModeId {
        self.known_index("mode", name, span).map(|index| ModeId(index as u8)).unwrap_or_default()
    }

    fn resolve_mode_row(&mut self, row: &syntax::ParsedModeRow) -> ModeRow {
        let (mut patterns, mut kind) = (Vec::new(), None);
        for pattern in &row.patterns {
            kind = pattern.value.kind.as_deref().or(kind);
            if let Some(value) = self.resolve_token_pattern(&pattern.value, kind, pattern.span) {
                patterns.push(Spanned { value, span: pattern.span });
            }
        }
        self.row_with(row, patterns)
    }

    fn resolve_token_pattern(
        &mut self,
        pattern: &syntax::ParsedTokenPattern,
        kind: Option<&str>,
        span: Span,
    ) -> Option<TokenPattern> {
        if let (None, Some(ParsedPattern::Name(word))) = (&pattern.kind, &pattern.pattern)
            && let Some(value) = vocabulary::find(TOKEN_PATTERNS, word)
        {
            return Some(value);
        }
        if let (None, Some(ParsedPattern::Name(word))) = (&pattern.kind, &pattern.pattern)
            && let Some(id) = self.token_id(word)
        {
            return Some(TokenPattern::Declared(id));
        }
        match (kind, &pattern.pattern) {
            (Some(kind @ ("character" | "string")), inner) => {
                let set = inner.as_ref().map(|inner| {
                    self.resolve_characters(&[Spanned { value: inner.clone(), span }])
                });
                Some(if kind == "character" {
                    TokenPattern::Character(set)
                } else {
                    TokenPattern::Text(set)
                })
            }
            (Some(kind), inner) => {
                let names = self.resolve_tag_names(inner.as_ref(), span)?;
                Some(match kind {
                    "start" => TokenPattern::StartTag(names),
                    "empty" => TokenPattern::EmptyTag(names),
                    _ => TokenPattern::EndTag(names),
                })
            }
            (None, _) => {
                self.report_invalid_pattern(pattern.pattern.as_ref(), span);
                None
            }
        }
    }

    /// Reports an invalid token pattern, and suggests the nearest kind of token, if one is near enough.
    fn report_invalid_pattern(&mut self, pattern: Option<&ParsedPattern>, span: Span) {
        let mut words = vec!["start", "end", "empty", "character", "string"];
        words.extend(TOKEN_PATTERNS.iter().map(|(word, _)| *word));
        words.extend(self.machine.tokens.iter().map(|token| &token.name[..]));
        let list = format!("a token is one of {}", words.join(", "));
        let correction = match pattern {
            Some(ParsedPattern::Name(word)) => nearest(word, &words),
            _ => None,
        };
        let help =
            correction.map_or_else(|| list.clone(), |correction| format!("{correction} {list}"));
        self.report(Diagnostic::new(BAD_PATTERN, span, "this is not a token").help(help));
    }

    fn resolve_tag_names(
        &mut self,
        pattern: Option<&ParsedPattern>,
        span: Span,
    ) -> Option<TagNames> {
        match pattern {
            None => Some(TagNames::Any),
            Some(ParsedPattern::Text { text, .. }) => Some(TagNames::These(vec![text.clone()])),
            Some(ParsedPattern::Name(set)) => Some(TagNames::These(self.names_of_tags(set, span))),
            Some(_) => {
                let message = "a tag is named by a string or by `names`";
                let help = "write `\"NAME\"`, or the name of a set declared by `names`";
                self.report(Diagnostic::new(BAD_PATTERN, span, message).help(help));
                None
            }
        }
    }

    /// Returns the index of the steps with this name; `None` if there are none.
    pub(super) fn steps_index(&self, name: &str) -> Option<usize> {
        self.index_of("block of steps", name)
    }

    /// Returns the flags of tree construction.
    pub(super) fn tree_flags(&self) -> &[Flag] {
        &self.tree.construction.flags
    }
}
