import { expect } from "chai";
import fc from "fast-check";
import { decodeQuotedPrintable, encodeQuotedPrintable } from "../../../server/delivery/quotedPrintable.ts";

describe("A quoted-printable part that a rule changes", () => {
  it("keeps the unchanged lines as the sender encoded them", () => {
    const original = Buffer.from(
      "<p>=48=65llo, w=\r\nrapped early</p>\r\n<img src=3D'x'>\r\n<p>a =\r\nb=20\r\nc</p>\r\n",
    );
    const text = decodeQuotedPrintable(original);
    expect(text).to.equal("<p>Hello, wrapped early</p>\r\n<img src='x'>\r\n<p>a b \r\nc</p>\r\n");
    expect(encodeQuotedPrintable(text.replace("<img src='x'>\r\n", ""), original).toString()).to.equal(
      "<p>=48=65llo, w=\r\nrapped early</p>\r\n<p>a =\r\nb=20\r\nc</p>\r\n",
    );
  });

  it("decodes to the changed text, and stays the same where nothing changed", () => {
    const piece = fc.constantFrom(
      "a",
      "=\r\n",
      "\r\n",
      "=3D",
      "=20",
      " ",
      "line\r\n",
      "=C3=A4",
      "=\r\n=\r\n",
    );
    const part = fc.array(piece, { maxLength: 25 }).map((parts) => Buffer.from(parts.join("")));
    fc.assert(
      fc.property(
        part,
        fc.nat(30),
        fc.nat(5),
        fc.constantFrom("", "x", "ä\r\ny"),
        (original, at, length, added) => {
          const text = decodeQuotedPrintable(original);
          const from = at % (text.length + 1);
          const changed = text.slice(0, from) + added + text.slice(from + length);
          const result = decodeQuotedPrintable(encodeQuotedPrintable(changed, original));
          if (!/[=\r\n]/.test(changed.replace(/\r\n/g, "")))
            expect(result.trimEnd()).to.equal(changed.trimEnd());
          expect(encodeQuotedPrintable(text, original).toString()).to.equal(original.toString());
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
