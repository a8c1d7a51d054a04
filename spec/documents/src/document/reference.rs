//! Builds the states of the procedure that consumes a character reference, from the pieces into which the document's
//! algorithm has been read.

use super::special::numbers_pattern;
use super::statement::{AlgorithmPart, RowCondition, RowStep, Statement, character, range};
use super::states::{Draft, DraftRow, Row, State, StatedSentence, fold, patterns};

/// A document's algorithm for character references, and the names that the states derive from it.
struct ReferenceAlgorithm<'d> {
    draft: &'d Draft,
    /// The document's term for what is consumed, such as `character-reference`.
    name: String,
    procedure: String,
    /// Name of the state that calls the procedure in an attribute value, if there is one.
    attribute_caller: Option<String>,
    hashes: Vec<u32>,
}

/// Builds the states of the procedure, or none if no sentence defines it. `others` are the states read before.
pub(super) fn states(draft: &Draft, others: &[State]) -> Vec<State> {
    let sentences = || draft.prefix.iter().chain(draft.rows.iter().flat_map(|row| &row.sentences));
    let Some(name) = sentences().find_map(|sentence| match &sentence.statement {
        Statement::Piece(AlgorithmPart::Defines(name)) => Some(name.clone()),
        _ => None,
    }) else {
        return Vec::new();
    };
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    let procedure = format!("consume-{article}-{name}");
    let appends_to_value = |state: &&State| {
        let to_value = RowStep::act("append returned to attribute-value");
        state.description.subject.as_ref() == Some(&procedure)
            && state.rows.iter().any(|row| row.steps.contains(&to_value))
    };
    let attribute_caller =
        others.iter().find(appends_to_value).map(|state| state.description.name.clone());
    let hashes = sentences().map(|sentence| sentence.hash).collect();
    let algorithm = ReferenceAlgorithm { draft, name, procedure, attribute_caller, hashes };
    let mut states = vec![algorithm.initial_state(), algorithm.numeric_state()];
    for (notation, row) in
        [("hexadecimal", algorithm.digits(16)), ("decimal", algorithm.digits(10))]
    {
        states.extend(algorithm.digits_start_state(notation, row));
    }
    for (notation, base) in [("hexadecimal", 16), ("decimal", 10)] {
        states.extend(algorithm.digits_state(notation, base));
    }
    states.push(algorithm.number_end_state());
    states.extend(algorithm.ambiguous_state());
    states.extend(algorithm.after_name_state());
    states
}

impl ReferenceAlgorithm<'_> {
    fn rows(&self) -> &[DraftRow] {
        &self.draft.rows
    }

    fn pieces(&self) -> impl Iterator<Item = &AlgorithmPart> {
        self.rows().iter().flat_map(|row| &row.sentences).filter_map(|sentence| {
            match &sentence.statement {
                Statement::Piece(piece) => Some(piece),
                _ => None,
            }
        })
    }

    fn state(&self, name: String) -> State {
        let mut state = State::default();
        state.description.name = name;
        state.description.section.clone_from(&self.draft.section);
        state.description.line = self.draft.line;
        state.description.procedure = Some(self.procedure.clone());
        state
    }

    fn row<P: Into<String>>(
        &self,
        patterns: impl IntoIterator<Item = P>,
        steps: Vec<RowStep>,
    ) -> Row {
        Row { hashes: self.hashes.clone(), ..Row::new(patterns, steps, self.draft.line, &[]) }
    }

    /// Whether a sentence of a row was read as this piece.
    fn has_piece(&self, piece: &AlgorithmPart) -> bool {
        self.pieces().any(|other| other == piece)
    }

    /// Returns the pieces that apply to a name without a semicolon, in document order.
    fn unfinished_name_pieces(&self) -> impl Iterator<Item = &AlgorithmPart> {
        self.pieces().filter(|piece| {
            matches!(piece, AlgorithmPart::WithoutSemicolon(_) | AlgorithmPart::NotInAttribute(_))
        })
    }

    /// Returns the row for digits of a base, and the patterns of the digits; `None` if there is no such row.
    fn digits(&self, base: u8) -> Option<(&DraftRow, Vec<String>)> {
        let row = self.rows().iter().find(|row| {
            row.sentences
                .iter()
                .any(|sentence| sentence.statement == Statement::Piece(AlgorithmPart::Base(base)))
        })?;
        let digits = row.sentences.iter().find_map(|sentence| match &sentence.statement {
            Statement::Piece(AlgorithmPart::Digits(ranges)) => Some(ranges_patterns(ranges)),
            _ => None,
        })?;
        Some((row, digits))
    }

    /// Returns the steps between a piece for which `wanted` holds and the next piece.
    fn steps_after(&self, wanted: impl Fn(&AlgorithmPart) -> bool) -> Vec<RowStep> {
        let mut is_after_wanted = false;
        let is_wanted = |sentence: &&StatedSentence| {
            if let Statement::Piece(piece) = &sentence.statement {
                is_after_wanted = wanted(piece);
            }
            is_after_wanted
        };
        let sentences = self.rows().iter().flat_map(|row| &row.sentences).filter(is_wanted);
        fold(&sentences.cloned().collect::<Vec<_>>())
    }

    /// Builds the state that reads the character after the ampersand.
    fn initial_state(&self) -> State {
        let mut state = self.state(self.name.clone());
        for row in self.rows() {
            if let [sentence, ..] = &row.sentences[..]
                && let Some(steps) =
                    row.sentences.iter().find_map(|sentence| match &sentence.statement {
                        Statement::Acts(steps) if *steps == [RowStep::act("return nothing")] => {
                            Some(steps.clone())
                        }
                        _ => None,
                    })
                && sentence.statement == Statement::Remark
            {
                state.rows.push(self.row(patterns(&row.labels, self.rows()), steps));
            }
        }
        let numeric = self.rows().iter().find(|row| {
            row.sentences
                .iter()
                .any(|sentence| sentence.statement == Statement::Piece(AlgorithmPart::Identity))
        });
        if let Some(row) = numeric {
            let steps = vec![RowStep::act(format!("switch numeric-{}", self.name))];
            state.rows.push(self.row(patterns(&row.labels, self.rows()), steps));
        }
        if self.has_piece(&AlgorithmPart::LongestName) {
            state.rows.push(self.row(["reference"], self.matched_name_steps()));
        }
        if self.has_piece(&AlgorithmPart::Ambiguous) {
            let steps = vec![RowStep::act("switch ambiguous-ampersand")];
            state.rows.push(self.row([ALPHANUMERIC], steps));
        }
        let mut steps = Vec::new();
        if self.has_piece(&AlgorithmPart::NoName(true)) {
            steps.push(RowStep::act("error unnamed"));
        }
        steps.push(RowStep::act("return nothing"));
        state.rows.push(self.row(["else"], steps));
        state
    }

    /// Returns the steps for a matched name; these may reject a name without a semicolon in an attribute.
    fn matched_name_steps(&self) -> Vec<RowStep> {
        let mut pieces = self.unfinished_name_pieces();
        let error = RowStep::act("error unnamed");
        let return_reference = RowStep::act("return reference");
        let called_by: Vec<RowCondition> = self
            .attribute_caller
            .iter()
            .map(|name| RowCondition::Plain(format!("called-by {name}")))
            .collect();
        let ends_with_semicolon = vec![RowCondition::Plain("reference-ends-with ';'".to_owned())];
        let without_semicolon = match (pieces.next(), pieces.next()) {
            (Some(AlgorithmPart::WithoutSemicolon(_)), Some(AlgorithmPart::NotInAttribute(_))) => {
                let mut asks = called_by;
                asks.push(RowCondition::Plain("followed-by after-name".to_owned()));
                vec![
                    error,
                    RowStep::When(
                        asks,
                        vec![RowStep::act("return nothing")],
                        vec![return_reference.clone()],
                    ),
                ]
            }
            (Some(AlgorithmPart::NotInAttribute(_)), Some(_)) => {
                let ahead = vec![RowStep::act(format!("switch {AFTER_NAME}"))];
                vec![RowStep::When(called_by, ahead, vec![error, return_reference.clone()])]
            }
            (Some(AlgorithmPart::WithoutSemicolon(_)), None) => {
                vec![error, return_reference.clone()]
            }
            _ => vec![return_reference.clone()],
        };
        vec![RowStep::When(ends_with_semicolon, vec![return_reference], without_semicolon)]
    }

    /// Returns the characters after which a name in an attribute is rejected, if the document tests for these before it
    /// reports the missing semicolon.
    fn ranges_after_name(&self) -> Option<&[(char, char)]> {
        match self.unfinished_name_pieces().next() {
            Some(AlgorithmPart::NotInAttribute(ranges)) => Some(ranges),
            _ => None,
        }
    }

    fn numeric_state(&self) -> State {
        let mut state = self.state(format!("numeric-{}", self.name));
        for (notation, base) in [("hexadecimal", 16), ("decimal", 10)] {
            let Some((row, _)) = self.digits(base) else { continue };
            let mut patterns = patterns(&row.labels, self.rows());
            let mut steps = vec![RowStep::act(format!("switch {notation}-{}-start", self.name))];
            if patterns == ["else"] {
                patterns.push("EOF".to_owned());
                steps.push(RowStep::Reconsume);
            }
            state.rows.push(self.row(patterns, steps));
        }
        state
    }

    fn digits_start_state(
        &self,
        notation: &str,
        digits_row: Option<(&DraftRow, Vec<String>)>,
    ) -> Option<State> {
        let (_, digits) = digits_row?;
        let mut state = self.state(format!("{notation}-{}-start", self.name));
        let first_actions = [
            "set character-reference-code 0".to_owned(),
            format!("switch {notation}-{}", self.name),
        ];
        let mut steps: Vec<RowStep> = first_actions.map(RowStep::act).to_vec();
        steps.push(RowStep::Reconsume);
        state.rows.push(self.row(digits, steps));
        let no_digits_steps = self.steps_after(|piece| *piece == AlgorithmPart::NoDigits);
        state.rows.push(self.row(["else", "EOF"], no_digits_steps));
        Some(state)
    }

    fn digits_state(&self, notation: &str, base: u8) -> Option<State> {
        let (_, digits) = self.digits(base)?;
        if !self.has_piece(&AlgorithmPart::Collect) || !self.has_piece(&AlgorithmPart::Interpret) {
            return None;
        }
        let mut state = self.state(format!("{notation}-{}", self.name));
        state.rows.push(self.row(digits, vec![RowStep::act(format!("add-digit {base}"))]));
        let end_switch = RowStep::act(format!("switch numeric-{}-end", self.name));
        if self.has_piece(&AlgorithmPart::Semicolon) {
            state.rows.push(self.row(["';'"], vec![end_switch.clone()]));
        }
        let error = self.pieces().find_map(|piece| match piece {
            AlgorithmPart::SemicolonMissing(code) => Some(RowStep::act(format!("error {code}"))),
            _ => None,
        });
        let mut steps: Vec<RowStep> = error.into_iter().collect();
        steps.extend([end_switch, RowStep::Reconsume]);
        state.rows.push(self.row(["else", "EOF"], steps));
        Some(state)
    }

    /// Builds the state that checks the number and returns the character.
    fn number_end_state(&self) -> State {
        let mut state = self.state(format!("numeric-{}-end", self.name));
        state.description.subject = Some("character-reference-code".to_owned());
        let error = RowStep::act("error unnamed");
        let return_step = |code: u32| {
            RowStep::act(format!(
                "return {}",
                character(char::from_u32(code).unwrap_or('\u{FFFD}'))
            ))
        };
        let to_patterns = |ranges: &[(u32, Option<u32>)]| -> Vec<String> {
            ranges.iter().map(|&(first, last)| numbers_pattern(first, last)).collect()
        };
        let return_code = RowStep::act("return character-reference-code");
        let is_error = self.has_piece(&AlgorithmPart::TableError);
        let replaces = self.has_piece(&AlgorithmPart::TableReplaces);
        let mut pieces = self.pieces().peekable();
        while let Some(piece) = pieces.next() {
            let (patterns, steps) = match piece {
                AlgorithmPart::TableRow(from, to) if replaces => {
                    let mut steps: Vec<RowStep> =
                        is_error.then(|| error.clone()).into_iter().collect();
                    steps.push(return_step(*to));
                    (vec![numbers_pattern(*from, Some(*from))], steps)
                }
                AlgorithmPart::OutOfRange(ranges, Some(instead)) => {
                    (to_patterns(ranges), vec![error.clone(), return_step(*instead as u32)])
                }
                AlgorithmPart::OutOfRange(ranges, None) => match pieces.peek() {
                    Some(AlgorithmPart::ReturnCharacter(instead)) => {
                        (to_patterns(ranges), vec![error.clone(), return_step(*instead as u32)])
                    }
                    _ => (to_patterns(ranges), vec![error.clone()]),
                },
                AlgorithmPart::AlsoError(ranges) => {
                    (to_patterns(ranges), vec![error.clone(), return_code.clone()])
                }
                _ => continue,
            };
            state.rows.push(self.row(patterns, steps));
        }
        if self.has_piece(&AlgorithmPart::ReturnCode) {
            state.rows.push(self.row(["else"], vec![return_code]));
        }
        state
    }

    fn ambiguous_state(&self) -> Option<State> {
        if !self.has_piece(&AlgorithmPart::Ambiguous) {
            return None;
        }
        let mut state = self.state("ambiguous-ampersand".to_owned());
        let nothing = RowStep::act("return nothing");
        state.rows.push(self.row([ALPHANUMERIC], Vec::new()));
        state.rows.push(self.row(["';'"], vec![RowStep::act("error unnamed"), nothing.clone()]));
        state.rows.push(self.row(["else", "EOF"], vec![nothing]));
        Some(state)
    }

    fn after_name_state(&self) -> Option<State> {
        let ranges = self.ranges_after_name()?;
        let mut state = self.state(AFTER_NAME.to_owned());
        let (error, nothing) = (RowStep::act("error unnamed"), RowStep::act("return nothing"));
        let sign = self.pieces().find_map(|piece| match piece {
            AlgorithmPart::EqualsSign(sign) => Some(*sign),
            _ => None,
        });
        if let Some(sign) = sign {
            state.rows.push(self.row([character(sign)], vec![error.clone(), nothing.clone()]));
        }
        let others: Vec<(char, char)> =
            ranges.iter().copied().filter(|&(first, _)| Some(first) != sign).collect();
        state.rows.push(self.row(ranges_patterns(&others), vec![nothing]));
        let steps = vec![error, RowStep::Reconsume, RowStep::act("return reference")];
        state.rows.push(self.row(["else", "EOF"], steps));
        Some(state)
    }
}

const ALPHANUMERIC: &str = "'0'..='9' | 'A'..='Z' | 'a'..='z'";
/// Name of the state that decides about a name without a semicolon by the next character.
const AFTER_NAME: &str = "after-reference-without-semicolon-in-attribute";

/// Returns the declaration of the class `after-name`, if a sentence rejects names in attributes before some characters.
pub(super) fn after_name_class(draft: &Draft) -> Option<String> {
    draft.rows.iter().flat_map(|row| &row.sentences).find_map(|sentence| {
        match &sentence.statement {
            Statement::Piece(AlgorithmPart::NotInAttribute(ranges)) => Some(class(ranges)),
            _ => None,
        }
    })
}

/// Formats the declaration of the class `after-name`.
pub(super) fn class(ranges: &[(char, char)]) -> String {
    format!("class after-name = {};", ranges_patterns(ranges).join(" | "))
}

fn ranges_patterns(ranges: &[(char, char)]) -> Vec<String> {
    ranges.iter().map(range).collect()
}
