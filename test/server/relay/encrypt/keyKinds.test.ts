import { expect } from "chai";
import { decrypt, generateKey, readMessage, readPrivateKey } from "openpgp";
import { encryptToKey } from "../../../../server/relay/encrypt/pgpMime.ts";
import { withoutProtection } from "./openSealed.ts";

const kinds: Readonly<Record<string, Omit<Parameters<typeof generateKey>[0], "userIDs" | "format">>> = {
  "Curve25519 as GnuPG has it": { type: "ecc", curve: "curve25519Legacy" },
  X25519: { type: "curve25519" },
  "X25519 of version 6": { type: "curve25519", config: { v6Keys: true } },
  "X25519 with authenticated encryption": { type: "curve25519", config: { aeadProtect: true } },
  X448: { type: "curve448" },
  "P-256": { type: "ecc", curve: "nistP256" },
  "RSA-2048": { type: "rsa", rsaBits: 2048 },
};

const contents: Readonly<Record<string, Buffer>> = {
  small: Buffer.from("From: a@b.example\r\nContent-Type: text/plain\r\n\r\nHello\r\n"),
  empty: Buffer.from("From: a@b.example\r\nContent-Type: text/plain\r\n\r\n"),
  large: Buffer.from(
    `From: a@b.example\r\nContent-Type: text/plain\r\n\r\n${"0123456789\r\n".repeat(100_000)}`,
  ),
};

const makeKey = (kind: string): Promise<{ readonly publicKey: string; readonly privateKey: string }> =>
  generateKey({ ...kinds[kind], userIDs: [{ name: "Owner" }], format: "armored" });

const open = async (sealed: Uint8Array, armoredKey: string): Promise<Buffer> => {
  const [armored = ""] =
    /-----BEGIN PGP MESSAGE-----.*-----END PGP MESSAGE-----/s.exec(Buffer.from(sealed).toString("latin1")) ??
    [];
  const { data } = await decrypt({
    message: await readMessage({ armoredMessage: armored }),
    decryptionKeys: await readPrivateKey({ armoredKey }),
    format: "binary",
  });
  return withoutProtection(Buffer.from(data as Uint8Array));
};

describe("A mail to a key of each kind", () => {
  for (const kind of Object.keys(kinds))
    it(`is opened with ${kind}, whatever its size`, async () => {
      const { publicKey, privateKey } = await makeKey(kind);
      for (const content of Object.values(contents)) {
        const sealed = await encryptToKey({ content, publicKey, boundary: "=_test" });
        expect((await open(sealed, privateKey)).equals(content)).to.equal(true);
      }
    });

  it("is opened with each of several keys, of one kind or of many", async () => {
    const { small: content = Buffer.alloc(0) } = contents;
    const [first, second, other] = await Promise.all(
      ["X25519", "Curve25519 as GnuPG has it", "P-256"].map(makeKey),
    );
    if (!first || !second || !other) throw new Error("no keys");
    for (const keys of [
      [first, second],
      [first, second, other],
    ]) {
      const publicKey = keys.map((key) => key.publicKey);
      const sealed = await encryptToKey({ content, publicKey, boundary: "=_test" });
      for (const { privateKey } of keys)
        expect((await open(sealed, privateKey)).equals(content)).to.equal(true);
    }
  });
});
