//! Selectors as steps. It matches nothing. Invariant: a step that another one asks of the same element has the lower
//! number.

use super::test::{Place, Test, Value};
use super::{Relation, Step};
use crate::grammar::Css;
use crate::pseudo_class::{PseudoClass, State};
use cssparser::ToCss;
use selectors::attr::{NamespaceConstraint, ParsedAttrSelectorOperation};
use selectors::parser::{Combinator, Component, NthType, Selector};

/// A selector asks for what a stream has not read yet, or does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LooksAhead {
    /// The selector.
    pub selector: String,
    /// What it asks for, in words.
    pub part: &'static str,
}

/// Makes steps.
pub(super) struct Compiler<'a> {
    pub(super) steps: &'a mut Vec<Step>,
    pub(super) has_lower_names: bool,
}

impl Compiler<'_> {
    /// The steps of a selector; the number of the last one.
    pub(super) fn selector(&mut self, selector: &Selector<Css>) -> Result<usize, LooksAhead> {
        let mut compounds = Vec::new();
        let mut parts = selector.iter();
        loop {
            let tests = parts.by_ref().map(|part| self.test(part, selector));
            let tests = tests.collect::<Result<Vec<_>, _>>()?;
            let tests: Vec<Test> = tests.into_iter().flatten().collect();
            let combinator = parts.next_sequence();
            compounds.push((tests, combinator));
            if combinator.is_none() {
                break;
            }
        }
        // They come from the end on; each has the combinator that stands before it.
        let mut before = None;
        for (tests, combinator) in compounds.into_iter().rev() {
            let relation = match combinator {
                None => None,
                Some(Combinator::Child) => Some(Relation::Parent),
                Some(Combinator::Descendant) => Some(Relation::Ancestor),
                Some(Combinator::NextSibling) => Some(Relation::Next),
                Some(Combinator::LaterSibling) => Some(Relation::Later),
                Some(_) => return Err(looks_ahead(selector, "parts of elements")),
            };
            self.steps.push(Step { tests, after: relation.zip(before) });
            before = Some(self.steps.len() - 1);
        }
        before.ok_or_else(|| looks_ahead(selector, "nothing"))
    }

    /// The test of a part; none if all elements pass it.
    fn test(
        &mut self,
        part: &Component<Css>,
        of: &Selector<Css>,
    ) -> Result<Option<Test>, LooksAhead> {
        let written = |name: &crate::grammar::Word| Box::from(name.as_str());
        let is_lower = self.has_lower_names;
        Ok(Some(match part {
            Component::LocalName(name) => {
                Test::Name(written(if is_lower { &name.lower_name } else { &name.name }))
            }
            Component::ID(id) => Test::Id(written(id)),
            Component::Class(class) => Test::Class(written(class)),
            Component::AttributeInNoNamespaceExists { local_name, local_name_lower } => {
                let name = written(if is_lower { local_name_lower } else { local_name });
                Test::Attribute(name, None)
            }
            Component::AttributeInNoNamespace { local_name, operator, value, case_sensitivity } => {
                let value = Value::new(*operator, value.as_ref(), *case_sensitivity);
                Test::Attribute(written(local_name), Some(value))
            }
            Component::AttributeOther(other) => {
                if let Some(NamespaceConstraint::Specific((_, url))) = &other.namespace
                    && !url.as_str().is_empty()
                {
                    return Err(looks_ahead(of, "namespaces of attributes"));
                }
                let name = if is_lower { &other.local_name_lower } else { &other.local_name };
                let value = match &other.operation {
                    ParsedAttrSelectorOperation::Exists => None,
                    ParsedAttrSelectorOperation::WithValue {
                        operator,
                        case_sensitivity,
                        value,
                    } => Some(Value::new(*operator, value.as_ref(), *case_sensitivity)),
                };
                Test::Attribute(written(name), value)
            }
            Component::ExplicitUniversalType | Component::ExplicitAnyNamespace => return Ok(None),
            Component::ExplicitNoNamespace => Test::Namespace("".into()),
            Component::DefaultNamespace(url) | Component::Namespace(_, url) => {
                Test::Namespace(written(url))
            }
            Component::Root | Component::Scope | Component::ImplicitScope => {
                Test::Place(Place::Root)
            }
            Component::Nth(nth) => {
                let (a, b) = (nth.an_plus_b.0, nth.an_plus_b.1);
                match nth.ty {
                    NthType::Child => Test::Nth(Place::Child, a, b),
                    NthType::OfType => Test::Nth(Place::OfType, a, b),
                    NthType::LastChild
                    | NthType::OnlyChild
                    | NthType::LastOfType
                    | NthType::OnlyOfType => {
                        return Err(looks_ahead(of, "siblings after an element"));
                    }
                }
            }
            Component::Negation(list) => Test::None(self.list(list.slice())?),
            Component::Is(list) | Component::Where(list) => Test::Any(self.list(list.slice())?),
            Component::Invalid(_) => Test::Never,
            Component::NonTSPseudoClass(PseudoClass::State(State::Link)) => Test::Link,
            Component::NonTSPseudoClass(PseudoClass::State(State::Never)) => Test::Never,
            Component::NonTSPseudoClass(_) => {
                return Err(looks_ahead(of, "the state of controls or a language"));
            }
            Component::NthOf(_) => return Err(looks_ahead(of, "numbers of siblings of a kind")),
            Component::Empty | Component::Has(_) => {
                return Err(looks_ahead(of, "what is inside of an element"));
            }
            _ => return Err(looks_ahead(of, "something that only style sheets have")),
        }))
    }

    fn list(&mut self, list: &[Selector<Css>]) -> Result<Vec<usize>, LooksAhead> {
        list.iter().map(|one| self.selector(one)).collect()
    }
}

fn looks_ahead(selector: &Selector<Css>, part: &'static str) -> LooksAhead {
    LooksAhead { selector: selector.to_css_string(), part }
}
