import { expect } from "chai";
import fc from "fast-check";
import { DotStuffing } from "../../../../server/delivery/client/stuffDots.ts";

describe("The leading dots of a mail that is sent", () => {
  const text = fc
    .array(fc.constantFrom("\r\n", ".", "..", "a", "line\r\n", ".\r\n"), { maxLength: 30 })
    .map((parts) => parts.join(""));

  const sent = (chunks: readonly Buffer[]): readonly Buffer[] => {
    const stuffing = new DotStuffing();
    const pieces: Buffer[] = [];
    for (const chunk of chunks) stuffing.push(chunk, (piece) => pieces.push(piece));
    return [...pieces, Buffer.from(stuffing.end())];
  };

  it("are doubled, wherever the chunks are split", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 5 }), (content, cuts) => {
        const borders = [0, ...cuts.map((cut) => cut % (content.length + 1)), content.length].sort(
          (a, b) => a - b,
        );
        const chunks = borders.slice(1).map((to, index) => Buffer.from(content.slice(borders[index], to)));
        const end = content === "" || content.endsWith("\r\n") ? ".\r\n" : "\r\n.\r\n";
        expect(Buffer.concat(sent(chunks)).toString()).to.equal(content.replace(/^\./gm, "..") + end);
      }),
      { numRuns: 2_000 },
    );
  });

  it("cause no copy of the bytes when there are none", () => {
    const content = Buffer.from("a line\r\n".repeat(1_000));
    expect(sent([content])[0]).to.equal(content);
  });
});
