//! Parses the words of an algorithm's step by its vocabulary: steps, conditions, nested values. Strict mode rejects
//! a value of an unexpected kind; lenient mode accepts the value and records the mistake.

use super::super::Resolver;
use super::algorithm::is_word;
use super::bytes;
use crate::model::tree::algorithm::{
    Algorithm, AlgorithmId, BytePosition, ByteValue, Call, Expression, Parameter, Question,
    ValueKind, Variable, VariableId,
};
use crate::model::tree::{ElementName, StepsId, TreeFlagId};
use crate::syntax::{Argument, Span, Spanned, only_name};
use crate::vocabulary::algorithm::{KnownNames, Phrase, Piece, Pieces, Vocabulary};
use crate::vocabulary::find;
use crate::vocabulary::tree::{DOCUMENT_MODES, TREE_LIMITS};

/// A value and its kind. The kind is `None` for the value `none`, which fits where a node or an insertion location is
/// expected.
pub(super) type Typed = (Expression, Option<ValueKind>);

/// The names visible at a step of an algorithm.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) vocabulary: Vocabulary,
    pub(super) parameters: Vec<Parameter>,
    pub(super) variables: Vec<Variable>,
    /// Variables that can be read here.
    pub(super) visible: Vec<VariableId>,
    /// Variables that were only set to `none`, so that their kind is unknown.
    pub(super) untyped: Vec<VariableId>,
    /// Variables that the branches before an `otherwise` assign, and that the `otherwise` may therefore assign too.
    pub(super) branch_variables: Vec<VariableId>,
    /// Labels of the algorithm, including those that are not visible here.
    pub(super) labels: Vec<String>,
    pub(super) visible_labels: Vec<u8>,
}

impl Scope {
    /// Returns the variable with this name that a parallel branch assigns, if any.
    fn find_branch_variable(&self, name: &str) -> Option<VariableId> {
        let mut branch_variables = self.branch_variables.iter();
        branch_variables.find(|id| self.variables[usize::from(id.0)].name == name).copied()
    }

    pub(super) fn find(&self, name: &str) -> Option<VariableId> {
        let mut visible = self.visible.iter().rev();
        visible.find(|id| self.variables[usize::from(id.0)].name == name).copied()
    }

    pub(super) fn kind(&self, id: VariableId) -> ValueKind {
        self.variables[usize::from(id.0)].kind
    }
}

/// A reason why words do not match.
pub(super) enum Mistake {
    /// A word is not the name of a visible variable.
    Unbound(Span, String),
    /// A value has one kind where another is expected.
    ValueKind(Span, ValueKind, ValueKind),
    /// The label is not visible here.
    Label(Span, String),
    /// The table does not declare the host's flag that the words set or test.
    Flag(Span, &'static str),
    /// The table lacks the algorithm that the words call.
    Algorithm(Span, &'static str),
}

/// A parser for the words of one step.
pub(super) struct PhraseParser<'r> {
    pub(super) resolver: &'r Resolver,
    pub(super) scope: &'r Scope,
    pub(super) is_lenient: bool,
    pub(super) mistakes: Vec<Mistake>,
    /// Names of the variables that the step creates.
    pub(super) created: Vec<String>,
    /// Kind of the value parsed last; `None` if that value is `none`, or before the first value.
    pub(super) last_kind: Option<ValueKind>,
    /// Span of the phrase that is being built.
    span: Span,
}

/// Words of a step or condition.
pub(super) type ArgumentSlice = [Spanned<Argument>];

fn span_of(words: &ArgumentSlice) -> Span {
    let (first, last) = (words[0].span, words[words.len() - 1].span);
    Span { end: last.end, ..first }
}

impl<'r> PhraseParser<'r> {
    pub(super) fn new(resolver: &'r Resolver, scope: &'r Scope, is_lenient: bool) -> Self {
        let (mistakes, created, span) = (Vec::new(), Vec::new(), Span::default());
        Self { resolver, scope, is_lenient, mistakes, created, last_kind: None, span }
    }

    /// Returns the result of the first matching phrase or, in lenient mode, of the first with the fewest errors, and
    /// whether its optional word is present, which negates a condition; `None` if no phrase matches.
    pub(super) fn match_phrases<M>(
        &mut self,
        phrases: &[&[Phrase<M>]],
        words: &ArgumentSlice,
    ) -> Option<(M, bool)> {
        let mut phrases = phrases.iter().copied().flatten();
        if !self.is_lenient {
            return phrases.find_map(|phrase| self.match_phrase(phrase, words));
        }
        let (mistake_count, created_count) = (self.mistakes.len(), self.created.len());
        let mut best: Option<(_, Vec<Mistake>, Vec<String>)> = None;
        for phrase in phrases {
            let Some(result) = self.match_phrase(phrase, words) else { continue };
            let mistakes = self.mistakes.split_off(mistake_count);
            let created = self.created.split_off(created_count);
            if best.as_ref().is_none_or(|best| mistakes.len() < best.1.len()) {
                best = Some((result, mistakes, created));
            }
        }
        let (result, mistakes, created) = best?;
        self.mistakes.extend(mistakes);
        self.created.extend(created);
        Some(result)
    }

    fn match_phrase<M>(&mut self, phrase: &Phrase<M>, words: &ArgumentSlice) -> Option<(M, bool)> {
        if !can_begin(phrase.syntax, words) || !has_literals(phrase.syntax, words) {
            return None;
        }
        let parts: Vec<&str> = phrase.syntax.split(' ').collect();
        let mut pieces = Vec::new();
        if !self.match_parts(&parts, words, &mut pieces) {
            return None;
        }
        let is_negation = |piece: &Piece| matches!(piece, Piece::Negation);
        let (negations, values): (Vec<_>, Vec<_>) = pieces.into_iter().partition(is_negation);
        let mistake_count = self.mistakes.len();
        self.span = span_of(words);
        let result = (phrase.make)(&mut Pieces::new(values, self));
        if !self.is_lenient && self.mistakes.len() > mistake_count {
            self.mistakes.truncate(mistake_count);
            return None;
        }
        Some((result, !negations.is_empty()))
    }

    /// Matches words with the remaining parts of a phrase, and appends the values of its slots to `pieces`. Each slot
    /// is tried with one word first, and then with more.
    fn match_parts(
        &mut self,
        parts: &[&str],
        words: &ArgumentSlice,
        pieces: &mut Vec<Piece>,
    ) -> bool {
        let Some((&part, rest)) = parts.split_first() else { return words.is_empty() };
        if let Some(word) = part.strip_prefix('[').and_then(|part| part.strip_suffix(']')) {
            let is_present = words.first().is_some_and(|first| is_word(first, word));
            pieces.extend(is_present.then_some(Piece::Negation));
            return self.match_parts(rest, &words[usize::from(is_present)..], pieces);
        }
        if let Some(text) = part.strip_prefix('"').and_then(|part| part.strip_suffix('"')) {
            return words.first().is_some_and(|first| first.value.text() == Some(text))
                && self.match_parts(rest, &words[1..], pieces);
        }
        let Some(slot) = part.strip_prefix('<').and_then(|part| part.strip_suffix('>')) else {
            return words.first().is_some_and(|first| is_word(first, part))
                && self.match_parts(rest, &words[1..], pieces);
        };
        let piece_count = pieces.len();
        let (mistake_count, created_count) = (self.mistakes.len(), self.created.len());
        // Each remaining part takes at least one word, unless it is optional; a slot at the end takes all words that
        // are left.
        let min_rest = rest.iter().filter(|part| !part.starts_with('[')).count();
        let max_count = words.len().saturating_sub(min_rest);
        let min_count = if rest.is_empty() { max_count.max(1) } else { 1 };
        let next = rest.first().filter(|part| is_literal(part));
        for count in min_count..=max_count {
            if next.is_some_and(|next| !is_word(&words[count], next)) {
                continue;
            }
            if let Some(piece) = self.parse_slot(slot, &words[..count]) {
                pieces.push(piece);
                if self.match_parts(rest, &words[count..], pieces) {
                    return true;
                }
            }
            pieces.truncate(piece_count);
            self.mistakes.truncate(mistake_count);
            self.created.truncate(created_count);
        }
        false
    }

    fn parse_slot(&mut self, slot: &str, words: &ArgumentSlice) -> Option<Piece> {
        let expected: Option<ValueKind> = match slot {
            "new" => return self.new_variable(only_name(words)?),
            "variable" => return self.variable(words, ValueKind::Number),
            "pointer" => return self.pointer(words),
            "bytes" => return bytes::byte_alternatives(words).map(Piece::Sequences),
            "most" => return bytes::at_most(words).map(Piece::Sequences),
            "sequence" => return bytes::one_sequence(words).map(Piece::Sequences),
            "sequences" => return bytes::sequences(words).map(Piece::Sequences),
            "condition" => return self.condition(words).map(Piece::Question),
            "limit" => return self.limit(only_name(words)?),
            "count" => {
                let [Spanned { value: Argument::Number(count), .. }] = words else { return None };
                return Some(Piece::Count(*count));
            }
            "elements" => return elements(words).map(Piece::Elements),
            "local-names" => return local_names(words).map(Piece::Elements),
            "html-elements" => return html_elements(words).map(Piece::Elements),
            "steps" => {
                let index = self.resolver.steps_index(only_name(words)?)?;
                return u8::try_from(index).ok().map(|index| Piece::Steps(StepsId(index)));
            }
            "name" => {
                let [word] = words else { return None };
                return word.value.text().map(|name| Piece::Name(name.to_owned()));
            }
            "document-mode" => {
                let [word] = words else { return None };
                return find(DOCUMENT_MODES, word.value.text()?).map(Piece::DocumentMode);
            }
            "label" | "new-label" => return self.label(only_name(words)?, words[0].span),
            "value" => None,
            other => {
                let of_variable = other.strip_suffix("-variable");
                let kind = find(ValueKind::SLOTS, of_variable.unwrap_or(other))
                    .unwrap_or_else(|| unreachable!("the vocabulary has no slot `{other}`"));
                if of_variable.is_some() {
                    return self.variable(words, kind);
                }
                Some(kind)
            }
        };
        // A choice (`X when C otherwise Y`) is a whole value, never part of another.
        let chosen = if slot == "value" { self.conditional(words) } else { None };
        let (value, kind) = match chosen {
            Some(chosen) => chosen,
            None => self.value(words, expected)?,
        };
        self.last_kind = kind;
        Some(Piece::Value(value))
    }

    fn new_variable(&mut self, name: &str) -> Option<Piece> {
        let known = self.scope.find(name).or_else(|| self.scope.find_branch_variable(name));
        let next = self.next_unused();
        if known.is_none() {
            self.created.push(name.to_owned());
        }
        known.or(next).map(Piece::Variable)
    }

    /// Returns the id of the next variable to create; `None` if the algorithm has too many variables.
    fn next_unused(&self) -> Option<VariableId> {
        u8::try_from(self.scope.variables.len() + self.created.len()).ok().map(VariableId)
    }

    /// Parses the name of an existing variable of this kind; `None` for other words.
    fn variable(&mut self, words: &ArgumentSlice, kind: ValueKind) -> Option<Piece> {
        let (value, _) = self.value(words, Some(kind))?;
        let Expression::Variable(variable) = value else { return None };
        Some(Piece::Variable(variable))
    }

    fn pointer(&mut self, words: &ArgumentSlice) -> Option<Piece> {
        let name = only_name(words)?;
        if name == "position" && self.scope.find(name).is_none() {
            return Some(Piece::Pointer(BytePosition::Position));
        }
        let Piece::Variable(variable) = self.variable(words, ValueKind::Position)? else {
            return None;
        };
        Some(Piece::Pointer(BytePosition::Variable(variable)))
    }

    fn limit(&self, name: &str) -> Option<Piece> {
        let limits = &self.resolver.tree.construction.limits;
        limits.get(&find(TREE_LIMITS, name)?).copied().map(Piece::Limit)
    }

    fn label(&mut self, name: &str, span: Span) -> Option<Piece> {
        let mut visible = self.scope.visible_labels.iter().copied();
        let found = visible.find(|&label| self.scope.labels[usize::from(label)] == name);
        if found.is_none() && self.is_lenient {
            self.mistakes.push(Mistake::Label(span, name.to_owned()));
            return Some(Piece::Label(0));
        }
        found.map(Piece::Label)
    }

    /// Parses a value of the kind `expected`, or of any kind if there is no expectation.
    pub(super) fn value(
        &mut self,
        words: &ArgumentSlice,
        expected: Option<ValueKind>,
    ) -> Option<Typed> {
        let typed = match words {
            [Spanned { value: Argument::Number(number), .. }] => {
                (Expression::Number(*number), Some(ValueKind::Number))
            }
            [Spanned { value: Argument::Text(name), .. }]
                if expected == Some(ValueKind::Encoding) =>
            {
                let value = ByteValue::Encoding(Expression::Text(name.clone()));
                (Expression::Bytes(Box::new(value)), expected)
            }
            [Spanned { value: Argument::Text(text), .. }] => {
                (Expression::Text(text.clone()), Some(ValueKind::Text))
            }
            [Spanned { value: Argument::Character(character), .. }] => {
                (Expression::Text(character.to_string()), Some(ValueKind::Text))
            }
            _ => match only_name(words).and_then(|name| self.scope.find(name)) {
                Some(id) => (Expression::Variable(id), Some(self.scope.kind(id))),
                None => self.phrase(words, expected)?,
            },
        };
        let Some(expected) = expected else { return Some(typed) };
        let fits = match typed.1 {
            None => matches!(expected, ValueKind::Node | ValueKind::Location),
            Some(kind) => kind == expected,
        };
        if !fits && !self.is_lenient {
            return None;
        }
        if !fits {
            let kind = typed.1.unwrap_or(ValueKind::Node);
            self.mistakes.push(Mistake::ValueKind(span_of(words), kind, expected));
        }
        Some(typed)
    }

    fn phrase(&mut self, words: &ArgumentSlice, expected: Option<ValueKind>) -> Option<Typed> {
        let is_similar = |phrase: &&Phrase<Expression>| {
            // A phrase that begins with a slot is recognized by its next word.
            if phrase.syntax.starts_with('<') {
                let next = phrase.syntax.split(' ').nth(1);
                return next.is_some_and(|next| words.iter().any(|word| is_word(word, next)));
            }
            can_begin(phrase.syntax, words)
        };
        let is_expected = |phrase: &&Phrase<Expression>| {
            expected.is_none() || phrase.kind == expected || phrase.syntax == "none"
        };
        let values = self.scope.vocabulary.values.iter().copied().flatten();
        let candidates: Vec<_> = values.filter(is_similar).collect();
        let (expected_phrases, other_phrases): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(is_expected);
        let other_phrases =
            other_phrases.into_iter().filter(|_| self.is_lenient).collect::<Vec<_>>();
        for phrase in expected_phrases.into_iter().chain(other_phrases) {
            if let Some((expression, _)) = self.match_phrase(phrase, words) {
                let kind = phrase.kind.filter(|_| expression != Expression::None);
                return Some((expression, kind));
            }
        }
        if let Some(call) = self.call(words) {
            let kind = self.callee(call.algorithm)?.returns?;
            return Some((Expression::Call(call), Some(kind)));
        }
        let name = only_name(words).filter(|_| self.is_lenient)?;
        self.mistakes.push(Mistake::Unbound(words[0].span, name.to_owned()));
        Some((Expression::None, expected))
    }

    /// Parses a choice such as `X when C otherwise Y`.
    fn conditional(&mut self, words: &ArgumentSlice) -> Option<Typed> {
        let positions = |word: &str| -> Vec<usize> {
            (1..words.len()).filter(|&index| is_word(&words[index], word)).collect()
        };
        for when in positions("when") {
            for otherwise in positions("otherwise").into_iter().filter(|&at| at > when + 1) {
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
            }
        }
        None
    }

    /// Returns the value or, after recording the mistake, the default if there is none.
    fn or_mistake<T: Default>(&mut self, found: Option<T>, mistake: Mistake) -> T {
        found.unwrap_or_else(|| {
            self.mistakes.push(mistake);
            T::default()
        })
    }

    fn algorithm_id(&self, name: &str) -> Option<AlgorithmId> {
        let has_name = |one: &Option<Algorithm>| one.as_ref().is_some_and(|one| one.name == name);
        let index = self.resolver.tree.algorithms.iter().position(has_name)?;
        u8::try_from(index).ok().map(AlgorithmId)
    }

    fn callee(&self, id: AlgorithmId) -> Option<&'r Algorithm> {
        let resolver = self.resolver;
        resolver.tree.algorithms.get(usize::from(id.0))?.as_ref()
    }

    /// Parses a call of an algorithm with its arguments; `None` if the words are no such call.
    pub(super) fn call(&mut self, words: &ArgumentSlice) -> Option<Call> {
        let algorithm = self.algorithm_id(words.first()?.value.name()?)?;
        let callee = self.callee(algorithm)?;
        let mut arguments = Vec::new();
        if !self.arguments(callee, &words[1..], &mut arguments) {
            return None;
        }
        Some(Call { algorithm, arguments })
    }

    fn arguments(
        &mut self,
        callee: &Algorithm,
        words: &ArgumentSlice,
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

    /// Parses a condition, or a combination of conditions by `and` or `or`.
    pub(super) fn condition(&mut self, words: &ArgumentSlice) -> Option<Question> {
        if words.is_empty() {
            return None;
        }
        if let Some(operand) = self.operand(words) {
            return Some(operand);
        }
        if let Some(all) = self.list(words, "and") {
            return Some(Question::All(all));
        }
        self.list(words, "or").map(Question::Any)
    }

    /// Parses an operand of a combination: a single condition, or two after `both` or `either`.
    fn operand(&mut self, words: &ArgumentSlice) -> Option<Question> {
        let all: fn(Vec<Question>) -> Question = Question::All;
        for (word, joiner, join) in [("both", "and", all), ("either", "or", Question::Any)] {
            if is_word(words.first()?, word) {
                return self.list(&words[1..], joiner).filter(|two| two.len() == 2).map(join);
            }
        }
        let (question, is_negated) = self.match_phrases(self.scope.vocabulary.questions, words)?;
        Some(match question {
            question if !is_negated => question,
            Question::Not(inner) => *inner,
            question => Question::Not(Box::new(question)),
        })
    }

    /// Parses an operand of a list; operands of `or` may be lists with `and`.
    fn list_operand(&mut self, words: &ArgumentSlice, joiner: &str) -> Option<Question> {
        let operand = self.operand(words);
        let is_outer = joiner == "or";
        operand.or_else(|| is_outer.then(|| self.list(words, "and").map(Question::All)).flatten())
    }

    fn list(&mut self, words: &ArgumentSlice, joiner: &str) -> Option<Vec<Question>> {
        for index in (1..words.len()).filter(|&index| is_word(&words[index], joiner)) {
            let mistake_count = self.mistakes.len();
            if let Some(first) = self.list_operand(&words[..index], joiner) {
                let rest = words.get(index + 1..).filter(|rest| !rest.is_empty())?;
                if let Some(rest) =
                    self.list(rest, joiner).or_else(|| Some(vec![self.list_operand(rest, joiner)?]))
                {
                    return Some([vec![first], rest].concat());
                }
            }
            self.mistakes.truncate(mistake_count);
        }
        None
    }
}

impl KnownNames for PhraseParser<'_> {
    fn flag(&mut self, name: &'static str) -> TreeFlagId {
        let mut flags = self.resolver.tree_flags().iter();
        let found = flags.position(|flag| flag.by_host && flag.name == name);
        TreeFlagId(self.or_mistake(found, Mistake::Flag(self.span, name)) as u8)
    }

    fn variable(&mut self, name: &'static str) -> VariableId {
        self.or_mistake(self.scope.find(name), Mistake::Unbound(self.span, name.to_owned()))
    }

    fn create_variable(&mut self, name: &'static str) -> VariableId {
        let variable = self.next_unused().unwrap_or_default();
        self.created.push(name.to_owned());
        variable
    }

    fn algorithm(&mut self, name: &'static str) -> AlgorithmId {
        self.or_mistake(self.algorithm_id(name), Mistake::Algorithm(self.span, name))
    }
}

/// Whether a phrase with this syntax can begin with the first of the words. Rejects most phrases before they are split.
fn can_begin(syntax: &str, words: &ArgumentSlice) -> bool {
    let syntax = syntax.as_bytes();
    if matches!(syntax.first(), Some(b'<' | b'[' | b'"')) {
        return true;
    }
    let Some(first) = words.first().and_then(|first| first.value.name()) else { return false };
    let length = first.len();
    syntax.get(..length) == Some(first.as_bytes())
        && matches!(syntax.get(length), None | Some(b' '))
}

/// Whether the words contain the literal words of a phrase, in this order. Rejects phrases before their slots are
/// parsed.
fn has_literals(syntax: &str, words: &ArgumentSlice) -> bool {
    let mut words = words.iter();
    syntax
        .split(' ')
        .filter(|part| is_literal(part))
        .all(|part| words.any(|word| is_word(word, part)))
}

/// Whether a part of a phrase is a required word, as opposed to a slot, a text or an optional word.
fn is_literal(part: &str) -> bool {
    !part.starts_with(['<', '[', '"'])
}

/// Parses element names such as `"template" or "table"`.
fn elements(words: &ArgumentSlice) -> Option<Vec<ElementName>> {
    let separated = words.split(|word| is_word(word, "or"));
    separated.map(|one| if let [local] = one { own_element(local) } else { None }).collect()
}

/// Parses element names such as `html "style" or html "script"`.
fn html_elements(words: &ArgumentSlice) -> Option<Vec<ElementName>> {
    let separated = words.split(|word| is_word(word, "or"));
    let of = |one: &ArgumentSlice| match one {
        [html, local] if is_word(html, "html") => own_element(local),
        _ => None,
    };
    separated.map(of).collect()
}

/// Parses element names such as `"area" "base"`.
fn local_names(words: &ArgumentSlice) -> Option<Vec<ElementName>> {
    words.iter().map(own_element).collect()
}

fn own_element(word: &Spanned<Argument>) -> Option<ElementName> {
    word.value.text().map(ElementName::own)
}
