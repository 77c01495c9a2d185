import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DepartingMail, Departure } from "../delivery/departure.ts";
import { outboxFile } from "./outboxFile.ts";

/** The envelope as the first two lines of the kept mail. */
const envelopeLines = ({ envelopeSender, recipient }: DepartingMail): string =>
  `X-Outbox-From: ${envelopeSender === "" ? "<>" : envelopeSender}\r\nX-Outbox-To: ${recipient}\r\n`;

const sync = async (path: string): Promise<void> => {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const writeDurably = async (folder: string, name: string, pieces: readonly Uint8Array[]): Promise<void> => {
  const unfinished = join(folder, `.${name}.part`);
  const handle = await open(unfinished, "w", 0o600);
  try {
    for (const piece of pieces) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, join(folder, name));
  await sync(folder);
};

/** Makes the folder, and makes sure that it is still there after a power cut. */
const prepare = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await sync(dirname(folder));
};

/**
 * Keeps every mail as a file in `folder` instead of sending it (D39). A mail is there whole or not at all, also after
 * a power cut, and under the same name however often it is tried.
 */
export const outboxDeparture = (folder: string): Departure => {
  let prepared = false;
  return {
    send: async (mail) => {
      try {
        if (!prepared) await prepare(folder);
        prepared = true;
        await writeDurably(folder, outboxFile(mail), [Buffer.from(envelopeLines(mail)), mail.content]);
        return { kind: "delivered", answer: "kept in the outbox" };
      } catch (error) {
        prepared = false;
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
        return { kind: "temporary", answer: `the outbox cannot be written: ${code}` };
      }
    },
    abandon: () => {},
  };
};
