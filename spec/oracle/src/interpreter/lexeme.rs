//! Matches lexemes by simulating all paths through their expressions in parallel. The code is independent of the
//! compiler's automaton, so that the two can be compared. Matches are never empty.

use super::input::Input;
use super::token::Span;
use tabulex_language::model::{CharacterSet, Lexeme, LexemeExpression};

/// A lexeme compiled to instructions.
#[derive(Debug)]
pub(super) struct Program {
    code: Vec<Instruction>,
    /// Number of captures.
    capture_count: usize,
}

#[derive(Debug)]
enum Instruction {
    /// Matches a character of the set; the character belongs to the given part of the lexeme.
    Read(CharacterSet, LexemePart),
    /// Continues at both of these instructions, the first with priority.
    Fork(usize, usize),
    /// Continues at another instruction.
    Jump(usize),
    /// Completes the lexeme.
    Match,
}

/// The part of a lexeme to which a character belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LexemePart {
    /// The part of the lexeme outside captures and look-ahead.
    Lexeme,
    /// The capture with this index.
    Data(u8),
    /// The look-ahead, which is not part of the match.
    Ahead,
}

/// A match of a lexeme.
#[derive(Clone, Debug)]
pub(super) struct Match {
    /// Range of the match, without look-ahead.
    pub(super) span: Span,
    /// Ranges of the captures. A capture without characters has an empty range at the end of the match.
    pub(super) captures: Vec<Span>,
}

/// A path through the expression: the next instruction, the end of the match, and the captures so far.
#[derive(Clone)]
struct Thread {
    at: usize,
    end: usize,
    captures: Vec<Option<Span>>,
}

impl Program {
    pub(super) fn new(lexeme: &Lexeme) -> Self {
        let mut program = Self { code: Vec::new(), capture_count: usize::from(lexeme.data) };
        program.add_expression(&lexeme.expression, LexemePart::Lexeme);
        if let Some(ahead) = &lexeme.ahead {
            program.add_expression(ahead, LexemePart::Ahead);
        }
        program.code.push(Instruction::Match);
        program
    }

    fn add_expression(&mut self, expression: &LexemeExpression, part: LexemePart) {
        match expression {
            LexemeExpression::Characters(set) => {
                self.code.push(Instruction::Read(set.clone(), part));
            }
            LexemeExpression::Sequence(parts) => {
                parts.iter().for_each(|inner| self.add_expression(inner, part))
            }
            LexemeExpression::Alternatives(parts) => self.add_alternatives(parts, part),
            LexemeExpression::Repeated { inner, at_least_once, many } => {
                let start = self.code.len();
                if !at_least_once {
                    self.code.push(Instruction::Fork(start + 1, 0));
                }
                let body = self.code.len();
                self.add_expression(inner, part);
                if *many {
                    let after = self.code.len() + 1;
                    self.code.push(Instruction::Fork(body, after));
                }
                let after = self.code.len();
                if !at_least_once {
                    self.code[start] = Instruction::Fork(start + 1, after);
                }
            }
            LexemeExpression::Data(index, inner) => {
                self.add_expression(inner, LexemePart::Data(*index))
            }
        }
    }

    fn add_alternatives(&mut self, parts: &[LexemeExpression], part: LexemePart) {
        let mut jumps = Vec::new();
        for (index, alternative) in parts.iter().enumerate() {
            let fork = self.code.len();
            if index + 1 < parts.len() {
                self.code.push(Instruction::Fork(fork + 1, 0));
            }
            self.add_expression(alternative, part);
            if index + 1 < parts.len() {
                jumps.push(self.code.len());
                self.code.push(Instruction::Jump(0));
                let after = self.code.len();
                self.code[fork] = Instruction::Fork(fork + 1, after);
            }
        }
        let after = self.code.len();
        jumps.into_iter().for_each(|jump| self.code[jump] = Instruction::Jump(after));
    }

    /// Returns the longest match at a position, or `None` if there is none.
    pub(super) fn longest(&self, input: &Input<'_>, position: usize) -> Option<Match> {
        let start_thread =
            Thread { at: 0, end: position, captures: vec![None; self.capture_count] };
        let mut threads = self.follow_jumps(vec![start_thread]);
        let (mut best, mut start, mut at) = (None, None, position);
        while let Some((character, span)) = input.next(at) {
            let start = *start.get_or_insert(span.start);
            let mut next_threads = Vec::new();
            for mut thread in threads {
                let Instruction::Read(set, part) = &self.code[thread.at] else { continue };
                if !set.contains(character) {
                    continue;
                }
                thread.at += 1;
                thread.read(span, *part);
                next_threads.push(thread);
            }
            if next_threads.is_empty() {
                break;
            }
            threads = self.follow_jumps(next_threads);
            at = span.end;
            self.update_longest(&threads, start, &mut best);
        }
        best
    }

    fn update_longest(&self, threads: &[Thread], start: usize, best: &mut Option<Match>) {
        for thread in threads {
            let is_match = matches!(self.code[thread.at], Instruction::Match);
            if is_match && best.as_ref().is_none_or(|best| best.span.end < thread.end) {
                let empty = Span::at(thread.end);
                let captures = thread.captures.iter().map(|span| span.unwrap_or(empty)).collect();
                *best = Some(Match { span: Span { start, end: thread.end }, captures });
            }
        }
    }

    /// Advances threads through jumps and forks, to instructions that read a character or complete the lexeme. If
    /// several threads reach an instruction, only the first continues.
    fn follow_jumps(&self, threads: Vec<Thread>) -> Vec<Thread> {
        let mut visited = vec![false; self.code.len()];
        let mut resolved_threads = Vec::new();
        let mut open: Vec<Thread> = threads.into_iter().rev().collect();
        while let Some(thread) = open.pop() {
            if std::mem::replace(&mut visited[thread.at], true) {
                continue;
            }
            match self.code[thread.at] {
                Instruction::Jump(to) => open.push(Thread { at: to, ..thread }),
                Instruction::Fork(one, other) => {
                    open.push(Thread { at: other, ..thread.clone() });
                    open.push(Thread { at: one, ..thread });
                }
                Instruction::Read(..) | Instruction::Match => resolved_threads.push(thread),
            }
        }
        resolved_threads
    }
}

impl Thread {
    fn read(&mut self, span: Span, part: LexemePart) {
        match part {
            LexemePart::Ahead => return,
            LexemePart::Lexeme => {}
            LexemePart::Data(index) => {
                let capture = &mut self.captures[usize::from(index)];
                let start = capture.map_or(span.start, |capture| capture.start);
                *capture = Some(Span { start, end: span.end });
            }
        }
        self.end = span.end;
    }
}
