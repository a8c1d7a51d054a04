//! Resolves the algorithms that the oracle executes to typed steps, each before those that call it. Steps under
//! `deviates`, which apply to browsers only, are dropped.

use super::super::Resolver;
use super::phrase::{Mistake, PhraseParser, Scope};
use super::standard;
use crate::diagnostic::{
    Diagnostic, MANUAL, MISPLACED_STEP, MISSING_DECLARATION, STEPS_CYCLE, Severity,
    UNBOUND_VARIABLE, UNKNOWN_FLAG, UNKNOWN_LABEL, UNKNOWN_STEP, WRONG_KIND,
};
use crate::model::tree::algorithm::{
    Algorithm, Definition, Expression, Kind, Parameter, Routine, RunStep, Variable, VariableId,
};
use crate::model::tree::{Elements, TreeLimits};
use crate::nearest::{nearest_or, similar_forms};
use crate::syntax::{
    AlgorithmStep, Argument, Item, NoteKind, Span, Spanned, Table, TreeItem, Word, Words,
};
use crate::vocabulary::algorithm::{
    INTRODUCED_PARAMETERS, KIND_BY_NAME, KINDS, Phrase, ROUTINES, Vocabulary, routine_of,
};
use crate::vocabulary::{find, word};

/// An algorithm as written.
struct AlgorithmSource<'t> {
    name: &'t Word,
    routine: Routine,
    section: Option<crate::syntax::Section>,
    /// Steps of another algorithm that are executed first.
    first: &'t [AlgorithmStep],
    steps: &'t [AlgorithmStep],
    /// Whether it is a standard algorithm that the table does not contain, so that its spans belong to no file of the
    /// table.
    is_standard: bool,
}

/// State of resolving an algorithm.
pub(super) struct Body {
    pub(super) scope: Scope,
    definitions: Vec<Definition>,
    returns: Option<Kind>,
    /// Number of enclosing repetitions.
    pub(super) repetitions: usize,
    /// Number of enclosing steps.
    pub(super) depth: usize,
    /// Variables that the inner steps of the last step assign.
    pub(super) within: Vec<VariableId>,
    /// Variables that the last step creates.
    created: NewVariables,
    /// Spans of the steps so far, in preorder.
    pub(super) spans: Vec<Span>,
}

/// Variables that a step creates.
#[derive(Default)]
struct NewVariables {
    /// Names of the new variables.
    names: Vec<String>,
    /// Kind of the new variables, if it is known.
    kind: Option<Kind>,
}

/// A step with its inner steps.
pub(in crate::resolve) type Line<'t> = (&'t Words, &'t [AlgorithmStep]);

impl Resolver {
    /// Resolves the algorithms that the oracle executes, in the table's order, followed by the standard ones for the
    /// table's kind of elements.
    pub(super) fn algorithms(
        &mut self,
        table: &Table,
        elements: Elements,
        limits: TreeLimits,
    ) -> Vec<Algorithm> {
        let own = standard::tables(elements);
        let mut written: Vec<AlgorithmSource<'_>> = Vec::new();
        for (of, is_own) in std::iter::once((table, false)).chain(own.iter().map(|own| (own, true)))
        {
            for one in algorithms_in(of, elements, is_own) {
                if !is_own {
                    self.unique(one.name, "algorithm");
                }
                if !is_own || !written.iter().any(|other| other.name.value == one.name.value) {
                    written.push(one);
                }
            }
        }
        if elements == Elements::Html {
            self.require_option_algorithm(table, &written);
        }
        self.tree.algorithms = written.iter().map(|_| None).collect();
        let mut begun = vec![false; written.len()];
        for index in 0..written.len() {
            self.resolve_algorithm(&written, index, &mut begun, limits);
        }
        std::mem::take(&mut self.tree.algorithms).into_iter().flatten().collect()
    }

    /// Reports a table that mirrors selected options without an algorithm for it.
    fn require_option_algorithm(&mut self, table: &Table, written: &[AlgorithmSource<'_>]) {
        let name = word(ROUTINES, &Routine::CloneOption);
        let has = |one: &AlgorithmSource<'_>| one.name.value == name;
        let shows = table.items.iter().find_map(|item| match item {
            Item::Tree(TreeItem::SelectedContent(pairs, _)) => pairs.first(),
            _ => None,
        });
        if let Some((first, _)) = shows.filter(|_| !written.iter().any(has)) {
            let message = format!("this requires `algorithm {name}`, which the table lacks");
            let help =
                format!("add it: `algorithm {name} {{ … }}`, or use a file of modes that has it");
            self.report(Diagnostic::new(MISSING_DECLARATION, first.span, message).help(help));
        }
    }

    /// Resolves the algorithm at this index, after those that it calls.
    fn resolve_algorithm(
        &mut self,
        written: &[AlgorithmSource<'_>],
        at: usize,
        begun: &mut [bool],
        limits: TreeLimits,
    ) {
        if std::mem::replace(&mut begun[at], true) {
            return;
        }
        let one = &written[at];
        for (other, other_one) in written.iter().enumerate() {
            let other_name = &other_one.name.value;
            if !calls(one.first, other_name) && !calls(one.steps, other_name) {
                continue;
            }
            if begun[other] && self.tree.algorithms[other].is_none() {
                let message = format!(
                    "`{}` must not run `{}`, as this is a cycle",
                    one.name.value, other_one.name.value
                );
                self.tree.circular.push(other_one.name.value.clone());
                // At least one algorithm of the cycle is the table's own, and is being resolved.
                let is_read = |at: &usize| begun[*at] && self.tree.algorithms[*at].is_none();
                let read = (0..written.len()).filter(is_read).map(|index| &written[index]);
                let span = std::iter::once(one)
                    .chain(read)
                    .find(|one| !one.is_standard)
                    .map_or(Span::default(), |one| one.name.span);
                self.report(
                    Diagnostic::new(STEPS_CYCLE, span, message).help("remove one of the two calls"),
                );
                continue;
            }
            self.resolve_algorithm(written, other, begun, limits);
        }
        let known = self.diagnostics.len();
        let scope = Scope::new(limits, Vocabulary::for_routine(one.routine));
        let (definitions, returns) = (Vec::new(), None);
        let (repetitions, depth, within, made) = (0, 0, Vec::new(), NewVariables::default());
        let mut body = Body {
            scope,
            definitions,
            returns,
            repetitions,
            depth,
            within,
            created: made,
            spans: Vec::new(),
        };
        body.add_introduced_parameters(one.routine);
        let all: Vec<Line<'_>> = [one.first, one.steps].into_iter().flat_map(lines).collect();
        let mut steps = self.run_steps(&all, &mut body, false);
        if one.is_standard {
            self.attribute_to_caller(known, one, written);
        }
        steps.extend(body.final_return(one.routine));
        let returned = match steps.last() {
            Some(RunStep::Run(call)) => {
                let callee = self.tree.algorithms[usize::from(call.algorithm.0)].as_ref();
                callee.and_then(|callee| callee.returns)
            }
            _ => None,
        };
        let sets = steps.iter().filter_map(RunStep::sets);
        let sets = sets.map(|(flag, value)| (flag, value.clone())).collect();
        self.tree.algorithms[at] = Some(Algorithm {
            name: one.name.value.clone(),
            span: one.name.span,
            section: one.section.clone(),
            parameters: body.scope.parameters,
            variables: body.scope.variables,
            returns: body.returns.or(returned),
            definitions: body.definitions,
            sets,
            steps,
            step_spans: if one.is_standard { Vec::new() } else { body.spans },
            written: format_algorithm(&one.name.value, &all),
        });
    }

    /// Attributes the errors after the first `known` ones, which are in a standard algorithm, to the table's own
    /// algorithm that it calls, because a standard algorithm has no errors of its own.
    fn attribute_to_caller(
        &mut self,
        known: usize,
        one: &AlgorithmSource<'_>,
        written: &[AlgorithmSource<'_>],
    ) {
        let Some(mistake) = self.diagnostics.drain(known..).next() else { return };
        let runs = |other: &&AlgorithmSource<'_>| {
            !other.is_standard && calls(one.steps, &other.name.value)
        };
        let blamed = written.iter().find(runs);
        let span = blamed.map_or(Span::default(), |blamed| blamed.name.span);
        // One error per algorithm. A standard algorithm that calls none of the table's own calls another standard one
        // that has been reported.
        let is_said = |it: &Diagnostic| {
            it.severity == Severity::Error && (it.span == span || blamed.is_none())
        };
        if self.diagnostics.iter().any(is_said) {
            return;
        }
        let (name, said) = (&one.name.value, &mistake.message);
        let message =
            format!("`{name}`, which the table includes, runs this, but it does not fit: {said}");
        let help = format!(
            "give it the expected parameters and result, or write `algorithm {name} {{ … }}` as well"
        );
        self.report(Diagnostic { span, message, ..mistake }.help(help));
    }

    /// Resolves a step; `None` if it has an error.
    pub(super) fn run_step(
        &mut self,
        words: &Words,
        inner: &[AlgorithmStep],
        body: &mut Body,
    ) -> Option<Vec<RunStep>> {
        let arguments = &words.arguments[..];
        let word = |i: usize, word: &str| arguments.get(i).is_some_and(|one| is_word(one, word));
        let holds = |steps: &[AlgorithmStep]| !steps.is_empty();
        match arguments {
            [_] if word(0, "otherwise") => Some(self.block(inner, body, false)),
            [_, condition @ ..] if word(0, "when") => self.when(condition, inner, words, body),
            [_, _, condition @ ..] if word(0, "otherwise") && word(1, "when") => {
                self.when(condition, inner, words, body)
            }
            [_, subject @ ..] if word(0, "choose") => self.choose(words, subject, inner, body),
            [_, condition @ ..] if word(0, "while") => {
                let condition =
                    self.parse_words(words, body, |reading| reading.condition(condition))?;
                Some(vec![RunStep::RepeatWhile(condition, self.block(inner, body, true))])
            }
            [_] if word(0, "repeat") => Some(vec![RunStep::Repeat(self.block(inner, body, true))]),
            [_, _, condition @ ..] if word(0, "repeat") && word(1, "while") => {
                let condition =
                    self.parse_words(words, body, |reading| reading.condition(condition))?;
                Some(vec![RunStep::RepeatWhile(condition, self.block(inner, body, true))])
            }
            [_, about @ ..] if word(0, "for-each") => self.for_each(words, about, inner, body),
            _ if holds(inner) => self.unknown_step(words, &body.scope),
            [_, rest @ ..] if word(0, "given") => self.parameter(words, rest, body),
            [_, kind] if word(0, "returns") => {
                let Argument::Name(name) = &kind.value else {
                    return self.unknown_step(words, &body.scope);
                };
                body.returns = Some(self.kind(name, kind.span)?);
                Some(Vec::new())
            }
            _ => self.plain_step(words, body),
        }
    }

    /// Resolves a step without inner steps.
    fn plain_step(&mut self, words: &Words, body: &mut Body) -> Option<Vec<RunStep>> {
        let reported = words.to_string();
        if let Some(definition) = find(body.scope.vocabulary.definitions, &reported) {
            body.definitions.push(definition);
            return Some(Vec::new());
        }
        let step = self.parse_words(words, body, |reading| {
            let step = reading.match_phrases(reading.scope.vocabulary.steps, &words.arguments);
            step.or_else(|| reading.call(&words.arguments).map(RunStep::Run))
        })?;
        let within = match &step {
            RunStep::Break | RunStep::Continue => body.repetitions > 0,
            RunStep::RunParser => body.depth == 0,
            _ => true,
        };
        if !within {
            self.misplaced(words.span, &format!("`{reported}` is not allowed here"));
            return None;
        }
        if let RunStep::Return(Some(value)) = &step {
            body.returns = body.returns.or(self.return_kind(value, words, body));
        }
        let new = std::mem::take(&mut body.created);
        self.bind(words, &step, new, body).then(|| vec![step])
    }

    /// Returns the kind of the value of a `return`.
    fn return_kind(&mut self, value: &Expression, words: &Words, body: &Body) -> Option<Kind> {
        if let Expression::Truth(_) = value {
            return Some(Kind::Truth);
        }
        let mut reading = PhraseParser::new(self, &body.scope, true);
        reading.value(&words.arguments[1..], None).and_then(|(_, kind)| kind)
    }

    /// Parses words in strict mode; in case of failure, lenient mode finds the errors to report.
    pub(super) fn parse_words<T>(
        &mut self,
        words: &Words,
        body: &mut Body,
        parse: impl Fn(&mut PhraseParser<'_>) -> Option<T>,
    ) -> Option<T> {
        let mut strict = PhraseParser::new(self, &body.scope, false);
        if let Some(parsed) = parse(&mut strict) {
            body.created = NewVariables { names: strict.created, kind: strict.last };
            return Some(parsed);
        }
        let mut lenient = PhraseParser::new(self, &body.scope, true);
        let is_parsed = parse(&mut lenient).is_some();
        let (new, mistakes) = (lenient.created, lenient.mistakes);
        // The variables are created nonetheless, to avoid further errors about them.
        for name in new {
            body.create_variable(name, Kind::Node);
        }
        match mistakes.into_iter().next().filter(|_| is_parsed) {
            Some(mistake) => self.report_mistake(mistake, &body.scope),
            None => {
                self.unknown_step::<()>(words, &body.scope);
            }
        }
        None
    }

    /// Creates the variables of a step. Returns whether their kinds are consistent.
    fn bind(&mut self, words: &Words, step: &RunStep, new: NewVariables, body: &mut Body) -> bool {
        let kind = match step {
            RunStep::Let(variable, value) => match body.kind_of_let(*variable, value, new.kind) {
                Ok(kind) => kind,
                Err((kind, known)) => {
                    self.report_mistake(Mistake::Kind(words.span, kind, known), &body.scope);
                    return false;
                }
            },
            _ => Kind::Node,
        };
        for name in new.names {
            body.create_variable(name, kind);
        }
        true
    }

    /// Resolves a parameter of the algorithm.
    fn parameter(
        &mut self,
        words: &Words,
        rest: &[Spanned<Argument>],
        body: &mut Body,
    ) -> Option<Vec<RunStep>> {
        if body.depth > 0 {
            self.misplaced(words.span, "parameters must come first in an algorithm");
            return None;
        }
        let (is_optional, rest) = match rest {
            [first, rest @ ..] if is_word(first, "optional") => (true, rest),
            rest => (false, rest),
        };
        let mut rest = rest;
        while let [kind, or, others @ ..] = rest
            && is_word(or, "or")
        {
            self.kind(word_of(kind), kind.span)?;
            rest = others;
        }
        let (name, kind, default) = match rest {
            [name] => {
                let Argument::Name(name) = &name.value else {
                    return self.unknown_step(words, &body.scope);
                };
                match find(KIND_BY_NAME, name) {
                    Some(kind) => (name, kind, None),
                    None => return self.unknown_step(words, &body.scope),
                }
            }
            [kind, name, rest @ ..] => {
                let (Argument::Name(kind), Argument::Name(name), span) =
                    (&kind.value, &name.value, kind.span)
                else {
                    return self.unknown_step(words, &body.scope);
                };
                let kind = self.kind(kind, span)?;
                let default = match rest {
                    [first, default @ ..]
                        if is_optional && is_word(first, "default") && !default.is_empty() =>
                    {
                        let read =
                            |reading: &mut PhraseParser<'_>| reading.value(default, Some(kind));
                        Some(self.parse_words(words, body, read)?.0)
                    }
                    [] if !is_optional => None,
                    _ => return self.unknown_step(words, &body.scope),
                };
                (name, kind, default)
            }
            [] => return self.unknown_step(words, &body.scope),
        };
        let variable = body.create_variable(name.clone(), kind)?;
        body.scope.parameters.push(Parameter { variable, default });
        Some(Vec::new())
    }

    fn kind(&mut self, name: &str, span: Span) -> Option<Kind> {
        self.word_of(KINDS, name, span, "a kind of values")
    }

    pub(super) fn unknown_step<T>(&mut self, words: &Words, scope: &Scope) -> Option<T> {
        let reported = words.to_string();
        // A recursive algorithm is already reported.
        if self.tree.circular.iter().any(|name| reported.split(' ').any(|word| word == name)) {
            return None;
        }
        let first = reported.split(' ').next().unwrap_or_default();
        let alike = |phrase: &&Phrase<RunStep>| phrase.syntax.split(' ').next() == Some(first);
        let all = || scope.vocabulary.steps.iter().copied().flatten();
        let begins_alike: Vec<&str> = all().filter(alike).map(|phrase| phrase.syntax).collect();
        let candidates: Vec<&str> =
            all().filter_map(|phrase| phrase.syntax.split(' ').next()).collect();
        let listed = format!("the reference lists the steps: {MANUAL}");
        let help = match &begins_alike[..] {
            [] => nearest_or(first, &candidates, &listed),
            alike => similar_forms(&reported, alike),
        };
        let message = format!("unknown step `{reported}`");
        self.report(Diagnostic::new(UNKNOWN_STEP, words.span, message).help(help));
        None
    }

    pub(super) fn misplaced(&mut self, span: Span, message: &str) {
        self.report(Diagnostic::new(MISPLACED_STEP, span, message));
    }

    fn report_mistake(&mut self, mistake: Mistake, scope: &Scope) {
        let diagnostic = match mistake {
            Mistake::Unbound(span, name) => {
                let visible = scope.visible.iter();
                let names: Vec<&str> =
                    visible.map(|id| &scope.variables[usize::from(id.0)].name[..]).collect();
                let help = nearest_or(&name, &names, "write a `let` for it before, or a `given`");
                let message = format!("there is no variable `{name}` in scope");
                Diagnostic::new(UNBOUND_VARIABLE, span, message).help(help)
            }
            Mistake::Kind(span, found, expected) => {
                let message = format!(
                    "this is {}, but {} is expected",
                    found.description(),
                    expected.description()
                );
                Diagnostic::new(WRONG_KIND, span, message)
            }
            Mistake::Label(span, name) => {
                let labels: Vec<&str> = scope.labels.iter().map(|label| &label[..]).collect();
                if labels.contains(&&name[..]) {
                    let message = format!("the label `{name}` is inside other steps");
                    Diagnostic::new(UNKNOWN_LABEL, span, message)
                        .help("go to a label next to this step, or around it")
                } else {
                    let help = nearest_or(&name, &labels, "write it before a step: `at LABEL;`");
                    let message = format!("the algorithm has no label `{name}`");
                    Diagnostic::new(UNKNOWN_LABEL, span, message).help(help)
                }
            }
            Mistake::Algorithm(span, name) => {
                let message = format!("this runs the algorithm `{name}`, which is not defined");
                Diagnostic::new(MISSING_DECLARATION, span, message)
                    .help(format!("add it: `algorithm {name} {{ … }}`"))
            }
            Mistake::Flag(span, name) => {
                let message =
                    format!("this requires the host flag `{name}`, which is not declared");
                let help = format!("declare it: `tree flag {name} = … by host;`");
                Diagnostic::new(UNKNOWN_FLAG, span, message).help(help)
            }
        };
        self.report(diagnostic);
    }
}

impl Body {
    /// Creates the parameters that the document introduces before the steps of the algorithm.
    fn add_introduced_parameters(&mut self, routine: Routine) {
        for (_, name, kind, default) in
            INTRODUCED_PARAMETERS.iter().filter(|given| given.0 == routine)
        {
            let variable = self.create_variable((*name).to_owned(), *kind);
            let parameter = |variable| Parameter { variable, default: default.clone() };
            self.scope.parameters.extend(variable.map(parameter));
        }
    }

    /// Returns a final step that returns a parameter as the other steps have changed it.
    fn final_return(&mut self, routine: Routine) -> Option<RunStep> {
        let name = routine.returned_variable()?;
        let variable = self.scope.find(name)?;
        self.returns = Some(self.scope.kind(variable));
        Some(RunStep::Return(Some(Expression::Variable(variable))))
    }

    /// Returns the kind of a variable after an assignment, or both kinds if they differ. A variable assigned by a
    /// parallel branch becomes visible.
    fn kind_of_let(
        &mut self,
        variable: VariableId,
        value: &Expression,
        kind: Option<Kind>,
    ) -> Result<Kind, (Kind, Kind)> {
        let kind = if let Expression::Names(_) = value { Some(Kind::Names) } else { kind };
        let is_none = *value == Expression::None;
        let scope = &mut self.scope;
        let Some(known) = scope.variables.get_mut(usize::from(variable.0)) else {
            scope.open.extend(is_none.then_some(variable));
            return Ok(kind.unwrap_or(Kind::Node));
        };
        if !is_none && scope.open.contains(&variable) {
            scope.open.retain(|open| *open != variable);
            known.kind = kind.unwrap_or(known.kind);
        }
        if !scope.visible.contains(&variable) {
            scope.visible.push(variable);
        }
        match kind.filter(|kind| *kind != known.kind) {
            Some(kind) => Err((kind, known.kind)),
            None => Ok(known.kind),
        }
    }

    pub(super) fn create_variable(&mut self, name: String, kind: Kind) -> Option<VariableId> {
        let id = VariableId(u8::try_from(self.scope.variables.len()).ok()?);
        self.scope.variables.push(Variable { name, kind });
        self.scope.visible.push(id);
        Some(id)
    }
}

/// Returns the steps to execute, without those for browsers only.
pub(in crate::resolve) fn lines(steps: &[AlgorithmStep]) -> Vec<Line<'_>> {
    let mut all = Vec::new();
    for step in steps {
        match step {
            AlgorithmStep::Step { words, inner } => all.push((words, &inner[..])),
            AlgorithmStep::Noted { note, inner } if note.kind == NoteKind::Fills => {
                all.extend(lines(inner));
            }
            AlgorithmStep::Noted { .. } => {}
        }
    }
    all
}

/// Returns an algorithm in the syntax of tables.
fn format_algorithm(name: &str, steps: &[Line<'_>]) -> String {
    fn add(steps: &[Line<'_>], indent: usize, text: &mut String) {
        for (words, inner) in steps {
            text.extend(std::iter::repeat_n("    ", indent));
            text.push_str(&words.to_string());
            if inner.is_empty() {
                text.push_str(";\n");
                continue;
            }
            text.push_str(" {\n");
            add(&lines(inner), indent + 1, text);
            text.extend(std::iter::repeat_n("    ", indent));
            text.push_str("}\n");
        }
    }
    let mut text = format!("algorithm {name} {{\n");
    add(steps, 1, &mut text);
    text + "}"
}

/// Returns the algorithms of the table that the oracle executes.
fn algorithms_in(table: &Table, elements: Elements, is_standard: bool) -> Vec<AlgorithmSource<'_>> {
    let of = |item| match item {
        &Item::Tree(TreeItem::Algorithm { ref name, ref section, ref steps }) => {
            let section = section.clone();
            let routine = routine_of(elements, &name.value)?;
            let first = routine.prefix_algorithm().and_then(|name| steps_of(table, name));
            let first = first.unwrap_or_default();
            Some(AlgorithmSource { name, routine, section, first, steps, is_standard })
        }
        _ => None,
    };
    table.items.iter().filter_map(of).collect()
}

/// Returns the steps of an algorithm of the table.
fn steps_of<'t>(table: &'t Table, routine_name: &str) -> Option<&'t [AlgorithmStep]> {
    table.items.iter().find_map(|item| match item {
        Item::Tree(TreeItem::Algorithm { name, steps, .. }) if name.value == routine_name => {
            Some(&steps[..])
        }
        _ => None,
    })
}

/// Words that are never calls of the algorithm with their name: `open` is the stack, and `serialize` is a step that
/// passes its own arguments.
const NOT_CALLED: &[&str] = &["open", "serialize"];

/// Whether a step calls the algorithm with this name. `let current …` sets the current node instead.
fn calls(steps: &[AlgorithmStep], name: &str) -> bool {
    lines(steps).into_iter().any(|(words, inner)| {
        let is_let = is_word(&words.arguments[0], "let");
        words.arguments.iter().skip(2 * usize::from(is_let)).any(|word| {
            is_word(word, name) && !NOT_CALLED.contains(&name)
                || is_word(word, "create-like") && name == "create-element"
                || is_word(word, "insert-like") && name == "insert-element"
        }) || calls(inner, name)
    })
}

/// Returns the argument's name; empty for anything else.
pub(super) fn word_of(argument: &Spanned<Argument>) -> &str {
    if let Argument::Name(name) = &argument.value { name } else { "" }
}

pub(super) fn is_word(argument: &Spanned<Argument>, word: &str) -> bool {
    matches!(&argument.value, Argument::Name(name) if name == word)
}
