//! Checks against the interpreter on small random machines: a machine that passes ends on every input, and one rejected
//! as endless does not end on some input. The machines are the same in every run.

use tabulex_language::model::Machine;
use tabulex_language::{Diagnostic, check, parse, resolve};
use tabulex_oracle::interpreter::{Host, Interpreter, Options, Stuck, StuckReason};

struct Nobody;
impl Host for Nobody {}

/// A linear congruential generator for 64 bits, after Knuth.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }
}

const OUTER: u64 = 4;
const INNER: u64 = 3;

/// Returns one or two steps that can end a row; `inner` is for rows of procedures.
fn steps(dice: &mut Dice, inner: bool, conditions: bool) -> String {
    if conditions && dice.one_in(4) {
        let value = ["plain", "rich"][dice.below(2) as usize];
        let (then, otherwise) = (steps(dice, inner, false), steps(dice, inner, false));
        return format!("when mode is {value} {{ {then} }} otherwise {{ {otherwise} }}");
    }
    let mut steps = String::new();
    if conditions && dice.one_in(4) {
        steps += ["set mode plain; ", "set mode rich; "][dice.below(2) as usize];
    }
    if dice.one_in(4) {
        steps += "reconsume; ";
    }
    match (inner, dice.below(5)) {
        (true, 0) => steps += "return nothing;",
        (true, 1) => steps += "return \"x\";",
        (true, _) => steps += &format!("switch inner-{};", dice.below(INNER)),
        (false, 0) => steps += "switch call;",
        (false, 1) => steps += "ignore;",
        (false, _) => steps += &format!("switch outer-{};", dice.below(OUTER)),
    }
    steps
}

fn state(dice: &mut Dice, name: &str, inner: bool, conditions: bool) -> String {
    let mut text = format!("state {name} {{\n");
    for pattern in ["'a'", "'b'"] {
        if !dice.one_in(3) {
            text += &format!("  {pattern} => {}\n", steps(dice, inner, conditions));
        }
    }
    text += &format!("  else => {}\n", steps(dice, inner, conditions));
    let end = if !inner && !dice.one_in(4) {
        "emit end-of-file;".to_owned()
    } else {
        steps(dice, inner, conditions)
    };
    text + &format!("  EOF => {end}\n}}\n")
}

fn table(dice: &mut Dice, conditions: bool) -> String {
    let mut text =
        "machine! {\nname random;\nstart outer-0;\nflag mode = plain | rich;\n".to_owned();
    for index in 0..OUTER {
        text += &state(dice, &format!("outer-{index}"), false, conditions);
    }
    text += "state call on take {\n";
    text += &format!("  nothing => switch outer-{};\n", dice.below(OUTER));
    text += &format!("  returned => switch outer-{};\n}}\nprocedure take {{\n", dice.below(OUTER));
    for index in 0..INNER {
        text += &state(dice, &format!("inner-{index}"), true, conditions);
    }
    text + "}\n}\n"
}

/// Returns every text of up to four of these characters.
fn inputs() -> Vec<String> {
    let mut inputs = vec![String::new()];
    let mut from = 0;
    for _ in 0..4 {
        let until = inputs.len();
        for index in from..until {
            for character in ['a', 'b', 'c'] {
                inputs.push(format!("{}{character}", inputs[index]));
            }
        }
        from = until;
    }
    inputs
}

/// Returns a machine with the diagnostics about its behavior. Unreachable states are ignored.
fn checked(text: &str) -> (Machine, Vec<Diagnostic>) {
    let (table, mistakes) = parse::file(text);
    assert!(mistakes.is_empty(), "{text}");
    let table = table.expect("a table without mistakes");
    let (machine, mistakes) = resolve::resolve(&table, &|_| None);
    assert!(mistakes.is_empty(), "{text}");
    let machine = machine.expect("a machine without mistakes");
    let mut diagnostics = check::check(&machine, &table);
    diagnostics.retain(|diagnostic| {
        !matches!(diagnostic.check, "unreachable-state" | "return-without-caller" | "unused-flag")
    });
    (machine, diagnostics)
}

/// Returns the first input on which the machine does not end.
fn stuck(machine: &Machine) -> Option<(String, Stuck)> {
    let interpreter = Interpreter::new(machine);
    inputs().into_iter().find_map(|input| {
        let stuck = interpreter.run(&input, &Options::default(), &mut Nobody).err()?;
        Some((input, stuck))
    })
}

/// Compares the checks with runs of many machines. Returns the number of accepted and of endless ones.
fn compare(seed: u64, conditions: bool, count: usize) -> (usize, usize) {
    let mut dice = Dice(seed);
    let (mut good, mut endless) = (0, 0);
    for _ in 0..count {
        let text = table(&mut dice, conditions);
        let (machine, diagnostics) = checked(&text);
        let messages: Vec<&String> =
            diagnostics.iter().map(|diagnostic| &diagnostic.message).collect();
        assert!(
            diagnostics.iter().all(|diagnostic| diagnostic.check == "reconsume-cycle"),
            "{messages:?}\n{text}"
        );
        let stuck = stuck(&machine);
        if diagnostics.is_empty() {
            good += 1;
            assert_eq!(stuck, None, "{text}");
        } else {
            endless += 1;
            let is_endless = matches!(stuck, Some((_, Stuck { reason: StuckReason::Endless, .. })));
            // The check follows conditions around a cycle, but not on the way to it.
            assert!(conditions || is_endless, "{messages:?}\n{text}");
        }
    }
    (good, endless)
}

#[test]
fn reported_cycles_match_endless_runs() {
    let (good, endless) = compare(1, false, 250);
    assert!(good > 20 && endless > 20, "{good} good, {endless} endless");
}

#[test]
fn accepted_machine_with_flags_terminates() {
    let (good, endless) = compare(2, true, 250);
    assert!(good > 20 && endless > 20, "{good} good, {endless} endless");
}
