import { mkdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import type { Subject } from "./subject.ts";

/**
 * Starts a minimal careful server: each mail is a file that is synced before the answer. The folder is not
 * synced, so a power cut may still lose the file's name; nothing is looked up or counted.
 */
export const startPeer = async (folder: string): Promise<Subject> => {
  mkdirSync(folder, { recursive: true });
  let count = 0;
  const keep = async (content: Buffer): Promise<void> => {
    count += 1;
    const handle = await open(join(folder, `${count}.eml`), "w");
    await handle.writeFile(content);
    await handle.sync();
    await handle.close();
  };
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onData: (stream, _session, answer) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        keep(Buffer.concat(chunks)).then(() => answer(), answer);
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  return {
    name: "smtp-server, one synced file per mail",
    port: typeof address === "object" && address ? address.port : 0,
    recipient: "anyone@masks.example",
    commits: () => count,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
