//! The local names that a table mentions, each once, and the constants for their ids.

use proc_macro2::{Ident, Span};
use tabulex_language::model::tree::algorithm::{Expression, Question, RunStep};
use tabulex_language::model::tree::{
    Construction, ElementName, TreeAction, TreeCondition, TreeStep,
};

/// Returns all local names that the table mentions.
pub(super) fn all(construction: &Construction) -> Vec<String> {
    let mut used = UsedNames::default();
    for set in construction.names.iter().chain(&construction.scopes) {
        used.add_elements(&set.members);
    }
    for row in construction.rows() {
        let names = row.patterns.iter().flat_map(|pattern| pattern.value.tag_names());
        used.0.extend(names.cloned());
        row.conditions().for_each(|condition| used.add_condition(condition));
    }
    for condition in construction.steps.iter().flat_map(|named| TreeStep::conditions(&named.steps))
    {
        used.add_condition(condition);
    }
    construction.actions().for_each(|action| used.add_action(action));
    for row in construction.element_rows() {
        used.add_elements(&row.patterns);
        row.conditions().for_each(|condition| used.add_condition(condition));
        TreeStep::actions(&row.steps).into_iter().for_each(|action| used.add_action(action));
    }
    construction.algorithms.iter().for_each(|algorithm| used.add_algorithm(&algorithm.steps));
    construction.dispatch.iter().for_each(|dispatch| used.add_condition(&dispatch.condition));
    construction.answers.iter().for_each(|answer| used.add_condition(&answer.condition));
    used.0.extend(construction.integration_points.iter().map(|point| point.name.local.clone()));
    used.0.extend(construction.template.iter().cloned());
    used.0.extend(construction.fragment.iter().map(|fragment| fragment.root.clone()));
    if let Some(fostering) = &construction.fostering {
        used.add_elements(&fostering.targets);
        used.0.push(fostering.beside.clone());
    }
    if let Some(selected) = &construction.selected_content {
        let names = [&selected.option, &selected.select, &selected.content, &selected.group];
        used.0.extend(names.into_iter().chain(&selected.stops).cloned());
    }
    used.0.sort();
    used.0.dedup();
    // The names of adjustments come last, because few documents contain them, and names with lower ids are found with
    // fewer probes of the hash table.
    let entries = construction.adjustments.iter().flat_map(|table| &table.entries);
    let mut adjusted: Vec<String> = entries
        .flat_map(|entry| [&entry.from[..], entry.prefix_and_local().1].map(str::to_owned))
        .collect();
    adjusted.retain(|name| used.0.binary_search(name).is_err());
    adjusted.sort();
    adjusted.dedup();
    used.0.extend(adjusted);
    used.0
}

/// Returns the name of the constant for the id of the local name at `index`.
pub(super) fn constant(names: &[String], index: usize) -> Ident {
    let upper_case = |name: &String| -> String {
        let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
        name.chars().map(letter).collect()
    };
    let constant = upper_case(&names[index]);
    let is_unique = names.iter().filter(|name| upper_case(name) == constant).count() == 1;
    let is_identifier = is_unique && constant.starts_with(|c: char| c.is_ascii_alphabetic());
    let name = if is_identifier { constant } else { format!("N{index}_{constant}") };
    Ident::new(&name, Span::mixed_site())
}

#[derive(Default)]
struct UsedNames(Vec<String>);

impl UsedNames {
    /// Adds the names of elements that an algorithm's steps test for, or look up among the open elements.
    fn add_algorithm(&mut self, steps: &[RunStep]) {
        for step in RunStep::all(steps) {
            if let RunStep::When { condition, .. } | RunStep::RepeatWhile(condition, _) = step {
                self.add_question(condition);
            } else if let RunStep::Let(_, Expression::LastOpen(names)) = step {
                self.add_elements(names);
            }
        }
    }

    fn add_question(&mut self, question: &Question) {
        if let Question::All(all) | Question::Any(all) = question {
            all.iter().for_each(|one| self.add_question(one));
        } else if let Question::Not(question) = question {
            self.add_question(question);
        } else if let Question::IsElement(_, names) = question {
            self.add_elements(names);
        }
    }

    fn add_elements(&mut self, names: &[ElementName]) {
        self.0.extend(names.iter().map(|name| name.local.clone()));
    }

    fn add_action(&mut self, action: &TreeAction) {
        let effects = action.effects();
        self.0.extend(effects.name.map(str::to_owned));
        effects.sets.into_iter().for_each(|set| self.add_elements(set));
    }

    fn add_condition(&mut self, condition: &TreeCondition) {
        let sets = condition.parts().into_iter().filter_map(TreeCondition::elements);
        sets.for_each(|set| self.add_elements(set));
    }
}
