//! Streaming matching of selectors, without a tree: elements are opened and closed one after the other. An element is
//! matched when it is opened, with the result that [`Selector::matches`] would give in the resulting tree.

mod compile;
mod levels;
mod test;

use crate::chain::Relation;
use crate::selector::Selector;
use compile::Compiler;
use levels::Levels;
use std::collections::BTreeMap;
use std::fmt;
use test::{Test, TestPosition};

pub use compile::LooksAhead;

/// An element being opened.
pub trait Opened {
    /// Returns the name, in lowercase if names are compared case-insensitively.
    fn name(&self) -> &str;

    /// Whether the element is in the namespace of this name; the empty string means none.
    fn is_in(&self, namespace: &str) -> bool;

    /// Returns the value of the attribute called `name`, or `None` if the element has no such attribute. `name` is in
    /// lowercase if names are compared case-insensitively.
    fn attribute(&self, name: &str) -> Option<&str>;
}

/// A compound of a selector, and its relation to the step of the previous compound.
#[derive(Clone, Debug)]
struct Step {
    tests: Vec<Test>,
    previous: Option<(Relation, usize)>,
}

/// A matcher for lists of selectors, fed with elements as they are opened and closed.
///
/// ```
/// use tabulex::select::descent::{Descent, Opened};
///
/// struct Named(&'static str);
/// impl Opened for Named {
///     fn name(&self) -> &str { self.0 }
///     fn is_in(&self, _: &str) -> bool { true }
///     fn attribute(&self, _: &str) -> Option<&str> { None }
/// }
///
/// let mut descent = Descent::new(true);
/// let items = descent.add(&"ul > li + li".parse()?)?;
/// assert!(descent.open(&Named("ul"), true).is_empty());
/// assert!(descent.open(&Named("li"), true).is_empty());
/// descent.close();
/// assert_eq!(descent.open(&Named("li"), true), [items]);
/// assert!(descent.add(&"li:last-child".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Descent {
    steps: Vec<Step>,
    /// The last step of each selector, with the index of the list that contains the selector.
    list_ends: Vec<(usize, usize)>,
    list_count: usize,
    lowercases_names: bool,
    /// For each name, the steps to try at an element with that name, in order, including steps without a name.
    by_name: BTreeMap<Box<str>, Vec<usize>>,
    /// A Bloom filter of the names in `by_name`.
    name_filter: u64,
    /// The steps to try at elements whose names are not in `by_name`.
    nameless_steps: Vec<usize>,
    /// Whether an element whose name is not in `by_name` has steps to try or a level.
    tests_all_names: bool,
    levels: Levels,
    /// The steps that the last element matched, as a bit set.
    matched_steps: Vec<u64>,
    matched_lists: Vec<usize>,
}

impl Descent {
    /// Creates a matcher without selectors. `lowercases_names` is whether names are compared in lowercase rather than
    /// as written.
    pub fn new(lowercases_names: bool) -> Self {
        Self { lowercases_names, ..Self::default() }
    }

    /// Adds a list of selectors and returns its index, counted from 0. All lists must be added before the first element
    /// is opened.
    ///
    /// # Errors
    ///
    /// If the selector depends on what follows the start of an element, or on what a stream cannot know.
    pub fn add(&mut self, selector: &Selector) -> Result<usize, LooksAhead> {
        let first = self.steps.len();
        let mut compiler =
            Compiler { steps: &mut self.steps, lowercases_names: self.lowercases_names };
        let list_ends = selector.components().map(|selector| compiler.compile_selector(selector));
        let list_ends = list_ends.collect::<Result<Vec<usize>, _>>()?;
        let list = self.list_count;
        self.list_count += 1;
        self.list_ends.extend(list_ends.into_iter().map(|end| (end, list)));
        self.index_steps(first);
        Ok(list)
    }

    /// Adds the steps from index `first` on to those to try for each name.
    fn index_steps(&mut self, first: usize) {
        let new_steps = &self.steps[first..];
        for (index, step) in (first..).zip(new_steps) {
            if let Some(name) = step.name() {
                let candidates = self.by_name.entry(name.into());
                candidates.or_insert_with(|| self.nameless_steps.clone()).push(index);
                self.name_filter |= filter_bit(name);
            } else {
                self.by_name.values_mut().for_each(|candidates| candidates.push(index));
                self.nameless_steps.push(index);
            }
        }
        let position_kinds =
            || new_steps.iter().flat_map(|step| &step.tests).filter_map(Test::position_kind);
        let needs_types =
            self.levels.needs_types || position_kinds().any(|kind| kind == TestPosition::OfType);
        let needs_levels = self.levels.is_enabled
            || position_kinds().next().is_some()
            || new_steps.iter().any(|step| step.previous.is_some());
        self.tests_all_names = needs_levels || !self.nameless_steps.is_empty();
        self.matched_steps = vec![0; self.steps.len().div_ceil(64)];
        self.levels = Levels::new(needs_levels, needs_types, self.matched_steps.len());
    }

    /// Opens an element and returns the indices of the selector lists that match it, in order. If `can_contain`, the
    /// element can contain others and stays open.
    #[inline]
    pub fn open(&mut self, element: &impl Opened, can_contain: bool) -> &[usize] {
        self.matched_lists.clear();
        if self.tests_all_names || self.name_filter & filter_bit(element.name()) != 0 {
            self.test_steps(element, can_contain);
        }
        &self.matched_lists
    }

    /// Opens an element that may match a step, or has a level. Kept out of line, as few selectors apply to most names.
    #[inline(never)]
    fn test_steps(&mut self, element: &impl Opened, can_contain: bool) {
        let name = element.name();
        let candidates = self.by_name.get(name).unwrap_or(&self.nameless_steps);
        self.matched_steps.fill(0);
        self.levels.count(name);
        for &index in candidates {
            let step = &self.steps[index];
            let follows_previous = step
                .previous
                .is_none_or(|(relation, previous)| self.levels.has_matched(relation, previous));
            if follows_previous
                && step
                    .tests
                    .iter()
                    .all(|test| test.passes(element, &self.matched_steps, &self.levels))
            {
                self.matched_steps[index / 64] |= 1 << (index % 64);
            }
        }
        self.levels.enter(&self.matched_steps, can_contain);
        if self.matched_steps.iter().any(|word| *word != 0) {
            for &(end, list) in &self.list_ends {
                if self.matched_steps[end / 64] >> (end % 64) & 1 == 1
                    && self.matched_lists.last() != Some(&list)
                {
                    self.matched_lists.push(list);
                }
            }
        }
    }

    /// Returns the indices of the selector lists that the last opened element matched, as [`open`](Self::open) did.
    #[inline]
    pub fn matched(&self) -> &[usize] {
        &self.matched_lists
    }

    /// Closes the innermost open element.
    #[inline]
    pub fn close(&mut self) {
        self.levels.leave();
    }

    /// Returns the approximate memory used for the open elements, in bytes.
    pub fn memory_usage(&self) -> usize {
        self.levels.memory_usage()
    }
}

/// Returns the Bloom filter bit of a name.
#[inline]
fn filter_bit(name: &str) -> u64 {
    let first_byte = name.as_bytes().first().map_or(0, |byte| u32::from(*byte));
    1 << (first_byte.wrapping_add(name.len() as u32 * 11) % 64)
}

impl Step {
    fn name(&self) -> Option<&str> {
        self.tests.iter().find_map(|test| match test {
            Test::Name(name) => Some(&**name),
            _ => None,
        })
    }
}

impl fmt::Display for LooksAhead {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { selector, part } = self;
        write!(formatter, "`{selector}` depends on {part}, which cannot be matched in a stream")
    }
}

impl std::error::Error for LooksAhead {}
