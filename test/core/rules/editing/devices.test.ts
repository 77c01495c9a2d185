import { expect } from "chai";
import { type Either, isLeft, left } from "fp-ts/lib/Either.js";
import type { RulesAndSync } from "../../../../core/app/rulesAndSync.ts";
import { network } from "../../../../core/kernel/failure.ts";
import { createState, type WritableState } from "../../../../core/kernel/state.ts";
import type { Http } from "../../../../core/ports/http.ts";
import { buildRule } from "../../../../core/rules/editing/checkRuleDraft.ts";
import { emptyRuleDraft, type RuleDraft, toRuleDraft } from "../../../../core/rules/editing/ruleDraft.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { readRules } from "../../../../core/rules/model/ruleList.ts";
import { type AppOnFakes, startApp } from "../../../fakes/appOnFakes.ts";
import { createFakeHttp } from "../../../fakes/fakeHttp.ts";
import { createFakeTabs, type FakeTabs } from "../../../fakes/fakeTabs.ts";
import { createMemoryStorage, type MemoryStorage } from "../../../fakes/memoryStorage.ts";
import { createMask, type ProductServer } from "../../../fakes/productServer.ts";
import { createSeededRandom } from "../../../fakes/seededRandom.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { complaints, type EditStep, type Part, partOf } from "../sync/editing.ts";

type Fate = "answered" | "unreached" | "lost" | "503 before" | "503 after";

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
const maskIds = ["shop", "news"];
const busy = { status: 503, headers: {}, body: "{}" };

interface Device {
  readonly storage: MemoryStorage;
  readonly tabs: FakeTabs;
  readonly online$: WritableState<boolean>;
}

interface Tab {
  readonly on: AppOnFakes;
  readonly part: Pick<RulesAndSync, "rules" | "sync">;
  /** Closes the tab in the middle of any work: no answer reaches it afterwards. */
  readonly kill: () => void;
}

const draftOf = (n: number): RuleDraft => ({
  ...emptyRuleDraft,
  name: `name ${n}`,
  type: "content_filter",
  conditions: [
    {
      id: "condition_1",
      field: "subject",
      operator: "contains",
      value: `word ${n}`,
      until: "",
      timeZone: "UTC",
    },
  ],
  actions: [{ id: "action_1", type: "tag", params: { tag: `tag ${n}` } }],
});

/** Two devices with two tabs each change the rules of two masks, while answers are lost and tabs are closed. */
const live = async (seed: number, edits: number) => {
  const random = createSeededRandom(seed);
  const clock = createVirtualClock();
  const server = createFakeHttp(clock);
  const pick = <A>(list: readonly A[]): A => list[Math.floor(random.fraction() * list.length)] as A;
  let product: ProductServer | undefined;
  let isRough = true;
  const devices = [0, 1].map(
    (): Device => ({
      storage: createMemoryStorage(),
      tabs: createFakeTabs(clock),
      online$: createState(true),
    }),
  );

  const open = async (n: number): Promise<Tab> => {
    const device = devices[n % 2] as Device;
    let isDead = false;
    const roughly =
      (http: Http): Http =>
      (request) =>
      async () => {
        if (isDead || !device.online$.value) return left(network("Failed to fetch"));
        const fate = isRough && request.method === "PUT" ? pick(fates) : "answered";
        if (fate === "unreached") return left(network("Failed to fetch"));
        if (fate === "503 before") return { _tag: "Right", right: busy };
        const answer = await http(request)();
        if (isDead) return new Promise(() => {});
        if (fate === "lost") return left(network("Failed to fetch"));
        return fate === "503 after" ? { _tag: "Right", right: busy } : answer;
      };
    const on = await startApp({
      clock,
      server,
      ...(product && { product }),
      storage: device.storage.openTab(),
      tabs: device.tabs.openTab(),
      online$: device.online$,
      wire: roughly,
      seed: seed * 1_000 + n + Math.floor(random.fraction() * 1e6),
      masks: maskIds.map((id) => createMask(id)),
      settings: {
        configuration: { brand: "Bauta", maskDomain: "masks.example", flags: { websockets: false } },
      },
    });
    product ??= on.product;
    await clock.advance(50);
    const kill = (): void => {
      isDead = true;
      on.stop();
    };
    return { on, part: on.app, kill };
  };

  const steps: EditStep[] = [];
  const failed: EditStep[] = [];
  const addStep = (step: EditStep, save: Promise<Either<unknown, unknown>>): void => {
    steps.push(step);
    void save.then((result) => {
      if (isLeft(result)) failed.push(...steps.splice(steps.indexOf(step), 1));
    });
  };
  let count = 0;
  const shown = ({ on, part }: Tab, maskId: string): readonly Rule[] => {
    part.rules.select(maskId);
    expect(on.app.masks.view$.value.all.length).to.equal(2);
    return part.rules.view$.value.rules.map(({ rule }) => rule);
  };
  const edited = (rule: Rule, part: Part): RuleDraft => {
    const before = toRuleDraft(rule, "UTC");
    return { ...before, [part]: draftOf(count)[part] };
  };
  const edit = async (tab: Tab, maskId: string): Promise<void> => {
    count += 1;
    const { rules } = tab.part;
    const list = shown(tab, maskId);
    const rule = list.length === 0 ? undefined : pick(list);
    const chance = random.fraction();
    if (!rule || (chance < 0.2 && list.length < 30)) {
      const draft = draftOf(count);
      const created = rules.create(draft, maskId)();
      await clock.advance(0);
      const added = shown(tab, maskId).find(({ name }) => name === draft.name);
      // It has failed at once, or the other tab has saved it and this one does not know yet.
      if (!added) return;
      addStep({ kind: "add", id: added.id, rule: added }, created);
    } else if (chance < 0.32) {
      addStep({ kind: "delete", id: rule.id, rule }, rules.remove(rule.id, maskId)());
    } else if (chance < 0.45) void rules.move(rule.id, Math.floor(random.fraction() * list.length), maskId)();
    else {
      const part = pick<Part>(["name", "conditions", "actions"]);
      const draft = edited(rule, part);
      const after = buildRule(draft, { maskId }, { id: rule.id, now: "", before: rule });
      if (after._tag === "Left") throw new Error(JSON.stringify(after.left));
      const value = partOf(after.right, part);
      const replaced = partOf(rule, part);
      const saved = rules.update(rule.id, draft, maskId, rule)();
      addStep({ kind: "edit", id: rule.id, part, value, replaced }, saved);
      await clock.advance(0);
    }
  };

  const tabs: Tab[] = [];
  for (const n of [0, 1, 2, 3]) tabs.push(await open(n));
  let killed = 0;
  for (let n = 0; n < edits; n += 1) {
    const chance = random.fraction();
    if (chance < 0.08) pick(devices).online$.set(random.fraction() < 0.5);
    if (chance > 0.96) {
      const at = Math.floor(random.fraction() * tabs.length);
      const { online$ } = devices[at % 2] as Device;
      tabs[at]?.kill();
      killed += 1;
      online$.set(true);
      tabs[at] = await open(at);
    } else if (chance > 0.8) void pick(tabs).on.app.masks.refresh()();
    await edit(pick(tabs), pick(maskIds));
    if (random.fraction() < 0.6) await clock.advance(Math.floor(random.fraction() * 400));
  }
  isRough = false;
  for (const { online$ } of devices) online$.set(true);
  await clock.advance(300_000);
  for (const tab of tabs) await tab.on.app.masks.refresh()();
  await clock.advance(1_000);
  const final = (maskId: string): readonly Rule[] =>
    readRules(product?.masks().find(({ id }) => id === maskId)?.settings?.rules ?? []).rules;
  return { tabs, steps, failed, killed, final, shown };
};

describe("The app, after a thousand edits on two devices with two tabs each, with answers lost and tabs killed", () => {
  for (const seed of [1])
    it(`loses nothing, duplicates nothing and ends in the same list everywhere (${seed})`, async () => {
      const { tabs, steps, failed, killed, final, shown } = await live(seed, 1_000);
      const all = maskIds.flatMap(final);
      expect(killed).to.be.greaterThan(10);
      expect(new Set(all.map(({ id }) => id)).size).to.equal(all.length);
      const byId = new Map(all.map((rule) => [rule.id, rule]));
      expect(failed.length).to.be.greaterThan(10);
      expect(complaints(steps, byId, failed)).to.deep.equal([]);
      for (const tab of tabs) {
        expect(tab.part.sync.view$.value.message).to.equal(null);
        for (const maskId of maskIds) expect(shown(tab, maskId)).to.deep.equal(final(maskId));
        tab.on.stop();
      }
    });
});
