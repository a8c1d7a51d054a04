//! Reports algorithms that nothing runs.

use crate::diagnostic::{Diagnostic, UNFOLLOWED_STEPS};
use crate::model::Machine;
use crate::nearest::nearest_or;
use crate::syntax::{Table, Word};
use crate::vocabulary::algorithm::{BYTE_ROUTINES, PLAIN_ROUTINES, ROUTINES, WRITING_ROUTINES};

pub(super) fn check(machine: &Machine, table: &Table) -> Vec<Diagnostic> {
    let algorithms = table.items.iter().filter(|item| item.kind == "algorithm");
    let names = algorithms.map(|item| &item.name);
    names.filter(|name| !is_executed(machine, &name.value)).map(unexecuted).collect()
}

fn is_executed(machine: &Machine, name: &str) -> bool {
    let mut algorithms = machine.construction.iter().flat_map(|it| &it.algorithms);
    let is_prefix = || ROUTINES.iter().any(|(_, routine)| routine.prefix_algorithm() == Some(name));
    algorithms.any(|other| other.name == name) || is_prefix()
}

fn unexecuted(name: &Word) -> Diagnostic {
    let routines =
        [ROUTINES, PLAIN_ROUTINES, BYTE_ROUTINES, WRITING_ROUTINES].into_iter().flatten();
    let names: Vec<&str> = routines.map(|(name, _)| *name).collect();
    let help = match names.contains(&&name.value[..]) {
        true => {
            "only tables of other `elements` run it: remove it, or change `elements`".to_owned()
        }
        false => {
            nearest_or(&name.value, &names, "remove it, or rename it to an algorithm that rows run")
        }
    };
    let message = format!("nothing runs the algorithm `{}`", name.value);
    Diagnostic::new(UNFOLLOWED_STEPS, name.span, message).help(help)
}
