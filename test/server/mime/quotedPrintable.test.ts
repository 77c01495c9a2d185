import { expect } from "chai";
import fc from "fast-check";
import {
  applyEdits,
  decodeQuotedPrintable,
  editQuotedPrintable,
  encodeQuotedPrintable,
  type TextEdit,
} from "../../../server/mime/quotedPrintable.ts";

/** Removes a text, which is there once. */
const without = (original: string, removed: string): string => {
  const part = Buffer.from(original);
  const start = decodeQuotedPrintable(part).indexOf(removed);
  return editQuotedPrintable(part, [{ start, end: start + removed.length, text: "" }]).toString();
};

const piece = fc.constantFrom(
  ...[
    "a",
    "=\r\n",
    "\r\n",
    "=3D",
    "=20",
    " ",
    "\t",
    "line\r\n",
    "=C3=A4",
    "=\r\n=\r\n",
    "= \r\n",
    "x".repeat(30),
  ],
);
const part = fc.array(piece, { maxLength: 40 }).map((parts) => Buffer.from(parts.join("")));

const editsOf = (
  text: string,
  places: readonly (readonly [number, number, string])[],
): readonly TextEdit[] => {
  const edits: TextEdit[] = [];
  let from = 0;
  for (const [gap, length, added] of places) {
    const start = Math.min(text.length, from + gap);
    const end = Math.min(text.length, start + length);
    edits.push({ start, end, text: added });
    from = end;
  }
  return edits;
};
const places = fc.array(
  fc.tuple(fc.nat(30), fc.nat(40), fc.constantFrom("", "x", "=", "\xe4\xf6", "y".repeat(80))),
  { minLength: 1, maxLength: 4 },
);

/** A decoder removes blanks at the end of a line, which an edit may have put there. */
const readable = (text: string): string => text.replace(/[ \t]+(?=\r\n|$)/g, "");

describe("A text in quoted-printable", () => {
  it("is itself where nothing must be encoded, and reads the same otherwise", () => {
    const plain = `${"x".repeat(76)}\r\n\tand so on\r\n\r\n`;
    expect(encodeQuotedPrintable(plain).toString()).to.equal(plain);
    for (const text of ["a=b", "a \r\n", "a\t", "a\nb", "a\rb", "\xe4", "y".repeat(77), "\0"]) {
      const encoded = encodeQuotedPrintable(text);
      expect(encoded.toString("latin1"), text).not.to.equal(text === "a\nb" || text === "a\rb" ? "" : text);
      expect(decodeQuotedPrintable(encoded), text).to.equal(text);
    }
  });
});

describe("A quoted-printable part that a rule changes", () => {
  it("keeps the lines without a change as the sender encoded them", () => {
    expect(
      without(
        "<p>=48=65llo, w=\r\nrapped early</p>\r\n<img src=3D'x'>\r\n<p>a =\r\nb=20\r\nc</p>\r\n",
        "<img src='x'>\r\n",
      ),
    ).to.equal("<p>=48=65llo, w=\r\nrapped early</p>\r\n<p>a =\r\nb=20\r\nc</p>\r\n");
  });

  it("keeps the folding of a text that is one long line, but for the place of the change", () => {
    const words = Array.from({ length: 200 }, (_, n) => `<p>word =\r\nnumber ${n}</p>=\r\n`);
    const before = [...words.slice(0, 100), "<img src=3D'x'>=\r\n", ...words.slice(100)].join("");
    expect(without(before, "<img src='x'>")).to.equal(
      [...words.slice(0, 100), "=\r\n", ...words.slice(100)].join(""),
    );
  });

  it("keeps what follows more than forty changed lines", () => {
    const tag = `<img alt=3D'${"line\r\n".repeat(60)}' src=3D'x'>`;
    expect(without(`a=20=\r\nb\r\n${tag}c=\r\nd\r\n`, decodeQuotedPrintable(Buffer.from(tag)))).to.equal(
      "a=20=\r\nb\r\nc=\r\nd\r\n",
    );
  });

  it("folds a line only where it has become too long, and encodes a blank that has come to the end of one", () => {
    const long = `${"a".repeat(60)}<img=\r\n>${"b".repeat(60)}\r\n`;
    expect(without(long, "<img>")).to.equal(`${"a".repeat(60)}${"b".repeat(15)}=\r\n${"b".repeat(45)}\r\n`);
    expect(without("a <img>\r\nb", "<img>")).to.equal("a=20\r\nb");
  });

  it("decodes to the changed text, whatever is changed", () => {
    fc.assert(
      fc.property(part, places, (original, where) => {
        const text = decodeQuotedPrintable(original);
        const edits = editsOf(text, where);
        const changed = applyEdits(text, edits);
        const result = decodeQuotedPrintable(editQuotedPrintable(original, edits));
        expect(readable(result)).to.equal(readable(changed));
      }),
      { numRuns: 2_000 },
    );
  });

  it("has no line of more than 76 characters that it did not have before", () => {
    fc.assert(
      fc.property(part, places, (original, where) => {
        const text = decodeQuotedPrintable(original);
        const linesOf = (bytes: Buffer) => bytes.toString("latin1").split("\r\n");
        const before = linesOf(original);
        fc.pre(before.every((line) => line.length <= 76));
        const after = linesOf(editQuotedPrintable(original, editsOf(text, where)));
        for (const line of after) expect(line.length).to.be.at.most(76);
      }),
      { numRuns: 1_000 },
    );
  });
});
