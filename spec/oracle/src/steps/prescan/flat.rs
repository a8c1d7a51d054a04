//! Steps in one line after the other, so that steps can go to others. It runs nothing. Invariant: each place that is gone to
//! is in the program.

use crate::steps::{Step, Word, unknown};
use std::collections::BTreeMap;

/// A line of a program.
pub(super) enum Line {
    /// Goes on at this line.
    Go(usize),
    /// Goes on at this line unless the condition holds, about this subject.
    Unless(Vec<Word>, Vec<Word>, usize),
    /// Does it.
    Act(Vec<Word>),
}

/// The lines of an algorithm.
#[derive(Default)]
pub(super) struct Program {
    pub(super) lines: Vec<Line>,
    places: BTreeMap<String, usize>,
    /// Lines that go to a place with a name.
    open: Vec<(usize, String)>,
}

impl Program {
    pub(super) fn of(steps: &[Step]) -> Result<Self, String> {
        let mut program = Self::default();
        program.add(steps, &[])?;
        for (line, place) in &program.open {
            let to = program.places.get(place).ok_or_else(|| format!("no place {place}"))?;
            program.lines[*line] = Line::Go(*to);
        }
        Ok(program)
    }

    fn add(&mut self, steps: &[Step], subject: &[Word]) -> Result<(), String> {
        let mut at = 0;
        while let Some(Step { words, inner }) = steps.get(at) {
            at += 1;
            let is_first = |name: &str| words.first().is_some_and(|word| word.is(name));
            if is_first("when") {
                let more = &steps[at..];
                // Labels of one choice exclude each other as well.
                let goes_on = |step: &&Step| {
                    step.words.first().is_some_and(|word| {
                        word.is("otherwise") || !subject.is_empty() && word.is("when")
                    })
                };
                let count = more.iter().take_while(goes_on).count();
                self.chain(&steps[at - 1..at + count], subject)?;
                at += count;
            } else if is_first("choose") {
                let subject = if words.len() > 1 { &words[1..] } else { &words[..1] };
                self.add(inner, subject)?;
            } else if is_first("while") {
                let begin = self.lines.len();
                self.lines.push(Line::Unless(words[1..].to_vec(), Vec::new(), 0));
                self.add(inner, &[])?;
                self.lines.push(Line::Go(begin));
                self.lines[begin] = Line::Unless(words[1..].to_vec(), Vec::new(), self.lines.len());
            } else {
                self.plain(words)?;
            }
        }
        Ok(())
    }

    /// Conditions of which the first one that holds counts.
    fn chain(&mut self, steps: &[Step], subject: &[Word]) -> Result<(), String> {
        let mut ends = Vec::new();
        for Step { words, inner } in steps {
            let ask =
                words.iter().position(|word| word.is("when")).map(|at| words[at + 1..].to_vec());
            let begin = self.lines.len();
            if let Some(ask) = &ask {
                self.lines.push(Line::Unless(ask.clone(), subject.to_vec(), 0));
            }
            self.add(inner, &[])?;
            ends.push(self.lines.len());
            self.lines.push(Line::Go(0));
            if let Some(ask) = ask {
                self.lines[begin] = Line::Unless(ask, subject.to_vec(), self.lines.len());
            }
        }
        for end in ends {
            self.lines[end] = Line::Go(self.lines.len());
        }
        Ok(())
    }

    fn plain(&mut self, words: &[Word]) -> Result<(), String> {
        match words {
            [at, Word::Name(place)] if at.is("at") => {
                self.places.insert(place.clone(), self.lines.len());
            }
            [go, Word::Name(place)] if go.is("go") => {
                self.open.push((self.lines.len(), place.clone()));
                self.lines.push(Line::Go(0));
            }
            [] => return Err(unknown(words)),
            _ => self.lines.push(Line::Act(words.to_vec())),
        }
        Ok(())
    }
}
