import { join } from "node:path";
import { cryptoRandom, systemClock } from "../../adapters/system/clockAndRandom.ts";
import { completionScript } from "../../cli/completionScript.ts";
import { readVersion } from "../features/operator/version.ts";
import { SettingError } from "../platform/config/settings.ts";
import { adoptCommand } from "./adoptCommand.ts";
import { createProgram, type RunCommand, runProgram } from "./arguments.ts";
import { backupCommands } from "./backupCommands.ts";
import { type Command, CommandError, UsageError } from "./command.ts";
import { dkimCommands } from "./dkimCommands.ts";
import { dnsCommand } from "./dnsCommand.ts";
import { doctorCommand } from "./doctorCommand.ts";
import { fileProblem } from "./fileProblem.ts";
import { inviteCommand } from "./inviteCommand.ts";
import { loadCommand } from "./load/loadCommand.ts";
import { queueCommands } from "./queueCommands.ts";
import { seedCommand } from "./seedCommand.ts";
import { setupCommand } from "./setupCommand.ts";
import { createTerminal } from "./terminal.ts";
import { userCommands } from "./userCommands.ts";

const completion: Command = {
  name: "completion",
  summary: 'Print the completion for bash: eval "$(bauta completion)"',
  run: async ({ terminal }) => {
    const script = completionScript(program, "bash");
    terminal.print(script, [script]);
    return 0;
  },
};

const version: Command = {
  name: "version",
  summary: "Print the version of Bauta, and of the Node that it runs on",
  run: async ({ terminal }) => {
    const bauta = await readVersion(join(import.meta.dirname, "../.."));
    terminal.print({ bauta, node: process.versions.node }, [
      `bauta ${bauta} (Node ${process.versions.node})`,
    ]);
    return 0;
  },
};

const commands: readonly Command[] = [
  setupCommand,
  doctorCommand,
  dnsCommand,
  ...userCommands,
  inviteCommand,
  ...queueCommands,
  ...dkimCommands,
  ...backupCommands,
  adoptCommand,
  seedCommand,
  loadCommand,
  completion,
  version,
];

const runCommand =
  (onEnd: (code: number) => void): RunCommand =>
  async (command, given) => {
    const code = await command.run({
      ...given,
      terminal: createTerminal(given.flag("json")),
      environment: process.env,
      clock: systemClock,
      random: cryptoRandom,
    });
    onEnd(code);
  };

const program = createProgram(
  commands,
  runCommand((code) => {
    process.exitCode = code;
  }),
);

const codeOf = (error: unknown): number => {
  if (error instanceof UsageError) return 2;
  return error instanceof SettingError ? 78 : 1;
};

// The reader of the output, such as `head`, may go away.
for (const output of [process.stdout, process.stderr]) output.on("error", () => {});

runProgram(program, process.argv.slice(2)).catch((error: unknown) => {
  const isOurs = [UsageError, CommandError, SettingError].some((kind) => error instanceof kind);
  const text = error instanceof Error ? error.message : String(error);
  const sentence = isOurs ? text : (fileProblem(error) ?? `The command failed: ${text}`);
  process.stderr.write(`${sentence}\n`);
  process.exitCode = codeOf(error);
});
