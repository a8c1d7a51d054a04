//! How a run begins, and what the host of a machine answers while it runs. The same setup serves runtime and
//! interpreter. Invariant: nothing here names a dialect but the table of elements whose text is not markup.

use tabulex_language::model::{Flag, FlagId, Machine, StateId};

/// How a run begins, and what its host does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The first state, as the table calls it, or the value of a flag that host and rows set; the machine's own state if
    /// there is none.
    pub state: Option<String>,
    /// The name that counts as that of the last start tag.
    pub last_start_tag: Option<String>,
    /// Values of the flags that the host sets, by the name of the flag and the index of the value; others are 0.
    pub flags: Vec<(String, u8)>,
    /// Whether the host sets the state after start tags of elements whose text is not markup.
    pub switches: bool,
    /// Whether tokens are those of a dialect: the machine goes on after start tags as its modes say, and leaves out a
    /// byte order mark. Otherwise it is alone.
    pub follows_modes: bool,
}

impl Setup {
    /// The value of the flag of this name.
    pub fn flag(&self, name: &str) -> u8 {
        self.flags.iter().find(|(flag, _)| flag == name).map_or(0, |&(_, value)| value)
    }

    /// What the host wants after a start tag of this name: the first of these states, or values of a flag, that the
    /// machine has.
    pub fn wanted_after(&self, tag_name: &str) -> &'static [Wanted] {
        let switch = SWITCHES.iter().find(|(names, _)| self.switches && names.contains(&tag_name));
        switch.map_or(&[], |&(_, wanted)| wanted)
    }
}

/// What a host wants, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A state.
    State(&'static str),
    /// A value of a flag.
    Value(&'static str),
}

impl Wanted {
    /// The name of the state or of the value.
    pub fn name(self) -> &'static str {
        match self {
            Self::State(name) | Self::Value(name) => name,
        }
    }
}

/// What a host wants of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish<S, F> {
    /// A state.
    State(S),
    /// A flag with the value of this index.
    Flag(F, u8),
}

impl Wish<StateId, FlagId> {
    /// What is called by this name in the model of a machine.
    pub fn find_in(machine: &Machine, name: &str) -> Option<Self> {
        let state = machine.find_state(name).map(Self::State);
        state.or_else(|| Self::value_in(machine, name))
    }

    /// What is wanted, in the model of a machine.
    pub fn wanted_in(machine: &Machine, wanted: Wanted) -> Option<Self> {
        match wanted {
            Wanted::State(name) => machine.find_state(name).map(Self::State),
            Wanted::Value(name) => Self::value_in(machine, name),
        }
    }

    fn value_in(machine: &Machine, name: &str) -> Option<Self> {
        let flags = machine.flags.iter().zip(0..).filter(|(flag, _)| flag.by_host && flag.by_rows);
        let value = |flag: &Flag| flag.values.iter().position(|value| value == name);
        flags.into_iter().find_map(|(flag, id)| Some(Self::Flag(FlagId(id), value(flag)? as u8)))
    }
}

/// States and values of flags that a host sets who looks at nothing but the name of a start tag.
const SWITCHES: &[(&[&str], &[Wanted])] = &[
    (&["script"], &[Wanted::State("script-data"), Wanted::Value("cdata")]),
    (
        &["style", "xmp", "iframe", "noembed", "noframes"],
        &[Wanted::State("rawtext"), Wanted::Value("cdata")],
    ),
    (&["title", "textarea"], &[Wanted::State("rcdata"), Wanted::Value("rcdata")]),
    (&["plaintext"], &[Wanted::State("plaintext"), Wanted::Value("plaintext")]),
];
