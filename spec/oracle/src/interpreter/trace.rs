//! Formats a machine's configuration for traces.

use super::Configuration;
use super::registers::DOCTYPE_FIELDS;
use tabulex_language::model::{DeclaredToken, Field, Machine};

/// Returns the name and the formatted value of each register of a configuration; an initial value is an empty string.
pub fn registers(machine: &Machine, configuration: &Configuration) -> Vec<(String, String)> {
    let Configuration { pending, .. } = configuration;
    let quote = |text: &str| format!("{text:?}");
    let quote_unless_empty = |text: &str| if text.is_empty() { String::new() } else { quote(text) };
    let state_name = |state| machine.state(state).name.clone();
    let code = configuration.number;
    let code = if code == 0 { String::new() } else { format!("0x{code:X}") };
    let tag = configuration.tag.as_ref().map(|(is_end_tag, name)| {
        let attributes = pending.attributes.0.iter();
        let attributes: String =
            attributes.map(|(name, value)| format!(" {name}={value:?}")).collect();
        let [before, after] =
            [*is_end_tag, pending.self_closing].map(|it| if it { "/" } else { "" });
        format!("<{before}{name}{attributes}{after}")
    });
    let text = |field: Field| pending.texts.get(&field).map(|text| quote(text));
    let doctype = pending.force_quirks.map(|force| {
        let texts = DOCTYPE_FIELDS.map(|field| text(field).unwrap_or("-".to_owned()));
        texts.join(" ") + if force { " force-quirks" } else { "" }
    });
    let instruction = [Field::ProcessingInstructionTarget, Field::ProcessingInstructionData];
    let instruction: Vec<String> = instruction.into_iter().filter_map(text).collect();
    let pushed: Vec<String> = configuration.pushed.states.iter().copied().map(state_name).collect();
    let list: [(&str, Option<String>); 11] = [
        ("temporary-buffer", Some(quote_unless_empty(&configuration.temporary_buffer))),
        ("return-state", configuration.return_state.map(state_name)),
        ("caller", configuration.caller.map(state_name)),
        (
            "additional-allowed-character",
            configuration.additional_allowed_character.map(|it| format!("{it:?}")),
        ),
        ("character-reference-code", Some(code)),
        ("last-start-tag", configuration.last_start_tag.as_deref().map(quote_unless_empty)),
        ("tag", tag),
        ("comment", text(Field::Comment)),
        ("doctype", doctype),
        ("processing-instruction", Some(instruction.join(" "))),
        ("pushed states", Some(pushed.join(" "))),
    ];
    let mut list: Vec<(String, String)> =
        list.map(|(name, value)| (name.to_owned(), value.unwrap_or_default())).into();
    for (token, texts) in machine.tokens.iter().zip(&pending.declared) {
        let formatted = texts.as_ref().map(|texts| fields(token, texts));
        list.push((token.name.clone(), formatted.unwrap_or_default()));
    }
    let flags = machine.flags.iter().zip(&configuration.flags);
    for (flag, value) in flags.filter(|(flag, _)| !flag.is_queried_from_host()) {
        list.push((
            flag.name.clone(),
            if *value == 0 { String::new() } else { flag.values[usize::from(*value)].clone() },
        ));
    }
    list
}

/// Formats the non-empty fields of a token with their names, in braces.
fn fields(token: &DeclaredToken, texts: &[String]) -> String {
    let fields = token.fields.iter().zip(texts).filter(|(_, text)| !text.is_empty());
    let formatted: Vec<String> =
        fields.map(|((name, _), text)| format!("{name} {text:?}")).collect();
    match formatted.is_empty() {
        true => "{}".to_owned(),
        false => format!("{{ {} }}", formatted.join(", ")),
    }
}

/// Returns the name and the new value of each register that differs between `before` and `after`.
pub fn changed_registers<'a>(
    before: &[(String, String)],
    after: &'a [(String, String)],
) -> Vec<&'a (String, String)> {
    let old_value = |name: &str| {
        before.iter().find(|(other, _)| other == name).map_or("", |(_, value)| &value[..])
    };
    after.iter().filter(|(name, value)| old_value(name) != *value).collect()
}

/// Shortens element names by omitting the default namespace. A marker of the list of active formatting elements becomes
/// a vertical bar.
pub fn short_names(names: Vec<String>) -> Vec<String> {
    let shorten = |name: String| match name.split_once(' ') {
        Some((name, "xhtml" | "")) => name.to_owned(),
        Some((name, namespace)) => format!("{namespace}:{name}"),
        None => "|".to_owned(),
    };
    names.into_iter().map(shorten).collect()
}
