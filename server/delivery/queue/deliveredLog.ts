import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import type { Database } from "../../platform/store/database.ts";
import { recordSteps } from "../mailLog/logQueries.ts";
import { removeKept } from "./keptBytes.ts";
import { deleteBodies } from "./queueBodies.ts";

/**
 * A file with the ids of mails that the next hop has accepted and whose rows do not say so yet. It is written at once
 * and without a sync, so that a process that is killed before its next commit does not send them again; only a power
 * cut can lose the newest lines.
 */
export interface DeliveredLog {
  /**
   * Remembers an id. Writes it down unless the sending thread has (`isWritten`); ids of one turn of the event loop
   * share a write.
   */
  readonly add: (id: string, isWritten: boolean) => void;
  /** Called when the row of a mail says that it was delivered. */
  readonly remove: (id: string) => void;
  /** Hands over the ids that an earlier process has left, and forgets them once they are recorded. */
  readonly recover: (record: (ids: readonly string[]) => Promise<void>) => Promise<void>;
  readonly close: () => void;
}

const answer = "250 2.0.0 Accepted before this server was stopped";
/** Ids in one statement. */
const recordedTogether = 500;

/** Marks mails that an earlier process has delivered; returns those of their bodies that are to be removed elsewhere. */
export const recordDelivered = async (
  database: Database,
  ids: readonly string[],
  now: number,
): Promise<readonly string[]> => {
  const files: string[] = [];
  for (let from = 0; from < ids.length; from += recordedTogether) {
    const removed = await database.transaction(async (tx) => {
      const waiting = await tx
        .selectFrom("queue")
        .where("id", "in", ids.slice(from, from + recordedTogether))
        .where("status", "=", "waiting")
        .select([
          "id",
          "body_id as bodyId",
          "user_id as userId",
          "log_id as entryId",
          "network",
          "counted",
          "size",
        ])
        .execute();
      if (waiting.length === 0) return [];
      await tx
        .updateTable("queue")
        .set({
          status: "delivered",
          content: null,
          body_id: null,
          lease: null,
          report_to: null,
          network: null,
          counted: 0,
          last_answer: answer,
          finished_at: now,
        })
        .where(
          "id",
          "in",
          waiting.map(({ id }) => id),
        )
        .execute();
      await removeKept(
        tx,
        waiting.flatMap(({ userId, network, counted, size }) =>
          userId && counted === 1 ? [{ userId, network, bytes: size }] : [],
        ),
      );
      const logged = waiting.flatMap(({ id, userId, entryId }) =>
        userId && entryId ? [{ entryId, userId, copyId: id, state: "delivered" as const, detail: null }] : [],
      );
      await recordSteps(database, tx, logged, now);
      return deleteBodies(
        database,
        tx,
        waiting.flatMap(({ bodyId }) => bodyId ?? []),
      );
    });
    files.push(...removed);
  }
  return files;
};

/** Lines at which the file is written anew with the ids that still matter. */
const maxLines = 20_000;

const linesOf = (ids: Iterable<string>): string => Array.from(ids, (id) => `${id}\n`).join("");

/** Returns the function that writes an id to the log from another thread, and whether that succeeded. */
export const createDeliveredWriter = (path: string): ((id: string) => boolean) => {
  const file = openSync(path, "a", 0o600);
  return (id) => {
    try {
      return writeSync(file, `${id}\n`) > 0;
    } catch {
      return false;
    }
  };
};

/** Opens the log in a file, which no other process uses. */
export const openDeliveredLog = (path: string): DeliveredLog => {
  const file = openSync(path, "a", 0o600);
  const known = new Set<string>();
  let unwritten: string[] = [];
  let lines = 0;

  const write = (): void => {
    const ids = unwritten;
    unwritten = [];
    lines += ids.length;
    try {
      if (known.size === 0 || lines > maxLines) {
        ftruncateSync(file, 0);
        lines = known.size;
        writeSync(file, linesOf(known));
      } else writeSync(file, linesOf(ids));
    } catch {
      // A full disk: these mails are recorded by their commit alone.
    }
  };

  return {
    add: (id, isWritten) => {
      known.add(id);
      if (isWritten && lines < maxLines) {
        lines += 1;
        return;
      }
      if (unwritten.length === 0) queueMicrotask(write);
      unwritten.push(id);
    },
    remove: (id) => {
      known.delete(id);
    },
    recover: async (record) => {
      const ids = readFileSync(path, "utf8").split("\n").slice(0, -1);
      if (ids.length === 0) return;
      await record([...new Set(ids)]);
      ftruncateSync(file, 0);
    },
    close: () => {
      try {
        if (known.size === 0) ftruncateSync(file, 0);
      } finally {
        closeSync(file);
      }
    },
  };
};
