import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createFileBodies } from "../../../server/delivery/queue/fileBodies.ts";
import { createSpool } from "../../../server/platform/spool/spoolFile.ts";
import { openDatabase } from "../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../server/platform/store/sqlite.ts";
import { longTestMs } from "../../support/limits.ts";
import { addMask, addOwner } from "../support/owners.ts";
import { readQueue } from "../support/queue.ts";
import { connectSmtp } from "../support/smtpClient.ts";
import { useTemporaryFolder } from "../support/temporaryFolder.ts";
import { until } from "../support/until.ts";

const entry = join(import.meta.dirname, "../support/relayProcess.ts");
const mails = 2_000;
const connections = 8;

interface Relay {
  readonly process: ChildProcess;
  readonly port: number;
}

const startRelay = async (folder: string): Promise<Relay> => {
  const child = spawn(process.execPath, [entry, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { process: child, port: Number(line.toString()) };
};

const kill = async ({ process: child }: Relay): Promise<void> => {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
};

const content = (id: number): string =>
  `From: Shop <orders@shop.example>\r\nSubject: Order ${id}\r\nX-Test-Id: ${id}\r\n\r\n${"Hello.\r\n".repeat(50)}`;

const testId = (mail: Buffer): number =>
  Number(/^X-Test-Id: (\d+)/m.exec(mail.toString("latin1", 0, 2_000))?.[1]);

describe("A server that is killed while it receives mail", () => {
  const folder = useTemporaryFolder();
  const started: ChildProcess[] = [];
  afterEach(() => {
    for (const child of started.splice(0)) child.kill("SIGKILL");
  });

  const start = async (): Promise<Relay> => {
    const relay = await startRelay(folder());
    started.push(relay.process);
    return relay;
  };

  it("loses none of 2,000 mails from 8 connections that it answered with 250", async function () {
    this.timeout(longTestMs);
    const open = () => openDatabase(sqliteEngine(join(folder(), "bauta.db")));
    const before = await open();
    const mask = await addMask(before.db, await addOwner(before.db, "business"));
    await before.close();

    const acknowledged = new Set<number>();
    const waiting = Array.from({ length: mails }, (_, id) => id);
    let relay = await start();
    let [kills, isUp] = [0, true];

    /** Behaves like a real sender: repeats every mail that was not answered with 250. */
    const sendFrom = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; ) {
        const client = await connectSmtp(relay.port).catch(() => null);
        try {
          while (client && id !== undefined) {
            const answer = await client.mail("orders@shop.example", [mask.email], content(id));
            if (answer.startsWith("250")) {
              acknowledged.add(id);
              id = waiting.shift();
            }
          }
        } catch {}
        client?.destroy();
        if (id !== undefined) await until("the server is back", () => isUp, 120_000);
      }
    };
    const killAt = async (count: number): Promise<void> => {
      await until(`${count} were answered`, () => acknowledged.size >= count, 120_000);
      isUp = false;
      await kill(relay);
      kills += 1;
      relay = await start();
      isUp = true;
    };

    await Promise.all([
      ...Array.from({ length: connections }, sendFrom),
      killAt(300)
        .then(() => killAt(1_000))
        .then(() => killAt(1_600)),
    ]);
    await kill(relay);
    expect([kills, acknowledged.size]).to.deep.equal([3, mails]);

    const database = await open();
    const rows = await readQueue(database.db, createFileBodies(database, createSpool(folder(), true)));
    const counted = await database.db.selectFrom("mask_statistics").selectAll().executeTakeFirstOrThrow();
    const left = rows.filter(({ status }) => status === "waiting");
    const outbox = join(folder(), "outbox");
    const files = existsSync(outbox) ? readdirSync(outbox).filter((name) => name.endsWith(".eml")) : [];
    const stored = new Set([
      ...left.map((row) => testId(row.content)),
      ...files.map((name) => testId(readFileSync(join(outbox, name)))),
    ]);
    expect([...acknowledged].filter((id) => !stored.has(id))).to.deep.equal([]);
    expect(counted.total_received).to.equal(rows.length);
    expect(rows.length).to.be.within(mails, mails + 3 * connections);

    relay = await start();
    await until(
      "the queue is empty",
      async () => {
        const { waits } = await database.db
          .selectFrom("queue")
          .select((eb) => eb.fn.countAll<number>().as("waits"))
          .where("status", "=", "waiting")
          .executeTakeFirstOrThrow();
        return waits === 0;
      },
      60_000,
    );
    await kill(relay);
    await database.close();
    const delivered = readdirSync(outbox).filter((name) => name.endsWith(".eml"));
    expect(delivered.length).to.equal(rows.length);
    expect(new Set(delivered.map((name) => testId(readFileSync(join(outbox, name))))).size).to.equal(mails);
  });
});
