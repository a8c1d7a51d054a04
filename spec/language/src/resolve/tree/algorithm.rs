//! Algorithms that the oracle executes: words to typed steps. What only browsers have, under `deviates`, is left out. It
//! executes nothing. Invariant: an algorithm that has a mistake is reported, and each is resolved before one that runs it.

use super::super::Resolver;
use super::super::nearest::{nearest_or, written};
use super::phrase::{Mistake, Reading, Scope};
use super::standard;
use crate::diagnostic::{
    DUPLICATE_NAME, Diagnostic, MANUAL, MISPLACED_STEP, MISSING_DECLARATION, STEPS_CYCLE,
    UNBOUND_VARIABLE, UNKNOWN_FLAG, UNKNOWN_LABEL, UNKNOWN_STEP, WRONG_KIND,
};
use crate::model::tree::algorithm::{
    Algorithm, Definition, Expression, Kind, Parameter, Question, Routine, RunStep, TokenQuestion,
    Variable, VariableId,
};
use crate::model::tree::{Elements, TreeLimits};
use crate::syntax::{
    AlgorithmStep, Argument, Item, NoteKind, Span, Spanned, Table, TreeItem, Word, Words,
};
use crate::vocabulary::algorithm::{DEFINITIONS, GIVEN, KINDS, Phrase, ROUTINES, STEPS, routines};
use crate::vocabulary::{find, word};

/// An algorithm as it is written.
struct Written<'t> {
    name: &'t Word,
    section: Option<crate::syntax::Section>,
    /// The steps that come first, of another algorithm.
    first: &'t [AlgorithmStep],
    steps: &'t [AlgorithmStep],
}

/// What is known of an algorithm while its steps are read.
struct Body {
    scope: Scope,
    definitions: Vec<Definition>,
    returns: Option<Kind>,
    /// In how many repetitions the step is.
    repetitions: usize,
    /// In how many other steps it is.
    depth: usize,
    /// What the step that was read last makes.
    made: Made,
}

/// What a step makes.
#[derive(Default)]
struct Made {
    /// The variables that were not there.
    names: Vec<String>,
    /// What they are, if that is known.
    kind: Option<Kind>,
}

/// A step and the steps that belong to it.
pub(in crate::resolve) type Line<'t> = (&'t Words, &'t [AlgorithmStep]);

impl Resolver {
    /// The algorithms that the oracle executes, in the table's order, and after them those that the table takes over by how
    /// its elements are made.
    pub(super) fn algorithms(
        &mut self,
        table: &Table,
        elements: Elements,
        limits: TreeLimits,
    ) -> Vec<Algorithm> {
        let own = standard::of(elements);
        let mut written: Vec<Written<'_>> = Vec::new();
        for (of, is_own) in std::iter::once((table, false)).chain(own.iter().map(|own| (own, true)))
        {
            for one in written_in(of, elements) {
                let is_new = || written.iter().all(|other| other.name.value != one.name.value);
                if !is_own || is_new() {
                    written.push(one);
                }
            }
        }
        if elements == Elements::Html {
            self.require_of_options(table, &written);
        }
        self.tree.algorithms = written.iter().map(|_| None).collect();
        let mut begun = vec![false; written.len()];
        for at in 0..written.len() {
            self.one_algorithm(&written, at, &mut begun, limits);
        }
        std::mem::take(&mut self.tree.algorithms).into_iter().flatten().collect()
    }

    /// Reports a table that shows chosen options, and does not say how.
    fn require_of_options(&mut self, table: &Table, written: &[Written<'_>]) {
        let name = word(ROUTINES, &Routine::CloneOption);
        let has = |one: &Written<'_>| one.name.value == name;
        let shows = table.items.iter().find_map(|item| match item {
            Item::Tree(TreeItem::SelectedContent(pairs, _)) => pairs.first(),
            _ => None,
        });
        if let Some((first, _)) = shows.filter(|_| !written.iter().any(has)) {
            let message =
                format!("this is done by an algorithm, and the table has no `algorithm {name}`");
            let help =
                format!("write it: `algorithm {name} {{ … }}`, or take over modes that have it");
            self.report(Diagnostic::new(MISSING_DECLARATION, first.span, message).help(help));
        }
    }

    /// Resolves the algorithm of this index, after those that it runs.
    fn one_algorithm(
        &mut self,
        written: &[Written<'_>],
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
            if !names(one.first, other_name) && !names(one.steps, other_name) {
                continue;
            }
            if begun[other] && self.tree.algorithms[other].is_none() {
                let message =
                    format!("`{}` runs `{}`, which runs it", one.name.value, other_one.name.value);
                self.tree.circular.push(other_one.name.value.clone());
                self.report(
                    Diagnostic::new(STEPS_CYCLE, one.name.span, message)
                        .help("let one of the two do without the other"),
                );
                continue;
            }
            self.one_algorithm(written, other, begun, limits);
        }
        let scope = Scope { limits, ..Scope::default() };
        let (definitions, returns) = (Vec::new(), None);
        let (repetitions, depth, made) = (0, 0, Made::default());
        let mut body = Body { scope, definitions, returns, repetitions, depth, made };
        self.labels(one.steps, &mut body.scope);
        let all: Vec<Line<'_>> = [one.first, one.steps].into_iter().flat_map(lines).collect();
        let steps = self.run_steps(&all, &mut body);
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
        });
    }

    fn labels(&mut self, steps: &[AlgorithmStep], scope: &mut Scope) {
        for (words, _) in lines(steps) {
            let [first, label] = &words.arguments[..] else { continue };
            let (true, Argument::Name(label)) = (is_word(first, "at"), &label.value) else {
                continue;
            };
            if scope.labels.contains(label) {
                let message = format!("the label `{label}` is there already");
                self.report(Diagnostic::new(DUPLICATE_NAME, words.span, message));
            }
            scope.labels.push(label.clone());
        }
    }

    fn run_steps(&mut self, lines: &[Line<'_>], body: &mut Body) -> Vec<RunStep> {
        let mut steps: Vec<RunStep> = Vec::new();
        for &(words, inner) in lines {
            let is_otherwise = is_word(&words.arguments[0], "otherwise");
            let Some(step) = self.run_step(words, inner, body) else { continue };
            if !is_otherwise {
                steps.extend(step);
                continue;
            }
            match steps.last_mut().and_then(last_otherwise) {
                Some(otherwise) => *otherwise = step,
                None => self.misplaced(words.span, "`otherwise` without a `when` before it"),
            }
        }
        steps
    }

    /// The steps that the words stand for; `None` where they have a mistake.
    fn run_step(
        &mut self,
        words: &Words,
        inner: &[AlgorithmStep],
        body: &mut Body,
    ) -> Option<Vec<RunStep>> {
        let arguments = &words.arguments[..];
        let word = |at: usize, word: &str| arguments.get(at).is_some_and(|one| is_word(one, word));
        let holds = |steps: &[AlgorithmStep]| !steps.is_empty();
        match arguments {
            [_] if word(0, "otherwise") => Some(self.block(inner, body, false)),
            [_, condition @ ..] if word(0, "when") => self.when(condition, inner, words, body),
            [_, _, condition @ ..] if word(0, "otherwise") && word(1, "when") => {
                self.when(condition, inner, words, body)
            }
            [_] if word(0, "repeat") => Some(vec![RunStep::Repeat(self.block(inner, body, true))]),
            [_, _, condition @ ..] if word(0, "repeat") && word(1, "while") => {
                let condition = self.read(words, body, |reading| reading.condition(condition))?;
                Some(vec![RunStep::RepeatWhile(condition, self.block(inner, body, true))])
            }
            [_, about @ ..] if word(0, "for-each") => self.for_each(words, about, inner, body),
            _ if holds(inner) => self.unknown_step(words),
            _ if word(0, "at") && body.depth > 0 => {
                self.misplaced(words.span, "a label stands among the outermost steps");
                None
            }
            [_, rest @ ..] if word(0, "given") => self.parameter(words, rest, body),
            [_, kind] if word(0, "returns") => {
                let Argument::Name(name) = &kind.value else { return self.unknown_step(words) };
                body.returns = Some(self.kind(name, kind.span)?);
                Some(Vec::new())
            }
            _ => self.plain_step(words, body),
        }
    }

    fn when(
        &mut self,
        condition: &[Spanned<Argument>],
        inner: &[AlgorithmStep],
        words: &Words,
        body: &mut Body,
    ) -> Option<Vec<RunStep>> {
        let condition = self.read(words, body, |reading| reading.condition(condition));
        let then = self.block(inner, body, false);
        let otherwise = Vec::new();
        condition.map(|condition| vec![RunStep::When { condition, then, otherwise }])
    }

    /// Steps for each attribute of a token, or for tokens of a kind.
    fn for_each(
        &mut self,
        words: &Words,
        about: &[Spanned<Argument>],
        inner: &[AlgorithmStep],
        body: &mut Body,
    ) -> Option<Vec<RunStep>> {
        let told: Vec<&str> = about.iter().map(word_of).collect();
        let kind = match told[..] {
            ["start-tag-token"] => Some(TokenQuestion::IsStartTag),
            ["end-tag-token"] => Some(TokenQuestion::IsEndTag),
            ["sequence", "of", "character-tokens"] => Some(TokenQuestion::IsCharacters),
            _ => None,
        };
        if let Some(kind) = kind {
            let condition = Question::Token(kind);
            let (then, otherwise) = (self.block(inner, body, false), Vec::new());
            return Some(vec![RunStep::When { condition, then, otherwise }]);
        }
        let [name, value, "in", "attributes", "of", _, ..] = told[..] else {
            return self.unknown_step(words);
        };
        let token = self.read(words, body, |it| it.value(&about[5..], Some(Kind::Token)))?.0;
        let visible = body.scope.visible.len();
        let [name, value] = [name, value].map(|name| body.make(name.to_owned(), Kind::Text));
        let steps = self.block(inner, body, true);
        body.scope.visible.truncate(visible);
        Some(vec![RunStep::ForEachAttribute(name?, value?, token, steps)])
    }

    /// The steps that belong to another one; variables that they make are not there after them.
    fn block(
        &mut self,
        inner: &[AlgorithmStep],
        body: &mut Body,
        is_repeated: bool,
    ) -> Vec<RunStep> {
        let visible = body.scope.visible.len();
        body.repetitions += usize::from(is_repeated);
        body.depth += 1;
        let steps = self.run_steps(&lines(inner), body);
        body.depth -= 1;
        body.repetitions -= usize::from(is_repeated);
        body.scope.visible.truncate(visible);
        steps
    }

    /// A step that holds no others.
    fn plain_step(&mut self, words: &Words, body: &mut Body) -> Option<Vec<RunStep>> {
        let told = spelt(words);
        if let Some(definition) = find(DEFINITIONS, &told) {
            body.definitions.push(definition);
            return Some(Vec::new());
        }
        let step = self.read(words, body, |reading| {
            let step = reading.made_by(STEPS, &words.arguments);
            step.or_else(|| reading.call(&words.arguments).map(RunStep::Run))
        })?;
        let within = match &step {
            RunStep::Break | RunStep::Continue => body.repetitions > 0,
            RunStep::RunParser => body.depth == 0,
            _ => true,
        };
        if !within {
            self.misplaced(words.span, &format!("`{told}` cannot stand here"));
            return None;
        }
        if let RunStep::Return(Some(value)) = &step {
            body.returns = body.returns.or(self.returned(value, words, body));
        }
        let made = std::mem::take(&mut body.made);
        self.bind(words, &step, made, body).then(|| vec![step])
    }

    /// What the value of a `return` is.
    fn returned(&mut self, value: &Expression, words: &Words, body: &Body) -> Option<Kind> {
        if let Expression::Truth(_) = value {
            return Some(Kind::Truth);
        }
        let mut reading = Reading::new(self, &body.scope, true);
        reading.value(&words.arguments[1..], None).and_then(|(_, kind)| kind)
    }

    /// Reads words, strictly; what that does not make of them is reported.
    fn read<T>(
        &mut self,
        words: &Words,
        body: &mut Body,
        read: impl Fn(&mut Reading<'_>) -> Option<T>,
    ) -> Option<T> {
        let mut strict = Reading::new(self, &body.scope, false);
        if let Some(read) = read(&mut strict) {
            body.made = Made { names: strict.made, kind: strict.last };
            return Some(read);
        }
        let mut lenient = Reading::new(self, &body.scope, true);
        let is_read = read(&mut lenient).is_some();
        let (made, mistakes) = (lenient.made, lenient.mistakes);
        // What the step would have made is there, so that it is missed nowhere else.
        for name in made {
            body.make(name, Kind::Node);
        }
        match mistakes.into_iter().next().filter(|_| is_read) {
            Some(mistake) => self.report_mistake(mistake, &body.scope),
            None => {
                self.unknown_step::<()>(words);
            }
        }
        None
    }

    /// Makes the variables of a step that was read; whether they may be what they are let.
    fn bind(&mut self, words: &Words, step: &RunStep, made: Made, body: &mut Body) -> bool {
        let kind = match step {
            RunStep::Let(variable, value) => {
                let known = body.scope.variables.get(usize::from(variable.0)).map(|it| it.kind);
                if let (Some(known), Some(kind)) = (known, made.kind)
                    && known != kind
                {
                    self.report_mistake(Mistake::Kind(words.span, kind, known), &body.scope);
                    return false;
                }
                let is_none = *value == Expression::None;
                made.kind.or(known.filter(|_| is_none)).unwrap_or(Kind::Node)
            }
            _ => Kind::Node,
        };
        for name in made.names {
            body.make(name, kind);
        }
        true
    }

    /// What an algorithm is given.
    fn parameter(
        &mut self,
        words: &Words,
        rest: &[Spanned<Argument>],
        body: &mut Body,
    ) -> Option<Vec<RunStep>> {
        if body.depth > 0 {
            self.misplaced(words.span, "an algorithm says first what it is given");
            return None;
        }
        let (is_optional, rest) = match rest {
            [first, rest @ ..] if is_word(first, "optional") => (true, rest),
            rest => (false, rest),
        };
        let (name, kind, default) = match rest {
            [name] => {
                let Argument::Name(name) = &name.value else { return self.unknown_step(words) };
                match find(GIVEN, name) {
                    Some(kind) => (name, kind, None),
                    None => return self.unknown_step(words),
                }
            }
            [kind, name, rest @ ..] => {
                let (Argument::Name(kind), Argument::Name(name), span) =
                    (&kind.value, &name.value, kind.span)
                else {
                    return self.unknown_step(words);
                };
                let kind = self.kind(kind, span)?;
                let default = match rest {
                    [first, default @ ..]
                        if is_optional && is_word(first, "default") && !default.is_empty() =>
                    {
                        let read = |reading: &mut Reading<'_>| reading.value(default, Some(kind));
                        Some(self.read(words, body, read)?.0)
                    }
                    [] if !is_optional => None,
                    _ => return self.unknown_step(words),
                };
                (name, kind, default)
            }
            [] => return self.unknown_step(words),
        };
        let variable = body.make(name.clone(), kind)?;
        body.scope.parameters.push(Parameter { variable, default });
        Some(Vec::new())
    }

    fn kind(&mut self, name: &str, span: Span) -> Option<Kind> {
        self.word_of(KINDS, name, span, "a kind of values")
    }

    fn unknown_step<T>(&mut self, words: &Words) -> Option<T> {
        let told = spelt(words);
        // An algorithm that runs itself is reported, and is none.
        if self.tree.circular.iter().any(|name| told.split(' ').any(|word| word == name)) {
            return None;
        }
        let first = told.split(' ').next().unwrap_or_default();
        let alike = |phrase: &&Phrase<RunStep>| phrase.syntax.split(' ').next() == Some(first);
        let alike: Vec<&str> = STEPS.iter().filter(alike).map(|phrase| phrase.syntax).collect();
        let candidates: Vec<&str> =
            STEPS.iter().filter_map(|phrase| phrase.syntax.split(' ').next()).collect();
        let listed = format!("the manual lists the steps: {MANUAL}");
        let help = match &alike[..] {
            [] => nearest_or(first, &candidates, &listed),
            alike => written(&told, alike),
        };
        let message = format!("there is no such step: `{told}`");
        self.report(Diagnostic::new(UNKNOWN_STEP, words.span, message).help(help));
        None
    }

    fn misplaced(&mut self, span: Span, message: &str) {
        self.report(Diagnostic::new(MISPLACED_STEP, span, message));
    }

    fn report_mistake(&mut self, mistake: Mistake, scope: &Scope) {
        let diagnostic = match mistake {
            Mistake::Unbound(span, name) => {
                let visible = scope.visible.iter();
                let names: Vec<&str> =
                    visible.map(|id| &scope.variables[usize::from(id.0)].name[..]).collect();
                let help = nearest_or(&name, &names, "write a `let` for it before, or a `given`");
                let message = format!("nothing is called `{name}` here");
                Diagnostic::new(UNBOUND_VARIABLE, span, message).help(help)
            }
            Mistake::Kind(span, found, wanted) => {
                let message =
                    format!("this is {}, where {} is wanted", found.told(), wanted.told());
                Diagnostic::new(WRONG_KIND, span, message)
            }
            Mistake::Label(span, name) => {
                let labels: Vec<&str> = scope.labels.iter().map(|label| &label[..]).collect();
                let help =
                    nearest_or(&name, &labels, "write it among the outermost steps: `at LABEL;`");
                let message = format!("the algorithm has no label `{name}`");
                Diagnostic::new(UNKNOWN_LABEL, span, message).help(help)
            }
            Mistake::Flag(span, name) => {
                let message = format!("this needs a flag `{name}` of the host, which is not there");
                let help = format!("declare it: `tree flag {name} = … by host;`");
                Diagnostic::new(UNKNOWN_FLAG, span, message).help(help)
            }
        };
        self.report(diagnostic);
    }
}

impl Body {
    fn make(&mut self, name: String, kind: Kind) -> Option<VariableId> {
        let id = VariableId(u8::try_from(self.scope.variables.len()).ok()?);
        self.scope.variables.push(Variable { name, kind });
        self.scope.visible.push(id);
        Some(id)
    }
}

/// Where the steps of an `otherwise` after the step go, if it is a `when` that has none yet.
fn last_otherwise(step: &mut RunStep) -> Option<&mut Vec<RunStep>> {
    let RunStep::When { otherwise, .. } = step else { return None };
    match &mut otherwise[..] {
        [RunStep::When { .. }] => last_otherwise(&mut otherwise[0]),
        [] => Some(otherwise),
        _ => None,
    }
}

/// The steps that are executed: without those that only browsers have.
pub(in crate::resolve) fn lines(steps: &[AlgorithmStep]) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    for step in steps {
        match step {
            AlgorithmStep::Step { words, inner } => found.push((words, &inner[..])),
            AlgorithmStep::Apart { note, inner } if note.kind == NoteKind::Fills => {
                found.extend(lines(inner));
            }
            AlgorithmStep::Apart { .. } => {}
        }
    }
    found
}

/// The algorithms of the table that the oracle executes.
fn written_in(table: &Table, elements: Elements) -> Vec<Written<'_>> {
    let of = |item| match item {
        &Item::Tree(TreeItem::Algorithm { ref name, ref section, ref steps }) => {
            let section = section.clone();
            let routine = find(routines(elements), &name.value)?;
            let first = routine.begins_with().and_then(|name| steps_of(table, name));
            Some(Written { name, section, first: first.unwrap_or_default(), steps })
        }
        _ => None,
    };
    table.items.iter().filter_map(of).collect()
}

/// The steps of an algorithm of the table.
fn steps_of<'t>(table: &'t Table, wanted: &str) -> Option<&'t [AlgorithmStep]> {
    table.items.iter().find_map(|item| match item {
        Item::Tree(TreeItem::Algorithm { name, steps, .. }) if name.value == wanted => {
            Some(&steps[..])
        }
        _ => None,
    })
}

/// Whether a step runs the algorithm of this name. `open` names the stack wherever steps say it, and `let current …` says
/// which the current node is.
fn names(steps: &[AlgorithmStep], name: &str) -> bool {
    lines(steps).into_iter().any(|(words, inner)| {
        let is_let = is_word(&words.arguments[0], "let");
        words.arguments.iter().skip(2 * usize::from(is_let)).any(|word| {
            is_word(word, name) && name != "open"
                || is_word(word, "create-like") && name == "create-element"
                || is_word(word, "insert-like") && name == "insert-element"
        }) || names(inner, name)
    })
}

/// The word; empty for anything else.
fn word_of(argument: &Spanned<Argument>) -> &str {
    if let Argument::Name(name) = &argument.value { name } else { "" }
}

fn is_word(argument: &Spanned<Argument>, word: &str) -> bool {
    matches!(&argument.value, Argument::Name(name) if name == word)
}

/// The words as they are written.
pub(in crate::resolve) fn spelt(words: &Words) -> String {
    let text = |argument: &Spanned<Argument>| match &argument.value {
        Argument::Name(name) => name.clone(),
        Argument::Character(character) => format!("{character:?}"),
        Argument::Text(text) => format!("{text:?}"),
        Argument::Number(number) => number.to_string(),
    };
    words.arguments.iter().map(text).collect::<Vec<_>>().join(" ")
}
