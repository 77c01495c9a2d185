import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../../platform/errors/errorCode.ts";
import { maxBytesInMemory } from "../../platform/spool/arrivingContent.ts";
import type { Transport, TransportMail } from "../transport.ts";
import { outboxFileName } from "./outbox.ts";

const envelopeLines = ({ envelopeSender, recipient }: TransportMail): string =>
  `X-Outbox-From: ${envelopeSender === "" ? "<>" : envelopeSender}\r\nX-Outbox-To: ${recipient}\r\n`;

const sync = async (path: string): Promise<void> => {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const writeDurably = async (folder: string, name: string, mail: TransportMail): Promise<void> => {
  const unfinished = join(folder, `.${name}.part`);
  const handle = await open(unfinished, "w", 0o600);
  try {
    await handle.writeFile(envelopeLines(mail));
    for await (const chunk of mail.chunks()) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, join(folder, name));
  await sync(folder);
};

/** Creates the folder durably (synced to disk). */
const prepare = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await sync(dirname(folder));
};

/**
 * Creates a transport that stores each mail as a file in `folder` (D39). A file is complete or absent, also
 * after a power cut; a retry writes the same file name. While there is no room for large mail, large mail waits.
 */
export const createOutboxTransport = (
  folder: string,
  hasRoomForLarge: () => boolean = () => true,
): Transport => {
  let prepared = false;
  return {
    send: async (mail) => {
      if (mail.size > maxBytesInMemory && !hasRoomForLarge())
        return { kind: "temporary", answer: "the outbox has no room: delete mail there, or set NEXT_HOP" };
      try {
        if (!prepared) await prepare(folder);
        prepared = true;
        await writeDurably(folder, outboxFileName(mail), mail);
        return { kind: "delivered", answer: "kept in the outbox" };
      } catch (error) {
        prepared = false;
        const code = errorCode(error) || "unknown error";
        return { kind: "temporary", answer: `the outbox cannot be written: ${code}` };
      }
    },
    abort: () => {},
  };
};
