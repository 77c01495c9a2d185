import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { openDatabase } from "../../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import { bundleProgram } from "../../../support/programs.ts";
import { useDiskFaults } from "../../support/diskFaults.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { connectSmtp } from "../../support/smtpClient.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { until } from "../../support/until.ts";

const entry = join(import.meta.dirname, "../../support/relayProcess.ts");
const connections = 4;
const sender = "orders@shop.example";

const content = (id: number): string =>
  `From: Shop <orders@shop.example>\r\nX-Test-Id: ${id}\r\n\r\n${"Hello.\r\n".repeat(id % 5 === 0 ? 50_000 : 50)}`;

const testId = (mail: Buffer): number =>
  Number(/^X-Test-Id: (\d+)/m.exec(mail.toString("latin1", 0, 2_000))?.[1]);

describe("A relay whose disk fails", () => {
  const folder = useTemporaryFolder();
  const faults = useDiskFaults();
  let program: string;
  before(async () => {
    program = await bundleProgram(entry);
  });
  let relay: ChildProcess | undefined;
  afterEach(() => relay?.kill("SIGKILL"));

  const start = async (): Promise<number> => {
    const child = spawn(process.execPath, [program, folder()], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...faults.environment(folder()) },
    });
    relay = child;
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    return Number(line.toString());
  };

  const outboxIds = (): readonly number[] => {
    const outbox = join(folder(), "outbox");
    return readdirSync(outbox)
      .filter((name) => name.endsWith(".eml"))
      .map((name) => testId(readFileSync(join(outbox, name))));
  };

  /** Sends small and large mails before, during and after a fault; each is repeated until it was answered 250. */
  const trial = async (operation: "write" | "sync", error: "EIO" | "ENOSPC") => {
    const before = await openDatabase(sqliteEngine(join(folder(), "bauta.db")));
    const mask = await addMask(before.db, await addOwner(before.db, "self_hosted"));
    await before.close();
    const port = await start();
    const acknowledged = new Set<number>();
    const refused: string[] = [];
    const send = async (ids: readonly number[]): Promise<void> => {
      const client = await connectSmtp(port);
      for (const id of ids) {
        const answer = await client.mail(sender, [mask.email], content(id));
        if (answer.startsWith("250")) acknowledged.add(id);
        else refused.push(answer);
      }
      client.destroy();
    };
    const sendAll = async (first: number): Promise<void> => {
      const ids = (n: number) => Array.from({ length: 10 }, (_, index) => first + n * 10 + index);
      await Promise.all(Array.from({ length: connections }, (_, n) => send(ids(n))));
    };
    await sendAll(0);
    expect([acknowledged.size, refused.length]).to.deep.equal([40, 0]);
    await until("the mails are in the outbox", () => new Set(outboxIds()).size === 40, 30_000);
    faults.begin(operation, error);
    await sendAll(100);
    const during = acknowledged.size - 40;
    faults.end();
    await sendAll(200);
    expect(acknowledged.size - during).to.equal(80);
    await until(
      "every mail answered 250 is in the outbox",
      () => {
        const found = new Set(outboxIds());
        return [...acknowledged].every((id) => found.has(id));
      },
      60_000,
    );
    expect(outboxIds().toSorted((a, b) => a - b)).to.deep.equal([...acknowledged].toSorted((a, b) => a - b));
    return { during, refused };
  };

  const kinds = (answers: readonly string[]) =>
    [...new Set(answers.map((answer) => answer.slice(0, 9)))].sort();

  it("with EIO at every write takes no mail, loses none, and goes on by itself", async () => {
    const { during, refused } = await trial("write", "EIO");
    expect([during, refused.length, kinds(refused)]).to.deep.equal([0, 40, ["451 4.3.0"]]);
  });

  it("with EIO at every sync takes no mail, loses none, and goes on by itself", async () => {
    const { during, refused } = await trial("sync", "EIO");
    expect([during, refused.length, kinds(refused)]).to.deep.equal([0, 40, ["451 4.3.0"]]);
  });

  it("with no room at every write answers 452 4.3.1, loses none, and goes on by itself", async () => {
    const { during, refused } = await trial("write", "ENOSPC");
    expect([during, refused.length, kinds(refused)]).to.deep.equal([0, 40, ["452 4.3.1"]]);
  });
});
