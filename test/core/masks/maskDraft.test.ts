import { expect } from "chai";
import fc from "fast-check";
import { isLeft } from "fp-ts/lib/Either.js";
import { type FieldError, fieldErrors } from "../../../core/kernel/failure.ts";
import {
  decodeMaskDraft,
  type MaskDraft,
  toMaskDraft,
  toNewMask,
  toStoredDraft,
} from "../../../core/masks/maskDraft.ts";

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

  it("of a program that does not know the account's address leaves it to the server, also when it is kept", () => {
    const kept = decodeMaskDraft(toStoredDraft(draft({ forwardTo: "", forwardsByDefault: true })));
    const body = toNewMask(kept ?? draft({}), { kind: "plain" }, true);
    expect(body).to.have.property("right").which.does.not.have.property("forwardTo");
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

describe("What was typed into a mask form before a reload", () => {
  it("is shown again as it was, valid or not", () => {
    const typed = draft({
      description: "",
      forwardTo: "nowhere",
      labels: ["shop", ""],
      note: "n".repeat(2_000),
    });
    expect(decodeMaskDraft(JSON.parse(JSON.stringify(typed)))).to.deep.equal(typed);
    expect(decodeMaskDraft({ ...typed, older: "field" })).to.deep.equal(typed);
  });

  it("is not shown when another form or an older version has kept something else", () => {
    for (const other of [
      null,
      "text",
      [],
      {},
      { ...toMaskDraft(), labels: { 0: "an object has the type of a list" } },
      { ...toMaskDraft(), labels: [1] },
      { ...toMaskDraft(), spamFilter: "yes" },
    ])
      expect(decodeMaskDraft(other), JSON.stringify(other)).to.equal(null);
  });
});

describe("A note", () => {
  it("has at most 1,000 characters, and may contain angle brackets (VA1)", () => {
    const said = (note: string) => problemsOf({ note }).map(({ message }) => message);
    expect(said("n".repeat(1_000))).to.deep.equal([]);
    expect(said("Ada <ada@example.org>")).to.deep.equal([]);
    expect(said("n".repeat(1_001))).to.deep.equal(["A note must be 1000 characters or less"]);
  });
});
