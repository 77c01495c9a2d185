import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeWords } from "postal-mime";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import { decodeHeaderText } from "../../mime/headerText.ts";
import { errorCode } from "../../platform/errors/errorCode.ts";

const extension = ".eml";
const entryId = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-[A-Za-z0-9_-]{1,40}$/;

/** Returns a mail's file name, the queue time and its id, so that names sort by time. */
export const outboxFileName = (mail: { readonly id: string; readonly createdAt: number }): string =>
  `${new Date(mail.createdAt).toISOString().replace(/[-:.]/g, "")}-${mail.id}${extension}`;

const idOfFileName = (name: string): string | null => {
  const id = name.endsWith(extension) ? name.slice(0, -extension.length) : "";
  return entryId.test(id) ? id : null;
};

/** Null when the text is not an id, which prevents access to other files. */
const fileNameOfId = (id: string): string | null => (entryId.test(id) ? `${id}${extension}` : null);

/** Returns when the mail was queued, in milliseconds since 1970. */
const timeOfId = (id: string): number => {
  const [, year, month, day, hour, minute, second, millisecond] = entryId.exec(id) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
};

/** A stored mail as the list shows it. */
export interface OutboxEntry {
  readonly id: string;
  /** The time at which the mail was queued, in milliseconds since 1970. */
  readonly at: number;
  /** Empty for the null sender. */
  readonly envelopeSender: string;
  readonly recipient: string;
  /** Decoded From field. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** True if reading the text requires a key (PGP/MIME, RFC 3156). */
  readonly isEncrypted: boolean;
  /** Bytes, including the two envelope fields. */
  readonly size: number;
}

/** Reads the stored mails. */
export interface Outbox {
  /** Returns the newest mails first, at most `atMost` (default 200). Reads only the beginning of each file. */
  readonly list: (atMost?: number) => Promise<readonly OutboxEntry[]>;
  /** Returns the whole mail after its two envelope fields; null when no mail has that id. Any text is a safe id. */
  readonly read: (
    id: string,
  ) => Promise<{ readonly entry: OutboxEntry; readonly content: Uint8Array } | null>;
}

const headBytes = 64 * 1024;
const defaultListLength = 200;

const toEntry = (id: string, head: Buffer, size: number): OutboxEntry => {
  const header = readHeaderBlock(head);
  const value = (name: string): string => {
    const field = header?.fields.find((candidate) => candidate.name === name);
    const text = field ? decodeHeaderText(head.subarray(field.valueStart, field.end)) : "";
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

const nullIfMissing = (error: unknown): null => {
  if (errorCode(error) === "ENOENT") return null;
  throw error;
};

const readHead = async (path: string): Promise<{ head: Buffer; size: number } | null> => {
  const handle = await open(path, "r").catch(nullIfMissing);
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

/** Creates the reader of the outbox in `folder`, which does not have to exist. */
export const createOutbox = (folder: string): Outbox => ({
  list: async (atMost = defaultListLength) => {
    const names = (await readdir(folder).catch(nullIfMissing)) ?? [];
    const newest = names
      .map(idOfFileName)
      .filter((id) => id !== null)
      .sort()
      .reverse()
      .slice(0, atMost);
    const entries: OutboxEntry[] = [];
    for (const id of newest) {
      const read = await readHead(join(folder, `${fileNameOfId(id)}`));
      if (read) entries.push(toEntry(id, read.head, read.size));
    }
    return entries;
  },
  read: async (id) => {
    const file = fileNameOfId(id);
    const content = file ? await readFile(join(folder, file)).catch(nullIfMissing) : null;
    return content ? { entry: toEntry(id, content.subarray(0, headBytes), content.length), content } : null;
  },
});
