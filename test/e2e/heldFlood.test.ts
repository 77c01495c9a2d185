import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { domainOf } from "../../core/mail/emailAddress.ts";
import { openDatabase } from "../../server/platform/store/database.ts";
import { sqliteEngine } from "../../server/platform/store/sqlite.ts";
import { addMask, addOwner } from "../server/support/owners.ts";
import { startSink } from "../server/support/sink.ts";
import { connectSmtp } from "../server/support/smtpClient.ts";
import { until } from "../server/support/until.ts";
import { skipWithout } from "../support/missing.ts";
import { type RunningServer, startServer } from "./support/server.ts";

const megabyte = 1_000_000;
/** The flood, and the disk that it does not fill. */
const flood = { mails: 14, bytes: 24 * megabyte, atATime: 7, diskMb: 320 };
const line = `${"x".repeat(998)}\r\n`;
const letter = (bytes: number): string =>
  `From: News <n@news.example>\r\nSubject: A flood\r\n\r\n${line.repeat(Math.ceil(bytes / line.length))}`;

describe("the product on a small disk", () => {
  it("keeps what it has room for of a flood of large mail to one mask, and takes the mail of others", async function () {
    const place = mkdtempSync(join(tmpdir(), "bauta-flood-"));
    const mounted = spawnSync("mount", [
      "-t",
      "tmpfs",
      "-o",
      `size=${flood.diskMb}m,mode=700`,
      "tmpfs",
      place,
    ]);
    if (mounted.status !== 0) skipWithout(this, "the right to mount a file system");
    const sink = await startSink();
    let server: RunningServer | undefined;
    try {
      const database = await openDatabase(sqliteEngine(join(place, "bauta.db")));
      const victim = await addMask(database.db, await addOwner(database.db, "self_hosted"));
      await database.db.updateTable("masks").set({ sender_mode: "approve" }).execute();
      const other = await addMask(database.db, await addOwner(database.db, "self_hosted"));
      await database.close();
      const running = await startServer({
        DATA_DIR: place,
        MASK_DOMAIN: domainOf(victim.email),
        NEXT_HOP: `smtp://127.0.0.1:${sink.port}`,
      });
      server = running;
      const send = async (to: string, content: string): Promise<string> => {
        const client = await connectSmtp(running.smtpPort);
        const answer = await client.mail("n@news.example", [to], content);
        client.destroy();
        return answer;
      };
      const large = letter(flood.bytes);
      const answers: string[] = [];
      const meanwhile: string[] = [];
      while (answers.length < flood.mails) {
        const batch = Array.from({ length: flood.atATime }, () => send(victim.email, large));
        meanwhile.push(await send(other.email, letter(1_000)));
        answers.push(...(await Promise.all(batch)));
      }
      const taken = answers.filter((answer) => answer.startsWith("250")).length;
      const used = (): number => {
        const { bsize, blocks, bavail } = statfsSync(place);
        return Math.round(((blocks - bavail) * bsize) / megabyte);
      };
      expect(
        answers.every((answer) => /^(?:250|452 4\.(?:2\.2|3\.1)) /.test(answer)),
        answers.join(),
      ).to.equal(true);
      expect(taken).to.be.within(1, 3);
      await until("what was refused is gone from the disk", () => used() < flood.diskMb / 3);
      expect(meanwhile.every((answer) => answer.startsWith("250"))).to.equal(true);
      expect(await send(other.email, letter(1_000))).to.match(/^250/);
      expect(await send(victim.email, large)).to.match(/^452 4\.2\.2/);
      await until("the mail of others has arrived", () => sink.mails.length === meanwhile.length + 1);
    } finally {
      await server?.stop("SIGKILL");
      await sink.close();
      spawnSync("umount", ["-l", place]);
      rmSync(place, { recursive: true, force: true });
    }
  });
});
