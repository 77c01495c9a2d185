import { readFileSync } from "node:fs";
import { expect } from "chai";
import { checkPublicKey } from "../../../../server/platform/openpgp/checkPublicKey.ts";

const keyNamed = (name: string): string =>
  readFileSync(new URL(`../../../data/keys/${name}.asc`, import.meta.url), "utf8");
const now = new Date("2026-11-22T12:00:00Z");

describe("An uploaded public key", () => {
  for (const name of ["good", "goodRsa"])
    it(`is accepted when mail can be encrypted to it (${name})`, async () => {
      const checked = await checkPublicKey(keyNamed(name), now);
      expect(checked)
        .to.have.property("fingerprint")
        .that.matches(/^[0-9A-F]{40}$/);
      expect(checked).to.have.property("publicKey").that.contains("BEGIN PGP PUBLIC KEY BLOCK");
    });

  const bad: Readonly<Record<string, RegExp>> = {
    noKey: /This is not a public key/,
    private: /This is a private key\. Keep it to yourself/,
    message: /encrypted message, not a public key/,
    signature: /signature, not a public key/,
    several: /holds 2 keys/,
    truncated: /The end of this key is missing/,
    damaged: /This key is damaged/,
    expired: /This key has expired/,
    revoked: /This key is revoked/,
    signOnly: /can sign but not encrypt/,
    subkeyExpired: /encryption part of this key has expired/,
    subkeyRevoked: /encryption part of this key is revoked/,
    weak: /too weak: RSA needs at least 2048 bits/,
    future: /from the future/,
    // An attacker chooses the size of DSA numbers, and so how long a check of the signature takes.
    dsa: /kind that is not safe any more/,
  };
  for (const [name, sentence] of Object.entries(bad))
    it(`is refused with a specific message: ${name}`, async () => {
      const checked = await checkPublicKey(keyNamed(name), now);
      expect(checked).to.have.property("problem").that.matches(sentence);
    });

  it("is refused when it is too large", async () => {
    const checked = await checkPublicKey(keyNamed("good").padEnd(100_001, "\n"), now);
    expect(checked)
      .to.have.property("problem")
      .that.matches(/too large/);
  });
});
