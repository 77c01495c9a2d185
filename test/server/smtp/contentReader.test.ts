import { expect } from "chai";
import fc from "fast-check";
import { createDataReader } from "../../../server/smtp/contentReader.ts";
import { isNormalized, normalizeLineEndings } from "../../../server/smtp/lineEndings.ts";
import { onInputs } from "../../support/corpora.ts";

/** A simple reference implementation of RFC 5321 and docs/forwarding.md: the content of these bytes, and its end. */
const expected = (bytes: string): { readonly content: string; readonly end: number } | null => {
  const found = `\r\n${bytes}`.indexOf("\r\n.\r\n");
  if (found < 0) return null;
  const content = bytes
    .slice(0, found)
    .replace(/(^|\r\n)\./g, "$1")
    .replace(/(?<!\r)\n\.\./g, "\n.");
  return { content, end: found + 3 };
};

const read = (bytes: string, cuts: readonly number[]): { readonly content: string; readonly end: number } => {
  const reader = createDataReader();
  const found: Buffer[] = [];
  const borders = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])];
  borders.sort((a, b) => a - b);
  for (const [index, from] of borders.entries()) {
    const { pieces, end } = reader.push(Buffer.from(bytes.slice(from, borders[index + 1]), "latin1"), 0);
    found.push(...pieces);
    if (end >= 0) return { content: Buffer.concat(found).toString("latin1"), end: from + end };
  }
  return { content: Buffer.concat(found).toString("latin1"), end: -1 };
};

const tricky = fc
  .array(fc.constantFrom("\r\n", "\r", "\n", ".", "..", "a", "\0", "\r\n.", "\r\n..", "text"), {
    maxLength: 30,
  })
  .map((parts) => parts.join(""));

describe("The content reader", () => {
  it("returns the same content for any split by the network", () => {
    fc.assert(
      fc.property(tricky, fc.array(fc.nat(100), { maxLength: 6 }), (text, cuts) => {
        const bytes = `${text}\r\n.\r\nQUIT\r\n`;
        expect(read(bytes, cuts)).to.deep.equal(expected(bytes));
      }),
      { numRuns: 3_000 },
    );
  });

  it("copies nothing where no dot is stuffed", () => {
    const bytes = Buffer.from(`${"a line of text\r\n".repeat(500)}.\r\n`);
    const { pieces, end } = createDataReader().push(bytes, 0);
    expect(pieces.map(({ buffer, byteOffset }) => [buffer === bytes.buffer, byteOffset])).to.deep.equal([
      [true, bytes.byteOffset],
    ]);
    expect(end).to.equal(bytes.length);
  });

  it("reports regular line endings exactly where normalizing changes nothing", () => {
    fc.assert(
      fc.property(tricky, fc.nat(7), (text, offset) => {
        const content = Buffer.from(`${"x".repeat(offset)}${text}`, "latin1").subarray(offset);
        const irregular = /\0|\r(?!\n)|(?<!\r)\n/.test(text);
        expect(isNormalized(content)).to.equal(!irregular);
        const normal = normalizeLineEndings(content).toString("latin1");
        expect(normal).to.equal(text.replace(/\r{0,3}\n/g, "\r\n").replace(/\0|\r(?!\n)/g, " "));
      }),
      { numRuns: 3_000 },
    );
  });

  onInputs(["smuggling"], ({ areSamples, json }) => {
    it("ends the content of smuggling attempts at CRLF.CRLF alone, for any split into chunks", () => {
      const sequences = json<Readonly<Record<string, readonly string[]>>>("smuggling").flatMap((lists) =>
        Object.values(lists).flat(),
      );
      expect(sequences).to.have.lengthOf(areSamples ? 15 : 55);
      for (const sequence of sequences) {
        const bytes = `outer${sequence}MAIL FROM:<evil@b.example>\r\n.\r\n`;
        const whole = read(bytes, []);
        expect(whole.end).to.equal(bytes.length);
        for (let first = 1; first < bytes.length; first += 1)
          for (let second = first; second < bytes.length; second += 1)
            expect(read(bytes, [first, second]), JSON.stringify([sequence, first, second])).to.deep.equal(
              whole,
            );
      }
    });
  });
});
