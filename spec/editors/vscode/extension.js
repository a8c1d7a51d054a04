// Starts the language server for tables and stops it. It knows nothing of tables; the server does.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async () => {
  const [command, ...args] = workspace.getConfiguration("tabulex").get("server");
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  client = new LanguageClient(
    "tabulex",
    "tabulex tables",
    { command, args, options: { cwd: folder } },
    { documentSelector: [{ scheme: "file", language: "tabulex" }] },
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
