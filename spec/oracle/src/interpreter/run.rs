//! One run: chooses the row, takes it, goes to the next state. What the single actions do is in `action`. Invariant:
//! the number of rows that a run takes is limited by the length of the input and the number of states.

use super::declarations::Declarations;
use super::index::{error_of, takes};
use super::input::Input;
use super::lexeme::Match;
use super::registers::Registers;
use super::token::{Error, Span};
use super::{Host, Interpreter, Options, Stuck, Taken};
use tabulex_language::model::{
    Action, Condition, EntityList, Goes, Machine, Pattern, ProcedureId, ReplacementLimits, RowId,
    State, StateId, Step, Subject, Text,
};

/// What a row looks at: what it consumes, or the empty range where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looked {
    pub(super) span: Span,
    /// The single character that is current, if there is one.
    pub(super) character: Option<char>,
    /// Whether the row consumes a character, a match or the end of the input.
    is_input: bool,
    /// Whether what it consumes is a lexical token.
    pub(super) is_lexeme: bool,
}

/// Where the machine goes when a row is done. The last step that says so wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// It stays.
    Stay,
    /// A row has switched.
    Switch(StateId),
    /// The host has set the state.
    Host(StateId),
    /// The procedure has returned nothing.
    ReturnNothing,
    /// The procedure has returned what the register holds.
    Return,
    /// The machine has ended.
    Stop,
}

/// A run over one input.
pub(super) struct Run<'r, 'm> {
    interpreter: &'r Interpreter<'m>,
    pub(super) machine: &'m Machine,
    pub(super) input: Input<'r>,
    pub(super) host: &'r mut dyn Host,
    pub(super) registers: Registers,
    pub(super) declarations: Declarations,
    pub(super) replacement_limits: ReplacementLimits,
    /// Where an inserted text begins that is to be read next.
    pub(super) inserted: Option<usize>,
    state: StateId,
    /// Where the next character is read.
    position: usize,
    /// What the row that is taken looks at.
    pub(super) looked: Looked,
    /// The data of the lexical token that it consumes.
    pub(super) data: Vec<Span>,
    /// Up to where the row that is taken has consumed the input.
    pub(super) here: usize,
    /// Up to where the row has consumed the input, once it is done.
    pub(super) row_end: usize,
    /// Whether the row may go to the state that it names.
    pub(super) may_switch: bool,
    /// Where the next token or text begins.
    pub(super) mark: usize,
    pub(super) next: Next,
    /// Whether the row has emitted something.
    pub(super) has_emitted: bool,
    /// The state that called the procedure, and where.
    pub(super) caller: Option<(StateId, usize)>,
    /// What has just come back to the state: characters or nothing.
    result: Option<Pattern>,
    /// Up to where the input was searched for characters that are wrong by themselves.
    searched: usize,
    /// The errors that were reported in what stands for the present reference.
    pub(super) reported: Vec<tabulex_language::model::ErrorId>,
    /// Whether the machine goes on after start tags as rows of its modes say.
    pub(super) switches: bool,
}

impl<'r, 'm> Run<'r, 'm> {
    pub(super) fn new(
        interpreter: &'r Interpreter<'m>,
        input: &'r str,
        options: &Options,
        host: &'r mut dyn Host,
    ) -> Self {
        let machine = interpreter.machine;
        let drops_mark = machine.byte_order_mark_dropped || !options.keeps_byte_order_mark;
        let mark = input.strip_prefix('\u{FEFF}').filter(|_| drops_mark);
        let begin = mark.map_or(0, |rest| input.len() - rest.len());
        Self {
            interpreter,
            machine,
            input: Input::new(input, begin, machine),
            host,
            registers: Registers::new(machine, options),
            declarations: Declarations::default(),
            replacement_limits: options.replacement_limits.unwrap_or(machine.replacement_limits),
            inserted: None,
            state: options.state.unwrap_or(machine.start),
            position: begin,
            looked: Looked {
                span: Span::at(0),
                character: None,
                is_input: false,
                is_lexeme: false,
            },
            data: Vec::new(),
            here: 0,
            row_end: 0,
            may_switch: true,
            mark: begin,
            next: Next::Stay,
            has_emitted: false,
            caller: None,
            result: None,
            searched: begin,
            reported: Vec::new(),
            switches: options.switches,
        }
    }

    /// Takes rows until the end-of-file token was emitted.
    pub(super) fn run(mut self) -> Result<(), Stuck> {
        let states = self.machine.states.len();
        let mut actions = Vec::new();
        let mut steps = 0;
        while steps < (self.input.whole_len() + 64).saturating_mul(8).saturating_mul(states) {
            steps += 1;
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
            let row = row.ok_or(Stuck::NoRow { state, position })?;
            let id = RowId { state, row: row as u16 };
            self.take(row, &mut actions);
            let looked = self.input.original(self.looked.span);
            self.go_on()?;
            let (at, caller, registers, end) =
                (self.state, self.caller, &self.registers, self.position);
            let configuration = || registers.configuration(at, caller, end);
            self.host.taken(&Taken { row: id, looked, configuration: &configuration });
            if self.next == Next::Stop {
                return Ok(());
            }
        }
        Err(Stuck::Endless { state: self.state, position: self.position })
    }

    /// The row for what is next in the input: strings and references before characters before `else`.
    fn choose_by_input(&mut self, state: &'m State) -> Option<usize> {
        self.position = self.input.leave(self.position);
        let Some((character, span)) = self.input.next(self.position) else {
            let end = self.input.len();
            self.looked =
                Looked { span: Span::at(end), character: None, is_input: true, is_lexeme: false };
            self.report_input_errors(end);
            let (at, caller, registers) = (self.state, self.caller, &self.registers);
            self.host.end_of_input(&|| registers.configuration(at, caller, end));
            return self.first(state, |_, pattern| *pattern == Pattern::EndOfFile);
        };
        self.looked = Looked { span, character: Some(character), is_input: true, is_lexeme: false };
        self.report_input_errors(self.input.original(span).start);
        let index = &self.interpreter.states[usize::from(self.state.0)];
        if let Some(row) = index.row(character) {
            return Some(row);
        }
        if index.matches_ahead
            && let Some(row) = self.longest_match(state)
        {
            return Some(row);
        }
        let by_character = self.first(state, |run, pattern| match pattern {
            Pattern::Characters(set) => set.contains(character),
            Pattern::AdditionalAllowedCharacter => {
                run.registers.additional_allowed_character == Some(character)
            }
            // What is ahead was looked for before, `else` comes after; the others look at no character.
            Pattern::Text { .. }
            | Pattern::Reference
            | Pattern::Lexeme(_)
            | Pattern::EndOfFile
            | Pattern::Else
            | Pattern::Nothing
            | Pattern::Returned
            | Pattern::Numbers(..)
            | Pattern::Always => false,
        });
        by_character.or_else(|| self.first(state, |_, pattern| *pattern == Pattern::Else))
    }

    /// The row for the longest lexeme ahead, the first among equals; `else` where there is none.
    fn choose_by_lexeme(&mut self, state: &'m State) -> Option<usize> {
        let Some((character, span)) = self.input.next(self.position) else {
            return self.choose_by_input(state);
        };
        self.report_input_errors(span.start);
        let mut longest: Option<(usize, bool, Match)> = None;
        for (row, pattern) in patterns_of(state) {
            let Pattern::Lexeme(id) = pattern else { continue };
            let program = &self.interpreter.lexemes[usize::from(id.0)];
            let Some(found) = program.longest(&self.input, self.position) else { continue };
            if longest.as_ref().is_none_or(|(_, _, other)| other.span.end < found.span.end) {
                let is_single = self.machine.lexeme(*id).single_character().is_some();
                longest = Some((row, is_single, found));
            }
        }
        self.looked = Looked { span, character: Some(character), is_input: true, is_lexeme: true };
        self.data.clear();
        let Some((row, is_single, found)) = longest else {
            return self.first(state, |_, pattern| *pattern == Pattern::Else);
        };
        self.looked.span = found.span;
        self.looked.character = Some(character).filter(|_| is_single);
        self.data = found.data;
        Some(row)
    }

    /// The row whose string or reference is the longest ahead; it consumes the whole of it.
    fn longest_match(&mut self, state: &'m State) -> Option<usize> {
        let (machine, position) = (self.machine, self.position);
        let mut longest: Option<(usize, Option<usize>, Span)> = None;
        for (row, pattern) in patterns_of(state) {
            let found = match pattern {
                Pattern::Text { text, ignoring_case } => {
                    self.input.match_text(position, text, *ignoring_case).map(|span| (None, span))
                }
                Pattern::Reference => machine
                    .references
                    .as_ref()
                    .and_then(|references| {
                        self.input.match_reference(position, &references.entries)
                    })
                    .map(|(entry, span)| (Some(entry), span)),
                // These do not look ahead; lexemes are those of other states.
                Pattern::Characters(_)
                | Pattern::AdditionalAllowedCharacter
                | Pattern::Lexeme(_)
                | Pattern::EndOfFile
                | Pattern::Else
                | Pattern::Nothing
                | Pattern::Returned
                | Pattern::Numbers(..)
                | Pattern::Always => None,
            };
            let Some((entry, span)) = found else { continue };
            if longest.is_none_or(|(_, _, other)| other.end < span.end)
                && self.guard_holds(state, row)
            {
                longest = Some((row, entry, span));
            }
        }
        let (row, entry, span) = longest?;
        self.looked = Looked { span, character: None, is_input: true, is_lexeme: false };
        self.registers.reference = entry.or(self.registers.reference);
        Some(row)
    }

    fn choose_by_number(&mut self, state: &'m State) -> Option<usize> {
        let number = self.registers.number;
        let between = |pattern: &Pattern| matches!(pattern, Pattern::Numbers(first, last) if (*first..=*last).contains(&number));
        self.choose(state, between)
            .or_else(|| self.choose(state, |pattern| *pattern == Pattern::Else))
    }

    /// The first row with such a pattern, in a state that looks at no input.
    fn choose(&mut self, state: &'m State, wanted: impl Fn(&Pattern) -> bool) -> Option<usize> {
        let span = Span::at(self.position);
        self.looked = Looked { span, character: None, is_input: false, is_lexeme: false };
        self.first(state, |_, pattern| wanted(pattern))
    }

    /// The first row with such a pattern whose guard holds.
    fn first(
        &mut self,
        state: &'m State,
        wanted: impl Fn(&Self, &Pattern) -> bool,
    ) -> Option<usize> {
        (0..state.rows.len()).find(|&row| {
            takes(&state.rows[row], |pattern| wanted(self, pattern)) && self.guard_holds(state, row)
        })
    }

    fn guard_holds(&mut self, state: &'m State, row: usize) -> bool {
        match &state.rows[row].guard {
            Some(guard) => self.holds(&guard.value),
            None => true,
        }
    }

    /// Whether the condition holds now.
    fn holds(&mut self, condition: &Condition) -> bool {
        match condition {
            Condition::Not(other) => !self.holds(other),
            Condition::All(parts) => parts.iter().all(|part| self.holds(part)),
            Condition::AppropriateEndTag => self.registers.is_appropriate_end_tag(self.machine),
            Condition::TemporaryBufferIs(text) => self.registers.temporary_buffer == *text,
            Condition::TemporaryBufferIsIgnoringCase(text) => {
                self.registers.temporary_buffer.eq_ignore_ascii_case(text)
            }
            Condition::TagIs(kind) => self.registers.tag_is(*kind),
            Condition::TagNameIs(name) => self.registers.tag_name_is(name),
            Condition::ReturnStateIs(state) => self.registers.return_state == Some(*state),
            Condition::NumberIs(number) => self.registers.number == *number,
            Condition::FlagIs(flag, value) => {
                let index = usize::from(flag.0);
                let is_asked = self.machine.flags[index].is_asked_of_host();
                let current =
                    if is_asked { self.host.flag(*flag) } else { self.registers.flags[index] };
                current == *value
            }
            Condition::EntityDeclared(list) => self.entity(*list).is_some(),
            Condition::EntityInsertable(list) => {
                let length = self.entity(*list).map_or(0, str::len);
                let limits = self.replacement_limits;
                self.input.nesting() < limits.nesting as usize
                    && self.declarations.allows(
                        limits,
                        self.input.original(self.looked.span).start,
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
                names.iter().any(|name| self.registers.tag_name_is(name))
            }
            Condition::PrecededBy(text) => self.input.is_preceded_by(self.looked.span.start, text),
            Condition::PrecededByOne(set) => {
                self.input.is_preceded_by_one(self.looked.span.start, set)
            }
            Condition::FollowedBy(set) => self.input.is_followed_by(self.looked.span.end, set),
            Condition::LastStartTagAhead(after) => {
                let name = self.registers.last_start_tag.as_deref();
                let (input, at) = (&self.input, self.looked.span.start);
                name.is_some_and(|name| input.is_name_ahead(at, name, after))
            }
        }
    }

    /// The value of the entity that the temporary buffer names.
    pub(super) fn entity(&self, list: EntityList) -> Option<&str> {
        self.declarations.entity(list, &self.registers.temporary_buffer)
    }

    /// Where the input has been consumed up to, with what the row looks at.
    pub(super) fn original_end(&self) -> usize {
        self.input.original(self.looked.span).end
    }

    /// Where the reference begins that a text is inserted for: one byte before the procedure was called, or with what the
    /// row consumed.
    pub(super) fn reference_start(&self) -> usize {
        match self.caller {
            Some((_, called_at)) if self.machine.state(self.state).procedure.is_some() => {
                called_at.saturating_sub(1)
            }
            _ => self.looked.span.start,
        }
    }

    /// The named character reference that was matched last: its name, and what it stands for.
    pub(super) fn reference(&self) -> Option<&'m (String, String)> {
        let references = self.machine.references.as_ref()?;
        references.entries.get(self.registers.reference?)
    }

    /// The characters of the data of this index.
    pub(super) fn data_text(&self, data: u8) -> String {
        self.data
            .get(usize::from(data))
            .map(|span| self.input.characters(*span))
            .unwrap_or_default()
    }

    /// The data as a number; it stops growing where 32 bits end, and what is no digit counts as zero.
    pub(super) fn number_of(&self, data: u8, base: u32) -> u32 {
        self.data_text(data).chars().fold(0_u32, |number, digit| {
            number.saturating_mul(base).saturating_add(digit.to_digit(base).unwrap_or(0))
        })
    }

    /// The index of the named character reference whose name the data are.
    pub(super) fn reference_of(&self, data: u8) -> Option<usize> {
        let references = self.machine.references.as_ref()?;
        let name = self.data_text(data);
        references.entries.iter().position(|(other, _)| *other == name)
    }

    /// The state calls its procedure.
    fn call(&mut self, procedure: ProcedureId) {
        self.caller = Some((self.state, self.position));
        self.move_to(self.machine.procedures[usize::from(procedure.0)].start);
    }

    /// Takes the row: reads all conditions, gives back what is to be consumed again, then does one action after the
    /// other. `actions` is only a place to list them in.
    fn take(&mut self, row: usize, actions: &mut Vec<&'m Action>) {
        self.host.row(RowId { state: self.state, row: row as u16 });
        let state = self.machine.state(self.state);
        actions.clear();
        self.flatten(state, &state.rows[row].steps, true, actions);
        let span = self.looked.span;
        self.consume(actions.contains(&&Action::Reconsume));
        self.here = if is_split(actions) { span.start } else { self.row_end };
        if self.looked.is_input && self.interpreter.states[usize::from(self.state.0)].is_content {
            self.mark = span.start;
        }
        self.next = Next::Stay;
        self.has_emitted = false;
        let current = self.state;
        if !state.leave.is_empty() && actions.iter().any(|action| leaves(action, current)) {
            self.perform_all(state.leave.iter().map(|action| &action.value));
        }
        self.perform_all(actions.iter().copied());
    }

    /// Does the actions, up to the one that stops the machine.
    fn perform_all<'a>(&mut self, actions: impl Iterator<Item = &'a Action>) {
        for action in actions {
            if self.next == Next::Stop {
                return;
            }
            self.perform(action);
        }
    }

    /// Lists the actions of the steps. `as else` stands for the `else` row, but means nothing within that row.
    fn flatten(
        &mut self,
        state: &'m State,
        steps: &'m [Step],
        may_be_as_else: bool,
        actions: &mut Vec<&'m Action>,
    ) {
        for step in steps {
            match step {
                Step::Action(action) if action.value == Action::AsElse => {
                    if let Some(row) = self.first(state, |_, pattern| *pattern == Pattern::Else)
                        && may_be_as_else
                    {
                        self.flatten(state, &state.rows[row].steps, false, actions);
                    }
                }
                Step::Action(action) => actions.push(&action.value),
                Step::When { condition, then, otherwise } => {
                    let branch = if self.holds(&condition.value) { then } else { otherwise };
                    self.flatten(state, branch, may_be_as_else, actions);
                }
            }
        }
    }

    /// Goes where the row that was taken says.
    fn go_on(&mut self) -> Result<(), Stuck> {
        self.position = match (&self.next, self.inserted) {
            // The caller's row comes first; it stands where the procedure has ended.
            (Next::Return, _) | (_, None) => self.here,
            (_, Some(_)) => self.inserted.take().unwrap_or(self.here),
        };
        match self.next.clone() {
            Next::Stay | Next::Stop => {}
            Next::Host(state) => self.move_to(state),
            Next::Switch(state) => self.switch(state),
            Next::ReturnNothing => self.position = self.come_back(Pattern::Nothing)?,
            Next::Return => {
                self.come_back(Pattern::Returned)?;
            }
        }
        Ok(())
    }

    /// Goes to a state because a row says so: its `enter` actions are done and its fields begin, if it is another one.
    fn switch(&mut self, state: StateId) {
        if state == self.state {
            return;
        }
        self.move_to(state);
        self.next = Next::Stay;
        let enter = &self.machine.state(state).enter;
        self.perform_all(enter.iter().map(|action| &action.value));
        for &field in &self.interpreter.states[usize::from(state.0)].opens {
            self.registers.open(field, self.here);
        }
        if let Next::Host(other) | Next::Switch(other) = self.next {
            self.move_to(other);
        }
    }

    /// Goes back to the caller with the result; the position at which it called.
    fn come_back(&mut self, result: Pattern) -> Result<usize, Stuck> {
        let (state, position) = (self.state, self.position);
        let (caller, called_at) = self.caller.ok_or(Stuck::NoCaller { state, position })?;
        self.result = Some(result);
        self.move_to(caller);
        Ok(called_at)
    }

    fn move_to(&mut self, state: StateId) {
        if state != self.state {
            self.host.transition(self.state, state);
            self.state = state;
        }
    }

    /// Reports an error at what the row looks at; at the last character of a string or a reference.
    pub(super) fn report(&mut self, error: tabulex_language::model::ErrorId) {
        let Looked { mut span, character, is_input, is_lexeme } = self.looked;
        if is_input && !is_lexeme && character.is_none() {
            let last = self.input.characters(span).chars().next_back();
            span.start = span.end - last.map_or(0, char::len_utf8);
        }
        self.report_at(error, span);
    }

    /// Reports an error at this range.
    pub(super) fn report_at(&mut self, error: tabulex_language::model::ErrorId, span: Span) {
        let span = self.input.original(span);
        if self.input.nesting() > 0 {
            // All errors in a replacement text have the range of the reference: one of each code says it.
            if self.reported.contains(&error) {
                return;
            }
            self.reported.push(error);
        }
        // Where no character was looked at, the one that is next is not read yet.
        if span.end > 0 {
            self.report_input_errors(span.end - 1);
        }
        self.host.error(Error { error, span });
    }

    /// Reports, once, the characters that are wrong by themselves and begin at the position or before it.
    pub(super) fn report_input_errors(&mut self, position: usize) {
        let index = &self.interpreter.input_errors;
        if index.is_empty() {
            return;
        }
        while let Some((character, span)) = self.input.next_of_input(self.searched)
            && span.start <= position
        {
            self.searched = span.end;
            if index.contains(character)
                && let Some(error) = error_of(self.machine, character)
            {
                self.host.error(Error { error, span });
            }
        }
    }
}

/// Every pattern of the state with the index of its row.
fn patterns_of(state: &State) -> impl Iterator<Item = (usize, &Pattern)> {
    let rows = state.rows.iter().enumerate();
    rows.flat_map(|(row, patterns)| {
        patterns.patterns.iter().map(move |pattern| (row, &pattern.value))
    })
}

/// Whether the row emits something else before it emits the current character, which is then no part of that.
fn is_split(actions: &[&Action]) -> bool {
    let is_current = |action: &&Action| matches!(action, Action::EmitText(Text::Current));
    let other = actions.iter().position(|action| action.emits() && !is_current(action));
    let current = actions.iter().rposition(is_current);
    matches!((other, current), (Some(other), Some(current)) if other < current)
}

/// Whether the action leaves the state for another one.
fn leaves(action: &Action, state: StateId) -> bool {
    match action.goes() {
        Goes::To(other) => other != state,
        Goes::ToReturnState | Goes::ToPushedState | Goes::Back | Goes::BackWith => true,
        Goes::Nowhere | Goes::Ends => false,
    }
}
