//! What sentences say, before they are rows: actions in the words of the table language, questions, and what a state
//! looks at. It knows no English (`english` does) and no states (`states` does). Invariant: what is printed of a step is
//! a step of the table language.

use super::StepRead;

/// What one sentence says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Statement {
    /// Actions in their order.
    Acts(Vec<Step>),
    /// Actions under a condition.
    If(Vec<Ask>, Vec<Step>),
    /// Actions under a condition, where those before did not hold.
    OtherwiseIf(Vec<Ask>, Vec<Step>),
    /// Actions where the conditions before did not hold.
    Otherwise(Vec<Step>),
    /// Actions after all of these.
    Regardless(Vec<Step>),
    /// The state consumes a character.
    ConsumeNext,
    /// The state looks at a character, which its rows consume.
    CurrentIs,
    /// The state looks at the number.
    CheckNumber,
    /// The state looks at what is ahead.
    NextAre,
    /// The state calls the procedure; whether it says that there is no additional allowed character.
    Call(String, bool),
    /// What is done when the state is left.
    Leaves(Vec<Step>),
    /// Characters are consumed up to this string.
    BulkCharacters(String),
    /// They become a comment, the cause included, one character replaced by another.
    BulkComment(bool, Option<(char, char)>),
    /// They are emitted.
    BulkEmit,
    /// At the end of the input it is consumed again, in this state if one is named.
    EndReached(Option<String>),
    /// A piece of an algorithm that becomes states.
    Piece(Piece),
    /// A declaration.
    Declares(Declaration),
    /// Steps of this algorithm, which the runtime supplies.
    Describes(String, Vec<StepRead>),
    /// The document breaks off here.
    Gap,
    /// Nothing is asked.
    Remark,
}

/// A piece of an algorithm: what its sentences fix.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// What the procedure consumes.
    Defines(String),
    /// The first character decides.
    Identity,
    /// Digits are these.
    Digits(Vec<(char, char)>),
    /// And their base is this.
    Base(u8),
    /// Digits are collected.
    Collect,
    /// There is none.
    NoDigits,
    /// A semicolon is consumed.
    Semicolon,
    /// A missing one is an error.
    SemicolonMissing(String),
    /// Digits become a number.
    Interpret,
    /// A number in the table is an error.
    TableError,
    /// It is replaced by the second column.
    TableReplaces,
    /// A row of the table.
    TableRow(u32, u32),
    /// These numbers are an error, and what is returned instead.
    OutOfRange(Vec<(u32, Option<u32>)>, Option<char>),
    /// What is returned where the sentence before has an error.
    ReturnCharacter(char),
    /// The number's character is returned.
    ReturnCode,
    /// These numbers are an error as well.
    AlsoError(Vec<(u32, Option<u32>)>),
    /// The longest name is matched.
    LongestName,
    /// No name matches; whether that is an error.
    NoName(bool),
    /// Something like a name is an error.
    Ambiguous,
    /// In an attribute the name does not count before such characters.
    NotInAttribute(Vec<(char, char)>),
    /// One of them is an error.
    EqualsSign(char),
    /// A name without semicolon is an error.
    WithoutSemicolon(String),
    /// What the name stands for is returned.
    ReturnName,
    /// A kind of number is this error.
    NumberIs(Vec<(u32, Option<u32>)>, String),
    /// A string is expected in this context.
    Context(String, String),
    /// The string that is expected, and the state after it.
    Expect(String, String, String),
    /// The string's next character did not come, or its last one did.
    Expected,
    /// Under these conditions nothing is consumed unless the last start tag's name and one of the characters that are
    /// listed stand ahead.
    UnlessEndTag(Vec<String>),
    /// A pattern of a list.
    Listed(String),
    /// What is matched is put into the temporary buffer.
    Buffered,
    /// What begins a branch of several paragraphs.
    BranchIf(Vec<Ask>),
    /// What ends the branch, or begins it: "Otherwise:".
    Branch,
}

/// What an introduction declares.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Declaration {
    /// The first state.
    Start(String),
    /// The last character ends the machine in every state.
    EndsAtLast,
    /// The first mode of tree construction.
    TreeStart(String),
    /// An item of the table.
    Item(String),
    /// A flag that was declared before has this value at first.
    Initial(String),
    /// In an action that was declared before, a step after the first one.
    Behind(&'static str, String),
    /// A flag's values, the flag named in the sentence before.
    Flag(Option<String>, Vec<String>),
}

/// A question.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ask {
    /// In the words of the table language.
    Plain(String),
    /// One of these.
    Any(Vec<String>),
    /// A string stands ahead: from the current character on, or after it.
    Ahead { text: String, ignoring_case: bool, from_current: bool },
    /// The current character is this one.
    Current(char),
    /// The procedure has returned nothing.
    Nothing,
    /// The token is of this kind.
    Token(String),
    /// The token, and what it closes, has this name.
    Name(String),
    /// The token is a text of these characters alone.
    OnlyOf(Vec<String>),
    /// One of these characters follows.
    Behind(Vec<(char, char)>),
}

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// An action in the words of the table language.
    Act(String),
    /// The current character is consumed.
    Consume,
    /// The character is consumed again, in the next state.
    Reconsume,
    /// Back to the state that switched here.
    SwitchBack,
    /// What was collected is emitted without its last character.
    AllButLast,
    /// A text goes through the emitting operation.
    Operation(String),
    /// A reference begins: its state, the return state, and whether its characters are emitted.
    Setup { state: String, back: String, emits: bool, additional: Option<char> },
    /// Steps under a condition.
    When(Vec<Ask>, Vec<Step>, Vec<Step>),
}

impl Step {
    /// An action.
    pub(super) fn act(text: impl Into<String>) -> Self {
        Self::Act(text.into())
    }
}

/// Steps in the words of the table language.
pub(super) fn written(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        if !text.is_empty() {
            text.push(' ');
        }
        match step {
            Step::Act(action) => text += &format!("{action};"),
            Step::Reconsume => text += "reconsume;",
            // What one of several answers fulfils is asked by itself.
            Step::When(asks, then, otherwise)
                if asks.len() > 1 && asks.iter().any(|ask| matches!(ask, Ask::Any(_))) =>
            {
                let (any, rest): (Vec<Ask>, Vec<Ask>) =
                    asks.iter().cloned().partition(|ask| matches!(ask, Ask::Any(_)));
                let mut inner = vec![Step::When(rest, then.clone(), otherwise.clone())];
                inner.retain(|step| !matches!(step, Step::When(asks, ..) if asks.is_empty()));
                let inner = if inner.is_empty() { then.clone() } else { inner };
                let nested = any.into_iter().rev().fold(inner, |inner, ask| {
                    vec![Step::When(vec![ask], inner, otherwise.clone())]
                });
                text += &written(&nested);
            }
            Step::When(asks, then, otherwise) => {
                text += &format!("when {} {{ {} }}", asked(asks), written(then));
                if !otherwise.is_empty() {
                    text += &format!(" otherwise {{ {} }}", written(otherwise));
                }
            }
            other => text += &format!("{};", unwritten(other)),
        }
    }
    text
}

/// What has no words in the table language, as one that no table has, so that none can be equal to it.
pub(super) fn unwritten(what: &impl std::fmt::Debug) -> String {
    format!("unwritten {:?}", format!("{what:?}"))
}

/// A condition in the words of the table language.
pub(super) fn asked(asks: &[Ask]) -> String {
    let one = |ask: &Ask| match ask {
        Ask::Plain(text) => text.clone(),
        Ask::Any(texts) => texts.join(" or "),
        Ask::Behind(_) => "followed-by after-name".to_owned(),
        other => unwritten(other),
    };
    asks.iter().map(one).collect::<Vec<_>>().join(" and ")
}

/// The characters before which a name does not count, where a step asks for them.
pub(super) fn after_name(steps: &[Step]) -> Option<&[(char, char)]> {
    steps.iter().find_map(|step| match step {
        Step::When(asks, then, otherwise) => asks
            .iter()
            .find_map(|ask| match ask {
                Ask::Behind(ranges) => Some(&ranges[..]),
                _ => None,
            })
            .or_else(|| after_name(then))
            .or_else(|| after_name(otherwise)),
        _ => None,
    })
}

/// A character as the table language writes it.
pub(super) fn character(character: char) -> String {
    match character {
        '\'' => "'\\''".to_owned(),
        '\\' => "'\\\\'".to_owned(),
        '\0' => "'\\0'".to_owned(),
        '\t' => "'\\t'".to_owned(),
        '\n' => "'\\n'".to_owned(),
        ' '..='~' => format!("'{character}'"),
        other if (other as u32) < 0x80 => format!("'\\x{:02X}'", other as u32),
        other => format!("'\\u{{{:04X}}}'", other as u32),
    }
}

/// A string as the table language writes it.
pub(super) fn string(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|part| match part {
            '"' => "\\\"".to_owned(),
            '\'' => "'".to_owned(),
            other => {
                let quoted = character(other);
                quoted[1..quoted.len() - 1].to_owned()
            }
        })
        .collect();
    format!("\"{escaped}\"")
}
