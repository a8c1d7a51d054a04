//! Matches words with the forms of the vocabulary, resolves the values of their slots, and builds the result. Words
//! that match no form are reported with forms that begin similarly, and an invalid word in a slot at its own span.

use super::Resolver;
use crate::diagnostic::{Check, Diagnostic, MANUAL};
use crate::model::tree::{TreeAction, TreeCondition};
use crate::model::{Action, Condition};
use crate::nearest::{nearest, similar_forms};
use crate::syntax::{Argument, Spanned, Words};
use crate::vocabulary::{Family, Form, FormPart, HasForms, Product, SYNONYMS, Slot, Values, find};

/// A match of words with a form.
#[derive(Default)]
struct FormMatch<'w> {
    /// The slots, each with its arguments.
    slots: Vec<(Slot, &'w [Spanned<Argument>])>,
    /// Number of words that the form or a closed list contains. The form with the greatest number is chosen.
    known: usize,
    /// A word that should be replaced: index of the argument, and the word of the form.
    wrong: Option<(usize, &'static str)>,
}

/// The number and kind of the arguments that fill a slot.
pub(super) struct SlotMatch {
    /// Number of the arguments; at least one.
    pub(super) count: usize,
    /// Whether only words of a closed list or declared names fit the slot.
    pub(super) is_known: bool,
}

impl Resolver {
    /// Resolves words by the best matching form; empty if a slot contains an error, which is reported. `None` if they
    /// match no form.
    pub(super) fn build<M: HasForms>(&mut self, words: &Words) -> Option<Vec<M>> {
        // Among equal matches, `max_by_key` takes the last, which is the first in the order of the vocabulary.
        let fits =
            M::FORMS.iter().rev().filter_map(|form| Some((form, self.match_form(form, words)?)));
        let fits = fits.filter(|(_, fit)| fit.wrong.is_none());
        let (form, fit) = fits.max_by_key(|(_, fit)| fit.known)?;
        let (mut values, mut has_mistake) = (Vec::new(), false);
        for (slot, arguments) in fit.slots {
            match self.resolve_value(slot, arguments, values.last()) {
                Some(value) => values.push(value),
                None => has_mistake = true,
            }
        }
        if has_mistake {
            return Some(Vec::new());
        }
        let mut values = Values::new(values);
        match form.makes {
            Product::One(make) => Some(vec![make(&mut values)]),
            Product::Several(make) => Some(make(&mut values)),
            Product::Defined => None,
        }
    }

    /// Matches words with the form, tolerating one wrong word after the second. Forms for defined names match nothing.
    fn match_form<'w, M>(&self, form: &Form<M>, words: &'w Words) -> Option<FormMatch<'w>> {
        if matches!(form.makes, Product::Defined) {
            return None;
        }
        let (mut fit, mut rest) = (FormMatch::default(), &words.arguments[..]);
        for part in form.parts() {
            let index = words.arguments.len() - rest.len();
            let count = match (part, &rest.first()?.value) {
                (FormPart::Word(word), Argument::Name(name)) if word == name => {
                    fit.known += 1;
                    1
                }
                // A wrong word is tolerated only after two words that match.
                (FormPart::Word(word), Argument::Name(_)) if index > 1 && fit.wrong.is_none() => {
                    fit.wrong = Some((index, word));
                    1
                }
                (FormPart::Word(_), _) => return None,
                (FormPart::Slot(slot), _) => {
                    let SlotMatch { count, is_known } = self.match_slot(slot, rest)?;
                    fit.known += usize::from(is_known);
                    fit.slots.push((slot, &rest[..count]));
                    count
                }
            };
            rest = &rest[count..];
        }
        rest.is_empty().then_some(fit)
    }

    /// Reports words that match no form: with a correction of one word, else with the forms that begin with the same
    /// word, else with the nearest first word.
    pub(super) fn report_unknown<M: HasForms>(&mut self, words: &Words, check: &'static Check) {
        let first = match words.arguments.first().map(|argument| &argument.value) {
            Some(Argument::Name(name)) => name.clone(),
            _ => String::new(),
        };
        let kind = M::KIND;
        let message = format!("unknown {kind} that begins with `{first}`");
        let meant =
            self.correction(M::FORMS, words).or_else(|| self.missing_semicolon(M::FORMS, words));
        let help = meant.or_else(|| self.hyphenated(M::FORMS, words)).unwrap_or_else(|| {
            let mut similar: Vec<&str> = Vec::new();
            let mut candidates = self.defined_words(M::FAMILY);
            for form in M::FORMS {
                match form.first_word() {
                    Some(word) if word == first => similar.push(form.syntax),
                    Some(word) => candidates.push(word),
                    None => {}
                }
            }
            if !similar.is_empty() {
                return similar_forms(&words.to_string(), &similar);
            }
            let listed = || format!("the reference lists the {kind}s: {MANUAL}");
            let synonym =
                self.synonym(&first, &candidates, words).or_else(|| other_family_hint::<M>(&first));
            synonym.or_else(|| nearest(&first, &candidates)).unwrap_or_else(listed)
        });
        self.report(Diagnostic::new(check, words.span, message).help(help));
    }

    /// Returns a correction of one word after which the words match exactly one form.
    fn correction<M>(&self, forms: &[Form<M>], words: &Words) -> Option<String> {
        let begun_by_word = forms.iter().filter(|form| form.first_word().is_some());
        let mut wrong = begun_by_word.filter_map(|form| self.match_form(form, words)?.wrong);
        let (index, word) = wrong.next()?;
        // A correction that repeats a neighboring word is not meant.
        let repeats_word = |at: Option<usize>| {
            let argument =
                at.and_then(|at| words.arguments.get(at)).map(|argument| &argument.value);
            matches!(argument, Some(Argument::Name(name)) if name == word)
        };
        if wrong.next().is_some()
            || repeats_word(index.checked_sub(1))
            || repeats_word(Some(index + 1))
        {
            return None;
        }
        Some(format!("did you mean `{}`?", words_with(words, index, word)))
    }

    /// Returns a correction of a word of another tool, if a form begins with its equivalent here.
    fn synonym(&self, first: &str, candidates: &[&str], words: &Words) -> Option<String> {
        let begins =
            |ours: &&str| ours.split(' ').next().is_some_and(|it| candidates.contains(&it));
        let synonym = find(SYNONYMS, first).filter(begins)?;
        let shown = words_with(words, 0, synonym);
        Some(format!("did you mean `{shown}`? tables use `{synonym}` instead of `{first}`"))
    }

    /// Returns the defined names of this family.
    fn defined_words(&self, family: Family) -> Vec<&str> {
        match family {
            Family::Actions => self.actions.iter().map(|(name, ..)| &name[..]).collect(),
            Family::Conditions => self.conditions.iter().map(|(name, _)| &name[..]).collect(),
            Family::TreeConditions => {
                self.tree.conditions.iter().map(|(name, _)| &name[..]).collect()
            }
            Family::TreeActions | Family::DoctypeTests => Vec::new(),
        }
    }

    /// Returns a correction that separates the words by a semicolon, if both parts then match a form.
    fn missing_semicolon<M>(&self, forms: &[Form<M>], words: &Words) -> Option<String> {
        let fits = |arguments: &[Spanned<Argument>]| {
            let words = Words { arguments: arguments.to_vec(), ..words.clone() };
            let begun = forms.iter().filter(|form| form.first_word().is_some());
            begun
                .into_iter()
                .any(|form| self.match_form(form, &words).is_some_and(|fit| fit.wrong.is_none()))
        };
        let all = &words.arguments;
        let middle = (1..all.len()).find(|&middle| fits(&all[..middle]) && fits(&all[middle..]))?;
        let shown = |arguments: &[Spanned<Argument>]| {
            Words { arguments: arguments.to_vec(), ..words.clone() }.to_string()
        };
        Some(format!("did you mean `{}; {}`?", shown(&all[..middle]), shown(&all[middle..])))
    }

    /// Returns a correction that joins the words after the first into one declared name.
    fn hyphenated<M>(&self, forms: &[Form<M>], words: &Words) -> Option<String> {
        let name = |argument: &Spanned<Argument>| match &argument.value {
            Argument::Name(name) => Some(name.clone()),
            Argument::Character(_) | Argument::Text(_) | Argument::Number(_) => None,
        };
        let names: Vec<String> = words.arguments.iter().map(name).collect::<Option<_>>()?;
        let begins = |form: &Form<M>| form.first_word() == names.first().map(|name| &name[..]);
        if names.len() < 3 || !forms.iter().any(begins) {
            return None;
        }
        let joined = names.get(1..)?.join("-");
        let is_declared = self.states.contains_key(&joined)
            || self.errors.iter().any(|error| error.name == joined)
            || self.tree.modes.iter().any(|(mode, _)| *mode == joined);
        is_declared.then(|| format!("did you mean `{} {joined}`? names have hyphens", names[0]))
    }
}

/// Returns a hint if the word belongs to the vocabulary of states and one for modes is expected, or vice versa.
fn other_family_hint<M: HasForms>(word: &str) -> Option<String> {
    fn is_first_word<M: HasForms>(word: &str) -> bool {
        M::FORMS.iter().any(|form| form.first_word() == Some(word))
    }
    let (is_other, others) = match M::FAMILY {
        Family::Actions => (is_first_word::<TreeAction>(word), "modes"),
        Family::TreeActions => (is_first_word::<Action>(word), "states"),
        Family::Conditions => (is_first_word::<TreeCondition>(word), "modes"),
        Family::TreeConditions => (is_first_word::<Condition>(word), "states"),
        Family::DoctypeTests => (false, ""),
    };
    let kind = M::KIND;
    is_other.then(|| {
        format!("`{word}` is a word for {others}; the reference lists each {kind}: {MANUAL}")
    })
}

/// Returns the words as text, with the one at `index` replaced.
fn words_with(words: &Words, index: usize, word: &str) -> String {
    let mut words = words.clone();
    words.arguments[index].value = Argument::Name(word.to_owned());
    words.to_string()
}
