import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { generateKey } from "openpgp";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { createFindEncryption } from "../../../../server/features/encryption/findEncryption.ts";
import { upsertPublicKey } from "../../../../server/features/encryption/publicKeyQueries.ts";
import { type Database, openDatabase } from "../../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import { WorkerPool } from "../../../../server/platform/workers/workerPool.ts";
import { encryptionThreads } from "../../../../server/relay/encrypt/encryptCopies.ts";
import type { EncryptionTask } from "../../../../server/relay/encrypt/pgpMime.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { bystander } from "../../support/bystander.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import { armoredIn, needsProgram } from "./gpgPrograms.ts";
import { withoutProtection } from "./openSealed.ts";

const marker = "marker-7f3a9c21d4";
const mail = [
  "From: Shop <orders@shop.example>",
  `Subject: The ${marker} subject`,
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/plain",
  "",
  `The ${marker} text`,
  "--b",
  `Content-Disposition: attachment; filename="${marker}.txt"`,
  "",
  marker,
  "--b--",
  "",
].join("\r\n");

const keyOf = (date = new Date(), keyExpirationTime = 0) =>
  generateKey({
    type: "ecc",
    curve: "curve25519Legacy",
    userIDs: [{ name: "Mask owner" }],
    date,
    keyExpirationTime,
    format: "armored",
  });

type Decrypt = (files: { readonly folder: string; readonly key: string; readonly mail: string }) => Buffer;

const quietly = { stdio: ["ignore", "pipe", "ignore"] as ["ignore", "pipe", "ignore"] };

/** Commands of other programs that decrypt a mail with a private key. */
const programs: Readonly<Record<string, Decrypt>> = {
  gpg: ({ folder, key, mail: sealed }) => {
    const gpg = (...args: readonly string[]) =>
      execFileSync("gpg", ["--homedir", folder, "--batch", "--quiet", "--no-tty", ...args], quietly);
    gpg("--import", key);
    return gpg("--decrypt", sealed);
  },
  sq: ({ key, mail: sealed }) => execFileSync("sq", ["decrypt", "--recipient-key", key, sealed], quietly),
};

describe("Mail to the masks of a user with a key", () => {
  let folder: string;
  let database: Database;
  let relay: RunningListener;
  let owner: Owner;
  let mask: TestMask;
  const pool = new WorkerPool<EncryptionTask, Uint8Array | null>(encryptionThreads);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "bauta-sealed-"));
    database = await openDatabase(sqliteEngine(join(folder, "bauta.sqlite")));
    owner = await addOwner(database.db);
    mask = await addMask(database.db, owner);
    const clock = createVirtualClock();
    const findEncryption = createFindEncryption({
      publicUrl: "https://bauta.test",
      database,
      pool,
      clock,
      random: cryptoRandom,
      feed: { wake: () => {} },
    });
    relay = await startListener(database, clock, { findEncryption });
  });
  afterEach(async () => {
    await relay.close();
    await database.close();
    rmSync(folder, { recursive: true });
  });
  after(() => pool.stop());

  const use = (publicKey: string): Promise<void> =>
    upsertPublicKey(database.db, owner.id, { publicKey, fingerprint: "F", now: 0 });
  const send = async (): Promise<string> =>
    (await relay.connect()).mail("orders@shop.example", [mask.email], mail);
  const queued = () => readQueue(database.db);

  it("is never stored on the disk as plain text", async () => {
    await use((await keyOf()).publicKey);
    expect(await send()).to.match(/^250/);
    expect(await queued()).to.have.length(1);
    for (const file of readdirSync(folder))
      expect(readFileSync(join(folder, file)).includes(marker), file).to.equal(false);
  });

  it("is deferred with 450 4.7.5 when the key has expired, and the owner is notified once", async () => {
    await use((await keyOf(new Date("2020-01-01"), 60)).publicKey);
    expect(await send()).to.match(/^450 4\.7\.5/);
    expect(await send()).to.match(/^450 4\.7\.5/);
    expect(await queued()).to.deep.equal([]);
    const messages = await database.db
      .selectFrom("notifications")
      .where("user_id", "!=", bystander.id)
      .select("message")
      .execute();
    expect(messages.map(({ message }) => message)).to.have.length(1);
  });

  it("is deferred without mention of the key when something else has failed", async () => {
    await use((await keyOf()).publicKey);
    const failing = { run: () => Promise.reject(new Error("took too long")) };
    const findEncryption = createFindEncryption({
      publicUrl: "https://bauta.test",
      database,
      pool: failing,
      clock: createVirtualClock(),
      random: cryptoRandom,
      feed: { wake: () => {} },
    });
    await relay.close();
    relay = await startListener(database, createVirtualClock(), { findEncryption });
    expect(await send()).to.match(/^451 4\.3\.0/);
    expect(await queued()).to.deep.equal([]);
    expect(
      await database.db
        .selectFrom("notifications")
        .where("user_id", "!=", bystander.id)
        .select("message")
        .execute(),
    ).to.deep.equal([]);
  });

  it("is forwarded as it is for a user without a key", async () => {
    expect(await send()).to.match(/^250/);
    const [row] = await queued();
    expect(Buffer.from(row?.content ?? []).toString()).to.contain(marker);
  });

  for (const [program, decrypt] of Object.entries(programs))
    it(`decrypts in ${program} to the bytes that arrived`, async function () {
      needsProgram(this, program);
      const { publicKey, privateKey } = await keyOf();
      await use(publicKey);
      await send();
      const [row] = await queued();
      const armored = armoredIn(Buffer.from(row?.content ?? []));
      const home = mkdtempSync(join(tmpdir(), "bauta-opened-"));
      try {
        const files = { folder: home, key: join(home, "key.asc"), mail: join(home, "mail.asc") };
        writeFileSync(files.key, privateKey);
        writeFileSync(files.mail, armored);
        const opened = withoutProtection(decrypt(files)).toString();
        expect(opened).to.contain(`Subject: The ${marker} subject`);
        expect(opened.endsWith(mail.slice(mail.indexOf("\r\n\r\n")))).to.equal(true);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    });
});
