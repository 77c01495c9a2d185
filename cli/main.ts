import { readFileSync, writeSync } from "node:fs";
import { CommanderError } from "commander";
import { exits, Stop } from "./exits.ts";
import { reasonOf } from "./files.ts";
import { plain } from "./output/text.ts";
import { createProgram } from "./program.ts";

const readVersion = (): string => {
  for (const path of ["./package.json", "../package.json"])
    try {
      return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")).version;
    } catch {
      // The built program stands a folder below.
    }
  return "unknown";
};

/** Ends the process once its output is written. */
const end = (exit: number): void => {
  process.stdout.write("", () => process.stderr.write("", () => process.exit(exit)));
};

/** Ends the process when its output fails; the reader, such as `head`, may have gone away. */
const endUnwritten = (error: NodeJS.ErrnoException): void => {
  if (error.code === "EPIPE") process.exit(exits.pipeClosed);
  try {
    writeSync(process.stderr.fd, `The output cannot be written${reasonOf(error)}.\n`);
  } catch {
    // There is no place left to say it.
  }
  process.exit(exits.failed);
};

for (const output of [process.stdout, process.stderr]) output.on("error", endUnwritten);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
    process.exit(exits.interrupted);
  });

const exitOf = (error: unknown): number => {
  if (error instanceof Stop) {
    if (error.message !== "") process.stderr.write(`${error.message.split("\n").map(plain).join("\n")}\n`);
    return error.exit;
  }
  // What commander says, it has written.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.usage;
  process.stderr.write(
    `The command failed: ${plain(error instanceof Error ? error.message : String(error))}\n`,
  );
  return exits.failed;
};

createProgram(readVersion())
  .parseAsync()
  .then(
    () => end(exits.done),
    (error: unknown) => end(exitOf(error)),
  );
