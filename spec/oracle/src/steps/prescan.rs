//! The prescan of bytes for an encoding, by its steps: "prescan a byte stream to determine its encoding", "get an attribute"
//! and "get an XML encoding". Labels of encodings are not known here. Invariant: the steps go on until they return, or to
//! where the bytes end.

mod bytes;
mod flat;

use super::{Algorithms, Word, unknown};
use bytes::{Bytes, Value};
use flat::{Line, Program};

/// The encoding that a label names, if it names one.
pub type Declared<'d> = &'d dyn Fn(&str) -> Option<String>;

/// Why steps end before they return.
enum Stop {
    /// The bytes end.
    End,
    /// A step is not known.
    Unknown(String),
}

type Run<T> = Result<T, Stop>;

/// What bytes declare, by the name of the encoding; none if they end before this is known.
///
/// # Errors
///
/// The step that is not known.
pub fn prescan(
    algorithms: &Algorithms,
    bytes: &[u8],
    declared: Declared<'_>,
) -> Result<Option<String>, String> {
    let steps = algorithms.steps("prescan-encoding")?;
    let mut machine = Machine { algorithms, bytes: Bytes::new(bytes), declared, left: 1_000_000 };
    let end = steps.first().filter(|step| step.words == words("when bytes end"));
    let value = match machine.run("prescan-encoding") {
        Err(Stop::End) => {
            let at_end = end.and_then(|step| step.inner.first()).and_then(|step| step.words.get(1));
            let Some(Word::Name(name)) = at_end else {
                return Err("nothing is said of the end of the bytes".to_owned());
            };
            machine.run(name)
        }
        other => other,
    };
    match value {
        Ok(Value::Text(label)) => Ok(declared(&label)),
        Ok(Value::Encoding(name)) => Ok(Some(name)),
        Ok(_) | Err(Stop::End) => Ok(None),
        Err(Stop::Unknown(step)) => Err(step),
    }
}

fn words(text: &str) -> Vec<Word> {
    text.split(' ').map(|word| Word::Name(word.to_owned())).collect()
}

struct Machine<'m> {
    algorithms: &'m Algorithms,
    bytes: Bytes<'m>,
    declared: Declared<'m>,
    /// Steps that may still be taken: those of a table that goes round in circles end as well.
    left: usize,
}

impl Machine<'_> {
    fn run(&mut self, name: &str) -> Run<Value> {
        let steps = self.algorithms.steps(name).map_err(Stop::Unknown)?;
        let program = Program::of(steps).map_err(Stop::Unknown)?;
        let mut at = 0;
        while let Some(line) = program.lines.get(at) {
            self.left =
                self.left.checked_sub(1).ok_or_else(|| Stop::Unknown("no end".to_owned()))?;
            at += 1;
            match line {
                Line::Go(to) => at = *to,
                Line::Unless(ask, subject, to) => {
                    if !self.holds(ask, subject)? {
                        at = *to;
                    }
                }
                Line::Act(act) => {
                    if let Some(value) = self.act(act)? {
                        return Ok(value);
                    }
                }
            }
        }
        Ok(Value::None)
    }

    /// Whether it is so.
    fn holds(&mut self, ask: &[Word], subject: &[Word]) -> Run<bool> {
        if let [at, Word::Name(position)] = subject
            && at.is("at")
        {
            self.bytes.at(position).ok_or(Stop::End)?;
            return Ok(self.bytes.is_sequence(ask));
        }
        // The end comes by itself, wherever a byte is needed.
        if ask == words("bytes end") {
            return Ok(false);
        }
        for alternative in super::ask::alternatives(ask) {
            let mut all = true;
            for part in alternative {
                // The label of a choice says what its subject is.
                let has_verb =
                    part.iter().any(|word| word.is("is") || word.is("at") || word.is("at-most"));
                let whole = match has_verb {
                    true => part,
                    false => [subject, &words("is"), &part].concat(),
                };
                if !self.part(&whole)? {
                    all = false;
                    break;
                }
            }
            if all {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A part of a condition.
    fn part(&mut self, words: &[Word]) -> Run<bool> {
        let verb = |name: &str| words.iter().position(|word| word.is(name));
        if let Some(at) = verb("at").filter(|&at| at > 0 && words[at - 1].is("not")) {
            return Ok(!self.bytes.begin_with(&words[at + 1]));
        }
        if let Some(at) = verb("at-most") {
            let (Some(Word::Character(most)), has) = (words.get(at + 1), words[at - 1].is("has"))
            else {
                return Err(Stop::Unknown(unknown(words)));
            };
            let value = self.value(&words[..at - usize::from(has)])?;
            return Ok(value.bytes().iter().any(|&byte| u32::from(byte) <= u32::from(*most)));
        }
        let at = verb("is").ok_or_else(|| Stop::Unknown(unknown(words)))?;
        let is_not = words.get(at + 1).is_some_and(|word| word.is("not"));
        let (subject, wanted) = (&words[..at], &words[at + 1 + usize::from(is_not)..]);
        Ok(self.is(subject, wanted)? != is_not)
    }

    /// Whether a value is another one, or of a kind.
    fn is(&mut self, subject: &[Word], wanted: &[Word]) -> Run<bool> {
        let value = self.value(subject)?;
        Ok(match wanted {
            [kind] if kind.is("none") => value == Value::None,
            [kind] if kind.is("failure") => value == Value::Failure,
            [kind] if kind.is("encoding") => matches!(value, Value::Encoding(_)),
            [kind] if kind.is("utf-16") => value.is_encoding(&["UTF-16BE", "UTF-16LE"]),
            [kind, list] if kind.is("in") => match self.value(std::slice::from_ref(list))? {
                Value::List(list) => list.contains(&value),
                _ => false,
            },
            [from, Word::Character(low), to, Word::Character(high)]
                if from.is("from") && to.is("to") =>
            {
                value
                    .bytes()
                    .first()
                    .is_some_and(|&byte| (*low..=*high).contains(&char::from(byte)))
            }
            [Word::Text(name)] if matches!(value, Value::Encoding(_)) => value.is_encoding(&[name]),
            _ => {
                let other = self.value(wanted)?;
                value == other
                    || !matches!(value, Value::None)
                        && value.bytes() == other.bytes()
                        && !value.bytes().is_empty()
            }
        })
    }

    /// Does what a step says; a value if it returns one.
    fn act(&mut self, act: &[Word]) -> Run<Option<Value>> {
        let (first, rest) = act.split_first().ok_or_else(|| Stop::Unknown(String::new()))?;
        let Word::Name(first) = first else { return Err(Stop::Unknown(unknown(act))) };
        match (&first[..], rest) {
            // What is done elsewhere, or follows from the other steps.
            ("returns" | "assert" | "skip" | "to" | "others", _) => {}
            (_, [begins, ..]) if begins.is("begins") => {}
            ("advance", [overlaps, ..]) if overlaps.is("overlaps") => {}
            ("advance", [Word::Name(variable), how @ ..]) => {
                self.bytes.advance(variable, how).ok_or(Stop::End)?;
            }
            ("return", value) => return Ok(Some(self.value(value)?)),
            ("let", [Word::Name(variable), value @ ..]) => {
                let value = self.value(value)?;
                self.bytes.set(variable, value);
            }
            ("append", value) => self.append(value)?,
            ("add", value) => {
                let at = value.len().checked_sub(2).ok_or_else(|| Stop::Unknown(unknown(act)))?;
                let one = self.value(&value[..at])?;
                if let (Word::Name(list), Value::List(mut all)) =
                    (&value[at + 1], self.value(&value[at + 1..])?)
                {
                    all.push(one);
                    self.bytes.set(list, Value::List(all));
                }
            }
            ("repeat", [Word::Name(name), ..]) => while self.run(name)? != Value::None {},
            _ => return Err(Stop::Unknown(unknown(act))),
        }
        Ok(None)
    }

    /// Appends a byte to a text.
    fn append(&mut self, words: &[Word]) -> Run<()> {
        let to = words.iter().position(|word| word.is("to"));
        let (Some(to), Some(Word::Name(text))) = (to, words.last()) else {
            return Err(Stop::Unknown(unknown(words)));
        };
        let is_lower = words[to - 1].is("lower");
        let byte = self.value(&words[..to - usize::from(is_lower)])?.bytes();
        let mut all = self.value(&words[to + 1..])?.bytes();
        all.extend(byte.iter().map(|byte| byte + if is_lower { 0x20 } else { 0 }));
        self.bytes.set(text, Value::Bytes(all));
        Ok(())
    }

    fn value(&mut self, words: &[Word]) -> Run<Value> {
        Ok(match words {
            [Word::Text(text)] => Value::Text(text.clone()),
            [Word::Character(one)] => Value::Bytes(vec![u8::try_from(*one).unwrap_or_default()]),
            [of, rest @ ..] if of.is("encoding-of") || of.is("isomorphic-decoded") => {
                let label = self.value(rest)?;
                match of.is("encoding-of") {
                    true => (self.declared)(&label.text()).map_or(Value::Failure, Value::Encoding),
                    false => label,
                }
            }
            [of, rest @ ..] if of.is("extract-encoding") => {
                let text = self.value(rest)?.text();
                let label = bytes::label_after(&text, "charset");
                label
                    .and_then(|label| (self.declared)(&label))
                    .map_or(Value::Failure, Value::Encoding)
            }
            [Word::Name(name), of, rest] if of.is("of") => self
                .value(std::slice::from_ref(rest))?
                .part(name)
                .ok_or_else(|| Stop::Unknown(unknown(words)))?,
            [name, with, value] if with.is("with") => {
                let name = self.value(std::slice::from_ref(name))?;
                Value::Attribute(Box::new((name, self.value(std::slice::from_ref(value))?)))
            }
            [Word::Name(name)] if self.algorithms.steps(name).is_ok() => self.run(name)?,
            [byte, at, Word::Name(variable)] if byte.is("byte") && at.is("at") => {
                Value::Bytes(vec![self.bytes.at(variable).ok_or(Stop::End)?])
            }
            _ => self.bytes.value(words).ok_or_else(|| Stop::Unknown(unknown(words)))?,
        })
    }
}
