//! Runs of the interpreter, which is the oracle. The workspace's tables are loaded once.

use crate::recording::Recording;
use crate::setup::{ResolvedChoice, Setup};
use std::sync::LazyLock;
use tabulex_language::Source;
use tabulex_language::model::{FlagId, Machine, RowId};
use tabulex_oracle::interpreter::{Control, Error, Host, Interpreter, Options, Token};

/// A loaded table.
#[derive(Debug)]
pub struct Table {
    /// The text of the table.
    pub source: Source,
    interpreter: Interpreter<'static>,
    /// For each state, the number of rows in all states before it; then the number of all rows.
    first_rows: Vec<usize>,
}

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    tabulex_tables::all().iter().map(|(file, text)| Table::read(file, text)).collect()
});

/// Returns the table of the dialect.
///
/// # Panics
/// If there is none.
pub fn table(dialect: &str) -> &'static Table {
    TABLES
        .iter()
        .find(|table| table.machine().name == dialect)
        .unwrap_or_else(|| panic!("no table is named `{dialect}`"))
}

impl Table {
    fn read(file: &str, text: &str) -> Self {
        let source = Source::new(file, text);
        let loaded = tabulex_language::load(&source, &tabulex_tables::text);
        let mistakes: String =
            loaded.diagnostics.iter().map(|mistake| mistake.render(&loaded.source)).collect();
        let machine = loaded.machine.unwrap_or_else(|| panic!("{mistakes}"));
        Self::of(source, machine)
    }

    /// Creates a table from a machine and its text.
    pub fn of(source: Source, machine: Machine) -> Self {
        // The machine is leaked, because the interpreter borrows it until the end of the process.
        let machine: &'static Machine = Box::leak(Box::new(machine));
        let mut row_count = 0;
        let mut first_rows = Vec::new();
        for state in &machine.states {
            first_rows.push(row_count);
            row_count += state.rows.len();
        }
        first_rows.push(row_count);
        Self { source, interpreter: Interpreter::new(machine), first_rows }
    }

    /// Returns the model of the table.
    pub fn machine(&self) -> &'static Machine {
        self.interpreter.machine()
    }

    /// Returns the interpreter of the table.
    pub fn interpreter(&self) -> &Interpreter<'static> {
        &self.interpreter
    }

    /// Returns the number of rows.
    pub fn row_count(&self) -> usize {
        self.first_rows.last().copied().unwrap_or_default()
    }

    /// Returns the index of a row in the whole table, counted from 0.
    pub fn row_number(&self, row: RowId) -> usize {
        self.first_rows[usize::from(row.state.0)] + usize::from(row.row)
    }

    /// Runs the machine on the input.
    pub fn run(&self, setup: &Setup, input: &str) -> Recording {
        self.run_with_rows(setup, input, &mut |_| ())
    }

    /// Runs the machine on the input and reports the index of each row taken.
    ///
    /// # Panics
    /// If the machine gets stuck, or the setup has names that are not in the table.
    pub fn run_with_rows(
        &self,
        setup: &Setup,
        input: &str,
        on_row: &mut dyn FnMut(usize),
    ) -> Recording {
        let (recording, stuck) = self.attempt(setup, input, on_row);
        if let Some(stuck) = stuck {
            panic!("{stuck}: {setup:?} {input:?}");
        }
        recording
    }

    /// Runs a machine that may get stuck; returns the recording up to that point, and the reason if it got stuck.
    ///
    /// # Panics
    /// If the setup has names that are not in the table.
    pub fn attempt(
        &self,
        setup: &Setup,
        input: &str,
        on_row: &mut dyn FnMut(usize),
    ) -> (Recording, Option<String>) {
        let machine = self.machine();
        let mut options = Options {
            last_start_tag: setup.last_start_tag.clone(),
            keeps_byte_order_mark: !setup.follows_modes,
            switches: setup.follows_modes,
            ..Options::default()
        };
        for (flag, id) in machine.flags.iter().zip(0..).filter(|(flag, _)| flag.by_host) {
            options.flags.push((FlagId(id), setup.flag(&flag.name)));
        }
        match setup.state.as_deref().map(|name| (name, ResolvedChoice::find_in(machine, name))) {
            None => {}
            Some((_, Some(ResolvedChoice::State(state)))) => options.state = Some(state),
            Some((_, Some(ResolvedChoice::Flag(flag, value)))) => options.flags.push((flag, value)),
            Some((name, None)) => {
                panic!("the table `{}` has no state and no flag value named `{name}`", machine.name)
            }
        }
        let recording = Recording::default();
        let mut recorder = HostRecorder { table: self, setup, recording, on_row };
        let result = self.interpreter.run(input, &options, &mut recorder);
        (recorder.recording.finished(), result.err().map(|stuck| stuck.to_string()))
    }
}

struct HostRecorder<'a> {
    table: &'a Table,
    setup: &'a Setup,
    recording: Recording,
    on_row: &'a mut dyn FnMut(usize),
}

impl Host for HostRecorder<'_> {
    fn token(&mut self, token: Token) -> Control {
        let choices = match &token {
            Token::StartTag(tag) => self.setup.choices_after(&tag.name),
            _ => &[],
        };
        self.recording.token(token);
        let machine = self.table.machine();
        match choices.iter().find_map(|&choice| ResolvedChoice::resolve(machine, choice)) {
            None => Control::Continue,
            Some(ResolvedChoice::State(state)) => Control::Switch(state),
            Some(ResolvedChoice::Flag(flag, value)) => Control::SetFlag(flag, value),
        }
    }

    fn error(&mut self, error: Error) {
        let code = &self.table.machine().errors[usize::from(error.error.0)].name;
        self.recording.error(code, error.span);
    }

    fn flag(&mut self, flag: FlagId) -> Option<u8> {
        Some(self.setup.flag(&self.table.machine().flags[usize::from(flag.0)].name))
    }

    fn before_row(&mut self, row: RowId) {
        (self.on_row)(self.table.row_number(row));
    }
}
