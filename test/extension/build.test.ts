import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import { expect } from "chai";

type Build = (folder: string) => Promise<{
  readonly archives: readonly (readonly [string, Buffer])[];
}>;
const source = new URL("../../scripts/build/extension.mjs", import.meta.url).href;
const { buildExtension } = (await import(source)) as { readonly buildExtension: Build };

/** Reads an archive by its directory (APPNOTE.TXT, 4.3.12), and checks each file against its checksum. */
const unpack = (archive: Buffer): ReadonlyMap<string, Buffer> => {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).to.equal(0x06054b50);
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    expect(archive.readUInt32LE(at)).to.equal(0x02014b50);
    const length = archive.readUInt16LE(at + 28);
    const name = archive.toString("utf8", at + 46, at + 46 + length);
    const local = archive.readUInt32LE(at + 42);
    expect(archive.readUInt32LE(local)).to.equal(0x04034b50);
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = inflateRawSync(archive.subarray(begin, begin + archive.readUInt32LE(at + 20)));
    expect([crc32(bytes), bytes.length]).to.deep.equal([
      archive.readUInt32LE(at + 16),
      archive.readUInt32LE(at + 24),
    ]);
    files.set(name, bytes);
    at += 46 + length;
  }
  return files;
};

describe("The build of the extension", () => {
  const folder = mkdtempSync(join(tmpdir(), "bauta-extension-"));
  const read = (...path: readonly string[]): Buffer => readFileSync(join(folder, ...path));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("gives the same bytes a second time, with their checksums", async () => {
    const { archives: first } = await buildExtension(join(folder, "first"));
    const { archives: second } = await buildExtension(join(folder, "second"));
    expect(second.map(([name]) => name)).to.deep.equal(first.map(([name]) => name));
    for (const [n, [, bytes]] of first.entries()) expect(second[n]?.[1].equals(bytes)).to.equal(true);
    expect(read("first", "SHA256SUMS").toString().trim().split("\n")).to.deep.equal(
      first.map(([name, bytes]) => `${createHash("sha256").update(bytes).digest("hex")}  ${name}`),
    );
  });

  for (const browser of ["chromium", "firefox"])
    it(`packs for ${browser} what it also writes as a folder, and all that the manifest names`, async () => {
      const { archives } = await buildExtension(join(folder, "packed"));
      const [, archive = Buffer.alloc(0)] = archives.find(([name]) => name.includes(browser)) ?? [];
      const files = unpack(archive);
      for (const [name, bytes] of files)
        expect(read("packed", browser, name).equals(bytes), name).to.equal(true);
      const manifest = files.get("manifest.json")?.toString() ?? "";
      const named = [...manifest.matchAll(/"([\w-]+\.(?:js|html|png))"/g)].map(([, name]) => name);
      expect([...files.keys()]).to.include.members(["THIRD-PARTY-NOTICES.txt", "LICENSE.txt", ...named]);
    });
});
