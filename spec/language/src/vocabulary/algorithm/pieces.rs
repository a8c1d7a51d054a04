//! Values of a phrase's slots, and constructors for the model. A phrase consumes the values in the order of its slots.

use crate::model::tree::algorithm::{
    AlgorithmId, BytePosition, Call, Expression, Question, Sequence, VariableId,
};
use crate::model::tree::{DocumentMode, ElementName, StepsId, TreeFlagId};

/// The value of a slot.
#[derive(Debug)]
pub enum Piece {
    /// A value.
    Value(Expression),
    /// A parameter or variable.
    Variable(VariableId),
    /// A condition.
    Question(Question),
    /// The value of a limit.
    Limit(u32),
    /// A literal number.
    Count(u32),
    /// Element names.
    Elements(Vec<ElementName>),
    /// Named steps.
    Steps(StepsId),
    /// A label, by index.
    Label(u8),
    /// A quoted name.
    Name(String),
    /// A mode of the document.
    DocumentMode(DocumentMode),
    /// A pointer to a byte.
    Pointer(BytePosition),
    /// Byte sequences; a single byte is a sequence of length one.
    Sequences(Vec<Sequence>),
    /// An optional word, which negates a condition.
    Negation,
}

/// The names visible where a phrase is used. A name that is not among them is recorded as a mistake.
pub(crate) trait KnownNames {
    /// Returns the host's flag of tree construction with this name.
    fn flag(&mut self, name: &'static str) -> TreeFlagId;
    /// Returns the variable with this name.
    fn variable(&mut self, name: &'static str) -> VariableId;
    /// Creates a variable with this name.
    fn create_variable(&mut self, name: &'static str) -> VariableId;
    /// Returns the algorithm with this name.
    fn algorithm(&mut self, name: &'static str) -> AlgorithmId;
}

/// Declares a function for each kind of slot, which returns the value of the next slot.
macro_rules! slot_values {
    ($($name:ident: $piece:ident, $type:ty;)*) => {
        impl Pieces<'_> {
            $(pub(super) fn $name(&mut self) -> $type {
                match self.pieces.next() {
                    Some(Piece::$piece(value)) => value,
                    other => unreachable!("expected a slot `{}`, got {other:?}", stringify!($name)),
                }
            })*
        }
    };
}

slot_values! {
    value: Value, Expression;
    variable: Variable, VariableId;
    question: Question, Question;
    limit: Limit, u32;
    count: Count, u32;
    elements: Elements, Vec<ElementName>;
    steps: Steps, StepsId;
    label: Label, u8;
    name: Name, String;
    document_mode: DocumentMode, DocumentMode;
    pointer: Pointer, BytePosition;
    sequences: Sequences, Vec<Sequence>;
}

/// The values of a phrase's slots, in order, and the names that it can use without a slot.
pub struct Pieces<'k> {
    pieces: std::vec::IntoIter<Piece>,
    known: &'k mut dyn KnownNames,
}

impl<'k> Pieces<'k> {
    /// Creates the pieces of a phrase from the values of its slots.
    pub(crate) fn new(pieces: Vec<Piece>, known: &'k mut dyn KnownNames) -> Self {
        Self { pieces: pieces.into_iter(), known }
    }

    /// Returns the host's flag of tree construction with this name.
    pub(super) fn flag(&mut self, name: &'static str) -> TreeFlagId {
        self.known.flag(name)
    }

    /// Returns the variable with this name, which the phrase uses without a slot.
    pub(super) fn implicit_variable(&mut self, name: &'static str) -> VariableId {
        self.known.variable(name)
    }

    /// Creates a variable with this name, which the phrase introduces without a slot.
    pub(super) fn create_variable(&mut self, name: &'static str) -> VariableId {
        self.known.create_variable(name)
    }

    /// Returns a call of the algorithm with this name, for phrases that do not begin with the name.
    pub(super) fn call(
        &mut self,
        name: &'static str,
        arguments: fn(&mut Self) -> Vec<Expression>,
    ) -> Expression {
        let algorithm = self.known.algorithm(name);
        Expression::Call(Call { algorithm, arguments: arguments(self) })
    }

    pub(super) fn boxed(&mut self) -> Box<Expression> {
        Box::new(self.value())
    }

    pub(super) fn values<const N: usize>(&mut self) -> [Expression; N] {
        std::array::from_fn(|_| self.value())
    }

    pub(super) fn boxed_values<const N: usize>(&mut self) -> Box<[Expression; N]> {
        Box::new(self.values())
    }
}
