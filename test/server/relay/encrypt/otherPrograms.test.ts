import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { generateKey } from "openpgp";
import { encryptToKey } from "../../../../server/relay/encrypt/pgpMime.ts";
import { onInputs } from "../../../support/corpora.ts";
import { forwardedMails } from "./encryptionMails.ts";
import { armoredIn, needsProgram } from "./gpgPrograms.ts";
import { withoutProtection } from "./openSealed.ts";

interface Sealed {
  readonly name: string;
  readonly clean: Buffer;
  /** Path of the encrypted part; the decrypted file has the same path without the extension. */
  readonly file: string;
}

const opened = (file: string): string => file.replace(/\.asc$/, "");

const quietly = { stdio: "ignore" } as const;

/** Commands of other programs that decrypt many mails with a private key. */
const programs: Readonly<Record<string, (folder: string, key: string, files: readonly string[]) => void>> = {
  gpg: (folder, key, files) => {
    const gpg = ["--homedir", folder, "--batch", "--quiet", "--no-tty"];
    execFileSync("gpg", [...gpg, "--import", key], quietly);
    for (const file of files)
      execFileSync("gpg", [...gpg, "--output", opened(file), "--decrypt", file], quietly);
  },
  sq: (_, key, files) => {
    for (const file of files)
      execFileSync("sq", ["decrypt", "--recipient-key", key, "--output", opened(file), file], quietly);
  },
};

/** Where the mail says that it can be read. */
const readAt = "https://bauta.example/#settings/security/encryption";

describe("Every odd mail, encrypted to its owner's key", () => {
  onInputs(["oddMails"], ({ areSamples, files: filesOf }) => {
    let folder: string;
    let key: string;
    let sealed: readonly Sealed[];

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), "bauta-programs-"));
      const { publicKey, privateKey } = await generateKey({
        type: "ecc",
        curve: "curve25519Legacy",
        userIDs: [{ name: "Mask owner" }],
        format: "armored",
      });
      key = join(folder, "key.asc");
      writeFileSync(key, privateKey);
      sealed = await Promise.all(
        forwardedMails(filesOf("oddMails")).map(async ({ name, clean }, n) => {
          const mail = Buffer.from(
            await encryptToKey({ content: clean, publicKey, boundary: "=_test", readAt }),
          );
          const file = join(folder, `${n}.asc`);
          writeFileSync(file, armoredIn(mail));
          return { name, clean, file, isEncrypted: !mail.equals(clean) };
        }),
      ).then((all) => all.filter(({ isEncrypted }) => isEncrypted));
    });
    after(() => {
      if (folder) rmSync(folder, { recursive: true, force: true });
    });

    for (const [program, openAll] of Object.entries(programs))
      it(`has the same bytes again after decryption by ${program}`, function () {
        needsProgram(this, program);
        expect(sealed.length).to.be.greaterThan(areSamples ? 15 : 100);
        for (const { file } of sealed) rmSync(opened(file), { force: true });
        openAll(
          folder,
          key,
          sealed.map(({ file }) => file),
        );
        for (const { name, clean, file } of sealed) {
          expect(withoutProtection(readFileSync(opened(file))).equals(clean), name).to.equal(true);
        }
      });
  });
});
