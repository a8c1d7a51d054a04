//! Reads states described as nested steps that test the current character among other conditions. Each class of
//! characters that the tests distinguish becomes a row, in which only the other conditions remain. A condition that is
//! known on a path is not tested again there.

use super::profile::Profile;
use super::rules::literal;
use super::statement::{
    EXCESSIVE, ORPHANED, RowCondition, RowStep, Statement, character_patterns, end_at, placeholder,
    range, steps_text, string,
};
use super::states::{Draft, Row, State, StatedSentence, heading, is_alternative};
use tabulex_language::model::partition;

/// Condition that holds if any condition in the list below its sentence holds.
const LISTED: &str = "listed";

/// A condition, in which tests of the current character are separate from others.
#[derive(Clone, Debug, PartialEq)]
enum Test {
    All(Vec<Test>),
    Any(Vec<Test>),
    /// The current character passes the test; if the second field is false, it does not.
    Current(CharacterTest, bool),
    /// The input from the current character on begins with this text.
    Ahead(String),
    /// A condition of the table language.
    Other(String),
    Constant(bool),
}

/// A set of characters, and whether the end of the input also passes.
#[derive(Clone, Debug, Default, PartialEq)]
struct CharacterTest {
    ranges: Vec<(char, char)>,
    includes_end: bool,
}

/// Steps of a state in document order: actions, or a decision between two lists of steps.
enum DecisionNode {
    /// Steps, and the index of their sentence.
    Steps(Vec<RowStep>, usize),
    /// The index of a sentence that was not read.
    Unread(usize),
    /// A condition, the nodes if it holds, the nodes if it does not, and the index of the sentence.
    Decision(Test, Vec<DecisionNode>, Vec<DecisionNode>, usize),
}

/// A class of inputs that all tests treat alike; together, the classes cover all inputs.
#[derive(Clone, Debug, Default)]
struct Class {
    /// The characters; empty for those that no test names, and for the end of the input.
    ranges: Vec<(char, char)>,
    /// Text that begins at the current character, if a test looks ahead for it.
    text: Option<String>,
    is_end: bool,
}

/// Builds a state from a section without row labels, or returns `None` if no sentence tests the current character.
pub(super) fn state(draft: &Draft, profile: &Profile) -> Option<State> {
    let has_test = |sentence: &StatedSentence| match &sentence.statement {
        Statement::If(asks, _) | Statement::OtherwiseIf(asks, _) | Statement::Case(asks) => {
            asks.iter().any(tests_character)
        }
        _ => false,
    };
    if !draft.rows.is_empty() || !draft.prefix.iter().any(has_test) {
        return None;
    }
    let sentences = draft.prefix.iter().filter(|one| one.statement != Statement::Remark);
    let sentences: Vec<StatedSentence> = sentences.cloned().collect();
    let depth = sentences.iter().map(|sentence| sentence.depth).min()?;
    let (nodes, _) = nodes(&sentences, profile, 0, depth);
    let mut rows: Vec<Row> = Vec::new();
    for class in classes(&nodes) {
        let mut contributing = Vec::new();
        let mut steps = class_steps(&nodes, &class, &mut contributing);
        let single = class.text.is_some().then(|| Class { text: None, ..class.clone() });
        if single.is_some_and(|one| class_steps(&nodes, &one, &mut Vec::new()) == steps) {
            // The steps consume the first character of the text only, so the row of that character has them.
            continue;
        }
        let skip_count = class.text.as_ref().map_or(0, |text| text.chars().count() - 1);
        settle_position(&mut steps, skip_count);
        if class.is_end {
            push_where_open(&mut steps, &RowStep::act(super::surroundings::AT_END));
        }
        let patterns = patterns(&class);
        let hashes: Vec<u32> = contributing.iter().map(|&index| sentences[index].hash).collect();
        let line = contributing.first().map_or(draft.line, |&index| sentences[index].line);
        let text = steps_text(&steps);
        match rows.iter_mut().find(|row| steps_text(&row.steps) == text) {
            Some(row) => {
                row.patterns.extend(patterns);
                row.hashes.extend(hashes.iter().zip(&contributing).filter_map(
                    |(&hash, &index)| {
                        (sentences[index].statement == Statement::Unread).then_some(hash)
                    },
                ));
            }
            None => rows.push(Row { patterns, steps, line, hashes, ..Row::default() }),
        }
    }
    let is_else = |row: &Row| row.patterns.iter().any(|pattern| pattern == "else");
    for row in rows.iter_mut().filter(|row| is_else(row)) {
        row.patterns.retain(|pattern| pattern == "else" || pattern == "EOF");
    }
    rows.sort_by_key(is_else);
    Some(State { description: heading(draft), rows, ..State::default() })
}

fn tests_character(ask: &RowCondition) -> bool {
    let tests_current = |text: &String| character_patterns(text).is_some();
    match ask {
        RowCondition::Plain(text) => tests_current(text),
        RowCondition::Any(texts) => texts.iter().any(tests_current),
        RowCondition::Ahead { from_current, .. } => *from_current,
        _ => false,
    }
}

/// Returns the nodes of the sentences from `at` on that are at least as deep as `depth`, and the index of the next
/// sentence.
fn nodes(
    sentences: &[StatedSentence],
    profile: &Profile,
    mut at: usize,
    depth: usize,
) -> (Vec<DecisionNode>, usize) {
    let mut nodes = Vec::new();
    while sentences.get(at).is_some_and(|one| one.depth >= depth) {
        let (more, next) = node(sentences, profile, at);
        match &sentences[at].statement {
            // No condition precedes, so the steps are reported as a difference instead of run always.
            alternative if is_alternative(alternative) => {
                nodes.push(DecisionNode::Steps(vec![RowStep::act(ORPHANED)], at));
            }
            _ => nodes.extend(more),
        }
        at = next;
    }
    (nodes, at)
}

/// Returns the nodes of a sentence, of the deeper sentences that follow, and of its "otherwise", and the index of the
/// next sentence.
fn node(sentences: &[StatedSentence], profile: &Profile, at: usize) -> (Vec<DecisionNode>, usize) {
    let sentence = &sentences[at];
    let (asks, acts) = match &sentence.statement {
        Statement::If(asks, acts) | Statement::OtherwiseIf(asks, acts) => (Some(asks), &acts[..]),
        Statement::Acts(acts)
        | Statement::Otherwise(acts)
        | Statement::Regardless(acts)
        | Statement::Then(acts) => (None, &acts[..]),
        _ => (None, &[][..]),
    };
    let mut then = vec![match sentence.statement {
        Statement::Unread => DecisionNode::Unread(at),
        _ => DecisionNode::Steps(acts.to_vec(), at),
    }];
    let (mut inner, mut next) = nodes(sentences, profile, at + 1, sentence.depth + 1);
    let mut test = conjunction(profile, asks.into_iter().flatten());
    if test == Test::Other(LISTED.to_owned()) {
        let cases =
            sentences[at + 1..next].iter().filter_map(|sentence| match &sentence.statement {
                Statement::Case(asks) => Some(conjunction(profile, asks)),
                _ => None,
            });
        test = Test::Any(cases.collect());
        inner.clear();
    }
    then.append(&mut inner);
    let sibling = |at: usize| sentences.get(at).filter(|other| other.depth == sentence.depth);
    if sibling(next).is_some_and(|other| matches!(other.statement, Statement::Then(_))) {
        let (more, after) = node(sentences, profile, next);
        then.extend(more);
        next = after;
    }
    if asks.is_none() {
        return (then, next);
    }
    let mut otherwise = Vec::new();
    if sibling(next).is_some_and(|other| is_alternative(&other.statement)) {
        (otherwise, next) = node(sentences, profile, next);
    }
    (vec![DecisionNode::Decision(test, then, otherwise, at)], next)
}

fn conjunction<'a>(profile: &Profile, asks: impl IntoIterator<Item = &'a RowCondition>) -> Test {
    let to_test = |ask: &RowCondition| match ask {
        RowCondition::Plain(text) => test(profile, text),
        RowCondition::Any(texts) => {
            Test::Any(texts.iter().map(|text| test(profile, text)).collect())
        }
        RowCondition::Ahead { text, from_current: true, .. } => Test::Ahead(text.clone()),
        other => Test::Other(placeholder(other)),
    };
    let mut tests: Vec<Test> = asks.into_iter().map(to_test).collect();
    if tests.len() == 1 { tests.remove(0) } else { Test::All(tests) }
}

fn test(profile: &Profile, text: &str) -> Test {
    let (is_positive, rest) = match text.strip_prefix("not ") {
        Some(rest) => (false, rest),
        None => (true, text),
    };
    match character_patterns(rest).and_then(|patterns| characters(profile, patterns)) {
        Some(characters) => Test::Current(characters, is_positive),
        None => Test::Other(text.to_owned()),
    }
}

/// Parses patterns of characters, ranges, classes of the profile and `EOF`; `None` for any other pattern.
fn characters(profile: &Profile, patterns: &str) -> Option<CharacterTest> {
    let mut test = CharacterTest::default();
    for pattern in patterns.split(" | ") {
        if pattern == "EOF" {
            test.includes_end = true;
            continue;
        }
        if let Some(class) = profile.classes.get(pattern) {
            test.ranges.extend(class.ranges());
            continue;
        }
        let (first, last) = pattern.split_once("..=").unwrap_or((pattern, pattern));
        let single = |text| literal(text)?.chars().next();
        test.ranges.push((single(first)?, single(last)?));
    }
    Some(test)
}

/// Partitions all inputs into the classes that the tests distinguish. The last two classes are the end of the input and
/// the characters that no test names.
fn classes(nodes: &[DecisionNode]) -> Vec<Class> {
    let (mut tests, mut texts) = (Vec::new(), Vec::new());
    for_each_test(nodes, &mut |test| match test {
        Test::Current(characters, _) => tests.push(characters.clone()),
        Test::Ahead(text) => {
            let first = text.chars().next().map(|first| (first, first));
            let ranges = first.into_iter().collect();
            tests.push(CharacterTest { ranges, includes_end: false });
            texts.push(text.clone());
        }
        _ => {}
    });
    // `append lower` differs from `append` only for letters, so letters and other characters need different rows.
    if appends_lower(nodes) {
        let ranges = vec![('A', 'Z'), ('a', 'z')];
        tests.push(CharacterTest { ranges, includes_end: false });
    }
    texts.sort_unstable();
    texts.dedup();
    let mut classes: Vec<(Vec<bool>, Class)> = Vec::new();
    for (first, last) in partition(tests.iter().flat_map(|test| &test.ranges)) {
        let membership: Vec<bool> = tests.iter().map(|test| test.contains(first)).collect();
        if !membership.contains(&true) {
            continue;
        }
        match classes.iter_mut().find(|(other, _)| *other == membership) {
            Some((_, class)) => class.ranges.push((first, last)),
            None => classes
                .push((membership, Class { ranges: vec![(first, last)], ..Class::default() })),
        }
    }
    let texts = texts.into_iter().filter_map(|text| {
        let first = text.chars().next()?;
        Some(Class { ranges: vec![(first, first)], text: Some(text), is_end: false })
    });
    let classes = classes.into_iter().map(|(_, class)| class);
    let mut classes: Vec<Class> = texts.chain(classes).collect();
    classes.push(Class { is_end: true, ..Class::default() });
    classes.push(Class::default());
    classes
}

/// Whether any step appends the lowercase form of the current character.
fn appends_lower(nodes: &[DecisionNode]) -> bool {
    let is_lower =
        |step: &RowStep| matches!(step, RowStep::Act(action) if action.starts_with(APPEND_LOWER));
    nodes.iter().any(|node| match node {
        DecisionNode::Steps(steps, _) => steps.iter().any(is_lower),
        DecisionNode::Unread(_) => false,
        DecisionNode::Decision(_, then, otherwise, _) => {
            appends_lower(then) || appends_lower(otherwise)
        }
    })
}

/// Prefix of a step that appends the lowercase form of the current character.
const APPEND_LOWER: &str = "append lower ";

fn for_each_test(nodes: &[DecisionNode], each: &mut dyn FnMut(&Test)) {
    for node in nodes {
        if let DecisionNode::Decision(test, then, otherwise, _) = node {
            for_each_simple_test(test, each);
            for_each_test(then, each);
            for_each_test(otherwise, each);
        }
    }
}

fn for_each_simple_test(test: &Test, each: &mut dyn FnMut(&Test)) {
    match test {
        Test::All(inner) | Test::Any(inner) => {
            inner.iter().for_each(|test| for_each_simple_test(test, each));
        }
        other => each(other),
    }
}

impl CharacterTest {
    fn contains(&self, one: char) -> bool {
        self.ranges.iter().any(|&(first, last)| (first..=last).contains(&one))
    }

    fn contains_class(&self, class: &Class) -> bool {
        match class.ranges.first() {
            Some(&(first, _)) => self.contains(first),
            None => class.is_end && self.includes_end,
        }
    }
}

fn patterns(class: &Class) -> Vec<String> {
    if let Some(text) = &class.text {
        return vec![string(text)];
    }
    match &class.ranges[..] {
        [] => vec![if class.is_end { "EOF" } else { "else" }.to_owned()],
        ranges => ranges.iter().map(range).collect(),
    }
}

/// Simplifies a test for inputs of a class, given the conditions that are known to hold.
fn simplify(test: &Test, class: &Class, known: &[String]) -> Test {
    let (inner, neutral) = match test {
        Test::All(inner) => (inner, true),
        Test::Any(inner) => (inner, false),
        Test::Current(characters, is_positive) => {
            return Test::Constant(characters.contains_class(class) == *is_positive);
        }
        Test::Ahead(text) => return Test::Constant(class.text.as_ref() == Some(text)),
        Test::Other(text) => {
            return match (known.contains(text), known.contains(&negate(text))) {
                (true, _) => Test::Constant(true),
                (_, true) => Test::Constant(false),
                _ => test.clone(),
            };
        }
        Test::Constant(_) => return test.clone(),
    };
    let mut remaining: Vec<Test> = inner.iter().map(|test| simplify(test, class, known)).collect();
    if remaining.contains(&Test::Constant(!neutral)) {
        return Test::Constant(!neutral);
    }
    remaining.retain(|test| *test != Test::Constant(neutral));
    match (remaining.len(), neutral) {
        (0, _) => Test::Constant(neutral),
        (1, _) => remaining.remove(0),
        (_, true) => Test::All(remaining),
        (_, false) => Test::Any(remaining),
    }
}

/// Returns the conditions that follow from a test that holds, or from one that does not.
fn implied_conditions(test: &Test, holds: bool) -> Vec<String> {
    match test {
        Test::Other(text) if holds => vec![text.clone()],
        Test::Other(text) => vec![negate(text)],
        Test::All(tests) if holds => {
            tests.iter().flat_map(|test| implied_conditions(test, true)).collect()
        }
        Test::Any(tests) if !holds => {
            tests.iter().flat_map(|test| implied_conditions(test, false)).collect()
        }
        _ => Vec::new(),
    }
}

fn negate(text: &str) -> String {
    text.strip_prefix("not ").map_or_else(|| format!("not {text}"), str::to_owned)
}

fn conditions(test: Test) -> Vec<RowCondition> {
    match test {
        Test::All(tests) => tests.into_iter().flat_map(conditions).collect(),
        Test::Any(tests) => {
            let text = |test| super::statement::conditions_text(&conditions(test));
            vec![RowCondition::Any(tests.into_iter().map(text).collect())]
        }
        Test::Other(text) => vec![RowCondition::Plain(text)],
        Test::Constant(_) | Test::Current(..) | Test::Ahead(_) => Vec::new(),
    }
}

/// Returns the steps for inputs of a class that can be reached, with each `Reconsume` at the end of its path, and adds the
/// indices of their sentences to `contributing`.
fn class_steps(
    nodes: &[DecisionNode],
    class: &Class,
    contributing: &mut Vec<usize>,
) -> Vec<RowStep> {
    let mut row_steps = end_at("stop", steps(nodes, class, &[], contributing));
    defer_reconsume(&mut row_steps);
    row_steps
}

/// Removes the steps that skip a character after the current one, of which a row that matches a text implies
/// `skip_count`. On a path that stops or moves the position back it implies none. Other numbers are left as steps that
/// no table has.
fn settle_position(steps: &mut Vec<RowStep>, skip_count: usize) {
    let skip = RowStep::act("skip-next");
    let found_count = steps.iter().filter(|step| **step == skip).count();
    let moves_back = steps.contains(&RowStep::Reconsume);
    if found_count > skip_count || found_count > 0 && moves_back {
        return;
    }
    steps.retain(|step| *step != skip);
    if steps.iter().any(ends_path) {
        return;
    }
    let missing_count = skip_count - found_count;
    match steps.last_mut() {
        Some(RowStep::When(_, then, otherwise)) => {
            settle_position(then, missing_count);
            settle_position(otherwise, missing_count);
        }
        _ => steps.extend(vec![RowStep::act(EXCESSIVE); missing_count]),
    }
}

/// Returns the steps for inputs of a class, given the conditions that are known to hold, and adds the indices of their
/// sentences to `contributing`.
fn steps(
    nodes: &[DecisionNode],
    class: &Class,
    known: &[String],
    contributing: &mut Vec<usize>,
) -> Vec<RowStep> {
    let mut row_steps = Vec::new();
    for node in nodes {
        match node {
            DecisionNode::Unread(index) => contributing.push(*index),
            DecisionNode::Steps(steps, index) => {
                if !steps.is_empty() {
                    contributing.push(*index);
                }
                let is_letter = |&(first, _): &(char, char)| first.is_ascii_alphabetic();
                let has_case = class.ranges.iter().any(is_letter);
                row_steps.extend(steps.iter().map(|step| match step {
                    RowStep::Act(action) if !has_case => {
                        RowStep::Act(action.replace(APPEND_LOWER, "append current "))
                    }
                    other => other.clone(),
                }));
            }
            DecisionNode::Decision(test, then, otherwise, index) => {
                match simplify(test, class, known) {
                    Test::Constant(holds) => row_steps.extend(steps(
                        if holds { then } else { otherwise },
                        class,
                        known,
                        contributing,
                    )),
                    test => {
                        contributing.push(*index);
                        let with_implied =
                            |holds| [known, &implied_conditions(&test, holds)].concat();
                        let then = steps(then, class, &with_implied(true), contributing);
                        let otherwise = steps(otherwise, class, &with_implied(false), contributing);
                        if then == otherwise {
                            row_steps.extend(then);
                        } else {
                            row_steps.push(RowStep::When(conditions(test), then, otherwise));
                        }
                    }
                }
            }
        }
        if row_steps.contains(&RowStep::act("stop")) {
            break;
        }
    }
    row_steps
}

/// Moves each `Reconsume` to the end of every path that follows it.
fn defer_reconsume(steps: &mut Vec<RowStep>) {
    for step in steps.iter_mut() {
        if let RowStep::When(_, then, otherwise) = step {
            defer_reconsume(then);
            defer_reconsume(otherwise);
        }
    }
    let count = steps.len();
    steps.retain(|step| *step != RowStep::Reconsume);
    if steps.len() < count {
        push_where_open(steps, &RowStep::Reconsume);
    }
}

/// Whether a step stops or moves the position back.
fn ends_path(step: &RowStep) -> bool {
    match step {
        RowStep::Act(action) => matches!(&action[..], "stop" | "go-back"),
        other => *other == RowStep::Reconsume,
    }
}

/// Appends a step at the end of each path that neither stops nor moves the position.
fn push_where_open(steps: &mut Vec<RowStep>, step: &RowStep) {
    if steps.iter().any(ends_path) {
        return;
    }
    match steps.last_mut() {
        Some(RowStep::When(_, then, otherwise)) => {
            push_where_open(then, step);
            push_where_open(otherwise, step);
        }
        _ => steps.push(step.clone()),
    }
}
