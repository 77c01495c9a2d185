import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKey } from "openpgp";
import { encryptToKey } from "../../server/relay/encrypt/pgpMime.ts";

/** Sizes in bytes, and the minimum number of mails to encrypt. */
const cases = [
  { size: 10_000, mails: 100 },
  { size: 100_000, mails: 50 },
  { size: 5_000_000, mails: 5 },
];
const leastMs = 2_000;

/** Returns a mail of about this size: text, which compresses, and a base64 file, which does not. */
const mailOf = (size: number): Buffer => {
  const text = "Your order has left our store and should reach you on Tuesday.\r\n".repeat(50);
  const bytes = Buffer.alloc(Math.max(0, Math.floor(((size - text.length - 600) * 57) / 78)));
  for (let at = 0, state = 1; at < bytes.length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[at] = state >> 16;
  }
  return Buffer.from(
    [
      "From: Corner Shop <orders@shop.example>",
      "To: shop@masks.example",
      "Subject: Your order",
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: text/plain; charset=utf-8",
      "",
      text,
      "--b",
      "Content-Type: application/octet-stream",
      "Content-Transfer-Encoding: base64",
      "",
      (bytes.toString("base64").match(/.{1,76}/g) ?? []).join("\r\n"),
      "--b--",
      "",
    ].join("\r\n"),
  );
};

interface Rate {
  /** Mails per second. */
  readonly rate: number;
  /** Size of the last result in bytes. */
  readonly size: number;
}

/** Runs at least so many times and for the minimum duration, after one run that is not counted. */
const measure = async (mails: number, once: () => Promise<number> | number): Promise<Rate> => {
  await once();
  let size = 0;
  let done = 0;
  const began = performance.now();
  while (done < mails || performance.now() - began < leastMs) {
    size = await once();
    done += 1;
  }
  return { rate: done / ((performance.now() - began) / 1_000), size };
};

const isHere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

const widths = [34, 14, 14, 16];

const line = (cells: readonly string[]): string =>
  cells
    .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
    .join("");

const shown = (name: string, size: number, { rate, size: made }: Rate): string =>
  line([
    name,
    `${Math.round(size / 1_000)} kB`,
    rate < 10 ? rate.toFixed(1) : rate.toFixed(0),
    `${Math.round(made / 1_000)} kB`,
  ]);

/** Encrypts with gpg to a newly imported key, with its own folder for keys. */
const gpgOver = (folder: string, publicKey: string) => {
  const key = join(folder, "key.asc");
  writeFileSync(key, publicKey);
  const args = ["--homedir", folder, "--batch", "--quiet", "--no-tty", "--trust-model", "always"];
  return (mail: Buffer): number => {
    const { status, stdout } = spawnSync(
      "gpg",
      [...args, "--recipient-file", key, "--armor", "--encrypt", "--output", "-"],
      { input: mail, maxBuffer: 50_000_000 },
    );
    if (status !== 0) throw new Error("gpg did not encrypt");
    return stdout.length;
  };
};

/** Measures how many mails per second are encrypted on one core, beside gpg on the same input; prints a table. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "bauta-bench-"));
  const { publicKey } = await generateKey({
    type: "ecc",
    curve: "curve25519Legacy",
    userIDs: [{ name: "Mask owner" }],
    format: "armored",
  });
  const gpg = isHere("gpg") ? gpgOver(folder, publicKey) : null;
  try {
    console.log("Mails encrypted one after the other, on one core");
    console.log(line(["", "mail", "mails/s", "encrypted"]));
    for (const { size, mails } of cases) {
      const mail = mailOf(size);
      const ours = await measure(
        mails,
        async () => (await encryptToKey({ content: mail, publicKey, boundary: "=_bench" })).length,
      );
      console.log(shown("Bauta, PGP/MIME in its thread", mail.length, ours));
      if (gpg) {
        console.log(
          shown("gpg --encrypt, a process a mail", mail.length, await measure(mails, () => gpg(mail))),
        );
      }
    }
    if (!gpg) console.log("gpg is not installed: there is no comparison");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
