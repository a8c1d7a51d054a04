//! A tree as text, by the steps of "HTML fragment serialization", "escaping a string" and what belongs to them. It builds no
//! tree. Invariant: what is written is what steps append, in their order.

use super::{Algorithms, Step, Word, ask, unknown};

/// A node as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// What is in it.
    pub children: Vec<Node>,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A document, or a fragment.
    Fragment,
    /// An element.
    Element(Box<Element>),
    /// A text.
    Text(String),
    /// A comment.
    Comment(String),
    /// A processing instruction: its target and its data.
    ProcessingInstruction(String, String),
    /// A document type, by its name.
    DocumentType(String),
}

/// An element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// The namespace in one word; none if there is none.
    pub namespace: Option<String>,
    /// The local name.
    pub local: String,
    /// The name with its prefix.
    pub qualified: String,
    /// The attributes in their order.
    pub attributes: Vec<Attribute>,
    /// The contents of a template, which are no children.
    pub contents: Option<Vec<Node>>,
    /// The shadow root.
    pub shadow: Option<Shadow>,
}

/// A shadow root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shadow {
    /// Whether scripts can reach it.
    pub is_open: bool,
    /// What of it is set, by the words of the steps.
    pub set: Vec<String>,
    /// What is in it.
    pub children: Vec<Node>,
}

/// An attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attribute {
    /// The namespace in one word; none if there is none.
    pub namespace: Option<String>,
    /// The local name.
    pub local: String,
    /// The name with its prefix.
    pub qualified: String,
    /// The value.
    pub value: String,
}

/// What is inside of a node as text.
///
/// # Errors
///
/// The step that is not known.
pub fn serialize(
    algorithms: &Algorithms,
    node: &Node,
    scripting: bool,
    serializable_shadow_roots: bool,
) -> Result<String, String> {
    let writer = Writer { algorithms, scripting, serializable_shadow_roots };
    writer.inside(Inside::Node(node))
}

struct Writer<'w> {
    algorithms: &'w Algorithms,
    scripting: bool,
    serializable_shadow_roots: bool,
}

/// What holds nodes.
#[derive(Clone, Copy)]
enum Inside<'n> {
    Node(&'n Node),
    /// Contents or shadow root.
    List(&'n [Node]),
}

/// What an algorithm is about.
#[derive(Clone)]
struct About<'n> {
    the_node: Inside<'n>,
    child: Option<&'n Node>,
    current: Option<&'n Node>,
    shadow: Option<&'n Shadow>,
    attribute: Option<&'n Attribute>,
    tagname: String,
    /// What is escaped, and whether as the value of an attribute.
    text: String,
    in_attribute: bool,
    out: String,
}

/// How steps go on.
enum Flow {
    On,
    NextChild,
    Return(String),
}

impl<'n> About<'n> {
    fn of(the_node: Inside<'n>) -> Self {
        // What is asked of the current node before there is one is asked of the node itself.
        let current = match the_node {
            Inside::Node(node) => Some(node),
            Inside::List(_) => None,
        };
        Self {
            the_node,
            child: None,
            current,
            shadow: None,
            attribute: None,
            tagname: String::new(),
            text: String::new(),
            in_attribute: false,
            out: String::new(),
        }
    }

    fn node(&self, name: &Word) -> Option<&'n Node> {
        match (name.is("the-node"), name.is("current-node")) {
            (true, _) => match self.the_node {
                Inside::Node(node) => Some(node),
                Inside::List(_) => None,
            },
            (_, true) => self.current,
            _ => None,
        }
    }

    fn element(&self, name: &Word) -> Option<&'n Element> {
        match &self.node(name)?.kind {
            Kind::Element(element) => Some(element),
            _ => None,
        }
    }
}

impl<'n> Writer<'_> {
    fn inside(&self, the_node: Inside<'n>) -> Result<String, String> {
        let mut about = About::of(the_node);
        match self.steps(self.algorithms.steps("serialize")?, &mut about)? {
            Flow::Return(text) => Ok(text),
            _ => Err("serialize returns nothing".to_owned()),
        }
    }

    fn steps(&self, steps: &[Step], about: &mut About<'n>) -> Result<Flow, String> {
        let mut has_held = false;
        for Step { words, inner } in steps {
            let Some(Word::Name(first)) = words.first() else { return Err(unknown(words)) };
            let flow = match (&first[..], &words[1..]) {
                ("when", condition) => {
                    has_held = self.holds(condition, about)?;
                    if has_held { self.steps(inner, about)? } else { Flow::On }
                }
                ("otherwise", rest) if !has_held => {
                    let condition = rest.get(1..).filter(|_| rest[0].is("when"));
                    has_held =
                        condition.map_or(Ok(true), |condition| self.holds(condition, about))?;
                    if has_held { self.steps(inner, about)? } else { Flow::On }
                }
                ("otherwise" | "given" | "returns" | "assert", _) => Flow::On,
                ("choose", _) => self.choose(inner, about)?,
                ("for-each", [what, ..]) => self.each(what, inner, about)?,
                ("continue", _) => Flow::NextChild,
                ("return", [word]) if word.is("s") => Flow::Return(std::mem::take(&mut about.out)),
                ("return", value) => Flow::Return(self.text(value, about)?),
                _ => {
                    self.act(first, &words[1..], about)?;
                    Flow::On
                }
            };
            if !matches!(flow, Flow::On) {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    /// The first entry whose condition holds.
    fn choose(&self, entries: &[Step], about: &mut About<'n>) -> Result<Flow, String> {
        for Step { words, inner } in entries {
            if self.holds(&words[1..], about)? {
                return self.steps(inner, about);
            }
        }
        Ok(Flow::On)
    }

    fn each(&self, what: &Word, inner: &[Step], about: &mut About<'n>) -> Result<Flow, String> {
        if what.is("attribute") {
            let element = about.element(&Word::Name("current-node".to_owned()));
            for attribute in element.map_or(&[][..], |element| &element.attributes) {
                about.attribute = Some(attribute);
                self.steps(inner, about)?;
            }
            return Ok(Flow::On);
        }
        let children: &'n [Node] = match about.the_node {
            Inside::Node(node) => &node.children,
            Inside::List(list) => list,
        };
        for child in children {
            about.child = Some(child);
            if let Flow::Return(text) = self.steps(inner, about)? {
                return Ok(Flow::Return(text));
            }
        }
        Ok(Flow::On)
    }

    fn act(&self, first: &str, rest: &[Word], about: &mut About<'n>) -> Result<(), String> {
        match (first, rest) {
            ("let", [name, value @ ..]) if name.is("tagname") => {
                about.tagname = self.text(value, about)?
            }
            ("let", [name, ..]) if name.is("s") => about.out.clear(),
            ("let", [name, ..]) if name.is("current-node") => about.current = about.child,
            ("let", [name, _, _, of]) if name.is("shadow") => {
                about.shadow = about.element(of).and_then(|element| element.shadow.as_ref());
            }
            ("let", [name, _, _, of]) if name.is("the-node") => {
                let contents = about.element(of).and_then(|element| element.contents.as_deref());
                about.the_node = Inside::List(contents.unwrap_or_default());
            }
            ("append", value) => {
                let text = self.text(value, about)?;
                about.out += &text;
            }
            ("replace", [one, by, other]) if by.is("by") => {
                let [one, other] =
                    [one, other].map(|word| self.text(std::slice::from_ref(word), about));
                about.text = about.text.replace(&one?, &other?);
            }
            // The set of elements, which a condition asks for.
            ("void", _) => {}
            _ => return Err(unknown(&[&[Word::Name(first.to_owned())], rest].concat())),
        }
        Ok(())
    }

    fn holds(&self, words: &[Word], about: &About<'n>) -> Result<bool, String> {
        for alternative in ask::alternatives(words) {
            let mut all = true;
            for part in &alternative {
                all = all && self.part(part, about)?;
            }
            if all {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn part(&self, words: &[Word], about: &About<'n>) -> Result<bool, String> {
        let is = |at: usize, name: &str| words.get(at).is_some_and(|word| word.is(name));
        Ok(match words {
            [node, verb] if verb.is("serializes-as-void") => self.is_void(about.element(node))?,
            [node, _, html, Word::Text(name)] if html.is("html") => {
                is_html(about.element(node), name)
            }
            [node, _, kind] if kind.is("shadow-host") => {
                about.element(node).is_some_and(|element| element.shadow.is_some())
            }
            [mode, _, wanted] if mode.is("mode") && wanted.is("attribute") => about.in_attribute,
            [flag, _, _] if flag.is("serializable-shadow-roots") => self.serializable_shadow_roots,
            [roots, contains, _] if roots.is("shadow-roots") && contains.is("contains") => false,
            [scripting, _, _] if scripting.is("scripting") => self.scripting,
            [node, _, Word::Name(kind)] => {
                about.node(node).is_some_and(|node| is_kind(&node.kind, kind))
            }
            [_, of, node, _, html, Word::Text(name)]
                if is(0, "parent") && of.is("of") && html.is("html") =>
            {
                // Contents of a template and of a shadow root are in no element.
                let _ = node;
                is_html(about.element(&Word::Name("the-node".to_owned())), name)
            }
            [name, of, subject, verb, wanted @ ..] if of.is("of") && verb.is("is") => {
                let is_not = wanted.first().is_some_and(|word| word.is("not"));
                self.field(name, subject, &wanted[usize::from(is_not)..], about)? != is_not
            }
            _ => return Err(unknown(words)),
        })
    }

    /// Whether a field of what steps are about is this.
    fn field(
        &self,
        name: &Word,
        subject: &Word,
        wanted: &[Word],
        about: &About<'n>,
    ) -> Result<bool, String> {
        let Word::Name(field) = name else { return Err(unknown(wanted)) };
        let (namespace, local) = match (about.attribute, about.element(subject)) {
            (Some(attribute), _) if subject.is("attribute") => {
                (&attribute.namespace, &attribute.local)
            }
            (_, Some(element)) => (&element.namespace, &element.local),
            _ => (&None, &String::new()),
        };
        Ok(match (&field[..], wanted) {
            ("namespace", [word]) if word.is("none") => namespace.is_none(),
            ("namespace", [Word::Name(wanted)]) => namespace.as_ref() == Some(wanted),
            ("local-name", [Word::Text(wanted)]) => local == wanted,
            ("mode", [Word::Text(wanted)]) => {
                about.shadow.is_some_and(|shadow| shadow.is_open == (wanted == "open"))
            }
            (field, [_]) if subject.is("shadow") => {
                about.shadow.is_some_and(|shadow| shadow.set.iter().any(|set| set == field))
            }
            _ => return Err(unknown(wanted)),
        })
    }

    /// Whether an element has no inside: by its name, or as one of those that are void.
    fn is_void(&self, element: Option<&Element>) -> Result<bool, String> {
        let steps = self.algorithms.steps("serializes-as-void")?;
        let names = steps.iter().flat_map(|step| &step.words).filter_map(|word| match word {
            Word::Text(name) => Some(name),
            _ => None,
        });
        let mut names = names;
        Ok(names.any(|name| is_html(element, name)))
    }

    fn text(&self, words: &[Word], about: &About<'n>) -> Result<String, String> {
        let field = |name: &str, subject: &Word| -> Option<String> {
            if let Some(attribute) = about.attribute.filter(|_| subject.is("attribute")) {
                return Some(match name {
                    "local-name" => attribute.local.clone(),
                    "qualified-name" => attribute.qualified.clone(),
                    "value" => attribute.value.clone(),
                    _ => return None,
                });
            }
            Some(match (name, &about.node(subject)?.kind) {
                ("local-name", Kind::Element(element)) => element.local.clone(),
                ("qualified-name", Kind::Element(element)) => element.qualified.clone(),
                ("data", Kind::Text(data) | Kind::Comment(data)) => data.clone(),
                ("data", Kind::ProcessingInstruction(_, data)) => data.clone(),
                ("target", Kind::ProcessingInstruction(target, _)) => target.clone(),
                ("name", Kind::DocumentType(name)) => name.clone(),
                _ => return None,
            })
        };
        Ok(match words {
            [Word::Text(text)] => text.clone(),
            [Word::Character(one)] => one.to_string(),
            [name] if name.is("tagname") => about.tagname.clone(),
            [Word::Text(begin), then, rest @ ..] if then.is("then") => {
                begin.clone() + &self.text(rest, about)?
            }
            [verb, what, ..] if verb.is("serialize") => {
                match about.shadow.filter(|_| what.is("shadow")) {
                    Some(shadow) => self.inside(Inside::List(&shadow.children))?,
                    None => {
                        self.inside(Inside::Node(about.node(what).ok_or_else(|| unknown(words))?))?
                    }
                }
            }
            [verb, _] if verb.is("serialized-name") => self.of("serialized-name", about.clone())?,
            [verb, rest @ ..] if verb.is("escape") => {
                let in_attribute = rest.last().is_some_and(|word| word.is("attribute-mode"));
                let value = if in_attribute { &rest[..rest.len() - 2] } else { rest };
                let text = self.text(value, about)?;
                let mut about = About { text, in_attribute, ..about.clone() };
                self.steps(self.algorithms.steps("escape")?, &mut about)?;
                about.text
            }
            [Word::Name(name), of, subject] if of.is("of") => {
                field(name, subject).ok_or_else(|| unknown(words))?
            }
            _ => return Err(unknown(words)),
        })
    }

    /// What another algorithm returns.
    fn of(&self, name: &str, mut about: About<'n>) -> Result<String, String> {
        let steps = self.algorithms.steps(name)?;
        for Step { words, inner } in steps {
            let condition =
                words.iter().position(|word| word.is("when")).map(|at| &words[at + 1..]);
            if condition.map_or(Ok(true), |condition| self.holds(condition, &about))?
                && let Flow::Return(text) = self.steps(inner, &mut about)?
            {
                return Ok(text);
            }
        }
        Err(format!("{name} returns nothing"))
    }
}

fn is_html(element: Option<&Element>, name: &str) -> bool {
    element.is_some_and(|element| {
        element.namespace.as_deref() == Some("html") && element.local == name
    })
}

fn is_kind(kind: &Kind, name: &str) -> bool {
    let of = match kind {
        Kind::Fragment => "fragment",
        Kind::Element(_) => "element",
        Kind::Text(_) => "text",
        Kind::Comment(_) => "comment",
        Kind::ProcessingInstruction(..) => "processing-instruction",
        Kind::DocumentType(_) => "document-type",
    };
    name == of
}
