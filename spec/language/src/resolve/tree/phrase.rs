//! Words of an algorithm matched with its vocabulary: steps, conditions, values within values. It binds no variable and
//! reports nothing. Invariant: what is read strictly has the kinds that its places want; what is read leniently has the
//! mistakes listed that keep it from that.

use super::super::Resolver;
use crate::model::tree::TreeLimits;
use crate::model::tree::algorithm::{
    Algorithm, AlgorithmId, Call, Expression, Kind, Parameter, Question, Variable, VariableId,
    of_limit,
};
use crate::model::tree::{ElementName, Namespace, StepsId};
use crate::syntax::{Argument, Span, Spanned};
use crate::vocabulary::algorithm::{Phrase, Piece, Pieces, QUESTIONS, VALUES};
use crate::vocabulary::find;
use crate::vocabulary::tree::{DOCUMENT_MODES, TREE_LIMITS};

/// A value and what it is; `none` is of every kind that can be missing.
pub(super) type Typed = (Expression, Option<Kind>);

/// What is known in an algorithm at a step.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) parameters: Vec<Parameter>,
    pub(super) variables: Vec<Variable>,
    /// Those that can be read here.
    pub(super) visible: Vec<VariableId>,
    pub(super) labels: Vec<String>,
    pub(super) limits: TreeLimits,
}

impl Scope {
    fn find(&self, name: &str) -> Option<VariableId> {
        let mut visible = self.visible.iter().rev();
        visible.find(|id| self.variables[usize::from(id.0)].name == name).copied()
    }

    pub(super) fn kind(&self, id: VariableId) -> Kind {
        self.variables[usize::from(id.0)].kind
    }
}

/// What keeps words from being what they look like.
pub(super) enum Mistake {
    /// Nothing has this name.
    Unbound(Span, String),
    /// It is of one kind where another is wanted.
    Kind(Span, Kind, Kind),
    /// The algorithm has no such label.
    Label(Span, String),
    /// The table does not declare the flag of the host that the words set or ask.
    Flag(Span, &'static str),
}

/// Reads the words of one step.
pub(super) struct Reading<'r> {
    pub(super) resolver: &'r Resolver,
    pub(super) scope: &'r Scope,
    pub(super) is_lenient: bool,
    pub(super) mistakes: Vec<Mistake>,
    /// The variables that the step makes, besides those that are there.
    pub(super) made: Vec<String>,
    /// What the last value of any kind is.
    pub(super) last: Option<Kind>,
}

type Words = [Spanned<Argument>];

fn is_word(argument: &Spanned<Argument>, word: &str) -> bool {
    matches!(&argument.value, Argument::Name(name) if name == word)
}

fn name_of(words: &Words) -> Option<&str> {
    match words {
        [Spanned { value: Argument::Name(name), .. }] => Some(name),
        _ => None,
    }
}

fn text_of(word: &Spanned<Argument>) -> Option<&str> {
    match &word.value {
        Argument::Text(text) => Some(text),
        Argument::Name(_) | Argument::Character(_) | Argument::Number(_) => None,
    }
}

fn span_of(words: &Words) -> Span {
    let (first, last) = (words[0].span, words[words.len() - 1].span);
    Span { end: last.end, ..first }
}

impl<'r> Reading<'r> {
    pub(super) fn new(resolver: &'r Resolver, scope: &'r Scope, is_lenient: bool) -> Self {
        let (mistakes, made, last) = (Vec::new(), Vec::new(), None);
        Self { resolver, scope, is_lenient, mistakes, made, last }
    }

    /// The first of the forms that the words fit, and what it makes.
    pub(super) fn made_by<M>(&mut self, phrases: &[Phrase<M>], words: &Words) -> Option<M> {
        phrases.iter().find_map(|phrase| self.made(phrase, words))
    }

    fn made<M>(&mut self, phrase: &Phrase<M>, words: &Words) -> Option<M> {
        let parts: Vec<&str> = phrase.syntax.split(' ').collect();
        let (mistakes, made) = (self.mistakes.len(), self.made.len());
        let mut pieces = Vec::new();
        if !self.fits(&parts, words, &mut pieces) {
            self.mistakes.truncate(mistakes);
            self.made.truncate(made);
            return None;
        }
        let mut pieces = Pieces::new(pieces, self.resolver.tree_flags());
        let made = (phrase.make)(&mut pieces);
        if let Some(flag) = pieces.undeclared {
            if !self.is_lenient {
                return None;
            }
            self.mistakes.push(Mistake::Flag(span_of(words), flag));
        }
        Some(made)
    }

    fn fits(&mut self, parts: &[&str], words: &Words, pieces: &mut Vec<Piece>) -> bool {
        let Some((&part, rest)) = parts.split_first() else { return words.is_empty() };
        if let Some(word) = part.strip_prefix('[').and_then(|part| part.strip_suffix(']')) {
            let is_there = words.first().is_some_and(|first| is_word(first, word));
            pieces.push(Piece::Optional(is_there));
            return self.fits(rest, &words[usize::from(is_there)..], pieces);
        }
        if let Some(text) = part.strip_prefix('"').and_then(|part| part.strip_suffix('"')) {
            return words.first().is_some_and(|first| text_of(first) == Some(text))
                && self.fits(rest, &words[1..], pieces);
        }
        let Some(slot) = part.strip_prefix('<').and_then(|part| part.strip_suffix('>')) else {
            return words.first().is_some_and(|first| is_word(first, part))
                && self.fits(rest, &words[1..], pieces);
        };
        let (taken, mistakes, made) = (pieces.len(), self.mistakes.len(), self.made.len());
        for count in 1..=words.len() {
            if let Some(piece) = self.slot(slot, &words[..count]) {
                pieces.push(piece);
                if self.fits(rest, &words[count..], pieces) {
                    return true;
                }
            }
            pieces.truncate(taken);
            self.mistakes.truncate(mistakes);
            self.made.truncate(made);
        }
        false
    }

    fn slot(&mut self, slot: &str, words: &Words) -> Option<Piece> {
        let wanted: Option<Kind> = match slot {
            "new" => return self.new_variable(name_of(words)?),
            "variable" => {
                let (value, _) = self.value(words, Some(Kind::Number))?;
                let Expression::Variable(variable) = value else { return None };
                return Some(Piece::Variable(variable));
            }
            "condition" => return self.condition(words).map(Piece::Question),
            "limit" => return self.limit(name_of(words)?),
            "count" => {
                let [Spanned { value: Argument::Number(count), .. }] = words else { return None };
                return Some(Piece::Count(*count));
            }
            "elements" => return elements(words).map(Piece::Elements),
            "steps" => {
                let index = self.resolver.steps_index(name_of(words)?)?;
                return u8::try_from(index).ok().map(|index| Piece::Steps(StepsId(index)));
            }
            "name" => {
                let [word] = words else { return None };
                return text_of(word).map(|name| Piece::Name(name.to_owned()));
            }
            "document-mode" => {
                let [word] = words else { return None };
                return find(DOCUMENT_MODES, text_of(word)?).map(Piece::DocumentMode);
            }
            "error" => return self.resolver.known_error(name_of(words)?).map(Piece::Error),
            "label" | "new-label" => return self.label(name_of(words)?, words[0].span),
            "value" => None,
            "node" => Some(Kind::Node),
            "entry" => Some(Kind::Entry),
            "bookmark" => Some(Kind::Bookmark),
            "location" => Some(Kind::Location),
            "number" => Some(Kind::Number),
            "text" => Some(Kind::Text),
            "truth" => Some(Kind::Truth),
            "names" => Some(Kind::Names),
            "token" => Some(Kind::Token),
            "scripting" => Some(Kind::Scripting),
            other => unreachable!("the vocabulary has no slot `{other}`"),
        };
        // A choice is a whole value, and no part of another.
        let chosen = if slot == "value" { self.chosen(words) } else { None };
        let (value, kind) = match chosen {
            Some(chosen) => chosen,
            None => self.value(words, wanted)?,
        };
        self.last = kind;
        Some(Piece::Value(value))
    }

    fn new_variable(&mut self, name: &str) -> Option<Piece> {
        let next = || {
            let index = self.scope.variables.len() + self.made.len();
            u8::try_from(index).ok().map(VariableId)
        };
        let (known, next) = (self.scope.find(name), next());
        if known.is_none() {
            self.made.push(name.to_owned());
        }
        known.or(next).map(Piece::Variable)
    }

    fn limit(&self, name: &str) -> Option<Piece> {
        of_limit(find(TREE_LIMITS, name)?, self.scope.limits).map(Piece::Limit)
    }

    fn label(&mut self, name: &str, span: Span) -> Option<Piece> {
        let found = self.scope.labels.iter().position(|label| label == name);
        if found.is_none() && self.is_lenient {
            self.mistakes.push(Mistake::Label(span, name.to_owned()));
            return Some(Piece::Label(0));
        }
        u8::try_from(found?).ok().map(Piece::Label)
    }

    /// The value that the words are, of the kind if one is wanted.
    pub(super) fn value(&mut self, words: &Words, wanted: Option<Kind>) -> Option<Typed> {
        let found = match words {
            [Spanned { value: Argument::Number(number), .. }] => {
                (Expression::Number(*number), Some(Kind::Number))
            }
            [Spanned { value: Argument::Text(text), .. }] => {
                (Expression::Text(text.clone()), Some(Kind::Text))
            }
            _ => match name_of(words).and_then(|name| self.scope.find(name)) {
                Some(id) => (Expression::Variable(id), Some(self.scope.kind(id))),
                None => self.phrase(words, wanted)?,
            },
        };
        let fits = match (found.1, wanted) {
            (_, None) => true,
            (None, Some(kind)) => matches!(kind, Kind::Node | Kind::Location),
            (Some(one), Some(other)) => one == other,
        };
        if let (false, Some(wanted)) = (fits, wanted) {
            if !self.is_lenient {
                return None;
            }
            let kind = found.1.unwrap_or(Kind::Node);
            self.mistakes.push(Mistake::Kind(span_of(words), kind, wanted));
        }
        Some(found)
    }

    fn phrase(&mut self, words: &Words, wanted: Option<Kind>) -> Option<Typed> {
        let alike = |phrase: &&Phrase<Expression>| {
            phrase.syntax.split(' ').next().is_some_and(|first| is_word(&words[0], first))
        };
        let is_wanted = |phrase: &&Phrase<Expression>| {
            wanted.is_none() || phrase.kind == wanted || phrase.syntax == "none"
        };
        let candidates: Vec<_> = VALUES.iter().filter(alike).collect();
        let (wanted_ones, others): (Vec<_>, Vec<_>) = candidates.into_iter().partition(is_wanted);
        let others = others.into_iter().filter(|_| self.is_lenient).collect::<Vec<_>>();
        for phrase in wanted_ones.into_iter().chain(others) {
            if let Some(made) = self.made(phrase, words) {
                let kind = phrase.kind.filter(|_| made != Expression::None);
                return Some((made, kind));
            }
        }
        if let Some(call) = self.call(words) {
            let kind = self.callee(call.algorithm)?.returns?;
            return Some((Expression::Call(call), Some(kind)));
        }
        let name = name_of(words).filter(|_| self.is_lenient)?;
        self.mistakes.push(Mistake::Unbound(words[0].span, name.to_owned()));
        Some((Expression::None, wanted))
    }

    /// `X when C otherwise Y`.
    fn chosen(&mut self, words: &Words) -> Option<Typed> {
        let places = |word: &str| -> Vec<usize> {
            (1..words.len()).filter(|&at| is_word(&words[at], word)).collect()
        };
        for when in places("when") {
            for otherwise in places("otherwise").into_iter().filter(|&at| at > when + 1) {
                let mistakes = self.mistakes.len();
                let parts = (
                    self.value(&words[..when], None),
                    self.condition(&words[when + 1..otherwise]),
                    words.get(otherwise + 1..).filter(|rest| !rest.is_empty()),
                );
                if let (Some((one, kind)), Some(condition), Some(rest)) = parts
                    && let Some((other, of_other)) = self.value(rest, kind)
                {
                    let chosen = Expression::Chosen(Box::new((one, condition, other)));
                    return Some((chosen, kind.or(of_other)));
                }
                self.mistakes.truncate(mistakes);
            }
        }
        None
    }

    fn callee(&self, id: AlgorithmId) -> Option<&'r Algorithm> {
        let resolver = self.resolver;
        resolver.tree.algorithms.get(usize::from(id.0))?.as_ref()
    }

    /// Another algorithm with what it is given.
    pub(super) fn call(&mut self, words: &Words) -> Option<Call> {
        let name = name_of(words.get(..1)?)?;
        let resolver = self.resolver;
        let algorithms = &resolver.tree.algorithms;
        let is_it = |one: &Option<Algorithm>| one.as_ref().is_some_and(|one| one.name == name);
        let at = algorithms.iter().position(is_it)?;
        let callee = algorithms[at].as_ref()?;
        let mut arguments = Vec::new();
        if !self.arguments(callee, &words[1..], &mut arguments) {
            return None;
        }
        Some(Call { algorithm: AlgorithmId(u8::try_from(at).ok()?), arguments })
    }

    fn arguments(
        &mut self,
        callee: &Algorithm,
        words: &Words,
        arguments: &mut Vec<Expression>,
    ) -> bool {
        let Some(parameter) = callee.parameters.get(arguments.len()) else {
            return words.is_empty();
        };
        if words.is_empty() {
            return parameter.default.is_some();
        }
        let kind = callee.variables[usize::from(parameter.variable.0)].kind;
        let (given, mistakes) = (arguments.len(), self.mistakes.len());
        for count in 1..=words.len() {
            if let Some((value, _)) = self.value(&words[..count], Some(kind)) {
                arguments.push(value);
                if self.arguments(callee, &words[count..], arguments) {
                    return true;
                }
            }
            arguments.truncate(given);
            self.mistakes.truncate(mistakes);
        }
        false
    }

    /// One condition, or several that are joined.
    pub(super) fn condition(&mut self, words: &Words) -> Option<Question> {
        if words.is_empty() {
            return None;
        }
        if let Some(made) = self.joint(words) {
            return Some(made);
        }
        if let Some(all) = self.list(words, "and") {
            return Some(Question::All(all));
        }
        self.list(words, "or").map(Question::Any)
    }

    /// One of a list of conditions: a single one, or two after `both` or `either`.
    fn joint(&mut self, words: &Words) -> Option<Question> {
        for (word, joiner) in [("both", "and"), ("either", "or")] {
            if is_word(words.first()?, word) {
                let two = self.list(&words[1..], joiner).filter(|two| two.len() == 2)?;
                return Some(if joiner == "and" { Question::All(two) } else { Question::Any(two) });
            }
        }
        self.made_by(QUESTIONS, words)
    }

    fn list(&mut self, words: &Words, joiner: &str) -> Option<Vec<Question>> {
        for at in (1..words.len()).filter(|&at| is_word(&words[at], joiner)) {
            let mistakes = self.mistakes.len();
            if let Some(first) = self.joint(&words[..at]) {
                let rest = words.get(at + 1..).filter(|rest| !rest.is_empty())?;
                if let Some(rest) =
                    self.list(rest, joiner).or_else(|| self.joint(rest).map(|one| vec![one]))
                {
                    return Some([vec![first], rest].concat());
                }
            }
            self.mistakes.truncate(mistakes);
        }
        None
    }
}

/// `"template" or "table"`.
fn elements(words: &Words) -> Option<Vec<ElementName>> {
    let mut names = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match &word.value {
            Argument::Text(local) if at % 2 == 0 => {
                names.push(ElementName { namespace: Namespace::Own, local: local.clone() });
            }
            Argument::Name(or) if at % 2 == 1 && or == "or" => {}
            Argument::Name(_)
            | Argument::Character(_)
            | Argument::Text(_)
            | Argument::Number(_) => return None,
        }
    }
    (words.len() % 2 == 1).then_some(names)
}
