import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { notesEdits, notesFiles, screenEdits, screenFiles } from "./notesFeature.ts";
import { compileErrors } from "./overlay.ts";

/** The edit that a recipe starts with, and the place that the compiler then reports. */
const recipes = [
  {
    name: "a rule condition",
    edit: {
      file: "core/rules/model/conditionField.ts",
      before: "  category: {\n    group",
      after:
        '  reply: { group: "Sender and recipient", type: "sender_filter", kind: "address", source: "header", label: "Answers to", phrase: "reply address" },\n  category: {\n    group',
    },
    place: "core/rules/engine/conditionMatcher.ts",
    missing: "reply",
  },
  {
    name: "a field of a mask",
    edit: {
      file: "core/masks/mask.ts",
      before: "  active: { in",
      after:
        '  nickname: { in: "mask", stored: t.string, input: t.string, initial: "", isInForm: true },\n  active: { in',
    },
    place: "web/features/masks/form/plainMaskFields.tsx",
    missing: "nickname",
  },
];

type Recipe = (typeof recipes)[number];

const isExpected = (error: string, { place, missing }: Recipe): boolean =>
  error.startsWith(`${place}: Property '${missing}' is missing`);

describe("A change that follows a recipe of CONTRIBUTING.md", () => {
  let errors: readonly string[];
  before(async () => {
    errors = await compileErrors(
      ["core", "adapters", "web", "server", "cli", "extension"],
      [...recipes.map(({ edit }) => edit), ...notesEdits, ...screenEdits],
      { ...notesFiles, ...screenFiles },
    );
  });

  for (const recipe of recipes)
    it(`for ${recipe.name} makes the compiler report the second place`, () => {
      expect(errors.filter((error) => isExpected(error, recipe))).to.have.lengthOf(1);
    });

  it("needs only places that the page names", async () => {
    const page = await readFile(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
    for (const { edit, place } of recipes)
      for (const file of [edit.file, place]) expect(page).to.contain(`\`${file}\``);
  });

  it("breaks no other place, and neither does a new feature or screen", () => {
    expect(errors.filter((error) => !recipes.some((recipe) => isExpected(error, recipe)))).to.deep.equal([]);
  });
});
