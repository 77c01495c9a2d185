import { expect } from "chai";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { filterRules, noFilter, overviewRules } from "../../../../web/features/rules/overviewFilter.ts";

const rule = (id: string, more: Partial<Rule> = {}): Rule => ({
  id,
  name: id,
  type: "content_filter",
  enabled: true,
  conditions: [{ field: "subject", operator: "contains", value: ["sale"] }],
  actions: [{ type: "block", params: { silentBlock: false } }],
  ...more,
});
const shown = (one: Rule) => ({ rule: one, isLocal: false, applied: 0, lastApplied: null });
const all = overviewRules({
  masks: [
    { id: "a", description: "Café", maskEmail: "quiet@masks.example", ruleCount: 2 },
    { id: "b", description: "Library", maskEmail: "paper@masks.example", ruleCount: 1 },
  ],
  lists: [
    { id: "all-masks-before", rules: [shown(rule("first", { type: "limit" }))] },
    { id: "a", rules: [shown(rule("one")), shown(rule("two", { enabled: false }))] },
    { id: "b", rules: [shown(rule("one", { type: "sender_filter" }))] },
  ],
});
const found = (more: Partial<typeof noFilter>): readonly string[] =>
  filterRules(all, { ...noFilter, ...more }).map(({ place, rule: { id } }) => `${place}: ${id}`);

describe("The overview of all rules", () => {
  it("has the rules of every list, each with the name of its mask", () => {
    expect(found({})).to.deep.equal(["All masks: first", "Café: one", "Café: two", "Library: one"]);
    expect(new Set(all.map(({ key }) => key)).size).to.equal(4);
  });

  it("finds words of names, sentences and masks, without case and accents", () => {
    expect(found({ text: "CAFE two" })).to.deep.equal(["Café: two"]);
    expect(found({ text: "paper@" })).to.deep.equal(["Library: one"]);
    expect(found({ text: "contains sale then block" })).to.have.lengthOf(4);
    expect(found({ text: "nothing" })).to.deep.equal([]);
  });

  it("is narrowed by list, type and state", () => {
    expect(found({ listId: "a" })).to.deep.equal(["Café: one", "Café: two"]);
    expect(found({ type: "sender_filter" })).to.deep.equal(["Library: one"]);
    expect(found({ state: "off" })).to.deep.equal(["Café: two"]);
    expect(found({ listId: "a", state: "on" })).to.deep.equal(["Café: one"]);
  });
});
