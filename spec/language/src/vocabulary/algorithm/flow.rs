//! Phrases common to all algorithms: control flow, and tests of values of any kind.

use super::Phrase;
use crate::model::tree::algorithm::{Effect, Expression, Kind, Question, RunStep};

phrases! {
    /// All steps common to all algorithms.
    FLOW: RunStep;
    "let <new> <value>" => |it| RunStep::Let(it.variable(), it.value()),
        "The variable is the value.";
    "increment <variable>" => |it| RunStep::Increment(it.variable()),
        "The variable, a number, is one more.";
    "decrement <variable>" => |it| RunStep::Effect(Effect::Decrement(it.variable())),
        "The variable, a number, is one less.";
    "at <new-label>" => |it| RunStep::At(it.label()),
        "A label.";
    "go <label>" => |it| RunStep::Go(it.label()),
        "The steps after the label are next, which stands among the same steps, or among those around them.";
    "break" => |_| RunStep::Break, "The innermost repetition ends.";
    "continue" => |_| RunStep::Continue, "The innermost repetition begins again.";
    "return" => |_| RunStep::Return(None), "The algorithm ends.";
    "return <value>" => |it| RunStep::Return(Some(it.value())), "The algorithm ends with the value.";
    "assert <condition>" => |it| RunStep::Assert(it.question()),
        "The condition holds; where it does not, the oracle stops.";
}

phrases! {
    /// All values common to all algorithms.
    COMMON_VALUES: Expression;
    "none": Node => |_| Expression::None, "No node and no location.";
    "true": Truth => |_| Expression::Truth(true), "True.";
    "false": Truth => |_| Expression::Truth(false), "False.";
}

phrases! {
    /// All conditions common to all algorithms.
    COMMON_QUESTIONS: Question;
    "<text> is [not] empty" => |it| it.unless(|_, it| Question::IsEmpty(it)), "It has no characters.";
    "<value> is [not] none" => |it| it.unless(|_, it| Question::IsNone(it)), "There is no such value.";
    "<value> is [not] set" => |it| it.only(Question::IsNone), "There is such a value.";
    "<truth> is [not] true" => |it| it.unless(|_, it| Question::IsTrue(it)), "It is true.";
    "<truth> is [not] false" => |it| it.only(Question::IsTrue), "It is false.";
    "<number> is [not] <number>" => |it| it.unless(|it, one| Question::Same(one, it.value())),
        "Both numbers are the same.";
    "<text> is [not] <text>" => |it| it.unless(|it, one| Question::Same(one, it.value())), "Both strings are the same.";
    "<number> is at least <limit>" => |it| Question::AtLeast(it.value(), it.limit()),
        "The number is at least that of the limit.";
    "<number> is more than <limit>" => |it| Question::MoreThan(it.value(), it.limit()),
        "The number is more than that of the limit.";
}
