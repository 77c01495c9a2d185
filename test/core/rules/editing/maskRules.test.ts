import { expect } from "chai";
import { combineLatest } from "rxjs";
import type { RulesAndSync } from "../../../../core/app/rulesAndSync.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import type { MaskRules } from "../../../../core/rules/editing/maskRules.ts";
import { emptyRuleDraft, type RuleDraft } from "../../../../core/rules/editing/ruleDraft.ts";
import { readRules } from "../../../../core/rules/model/ruleList.ts";
import { type AppOnFakes, startApp } from "../../../fakes/appOnFakes.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { settled } from "../../../fakes/virtualClock.ts";

const draft = (name: string, more: Partial<RuleDraft> = {}): RuleDraft => ({
  ...emptyRuleDraft,
  name,
  type: "content_filter",
  conditions: [
    { id: "c1", field: "subject", operator: "contains", value: "sale", until: "", timeZone: "UTC" },
  ],
  actions: [{ id: "a1", type: "tag", params: { tag: "Sale" } }],
  ...more,
});

describe("The rules of masks", () => {
  let on: AppOnFakes;
  let part: Pick<RulesAndSync, "rules" | "sync">;
  let rules: MaskRules;

  beforeEach(async () => {
    on = await startApp({ masks: [createMask("shop"), createMask("news")] });
    part = on.app;
    rules = part.rules;
  });
  afterEach(() => on.stop());

  const names = (): readonly string[] => rules.view$.value.rules.map(({ rule }) => rule.name);
  const toastTexts = (): readonly string[] =>
    on.app.toasts.list$.value.map(({ kind, text }) => `${kind}: ${text}`);
  const create = async (name: string): Promise<void> => {
    await rules.create(draft(name), rules.view$.value.maskId)();
    await settled();
  };
  const firstId = (): string => rules.view$.value.rules[0]?.rule.id ?? "";

  it("show the first mask until another is chosen, each with its number of rules (RU1)", async () => {
    expect(rules.view$.value).to.include({ status: "ready", maskId: "shop" });
    await create("Sales");
    expect(rules.view$.value.masks.map(({ id, ruleCount }) => [id, ruleCount])).to.deep.equal([
      ["shop", 1],
      ["news", 0],
    ]);
    rules.select("news");
    expect(names()).to.deep.equal([]);
  });

  it("are created here and on the server", async () => {
    await create("Sales");
    expect(toastTexts()).to.deep.equal(["success: Rule created successfully"]);
    expect(on.product.masks()[0]?.settings?.rules).to.have.length(1);
    expect(firstId()).to.match(/^rule_\d+_\d{1,3}$/);
    expect(rules.view$.value.rules[0]?.isLocal).to.equal(false);
  });

  it("without a network are stored here, marked, and sent when it returns (SY1, SY3)", async () => {
    on.online$.set(false);
    await create("Sales");
    expect(toastTexts()).to.deep.equal(["warning: Rule created locally. Will sync when online."]);
    expect(rules.view$.value.rules[0]).to.include({ isLocal: true });
    expect(part.sync.view$.value.message).to.equal("1 mask(s) with 1 rule(s) pending sync");
    on.online$.set(true);
    await on.clock.advance(1_000);
    expect(part.sync.view$.value.message).to.equal(null);
    expect(on.product.masks()[0]?.settings?.rules).to.have.length(1);
    expect(rules.view$.value.rules[0]).to.include({ isLocal: false });
  });

  it("are edited, switched, moved and deleted, each with its toast (RU9)", async () => {
    await create("One");
    await create("Two");
    await rules.update(firstId(), draft("First"), "shop")();
    await rules.setEnabled(firstId(), false, "shop")();
    await rules.move(firstId(), 1, "shop")();
    expect(names()).to.deep.equal(["Two", "First"]);
    expect(rules.view$.value.rules[1]?.rule.enabled).to.equal(false);
    await rules.remove(firstId(), "shop")();
    expect(names()).to.deep.equal(["First"]);
    const texts = toastTexts();
    for (const text of [
      "Rule updated successfully",
      "Rules updated successfully",
      "Rule deleted successfully",
    ])
      expect(texts).to.include(`success: ${text}`);
  });

  it("are created from a template, which the toast names", async () => {
    await rules.applyTemplate("travel_template", "shop")();
    expect(toastTexts()).to.deep.equal(["success: Travel template applied successfully"]);
    expect(firstId()).to.match(/^rule_\d+_1000$/);
  });

  it("are created from a template once, however often it is applied", async () => {
    await rules.applyTemplate("shopping_template", "shop")();
    await rules.applyTemplate("shopping_template", "shop")();
    expect(names()).to.deep.equal(["Block flash sales", "Tag order confirmations"]);
    expect(toastTexts()).to.include("info: The rules of the Shopping template are here already");
    await rules.remove(firstId(), "shop")();
    await rules.applyTemplate("shopping_template", "shop")();
    expect(names(), "what is missing is added").to.deep.equal([
      "Tag order confirmations",
      "Block flash sales",
    ]);
  });

  const refusals: readonly (readonly [string, () => Promise<unknown>, string])[] = [
    ["a name", () => rules.create(draft(""), "shop")(), "Rule name is required"],
    ["a type", () => rules.create(draft("x", { type: "" }), "shop")(), "Rule type is required"],
    ["a mask", () => rules.create(draft("x"), null)(), "No mask selected"],
    [
      "a condition",
      () => rules.create(draft("x", { conditions: [] }), "shop")(),
      "At least one valid condition is required",
    ],
    [
      "an action",
      () => rules.create(draft("x", { actions: [] }), "shop")(),
      "At least one valid action is required",
    ],
    ["an existing rule to change", () => rules.update("gone", draft("x"), "shop")(), "Rule not found"],
    [
      "the id of a rule to change",
      () => rules.update("", draft("x"), "shop")(),
      "Cannot edit rule: missing rule ID",
    ],
    ["a mask to change", () => rules.update("gone", draft("x"), null)(), "No mask ID provided"],
    ["an existing template", () => rules.applyTemplate("none", "shop")(), "Template not found"],
    [
      "a mask for a template",
      () => rules.applyTemplate("travel_template", null)(),
      "Please select a mask first",
    ],
  ];
  for (const [what, step, sentence] of refusals)
    it(`require ${what} (RU6, RU7)`, async () => {
      expect(await step()).to.have.nested.property("left.message", sentence);
      expect(names()).to.deep.equal([]);
    });

  it("return to their place when a deletion is undone within 10 s", async () => {
    await create("One");
    await create("Two");
    await rules.remove(firstId(), "shop")();
    expect(names()).to.deep.equal(["Two"]);
    const toast = on.app.toasts.list$.value.find(({ action }) => action?.label === "Undo");
    toast?.action?.run();
    await settled();
    expect(names()).to.deep.equal(["One", "Two"]);
    expect(toastTexts()).to.include("success: Rule restored");
    expect(on.product.masks()[0]?.settings?.rules).to.have.length(2);
  });

  it("show that their details could not be loaded, and why their data could not (RU9)", async () => {
    on.server.on("GET", "/masks/:id/stats", { status: 403, json: {} });
    on.server.on("GET", "/masks", { status: 400, json: { message: "Not now." } });
    await on.clock.advance(301_000);
    const close = rules.open();
    await on.clock.advance(1_000);
    await settled();
    expect(rules.view$.value.detailsProblem).to.equal("Could not load rule details");
    expect(toastTexts().filter((text) => text.includes("rule data"))).to.deep.equal([
      "error: Failed to load rule data: Not now.",
    ]);
    close();
  });

  it("give the status as the reason when the server gives none (RU9)", async () => {
    on.server.on("GET", "/masks", { status: 400, json: {} });
    await on.clock.advance(301_000);
    rules.open();
    await on.clock.advance(1_000);
    expect(toastTexts()).to.include("error: Failed to load rule data: Request failed with status 400");
  });

  it("do not change when a rule is deleted that does not exist (RU7)", async () => {
    expect(await rules.remove("gone", "shop")()).to.deep.equal({ _tag: "Right", right: false });
    expect(toastTexts()).to.deep.equal([]);
  });

  it("that the server refuses are discarded, so that a second attempt does not create two of them", async () => {
    const message = "A mask can have at most 100 rules. Remove one to add another.";
    const errors = [{ field: "settings.rules", message }];
    on.server.on("PUT", "/masks/:id", { status: 400, json: { message, errors } });
    expect(await rules.create(draft("Sales"), "shop")()).to.have.nested.property(
      "left.message",
      `Failed to create rule: ${message}`,
    );
    await settled();
    expect(names()).to.deep.equal([]);
    expect(part.sync.view$.value.message).to.equal(null);
    expect(toastTexts()).to.deep.equal([`error: Failed to create rule: ${message}`]);
  });

  const failing: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["Failed to create rule", () => rules.create(draft("Offers"), "shop")()],
    ["Failed to update rule", () => rules.update(firstId(), draft("Renamed"), "shop")()],
    ["Failed to delete rule", () => rules.remove(firstId(), "shop")()],
    ["Failed to apply template", () => rules.applyTemplate("travel_template", "shop")()],
  ];
  for (const [sentence, step] of failing)
    it(`say "${sentence}" with the reason when the server breaks down, and do not pass for local (RU9)`, async () => {
      await create("Sales");
      await on.clock.advance(6_000);
      on.server.on("PUT", "/masks/:id", { status: 503, json: { message: "The store is full." } });
      let hasPassedForLocal = false;
      const watching = combineLatest([rules.view$, part.sync.view$]).subscribe(([shown, { message }]) => {
        hasPassedForLocal ||= message !== null || shown.rules.some(({ isLocal }) => isLocal);
      });
      expect(await step()).to.have.nested.property("left.message", `${sentence}: The store is full.`);
      await settled();
      watching.unsubscribe();
      expect(hasPassedForLocal, "not for a moment").to.equal(false);
      expect(toastTexts()).to.deep.equal([
        "error: Server error: The store is full. Our team has been notified.",
      ]);
      expect(names()).to.deep.equal(["Sales"]);
      expect(rules.view$.value.rules[0]).to.include({ isLocal: false });
      expect(part.sync.view$.value.message).to.equal(null);
    });

  it("that too many requests keep from the server fail with that reason", async () => {
    on.server.on("PUT", "/masks/:id", { status: 429, json: {} });
    const created = rules.create(draft("Sales"), "shop")();
    await on.clock.advance(30_000);
    expect(await created).to.have.nested.property(
      "left.message",
      "Failed to create rule: Too many requests. Please try again in a moment.",
    );
    expect(part.sync.view$.value.message).to.equal(null);
    expect(names()).to.deep.equal([]);
  });

  it("give the status as the reason when the server refuses them without one", async () => {
    on.server.on("PUT", "/masks/:id", { status: 403, json: {} });
    await create("Sales");
    expect(toastTexts()).to.deep.equal(["error: Failed to create rule: Request failed with status 403"]);
  });

  /** Answers every save with `status()`, and counts the saves and every toast that appears. */
  const openRefusing = async (status: () => number) => {
    on.stop();
    let saves = 0;
    on = await startApp({
      masks: [createMask("shop")],
      wire: (http) => (request) => async () => {
        if (request.method !== "PUT") return http(request)();
        saves += 1;
        return { _tag: "Right", right: { status: status(), headers: {}, body: "{}" } };
      },
    });
    part = on.app;
    rules = part.rules;
    const seen = new Set<string>();
    on.app.toasts.list$.subscribe((list) => {
      for (const { id, kind, text } of list) seen.add(`${id} ${kind}: ${text}`);
    });
    return { saves: () => saves, seen: () => [...seen].map((toast) => toast.replace(/^\S+ /, "")) };
  };

  it("that fail are sent a few times to learn what became of them, and not again and again", async () => {
    const server = await openRefusing(() => 503);
    void rules.create(draft("Sales"), "shop")();
    await on.clock.advance(3_600_000);
    expect(server.saves()).to.equal(4);
    expect(server.seen()).to.have.length(1);
    expect(names()).to.deep.equal([]);
  });

  it("that too many requests keep from the server tell so once, also after a failure before", async () => {
    let status = 503;
    const server = await openRefusing(() => status);
    void rules.create(draft("Sales"), "shop")();
    await on.clock.advance(1_000);
    status = 429;
    const [saves, toasts] = [server.saves(), server.seen().length];
    void rules.create(draft("Offers"), "shop")();
    await on.clock.advance(3_600_000);
    expect(server.saves() - saves, "one save with its three repetitions, and three attempts later").to.equal(
      7,
    );
    expect(server.seen().slice(toasts)).to.deep.equal([
      "warning: Too many requests. Please try again in a moment.",
      "error: Failed to create rule: Too many requests. Please try again in a moment.",
    ]);
  });

  it("that the server lets wait for longer fail at once, with one toast", async () => {
    on.server.on("PUT", "/masks/:id", { status: 429, json: {}, headers: { "retry-after": "60" } });
    await create("Sales");
    expect(toastTexts()).to.deep.equal([
      "error: Failed to create rule: Too many requests. Please try again in a moment.",
    ]);
  });

  /** A server that breaks down before or after it has stored the rules, until it is repaired. */
  const openOnBroken = async (when: "before" | "after") => {
    on.stop();
    let isBroken = true;
    const failure = { status: 502, headers: {}, body: "" };
    on = await startApp({
      masks: [createMask("shop")],
      wire: (http) => (request) => async () => {
        const fails = isBroken && request.method === "PUT";
        if (fails && when === "before") return { _tag: "Right", right: failure };
        const answer = await http(request)();
        return fails ? { _tag: "Right", right: failure } : answer;
      },
    });
    part = on.app;
    rules = part.rules;
    const stored = () => on.product.masks()[0]?.settings?.rules ?? [];
    return {
      stored,
      repair: () => {
        isBroken = false;
      },
    };
  };

  it("that failed are not created after all, although the server had stored them when it broke down", async () => {
    const server = await openOnBroken("after");
    const failed = await rules.create(draft("Sales"), "shop")();
    expect(failed).to.have.nested.property("left.message", "Failed to create rule: Server error");
    expect(server.stored()).to.have.length(1);
    server.repair();
    await rules.create(draft("Sales"), "shop")();
    await on.clock.advance(60_000);
    expect(names()).to.deep.equal(["Sales"]);
    expect(server.stored()).to.have.length(1);
    expect(part.sync.view$.value.message).to.equal(null);
  });

  it("that failed are taken back on the server without a word", async () => {
    const server = await openOnBroken("after");
    await create("Sales");
    await on.clock.advance(6_000);
    server.repair();
    await on.clock.advance(60_000);
    expect(server.stored()).to.deep.equal([]);
    expect(names()).to.deep.equal([]);
    expect(toastTexts()).to.deep.equal([]);
  });

  it("that wait for the network keep waiting while the server is broken, beside one that fails", async () => {
    const server = await openOnBroken("before");
    on.online$.set(false);
    await create("Sales");
    on.online$.set(true);
    await on.clock.advance(1_000);
    await create("Offers");
    expect(names()).to.deep.equal(["Sales"]);
    expect(part.sync.view$.value.message).to.equal("1 mask(s) with 1 rule(s) pending sync");
    server.repair();
    await on.clock.advance(60_000);
    expect(names()).to.deep.equal(["Sales"]);
    expect(server.stored()).to.have.length(1);
    expect(part.sync.view$.value.message).to.equal(null);
  });

  describe("on a server whose list of masks leaves their rules out (MA7)", () => {
    const withoutRules = ({ settings, ...mask }: Mask): Mask => {
      const { rules: _, rulesVersion: __, ...rest } = settings ?? {};
      return { ...mask, settings: rest };
    };
    const openWithoutRules = async (): Promise<void> => {
      await create("Sales");
      on.stop();
      const masks = on.product.masks();
      on = await startApp({
        masks,
        before: ({ server }) => server.on("GET", "/masks", { json: { masks: masks.map(withoutRules) } }),
      });
      on.server.on("GET", "/masks", () => ({ json: { masks: on.product.masks().map(withoutRules) } }));
      await on.app.masks.refresh()();
      part = on.app;
      rules = part.rules;
      await settled();
    };
    const stored = (): readonly string[] =>
      readRules(on.product.masks()[0]?.settings?.rules ?? []).rules.map(({ name }) => name);

    it("are kept by a save that has not seen them", async () => {
      await openWithoutRules();
      await create("Offers");
      expect(stored()).to.have.members(["Sales", "Offers"]);
      expect(names()).to.have.members(["Sales", "Offers"]);
    });

    it("are shown when the rules of the mask are opened", async () => {
      await openWithoutRules();
      rules.open();
      await on.clock.advance(1_000);
      expect(names()).to.deep.equal(["Sales"]);
    });

    it("are not replaced while the mask cannot be read", async () => {
      await openWithoutRules();
      on.server.on("GET", "/masks/:id", { status: 403 });
      await create("Offers");
      expect(stored()).to.deep.equal(["Sales"]);
      expect(on.server.requestsTo("PUT /masks/shop")).to.deep.equal([]);
    });
  });

  it("that get no answer are stored, with one toast", async () => {
    await settled();
    on.server.cutOff(true);
    await create("Sales");
    expect(toastTexts()).to.deep.equal(["warning: Rule created locally. Will sync when online."]);
  });

  it("keep another device's change to a rule whose editor was open meanwhile (D43)", async () => {
    await create("Sales");
    const opened = rules.view$.value.rules[0]?.rule;
    if (!opened) throw new Error("there is no rule");
    await rules.setEnabled(opened.id, false, "shop")();
    await rules.update(opened.id, draft("Renamed"), "shop", opened)();
    expect(rules.view$.value.rules[0]?.rule).to.include({ name: "Renamed", enabled: false });
  });

  it("remain for their user when the session expires, and are deleted at logout (D45)", async () => {
    on.online$.set(false);
    await create("Sales");
    on.product.endSession();
    on.online$.set(true);
    await on.clock.advance(30_000);
    expect(on.app.session.state$.value.kind).to.equal("signed-out");
    expect(on.storage.local.read("pendingRulesSync")).to.not.equal(null);
    const again = await startApp({ ...on, product: on.product, isSignedIn: false });
    expect(again.storage.local.read("pendingRulesSync")).to.not.equal(null);
    await again.app.session.logOut()();
    expect(again.storage.local.read("pendingRulesSync")).to.equal(null);
    again.stop();
  });

  it("older than 5 minutes are loaded again 300 ms after they are shown (RU10)", async () => {
    const requestCount = (): number => on.server.requestsTo("GET /masks").length;
    const before = requestCount();
    rules.open()();
    await on.clock.advance(1_000);
    expect(requestCount()).to.equal(before);
    await on.clock.advance(300_000);
    rules.open();
    await on.clock.advance(299);
    expect(requestCount()).to.equal(before);
    await on.clock.advance(1);
    expect(requestCount()).to.equal(before + 1);
  });
});
