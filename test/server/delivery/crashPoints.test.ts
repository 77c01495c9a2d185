import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { openDatabase } from "../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../server/platform/store/sqlite.ts";
import { longTestMs } from "../../support/limits.ts";
import { bundleProgram } from "../../support/programs.ts";
import { type KillPoint, useDiskFaults } from "../support/diskFaults.ts";
import { addMask, addOwner, type TestMask } from "../support/owners.ts";
import { connectSmtp } from "../support/smtpClient.ts";
import { useTemporaryFolder } from "../support/temporaryFolder.ts";
import { until } from "../support/until.ts";

const entry = join(import.meta.dirname, "../support/relayProcess.ts");
const sender = "orders@shop.example";
const inboundSecret = "secret-of-a-test";

/** Lines of a mail for a segment, and of one that is large enough for a file of its own. */
const mailLines = { small: 100, large: 50_000 };

const content = (id: number, lines: number): string =>
  `From: Shop <orders@shop.example>\r\nX-Test-Id: ${id}\r\n\r\n${"Hello.\r\n".repeat(lines)}`;

const testId = (mail: Buffer): number =>
  Number(/^X-Test-Id: (\d+)/m.exec(mail.toString("latin1", 0, 2_000))?.[1]);

/** Gives a mail to a relay; returns whether it was answered as taken. */
type Give = (port: number, recipient: string, mail: string) => Promise<boolean>;

const giveBySmtp: Give = async (port, recipient, mail) => {
  const client = await connectSmtp(port);
  const answer = await client.mail(sender, [recipient], mail);
  client.destroy();
  return answer.startsWith("250");
};

const giveByHttp: Give = async (port, recipient, mail) => {
  const query = new URLSearchParams({ from: sender, to: recipient });
  const { ok } = await fetch(`http://127.0.0.1:${port}/inbound/${inboundSecret}?${query}`, {
    method: "POST",
    headers: { "content-type": "message/rfc822" },
    body: mail,
  });
  return ok;
};

const ways = { smtp: giveBySmtp, http: giveByHttp };

interface Relay {
  readonly port: number;
  readonly ended: Promise<unknown>;
  readonly kill: () => void;
}

describe("A relay that is killed while it takes and delivers a mail", () => {
  const folder = useTemporaryFolder();
  const faults = useDiskFaults();
  let program: string;
  before(async () => {
    program = await bundleProgram(entry);
  });
  const children: ChildProcess[] = [];
  let mask: TestMask;
  beforeEach(async () => {
    const database = await openDatabase(sqliteEngine(join(folder(), "bauta.db")));
    mask = await addMask(database.db, await addOwner(database.db, "self_hosted"));
    await database.close();
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  /** null when it is killed before it listens. */
  const start = async (by: keyof typeof ways, kill?: KillPoint): Promise<Relay | null> => {
    const child = spawn(process.execPath, [program, folder(), by, inboundSecret], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...(kill && faults.environment(folder(), kill)) },
    });
    children.push(child);
    const ended = once(child, "exit");
    const line = await Promise.race([once(child.stdout, "data"), ended.then(() => null)]);
    return line && { port: Number(String(line[0])), ended, kill: () => child.kill("SIGKILL") };
  };
  const files = (name: string): readonly string[] => {
    const path = join(folder(), name);
    return existsSync(path) ? readdirSync(path).filter((file) => !file.startsWith(".")) : [];
  };
  const outbox = (): readonly number[] =>
    files("outbox")
      .filter((name) => name.endsWith(".eml"))
      .map((name) => testId(readFileSync(join(folder(), "outbox", name))));
  const isDone = (id: number): boolean => outbox().includes(id) && files("spool").length === 0;

  /** Sends a mail until it is taken, each time to a relay that is killed one step later; returns the number of kills. */
  const trial = async (
    by: keyof typeof ways,
    lines: number,
    operation: KillPoint["operation"],
    step: number,
  ) => {
    const acknowledged = new Set<number>();
    let [kills, id] = [0, 0];
    for (let n = 1; ; n += step) {
      const relay = await start(by, { operation, n });
      const killed = relay ? relay.ended.then(() => "killed" as const) : Promise.resolve("killed" as const);
      const work = async (): Promise<"done"> => {
        if (!relay) return new Promise(() => {});
        if (await ways[by](relay.port, mask.email, content(id, lines))) acknowledged.add(id);
        await until("it is delivered, and its file is gone", () => isDone(id), 30_000);
        return "done";
      };
      const outcome = await Promise.race([killed, work().catch(() => killed)]);
      if (outcome === "done") {
        relay?.kill();
        break;
      }
      kills += 1;
      if (acknowledged.has(id)) id += 1;
    }
    const last = await start(by);
    await until("everything that was taken is delivered", () =>
      [...acknowledged].every((one) => outbox().includes(one)),
    );
    await until("no file is left", () => files("spool").length === 0);
    expect(outbox().length, "at most one more copy for each kill").to.be.at.most(acknowledged.size + kills);
    last?.kill();
    return { kills, taken: acknowledged.size };
  };

  for (const [by, size, operation, step] of [
    ["smtp", "small", "sync", 1],
    ["smtp", "small", "write", 5],
    ["smtp", "large", "sync", 1],
    ["smtp", "large", "unlink", 1],
    ["smtp", "large", "rename", 1],
    ["smtp", "large", "write", 9],
    ["http", "small", "sync", 1],
  ] as const)
    it(`loses no ${size} mail that it took by ${by} and leaves no file, whichever ${operation} it is killed before`, async function () {
      this.timeout(longTestMs);
      const { kills, taken } = await trial(by, mailLines[size], operation, step);
      expect([kills > 0, taken > 0]).to.deep.equal([true, true]);
    });
});
