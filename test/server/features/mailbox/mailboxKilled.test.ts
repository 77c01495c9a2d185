import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "chai";
import { openDatabase } from "../../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import { freePort } from "../../../support/freePort.ts";
import { longTestMs } from "../../../support/limits.ts";
import { builtServer } from "../../../support/programs.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { type Dovecot, requireDovecot, startDovecot } from "../../support/dovecot.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { until } from "../../support/until.ts";

const mails = 120;
/** Kills after mail was taken, before it is removed from the mailbox. */
const kills = 2;

const mailTo = (recipient: string, n: number): string =>
  `X-Original-To: ${recipient}\r\nFrom: Shop <orders@shop.example>\r\nSubject: ${n}\r\n\r\nHello\r\n`;

describe("A server that is killed while it fetches mail from a mailbox", () => {
  const dovecotFolder = useTemporaryFolder();
  const folder = useTemporaryFolder();
  const started: ChildProcess[] = [];
  let dns: DnsStub;
  let dovecot: Dovecot;
  before(function () {
    requireDovecot(this);
  });
  beforeEach(async () => {
    dns = await startDnsStub({});
    dovecot = await startDovecot(dovecotFolder());
  });
  afterEach(async () => {
    for (const child of started.splice(0)) child.kill("SIGKILL");
    await dovecot.stop();
    await dns.close();
  });

  const left = (): number =>
    Number(/messages=(\d+)/.exec(dovecot.doveadm("mailbox status", ["messages", "INBOX"]))?.[1]);

  it("takes each of its mails once", async function () {
    this.timeout(longTestMs);
    const open = () => openDatabase(sqliteEngine(join(folder(), "bauta.db")));
    const database = await open();
    const { email } = await addMask(database.db, await addOwner(database.db, "business"));
    await database.close();
    for (let n = 0; n < mails; n += 1) dovecot.doveadm("save", [], mailTo(email, n));

    const ports = await Promise.all(
      ["PORT", "SMTP_PORT"].map(async (name) => [name, await freePort()] as const),
    );
    const start = (): ChildProcess => {
      const env = {
        ...process.env,
        ...Object.fromEntries(ports.map(([name, port]) => [name, String(port)])),
        ...{ DATA_DIR: folder(), MASK_DOMAIN: "masks.example", SUBMISSION_PORT: "0", SUBMISSIONS_PORT: "0" },
        ...{ DNS_SERVER: dns.address, DEFAULT_TIER: "business", LOG_LEVEL: "silent" },
        IMAP_URL: `imap://${encodeURIComponent(dovecot.user)}@127.0.0.1:${dovecot.port}`,
        IMAP_PASSWORD: dovecot.password,
      };
      const child = spawn(process.execPath, [builtServer], { env, stdio: "ignore" });
      started.push(child);
      return child;
    };

    const watched = new DatabaseSync(join(folder(), "bauta.db"), { readOnly: true });
    const taken = (): number =>
      Number(watched.prepare("select count(*) as n from mailbox_mails").get()?.["n"]);

    let server = start();
    const killWhen = async (what: string, holds: () => boolean): Promise<void> => {
      await until(what, holds, 120_000);
      const gone = once(server, "exit");
      server.kill("SIGKILL");
      await gone;
      server = start();
    };
    for (let kill = 1; kill <= kills; kill += 1) {
      const before = taken();
      await killWhen("some mail is taken", () => taken() > before);
    }
    await killWhen("some mail is removed", () => left() < mails);
    watched.close();
    await until("the mailbox is empty", () => left() === 0, 120_000);
    const gone = once(server, "exit");
    server.kill("SIGTERM");
    await gone;

    const after = await open();
    const counted = await after.db.selectFrom("mask_statistics").selectAll().executeTakeFirstOrThrow();
    await after.close();
    expect(counted.total_received).to.equal(mails);
  });
});
