//! Writes the files of the browser page for the compiled engine: `pack ENGINE.wasm FOLDER`. They can be served by any
//! static file server.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, folder] = &arguments[..] else {
        eprintln!("usage: pack ENGINE.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut maker = wasm_bindgen_cli_support::Bindgen::new();
    maker.input_path(engine).out_name("engine").typescript(false).remove_name_section(true);
    let made = maker.web(true).and_then(|maker| maker.generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{engine}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
