import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeWords } from "postal-mime";
import { readHeaderBlock } from "../relay/headerBlock.ts";
import { textOf } from "../relay/headerText.ts";
import { fileOfId, idOfFile, timeOfId } from "./outboxFile.ts";

/** A kept mail as the list shows it. */
export interface OutboxEntry {
  readonly id: string;
  /** When it was queued. */
  readonly at: number;
  /** The envelope sender; empty for the null sender. */
  readonly envelopeSender: string;
  readonly recipient: string;
  /** Of the header: decoded, for people to read. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** Its text can be read with a key alone (PGP/MIME, RFC 3156). */
  readonly isEncrypted: boolean;
  /** Bytes, the two envelope lines included. */
  readonly size: number;
}

/** Reads the kept mails. */
export interface Outbox {
  /** Newest first, at most `atMost` (200). Reads heads alone, so it costs little with large mails. */
  readonly list: (atMost?: number) => Promise<readonly OutboxEntry[]>;
  /** The whole mail, its two envelope lines first; null when there is none of that id, whatever text the id is. */
  readonly read: (
    id: string,
  ) => Promise<{ readonly entry: OutboxEntry; readonly content: Uint8Array } | null>;
}

const headBytes = 64 * 1024;
const listed = 200;

const entryOf = (id: string, head: Buffer, size: number): OutboxEntry => {
  const header = readHeaderBlock(head);
  const value = (name: string): string => {
    const field = header?.fields.find((candidate) => candidate.name === name);
    const text = field ? textOf(head.subarray(field.valueStart, field.end)) : "";
    return decodeWords(text.replace(/\r?\n/g, "")).trim();
  };
  const sender = value("x-outbox-from");
  return {
    id,
    at: timeOfId(id),
    envelopeSender: sender === "<>" ? "" : sender,
    recipient: value("x-outbox-to"),
    from: value("from"),
    to: value("to"),
    subject: value("subject"),
    isEncrypted: /^multipart\/encrypted\b/i.test(value("content-type")),
    size,
  };
};

const absent = (error: unknown): null => {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
};

const readHead = async (path: string): Promise<{ head: Buffer; size: number } | null> => {
  const handle = await open(path, "r").catch(absent);
  if (!handle) return null;
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(Math.min(size, headBytes));
    await handle.read(head, 0, head.length, 0);
    return { head, size };
  } finally {
    await handle.close();
  }
};

/** The outbox in `folder`, which need not exist. */
export const makeOutbox = (folder: string): Outbox => ({
  list: async (atMost = listed) => {
    const names = (await readdir(folder).catch(absent)) ?? [];
    const newest = names
      .map(idOfFile)
      .filter((id) => id !== null)
      .sort()
      .reverse()
      .slice(0, atMost);
    const entries: OutboxEntry[] = [];
    for (const id of newest) {
      const read = await readHead(join(folder, `${fileOfId(id)}`));
      if (read) entries.push(entryOf(id, read.head, read.size));
    }
    return entries;
  },
  read: async (id) => {
    const file = fileOfId(id);
    const content = file ? await readFile(join(folder, file)).catch(absent) : null;
    return content ? { entry: entryOf(id, content.subarray(0, headBytes), content.length), content } : null;
  },
});
