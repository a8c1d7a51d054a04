//! Resolves lexemes and the rows of lexical modes: regular expressions with all names expanded. The data of a lexeme
//! are numbered from 0 in text order, and none of them can repeat.

use super::Resolver;
use crate::diagnostic::{BAD_PATTERN, Diagnostic, UNKNOWN_LEXEME};
use crate::model::{CharacterSet, Lexeme, LexemeExpression, LexemeId, Pattern, Subject};
use crate::nearest::nearest_or;
use crate::syntax::{self, ItemBody, Span, Spanned, Table, Word};

/// State of expanding the names in a lexeme.
struct LexemeExpander<'r, 't> {
    resolver: &'r mut Resolver,
    /// All declared lexemes: name, expression, and whether there is look-ahead.
    declared: Vec<(&'t Word, &'t Spanned<syntax::ParsedLexemeExpression>, bool)>,
    /// The lexemes being expanded, outermost first.
    open: Vec<usize>,
    /// Number of data in the lexeme so far.
    data: u8,
    /// Whether braces mark data, as they do outside of look-ahead and other data.
    counts_data: bool,
    /// Whether the current expression is inside a repetition.
    is_repeated: bool,
}

impl Resolver {
    /// Declares the lexemes, all names first, so that they may refer to later ones.
    pub(super) fn declare_lexemes(&mut self, table: &Table) {
        let lexemes = || {
            table.items.iter().filter_map(|item| match &item.body {
                ItemBody::Lexeme { expression, ahead } => Some((&item.name, expression, ahead)),
                _ => None,
            })
        };
        let declared: Vec<_> = lexemes()
            .map(|(name, expression, ahead)| (name, expression, ahead.is_some()))
            .collect();
        for (index, (name, expression, ahead)) in lexemes().enumerate() {
            // Classes and lexemes share a namespace, so a lexeme with the name of a class is reported as a second
            // class.
            let is_class = self.index_of("class", &name.value).is_some();
            self.declare_unique(name, if is_class { "class" } else { "lexeme" });
            let mut expander = LexemeExpander {
                resolver: self,
                declared: declared.clone(),
                open: vec![index],
                data: 0,
                counts_data: true,
                is_repeated: false,
            };
            let expression = expander.expand(expression);
            expander.counts_data = false;
            let ahead = ahead.as_ref().map(|ahead| expander.expand(ahead));
            let data = expander.data;
            let (name, span) = (name.value.clone(), name.span);
            self.machine.lexemes.push(Lexeme { name, span, expression, ahead, data });
        }
    }

    /// Resolves the subject of a lexical mode's rows.
    pub(super) fn lexical_subject(&mut self, otherwise: &Word) -> Subject {
        let Some(id) = self.lexeme_id(&otherwise.value, otherwise.span) else {
            return Subject::Lexemes(LexemeId::default());
        };
        let all_characters = CharacterSet::range('\0', char::MAX);
        if self.machine.lexemes[usize::from(id.0)].single_character() != Some(&all_characters) {
            let message =
                format!("the lexeme `{}` does not match every character", otherwise.value);
            self.report(
                Diagnostic::new(BAD_PATTERN, otherwise.span, message)
                    .and(self.machine.lexemes[usize::from(id.0)].span, "declared here")
                    .help("`else` must name a lexeme that matches any one character"),
            );
        }
        Subject::Lexemes(id)
    }

    /// Resolves the pattern of a lexical mode's row. Returns `None`, after a report, for an unknown lexeme.
    pub(super) fn lexical_pattern(
        &mut self,
        name: &str,
        span: Span,
        otherwise: LexemeId,
    ) -> Option<Spanned<Pattern>> {
        if name == "EOF" {
            return Some(Spanned { value: Pattern::EndOfFile, span });
        }
        let id = self.lexeme_id(name, span)?;
        if id == otherwise {
            return Some(Spanned { value: Pattern::Else, span });
        }
        let lexeme = &self.machine.lexemes[usize::from(id.0)];
        if lexeme.expression.can_be_empty() {
            let message = format!("the lexeme `{name}` also matches the empty string");
            let diagnostic = Diagnostic::new(BAD_PATTERN, span, message)
                .and(lexeme.span, "declared here")
                .help("let the `else` row `reconsume` where nothing is to be consumed");
            self.report(diagnostic);
        }
        Some(Spanned { value: Pattern::Lexeme(id), span })
    }

    /// Reports lexemes of the row whose number of data differs from the number of names that the row gives to data. A
    /// row without names is accepted.
    pub(super) fn check_bindings(
        &mut self,
        row: &syntax::ParsedRow,
        patterns: &[Spanned<Pattern>],
    ) {
        let Some(first) = row.bindings.first() else { return };
        for pattern in patterns {
            let (name, data) = match pattern.value {
                Pattern::Lexeme(id) => {
                    let lexeme = &self.machine.lexemes[usize::from(id.0)];
                    (format!("`{}`", lexeme.name), usize::from(lexeme.data))
                }
                _ => ("the pattern".to_owned(), 0),
            };
            if data != row.bindings.len() {
                let message = format!(
                    "names for the data of {name}: expected {data}, found {}",
                    row.bindings.len()
                );
                self.report(
                    Diagnostic::new(BAD_PATTERN, first.span, message)
                        .help("a lexeme has data where its expression has braces"),
                );
            }
        }
    }

    /// Returns the index of the data to which the row gives this name; `None` if the row does not give the name.
    pub(super) fn data_index(&self, name: &str) -> Option<u8> {
        self.bindings.iter().position(|binding| binding == name).map(|index| index as u8)
    }

    pub(super) fn lexeme_id(&mut self, name: &str, span: Span) -> Option<LexemeId> {
        self.known_index("lexeme", name, span).map(|index| LexemeId(index as u16))
    }
}

impl LexemeExpander<'_, '_> {
    fn expand(&mut self, written: &Spanned<syntax::ParsedLexemeExpression>) -> LexemeExpression {
        match &written.value {
            syntax::ParsedLexemeExpression::Characters(first, last) => {
                LexemeExpression::Characters(CharacterSet::range(*first, *last))
            }
            syntax::ParsedLexemeExpression::Text(text) => {
                let mut parts: Vec<LexemeExpression> = text
                    .chars()
                    .map(|c| LexemeExpression::Characters(CharacterSet::range(c, c)))
                    .collect();
                if parts.len() == 1 { parts.remove(0) } else { LexemeExpression::Sequence(parts) }
            }
            syntax::ParsedLexemeExpression::Name(name) => self.expand_name(name, written.span),
            syntax::ParsedLexemeExpression::Sequence(parts) => {
                LexemeExpression::Sequence(parts.iter().map(|part| self.expand(part)).collect())
            }
            syntax::ParsedLexemeExpression::Alternatives(parts) => self.expand_alternatives(parts),
            syntax::ParsedLexemeExpression::Repeated { inner, at_least_once, many } => {
                let was_repeated = self.is_repeated;
                self.is_repeated |= *many;
                let inner = Box::new(self.expand(inner));
                self.is_repeated = was_repeated;
                LexemeExpression::Repeated { inner, at_least_once: *at_least_once, many: *many }
            }
            syntax::ParsedLexemeExpression::Data(inner) => self.expand_data(inner, written.span),
        }
    }

    /// Expands alternatives. If each is a set of characters, returns their union.
    fn expand_alternatives(
        &mut self,
        parts: &[Spanned<syntax::ParsedLexemeExpression>],
    ) -> LexemeExpression {
        let parts: Vec<LexemeExpression> = parts.iter().map(|part| self.expand(part)).collect();
        let mut union = CharacterSet::default();
        for part in &parts {
            let LexemeExpression::Characters(set) = part else {
                return LexemeExpression::Alternatives(parts);
            };
            union.insert_all(set);
        }
        LexemeExpression::Characters(union)
    }

    fn expand_data(
        &mut self,
        inner: &Spanned<syntax::ParsedLexemeExpression>,
        span: Span,
    ) -> LexemeExpression {
        if !self.counts_data {
            return self.expand(inner);
        }
        if self.is_repeated {
            let message = "data inside a repetition have no single value";
            let diagnostic = Diagnostic::new(BAD_PATTERN, span, message)
                .help("put the braces around the repetition");
            self.resolver.report(diagnostic);
        }
        let index = self.data;
        self.data += 1;
        self.counts_data = false;
        let inner = Box::new(self.expand(inner));
        self.counts_data = true;
        LexemeExpression::Data(index, inner)
    }

    /// Returns the expression of a lexeme or a class; an empty sequence, after a report, for an invalid name.
    fn expand_name(&mut self, name: &str, span: Span) -> LexemeExpression {
        let empty_sequence = LexemeExpression::Sequence(Vec::new());
        let Some(index) = self.declared.iter().position(|lexeme| lexeme.0.value == name) else {
            if let Some(class) = self.resolver.class(name) {
                return LexemeExpression::Characters(class);
            }
            let mut names: Vec<&str> =
                self.declared.iter().map(|lexeme| &lexeme.0.value[..]).collect();
            names.extend(self.resolver.machine.classes.iter().map(|class| &class.name[..]));
            let help = nearest_or(name, &names, "declare it with `lexeme`");
            let message = format!("there is no lexeme or class `{name}`");
            self.resolver.report(Diagnostic::new(UNKNOWN_LEXEME, span, message).help(help));
            return empty_sequence;
        };
        let (word, expression, has_ahead) = self.declared[index];
        let mistake = if self.open.contains(&index) {
            let help = "remove the name; `*` or `+` after a part repeats it";
            Some(("a lexeme cannot be a part of itself", help))
        } else {
            let message = "a lexeme that looks ahead cannot be a part of another one";
            has_ahead.then_some((message, "write its expression in place of the name"))
        };
        if let Some((message, help)) = mistake {
            let diagnostic = Diagnostic::new(BAD_PATTERN, span, message)
                .and(word.span, "declared here")
                .help(help);
            self.resolver.report(diagnostic);
            return empty_sequence;
        }
        self.open.push(index);
        let expanded = self.expand(expression);
        self.open.pop();
        expanded
    }
}
