//! Selectors matched on the way down: elements are opened and closed one after the other, as in a stream, and there is no
//! tree. It knows no markup and tracks no names of open elements. Invariant: an element is matched when it is opened, and
//! as [`Selector::matches`] would match it in the tree of what was opened and closed.

mod compile;
mod levels;
mod test;

use crate::selector::Selector;
use compile::Compiler;
use levels::Levels;
use std::collections::HashMap;
use std::fmt;
use test::{Place, Test};

pub use compile::LooksAhead;

/// An element as it is opened.
pub trait Opened {
    /// Its name: where names are compared without regard to case, in lower case.
    fn name(&self) -> &str;

    /// Whether it is in the namespace of this name, which is empty for none.
    fn is_in(&self, namespace: &str) -> bool;

    /// The value of the attribute that is written so; its name is in lower case where names are compared so.
    fn attribute(&self, name: &str) -> Option<&str>;
}

/// A compound of a selector, and what is said of the element that the compound before it is about.
#[derive(Clone, Debug)]
struct Step {
    tests: Vec<Test>,
    after: Option<(Relation, usize)>,
}

/// Where the element of the compound before is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Parent,
    Ancestor,
    /// Directly before, as a sibling.
    Next,
    /// Before, as a sibling.
    Later,
}

/// Sets of selectors, and what of them has been matched by the elements that are open.
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
#[derive(Clone, Debug)]
pub struct Descent {
    steps: Vec<Step>,
    /// The steps that end a selector, and the number of their set.
    ends: Vec<(usize, usize)>,
    sets: usize,
    has_lower_names: bool,
    /// The steps to be tried for an element of a name, in order; those of the other names.
    by_name: HashMap<Box<str>, Vec<usize>>,
    /// What names begin with and how long they are, as bits.
    likely: u64,
    nameless: Vec<usize>,
    levels: Levels,
    /// The steps that the last element has matched.
    own: Vec<u64>,
    matched: Vec<usize>,
}

impl Descent {
    /// No selectors yet. Names are in lower case, or compared as they are written.
    pub fn new(has_lower_names: bool) -> Self {
        Self {
            steps: Vec::new(),
            ends: Vec::new(),
            sets: 0,
            has_lower_names,
            by_name: HashMap::new(),
            likely: 0,
            nameless: Vec::new(),
            levels: Levels::default(),
            own: Vec::new(),
            matched: Vec::new(),
        }
    }

    /// Adds a list of selectors, before the first element; returns its number, counted from 0.
    ///
    /// # Errors
    ///
    /// If it asks for what comes after the beginning of an element, or for what no stream knows.
    pub fn add(&mut self, selector: &Selector) -> Result<usize, LooksAhead> {
        let mut compiler =
            Compiler { steps: &mut self.steps, has_lower_names: self.has_lower_names };
        let ends = selector.components().map(|one| compiler.selector(one));
        let ends = ends.collect::<Result<Vec<usize>, _>>()?;
        let set = self.sets;
        self.sets += 1;
        self.ends.extend(ends.into_iter().map(|end| (end, set)));
        self.plan();
        Ok(set)
    }

    /// Finds out which steps are to be tried for which names.
    fn plan(&mut self) {
        let names = self.steps.iter().enumerate().map(|(number, step)| (number, step.name()));
        let all: Vec<(usize, Option<&str>)> = names.collect();
        let mut by_name = HashMap::new();
        for name in all.iter().filter_map(|(_, name)| *name) {
            let tried = all.iter().filter(|(_, other)| other.is_none_or(|other| other == name));
            by_name.insert(Box::from(name), tried.map(|(number, _)| *number).collect());
            self.likely |= likely_bit(name);
        }
        self.nameless = all.iter().filter(|(_, name)| name.is_none()).map(|(n, _)| *n).collect();
        self.by_name = by_name;
        self.own = vec![0; self.steps.len().div_ceil(64)];
        let places = || self.steps.iter().flat_map(|step| &step.tests).filter_map(Test::place);
        let needs_types = places().any(|place| place == Place::OfType);
        let is_needed =
            places().next().is_some() || self.steps.iter().any(|step| step.after.is_some());
        self.levels = Levels::new(is_needed, needs_types, self.own.len());
    }

    /// Opens an element: which sets it matches, by their numbers, in order. If it `holds` others, it stays open.
    #[inline]
    pub fn open(&mut self, element: &impl Opened, holds: bool) -> &[usize] {
        self.matched.clear();
        let name = element.name();
        let tried = match self.likely & likely_bit(name) {
            0 => &self.nameless,
            _ => self.by_name.get(name).unwrap_or(&self.nameless),
        };
        if tried.is_empty() && !self.levels.are_needed() {
            return &self.matched;
        }
        self.own.fill(0);
        self.levels.count(name);
        for &number in tried {
            let step = &self.steps[number];
            let is_there =
                step.after.is_none_or(|(relation, before)| self.levels.has(relation, before));
            if is_there
                && step.tests.iter().all(|test| test.holds(element, &self.own, &self.levels))
            {
                self.own[number / 64] |= 1 << (number % 64);
            }
        }
        self.levels.enter(&self.own, holds);
        if self.own.iter().any(|word| *word != 0) {
            for &(end, set) in &self.ends {
                if self.own[end / 64] >> (end % 64) & 1 == 1 && self.matched.last() != Some(&set) {
                    self.matched.push(set);
                }
            }
        }
        &self.matched
    }

    /// Which sets the element that was opened last has matched, as [`open`](Self::open) returned them.
    #[inline]
    pub fn matched(&self) -> &[usize] {
        &self.matched
    }

    /// Closes the innermost element that is open.
    #[inline]
    pub fn close(&mut self) {
        self.levels.leave();
    }

    /// How many bytes are held for the elements that are open.
    pub fn held(&self) -> usize {
        self.levels.held()
    }
}

/// A bit that few other names have.
#[inline]
fn likely_bit(name: &str) -> u64 {
    let first = name.as_bytes().first().map_or(0, |byte| u32::from(*byte));
    1 << (first.wrapping_add(name.len() as u32 * 11) % 64)
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
        write!(formatter, "a stream cannot be asked for {part}, as {selector} does")
    }
}

impl std::error::Error for LooksAhead {}
