//! The dialects that the program knows: the one place where it names them. Everything else is generic over the machine
//! or works on a [`Dialect`]. Invariant: the first dialect is the default one.

use crate::recorder::Recorder;
use tabulex::construct::{Construction, Elements};
use tabulex::encoding::{Clues, Hints};
use tabulex::tree::{HtmlSerializer, Tree};
use tabulex::{
    FragmentContext, Machine, Named, Options, Parsed, Parser, Tokenizer, find_flag_value,
    find_state,
};

/// A dialect: what it is called, and how to begin.
pub(crate) struct Dialect {
    /// The id, as `--dialect` takes it.
    pub(crate) id: &'static str,
    /// The document that its table is laid beside.
    pub(crate) document: &'static str,
    /// What tells the encoding of its bytes.
    pub(crate) clues: &'static Clues,
    /// Makes a tokenizer.
    pub(crate) start: fn(&Start) -> Result<Box<dyn Run>, String>,
    /// Makes a parser, if the dialect constructs trees.
    parser: Option<MakeParser>,
    /// What writes its trees as HTML, if they are trees of HTML.
    pub(crate) serializer: Option<HtmlSerializer<'static>>,
    /// The dump of its trees, as tests of its kin have it.
    pub(crate) dump: fn(&Tree) -> String,
}

/// Makes a parser that does what is asked for.
type MakeParser = fn(&Ask) -> Box<dyn Grow + Send>;

/// All dialects, the default one first.
pub(crate) const DIALECTS: &[Dialect] = &[
    Dialect::of::<tabulex::html::Html>()
        .with_trees::<tabulex::html::Html>()
        .written_by(tabulex::html::serializer()),
    Dialect::of::<tabulex::html_2013::Html2013>()
        .with_trees::<tabulex::html_2013::Html2013>()
        .written_by(tabulex::html_2013::serializer()),
    Dialect::of::<tabulex::html_2007::Html2007>()
        .with_trees::<tabulex::html_2007::Html2007>()
        .written_by(tabulex::html_2007::serializer()),
    Dialect::of::<tabulex::sky::Sky>().with_trees::<tabulex::sky::Sky>(),
    Dialect::of::<tabulex::microxml::Microxml>().with_trees::<tabulex::microxml::Microxml>(),
    Dialect::of::<tabulex::microxml_2012_12::Microxml201212>()
        .with_trees::<tabulex::microxml_2012_12::Microxml201212>(),
    Dialect::of::<tabulex::xml_er::XmlEr>().with_trees::<tabulex::xml_er::XmlEr>(),
];

/// Where and how a tokenizer begins.
#[derive(Debug, Default)]
pub(crate) struct Start {
    /// The state by the document's name or the table's, or the value of a flag such as "RCDATA"; unless the start state.
    pub(crate) state: Option<String>,
    /// The name of the last start tag, as for a fragment.
    pub(crate) last_start_tag: Option<String>,
}

/// What a parser is to do.
#[derive(Debug, Default)]
pub(crate) struct Ask {
    /// Whether errors are wanted.
    pub(crate) errors: bool,
    /// Whether scripting is enabled.
    pub(crate) scripting: bool,
    /// The context element of a fragment.
    pub(crate) fragment: Option<String>,
    /// Whether the document is that of an `iframe` with `srcdoc`.
    pub(crate) srcdoc: bool,
    /// Whether templates can be shadow roots.
    pub(crate) shadow_roots: bool,
    /// How deep elements may be nested, unless as deep as the library allows.
    pub(crate) depth_limit: Option<usize>,
    /// How many bytes the tree may take.
    pub(crate) memory_limit: Option<usize>,
    /// What is known of the encoding of bytes.
    pub(crate) hints: Hints,
}

impl Ask {
    /// Whether something is asked that only HTML knows.
    fn is_of_html(&self) -> bool {
        self.scripting || self.fragment.is_some() || self.srcdoc || self.shadow_roots
    }

    fn options(&self) -> Options {
        let mut options = Options::new()
            .errors(self.errors)
            .scripting(self.scripting)
            .iframe_srcdoc(self.srcdoc)
            .declarative_shadow_roots(self.shadow_roots)
            .encoding(self.hints.clone());
        if let Some(limit) = self.depth_limit {
            options = options.depth_limit(limit);
        }
        if let Some(limit) = self.memory_limit {
            options = options.memory_limit(limit);
        }
        options
    }
}

/// A tokenizer of any dialect.
pub(crate) trait Run {
    /// Tokenizes the next piece.
    fn feed(&mut self, piece: &str, recorder: &mut Recorder<'_>);
    /// Tokenizes what is left.
    fn finish(&mut self, recorder: &mut Recorder<'_>);
}

impl<M: Machine> Run for Tokenizer<M> {
    fn feed(&mut self, piece: &str, recorder: &mut Recorder<'_>) {
        // A recorder never asks for a pause.
        let _ = Tokenizer::feed(self, piece, recorder);
    }

    fn finish(&mut self, recorder: &mut Recorder<'_>) {
        let _ = Tokenizer::finish(self, recorder);
    }
}

/// A parser of any dialect.
pub(crate) trait Grow {
    /// Parses the next piece.
    fn feed(&mut self, piece: &str);
    /// Parses the next piece of bytes.
    fn feed_bytes(&mut self, piece: &[u8]);
    /// Parses what is left, and begins again.
    fn take(&mut self) -> Parsed;
    /// Parses the bytes of a whole input, and begins again.
    fn parse_bytes(&mut self, bytes: &[u8]) -> Parsed;
    /// Takes the room of a tree for the next one.
    fn recycle(&mut self, tree: Tree);
}

impl<M: Machine, C: Construction> Grow for Parser<M, C> {
    fn feed(&mut self, piece: &str) {
        Parser::feed(self, piece);
    }

    fn feed_bytes(&mut self, piece: &[u8]) {
        Parser::feed_bytes(self, piece);
    }

    fn take(&mut self) -> Parsed {
        Parser::take(self)
    }

    fn parse_bytes(&mut self, bytes: &[u8]) -> Parsed {
        Parser::parse_bytes(self, bytes)
    }

    fn recycle(&mut self, tree: Tree) {
        Parser::recycle(self, tree);
    }
}

impl Dialect {
    const fn of<M: Machine>() -> Self {
        let dump = |tree: &Tree| tree.root().to_dump();
        let (id, document, clues, serializer) = (M::NAME, M::DOCUMENT, M::CLUES, None);
        Self { id, document, clues, start: start::<M>, parser: None, serializer, dump }
    }

    /// The same dialect, whose table constructs trees.
    const fn with_trees<M: Machine + Construction>(self) -> Self
    where
        Parser<M, M>: Send,
    {
        let dump = match M::ELEMENTS {
            Elements::Xml => |tree: &Tree| tree.root().to_qualified_dump(),
            Elements::Plain | Elements::Html => self.dump,
        };
        Self { parser: Some(parser::<M>), dump, ..self }
    }

    /// The same dialect, whose trees are trees of HTML.
    const fn written_by(self, serializer: HtmlSerializer<'static>) -> Self {
        Self { serializer: Some(serializer), ..self }
    }

    /// A parser that does what is asked.
    pub(crate) fn parser(&self, ask: &Ask) -> Result<Box<dyn Grow + Send>, String> {
        let parser = self.parser.ok_or_else(|| self.no_tree())?;
        if self.serializer.is_none() && ask.is_of_html() {
            return Err(format!(
                "fragments, scripting, srcdoc and shadow roots belong to HTML, not to {}",
                self.id
            ));
        }
        Ok(parser(ask))
    }

    /// The dialect of this id, the default one without.
    pub(crate) fn find(id: Option<&str>) -> Result<&'static Self, String> {
        let Some(id) = id else {
            return Ok(&DIALECTS[0]);
        };
        DIALECTS.iter().find(|dialect| dialect.id == id).ok_or_else(|| {
            let ids = DIALECTS.iter().map(|dialect| dialect.id).collect::<Vec<_>>().join(", ");
            format!("unknown dialect {id:?}; there are: {ids}")
        })
    }

    /// The answer to whoever wants a tree.
    fn no_tree(&self) -> String {
        let with_trees = DIALECTS.iter().filter(|dialect| dialect.parser.is_some());
        let ids = with_trees.map(|dialect| dialect.id).collect::<Vec<_>>().join(", ");
        format!(
            "the dialect {} has no tree construction; `tokens` gives what its tokenizer makes; trees have: {ids}",
            self.id
        )
    }
}

fn parser<M: Machine + Construction>(ask: &Ask) -> Box<dyn Grow + Send>
where
    Parser<M, M>: Send,
{
    let options = ask.options();
    Box::new(match &ask.fragment {
        None => Parser::<M, M>::new(&options),
        Some(context) => Parser::new_fragment(&FragmentContext::from(&context[..]), &options),
    })
}

fn start<M: Machine>(start: &Start) -> Result<Box<dyn Run>, String> {
    let mut tokenizer = Tokenizer::<M>::new();
    if let Some(name) = &start.state {
        if let Some(state) = find_state(name) {
            tokenizer.set_state(state);
        } else if let Some((flag, value)) = find_flag_value::<M>(name) {
            tokenizer.set_flag(flag, value);
        } else {
            let values = M::HostFlag::ALL
                .iter()
                .filter(|&&flag| M::stored_flag(flag).is_some())
                .flat_map(|&flag| M::flag_values(flag).iter().copied());
            let names: Vec<_> =
                M::State::ALL.iter().map(|state| state.name()).chain(values).collect();
            let names = names.join(", ");
            return Err(format!("the dialect {} has no state {name:?}; it has: {names}", M::NAME));
        }
    }
    if let Some(name) = &start.last_start_tag {
        tokenizer.set_last_start_tag(name);
    }
    Ok(Box::new(tokenizer))
}
