//! Reads documents with lexical modes: grammars of lexical tokens, the abstract tokens that each mode emits for these,
//! and a grammar of the tree. The profile translates abstract tokens to the table language. Each line and sentence is
//! either read completely or listed as unread.
//!
//! The pipeline: lines of grammars (`notation`) and sentences (`sentences`) → contents (`Document`) → modes (`rows`)
//! and the tree (`tree`).

mod notation;
mod rows;
mod sentences;
mod tree;

use super::blocks::{Block, BlockKind};
use super::profile::Profile;
use super::sections::Section;
use super::sentence::{self, Read};
use super::{DocumentAlgorithm, DocumentState, Reading};
use notation::{Grammar, GrammarLine};
use sentences::{Data, Handling, LexicalStatement};
use std::collections::BTreeMap;

/// A named definition in a grammar.
struct GrammarDefinition {
    name: String,
    grammar: Grammar,
    line: usize,
    hash: u32,
}

/// A row of a mode: lexical tokens, and the reaction to any of them.
#[derive(Clone)]
struct LexemeRow {
    lexemes: Vec<String>,
    handling: Handling,
    line: usize,
    hash: u32,
}

/// A lexical mode of a document.
struct Mode {
    name: String,
    section: String,
    line: usize,
    rows: Vec<LexemeRow>,
}

/// The contents of a document with lexical modes.
#[derive(Default)]
struct Document {
    lexemes: Vec<GrammarDefinition>,
    /// Definitions of the grammar of the tree, the root first.
    parts: Vec<GrammarDefinition>,
    output: Option<Grammar>,
    /// The data of each lexical token.
    data: BTreeMap<String, Data>,
    /// Abstract tokens, each with the noun by which the document refers to the token's data; `None` for a token without
    /// data.
    abstract_tokens: BTreeMap<String, Option<String>>,
    defaults: Vec<LexemeRow>,
    modes: Vec<Mode>,
    /// Title and line of the section with the grammar of the tree, if there is one.
    tree: Option<(String, usize)>,
    /// Hashes of sentences that require an end tag to have the name of the start tag.
    same_name: Vec<u32>,
    /// Line and hash of the sentence that requires a single element, if there is one.
    single_element: Option<(usize, u32)>,
    /// Line and hash of the sentence that requires distinct names of attributes, if there is one.
    distinct_names: Option<(usize, u32)>,
}

/// Reads the sections of a document with lexical modes, and adds modes and declarations to `reading`.
pub(super) fn read(sections: &[Section], profile: &Profile, reading: &mut Reading) {
    let mut document = Document::default();
    for section in sections {
        if let Some(name) = sentences::mode_name(&section.title) {
            let (section, line) = (section.title.clone(), section.line);
            document.modes.push(Mode { name, section, line, rows: Vec::new() });
        }
        read_blocks(section, &mut document, reading);
    }
    document.mark_data();
    for definition in &document.lexemes {
        let name = notation::lexeme_name(&definition.name);
        let item = format!("lexeme {name} = {};", definition.grammar.text());
        reading.declarations.push((definition.line, item));
    }
    let otherwise = document.lexemes.iter().find(|one| one.grammar.is_any_character());
    let otherwise = otherwise.map(|one| notation::lexeme_name(&one.name));
    let rows = rows::rows_of_modes(&document, profile);
    for (mode, rows) in document.modes.iter().zip(rows) {
        reading.states.push(DocumentState {
            name: mode.name.clone(),
            section: mode.section.clone(),
            line: mode.line,
            otherwise: otherwise.clone(),
            rows,
            ..DocumentState::default()
        });
    }
    if let Some(mode) = tree::mode(&document, profile) {
        reading.declarations.push((mode.line, format!("tree start {};", mode.name)));
        reading.algorithms.extend(document.distinct_names.map(|origin| DocumentAlgorithm {
            name: "attribute-list".to_owned(),
            section: mode.section.clone(),
            line: origin.0,
            steps: vec![tree::distinct_names(origin)],
        }));
        reading.modes.push(mode);
    }
}

/// Returns the meaning of a sentence, if the meaning does not depend on other sentences.
pub(super) fn meaning(words: &str) -> Option<String> {
    match sentences::read(words)? {
        LexicalStatement::SingleElement => Some(tree::SINGLE_ELEMENT.to_owned()),
        _ => None,
    }
}

/// Reads the blocks of a section.
fn read_blocks(section: &Section, document: &mut Document, reading: &mut Reading) {
    // A definition may extend over several lines, which are joined until they can be parsed.
    let mut open: Option<Block> = None;
    for block in &section.blocks {
        if block.kind == BlockKind::Code {
            let mut definition =
                open.take().unwrap_or(Block { text: String::new(), ..block.clone() });
            definition.text = format!("{} {}", definition.text, block.text).trim_start().to_owned();
            match notation::line(&definition.text) {
                Some(line) => {
                    reading.add_sentence(
                        &section.title,
                        definition.line,
                        &definition.text,
                        Read::Asks,
                    );
                    document.add_line(line, &definition, section);
                }
                None => open = Some(definition),
            }
            continue;
        }
        if let Some(broken) = open.take() {
            reading.add_sentence(&section.title, broken.line, &broken.text, Read::Unread);
        }
        for words in sentence::divide(&block.text) {
            let is_remark = reading.is_remark(&section.title, &words);
            let meaning = sentences::read(&words).filter(|_| !is_remark);
            let outcome = match meaning {
                _ if is_remark => Read::Remark,
                Some(_) => Read::Asks,
                None => Read::Unread,
            };
            reading.add_sentence(&section.title, block.line, &words, outcome);
            if let Some(meaning) = meaning {
                document.apply(meaning, section, block.line, sentence::hash(&words));
            }
        }
    }
    if let Some(broken) = open {
        reading.add_sentence(&section.title, broken.line, &broken.text, Read::Unread);
    }
}

impl Document {
    fn add_line(&mut self, line: GrammarLine, block: &Block, section: &Section) {
        let (line_at, hash) = (block.line, sentence::hash(&block.text));
        let definition = |name, grammar| GrammarDefinition { name, grammar, line: line_at, hash };
        match line {
            GrammarLine::Token(name, grammar) => self.lexemes.push(definition(name, grammar)),
            GrammarLine::TreePart(name, grammar) => {
                self.tree.get_or_insert((section.title.clone(), section.line));
                self.parts.push(definition(name, grammar));
            }
            GrammarLine::Output(grammar) => self.output = Some(grammar),
        }
    }

    fn apply(&mut self, meaning: LexicalStatement, section: &Section, line: usize, hash: u32) {
        match meaning {
            LexicalStatement::Row(lexemes, handling) => {
                let row = LexemeRow { lexemes, handling, line, hash };
                match self.modes.last_mut().filter(|mode| mode.section == section.title) {
                    Some(mode) => mode.rows.push(row),
                    None => self.defaults.push(row),
                }
            }
            LexicalStatement::Data(lexemes, data) => {
                self.data.extend(lexemes.into_iter().map(|lexeme| (lexeme, data.clone())));
            }
            LexicalStatement::Abstract(name, data) => {
                self.abstract_tokens.insert(name, data);
            }
            LexicalStatement::SameName => self.same_name.push(hash),
            LexicalStatement::SingleElement => self.single_element = Some((line, hash)),
            LexicalStatement::DistinctNames => self.distinct_names = Some((line, hash)),
        }
    }

    /// Marks the captures in the grammar of each lexical token: the part that the document names as the token's data,
    /// or else the names in a token for which a mode emits an abstract token with data.
    fn mark_data(&mut self) {
        let names: Vec<String> = self
            .data
            .values()
            .filter_map(|data| match data {
                Data::Text(word) => Some(word.clone()),
                _ => None,
            })
            .collect();
        let mut grammars = Vec::new();
        for definition in &self.lexemes {
            let grammar = &definition.grammar;
            grammars.push(match self.data.get(&definition.name) {
                Some(Data::Text(word)) => grammar.with_data(&|other| other == word),
                Some(Data::Number) => grammar.with_data(&|_| true),
                Some(Data::Character) => grammar.clone(),
                None if self.becomes_token_with_data(&definition.name) => {
                    grammar.with_data(&|other| names.iter().any(|name| name == other))
                }
                None => grammar.clone(),
            });
        }
        for (definition, grammar) in self.lexemes.iter_mut().zip(grammars) {
            definition.grammar = grammar;
        }
    }

    /// Whether a mode emits an abstract token with data for the lexical token.
    fn becomes_token_with_data(&self, lexeme: &str) -> bool {
        let rows = self.modes.iter().flat_map(|mode| &mode.rows);
        let mut rows = rows.filter(|row| row.lexemes.iter().any(|other| other == lexeme));
        rows.any(|row| match &row.handling {
            Handling::Acts(acts) => acts.iter().any(|act| match act {
                sentences::Act::Emit(token) => {
                    matches!(self.abstract_tokens.get(token), Some(Some(_)))
                }
                sentences::Act::Switch(_) => false,
            }),
            _ => false,
        })
    }
}
