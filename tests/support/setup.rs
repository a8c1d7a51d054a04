//! How a run begins, and what the host of a machine answers while it runs. The same setup serves runtime and
//! interpreter. Invariant: nothing here names a dialect but the table of elements whose text is not markup.

/// How a run begins, and what its host does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The first state, as the table calls it; the machine's own if there is none.
    pub state: Option<String>,
    /// The name that counts as that of the last start tag.
    pub last_start_tag: Option<String>,
    /// Values of the flags that the host sets, by the name of the flag and the index of the value; others are 0.
    pub flags: Vec<(String, u8)>,
    /// Whether the host sets the state after start tags of elements whose text is not markup.
    pub switches: bool,
}

impl Setup {
    /// The value of the flag of this name.
    pub fn flag(&self, name: &str) -> u8 {
        self.flags.iter().find(|(flag, _)| flag == name).map_or(0, |&(_, value)| value)
    }

    /// The state that the host wants after a start tag of this name; it switches to it if the machine has it.
    pub fn state_after(&self, tag_name: &str) -> Option<&'static str> {
        let switch = SWITCHES.iter().find(|(names, _)| self.switches && names.contains(&tag_name));
        switch.map(|&(_, state)| state)
    }
}

/// States that a host sets who looks at nothing but the name of a start tag.
const SWITCHES: &[(&[&str], &str)] = &[
    (&["script"], "script-data"),
    (&["style", "xmp", "iframe", "noembed", "noframes"], "rawtext"),
    (&["title", "textarea"], "rcdata"),
    (&["plaintext"], "plaintext"),
];
