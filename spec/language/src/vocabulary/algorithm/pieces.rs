//! What slots of phrases took, and what is made of it. It reads no words. Invariant: a phrase takes the pieces of its slots in their
//! order.

use crate::model::ErrorId;
use crate::model::tree::algorithm::{
    AlgorithmId, Call, Expression, Pointer, Question, Sequence, VariableId,
};
use crate::model::tree::{DocumentMode, ElementName, StepsId, TreeFlag, TreeFlagId};

/// What a slot took.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// A value.
    Value(Expression),
    /// A variable that is given or let.
    Variable(VariableId),
    /// A condition.
    Question(Question),
    /// The number of a limit.
    Limit(u32),
    /// A number as it is written.
    Count(u32),
    /// Elements.
    Elements(Vec<ElementName>),
    /// Steps by their name.
    Steps(StepsId),
    /// A label.
    Label(u8),
    /// A name in quotes.
    Name(String),
    /// A mode of a document.
    DocumentMode(DocumentMode),
    /// An error that the table declares.
    Error(ErrorId),
    /// What points to a byte.
    Pointer(Pointer),
    /// Sequences of bytes; bytes at one place are one of one place.
    Sequences(Vec<Sequence>),
    /// Whether a word in square brackets was there.
    Optional(bool),
}

/// What is known where a form is read.
pub(crate) trait Known {
    /// The flags that the table declares.
    fn flags(&self) -> &[TreeFlag];
    /// The variable that is called so here.
    fn variable(&self, name: &str) -> Option<VariableId>;
    /// The variable that would be the next one.
    fn next_variable(&self) -> VariableId;
    /// The algorithm of this name.
    fn algorithm(&self, name: &str) -> Option<AlgorithmId>;
}

/// What the slots of a form took, in their order.
pub struct Pieces<'k> {
    pub(super) pieces: std::vec::IntoIter<Piece>,
    known: &'k dyn Known,
    /// The flag that what was made would set or ask, if the table does not declare it.
    pub(crate) undeclared: Option<&'static str>,
    /// The variable that what was made needs, if it is not there.
    pub(crate) unbound: Option<&'static str>,
    /// The algorithm that what was made runs, if it is not there.
    pub(crate) missing: Option<&'static str>,
    /// The variable that what was made lets be something, besides those that slots took.
    pub(crate) made: Option<&'static str>,
}

impl<'k> Pieces<'k> {
    /// These.
    pub(crate) fn new(pieces: Vec<Piece>, known: &'k dyn Known) -> Self {
        let (undeclared, unbound, missing, made) = (None, None, None, None);
        Self { pieces: pieces.into_iter(), known, undeclared, unbound, missing, made }
    }

    /// The flag of tree construction that the host sets by this name.
    pub(super) fn flag(&mut self, name: &'static str) -> TreeFlagId {
        let mut flags = self.known.flags().iter();
        let found = flags.position(|flag| flag.by_host && flag.name == name);
        if found.is_none() {
            self.undeclared = Some(name);
        }
        TreeFlagId(found.unwrap_or_default() as u8)
    }

    /// The variable of this name, which the words do not say.
    pub(super) fn called(&mut self, name: &'static str) -> VariableId {
        let found = self.known.variable(name);
        if found.is_none() {
            self.unbound = Some(name);
        }
        found.unwrap_or_default()
    }

    /// The variable of this name, which the words make.
    pub(super) fn makes(&mut self, name: &'static str) -> VariableId {
        self.made = Some(name);
        self.known.next_variable()
    }

    /// What the algorithm of this name returns, where it is not called by its name first.
    pub(super) fn call(
        &mut self,
        name: &'static str,
        arguments: fn(&mut Self) -> Vec<Expression>,
    ) -> Expression {
        let found = self.known.algorithm(name);
        if found.is_none() {
            self.missing = Some(name);
        }
        let algorithm = found.unwrap_or_default();
        Expression::Call(Call { algorithm, arguments: arguments(self) })
    }

    pub(super) fn value(&mut self) -> Expression {
        let Some(Piece::Value(value)) = self.pieces.next() else {
            unreachable!("a slot for a value")
        };
        value
    }

    pub(super) fn boxed(&mut self) -> Box<Expression> {
        Box::new(self.value())
    }

    pub(super) fn five(&mut self) -> Box<[Expression; 5]> {
        Box::new(std::array::from_fn(|_| self.value()))
    }

    pub(super) fn six(&mut self) -> Box<[Expression; 6]> {
        Box::new(std::array::from_fn(|_| self.value()))
    }

    pub(super) fn three(&mut self) -> Box<[Expression; 3]> {
        Box::new([self.value(), self.value(), self.value()])
    }

    pub(super) fn variable(&mut self) -> VariableId {
        let Some(Piece::Variable(variable)) = self.pieces.next() else {
            unreachable!("a slot for a variable")
        };
        variable
    }

    pub(super) fn question(&mut self) -> Question {
        let Some(Piece::Question(question)) = self.pieces.next() else {
            unreachable!("a slot for a condition")
        };
        question
    }

    pub(super) fn limit(&mut self) -> u32 {
        let Some(Piece::Limit(limit)) = self.pieces.next() else {
            unreachable!("a slot for a limit")
        };
        limit
    }

    pub(super) fn count(&mut self) -> u32 {
        let Some(Piece::Count(count)) = self.pieces.next() else {
            unreachable!("a slot for a count")
        };
        count
    }

    pub(super) fn elements(&mut self) -> Vec<ElementName> {
        let Some(Piece::Elements(names)) = self.pieces.next() else {
            unreachable!("a slot for elements")
        };
        names
    }

    pub(super) fn steps(&mut self) -> StepsId {
        let Some(Piece::Steps(steps)) = self.pieces.next() else {
            unreachable!("a slot for steps")
        };
        steps
    }

    pub(super) fn label(&mut self) -> u8 {
        let Some(Piece::Label(label)) = self.pieces.next() else {
            unreachable!("a slot for a label")
        };
        label
    }

    pub(super) fn name(&mut self) -> String {
        let Some(Piece::Name(name)) = self.pieces.next() else { unreachable!("a slot for a name") };
        name
    }

    pub(super) fn document_mode(&mut self) -> DocumentMode {
        let Some(Piece::DocumentMode(mode)) = self.pieces.next() else {
            unreachable!("a slot for the mode of a document")
        };
        mode
    }

    pub(super) fn error(&mut self) -> ErrorId {
        let Some(Piece::Error(id)) = self.pieces.next() else {
            unreachable!("a slot for an error")
        };
        id
    }

    pub(super) fn is_there(&mut self) -> bool {
        matches!(self.pieces.next(), Some(Piece::Optional(true)))
    }

    /// The condition, negated where the word in square brackets is there.
    pub(super) fn unless(&mut self, make: fn(&mut Self, Expression) -> Question) -> Question {
        let about = self.value();
        let is_negated = self.is_there();
        negated_if(is_negated, make(self, about))
    }

    /// The condition, negated where it is not.
    pub(super) fn only(&mut self, make: fn(Expression) -> Question) -> Question {
        let about = self.value();
        let is_negated = self.is_there();
        negated_if(!is_negated, make(about))
    }
}

pub(super) fn negated_if(is_negated: bool, question: Question) -> Question {
    if is_negated { Question::Not(Box::new(question)) } else { question }
}
