import { expect } from "chai";
import fc from "fast-check";
import { countChanges, mergeRules } from "../../../../core/rules/model/mergeRules.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";

const rule = (id: string, more: Partial<Rule> = {}): Rule => ({
  id,
  name: id,
  type: "content_filter",
  enabled: true,
  conditions: [{ field: "subject", operator: "contains", value: [id] }],
  actions: [{ type: "tag", params: { tag: id } }],
  updatedAt: "2026-11-20T09:00:00.000Z",
  ...more,
});
const at = (minute: number): Pick<Rule, "updatedAt"> => ({
  updatedAt: new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString(),
});
const list = (ids: string): readonly Rule[] => [...ids].map((id) => rule(id));
const undated = (rules: readonly Rule[]): unknown => rules.map(({ updatedAt: _, ...rest }) => rest);
const ids = (rules: readonly Rule[]): string => rules.map(({ id }) => id).join("");
const merged = (base: string, mine: string, theirs: string): string =>
  ids(mergeRules(list(base), list(mine), list(theirs)));

describe("A merge of two edited lists of rules", () => {
  it("contains what each side added and lacks what each side deleted", () => {
    expect(merged("abc", "abcd", "abce")).to.equal("abcde");
    expect(merged("abc", "bc", "ab")).to.equal("b");
    expect(merged("abc", "abxc", "abc")).to.equal("abxc");
    expect(merged("", "a", "b")).to.equal("ab");
  });

  it("keeps the order of either side, and the moves of both", () => {
    expect(merged("abcde", "bcdea", "abcde")).to.equal("bcdea");
    expect(merged("abcde", "abcde", "eabcd")).to.equal("eabcd");
    expect(merged("abcde", "bcdea", "badce")).to.equal("bdcea");
  });

  it("places a rule that both sides moved where the own side has it", () => {
    expect(merged("abcd", "bcda", "bacd")).to.equal("bcda");
  });

  it("keeps the changes of both sides to different fields of one rule", () => {
    const mine = [rule("a", { name: "Mine", ...at(1) })];
    const theirs = [rule("a", { enabled: false, ...at(2) })];
    for (const one of [mergeRules(list("a"), mine, theirs), mergeRules(list("a"), theirs, mine)]) {
      expect(one).to.have.lengthOf(1);
      expect(one[0]).to.deep.include({ name: "Mine", enabled: false, ...at(2) });
    }
  });

  it("takes the later version of a field that both sides changed, and the other side's when both have the same time", () => {
    const mine = (minute: number): readonly Rule[] => [rule("a", { name: "Mine", ...at(minute) })];
    const theirs = [rule("a", { name: "Theirs", ...at(5) })];
    expect(mergeRules(list("a"), mine(6), theirs)[0]?.name).to.equal("Mine");
    expect(mergeRules(list("a"), mine(4), theirs)[0]?.name).to.equal("Theirs");
    expect(mergeRules(list("a"), mine(5), theirs)[0]?.name).to.equal("Theirs");
  });

  it("keeps a rule that one side edited and the other deleted, as edited", () => {
    const edit = [rule("a", { name: "Edited", ...at(1) }), rule("b")];
    expect(mergeRules(list("ab"), edit, list("b")).map(({ name }) => name)).to.deep.equal(["Edited", "b"]);
    expect(mergeRules(list("ab"), list("b"), edit).map(({ name }) => name)).to.deep.equal(["Edited", "b"]);
  });

  it("deletes nothing when the common base is unknown", () => {
    expect(merged("", "abc", "bcd")).to.equal("abcd");
  });

  /** Few names and few versions, so that the generated lists overlap. */
  const anyVersion = fc
    .record({
      letter: fc.constantFrom(..."abcdefgh"),
      name: fc.nat(2),
      enabled: fc.boolean(),
      minute: fc.nat(3),
    })
    .map(({ letter, name, enabled, minute }) => rule(letter, { name: `${name}`, enabled, ...at(minute) }));
  const anyList = fc.uniqueArray(anyVersion, { maxLength: 8, selector: ({ id }) => id });
  const three = fc.tuple(anyList, anyList, anyList);

  it("contains every rule once, and none that neither side has", () => {
    fc.assert(
      fc.property(three, ([base, mine, theirs]) => {
        const result = mergeRules(base, mine, theirs);
        const all = result.map(({ id }) => id);
        expect(new Set(all).size).to.equal(all.length);
        const known = new Set([...mine, ...theirs].map(({ id }) => id));
        expect(all.every((id) => known.has(id))).to.equal(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it("equals the one changed side when the other changed nothing", () => {
    fc.assert(
      fc.property(anyList, anyList, (base, changed) => {
        expect(undated(mergeRules(base, changed, base))).to.deep.equal(undated(changed));
        expect(undated(mergeRules(base, base, changed))).to.deep.equal(undated(changed));
        expect(mergeRules(base, changed, changed)).to.deep.equal(changed);
      }),
      { numRuns: 3_000 },
    );
  });

  it("does not change when it is merged again, as after a lost answer", () => {
    fc.assert(
      fc.property(three, ([base, mine, theirs]) => {
        const once = mergeRules(base, mine, theirs);
        expect(mergeRules(base, mine, once)).to.deep.equal(once);
      }),
      { numRuns: 5_000 },
    );
  });

  it("has the same rules with the same content when the sides are swapped", () => {
    fc.assert(
      fc.property(three, ([base, mine, theirs]) => {
        const dated = mine.map((one) => ({ ...one, ...at(9) }));
        const byId = (rules: readonly Rule[]): readonly Rule[] =>
          rules.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        expect(byId(mergeRules(base, dated, theirs))).to.deep.equal(byId(mergeRules(base, theirs, dated)));
      }),
      { numRuns: 3_000 },
    );
  });

  it("of 100 rules on each side takes a negligible time", () => {
    const hundred = Array.from({ length: 100 }, (_, n) => rule(`r${n}`));
    const turned = hundred.toReversed();
    expect(mergeRules(hundred, turned, hundred)).to.deep.equal(turned);
  });
});

describe("The number of changed rules in a list", () => {
  it("counts rules that were added, edited, deleted or moved", () => {
    expect(countChanges(list("abc"), list("abc"))).to.equal(0);
    expect(countChanges(list("abc"), list("abcd"))).to.equal(1);
    expect(countChanges(list("abc"), list("bc"))).to.equal(1);
    expect(countChanges(list("abc"), [rule("a", { enabled: false }), ...list("bc")])).to.equal(1);
    expect(countChanges(list("abc"), list("bac"))).to.equal(2);
  });
});
