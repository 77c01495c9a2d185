import { type Logger, pino } from "pino";

/** The operator's log. Never given addresses, subjects, bodies, codes or tokens. */
export type Log = Logger;

/** Writes JSON lines to standard output. */
export const makeLog = (level: string): Log => pino({ level, base: null });
