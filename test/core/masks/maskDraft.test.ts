import { expect } from "chai";
import fc from "fast-check";
import { isLeft } from "fp-ts/lib/Either.js";
import { type FieldError, fieldErrors } from "../../../core/kernel/failure.ts";
import { type MaskDraft, toNewMask } from "../../../core/masks/maskDraft.ts";

const draft = (more: Partial<MaskDraft>): MaskDraft => ({
  description: "Shop",
  forwardTo: "ada@example.org",
  spamFilter: true,
  labels: [],
  note: "",
  customPrefix: "",
  ...more,
});
const problemsOf = (more: Partial<MaskDraft>): readonly FieldError[] => {
  const body = toNewMask(draft(more), { kind: "plain" }, true);
  return isLeft(body) ? fieldErrors(body.left) : [];
};
const fieldsOf = (more: Partial<MaskDraft>): string[] => problemsOf(more).map(({ field }) => field);

describe("A mask form", () => {
  it("shows no error for a valid draft", () => {
    expect(problemsOf({})).to.deep.equal([]);
    expect(problemsOf({ customPrefix: "Shop_1.a-b" })).to.deep.equal([]);
  });

  it("shows an error for every invalid field, in the form's order", () => {
    expect(fieldsOf({ description: "", forwardTo: "x", customPrefix: "ä" })).to.deep.equal([
      "description",
      "forwardTo",
      "customPrefix",
    ]);
  });

  it("accepts every prefix of up to 16 letters, digits, underscores, and inner periods and hyphens, and no other", () => {
    const allowed = fc.stringMatching(/^[A-Za-z0-9_-](?:\.?[A-Za-z0-9_-]){0,7}$/);
    fc.assert(
      fc.property(allowed, (prefix) => {
        expect(fieldsOf({ customPrefix: prefix })).to.deep.equal([]);
      }),
    );
    const other = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((text) => /[^\w.\- ]/u.test(text.trim()));
    fc.assert(
      fc.property(other, (prefix) => {
        expect(fieldsOf({ customPrefix: prefix })).to.deep.equal(["customPrefix"]);
      }),
    );
    expect(fieldsOf({ customPrefix: "a".repeat(16) })).to.deep.equal([]);
    expect(fieldsOf({ customPrefix: "a".repeat(17) })).to.deep.equal(["customPrefix"]);
  });

  it("refuses text that a database cannot store unchanged", () => {
    expect(fieldsOf({ description: "a\u0000b" })).to.deep.equal(["description"]);
    expect(fieldsOf({ description: "a\ud800b" })).to.deep.equal(["description"]);
    expect(fieldsOf({ description: "🎭".repeat(100) })).to.deep.equal([]);
  });
});
