//! Matches words with the forms of the vocabulary, resolves the values of their slots, and builds the result. Words
//! that match no form are reported with forms that begin similarly, and an invalid word in a slot at its own span.

use super::Resolver;
use crate::diagnostic::{Check, Diagnostic, MANUAL};
use crate::model::tree::{DoctypeQuestion, TreeAction, TreeCondition};
use crate::model::{Action, Condition};
use crate::nearest::{nearest, similar_forms};
use crate::syntax::{Argument, Item, Spanned, Table, Words};
use crate::vocabulary::{
    FIELDS, Family, Form, FormPart, HasForms, Product, SYNONYMS, Slot, TEXTS, TOKENS, Values,
    equivalent, find, first_word, form_parts,
};
use std::collections::BTreeSet;
use std::ops::Range;

/// A match of an action's or condition's words with a form.
#[derive(Default)]
struct FormMatch<'w> {
    /// The slots, each with its arguments.
    slots: Vec<(Slot, &'w [Spanned<Argument>])>,
    /// Number of arguments that are fixed words of the form or fill a slot that takes only known words or numbers. The
    /// form with the greatest number is chosen.
    known_words: usize,
    /// The one word that differs from the form, if any: its index among the arguments, and the form's word.
    wrong: Option<(usize, &'static str)>,
}

/// A form, and its slots with their arguments.
pub type MatchedForm<'w, M> = (&'static Form<M>, Vec<(Slot, &'w [Spanned<Argument>])>);

/// A matcher of words with forms, for tools on tables that may be incomplete.
pub struct FormMatcher(Resolver);

impl FormMatcher {
    /// Creates a matcher that knows the names that these items declare.
    pub fn new(items: Vec<Item>) -> Self {
        let mut resolver = Resolver::default();
        resolver.declare(&Table { items }, &|_| None);
        Self(resolver)
    }

    /// Returns the form that the words match best, if any. Every name among the words may be one that the row gives to
    /// data.
    pub fn best_match<'w, M: HasForms>(&mut self, words: &'w Words) -> Option<MatchedForm<'w, M>> {
        self.0.bindings = words.names().map(str::to_owned).collect();
        self.0.best_match(words)
    }
}

impl Resolver {
    /// Returns the form that the words match best, if any.
    fn best_match<'w, M: HasForms>(&self, words: &'w Words) -> Option<MatchedForm<'w, M>> {
        // Among equal matches, `max_by_key` takes the last, which is the first in the order of the vocabulary.
        let forms = M::FORMS.iter().rev().filter(|form| !matches!(form.makes, Product::Defined));
        let matches = forms.filter_map(|form| Some((form, self.match_form(form.syntax, words)?)));
        let matches = matches.filter(|(_, fit)| fit.wrong.is_none());
        let (form, fit) = matches.max_by_key(|(_, fit)| fit.known_words)?;
        Some((form, fit.slots))
    }

    /// Returns the actions or conditions that the best matching form builds, or `None` if the words match no form. The
    /// list is empty if a slot contains an error, which is reported.
    pub(super) fn build<M: HasForms>(&mut self, words: &Words) -> Option<Vec<M>> {
        let (form, slots) = self.best_match::<M>(words)?;
        let (mut values, mut has_mistake) = (Vec::new(), false);
        for (slot, arguments) in slots {
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

    /// Matches words with the form of this syntax, tolerating one wrong word after the second. Returns `None` if they
    /// do not match.
    fn match_form<'w>(&self, form: &'static str, words: &'w Words) -> Option<FormMatch<'w>> {
        let (mut fit, mut rest) = (FormMatch::default(), &words.arguments[..]);
        for part in form_parts(form) {
            let index = words.arguments.len() - rest.len();
            let count = match (part, &rest.first()?.value) {
                (FormPart::Word(word), Argument::Name(name)) if word == name => {
                    fit.known_words += 1;
                    1
                }
                // A wrong word is tolerated only after two other words, because otherwise unrelated forms would be
                // suggested.
                (FormPart::Word(word), Argument::Name(_)) if index > 1 && fit.wrong.is_none() => {
                    fit.wrong = Some((index, word));
                    1
                }
                (FormPart::Word(_), _) => return None,
                (FormPart::Slot(slot), _) => {
                    let count = self.match_slot(slot, rest)?;
                    let is_known = matches!(slot, Slot::Base | Slot::Register | Slot::Data);
                    fit.known_words += usize::from(is_known);
                    fit.slots.push((slot, &rest[..count]));
                    count
                }
            };
            rest = &rest[count..];
        }
        rest.is_empty().then_some(fit)
    }

    /// Reports words that match no form: with a correction of the words, else with the forms that begin with the same
    /// word, else with the nearest first word.
    pub(super) fn report_unknown(&mut self, family: Family, words: &Words, check: &'static Check) {
        let (kind, forms) = forms_of(family);
        let first_name = words.arguments.first().and_then(|argument| argument.value.name());
        let name = first_name.unwrap_or_default();
        let message = match first_name {
            Some(_) if forms.iter().any(|form| first_word(form) == first_name) => {
                format!("unknown form of the {kind} `{name}`")
            }
            Some(_) => format!("unknown {kind} `{name}`"),
            None => format!("this is not {} {kind}", article(kind)),
        };
        let correction = self
            .correction(&forms, words)
            .or_else(|| self.missing_semicolon(&forms, words))
            .or_else(|| self.missing_arrow(&forms, words))
            .or_else(|| self.hyphenated(&forms, words));
        let help = correction.unwrap_or_else(|| {
            let mut similar: Vec<&str> = Vec::new();
            let mut first_words = self.defined_words(family);
            for form in &forms {
                match first_word(form) {
                    Some(word) if word == name => similar.push(form),
                    Some(word) => first_words.push(word),
                    None => {}
                }
            }
            if !similar.is_empty() {
                return similar_forms(&words.to_string(), &similar);
            }
            let reference_help = || format!("the reference lists the {kind}s: {MANUAL}");
            let synonym =
                self.synonym(name, &first_words, words).or_else(|| other_family_hint(family, name));
            let correct_first_word = || self.correct_first_word(&forms, words);
            synonym
                .or_else(|| nearest(name, &first_words))
                .or_else(correct_first_word)
                .unwrap_or_else(reference_help)
        });
        self.report(Diagnostic::new(check, words.span, message).help(help));
    }

    /// Returns a correction of one word, if only one form matches the words so corrected, and if the correction does
    /// not repeat a neighboring word.
    fn correction(&self, forms: &[&'static str], words: &Words) -> Option<String> {
        let word_forms = forms.iter().filter(|form| first_word(form).is_some());
        let mut corrections = word_forms.filter_map(|form| self.match_form(form, words)?.wrong);
        let (index, word) = corrections.next()?;
        // A correction that repeats a neighboring word is unlikely to be meant.
        let repeats_word = |at: Option<usize>| {
            let argument = at.and_then(|at| words.arguments.get(at));
            argument.is_some_and(|argument| argument.value.name() == Some(word))
        };
        if corrections.next().is_some()
            || repeats_word(index.checked_sub(1))
            || repeats_word(Some(index + 1))
        {
            return None;
        }
        Some(format!("did you mean `{}`?", words.with_word(index, word)))
    }

    /// Suggests the equivalent of a first word that other tools use, if there is one and a form begins with it.
    fn synonym(&self, first: &str, candidates: &[&str], words: &Words) -> Option<String> {
        let begins_form = |equivalent: &&str| {
            equivalent.split(' ').next().is_some_and(|it| candidates.contains(&it))
        };
        let synonym = equivalent(SYNONYMS, first).filter(begins_form)?;
        let corrected = words.with_word(0, synonym);
        Some(format!("did you mean `{corrected}`? tables use `{synonym}` instead of `{first}`"))
    }

    /// Returns the names of the actions or conditions of this family that the table defines.
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

    /// Whether the arguments match a form that begins with a word.
    fn fits(&self, forms: &[&'static str], words: &Words, arguments: &[Spanned<Argument>]) -> bool {
        let words = words.with_arguments(arguments);
        let mut word_forms = forms.iter().filter(|form| first_word(form).is_some());
        word_forms.any(|form| self.match_form(form, &words).is_some_and(|fit| fit.wrong.is_none()))
    }

    /// Returns a correction that puts an arrow after the first argument, if that is a pattern and the other arguments
    /// match a form.
    fn missing_arrow(&self, forms: &[&'static str], words: &Words) -> Option<String> {
        let (first, rest) = words.arguments.split_first()?;
        let is_pattern = match &first.value {
            Argument::Name(name) => {
                ["else", "EOF"].contains(&&name[..])
                    || self.machine.classes.iter().any(|class| class.name == *name)
            }
            Argument::Character(_) | Argument::Text(_) => true,
            Argument::Number(_) => false,
        };
        let pattern = words.with_arguments(std::slice::from_ref(first));
        (is_pattern && self.fits(forms, words, rest))
            .then(|| format!("if a row begins here, write `=>` after its pattern: `{pattern} =>`"))
    }

    /// Suggests another first word, if exactly one makes the words match a form.
    fn correct_first_word(&self, forms: &[&'static str], words: &Words) -> Option<String> {
        let with_first_word = |form: &&'static str| {
            let words = words.with_word(0, first_word(form)?);
            let fit = self.match_form(form, &words)?;
            // A form that has only slots after its first word would match almost any words, so a second known word is
            // required.
            (fit.wrong.is_none() && fit.known_words > 1).then(|| words.to_string())
        };
        let corrections: BTreeSet<String> = forms.iter().filter_map(with_first_word).collect();
        let corrected = corrections.first().filter(|_| corrections.len() == 1)?;
        Some(format!("did you mean `{corrected}`?"))
    }

    /// Returns a correction that puts a semicolon between two words, if the words before it and those after it each
    /// match a form.
    fn missing_semicolon(&self, forms: &[&'static str], words: &Words) -> Option<String> {
        let fits = |arguments: &[Spanned<Argument>]| self.fits(forms, words, arguments);
        let arguments = &words.arguments;
        let middle = (1..arguments.len())
            .find(|&middle| fits(&arguments[..middle]) && fits(&arguments[middle..]))?;
        let (before, after) = arguments.split_at(middle);
        let (before, after) = (words.with_arguments(before), words.with_arguments(after));
        Some(format!("did you mean `{before}; {after}`?"))
    }

    /// Returns a correction that joins several words after the first into one known name, with hyphens, if the words
    /// then match a form.
    fn hyphenated(&self, forms: &[&'static str], words: &Words) -> Option<String> {
        let count = words.arguments.len();
        let ranges = (1..count).flat_map(|at| (at + 2..=count).map(move |end| at..end));
        let with_joined_name = |range: Range<usize>| {
            let names = words.arguments[range.clone()].iter().map(|argument| argument.value.name());
            let names: Vec<&str> = names.collect::<Option<_>>()?;
            let joined = Some(names.join("-")).filter(|name| self.is_known_name(name))?;
            let mut words = words.with_word(range.start, &joined);
            words.arguments.drain(range.start + 1..range.end);
            self.fits(forms, &words, &words.arguments).then(|| words.to_string())
        };
        let corrected = ranges.filter_map(with_joined_name).next()?;
        Some(format!("did you mean `{corrected}`? names are written with hyphens"))
    }

    /// Whether a state, mode, error, token, field or text has the name.
    fn is_known_name(&self, name: &str) -> bool {
        ["state", "error", "mode"].iter().any(|kind| self.index_of(kind, name).is_some())
            || self.token_id(name).is_some()
            || self.declared_fields().iter().any(|(field, _)| field == name)
            || find(TOKENS, name).is_some()
            || find(FIELDS, name).is_some()
            || find(TEXTS, name).is_some()
    }
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// Returns the name of the vocabulary's members in messages, and the syntaxes of the forms that words can match.
fn forms_of(family: Family) -> (&'static str, Vec<&'static str>) {
    fn forms<M: HasForms>() -> (&'static str, Vec<&'static str>) {
        let forms = M::FORMS.iter().filter(|form| !matches!(form.makes, Product::Defined));
        (M::KIND, forms.map(|form| form.syntax).collect())
    }
    match family {
        Family::Actions => forms::<Action>(),
        Family::Conditions => forms::<Condition>(),
        Family::TreeActions => forms::<TreeAction>(),
        Family::TreeConditions => forms::<TreeCondition>(),
        Family::DoctypeTests => forms::<DoctypeQuestion>(),
    }
}

/// Returns a hint if the word belongs to the vocabulary of states where a word for modes is expected, or vice versa.
fn other_family_hint(family: Family, word: &str) -> Option<String> {
    let (other, others) = match family {
        Family::Actions => (Family::TreeActions, "modes"),
        Family::TreeActions => (Family::Actions, "states"),
        Family::Conditions => (Family::TreeConditions, "modes"),
        Family::TreeConditions => (Family::Conditions, "states"),
        Family::DoctypeTests => return None,
    };
    let (kind, forms) = forms_of(other);
    let is_other = forms.iter().any(|form| first_word(form) == Some(word));
    is_other.then(|| {
        format!("`{word}` is used only in {others}; the reference lists each {kind}: {MANUAL}")
    })
}
