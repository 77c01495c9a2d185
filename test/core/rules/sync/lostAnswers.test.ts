import { expect } from "chai";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { createRuleServer, type Fate } from "./ruleServer.ts";
import { createBrowser, openTab } from "./tabOnFakes.ts";

type Rules = readonly Rule[];
type Edit = (rules: Rules, updatedAt: string) => Rules;

const adding =
  (id: string): Edit =>
  (rules, updatedAt) => [
    ...rules,
    {
      id,
      name: id,
      type: "categorization",
      enabled: true,
      conditions: [{ field: "subject", operator: "contains", value: [id] }],
      actions: [{ type: "tag", params: { tag: id } }],
      updatedAt,
    },
  ];
const changing =
  (id: string, change: Partial<Rule>): Edit =>
  (rules, updatedAt) =>
    rules.map((one) => (one.id === id ? { ...one, ...change, updatedAt } : one));

/** Edits that each change or undo an earlier saved edit. */
const edits: readonly Edit[] = [
  adding("a"),
  changing("a", { enabled: false }),
  adding("b"),
  (rules) => rules.filter(({ id }) => id !== "b"),
  changing("a", { enabled: true, name: "renamed" }),
  changing("a", { enabled: false }),
];

/** The next edit comes at once, before the answer, after it, or after the first retry, in milliseconds. */
const pauses = [0, 40, 140, 2_700];
/** The results of the first four saves. */
const fates = ((n: Fate[]) =>
  n.flatMap((a) => n.flatMap((b) => n.flatMap((c) => n.map((d) => [a, b, c, d])))))(["answered", "lost"]);

/** The events in the tab between the edits. */
const habits = ["receives nothing", "receives its own saves", "is reopened"] as const;

const allCases = fates.flatMap((fate) =>
  pauses.flatMap((first) => pauses.map((second) => ({ fate, pauses: [first, second] as const }))),
);

/** Makes the edits and returns the problems as messages. */
const live = async (
  { fate, pauses }: (typeof allCases)[number],
  habit: (typeof habits)[number],
): Promise<readonly string[]> => {
  const clock = createVirtualClock();
  const server = createRuleServer(clock);
  const browser = createBrowser(clock);
  let tab = openTab(clock, server, browser);
  server.fate = () => fate[server.arrived.length - 1] ?? "answered";
  let expected: Rules = [];
  const problems: string[] = [];
  const check = (when: string): void => {
    if (JSON.stringify(tab.shown("m")) !== JSON.stringify(expected)) problems.push(`other rules ${when}`);
    if (tab.sync.replaced$.value.length > 0) problems.push(`another device ${when}`);
  };
  for (const [n, edit] of edits.entries()) {
    const at = new Date(clock.now()).toISOString();
    expected = edit(expected, at);
    void tab.change("m", (rules) => edit(rules, at));
    await clock.advance(pauses[n % 2 === 0 ? 0 : 1]);
    if (habit === "receives its own saves") tab.reload("m");
    if (habit === "is reopened" && n % 2 === 1) {
      tab.kill();
      tab = openTab(clock, server, browser);
    }
    check(`after edit ${n}`);
  }
  await clock.advance(120_000);
  check("at the end");
  if (JSON.stringify(server.read("m").rules) !== JSON.stringify(expected)) problems.push("not saved");
  if (tab.record("m") !== null) problems.push("still pending");
  return problems.map((problem) => `${fate}, ${pauses}: ${problem}`);
};

describe("Edits of one list whose answers are lost after the server has committed", () => {
  for (const habit of habits)
    it(`are all saved, and never mistaken for another device's, when the tab ${habit}`, async () => {
      const problems: string[] = [];
      for (const one of allCases) problems.push(...(await live(one, habit)));
      expect(problems.slice(0, 10)).to.deep.equal([]);
    });
});
