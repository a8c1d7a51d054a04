//! Readable form of a machine's configuration, for traces.

use super::Configuration;
use tabulex_language::model::{DeclaredToken, Machine};

/// Returns the registers of a configuration by name; those with their initial value are empty.
pub fn registers(machine: &Machine, configuration: &Configuration) -> Vec<(String, String)> {
    let quoted = |text: &str| if text.is_empty() { String::new() } else { format!("{text:?}") };
    let state = |state| machine.state(state).name.clone();
    let mut list = vec![
        ("temporary-buffer".to_owned(), quoted(&configuration.temporary_buffer)),
        ("return-state".to_owned(), configuration.return_state.map(state).unwrap_or_default()),
        ("caller".to_owned(), configuration.caller.map(state).unwrap_or_default()),
        (
            "additional-allowed-character".to_owned(),
            configuration
                .additional_allowed_character
                .map(|it| format!("{it:?}"))
                .unwrap_or_default(),
        ),
        (
            "character-reference-code".to_owned(),
            if configuration.number == 0 {
                String::new()
            } else {
                format!("0x{:X}", configuration.number)
            },
        ),
        (
            "last-start-tag".to_owned(),
            configuration.last_start_tag.as_deref().map(quoted).unwrap_or_default(),
        ),
    ];
    let tag = configuration.tag.as_ref().map(|(is_end_tag, name)| {
        let attributes = configuration
            .pending
            .attributes
            .0
            .iter()
            .map(|(name, value)| format!(" {name}={value:?}"));
        let slash = if *is_end_tag { "/" } else { "" };
        format!(
            "<{slash}{name}{}{}",
            attributes.collect::<String>(),
            if configuration.pending.self_closing { "/" } else { "" }
        )
    });
    list.push(("tag".to_owned(), tag.unwrap_or_default()));
    list.push((
        "comment".to_owned(),
        configuration.pending.comment.as_deref().map(|it| format!("{it:?}")).unwrap_or_default(),
    ));
    let doctype = configuration.pending.doctype.as_ref().map(|(texts, force)| {
        format!(
            "{}{}",
            texts
                .iter()
                .map(|it| it.as_deref().map_or("-".to_owned(), |it| format!("{it:?}")))
                .collect::<Vec<_>>()
                .join(" "),
            if *force { " force-quirks" } else { "" }
        )
    });
    list.push(("doctype".to_owned(), doctype.unwrap_or_default()));
    let instruction = configuration.pending.processing_instruction.as_ref();
    list.push((
        "processing-instruction".to_owned(),
        instruction.map(|(target, data)| format!("{target:?} {data:?}")).unwrap_or_default(),
    ));
    let pushed = configuration.pushed.states.iter().map(|&state| machine.state(state).name.clone());
    list.push(("pushed states".to_owned(), pushed.collect::<Vec<_>>().join(" ")));
    for (token, texts) in machine.tokens.iter().zip(&configuration.pending.declared) {
        let shown = texts.as_ref().map(|texts| fields(token, texts));
        list.push((token.name.clone(), shown.unwrap_or_default()));
    }
    for (flag, value) in machine.flags.iter().zip(&configuration.flags) {
        list.push((
            flag.name.clone(),
            if *value == 0 { String::new() } else { flag.values[usize::from(*value)].clone() },
        ));
    }
    list
}

/// Formats the non-empty fields of a token by name, or braces if there are none.
fn fields(token: &DeclaredToken, texts: &[String]) -> String {
    let fields = token.fields.iter().zip(texts).filter(|(_, text)| !text.is_empty());
    let shown: Vec<String> = fields.map(|((name, _), text)| format!("{name} {text:?}")).collect();
    match shown.is_empty() {
        true => "{}".to_owned(),
        false => format!("{{ {} }}", shown.join(", ")),
    }
}

/// Returns the registers that have changed, with their new values.
pub fn changed_registers<'a>(
    before: &[(String, String)],
    after: &'a [(String, String)],
) -> Vec<&'a (String, String)> {
    let was = |name: &str| {
        before.iter().find(|(other, _)| other == name).map_or("", |(_, value)| &value[..])
    };
    after.iter().filter(|(name, value)| was(name) != *value).collect()
}

/// Shortens names of elements by omitting the common namespace; a marker of the list of active formatting elements is a
/// vertical bar.
pub fn short_names(names: Vec<String>) -> Vec<String> {
    let short = |name: String| match name.split_once(' ') {
        Some((name, "xhtml" | "")) => name.to_owned(),
        Some((name, namespace)) => format!("{namespace}:{name}"),
        None => "|".to_owned(),
    };
    names.into_iter().map(short).collect()
}
