//! The initial state of a run, and the answers of its host, for both runtime and interpreter.

use tabulex_language::model::{Flag, FlagId, Machine, StateId};

/// The initial state of a run, and the behaviour of its host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The initial state by its name in the table, or the value of a flag that host and rows set; the start state if
    /// `None`.
    pub state: Option<String>,
    /// The name of the last start tag.
    pub last_start_tag: Option<String>,
    /// The values of flags that the host sets, by name of the flag and index of the value; others are 0.
    pub flags: Vec<(String, u8)>,
    /// Whether the host switches states after start tags of elements whose text is not markup.
    pub switches: bool,
    /// Whether to run the machine as part of its dialect: it follows its modes after start tags and drops a byte order
    /// mark. Otherwise it runs on its own.
    pub follows_modes: bool,
}

impl Setup {
    /// Returns the value of the flag called `name`.
    pub fn flag(&self, name: &str) -> u8 {
        self.flags.iter().find(|(flag, _)| flag == name).map_or(0, |&(_, value)| value)
    }

    /// Returns the host's choices after a start tag called `tag_name`: it switches to the first state or flag value
    /// that the machine has.
    pub fn choices_after(&self, tag_name: &str) -> &'static [HostChoice] {
        let switch = SWITCHES.iter().find(|(names, _)| self.switches && names.contains(&tag_name));
        switch.map_or(&[], |&(_, choices)| choices)
    }
}

/// A state or flag value that a host selects, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostChoice {
    /// A state.
    State(&'static str),
    /// A flag value.
    Value(&'static str),
}

impl HostChoice {
    /// Returns the name of the state or flag value.
    pub fn name(self) -> &'static str {
        match self {
            Self::State(name) | Self::Value(name) => name,
        }
    }
}

/// A state or flag value that a host selects, as ids of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResolvedChoice<S, F> {
    /// A state.
    State(S),
    /// A flag, and the index of its value.
    Flag(F, u8),
}

impl ResolvedChoice<StateId, FlagId> {
    /// Resolves the name of a state or flag value in the model of a machine.
    pub fn find_in(machine: &Machine, name: &str) -> Option<Self> {
        let state = machine.find_state(name).map(Self::State);
        state.or_else(|| Self::find_value(machine, name))
    }

    /// Resolves a host's choice in the model of a machine.
    pub fn resolve(machine: &Machine, choice: HostChoice) -> Option<Self> {
        match choice {
            HostChoice::State(name) => machine.find_state(name).map(Self::State),
            HostChoice::Value(name) => Self::find_value(machine, name),
        }
    }

    fn find_value(machine: &Machine, name: &str) -> Option<Self> {
        let flags = machine.flags.iter().zip(0..).filter(|(flag, _)| flag.by_host && flag.by_rows);
        let value = |flag: &Flag| flag.values.iter().position(|value| value == name);
        flags.into_iter().find_map(|(flag, id)| Some(Self::Flag(FlagId(id), value(flag)? as u8)))
    }
}

/// The choices of a host that considers only the names of start tags.
const SWITCHES: &[(&[&str], &[HostChoice])] = &[
    (&["script"], &[HostChoice::State("script-data"), HostChoice::Value("cdata")]),
    (
        &["style", "xmp", "iframe", "noembed", "noframes"],
        &[HostChoice::State("rawtext"), HostChoice::Value("cdata")],
    ),
    (&["title", "textarea"], &[HostChoice::State("rcdata"), HostChoice::Value("rcdata")]),
    (&["plaintext"], &[HostChoice::State("plaintext"), HostChoice::Value("plaintext")]),
];
