//! Writes the JavaScript bindings of a compiled engine, and the engine itself, to a folder: `pack ENGINE.wasm FOLDER`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, folder] = &arguments[..] else {
        eprintln!("usage: pack ENGINE.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen.input_path(engine).out_name("engine").typescript(false).remove_name_section(true);
    let result = bindgen.web(true).and_then(|bindgen| bindgen.generate(folder));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{engine}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
