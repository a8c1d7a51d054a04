//! Compiles selectors to steps. A step precedes those that refer to it, so that its result is known when they are
//! tested.

use super::Step;
use super::test::{Test, TestPosition};
use crate::attribute::AttributeTest;
use crate::chain::Relation;
use crate::grammar::{Css, Word};
use crate::pseudo_class::PseudoClass;
use cssparser::ToCss;
use selectors::attr::NamespaceConstraint;
use selectors::parser::{Component, NthType, Selector};

/// An error returned when a selector depends on later input, or on information that a stream lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LooksAhead {
    /// The unsupported selector, as CSS.
    pub selector: String,
    /// The later input or missing information that the selector depends on, as a noun phrase for messages.
    pub part: &'static str,
}

/// Appends the steps of selectors to a list.
pub(super) struct Compiler<'a> {
    pub(super) steps: &'a mut Vec<Step>,
    pub(super) lowercases_names: bool,
}

impl Compiler<'_> {
    /// Compiles a selector and returns the index of its last step.
    pub(super) fn compile_selector(
        &mut self,
        selector: &Selector<Css>,
    ) -> Result<usize, LooksAhead> {
        let mut compounds = Vec::new();
        let mut components = selector.iter();
        loop {
            let tests =
                components.by_ref().map(|component| self.compile_simple(component, selector));
            let tests = tests.collect::<Result<Vec<_>, _>>()?;
            let tests: Vec<Test> = tests.into_iter().flatten().collect();
            let combinator = components.next_sequence();
            compounds.push((tests, combinator));
            if combinator.is_none() {
                break;
            }
        }
        // The selector lists its compounds from last to first, each with the combinator before it, so the order is
        // reversed.
        let mut previous = None;
        for (tests, combinator) in compounds.into_iter().rev() {
            let relation = combinator.map(|combinator| {
                Relation::of(combinator).ok_or_else(|| looks_ahead(selector, "parts of elements"))
            });
            self.steps.push(Step { tests, previous: relation.transpose()?.zip(previous) });
            previous = Some(self.steps.len() - 1);
        }
        Ok(self.steps.len() - 1)
    }

    /// Compiles a simple selector to a test; returns `None` if it matches all elements.
    fn compile_simple(
        &mut self,
        component: &Component<Css>,
        selector: &Selector<Css>,
    ) -> Result<Option<Test>, LooksAhead> {
        let to_boxed = |name: &Word| Box::from(name.as_str());
        let is_lower = self.lowercases_names;
        if let Some(AttributeTest { name, namespace, value }) = AttributeTest::of(component) {
            if let Some(NamespaceConstraint::Specific(url)) = namespace
                && !url.as_str().is_empty()
            {
                return Err(looks_ahead(selector, "namespaces of attributes"));
            }
            let name = to_boxed(if is_lower { &name.lower } else { &name.written });
            return Ok(Some(Test::Attribute(name, value)));
        }
        Ok(Some(match component {
            Component::LocalName(name) => {
                Test::Name(to_boxed(if is_lower { &name.lower_name } else { &name.name }))
            }
            Component::ID(id) => Test::Id(to_boxed(id)),
            Component::Class(class) => Test::Class(to_boxed(class)),
            Component::ExplicitUniversalType | Component::ExplicitAnyNamespace => return Ok(None),
            Component::ExplicitNoNamespace => Test::Namespace("".into()),
            Component::DefaultNamespace(url) | Component::Namespace(_, url) => {
                Test::Namespace(to_boxed(url))
            }
            Component::Root | Component::Scope | Component::ImplicitScope => {
                Test::Position(TestPosition::Root)
            }
            Component::Nth(nth) => {
                let (a, b) = (nth.an_plus_b.0, nth.an_plus_b.1);
                match nth.ty {
                    NthType::Child => Test::Nth(TestPosition::Child, a, b),
                    NthType::OfType => Test::Nth(TestPosition::OfType, a, b),
                    NthType::LastChild
                    | NthType::OnlyChild
                    | NthType::LastOfType
                    | NthType::OnlyOfType => {
                        return Err(looks_ahead(selector, "siblings after an element"));
                    }
                }
            }
            Component::Negation(list) => Test::NoneOf(self.compile_list(list.slice())?),
            Component::Is(list) | Component::Where(list) => {
                Test::AnyOf(self.compile_list(list.slice())?)
            }
            Component::Invalid(_) => Test::Never,
            Component::NonTSPseudoClass(PseudoClass::Link) => Test::Link,
            Component::NonTSPseudoClass(PseudoClass::Never(_)) => Test::Never,
            Component::NonTSPseudoClass(_) => {
                return Err(looks_ahead(selector, "a pseudo-class that needs the whole tree"));
            }
            Component::NthOf(_) => {
                return Err(looks_ahead(selector, "the siblings that match a selector"));
            }
            Component::Empty | Component::Has(_) => {
                return Err(looks_ahead(selector, "the contents of an element"));
            }
            _ => return Err(looks_ahead(selector, "a style sheet")),
        }))
    }

    fn compile_list(&mut self, list: &[Selector<Css>]) -> Result<Vec<usize>, LooksAhead> {
        list.iter().map(|selector| self.compile_selector(selector)).collect()
    }
}

fn looks_ahead(selector: &Selector<Css>, part: &'static str) -> LooksAhead {
    LooksAhead { selector: selector.to_css_string(), part }
}
