// The extension for VS Code: it starts `isospin lsp` and `isospin dap`, and leaves everything else to them.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function settings() {
  const configuration = vscode.workspace.getConfiguration("isospin");
  return {
    definitions: configuration.get("definitions"),
    includeDirectories: configuration.get("includeDirectories"),
  };
}

async function start() {
  const command = vscode.workspace.getConfiguration("isospin").get("path");
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("isospin", "isospin", server, {
    documentSelector: [{ language: "promela" }],
    initializationOptions: settings(),
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`isospin cannot be started (setting isospin.path): ${error.message}`);
  }
}

async function verifyModel() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client) return;
  await editor.document.save();
  try {
    await client.sendRequest("workspace/executeCommand", {
      command: "isospin.verify",
      arguments: [editor.document.uri.toString()],
    });
  } catch (error) {
    vscode.window.showErrorMessage(error.message);
  }
}

const debuggers = {
  createDebugAdapterDescriptor() {
    const command = vscode.workspace.getConfiguration("isospin").get("path");
    return new vscode.DebugAdapterExecutable(command, ["dap"]);
  },
};

async function activate(context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("isospin", debuggers),
    vscode.commands.registerCommand("isospin.verifyModel", verifyModel),
    vscode.commands.registerCommand("isospin.restart", async () => {
      await client?.stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("isospin")) {
        client?.sendNotification("workspace/didChangeConfiguration", { settings: { isospin: settings() } });
      }
    }),
  );
  await start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
