import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "chai";
import { sql } from "kysely";
import { hourMs } from "../../../core/kernel/durations.ts";
import { type Database, openDatabase } from "../../../server/platform/store/database.ts";
import { longTestMs } from "../../support/limits.ts";
import { skipWithout } from "../../support/missing.ts";
import { bundleProgram } from "../../support/programs.ts";
import { useObjectServer } from "../support/objectServer.ts";
import { addMask, addOwner, type TestMask } from "../support/owners.ts";
import {
  type BorrowedDatabase,
  borrowPostgresqlDatabase,
  connectPostgresql,
  hasPostgresql,
} from "../support/postgresql.ts";
import type { ObjectRelay } from "../support/relayProcess.ts";
import { type Sink, startSink } from "../support/sink.ts";
import { connectSmtp } from "../support/smtpClient.ts";
import { useTemporaryFolder } from "../support/temporaryFolder.ts";
import { until } from "../support/until.ts";

const entry = join(import.meta.dirname, "../support/relayProcess.ts");
/** In which the rows of a mail that the next hop has can be locked. */
const slowMs = 500;
const sizes = { small: 100_000, large: 600_000 };

describe("A relay with an object store that is killed while it takes and delivers a mail", () => {
  const folder = useTemporaryFolder();
  const store = useObjectServer();
  let program: string;
  before(async function () {
    if (!hasPostgresql()) skipWithout(this, "PostgreSQL");
    program = await bundleProgram(entry);
  });
  let borrowed: BorrowedDatabase;
  let database: Database;
  let sink: Sink;
  let mask: TestMask;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    borrowed = await borrowPostgresqlDatabase();
    database = await openDatabase(connectPostgresql(borrowed.url));
    sink = await startSink({ slowMs });
    mask = await addMask(database.db, await addOwner(database.db, "business"));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : null;
      child.kill("SIGKILL");
      await ended;
    }
    await sink.close();
    await until("nobody is connected", async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
        and application_name = 'relay'`.execute(database.db);
      return rows.length === 0;
    });
    await database.close();
    await borrowed.giveBack();
  });

  const start = async (): Promise<{ readonly port: number; readonly kill: () => Promise<void> }> => {
    const url = new URL(borrowed.url);
    url.searchParams.set("application_name", "relay");
    const relay: ObjectRelay = { databaseUrl: url.href, place: store().place, hopPort: sink.port };
    const child = spawn(process.execPath, [program, folder(), JSON.stringify(relay)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const ended = once(child, "exit");
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    return {
      port: Number(String(line)),
      kill: async () => {
        child.kill("SIGKILL");
        await ended;
      },
    };
  };

  /** Sends a mail; false when the connection ends before its answer. */
  const send = async (port: number, bytes: number): Promise<boolean> => {
    const client = await connectSmtp(port);
    const content = `From: a@b.example\r\nSubject: x\r\n\r\n${"Hello, this is a line.\r\n".repeat(bytes / 24)}`;
    const answer = client.mail("a@b.example", [mask.email], content);
    return Promise.race([answer, client.closed.then(() => "")]).then(
      (reply) => reply.startsWith("250"),
      () => false,
    );
  };

  /** Kills the relay when it asks the store for this; with `isDone` what it asks for happens all the same. */
  const killAt = (method: string, isDone: boolean, kill: () => Promise<void>): void => {
    store().onRequest = async (asked) => {
      if (asked !== method) return;
      await kill();
      if (!isDone) throw new Error("the store does not get it");
    };
  };

  /** Keeps transactions from changing bodies while `work` runs. */
  const withLock = (work: () => Promise<void>): Promise<void> =>
    database.db.transaction().execute(async (tx) => {
      await sql`lock table bodies in share mode`.execute(tx);
      await work();
    });
  const isAwaited = (statement: string) =>
    until("its transaction waits", async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like ${`${statement}%`}`.execute(database.db);
      return rows.length > 0;
    });

  /** Each kills the relay at one point, and returns whether the mail was answered with 250. */
  const points: Readonly<Record<string, (bytes: number) => Promise<boolean>>> = {
    "before its content is in the store": async (bytes) => {
      const { port, kill } = await start();
      killAt("PUT", false, kill);
      return send(port, bytes);
    },
    "before the store has answered": async (bytes) => {
      const { port, kill } = await start();
      killAt("PUT", true, kill);
      const isTaken = await send(port, bytes);
      await until("the store has it", () => store().objects.size === 1);
      return isTaken;
    },
    "before the commit of its rows": async (bytes) => {
      const { port, kill } = await start();
      let isTaken = true;
      await withLock(async () => {
        const sent = send(port, bytes);
        await isAwaited("insert into bodies");
        expect(store().objects.size).to.equal(1);
        await kill();
        isTaken = await sent;
      });
      return isTaken;
    },
    "once it is answered": async (bytes) => {
      const { port, kill } = await start();
      const isTaken = await send(port, bytes);
      await kill();
      return isTaken;
    },
    "before the commit of its delivery": async (bytes) => {
      const { port, kill } = await start();
      const isTaken = await send(port, bytes);
      await withLock(async () => {
        await isAwaited("delete from bodies");
        await kill();
      });
      return isTaken;
    },
    "before its content is removed": async (bytes) => {
      const { port, kill } = await start();
      const removed = new Promise<void>((resolve) => {
        killAt("DELETE", false, () => kill().then(resolve));
      });
      const isTaken = await send(port, bytes);
      await removed;
      return isTaken;
    },
    "when its content is removed": async (bytes) => {
      const { port, kill } = await start();
      const removed = new Promise<void>((resolve) => {
        killAt("DELETE", true, () => kill().then(resolve));
      });
      const isTaken = await send(port, bytes);
      await removed;
      return isTaken;
    },
  };

  const untaken = new Set([
    "before its content is in the store",
    "before the store has answered",
    "before the commit of its rows",
  ]);

  for (const [size, bytes] of Object.entries(sizes))
    for (const [point, killThere] of Object.entries(points))
      it(`loses no ${size} mail that it answered with 250 and leaves no object: ${point}`, async function () {
        this.timeout(longTestMs);
        const isTaken = await killThere(bytes);
        expect(isTaken).to.equal(!untaken.has(point));
        store().onRequest = () => {};
        // What an hour does.
        await database.db.deleteFrom("lease_holders").execute();
        for (const object of store().objects.values()) object.modifiedAt = Date.now() - 2 * hourMs;
        const before = sink.mails.length;
        await start();
        await until("everything that was taken is delivered, and nothing is left", async () => {
          const waiting = await database.db
            .selectFrom("queue")
            .where("status", "=", "waiting")
            .select("id")
            .execute();
          const left = await database.db.selectFrom("bodies").select("id").execute();
          return waiting.length + left.length + store().objects.size === 0;
        });
        expect(sink.mails.length).to.be.within(isTaken ? 1 : 0, isTaken ? before + 1 : 0);
        expect(new Set(sink.mails.map(({ content }) => content.length > bytes))).to.deep.equal(
          new Set(isTaken ? [true] : []),
        );
      });
});
