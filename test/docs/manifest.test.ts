import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { addressText } from "../../web/navigation/address.ts";
import { installPictures } from "./pictures.ts";

const folder = join(import.meta.dirname, "../../web/public");
const manifest = JSON.parse(readFileSync(join(folder, "manifest.webmanifest"), "utf8")) as {
  readonly shortcuts: readonly { readonly url: string }[];
  readonly screenshots: readonly { readonly src: string; readonly sizes: string }[];
};

/** The width and height of a PNG (its first chunk, IHDR). */
const sizesOf = (file: string): string => {
  const bytes = readFileSync(file);
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
};

describe("The manifest of the app", () => {
  it("has the pictures that the script takes, in their size, and none that is heavy", () => {
    expect(manifest.screenshots.map(({ src }) => src)).to.deep.equal(installPictures.map(({ file }) => file));
    for (const { src, sizes } of manifest.screenshots) {
      expect(sizesOf(join(folder, src)), src).to.equal(sizes);
      expect(statSync(join(folder, src)).size, src).to.be.below(150_000);
    }
  });

  it("leads by its shortcuts to the form of a mask and to held mail", () => {
    expect(manifest.shortcuts.map(({ url }) => url)).to.deep.equal([
      `./${addressText(["masks", "new"])}`,
      `./${addressText(["held"])}`,
    ]);
  });
});
