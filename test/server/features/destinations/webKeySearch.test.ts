import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { generateKey, type KeyOptions, readKey, revokeKey } from "openpgp";
import {
  maxFoundBytes,
  searchWebKey,
  webKeyUrls,
} from "../../../../server/features/destinations/webKeySearch.ts";
import type { FoundKey, FoundKeyRefusal } from "../../../../server/platform/openpgp/foundKey.ts";
import { type KeyTask, runKeyTask } from "../../../../server/platform/openpgp/keyTask.ts";
import { keyThreads } from "../../../../server/platform/openpgp/keyThreads.ts";
import { WorkerPool } from "../../../../server/platform/workers/workerPool.ts";
import { hungMs } from "../../../support/limits.ts";
import { needsProgram } from "../../relay/encrypt/gpgPrograms.ts";
import { startWebKeyServer, type WebKeyServer } from "../../support/webKeyServer.ts";

const ada = "ada@home.example";
const host = "openpgpkey.home.example";
/** Keys of this second are not from the future. */
const now = Date.now() + 60_000;

const generate = (options: Partial<KeyOptions> = {}) =>
  generateKey({
    type: "curve25519",
    userIDs: [{ name: "Ada", email: ada }],
    format: "object",
    ...options,
  } as KeyOptions & { format: "object" });
const bytesOf = async (options: Partial<KeyOptions> = {}): Promise<Buffer> =>
  Buffer.from((await generate(options)).publicKey.write());
const sample = async (name: string): Promise<Buffer> => {
  const armored = readFileSync(new URL(`../../../data/keys/${name}.asc`, import.meta.url), "utf8");
  return Buffer.from((await readKey({ armoredKey: armored })).write());
};
const send = (bytes: Buffer) => (response: ServerResponse) => response.end(bytes);

describe("The search for a key at the domain of an address", () => {
  let keys: WebKeyServer;
  beforeEach(async () => {
    keys = await startWebKeyServer(host);
  });
  afterEach(() => keys?.close());

  const search = (email = ada, get = keys.get) =>
    searchWebKey(email, {
      userId: "one",
      now,
      signal: new AbortController().signal,
      get,
      pool: { run: (task) => runKeyTask(task) },
    });

  it("asks for the name that the draft has for its example, in lower case, and for the local part as it is", () => {
    expect(webKeyUrls("Joe.Doe@Example.ORG")).to.deep.equal([
      "https://openpgpkey.example.org/.well-known/openpgpkey/example.org/hu/iy9q119eutrkn8s1mk4r39qejnbu3n5q?l=Joe.Doe",
      "https://example.org/.well-known/openpgpkey/hu/iy9q119eutrkn8s1mk4r39qejnbu3n5q?l=Joe.Doe",
    ]);
  });

  it("asks for nothing else, whatever the address contains", () => {
    for (const [email, host] of [
      ["a/../../x?y#z@home.example", "home.example"],
      ["a@bücher.example", "xn--bcher-kva.example"],
    ] as const)
      for (const url of webKeyUrls(email)) {
        const { hostname, pathname, hash } = new URL(url);
        expect(hostname.replace("openpgpkey.", "")).to.equal(host);
        expect(pathname).to.match(/\/hu\/[a-z0-9]{32}$/);
        expect(hash).to.equal("");
      }
    for (const domain of ["b c", "[::1]", "[127.0.0.1]", "localhost", "home.example:8443", ""])
      expect(webKeyUrls(`a@${domain}`), domain).to.deep.equal([]);
  });

  it("finds a key, without the pictures and signatures that others have added", async () => {
    const { publicKey } = await generate({ keyExpirationTime: 3_600 });
    const friend = await generate({ userIDs: [{ name: "Bob", email: "bob@shop.example" }] });
    const certified = await publicKey.signAllUsers([friend.privateKey]);
    keys.answer = send(Buffer.from(certified.write()));
    const found = await search();
    if ("refusal" in found) throw new Error(found.refusal);
    expect(found).to.include({
      algorithm: "X25519",
      expires: publicKey.getCreationTime().getTime() + 3_600_000,
    });
    const read = await readKey({ armoredKey: found.publicKey });
    expect(read.users.map((user) => user.otherCertifications.length)).to.deep.equal([0]);
    await read.getEncryptionKey();
  });

  it("takes the key in use where an old one stands before it, and armor instead of bytes", async () => {
    keys.answer = send(Buffer.concat([await sample("revoked"), await bytesOf()]));
    expect(await search())
      .to.have.property("userIds")
      .that.deep.equals([`Ada <${ada}>`]);
    const { publicKey } = await generate();
    keys.answer = send(Buffer.from(publicKey.armor()));
    expect(await search()).to.have.property("publicKey");
  });

  const hour = 3_600;
  const lastYear = new Date(now - 365 * 24 * hour * 1_000);
  const answers: Readonly<
    Record<string, readonly [() => Promise<(response: ServerResponse) => unknown>, object]>
  > = {
    "has none": [async () => (response) => response.writeHead(404).end(), { refusal: "no-key" }],
    fails: [async () => (response) => response.writeHead(500).end(), { refusal: "status", status: 500 }],
    "redirects to this machine": [
      async () => (response) => response.writeHead(302, { location: "https://127.0.0.1/" }).end(),
      { refusal: "status", status: 302 },
    ],
    "sends a gigabyte": [
      async () => (response) => {
        const pour = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on("drain", pour);
        response.writeHead(200, { "content-length": 2 ** 30 });
        pour();
      },
      { refusal: "too-large" },
    ],
    "hangs up": [async () => (response) => response.destroy(), { refusal: "unreachable" }],
    "sends a page": [async () => send(Buffer.from("<!doctype html>")), { refusal: "not-a-key" }],
    "sends nothing": [async () => send(Buffer.alloc(0)), { refusal: "not-a-key" }],
    "sends noise": [async () => send(Buffer.alloc(maxFoundBytes, 0x99)), { refusal: "not-a-key" }],
    "sends a private key": [
      async () => send(Buffer.from((await generate()).privateKey.write())),
      { refusal: "not-a-key" },
    ],
    "sends somebody else's key": [
      async () => send(await bytesOf({ userIDs: [{ name: ada, email: "eve@home.example" }] })),
      { refusal: "other-address" },
    ],
    "sends an expired key": [
      async () => send(await bytesOf({ date: lastYear, keyExpirationTime: hour })),
      { refusal: "expired" },
    ],
    "sends a revoked key": [
      async () => {
        const { privateKey } = await generate();
        const { publicKey } = await revokeKey({ key: privateKey, format: "object" });
        return send(Buffer.from(publicKey.write()));
      },
      { refusal: "revoked" },
    ],
    "sends a key that cannot encrypt": [
      async () => send(await bytesOf({ subkeys: [{ sign: true }] })),
      { refusal: "cannot-encrypt" },
    ],
    "sends a key of too few bits": [
      async () => send(await bytesOf({ type: "rsa", rsaBits: 1_024, config: { minRSABits: 1_024 } })),
      { refusal: "weak" },
    ],
    "sends a key from the future": [
      async () => send(await bytesOf({ date: new Date(now + 365 * 24 * hour * 1_000) })),
      { refusal: "unusable" },
    ],
  };
  for (const [what, [answer, expected]] of Object.entries(answers))
    it(`says so when the server of keys ${what}`, async () => {
      keys.answer = await answer();
      expect(await search()).to.deep.equal(expected);
      expect(keys.asked).to.have.length(1);
    });

  it("refuses a key whose own signatures are of SHA-1", async function () {
    needsProgram(this, "gpg");
    const folder = mkdtempSync(join(tmpdir(), "bauta-sha1-"));
    try {
      const gpg = ["--homedir", folder, "--batch", "--quiet", "--no-tty", "--passphrase", ""];
      const sha1 = ["--cert-digest-algo", "SHA1", "--digest-algo", "SHA1", "--allow-weak-digest-algos"];
      const make = ["--quick-generate-key", `Ada <${ada}>`, "rsa2048", "default", "0"];
      execFileSync("gpg", [...gpg, ...sha1, ...make], { stdio: "ignore" });
      const [fingerprint = ""] =
        /(?<=^fpr:+)[0-9A-F]{40}/m.exec(
          execFileSync("gpg", [...gpg, "--with-colons", "--list-keys"]).toString(),
        ) ?? [];
      execFileSync("gpg", [...gpg, ...sha1, "--quick-add-key", fingerprint, "rsa2048", "encr"], {
        stdio: "ignore",
      });
      keys.answer = send(
        execFileSync("gpg", [...gpg, "--export", ada], { stdio: ["ignore", "pipe", "ignore"] }),
      );
      expect(await search()).to.deep.equal({ refusal: "weak" });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("waits no longer than its time for an answer that drips", async () => {
    await keys.close();
    keys = await startWebKeyServer(host, { withinMs: 300 });
    keys.answer = (response) => {
      const drip = (): void => {
        if (!response.destroyed) response.write("x", () => setImmediate(drip));
      };
      drip();
    };
    expect(await search()).to.deep.equal({ refusal: "timeout" });
  });

  it("asks no private network, and no server without a valid certificate", async () => {
    await keys.close();
    keys = await startWebKeyServer(host, { networks: [] });
    expect(await search()).to.deep.equal({ refusal: "private-network" });
    expect(keys.asked).to.deep.equal([]);
    expect(await search("ada@nowhere.example")).to.deep.equal({ refusal: "no-server" });
    expect(await search(ada, async () => ({ failure: "certificate" }))).to.deep.equal({
      refusal: "certificate",
    });
  });

  it("gives up a key that takes too long, and the next search works", async () => {
    const pool = new WorkerPool<KeyTask, FoundKey | FoundKeyRefusal>({ ...keyThreads, timeLimitMs: 1 });
    const patient = new WorkerPool<KeyTask, FoundKey | FoundKeyRefusal>({
      ...keyThreads,
      timeLimitMs: hungMs,
    });
    const bytes = await bytesOf();
    const signal = new AbortController().signal;
    const get = async () => ({ status: 200, bytes, isCut: false });
    try {
      const options = { userId: "one", now, signal, get };
      expect(await searchWebKey(ada, { ...options, pool })).to.deep.equal({ refusal: "unusable" });
      expect(await searchWebKey(ada, { ...options, pool: patient })).to.have.property("publicKey");
    } finally {
      await Promise.all([pool.stop(), patient.stop()]);
    }
  });
});
