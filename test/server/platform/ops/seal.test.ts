import { randomBytes } from "node:crypto";
import { expect } from "chai";
import fc from "fast-check";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { createSeal } from "../../../../server/platform/ops/secrets.ts";

describe("Encrypted text in the store", () => {
  const { seal, open } = createSeal(randomBytes(32), cryptoRandom);

  it("decrypts to the original, and looks different each time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (text, about) => {
        expect(open(seal(text, about), about)).to.equal(Buffer.from(text).toString());
        expect(seal(text, about)).not.to.equal(seal(text, about));
      }),
    );
  });

  it("decrypts with its own key, in its own context and unchanged only", () => {
    const sealed = seal("GEZDGNBVGY3TQOJQ", "two-factor ada");
    expect(sealed).not.to.include("GEZD");
    expect(() => open(sealed, "two-factor eve")).to.throw();
    expect(() => createSeal(randomBytes(32), cryptoRandom).open(sealed, "two-factor ada")).to.throw();
    for (const at of [0, 15, sealed.length - 2]) {
      const other = sealed[at] === "A" ? "B" : "A";
      expect(
        () => open(`${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`, "two-factor ada"),
        `${at}`,
      ).to.throw();
    }
    for (const short of ["", sealed.slice(0, 20), sealed.slice(0, 38)])
      expect(() => open(short, "two-factor ada")).to.throw();
  });
});
