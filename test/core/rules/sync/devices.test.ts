import { expect } from "chai";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { createSeededRandom } from "../../../fakes/seededRandom.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { complaints, createEditor, type EditStep } from "./editing.ts";
import { createRuleServer, type Fate } from "./ruleServer.ts";
import { type Browser, createBrowser, openTab, type Tab } from "./tabOnFakes.ts";

const masks = ["m", "n"];
const fates: readonly Fate[] = [
  "answered",
  "answered",
  "answered",
  "lost",
  "lost",
  "unreached",
  "503 before",
  "503 after",
];

/** Two devices with two tabs each change two masks `edits` times, while network and tabs fail at random. */
const live = async (seed: number, edits: number) => {
  const random = createSeededRandom(seed);
  const clock = createVirtualClock();
  const server = createRuleServer(clock);
  const devices = [1, 2].map((n) => createBrowser(clock, { seed: seed * 10 + n }));
  const editor = createEditor(random, clock.now);
  const pick = <A>(list: readonly A[]): A => list[Math.floor(random.fraction() * list.length)] as A;
  const open = (n: number): Tab => openTab(clock, server, devices[n % devices.length] as Browser);
  const tabs = [0, 1, 2, 3].map(open);
  let killed = 0;
  server.fate = () => pick(fates);
  for (let n = 0; n < edits; n += 1) {
    const chance = random.fraction();
    const tab = pick(tabs);
    if (chance < 0.08) pick(devices).online$.set(random.fraction() < 0.5);
    if (chance > 0.96) {
      const at = tabs.indexOf(tab);
      tab.kill();
      killed += 1;
      tabs[at] = open(at);
    } else if (chance > 0.8) tab.reload(pick(masks));
    void pick(tabs).change(pick(masks), editor.change);
    if (random.fraction() < 0.6) await clock.advance(Math.floor(random.fraction() * 400));
  }
  server.fate = () => "answered";
  for (const { online$ } of devices) online$.set(true);
  await clock.advance(300_000);
  for (const tab of tabs) for (const mask of masks) tab.reload(mask);
  return { server, tabs, deeds: editor.steps, killed };
};

describe("A thousand edits on two devices with two tabs each, with answers lost and tabs killed", () => {
  for (const seed of [1, 9])
    it(`lose nothing, duplicate nothing and end in the same list everywhere (${seed})`, async () => {
      const { server, tabs, deeds, killed } = await live(seed, 1_000);
      const final = masks.flatMap((mask) => server.read(mask).rules);
      expect(killed).to.be.greaterThan(10);
      expect(new Set(final.map(({ id }) => id)).size).to.equal(final.length);
      expect(complaints(deeds, new Map(final.map((rule) => [rule.id, rule])))).to.deep.equal([]);
      for (const tab of tabs) {
        expect(tab.sync.view$.value.message).to.equal(null);
        for (const mask of masks) expect(tab.shown(mask)).to.deep.equal(server.read(mask).rules);
      }
    });

  it("are lost on a server that only replaces lists", () => {
    const rule = { id: "r", name: "old", type: "limit", enabled: true, conditions: [], actions: [] } as Rule;
    const added: EditStep = { kind: "add", id: "r", rule };
    const edit: EditStep = { kind: "edit", id: "r", part: "name", value: '"new"', replaced: '"old"' };
    expect(complaints([added], new Map())).to.deep.equal(["r was lost"]);
    expect(complaints([added, edit], new Map([["r", rule]]))).to.have.lengthOf(1);
    expect(complaints([added, { kind: "delete", id: "r", rule }], new Map([["r", rule]]))).to.deep.equal([
      "r came back",
    ]);
  });
});
