import { Argument, type Command } from "commander";
import { createFileStorage } from "../../adapters/node/fileStorage.ts";
import { localPartOf } from "../../core/mail/emailAddress.ts";
import { storedKeys } from "../../core/storage/storedKeys.ts";
import { declare, outputOf } from "../command.ts";
import { type CompletedShell, completedShells, completionScript } from "../completionScript.ts";
import { readLogin } from "../login/savedLogin.ts";
import { serverFolder } from "../login/stateFolder.ts";

const wordsName = "mask-words";

/** The addresses of the masks that were seen last, without asking the server. */
const knownAddresses = (): readonly string[] => {
  const login = readLogin();
  if (login === null) return [];
  const text = createFileStorage(serverFolder(login.server)).read(storedKeys.cachedMasks.name) ?? "";
  return [...text.matchAll(/"maskEmail":"([^"\\]+)"/g)].map(([, address = ""]) => address);
};

/** Creates the command that prints the completion of `program`, and the one that completes masks. */
export const completionCommands = (program: () => Command): readonly (readonly [Command, boolean])[] => [
  [
    declare(
      "completion",
      "Print the completion of commands, options and masks for a shell",
      { call: 'eval "$(bauta-cli completion bash)"', does: "in ~/.bashrc; for zsh in ~/.zshrc" },
      {
        call: "bauta-cli completion fish > ~/.config/fish/completions/bauta-cli.fish",
        does: "for fish",
      },
    )
      .addArgument(new Argument("<shell>", "the shell").choices(completedShells))
      .action((shell: CompletedShell, _options: unknown, command: Command) => {
        const script = completionScript(program(), shell, { mask: `bauta-cli ${wordsName}` });
        outputOf(command).print({
          value: { script },
          quiet: script.split("\n"),
          lines: () => script.split("\n"),
        });
      }),
    false,
  ],
  [
    declare(wordsName, "Print the names of the masks that were seen last").action(
      (_options: unknown, command: Command) => {
        const names = [...new Set(knownAddresses().map(localPartOf))];
        outputOf(command).print({ value: names, quiet: names, lines: () => names });
      },
    ),
    true,
  ],
];
