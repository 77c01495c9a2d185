import { domainOf } from "../../../core/mail/emailAddress.ts";
import type { LogCause, LogDetail, LogMode } from "../../../core/mailLog/logEntry.ts";
import type { NewLogEntry } from "./logQueries.ts";
import { createLogRefused, createToEntry, type LogEntryDeps } from "./refusedEntries.ts";

/** Returns the part of a correspondent's address that the log may keep. */
export const shownAddress = (mode: LogMode, address: string): string =>
  mode === "address" ? address : domainOf(address).toLowerCase();

/** The sender of a mail from a mask, and what the owner's log keeps. */
export interface LoggedSender {
  readonly userId: string;
  /** Empty when it comes from none of the user's masks. */
  readonly maskId: string;
  readonly log: LogMode;
}

/** A mail that an owner sends through a mask. */
export interface OutgoingFacts {
  readonly recipients: readonly string[];
  /** In bytes. */
  readonly size: number;
}

/** Logs the mail that owners send through their masks, for those who want that. */
export interface SentLog {
  /** Prepares the entry of a mail before it is queued; null when it is not logged. Never rejects. */
  readonly prepare: (sender: LoggedSender, mail: OutgoingFacts) => Promise<NewLogEntry | null>;
  /** Logs a mail that is refused with a reply, without waiting for it. */
  readonly refused: (sender: LoggedSender, mail: OutgoingFacts, cause: LogCause, reply: string) => void;
}

const detailOf = (
  { log }: LoggedSender,
  { recipients, size }: OutgoingFacts,
  cause: LogCause,
): LogDetail => ({
  from: "",
  to: [...new Set(recipients.map((address) => shownAddress(log, address)))],
  size,
  cause,
});

/** Creates the function that prepares the entry of a sent mail. */
export const createPrepareSent = (
  deps: Pick<LogEntryDeps, "seal" | "clock" | "random">,
): SentLog["prepare"] => {
  const toEntry = createToEntry(deps);
  return async (sender, mail) =>
    sender.log === "off"
      ? null
      : toEntry({ ...sender, direction: "sent" }, detailOf(sender, mail, "sent")).catch(() => null);
};

/** Creates the log of sent mail. Where no user has turned the log on it does nothing. */
export const createSentLog = (deps: LogEntryDeps): SentLog => {
  const logRefused = createLogRefused(deps);
  return {
    prepare: createPrepareSent(deps),
    refused: (sender, mail, cause, reply) => {
      if (sender.log !== "off")
        logRefused({ ...sender, direction: "sent" }, null, () => ({
          ...detailOf(sender, mail, cause),
          reply,
        }));
    },
  };
};
