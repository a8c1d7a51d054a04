//! Phrases common to all algorithms: control flow, and tests of values of any kind.

use super::Phrase;
use crate::model::tree::algorithm::{Effect, Expression, Question, RunStep, ValueKind};

phrases! {
    /// The steps common to all algorithms.
    FLOW: RunStep;
    "let <new> <value>" => |it| RunStep::Let(it.variable(), it.value()), "Sets the variable to the value.";
    "increment <variable>" => |it| RunStep::Increment(it.variable()), "Increments the variable, a number.";
    "decrement <variable>" => |it| RunStep::Effect(Effect::Decrement(it.variable())),
        "Decrements the variable, a number.";
    "at <new-label>" => |it| RunStep::At(it.label()), "Declares a label, after which `go` continues.";
    "go <label>" => |it| RunStep::Go(it.label()),
        "Continues after the label, which must be among the same steps or enclosing ones.";
    "break" => |_| RunStep::Break, "Ends the innermost repetition.";
    "continue" => |_| RunStep::Continue, "Continues with the next round of the innermost repetition.";
    "return" => |_| RunStep::Return(None), "Ends the algorithm.";
    "return <value>" => |it| RunStep::Return(Some(it.value())), "Ends the algorithm with this result.";
    "assert <condition>" => |it| RunStep::Assert(it.question()),
        "Asserts the condition: if it does not hold, the oracle stops.";
}

phrases! {
    /// The values common to all algorithms.
    COMMON_VALUES: Expression;
    "none": Node => |_| Expression::None, "No node and no location.";
    "true": Truth => |_| Expression::Truth(true), "True.";
    "false": Truth => |_| Expression::Truth(false), "False.";
}

phrases! {
    /// The conditions common to all algorithms.
    COMMON_QUESTIONS: Question;
    "<text> is [not] empty" => |it| Question::IsEmpty(it.value()), "The string is empty.";
    "<value> is [not] none" => |it| Question::IsNone(it.value()), "The value is missing.";
    "<value> is [not] set" => |it| Question::Not(Box::new(Question::IsNone(it.value()))), "The value exists.";
    "<truth> is [not] true" => |it| Question::IsTrue(it.value()), "The value is true.";
    "<truth> is [not] false" => |it| Question::Not(Box::new(Question::IsTrue(it.value()))), "The value is false.";
    "<number> is [not] <number>" => |it| Question::Same(it.value(), it.value()), "The numbers are equal.";
    "<text> is [not] <text>" => |it| Question::Same(it.value(), it.value()), "The strings are equal.";
    "<number> is at least <limit>" => |it| Question::AtLeast(it.value(), it.limit()),
        "The number is at least the limit.";
    "<number> is more than <limit>" => |it| Question::MoreThan(it.value(), it.limit()), "The number exceeds the limit.";
}
