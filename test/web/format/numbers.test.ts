import { expect } from "chai";
import { formatBytes } from "../../../web/format/numbers.ts";

describe("A formatted size", () => {
  for (const [bytes, messages] of [
    [0, "0 bytes"],
    [1, "1 byte"],
    [16, "16 bytes"],
    [999, "999 bytes"],
    [1_000, "1 kB"],
    [2_600, "3 kB"],
    [2_400_000, "2.4 MB"],
    [5_000_000, "5 MB"],
    [10_000_000_000, "10 GB"],
  ] as const)
    it(`is "${messages}" for ${bytes}`, () => {
      expect(formatBytes(bytes)).to.equal(messages);
    });
});
