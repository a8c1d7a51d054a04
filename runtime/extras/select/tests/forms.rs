//! Fields of forms: the cases of `forms.txt`, and the time for many forms.

use tabulex::select::Forms;
use tabulex::{Options, html};

#[test]
fn collects_submitted_fields() {
    let (mut markup, mut begins_case, mut count, mut failures) =
        (String::new(), true, 0, Vec::new());
    for line in include_str!("forms.txt").lines().filter(|line| !line.starts_with('#')) {
        let Some(expected) = line.strip_prefix("= ").or(line.strip_prefix("- ")) else {
            markup = if begins_case { line.to_owned() } else { markup + "\n" + line };
            begins_case = false;
            continue;
        };
        (begins_case, count) = (true, count + 1);
        let tree = html::parse(&format!("<!DOCTYPE html>{markup}"), Options::new()).tree;
        let id = expected.split(' ').next().unwrap_or_default();
        let fields = Forms::of(&tree).fields(tree.element_by_id(id).unwrap());
        let fields: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let actual = format!("{id} {}", fields.join(" | ")).replace('\n', "\\n");
        if actual.trim_end() != expected {
            failures.push(format!("{markup}\n{actual}\nbut {expected}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(count > 30, "only {count} cases, expected more than 30");
}

/// The fields of a form are found without inspecting the controls of other forms, and a direction that many controls
/// share is determined once.
#[test]
fn many_forms_and_controls_take_linear_time() {
    let form = "<form><input name=a value=1><select name=b><option>2</select></form>";
    let control = "<textarea name=a dirname=b></textarea>1";
    for (page, expected_count) in [
        (form.repeat(20_000), 40_000),
        (format!("<form dir=auto>{}", control.repeat(5000)), 10_000),
    ] {
        let tree = html::parse(&page, Options::new()).tree;
        let reads_before = tabulex::__private::reads();
        let forms = Forms::of(&tree);
        let elements = tree.root().descendants().filter(|node| node.local_name() == Some("form"));
        let count: usize = elements.map(|form| forms.fields(form).len()).sum();
        assert_eq!(count, expected_count);
        let reads = tabulex::__private::reads() - reads_before;
        assert!(
            0 < reads && reads < 30 * page.len() as u64,
            "{reads} reads of a page of {} bytes",
            page.len()
        );
    }
}
