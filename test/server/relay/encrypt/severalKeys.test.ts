import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { generateKey } from "openpgp";
import { encryptToKey, UnusableKey } from "../../../../server/relay/encrypt/pgpMime.ts";
import { armoredIn, needsProgram } from "./gpgPrograms.ts";

const mail = Buffer.from("From: a@shop.example\r\nSubject: Your order\r\n\r\nIt is on its way\r\n");

const keyOf = (type: "curve25519" | "ecc" | "rsa", validSeconds = 0) =>
  generateKey({
    type,
    rsaBits: 2_048,
    userIDs: [{ name: "Ada" }],
    format: "armored",
    date: new Date(Date.now() - 7_200_000),
    keyExpirationTime: validSeconds,
  });

const seal = async (publicKey: readonly string[], otherKeys: readonly (readonly string[])[] = []) =>
  Buffer.from(await encryptToKey({ content: mail, publicKey, otherKeys, boundary: "=_test" }));

/** Returns what gpg makes of a mail with one private key alone. */
const openWithGpg = (privateKey: string, sealed: Buffer): string => {
  const folder = mkdtempSync(join(tmpdir(), "bauta-several-"));
  const gpg = ["--homedir", folder, "--batch", "--quiet", "--no-tty"];
  try {
    const [key, file] = [join(folder, "key.asc"), join(folder, "mail.asc")];
    writeFileSync(key, privateKey);
    writeFileSync(file, armoredIn(sealed));
    execFileSync("gpg", [...gpg, "--import", key], { stdio: "ignore" });
    return execFileSync("gpg", [...gpg, "--decrypt", file], {
      stdio: ["ignore", "pipe", "ignore"],
    }).toString();
  } finally {
    execFileSync("gpgconf", ["--homedir", folder, "--kill", "all"], { stdio: "ignore" });
    rmSync(folder, { recursive: true, force: true });
  }
};

describe("A mail to a destination with several keys", () => {
  it("is opened by gpg with each of them alone, an expired one beside them left out", async function () {
    needsProgram(this, "gpg");
    const [phone, laptop, old] = [await keyOf("ecc"), await keyOf("rsa"), await keyOf("ecc", 3_600)];
    const sealed = await seal([old.publicKey, phone.publicKey, laptop.publicKey]);
    for (const { privateKey } of [phone, laptop])
      expect(openWithGpg(privateKey, sealed)).to.contain("It is on its way");
    expect(() => openWithGpg(old.privateKey, sealed)).to.throw();
  });

  it("is not encrypted when none of them can be used, whatever keys other recipients have", async () => {
    const [good, old] = [await keyOf("curve25519"), await keyOf("curve25519", 3_600)];
    const failures = await Promise.all(
      [seal([old.publicKey]), seal([good.publicKey], [[old.publicKey, old.publicKey]])].map((sealed) =>
        sealed.catch((error: unknown) => error),
      ),
    );
    for (const failure of failures) expect(failure).to.be.instanceOf(UnusableKey);
  });
});
