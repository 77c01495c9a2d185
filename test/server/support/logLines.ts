import { Writable } from "node:stream";
import { pino } from "pino";
import type { Log } from "../../../server/platform/ops/log.ts";
import { refuseBystander } from "../../support/bystanderMarker.ts";

/** A log in memory, written as the server writes its log. */
export interface LogLines {
  readonly log: Log;
  /** The lines as text. */
  readonly lines: readonly string[];
  /** The lines as values. */
  readonly entries: () => readonly Readonly<Record<string, unknown>>[];
}

/** Creates a log that keeps what it writes at a level and above. */
export const createLogLines = (level = "info"): LogLines => {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, written) => {
      refuseBystander("a line of the log", String(chunk));
      lines.push(...String(chunk).trimEnd().split("\n"));
      written();
    },
  });
  return {
    log: pino({ level, base: null }, stream),
    lines,
    entries: () => lines.map((line) => JSON.parse(line)),
  };
};
