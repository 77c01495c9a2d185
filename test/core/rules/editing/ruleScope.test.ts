import { expect } from "chai";
import { rulesForLabels } from "../../../../core/rules/editing/ruleScope.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";

const rule = (id: string, label?: string, enabled = true): Rule => ({
  id,
  name: id,
  type: "sender_filter",
  enabled,
  conditions: [
    { field: "subject", operator: "contains", value: "casino" },
    ...(label === undefined ? [] : [{ field: "maskLabel", operator: "equals", value: label } as const]),
  ],
  actions: [{ type: "tag", params: { tag: "Sale" } }],
});

describe("The rules for all masks that concern a mask", () => {
  const rules = [rule("all"), rule("papers", "Papers"), rule("off", undefined, false)];
  const concerning = (...labels: readonly string[]) => rulesForLabels(rules, labels).map(({ id }) => id);

  it("are those that are on, and not those for a label that it does not have", () => {
    expect(concerning()).to.deep.equal(["all"]);
    expect(concerning("Shops")).to.deep.equal(["all"]);
    expect(concerning("shops", "papers")).to.deep.equal(["all", "papers"]);
  });
});
