import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { right } from "fp-ts/lib/Either.js";
import { createSealingKey, type KeyRecord, type KeyRecords } from "../../../adapters/openpgp/keyRecords.ts";
import { createKeyTasks } from "../../../adapters/openpgp/keyTasks.ts";
import type { Keyring } from "../../../core/ports/keyring.ts";
import { encryptToKey } from "../../../server/relay/encrypt/pgpMime.ts";
import { keyringContract } from "../../contracts/keyringContract.ts";
import { skipWithout } from "../../support/missing.ts";

const passphrase = "seven quiet boats leave at noon";

const isInstalled = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

const inMemory = (): KeyRecords & { readonly clear: () => void } => {
  let stored: readonly KeyRecord[] = [];
  const key = createSealingKey();
  const without = (owner: string, fingerprint: string) =>
    stored.filter((record) => record.owner !== owner || record.fingerprint !== fingerprint);
  return {
    all: async (owner) => stored.filter((record) => record.owner === owner),
    put: async (record) => {
      stored = [...without(record.owner, record.fingerprint), record];
    },
    remove: async (owner, fingerprint) => {
      stored = without(owner, fingerprint);
    },
    sealingKey: () => key,
    clear: () => {
      stored = [];
    },
  };
};

const keyringOver = (records: ReturnType<typeof inMemory>): Keyring => {
  const tasks = createKeyTasks(records);
  return {
    list: (owner) => () => tasks.list(owner),
    create: (owner) => () => tasks.create(owner),
    protect: (owner, fingerprint, secret) => () => tasks.protect(owner, fingerprint, secret),
    markBackedUp: (owner, fingerprint) => () => tasks.markBackedUp(owner, fingerprint),
    import: (owner, armored, secret) => () => tasks.import(owner, armored, secret),
    remove: (owner, fingerprint) => () => tasks.remove(owner, fingerprint),
    rename: (from, to) => () => tasks.rename(from, to),
    examine: (armored) => () => tasks.examine(armored),
    open: (owner, mail) => () => tasks.open(owner, mail),
    decryptBytes: (owner, message) => () => tasks.decryptBytes(owner, message),
    decrypt: (owner, messages) => () => tasks.decrypt(owner, messages),
    forgetAll: () => async () => right(records.clear()),
  };
};

describe("Keys by OpenPGP.js", () => {
  keyringContract(async () => ({
    keyring: keyringOver(inMemory()),
    seal: async (mail, publicKey) =>
      Uint8Array.from(
        await encryptToKey({
          content: new TextEncoder().encode(mail),
          publicKey,
          boundary: "=_test",
          readAt: "https://bauta.example/#settings/security/encryption",
        }),
      ),
    sealText: async (text, publicKey) => {
      const content = new TextEncoder().encode(text);
      return Buffer.from(await encryptToKey({ content, publicKey, boundary: null })).toString("base64");
    },
  }));

  it("are imported by gpg from their backup, which only its passphrase opens", async function () {
    if (!isInstalled("gpg")) skipWithout(this, "gpg");
    const keyring = keyringOver(inMemory());
    const created = await keyring.create("ada@example.org")();
    const key = created._tag === "Right" ? created.right : null;
    const copied = await keyring.protect("ada@example.org", key?.fingerprint ?? "", passphrase)();
    const home = mkdtempSync(join(tmpdir(), "bauta-backup-"));
    const gpg = (secret: string, ...args: readonly string[]) =>
      spawnSync(
        "gpg",
        [
          ...["--homedir", home, "--batch", "--no-tty", "--pinentry-mode", "loopback"],
          ...["--passphrase", secret, ...args],
        ],
        { encoding: "utf8" },
      );
    try {
      const file = join(home, "backup.asc");
      writeFileSync(file, copied._tag === "Right" ? copied.right : "");
      expect(gpg(passphrase, "--import", file).status).to.equal(0);
      expect(gpg(passphrase, "--list-secret-keys", "--with-colons").stdout).to.include(key?.fingerprint);
      const sealed = await encryptToKey({
        content: new TextEncoder().encode("Subject: x\r\n\r\nFor gpg\r\n"),
        publicKey: key?.publicKey ?? "",
        boundary: "=_test",
      });
      const text = Buffer.from(sealed).toString("latin1");
      writeFileSync(file, text.slice(text.indexOf("-----BEGIN PGP MESSAGE"), text.lastIndexOf("--=_test--")));
      expect(gpg("not this one", "--decrypt", file).status).not.to.equal(0);
      expect(gpg(passphrase, "--decrypt", file).stdout).to.include("For gpg");
    } finally {
      spawnSync("gpgconf", ["--homedir", home, "--kill", "all"]);
      rmSync(home, { recursive: true, force: true });
    }
  });
});
