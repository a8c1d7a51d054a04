//! Runs a machine over one input: chooses rows, runs them, and changes the state. Single actions are in `action`. The
//! number of rows in a run is bounded by the length of the input and the number of states.

use super::declarations::Declarations;
use super::input::Input;
use super::lexeme::{Match, longest};
use super::registers::Registers;
use super::removal::FilteredInput;
use super::token::{Error, Span};
use super::{CompletedRow, Host, Interpreter, Options, Stuck, StuckReason};
use tabulex_language::model::{
    Action, Condition, EntityList, Field, Machine, Pattern, ProcedureId, RowId, State, StateId,
    Step, Subject, Text, Transfer,
};

/// The input that a row matched; an empty range for a row that matches no input.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowMatch {
    pub(super) span: Span,
    /// Current character, if the row matched a single one.
    pub(super) character: Option<char>,
    /// Whether the row matched input (characters or the end of the input), rather than a number or a returned result.
    is_input: bool,
    /// Whether the row is of a lexical mode and matched characters.
    pub(super) is_lexeme: bool,
}

/// The destination to which a row transfers control. The last action that sets it wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// No switch: the machine stays in its state, and neither `enter` nor `leave` runs.
    Stay,
    /// A state to which the row switches.
    Switch(StateId),
    /// A state requested by the host or by the feedback of modes; neither `enter` nor `leave` runs.
    Host(StateId),
    /// The caller of the procedure, without a result.
    ReturnNothing,
    /// The caller of the procedure, with the text in the register `returned`.
    Return,
    /// The end of the run.
    Stop,
}

/// A run over one input.
pub(super) struct Run<'r, 'm> {
    pub(super) interpreter: &'r Interpreter<'m>,
    pub(super) machine: &'m Machine,
    pub(super) input: Input<'r>,
    /// The input with the ranges that its characters have in the original one; `None` if nothing was removed.
    filtered: Option<&'r FilteredInput>,
    pub(super) host: &'r mut dyn Host,
    pub(super) registers: Registers,
    pub(super) declarations: Declarations,
    /// Start of an inserted text that is to be read next, if any.
    pub(super) inserted_start: Option<usize>,
    /// Position to which a row may go back, if one is remembered.
    pub(super) remembered_position: Option<usize>,
    /// Position to which a row last went back, if any.
    pub(super) rewound_to: Option<usize>,
    state: StateId,
    /// Position of the next character.
    position: usize,
    /// Match of the current row.
    pub(super) matched: RowMatch,
    /// Captures of the lexical token that the row consumes.
    pub(super) captures: Vec<Span>,
    /// Position up to which the input is consumed at this point of the row.
    pub(super) consumed_to: usize,
    /// Position up to which the input is consumed once the row is done.
    pub(super) row_end: usize,
    /// Start of the next token or text.
    pub(super) mark: usize,
    pub(super) destination: Destination,
    /// Whether the row has emitted anything.
    pub(super) has_emitted: bool,
    /// State that made the last call of a procedure, even if the procedure has returned, and the position of the call.
    pub(super) caller: Option<(StateId, usize)>,
    /// Result of the procedure that has just returned to the current state, if any.
    result: Option<Pattern>,
    /// Position up to which characters that are errors by themselves have been reported.
    reported_to: usize,
    /// Errors already reported in the replacement text of the current reference; each error is reported only once
    /// there.
    pub(super) reported_errors: Vec<tabulex_language::model::ErrorId>,
    /// Whether the machine switches after start tags as its modes request.
    pub(super) switches: bool,
}

impl<'r, 'm> Run<'r, 'm> {
    pub(super) fn new(
        interpreter: &'r Interpreter<'m>,
        input: &'r str,
        filtered: Option<&'r FilteredInput>,
        options: &Options,
        host: &'r mut dyn Host,
    ) -> Self {
        let machine = interpreter.machine;
        let drops_mark = machine.byte_order_mark_dropped || !options.keeps_byte_order_mark;
        let after_mark = input.strip_prefix('\u{FEFF}').filter(|_| drops_mark);
        let begin = after_mark.map_or(0, |rest| input.len() - rest.len());
        Self {
            interpreter,
            machine,
            input: Input::new(input, begin, machine),
            filtered,
            host,
            registers: Registers::new(machine, options),
            declarations: Declarations::default(),
            inserted_start: None,
            remembered_position: Some(begin),
            rewound_to: None,
            state: options.state.unwrap_or(machine.start),
            position: begin,
            matched: RowMatch::default(),
            captures: Vec::new(),
            consumed_to: 0,
            row_end: 0,
            mark: begin,
            destination: Destination::Stay,
            has_emitted: false,
            caller: None,
            result: None,
            reported_to: begin,
            reported_errors: Vec::new(),
            switches: options.switches,
        }
    }

    /// Runs rows until one ends the run. Returns an error if no row matches, a row returns from a procedure that was
    /// not called, or the machine loops.
    pub(super) fn run(mut self) -> Result<(), Stuck> {
        let state_count = self.machine.states.len();
        let mut actions = Vec::new();
        let mut iterations = 0;
        while iterations
            < (self.input.whole_len() + 64).saturating_mul(8).saturating_mul(state_count)
        {
            iterations += 1;
            let state = self.machine.state(self.state);
            let row = match state.subject {
                Subject::Input => self.choose_by_input(state),
                Subject::Result(procedure) => match self.result.take() {
                    Some(result) => self.choose(state, |pattern| *pattern == result),
                    None => {
                        self.call(procedure);
                        continue;
                    }
                },
                Subject::Number => self.choose_by_number(state),
                Subject::Always => self.choose(state, |pattern| *pattern == Pattern::Always),
                Subject::Lexemes(_) => self.choose_by_lexeme(state),
            };
            let (state, position) = (self.state, self.position);
            let row = row.ok_or(Stuck { reason: StuckReason::NoRow, state, position })?;
            let id = RowId { state, row: row as u16 };
            self.run_row(row, &mut actions);
            let matched = self.input.original(self.matched.span);
            self.transfer()?;
            let (next_state, caller, registers, end) =
                (self.state, self.caller, &self.registers, self.position);
            let configuration = || registers.configuration(next_state, caller, end);
            self.host.after_row(&CompletedRow { row: id, matched, configuration: &configuration });
            if self.destination == Destination::Stop {
                return Ok(());
            }
        }
        let (state, position) = (self.state, self.position);
        Err(Stuck { reason: StuckReason::Endless, state, position })
    }

    /// Returns the index of the row for the next input; `None` if no row matches. Strings and references precede
    /// characters, and `else` comes last.
    fn choose_by_input(&mut self, state: &'m State) -> Option<usize> {
        self.position = self.input.leave(self.position);
        let Some((character, span)) = self.input.next(self.position) else {
            let end = self.input.len();
            self.matched = RowMatch { span: Span::at(end), is_input: true, ..RowMatch::default() };
            self.report_input_errors(end);
            let (current, caller, registers) = (self.state, self.caller, &self.registers);
            self.host.end_of_input(&|| registers.configuration(current, caller, end));
            return self.first_row(state, |_, pattern| *pattern == Pattern::EndOfFile);
        };
        self.matched =
            RowMatch { span, character: Some(character), is_input: true, is_lexeme: false };
        self.report_input_errors(self.input.original(span).start);
        if let Some(row) = self.longest_match(state) {
            return Some(row);
        }
        // Strings and references were tried above; `else` applies only if no character pattern does.
        let row_by_character = self.first_row(state, |run, pattern| {
            let allowed = run.registers.additional_allowed_character;
            matches!(pattern, Pattern::Characters(set) if set.contains(character))
                || *pattern == Pattern::AdditionalAllowedCharacter && allowed == Some(character)
        });
        row_by_character.or_else(|| self.first_row(state, |_, pattern| *pattern == Pattern::Else))
    }

    /// Returns the index of the row for the longest lexeme ahead, the first among equally long ones. If no lexeme
    /// matches, returns the `else` row; at the end of the input, the row for `EOF`.
    fn choose_by_lexeme(&mut self, state: &'m State) -> Option<usize> {
        let Some((character, span)) = self.input.next(self.position) else {
            return self.choose_by_input(state);
        };
        self.report_input_errors(span.start);
        let mut best: Option<(usize, bool, Match)> = None;
        for (row, pattern) in patterns_of(state) {
            let Pattern::Lexeme(id) = pattern else { continue };
            let lexeme = self.machine.lexeme(*id);
            let Some(lexeme_match) = longest(lexeme, &self.input, self.position) else { continue };
            if best.as_ref().is_none_or(|(_, _, other)| other.span.end < lexeme_match.span.end) {
                best = Some((row, lexeme.single_character().is_some(), lexeme_match));
            }
        }
        self.matched =
            RowMatch { span, character: Some(character), is_input: true, is_lexeme: true };
        self.captures.clear();
        let Some((row, is_single, lexeme_match)) = best else {
            return self.first_row(state, |_, pattern| *pattern == Pattern::Else);
        };
        self.matched.span = lexeme_match.span;
        self.matched.character = Some(character).filter(|_| is_single);
        self.captures = lexeme_match.captures;
        Some(row)
    }

    /// Returns the index of the row that matches the longest string or reference ahead, among the rows whose guards
    /// hold; `None` if there is none. The row consumes the whole match.
    fn longest_match(&mut self, state: &'m State) -> Option<usize> {
        let (machine, position) = (self.machine, self.position);
        let mut longest: Option<(usize, Option<usize>, Span)> = None;
        for (row, pattern) in patterns_of(state) {
            let candidate = if let Pattern::Text { text, ignoring_case } = pattern {
                self.input.match_text(position, text, *ignoring_case).map(|span| (None, span))
            } else if *pattern == Pattern::Reference {
                let references = machine.references.as_ref();
                references
                    .and_then(|it| self.input.match_reference(position, it))
                    .map(|(entry, span)| (Some(entry), span))
            } else {
                None
            };
            let Some((entry, span)) = candidate else { continue };
            if longest.is_none_or(|(_, _, other)| other.end < span.end)
                && self.guard_holds(state, row)
            {
                longest = Some((row, entry, span));
            }
        }
        let (row, entry, span) = longest?;
        self.matched = RowMatch { span, is_input: true, ..RowMatch::default() };
        self.registers.reference = entry.or(self.registers.reference);
        Some(row)
    }

    fn choose_by_number(&mut self, state: &'m State) -> Option<usize> {
        let number = self.registers.number;
        let contains_number = |pattern: &Pattern| matches!(pattern, Pattern::Numbers(first, last) if (*first..=*last).contains(&number));
        self.choose(state, contains_number)
            .or_else(|| self.choose(state, |pattern| *pattern == Pattern::Else))
    }

    /// Returns the index of the first row with a matching pattern whose guard holds, in a state that matches no input.
    fn choose(&mut self, state: &'m State, is_match: impl Fn(&Pattern) -> bool) -> Option<usize> {
        let span = Span::at(self.position);
        self.matched = RowMatch { span, ..RowMatch::default() };
        self.first_row(state, |_, pattern| is_match(pattern))
    }

    /// Returns the index of the first row with a matching pattern whose guard holds; `None` if there is none.
    fn first_row(
        &mut self,
        state: &'m State,
        is_match: impl Fn(&Self, &Pattern) -> bool,
    ) -> Option<usize> {
        (0..state.rows.len()).find(|&row| {
            state.rows[row].patterns.iter().any(|pattern| is_match(self, &pattern.value))
                && self.guard_holds(state, row)
        })
    }

    fn guard_holds(&mut self, state: &'m State, row: usize) -> bool {
        match &state.rows[row].guard {
            Some(guard) => self.holds(&guard.value),
            None => true,
        }
    }

    /// Whether a condition currently holds.
    fn holds(&mut self, condition: &Condition) -> bool {
        match condition {
            Condition::Not(other) => !self.holds(other),
            Condition::All(parts) => parts.iter().all(|part| self.holds(part)),
            Condition::AppropriateEndTag => self.registers.is_appropriate_end_tag(),
            Condition::FieldIs(field, text) => {
                self.registers.field_is(Field::Declared(*field), text)
            }
            Condition::FieldMissing(field) => self.registers.is_missing(*field),
            Condition::Matches(field, lexeme) => {
                let text = self.registers.text(*field).to_owned();
                let lexeme = self.machine.lexeme(*lexeme);
                match text.is_empty() {
                    true => lexeme.expression.can_be_empty(),
                    false => longest(lexeme, &Input::new(&text, 0, self.machine), 0)
                        .is_some_and(|found| found.span.end == text.len()),
                }
            }
            Condition::Ahead(lexeme) => {
                let lexeme = self.machine.lexeme(*lexeme);
                longest(lexeme, &self.input, self.matched.span.end).is_some()
            }
            Condition::TemporaryBufferIs(text) => {
                self.registers.field_is(Field::TemporaryBuffer, text)
            }
            Condition::TemporaryBufferIsIgnoringCase(text) => {
                self.registers.text(Field::TemporaryBuffer).eq_ignore_ascii_case(text)
            }
            Condition::TagIs(kind) => self.registers.tag_is(*kind),
            Condition::TagNameIs(name) => self.registers.field_is(Field::TagName, name),
            Condition::ReturnStateIs(state) => self.registers.return_state == Some(*state),
            Condition::NumberIs(number) => self.registers.number == *number,
            Condition::FlagIs(flag, value) => {
                let index = usize::from(flag.0);
                let is_queried = self.machine.flags[index].is_queried_from_host();
                let answer = if is_queried { self.host.flag(*flag) } else { None };
                answer.unwrap_or(self.registers.flags[index]) == *value
            }
            Condition::EntityDeclared(list) => self.entity(*list).is_some(),
            Condition::EntityInsertable(list) => {
                let length = self.entity(*list).map_or(0, str::len);
                let limits = self.machine.replacement_limits;
                self.input.nesting() < limits.nesting as usize
                    && self.declarations.allows(
                        limits,
                        self.input.original(self.matched.span).start,
                        length,
                    )
            }
            Condition::CalledBy(state) => self.caller.is_some_and(|(caller, _)| caller == *state),
            Condition::DataIsReference(data) => self.reference_of(*data).is_some(),
            Condition::DataIsAtMost { data, base, most } => {
                self.number_of(*data, u32::from(*base)) <= *most
            }
            Condition::ReferenceEndsWith(character) => {
                self.reference().is_some_and(|(name, _)| name.ends_with(*character))
            }
            Condition::TagNameIn(names) => {
                names.iter().any(|name| self.registers.field_is(Field::TagName, name))
            }
            Condition::PrecededBy(text) => self.input.is_preceded_by(self.matched.span.start, text),
            Condition::PrecededByOne(set) => {
                self.input.is_preceded_by_one(self.matched.span.start, set)
            }
            Condition::FollowedBy(set) => self.input.is_followed_by(self.matched.span.end, set),
            Condition::LastStartTagAhead(after) => {
                let name = self.registers.last_start_tag.as_deref();
                let (input, at) = (&self.input, self.matched.span.start);
                name.is_some_and(|name| input.is_name_ahead(at, name, after))
            }
        }
    }

    /// Returns the value of the entity that the temporary buffer names; `None` if it is not declared.
    pub(super) fn entity(&self, list: EntityList) -> Option<&str> {
        self.declarations.entity(list, self.registers.text(Field::TemporaryBuffer))
    }

    /// Returns the end of the row's match, as a position in the original input.
    pub(super) fn original_end(&self) -> usize {
        self.input.original(self.matched.span).end
    }

    /// Returns the start of the reference that an inserted text replaces: one byte before the call of the procedure, or
    /// the start of the row's match.
    pub(super) fn reference_start(&self) -> usize {
        match self.caller {
            Some((_, called_at)) if self.machine.state(self.state).procedure.is_some() => {
                called_at.saturating_sub(1)
            }
            _ => self.matched.span.start,
        }
    }

    /// Returns the named character reference matched last, as its name and characters; `None` if none has been matched.
    pub(super) fn reference(&self) -> Option<&'m (String, String)> {
        let references = self.machine.references.as_ref()?;
        references.get(self.registers.reference?)
    }

    /// Returns the characters of the capture with this index, or an empty string if there is none.
    pub(super) fn data_text(&self, data: u8) -> String {
        self.captures
            .get(usize::from(data))
            .map(|span| self.input.characters(*span))
            .unwrap_or_default()
    }

    /// Returns a capture as a number in a base, saturating at `u32::MAX`. Characters that are not digits count as zero.
    pub(super) fn number_of(&self, data: u8, base: u32) -> u32 {
        self.data_text(data).chars().fold(0_u32, |number, digit| {
            number.saturating_mul(base).saturating_add(digit.to_digit(base).unwrap_or(0))
        })
    }

    /// Returns the index of the named character reference whose name is the capture; `None` if there is none.
    pub(super) fn reference_of(&self, data: u8) -> Option<usize> {
        let references = self.machine.references.as_ref()?;
        let name = self.data_text(data);
        references.iter().position(|(other, _)| *other == name)
    }

    /// Calls a procedure from the current state.
    fn call(&mut self, procedure: ProcedureId) {
        self.caller = Some((self.state, self.position));
        self.state = self.machine.procedures[usize::from(procedure.0)].start;
    }

    /// Runs a row: evaluates all conditions, gives back input that is to be reconsumed, and then runs the actions in
    /// order, after those of `leave` if the row leaves the state. `actions` is a reusable buffer.
    fn run_row(&mut self, row: usize, actions: &mut Vec<&'m Action>) {
        self.host.before_row(RowId { state: self.state, row: row as u16 });
        let state = self.machine.state(self.state);
        actions.clear();
        self.flatten(state, &state.rows[row].steps, true, actions);
        let span = self.matched.span;
        self.consume(actions.contains(&&Action::Reconsume));
        self.consumed_to = if emits_before_current(actions) { span.start } else { self.row_end };
        if self.matched.is_input && self.interpreter.content_states[usize::from(self.state.0)] {
            self.mark = span.start;
        }
        self.destination = Destination::Stay;
        self.has_emitted = false;
        let current = self.state;
        if !state.leave.is_empty() && actions.iter().any(|action| switches_away(action, current)) {
            self.perform_all(state.leave.iter().map(|action| &action.value));
        }
        self.perform_all(actions.iter().copied());
    }

    /// Runs actions, up to one that stops the machine.
    fn perform_all<'a>(&mut self, actions: impl Iterator<Item = &'a Action>) {
        for action in actions {
            if self.destination == Destination::Stop {
                return;
            }
            self.perform(action);
        }
    }

    /// Collects the actions of steps. Replaces `as else` by the actions of the `else` row, where a further `as else`
    /// has no effect.
    fn flatten(
        &mut self,
        state: &'m State,
        steps: &'m [Step],
        follows_as_else: bool,
        actions: &mut Vec<&'m Action>,
    ) {
        for step in steps {
            match step {
                Step::Action(action) if action.value == Action::AsElse => {
                    if let Some(row) = self.first_row(state, |_, pattern| *pattern == Pattern::Else)
                        && follows_as_else
                    {
                        self.flatten(state, &state.rows[row].steps, false, actions);
                    }
                }
                Step::Action(action) => actions.push(&action.value),
                Step::When { condition, then, otherwise } => {
                    let branch = if self.holds(&condition.value) { then } else { otherwise };
                    self.flatten(state, branch, follows_as_else, actions);
                }
            }
        }
    }

    /// Transfers control to the row's destination.
    fn transfer(&mut self) -> Result<(), Stuck> {
        self.position = match (&self.destination, self.inserted_start) {
            // After a return, the caller's row runs next, at the position where the procedure ended, even if there is
            // inserted text to be read.
            (Destination::Return, _) | (_, None) => self.consumed_to,
            (_, Some(_)) => self.inserted_start.take().unwrap_or(self.consumed_to),
        };
        match self.destination.clone() {
            Destination::Stay | Destination::Stop => {}
            Destination::Host(state) => self.state = state,
            Destination::Switch(state) => self.switch(state),
            Destination::ReturnNothing => self.position = self.return_result(Pattern::Nothing)?,
            Destination::Return => {
                self.return_result(Pattern::Returned)?;
            }
        }
        Ok(())
    }

    /// Switches to a state at the request of a row. Entering another state runs its `enter` actions and starts the
    /// ranges of the fields that it opens.
    fn switch(&mut self, state: StateId) {
        if state == self.state {
            return;
        }
        self.state = state;
        self.destination = Destination::Stay;
        let enter = &self.machine.state(state).enter;
        self.perform_all(enter.iter().map(|action| &action.value));
        for field in self.machine.fields_opened_by(state) {
            self.registers.open(field, self.consumed_to);
        }
        if let Destination::Host(other) | Destination::Switch(other) = self.destination {
            self.state = other;
        }
    }

    /// Moves to the procedure's caller with a result, and returns the position of the call. Returns an error if no
    /// procedure was called.
    fn return_result(&mut self, result: Pattern) -> Result<usize, Stuck> {
        let (state, position) = (self.state, self.position);
        let stuck = Stuck { reason: StuckReason::NoCaller, state, position };
        let (caller, called_at) = self.caller.ok_or(stuck)?;
        self.result = Some(result);
        self.state = caller;
        Ok(called_at)
    }

    /// Reports an error at the row's match, or at the last character of a string or reference.
    pub(super) fn report(&mut self, error: tabulex_language::model::ErrorId) {
        let RowMatch { mut span, character, is_input, is_lexeme } = self.matched;
        if is_input && !is_lexeme && character.is_none() {
            let last_character = self.input.characters(span).chars().next_back();
            span.start = span.end - last_character.map_or(0, char::len_utf8);
        }
        self.report_at(error, span);
    }

    /// Reports an error at a range.
    pub(super) fn report_at(&mut self, error: tabulex_language::model::ErrorId, span: Span) {
        let span = self.input.original(span);
        if self.input.nesting() > 0 {
            // All errors in a replacement text have the range of the reference, so each code is reported once.
            if self.reported_errors.contains(&error) {
                return;
            }
            self.reported_errors.push(error);
        }
        // A character that begins at the end of the range has not been read yet, so an error in it is not reported yet.
        if span.end > 0 {
            self.report_input_errors(span.end - 1);
        }
        self.pass_error(error, span);
    }

    /// Passes an error to the host, at the range before characters were removed from the input.
    fn pass_error(&mut self, error: tabulex_language::model::ErrorId, span: Span) {
        let span = self.filtered.map_or(span, |filtered| filtered.original(span));
        self.host.error(Error { error, span });
    }

    /// Reports the input characters that start at or before a position and are errors by themselves, each only once.
    pub(super) fn report_input_errors(&mut self, position: usize) {
        if self.machine.input_errors.is_empty() {
            return;
        }
        while let Some((character, span)) = self.input.next_of_input(self.reported_to)
            && span.start <= position
        {
            self.reported_to = span.end;
            let mut declarations = self.machine.input_errors.iter();
            if let Some(declared) = declarations.find(|it| it.characters.contains(character)) {
                self.pass_error(declared.error, span);
            }
        }
    }
}

/// Returns all patterns of a state with the indices of their rows.
fn patterns_of(state: &State) -> impl Iterator<Item = (usize, &Pattern)> {
    let rows = state.rows.iter().enumerate();
    rows.flat_map(|(index, row)| row.patterns.iter().map(move |pattern| (index, &pattern.value)))
}

/// Whether the actions emit something else before they emit the current character. The range of the former must then
/// exclude that character.
fn emits_before_current(actions: &[&Action]) -> bool {
    let is_current = |action: &&Action| matches!(action, Action::EmitText(Text::Current));
    let first_other = actions.iter().position(|action| action.emits() && !is_current(action));
    let last_current = actions.iter().rposition(is_current);
    matches!((first_other, last_current), (Some(other), Some(current)) if other < current)
}

/// Whether an action transfers control from `state` to another state. A return to a caller, a return state or a pushed
/// state counts; stopping does not.
fn switches_away(action: &Action, state: StateId) -> bool {
    match action.transfer() {
        Transfer::To(other) => other != state,
        Transfer::ToReturnState
        | Transfer::ToPushedState
        | Transfer::ReturnNothing
        | Transfer::ReturnText => true,
        Transfer::Nowhere | Transfer::Ends => false,
    }
}
