//! Compares the checks with the interpreter on small random machines: an accepted machine ends on every input, and one
//! rejected as endless runs forever on some input. The machines are the same in every run.

use tabulex_language::model::Machine;
use tabulex_language::{Diagnostic, check, parse, resolve};
use tabulex_oracle::interpreter::{Host, Interpreter, Options, Stuck, StuckReason};

struct SilentHost;
impl Host for SilentHost {}

/// A 64-bit linear congruential generator with Knuth's constants.
struct RandomNumbers(u64);

impl RandomNumbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }
}

/// Number of states outside the procedure.
const OUTER_STATES: u64 = 4;
/// Number of states of the procedure.
const INNER_STATES: u64 = 3;

/// Returns random steps of a row; `is_inner` tells whether the row belongs to the procedure.
fn steps(random: &mut RandomNumbers, is_inner: bool, has_conditions: bool) -> String {
    if has_conditions && random.one_in(4) {
        let value = ["plain", "rich"][random.below(2) as usize];
        let (then, otherwise) = (steps(random, is_inner, false), steps(random, is_inner, false));
        return format!("when mode is {value} {{ {then} }} otherwise {{ {otherwise} }}");
    }
    let mut steps = String::new();
    if has_conditions && random.one_in(4) {
        steps += ["set mode plain; ", "set mode rich; "][random.below(2) as usize];
    }
    if random.one_in(4) {
        steps += "reconsume; ";
    }
    match (is_inner, random.below(5)) {
        (true, 0) => steps += "return nothing;",
        (true, 1) => steps += "return \"x\";",
        (true, _) => steps += &format!("switch inner-{};", random.below(INNER_STATES)),
        (false, 0) => steps += "switch call;",
        (false, 1) => steps += "ignore;",
        (false, _) => steps += &format!("switch outer-{};", random.below(OUTER_STATES)),
    }
    steps
}

fn state(random: &mut RandomNumbers, name: &str, is_inner: bool, has_conditions: bool) -> String {
    let mut text = format!("state {name} {{\n");
    for pattern in ["'a'", "'b'"] {
        if !random.one_in(3) {
            text += &format!("  {pattern} => {}\n", steps(random, is_inner, has_conditions));
        }
    }
    text += &format!("  else => {}\n", steps(random, is_inner, has_conditions));
    let end_steps = if !is_inner && !random.one_in(4) {
        "emit end-of-file;".to_owned()
    } else {
        steps(random, is_inner, has_conditions)
    };
    text + &format!("  EOF => {end_steps}\n}}\n")
}

fn table(random: &mut RandomNumbers, has_conditions: bool) -> String {
    let mut text =
        "machine! {\nname random;\nstart outer-0;\nflag mode = plain | rich;\n".to_owned();
    for index in 0..OUTER_STATES {
        text += &state(random, &format!("outer-{index}"), false, has_conditions);
    }
    text += "state call on take {\n";
    text += &format!("  nothing => switch outer-{};\n", random.below(OUTER_STATES));
    text += &format!(
        "  returned => switch outer-{};\n}}\nprocedure take {{\n",
        random.below(OUTER_STATES)
    );
    for index in 0..INNER_STATES {
        text += &state(random, &format!("inner-{index}"), true, has_conditions);
    }
    text + "}\n}\n"
}

/// Returns every text of up to four characters from `abc`.
fn inputs() -> Vec<String> {
    let mut inputs = vec![String::new()];
    let mut level_start = 0;
    for _ in 0..4 {
        let level_end = inputs.len();
        for index in level_start..level_end {
            for character in ['a', 'b', 'c'] {
                inputs.push(format!("{}{character}", inputs[index]));
            }
        }
        level_start = level_end;
    }
    inputs
}

/// Loads a table, and returns its machine and the diagnostics of the checks, except those on parts that are not used.
fn load(text: &str) -> (Machine, Vec<Diagnostic>) {
    let (table, errors) = parse::file(text);
    assert!(errors.is_empty(), "the table has syntax errors: {errors:?}\n{text}");
    let table = table.expect("a text without syntax errors has a table");
    let (machine, errors) = resolve::resolve(&table, &|_| None);
    assert!(errors.is_empty(), "the table cannot be resolved: {errors:?}\n{text}");
    let machine = machine.expect("a table without errors has a machine");
    let mut diagnostics = check::check(&machine, &table);
    diagnostics.retain(|diagnostic| {
        !matches!(diagnostic.check, "unreachable-state" | "return-without-caller" | "unused-flag")
    });
    (machine, diagnostics)
}

/// Returns the first input on which the machine gets stuck, and the reason.
fn find_stuck(machine: &Machine) -> Option<(String, Stuck)> {
    let interpreter = Interpreter::new(machine);
    inputs().into_iter().find_map(|input| {
        let stuck = interpreter.run(&input, &Options::default(), &mut SilentHost).err()?;
        Some((input, stuck))
    })
}

/// Compares the checks with runs of `count` random machines. Returns the number of accepted and of rejected machines.
fn compare(seed: u64, has_conditions: bool, count: usize) -> (usize, usize) {
    let mut random = RandomNumbers(seed);
    let (mut accepted, mut rejected) = (0, 0);
    for _ in 0..count {
        let text = table(&mut random, has_conditions);
        let (machine, diagnostics) = load(&text);
        let messages: Vec<&String> =
            diagnostics.iter().map(|diagnostic| &diagnostic.message).collect();
        assert!(
            diagnostics.iter().all(|diagnostic| diagnostic.check == "reconsume-cycle"),
            "a check other than `reconsume-cycle` rejects the machine: {messages:?}\n{text}"
        );
        let stuck = find_stuck(&machine);
        if diagnostics.is_empty() {
            accepted += 1;
            assert_eq!(stuck, None, "an accepted machine got stuck:\n{text}");
        } else {
            rejected += 1;
            let is_endless = matches!(stuck, Some((_, Stuck { reason: StuckReason::Endless, .. })));
            // The check may reject a cycle that no input reaches, since it ignores conditions on the way to the cycle.
            assert!(
                has_conditions || is_endless,
                "a rejected machine ends on every input: {messages:?}\n{text}"
            );
        }
    }
    (accepted, rejected)
}

#[test]
fn reported_cycles_match_endless_runs() {
    let (accepted, rejected) = compare(1, false, 250);
    assert!(
        accepted > 20 && rejected > 20,
        "expected more than 20 machines of each kind: {accepted} accepted, {rejected} rejected"
    );
}

#[test]
fn accepted_machine_with_flags_terminates() {
    let (accepted, rejected) = compare(2, true, 250);
    assert!(
        accepted > 20 && rejected > 20,
        "expected more than 20 machines of each kind: {accepted} accepted, {rejected} rejected"
    );
}
