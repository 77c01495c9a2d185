import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { program, until } from "./program.ts";

/** Runs a program in a pseudo-terminal of some columns, which Node cannot open by itself. */
const bridge = `
import fcntl, os, pty, select, struct, sys, termios
columns, command = int(sys.argv[1]), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execvp(command[0], command)
typed = 0
while True:
    ready, _, _ = select.select([terminal] + ([typed] if typed is not None else []), [], [])
    if terminal in ready:
        try:
            text = os.read(terminal, 65536)
        except OSError:
            break
        if not text:
            break
        os.write(1, text)
    if typed in ready:
        text = os.read(typed, 65536)
        if text:
            os.write(terminal, text)
        else:
            typed = None
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Whether pseudo-terminals can be opened here. */
export const hasPseudoTerminal = (): boolean => spawnSync("python3", ["-c", "import pty"]).status === 0;

/** A run of the command line as a person sees it. */
export interface TerminalRun {
  /** What is on the screen, with control sequences. */
  readonly shown: () => string;
  /** Waits for a text on the screen. */
  readonly sees: (text: string) => Promise<void>;
  readonly type: (text: string) => void;
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>;
}

/** Starts the command line in a terminal. */
export const runInTerminal = (
  environment: Readonly<Record<string, string>>,
  columns: number,
  ...words: readonly string[]
): TerminalRun => {
  const child = spawn("python3", ["-c", bridge, String(columns), process.execPath, program, ...words], {
    env: { TERM: "xterm-256color", ...environment },
  });
  let shown = "";
  child.stdout.on("data", (chunk) => {
    shown += chunk;
  });
  return {
    shown: () => shown,
    sees: (text) => until(() => shown.includes(text)),
    type: (text) => void child.stdin.write(text),
    ended: once(child, "close").then(([code]) => code as number | null),
  };
};
