//! The model of tree construction: modes, whose rows look at tokens. It is no tree. Invariant: every id names something
//! that the same model holds, and every list of names is sorted and without repetition.

use super::{CharacterSet, ErrorId, Note, Place, Placed, Section};

/// Index of a mode in [`Construction::modes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModeId(pub u8);

/// Index of named steps in [`Construction::steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepsId(pub u8);

/// A row of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModeRowId {
    /// The mode.
    pub mode: ModeId,
    /// Index in [`Mode::rows`].
    pub row: u16,
}

/// Tree construction as a table describes it.
#[derive(Clone, Debug)]
pub struct Construction {
    /// The mode in which it starts.
    pub start: ModeId,
    /// How elements are made of tags.
    pub elements: Elements,
    /// Named sets of element names.
    pub names: Vec<NameSet>,
    /// Steps that rows take by name.
    pub steps: Vec<NamedSteps>,
    /// The modes in the table's order.
    pub modes: Vec<Mode>,
}

/// How elements are made of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// The tag name is the element's name; there are no namespaces.
    Plain,
    /// Names are split at the first colon; prefixes are bound by attributes `xmlns` and `xmlns:…`. Of two attributes
    /// with the same local name and namespace, the first one stays.
    Xml,
}

/// A namespace that a table can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Namespace {
    /// That of the table's own elements.
    Own,
    /// SVG.
    Svg,
    /// MathML.
    Math,
}

/// An element name of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementName {
    /// Its namespace.
    pub namespace: Namespace,
    /// The local name.
    pub local: String,
}

/// A set of element names with a name.
#[derive(Clone, Debug)]
pub struct NameSet {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub place: Place,
    /// Its members, sorted.
    pub members: Vec<ElementName>,
}

/// Steps with a name.
#[derive(Clone, Debug)]
pub struct NamedSteps {
    /// Their name.
    pub name: String,
    /// Where the name stands.
    pub place: Place,
    /// Where the document describes them.
    pub section: Option<Section>,
    /// What is done.
    pub steps: Vec<TreeStep>,
}

/// A mode and its rows.
#[derive(Clone, Debug)]
pub struct Mode {
    /// Its name, in kebab case.
    pub name: String,
    /// Where the name stands.
    pub place: Place,
    /// Where the document describes it.
    pub section: Option<Section>,
    /// The rows in the table's order.
    pub rows: Vec<ModeRow>,
}

/// A row of a mode.
#[derive(Clone, Debug)]
pub struct ModeRow {
    /// From the first pattern to the last step.
    pub place: Place,
    /// The alternatives.
    pub patterns: Vec<Placed<TokenPattern>>,
    /// The condition under which the row counts.
    pub guard: Option<Placed<TreeCondition>>,
    /// How the row relates to the document, where not simply equal.
    pub notes: Vec<Note>,
    /// What is done.
    pub steps: Vec<TreeStep>,
}

/// The tag names that a pattern takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TagNames {
    /// All that no other row of the mode names.
    Any,
    /// These, sorted.
    These(Vec<String>),
}

/// One alternative of a row of a mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenPattern {
    /// A start tag; where the mode has rows for empty tags, one that is not self-closing.
    StartTag(TagNames),
    /// A start tag whose self-closing flag is set.
    EmptyTag(TagNames),
    /// An end tag.
    EndTag(TagNames),
    /// An end tag without a name.
    ShortEndTag,
    /// A character of the set, or any that no other row takes.
    Character(Option<CharacterSet>),
    /// A whole text between two other tokens, if all its characters are in the set, or any.
    Text(Option<CharacterSet>),
    /// A comment.
    Comment,
    /// A DOCTYPE.
    Doctype,
    /// A processing instruction.
    ProcessingInstruction,
    /// The end of the input.
    EndOfFile,
    /// Any token that no other row takes.
    Else,
}

/// A step of a row of a mode. Other than in a state, steps are taken one after the other, conditions included.
#[derive(Clone, Debug)]
pub enum TreeStep {
    /// An action.
    Action(Placed<TreeAction>),
    /// Steps that depend on a condition.
    When {
        /// The condition.
        condition: Placed<TreeCondition>,
        /// What is done when it holds.
        then: Vec<TreeStep>,
        /// What is done when it does not.
        otherwise: Vec<TreeStep>,
    },
}

/// Where a node is appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parent {
    /// The current node, or the document if no element is open.
    Current,
    /// The document.
    Document,
}

/// What a row of a mode can do. Declared, with wordings, in [`crate::vocabulary::tree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeAction {
    /// The mode is the one for the next token.
    Switch(ModeId),
    /// The token is processed again, in the mode that was switched to.
    Reprocess,
    /// The token is processed by the rules of the mode, without a switch.
    Using(ModeId),
    /// Nothing is done with the token.
    Ignore,
    /// The steps of the `else` row are taken.
    AsElse,
    /// Tree construction ends.
    Stop,
    /// A parse error.
    Error(ErrorId),
    /// An element is created for the token, appended to the current node, and becomes the current node.
    InsertElement,
    /// An element is created for the token and appended to the current node.
    AppendElement,
    /// The token's characters are appended to the current node.
    AppendText,
    /// A comment node is appended.
    AppendComment(Parent),
    /// A processing instruction node is appended.
    AppendProcessingInstruction(Parent),
    /// A DOCTYPE node is appended to the document.
    AppendDoctype,
    /// The current node is popped off the stack of open elements.
    Pop,
    /// Elements are popped until one with the token's name was popped.
    PopUntilTokenName,
    /// Characters of the set are removed from the beginning and the end of the document's text.
    TrimText(CharacterSet),
    /// Unless the document's only child is an element, all its children become those of a new element of this name.
    WrapUnlessSingleElement(String),
    /// The host is told, by this word, of the element that was popped last for the token, or else of the current node.
    CallHost(String),
    /// The steps of this name are taken.
    Take(StepsId),
}

/// What a row of a mode may depend on besides its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeCondition {
    /// The other condition does not hold.
    Not(Box<TreeCondition>),
    /// All of them hold.
    All(Vec<TreeCondition>),
    /// The current node is an element with one of these names.
    CurrentIs(Vec<ElementName>),
    /// The current node is an element with the token's name.
    CurrentIsTokenName,
    /// An element with one of these names is open.
    Open(Vec<ElementName>),
    /// An element with the token's name is open.
    OpenTokenName,
    /// One of these elements is open and was opened after the last one with the token's name.
    AboveTokenName(Vec<ElementName>),
    /// No element is open.
    StackIsEmpty,
}

impl Construction {
    /// The mode of this id.
    pub fn mode(&self, id: ModeId) -> &Mode {
        &self.modes[usize::from(id.0)]
    }

    /// The mode of this name.
    pub fn find_mode(&self, name: &str) -> Option<ModeId> {
        self.modes.iter().position(|mode| mode.name == name).map(|index| ModeId(index as u8))
    }
}

impl Mode {
    /// Whether start tags whose self-closing flag is set have rows of their own.
    pub fn tells_empty_tags(&self) -> bool {
        let mut patterns = self.rows.iter().flat_map(|row| &row.patterns);
        patterns.any(|pattern| matches!(pattern.value, TokenPattern::EmptyTag(_)))
    }
}
