//! Resolves the algorithms that the oracle executes to typed steps, each before those that call it. Steps under
//! `deviates`, which apply to browsers only, are dropped.

use super::super::Resolver;
use super::phrase::{Mistake, PhraseParser, Scope};
use super::standard;
use crate::diagnostic::{
    Diagnostic, MANUAL, MISPLACED_STEP, MISSING_DECLARATION, STEPS_CYCLE, Severity,
    UNBOUND_VARIABLE, UNKNOWN_FLAG, UNKNOWN_LABEL, UNKNOWN_STEP, WRONG_KIND,
};
use crate::model::tree::Elements;
use crate::model::tree::algorithm::{
    Algorithm, Definition, Expression, Parameter, Routine, RunStep, ValueKind, Variable, VariableId,
};
use crate::nearest::{nearest_or, similar_forms};
use crate::syntax::{
    AlgorithmStep, Argument, ItemBody, NoteKind, Span, Spanned, Table, Word, Words,
};
use crate::vocabulary::algorithm::{
    INTRODUCED_PARAMETERS, KIND_BY_NAME, Phrase, ROUTINES, Vocabulary, routine_of,
};
use crate::vocabulary::{find, word};

/// An algorithm before its steps are resolved.
struct AlgorithmSource<'t> {
    name: &'t Word,
    routine: Routine,
    section: Option<crate::syntax::Section>,
    /// Steps of the prefix algorithm, which run first.
    prefix: &'t [AlgorithmStep],
    steps: &'t [AlgorithmStep],
    /// Whether the algorithm is a standard one that the table lacks, so that its spans belong to no file of the table.
    is_standard: bool,
}

/// State of resolving an algorithm.
#[derive(Default)]
pub(super) struct Body {
    pub(super) scope: Scope,
    definitions: Vec<Definition>,
    returns: Option<ValueKind>,
    /// Number of enclosing repetitions.
    pub(super) repetitions: usize,
    /// Number of enclosing steps.
    pub(super) depth: usize,
    /// Variables that the inner steps of the last step assign.
    pub(super) inner_variables: Vec<VariableId>,
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
    kind: Option<ValueKind>,
}

/// A step with its inner steps.
pub(in crate::resolve) type Line<'t> = (&'t Words, &'t [AlgorithmStep]);

impl Resolver {
    /// Resolves the algorithms that the oracle executes: those of the table in its order, followed by the standard ones
    /// for its kind of elements that it lacks.
    pub(super) fn resolve_algorithms(
        &mut self,
        table: &Table,
        elements: Elements,
    ) -> Vec<Algorithm> {
        let standard = standard::tables(elements);
        let standard = standard.iter().map(|table| (table, true));
        let mut sources: Vec<AlgorithmSource<'_>> = Vec::new();
        for (table, is_standard) in std::iter::once((table, false)).chain(standard) {
            for source in algorithms_in(table, elements, is_standard) {
                if !is_standard {
                    self.declare_unique(source.name, "algorithm");
                }
                let has_name = |other: &AlgorithmSource<'_>| other.name.value == source.name.value;
                if !is_standard || !sources.iter().any(has_name) {
                    sources.push(source);
                }
            }
        }
        if elements == Elements::Html {
            self.require_option_algorithm(table, &sources);
        }
        self.tree.algorithms = sources.iter().map(|_| None).collect();
        let mut begun = vec![false; sources.len()];
        for index in 0..sources.len() {
            self.resolve_algorithm(&sources, index, &mut begun);
        }
        std::mem::take(&mut self.tree.algorithms).into_iter().flatten().collect()
    }

    /// Reports a table that mirrors selected options but lacks the algorithm for it.
    fn require_option_algorithm(&mut self, table: &Table, sources: &[AlgorithmSource<'_>]) {
        let name = word(ROUTINES, &Routine::CloneOption);
        let has_name = |source: &AlgorithmSource<'_>| source.name.value == name;
        let declaration = table.items.iter().find_map(|item| match &item.body {
            ItemBody::SelectedContent(clauses) => clauses.first(),
            _ => None,
        });
        if let Some(first) = declaration.filter(|_| !sources.iter().any(has_name)) {
            let message = format!("this requires `algorithm {name}`, which the table lacks");
            let help =
                format!("add it: `algorithm {name} {{ … }}`, or use a file of modes that has it");
            self.report(Diagnostic::new(MISSING_DECLARATION, first.word.span, message).help(help));
        }
    }

    /// Resolves the algorithm at this index, after those that it calls.
    fn resolve_algorithm(
        &mut self,
        sources: &[AlgorithmSource<'_>],
        index: usize,
        begun: &mut [bool],
    ) {
        if std::mem::replace(&mut begun[index], true) {
            return;
        }
        let source = &sources[index];
        for (callee_index, callee) in sources.iter().enumerate() {
            let callee_name = &callee.name.value;
            if !calls(source.prefix, callee_name) && !calls(source.steps, callee_name) {
                continue;
            }
            let is_in_progress =
                |index: usize| begun[index] && self.tree.algorithms[index].is_none();
            if is_in_progress(callee_index) {
                let message = format!(
                    "algorithm `{}` cannot run `{callee_name}`, which would be a cycle",
                    source.name.value
                );
                // At least one algorithm of the cycle is the table's own and is being resolved, so the error is
                // reported at its name.
                let in_progress = (0..sources.len()).filter(|&index| is_in_progress(index));
                let span = std::iter::once(source)
                    .chain(in_progress.map(|index| &sources[index]))
                    .find(|source| !source.is_standard)
                    .map_or(Span::default(), |source| source.name.span);
                self.tree.circular.push(callee_name.clone());
                self.report(
                    Diagnostic::new(STEPS_CYCLE, span, message)
                        .help("remove one of the calls in the cycle"),
                );
                continue;
            }
            self.resolve_algorithm(sources, callee_index, begun);
        }
        let known = self.diagnostics.len();
        let mut body = Body::default();
        body.scope.vocabulary = Vocabulary::for_routine(source.routine);
        body.add_introduced_parameters(source.routine);
        let all: Vec<Line<'_>> =
            [source.prefix, source.steps].into_iter().flat_map(lines).collect();
        let mut steps = self.resolve_steps(&all, &mut body, false);
        if source.is_standard {
            self.attribute_to_callee(known, source, sources);
        }
        steps.extend(body.final_return(source.routine));
        let returned = match steps.last() {
            Some(RunStep::Run(call)) => {
                let callee = self.tree.algorithms[usize::from(call.algorithm.0)].as_ref();
                callee.and_then(|callee| callee.returns)
            }
            _ => None,
        };
        self.tree.algorithms[index] = Some(Algorithm {
            name: source.name.value.clone(),
            routine: source.routine,
            span: source.name.span,
            section: source.section.clone(),
            parameters: body.scope.parameters,
            variables: body.scope.variables,
            returns: body.returns.or(returned),
            definitions: body.definitions,
            steps,
            step_spans: if source.is_standard { Vec::new() } else { body.spans },
            written: format_algorithm(&source.name.value, &all),
        });
    }

    /// Replaces the diagnostics about the standard algorithm `source`, which are those after the first `known` ones, by
    /// at most one. It is about the table's algorithm that `source` calls, because the mistake is there.
    fn attribute_to_callee(
        &mut self,
        known: usize,
        source: &AlgorithmSource<'_>,
        sources: &[AlgorithmSource<'_>],
    ) {
        let Some(mistake) = self.diagnostics.drain(known..).next() else { return };
        let is_callee = |other: &&AlgorithmSource<'_>| {
            !other.is_standard && calls(source.steps, &other.name.value)
        };
        let callee = sources.iter().find(is_callee);
        let span = callee.map_or(Span::default(), |callee| callee.name.span);
        // Each of the table's algorithms gets at most one such error. A standard algorithm that calls none of them
        // calls another standard one, whose error has been reported.
        let is_reported = |it: &Diagnostic| {
            it.severity == Severity::Error && (it.span == span || callee.is_none())
        };
        if self.diagnostics.iter().any(is_reported) {
            return;
        }
        let (name, reason) = (&source.name.value, &mistake.message);
        let message =
            format!("the standard algorithm `{name}` cannot run this algorithm: {reason}");
        let help = format!(
            "give it the expected parameters and result, or declare `algorithm {name} {{ … }}` as well"
        );
        self.report(Diagnostic { span, message, ..mistake }.help(help));
    }

    /// Resolves a step to none, one or several steps; `None` if the step has an error.
    pub(super) fn resolve_step(
        &mut self,
        words: &Words,
        inner: &[AlgorithmStep],
        body: &mut Body,
    ) -> Option<Vec<RunStep>> {
        let arguments = &words.arguments[..];
        let names: Vec<&str> = arguments.iter().map(word_of).collect();
        match names[..] {
            ["otherwise"] => Some(self.resolve_block(inner, body, false)),
            ["when", ..] => self.resolve_when(&arguments[1..], inner, words, body),
            ["otherwise", "when", ..] => self.resolve_when(&arguments[2..], inner, words, body),
            ["choose", ..] => self.resolve_choose(words, &arguments[1..], inner, body),
            ["repeat"] => Some(vec![RunStep::Repeat(self.resolve_block(inner, body, true))]),
            ["while", ..] | ["repeat", "while", ..] => {
                let condition = &arguments[1 + usize::from(names[0] == "repeat")..];
                let condition =
                    self.parse_words(words, body, |parser| parser.condition(condition))?;
                Some(vec![RunStep::RepeatWhile(condition, self.resolve_block(inner, body, true))])
            }
            ["for-each", ..] => self.resolve_for_each(words, &arguments[1..], inner, body),
            _ if !inner.is_empty() => self.report_unknown_step(words, body),
            ["given", ..] => self.resolve_parameter(words, &arguments[1..], body),
            ["returns", kind] if !kind.is_empty() => {
                body.returns = Some(self.kind(kind, arguments[1].span)?);
                Some(Vec::new())
            }
            _ => self.resolve_plain_step(words, body),
        }
    }

    /// Resolves a step without inner steps. Returns `None`, after a report, for an invalid step.
    fn resolve_plain_step(&mut self, words: &Words, body: &mut Body) -> Option<Vec<RunStep>> {
        let text = words.to_string();
        if let Some(definition) = find(body.scope.vocabulary.definitions, &text) {
            body.definitions.push(definition);
            return Some(Vec::new());
        }
        let step = self.parse_words(words, body, |parser| {
            let step = parser.match_phrases(parser.scope.vocabulary.steps, &words.arguments);
            let step = step.map(|(step, _)| step);
            step.or_else(|| parser.call(&words.arguments).map(RunStep::Run))
        })?;
        let misplaced = match &step {
            RunStep::Break | RunStep::Continue if body.repetitions == 0 => {
                Some(("outside of a repetition", "write it in the braces of a `repeat`"))
            }
            RunStep::RunParser if body.depth > 0 => {
                Some(("inside of another step", "write it as a step of the algorithm itself"))
            }
            _ => None,
        };
        if let Some((place, help)) = misplaced {
            self.report_misplaced(words.span, &format!("`{text}` {place}"), help);
            return None;
        }
        if let RunStep::Return(Some(value)) = &step {
            body.returns = body.returns.or(self.return_kind(value, words, body));
        }
        let new = std::mem::take(&mut body.created);
        self.bind(words, &step, new, body).then(|| vec![step])
    }

    /// Returns the kind of the value of a `return`; `None` if the kind is unknown.
    fn return_kind(&mut self, value: &Expression, words: &Words, body: &Body) -> Option<ValueKind> {
        if let Expression::Truth(_) = value {
            return Some(ValueKind::Truth);
        }
        let mut parser = PhraseParser::new(self, &body.scope, true);
        parser.value(&words.arguments[1..], None).and_then(|(_, kind)| kind)
    }

    /// Parses words in strict mode; if that fails, parses them in lenient mode and reports the first mistake.
    pub(super) fn parse_words<T>(
        &mut self,
        words: &Words,
        body: &mut Body,
        parse: impl Fn(&mut PhraseParser<'_>) -> Option<T>,
    ) -> Option<T> {
        let mut strict = PhraseParser::new(self, &body.scope, false);
        if let Some(parsed) = parse(&mut strict) {
            body.created = NewVariables { names: strict.created, kind: strict.last_kind };
            return Some(parsed);
        }
        let mut lenient = PhraseParser::new(self, &body.scope, true);
        let is_parsed = parse(&mut lenient).is_some();
        let (new, mistakes) = (lenient.created, lenient.mistakes);
        // The variables of an invalid step are created, so that their uses cause no further errors.
        for name in new {
            body.create_variable(name, ValueKind::Node);
        }
        match mistakes.into_iter().next().filter(|_| is_parsed) {
            Some(mistake) => self.report_mistake(mistake, &body.scope),
            None => {
                self.report_unknown_step::<()>(words, body);
            }
        }
        None
    }

    /// Creates the variables that a step declares. Returns false, after a report, if an assigned value has another kind
    /// than its variable.
    fn bind(&mut self, words: &Words, step: &RunStep, new: NewVariables, body: &mut Body) -> bool {
        let kind = match step {
            RunStep::Let(variable, value) => match body.kind_of_let(*variable, value, new.kind) {
                Ok(kind) => kind,
                Err((kind, known)) => {
                    self.report_mistake(Mistake::ValueKind(words.span, kind, known), &body.scope);
                    return false;
                }
            },
            _ => ValueKind::Node,
        };
        for name in new.names {
            body.create_variable(name, kind);
        }
        true
    }

    /// Resolves a parameter of the algorithm, which becomes no step. Returns `None` if the parameter has an error.
    fn resolve_parameter(
        &mut self,
        words: &Words,
        rest: &[Spanned<Argument>],
        body: &mut Body,
    ) -> Option<Vec<RunStep>> {
        if body.depth > 0 {
            let message = "parameters must come first in an algorithm";
            let help = "write it as the first step of the algorithm, outside of other steps";
            self.report_misplaced(words.span, message, help);
            return None;
        }
        let (is_optional, mut rest) = match rest {
            [first, rest @ ..] if is_word(first, "optional") => (true, rest),
            rest => (false, rest),
        };
        while let [kind, or, others @ ..] = rest
            && is_word(or, "or")
        {
            self.kind(word_of(kind), kind.span)?;
            rest = others;
        }
        let is_name = |argument: &Spanned<Argument>| !word_of(argument).is_empty();
        let parameter = match rest {
            [name] => find(KIND_BY_NAME, word_of(name)).map(|kind| (name, kind, None)),
            [kind, name, rest @ ..] if is_name(kind) && is_name(name) => {
                let kind = self.kind(word_of(kind), kind.span)?;
                match rest {
                    [first, default @ ..]
                        if is_optional && is_word(first, "default") && !default.is_empty() =>
                    {
                        let value =
                            self.parse_words(words, body, |it| it.value(default, Some(kind)))?.0;
                        Some((name, kind, Some(value)))
                    }
                    [] if !is_optional => Some((name, kind, None)),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some((name, kind, default)) = parameter else {
            return self.report_unknown_step(words, body);
        };
        let variable = body.create_variable(word_of(name).to_owned(), kind)?;
        body.scope.parameters.push(Parameter { variable, default });
        Some(Vec::new())
    }

    fn kind(&mut self, name: &str, span: Span) -> Option<ValueKind> {
        self.word_of(ValueKind::WORDS, name, span, "a kind of values")
    }

    /// Reports a step that matches no phrase, with a correction or similar phrases. Always returns `None`.
    pub(super) fn report_unknown_step<T>(&mut self, words: &Words, body: &mut Body) -> Option<T> {
        let text = words.to_string();
        // A step that names an algorithm of a cycle is unknown because of the cycle, which has been reported.
        if self.tree.circular.iter().any(|name| text.split(' ').any(|word| word == name)) {
            return None;
        }
        let first = text.split(' ').next().unwrap_or_default();
        let is_similar = |phrase: &&Phrase<RunStep>| phrase.syntax.split(' ').next() == Some(first);
        let all = || body.scope.vocabulary.steps.iter().copied().flatten();
        let similar: Vec<&str> = all().filter(is_similar).map(|phrase| phrase.syntax).collect();
        let mut candidates: Vec<&str> =
            all().filter_map(|phrase| phrase.syntax.split(' ').next()).collect();
        candidates.sort_unstable();
        candidates.dedup();
        let parts = self.parts_without_semicolon(words, &candidates, &body.scope);
        let help = match (&parts, &similar[..]) {
            (Some([one, other]), _) => format!("did you mean `{one}; {other}`?"),
            (None, []) => {
                let renamed = self.renamed_step(words, &candidates, &body.scope);
                let advice = format!("the reference lists the steps: {MANUAL}");
                renamed.unwrap_or_else(|| nearest_or(first, &candidates, &advice))
            }
            (None, similar) => similar_forms(&text, similar),
        };
        let message = format!("unknown step `{text}`");
        self.report(Diagnostic::new(UNKNOWN_STEP, words.span, message).help(help));
        // If the words are two steps without a semicolon between them, the variables of both are created, so that uses
        // of these variables cause no further errors.
        for part in parts.into_iter().flatten().filter(|part| !begins_block(&part.arguments)) {
            self.resolve_plain_step(&part, body);
        }
        None
    }

    fn is_step(&self, arguments: &[Spanned<Argument>], scope: &Scope) -> bool {
        let mut parser = PhraseParser::new(self, scope, false);
        let step = parser.match_phrases(scope.vocabulary.steps, arguments);
        step.is_some() || parser.call(arguments).is_some()
    }

    /// Divides words into two steps that no semicolon separates; `None` if they are not two steps.
    fn parts_without_semicolon(
        &self,
        words: &Words,
        first_words: &[&str],
        scope: &Scope,
    ) -> Option<[Words; 2]> {
        let all = &words.arguments;
        let begins = |arguments: &[Spanned<Argument>]| {
            begins_block(arguments) || first_words.iter().any(|word| is_word(&arguments[0], word))
        };
        let is_end = |&end: &usize| begins(&all[end..]) && self.is_step(&all[..end], scope);
        let end = (1..all.len()).find(is_end)?;
        let part = |arguments: &[Spanned<Argument>]| Words {
            span: arguments.first().map_or(words.span, |first| first.span),
            ..words.with_arguments(arguments)
        };
        Some([part(&all[..end]), part(&all[end..])])
    }

    /// Suggests another first word, if exactly one makes the words a step.
    fn renamed_step(&self, words: &Words, first_words: &[&str], scope: &Scope) -> Option<String> {
        let with_first_word = |word: &&str| {
            let words = words.with_word(0, word);
            self.is_step(&words.arguments, scope).then(|| words.to_string())
        };
        let mut meant = first_words.iter().filter_map(with_first_word);
        let only = meant.next().filter(|_| meant.next().is_none())?;
        Some(format!("did you mean `{only}`?"))
    }

    pub(super) fn report_misplaced(&mut self, span: Span, message: &str, help: &str) {
        self.report(Diagnostic::new(MISPLACED_STEP, span, message).help(help));
    }

    fn report_mistake(&mut self, mistake: Mistake, scope: &Scope) {
        let diagnostic = match mistake {
            Mistake::Unbound(span, name) => {
                let visible = scope.visible.iter();
                let names: Vec<&str> =
                    visible.map(|id| &scope.variables[usize::from(id.0)].name[..]).collect();
                let help = nearest_or(
                    &name,
                    &names,
                    "assign it with `let` before this step, or declare it with `given`",
                );
                let message = format!("there is no variable `{name}` in scope");
                Diagnostic::new(UNBOUND_VARIABLE, span, message).help(help)
            }
            Mistake::ValueKind(span, found, expected) => {
                let message = format!(
                    "this is {}, but {} is expected",
                    found.description(),
                    expected.description()
                );
                let visible = scope.visible.iter().copied();
                let names = visible
                    .filter(|&id| scope.kind(id) == expected)
                    .map(|id| &scope.variables[usize::from(id.0)].name[..]);
                let forms = scope.vocabulary.values.iter().copied().flatten();
                let forms =
                    forms.filter(|form| form.kind == Some(expected) && form.syntax != "none");
                let values: Vec<String> = names
                    .chain(forms.map(|form| form.syntax))
                    .take(3)
                    .map(|value| format!("`{value}`"))
                    .collect();
                let mut help = format!("write {}", expected.description());
                if !values.is_empty() {
                    help += &format!(", such as {}", values.join(" or "));
                }
                Diagnostic::new(WRONG_KIND, span, message).help(help)
            }
            Mistake::Label(span, name) => {
                let labels: Vec<&str> = scope.labels.iter().map(|label| &label[..]).collect();
                if labels.contains(&&name[..]) {
                    let message =
                        format!("the label `{name}` is in a block that does not contain this step");
                    Diagnostic::new(UNKNOWN_LABEL, span, message)
                        .help("go to a label in the block of this step, or in a block around it")
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

    /// Returns the `return` step that the routine implies at its end, if any: it returns a parameter that the steps
    /// change.
    fn final_return(&mut self, routine: Routine) -> Option<RunStep> {
        let name = routine.returned_variable()?;
        let variable = self.scope.find(name)?;
        self.returns = Some(self.scope.kind(variable));
        Some(RunStep::Return(Some(Expression::Variable(variable))))
    }

    /// Returns the kind of a variable after an assignment, or the kinds of the value and of the variable if they
    /// differ. A variable assigned by a parallel branch becomes visible.
    fn kind_of_let(
        &mut self,
        variable: VariableId,
        value: &Expression,
        kind: Option<ValueKind>,
    ) -> Result<ValueKind, (ValueKind, ValueKind)> {
        let kind = if let Expression::Names(_) = value { Some(ValueKind::Names) } else { kind };
        let is_none = *value == Expression::None;
        let scope = &mut self.scope;
        let Some(known) = scope.variables.get_mut(usize::from(variable.0)) else {
            scope.untyped.extend(is_none.then_some(variable));
            return Ok(kind.unwrap_or(ValueKind::Node));
        };
        if !is_none && scope.untyped.contains(&variable) {
            scope.untyped.retain(|untyped| *untyped != variable);
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

    pub(super) fn create_variable(&mut self, name: String, kind: ValueKind) -> Option<VariableId> {
        let id = VariableId(u8::try_from(self.scope.variables.len()).ok()?);
        self.scope.variables.push(Variable { name, kind });
        self.scope.visible.push(id);
        Some(id)
    }
}

/// Returns the steps to execute, without those for browsers only.
pub(super) fn lines(steps: &[AlgorithmStep]) -> Vec<Line<'_>> {
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

/// Returns the algorithms of a table that the oracle executes.
fn algorithms_in(table: &Table, elements: Elements, is_standard: bool) -> Vec<AlgorithmSource<'_>> {
    let items = table.items.iter().filter_map(|item| match &item.body {
        ItemBody::Algorithm(steps) => {
            let (name, section) = (&item.name, item.section.clone());
            let routine = routine_of(elements, &name.value)?;
            let prefix = routine.prefix_algorithm().and_then(|name| steps_of(table, name));
            let prefix = prefix.unwrap_or_default();
            Some(AlgorithmSource { name, routine, section, prefix, steps, is_standard })
        }
        _ => None,
    });
    items.collect()
}

/// Returns the steps of the table's algorithm with the name `routine_name`; `None` if there is none.
fn steps_of<'t>(table: &'t Table, routine_name: &str) -> Option<&'t [AlgorithmStep]> {
    table.items.iter().find_map(|item| match &item.body {
        ItemBody::Algorithm(steps) if item.name.value == routine_name => Some(&steps[..]),
        _ => None,
    })
}

/// Words that are never calls of the algorithm with their name: `open` is the stack, and `serialize` is a step that
/// passes its own arguments.
const NOT_CALLED: &[&str] = &["open", "serialize"];

/// Whether one of the steps, or a step inside them, calls the algorithm with this name. The word after `let` is
/// never a call: `let current …` sets the current node.
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

/// Returns the argument if it is a name, and the empty string otherwise.
pub(super) fn word_of(argument: &Spanned<Argument>) -> &str {
    argument.value.name().unwrap_or_default()
}

pub(super) fn is_word(argument: &Spanned<Argument>, word: &str) -> bool {
    argument.value.name() == Some(word)
}

/// Whether the words begin a step with inner steps.
fn begins_block(words: &[Spanned<Argument>]) -> bool {
    let heads = ["when", "otherwise", "repeat", "while", "for-each", "choose"];
    words.first().is_some_and(|first| heads.iter().any(|head| is_word(first, head)))
}
