import { expect } from "chai";
import { undoSteps } from "../../../core/bulk/undoChange.ts";
import { createMask } from "../../fakes/productServer.ts";

const rule = (id: string, name: string) => ({ id, name });

describe("Taking back rules that masks were given", () => {
  it("removes them, and puts back those that they have replaced", () => {
    const masks = [
      createMask("a", { settings: { rules: [rule("r1", "Before"), rule("r9", "Other")] } }),
      createMask("b", { settings: { rules: [] } }),
      createMask("c"),
    ];
    const [a, b, c] = masks.map(({ id }) => id);
    const added = { kind: "addRules" as const, rules: [rule("r1", "After"), rule("r2", "New")] };
    expect(undoSteps(masks, added)).to.deep.equal([
      { ids: [a], change: { kind: "removeRules", ids: ["r2"] } },
      { ids: [b, c], change: { kind: "removeRules", ids: ["r1", "r2"] } },
      { ids: [a], change: { kind: "addRules", rules: [rule("r1", "Before")] } },
    ]);
    const replaced = { kind: "addRules" as const, rules: [rule("r1", "After")] };
    expect(undoSteps(masks.slice(0, 1), replaced)).to.deep.equal([
      { ids: [a], change: { kind: "addRules", rules: [rule("r1", "Before")] } },
    ]);
  });
});
