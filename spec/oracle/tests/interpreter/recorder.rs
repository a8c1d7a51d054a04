//! A host that records the tokens, errors and rows of a run.

use std::fmt::Write as _;
use tabulex_language::model::{FlagId, Machine, RowId, StateId};
use tabulex_oracle::interpreter::{Control, DeclaredField, Error, Host, Span, Tag, Token};

/// A host that records the tokens, errors and rows of a run, and gives prepared answers.
pub(crate) struct Recorder<'m> {
    machine: &'m Machine,
    pub(crate) flags: Vec<u8>,
    /// Answers to start tags with these names.
    pub(crate) after: Vec<(String, Control)>,
    /// Tokens and errors, one per line.
    pub(crate) dump: String,
    /// Rows and transitions, separated by spaces.
    pub(crate) path: String,
    pub(crate) tokens: Vec<Token>,
    pub(crate) errors: Vec<(String, Span)>,
    pub(crate) rows: Vec<RowId>,
}

impl<'m> Recorder<'m> {
    pub(crate) fn new(machine: &'m Machine) -> Self {
        Self {
            machine,
            flags: vec![0; machine.flags.len()],
            after: Vec::new(),
            dump: String::new(),
            path: String::new(),
            tokens: Vec::new(),
            errors: Vec::new(),
            rows: Vec::new(),
        }
    }

    fn dump_token(&mut self, token: &Token) {
        let dump = &mut self.dump;
        let written = match token {
            Token::Text { text, span } => writeln!(dump, "  text {} {text:?}", shown(*span)),
            Token::Comment { data, span } => writeln!(dump, "  comment {} {data:?}", shown(*span)),
            Token::ShortEndTag { span } => writeln!(dump, "  short-end-tag {}", shown(*span)),
            Token::ProcessingInstruction { target, data, span } => {
                writeln!(dump, "  processing-instruction {} {target:?} {data:?}", shown(*span))
            }
            Token::Declared { name, fields, span, .. } => {
                let field = |field: &DeclaredField| {
                    format!(" {} {} {:?}", field.name, shown(field.span), field.text)
                };
                let fields: String = fields.iter().map(field).collect();
                writeln!(dump, "  {name} {}{fields}", shown(*span))
            }
            Token::EndOfFile { span } => writeln!(dump, "  end-of-file {}", shown(*span)),
            Token::StartTag(tag) => dump_tag(dump, "start-tag", tag),
            Token::EndTag(tag) => dump_tag(dump, "end-tag", tag),
            Token::Doctype(doctype) => writeln!(
                dump,
                "  doctype {} {:?} public {:?} system {:?}{}",
                shown(doctype.span),
                doctype.name,
                doctype.public_identifier,
                doctype.system_identifier,
                if doctype.force_quirks { " force-quirks" } else { "" },
            ),
        };
        written.expect("writing to a string succeeds");
    }
}

impl Host for Recorder<'_> {
    fn token(&mut self, token: Token) -> Control {
        self.dump_token(&token);
        let answer = match &token {
            Token::StartTag(tag) => self.after.iter().find(|(name, _)| *name == tag.name),
            _ => None,
        };
        self.tokens.push(token);
        answer.map_or(Control::Continue, |(_, control)| *control)
    }

    fn error(&mut self, error: Error) {
        let name = self.machine.errors[usize::from(error.error.0)].name.clone();
        let _ = writeln!(self.dump, "  error {} {name}", shown(error.span));
        self.errors.push((name, error.span));
    }

    fn flag(&mut self, flag: FlagId) -> u8 {
        let declared = &self.machine.flags[usize::from(flag.0)];
        let is_of_host = declared.is_queried_from_host();
        assert!(
            is_of_host,
            "the host was asked for the flag `{}`, which rows also set",
            declared.name
        );
        self.flags[usize::from(flag.0)]
    }

    fn before_row(&mut self, row: RowId) {
        let _ = write!(self.path, " {}/{}", self.machine.state(row.state).name, row.row);
        self.rows.push(row);
    }

    fn transition(&mut self, from: StateId, to: StateId) {
        assert_ne!(from, to);
        let _ = write!(self.path, " ->{}", self.machine.state(to).name);
    }
}

fn shown(span: Span) -> String {
    format!("{}..{}", span.start, span.end)
}

fn dump_tag(dump: &mut String, kind: &str, tag: &Tag) -> std::fmt::Result {
    let flag = if tag.self_closing { " self-closing" } else { "" };
    let (span, name_span) = (shown(tag.span), shown(tag.name_span));
    writeln!(dump, "  {kind} {span} {:?} {name_span}{flag}", tag.name)?;
    for attribute in &tag.attributes {
        let (name, value) = (shown(attribute.name_span), shown(attribute.value_span));
        writeln!(dump, "    {:?} {name} = {:?} {value}", attribute.name, attribute.value)?;
    }
    Ok(())
}
