//! Attribute selectors, shared by matching in trees and in streams.

use crate::grammar::{Css, Value, Word};
use selectors::attr::{
    AttrSelectorOperator, CaseSensitivity, NamespaceConstraint, ParsedAttrSelectorOperation,
    ParsedCaseSensitivity,
};
use selectors::parser::Component;
use std::fmt;

/// A name as written and in lowercase; the latter is compared with names of HTML elements and their attributes.
#[derive(Clone)]
pub(crate) struct NameForms {
    pub(crate) written: Word,
    pub(crate) lower: Word,
}

impl NameForms {
    pub(crate) fn new(written: &Word, lower: &Word) -> Self {
        Self { written: written.clone(), lower: lower.clone() }
    }
}

/// An attribute selector.
#[derive(Clone)]
pub(crate) struct AttributeTest {
    pub(crate) name: NameForms,
    /// The namespaces allowed for the name; `None` if the selector has no namespace prefix.
    pub(crate) namespace: Option<NamespaceConstraint<Word>>,
    pub(crate) value: Option<RequiredValue>,
}

impl AttributeTest {
    /// Compiles a simple selector; returns `None` if it is not an attribute selector.
    pub(crate) fn of(component: &Component<Css>) -> Option<Self> {
        let (name, namespace, value) = match component {
            Component::AttributeInNoNamespaceExists { local_name, local_name_lower } => {
                (NameForms::new(local_name, local_name_lower), None, None)
            }
            Component::AttributeInNoNamespace { local_name, operator, value, case_sensitivity } => {
                // The selector parser uses this variant only for lowercase names.
                let name = NameForms::new(local_name, local_name);
                (name, None, Some((operator, value, case_sensitivity)))
            }
            Component::AttributeOther(attribute) => {
                let name = NameForms::new(&attribute.local_name, &attribute.local_name_lower);
                let namespace = attribute.namespace.as_ref().map(|namespace| match namespace {
                    NamespaceConstraint::Any => NamespaceConstraint::Any,
                    NamespaceConstraint::Specific((_, name)) => {
                        NamespaceConstraint::Specific(name.clone())
                    }
                });
                let value = match &attribute.operation {
                    ParsedAttrSelectorOperation::Exists => None,
                    ParsedAttrSelectorOperation::WithValue {
                        operator,
                        case_sensitivity,
                        value,
                    } => Some((operator, value, case_sensitivity)),
                };
                (name, namespace, value)
            }
            _ => return None,
        };
        let value = value.map(|(operator, value, case)| RequiredValue {
            operator: *operator,
            value: value.clone(),
            case: *case,
        });
        Some(Self { name, namespace, value })
    }
}

/// The value that an attribute selector requires.
#[derive(Clone)]
pub(crate) struct RequiredValue {
    operator: AttrSelectorOperator,
    value: Value,
    case: ParsedCaseSensitivity,
}

impl RequiredValue {
    /// Whether an attribute value matches; `is_html` tells whether the element is an HTML element.
    pub(crate) fn accepts(&self, value: &str, is_html: impl FnOnce() -> bool) -> bool {
        let ignores_case = match self.case {
            ParsedCaseSensitivity::AsciiCaseInsensitive => true,
            ParsedCaseSensitivity::AsciiCaseInsensitiveIfInHtmlElementInHtmlDocument => is_html(),
            ParsedCaseSensitivity::CaseSensitive | ParsedCaseSensitivity::ExplicitCaseSensitive => {
                false
            }
        };
        let case = match ignores_case {
            true => CaseSensitivity::AsciiCaseInsensitive,
            false => CaseSensitivity::CaseSensitive,
        };
        self.operator.eval_str(value, self.value.as_ref(), case)
    }
}

impl fmt::Debug for RequiredValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("RequiredValue").field(&self.value).finish()
    }
}
