import { expect } from "chai";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Problem } from "../../../core/api/errorMessages.ts";
import { toRuleDraft } from "../../../core/insights/suggestedRuleDraft.ts";
import { toSuggestionAction } from "../../../core/insights/suggestion.ts";
import { suggestionCounts } from "../../../core/insights/suggestionList.ts";
import { busy, unavailable } from "../../../core/kernel/failure.ts";
import { createSuggestion } from "../../fakes/productInsights.ts";
import { settled } from "../../fakes/virtualClock.ts";
import { problemFrom, valueFrom } from "../problems.ts";
import { type InsightsOnFakes, startInsights } from "./openInsights.ts";

const idle = createSuggestion("idle:a", { action: "switchOff" });
const leak = createSuggestion("leak:shop.example", { category: "" });

describe("A suggestion", () => {
  let fakes: InsightsOnFakes;
  afterEach(() => fakes.stop());

  const open = async (options: Parameters<typeof startInsights>[0] = {}): Promise<void> => {
    fakes = await startInsights(options);
    if (options.product === undefined) fakes.product.insights.suggest(idle, leak);
    fakes.insights.open();
    await settled();
  };
  const list = () => fakes.insights.view$.value.suggestions;
  const keys = (): readonly string[] => list().map(({ actionKey }) => actionKey);
  const sentBodies = () => fakes.server.requestsTo("POST /ai/insights").map(({ body }) => body);

  it("counts under All Insights, Applied and Unapplied (IN2)", async () => {
    await open();
    await fakes.insights.applyBy(idle, TE.right("done"))();
    expect(suggestionCounts(list())).to.deep.equal({ all: 2, applied: 1, unapplied: 1 });
  });

  it("is applied once its action is done, and the server receives status 1 and its category (IN3)", async () => {
    await open();
    await fakes.insights.applyBy(idle, TE.right("done"))();
    expect(list()[0]).to.include({ actionKey: "idle:a", applied: true, status: 1 });
    await settled();
    const [body] = sentBodies();
    expect(body).to.deep.include({ actionKey: "idle:a", category: "other", status: 1 });
    expect(body).to.have.nested.property("suggestion.actionKey", "idle:a");
  });

  it('without a category belongs to "All" (IN3)', async () => {
    await open();
    await fakes.insights.applyBy(leak, TE.right("done"))();
    await settled();
    expect(sentBodies()[0]).to.deep.include({ actionKey: "leak:shop.example", category: "All", status: 1 });
  });

  it("stays applied when its cause is gone and the server no longer lists it, also after a reload", async () => {
    await open();
    await fakes.insights.applyBy(idle, TE.right("done"))();
    fakes.product.insights.suggest(leak);
    await fakes.clock.advance(300_000);
    expect(list().map(({ actionKey, applied }) => [actionKey, applied])).to.deep.equal([
      ["leak:shop.example", false],
      ["idle:a", true],
    ]);
    fakes.stop();
    await open({
      storage: fakes.storage,
      clock: fakes.clock,
      server: fakes.server,
      product: fakes.product,
    });
    expect(suggestionCounts(list())).to.deep.equal({ all: 2, applied: 1, unapplied: 1 });
  });

  it("has the server's status once that is newer than the change made here", async () => {
    await open();
    await fakes.insights.applyBy(idle, TE.right("done"))();
    fakes.server.on("GET", "/ai/insights", {
      json: { ...fakes.insights.view$.value.figures, suggestions: [idle] },
    });
    await fakes.clock.advance(300_000);
    expect(list()).to.have.length(1);
    expect(list()[0]).to.include({ actionKey: "idle:a", applied: false });
  });

  describe("that is dismissed", () => {
    it("is removed from the list with status 2, and can be restored for 5 s", async () => {
      await open();
      await fakes.insights.dismiss(idle)();
      expect(sentBodies()).to.deep.equal([{ actionKey: "idle:a", category: "other", status: 2 }]);
      expect(list()[0]).to.include({ actionKey: "idle:a", isRestorable: true });
      expect(suggestionCounts(list()).all).to.equal(1);
      await fakes.clock.advance(4_999);
      expect(keys()).to.deep.equal(["idle:a", "leak:shop.example"]);
      await fakes.clock.advance(1);
      expect(keys()).to.deep.equal(["leak:shop.example"]);
    });

    it("is open again when it is restored, and the server finally has that status", async () => {
      await open();
      fakes.server.on("POST", "/ai/insights", { json: {}, afterMs: 1_000 });
      const dismissing = fakes.insights.dismiss(idle)();
      const restoring = fakes.insights.restore(idle)();
      await fakes.clock.advance(3_000);
      await Promise.all([dismissing, restoring]);
      expect(sentBodies().map((body) => (body as { status: number }).status)).to.deep.equal([2, 0]);
      expect(list()[0]).to.include({ actionKey: "idle:a", applied: false, isRestorable: false });
    });

    it("stays dismissed on another page of this browser, and on another device", async () => {
      await open();
      await fakes.insights.dismiss(idle)();
      await fakes.clock.advance(5_000);
      const { server, product, clock } = fakes;
      fakes.stop();
      await open({ server, product, clock });
      expect(keys()).to.deep.equal(["leak:shop.example"]);
    });
  });

  it("that is dismissed stays away after a reload although the server still lists it (IN3)", async () => {
    await open();
    await fakes.insights.dismiss(idle)();
    await fakes.clock.advance(5_000);
    fakes.server.on("GET", "/ai/insights", {
      json: { ...fakes.insights.view$.value.figures, suggestions: [idle, leak] },
    });
    fakes.stop();
    await open({ storage: fakes.storage, clock: fakes.clock, server: fakes.server, product: fakes.product });
    await fakes.clock.advance(300_000);
    expect(keys()).to.deep.equal(["leak:shop.example"]);
  });

  describe('whose status the server refuses: "Failed to update suggestion status" (IN3)', () => {
    const isAsBefore = (): void => {
      expect(list()[0]).to.include({ actionKey: "idle:a", applied: false, isRestorable: false });
      expect(fakes.toasts()).to.deep.equal(["Failed to update suggestion status"]);
      expect(fakes.storage.local.read("appliedSuggestions")).to.equal(null);
      expect(fakes.storage.local.read("dismissedSuggestions")).to.equal(null);
    };

    it("is restored when it was dismissed", async () => {
      await open();
      fakes.server.on("POST", "/ai/insights", { status: 400 });
      expect(problemFrom(await fakes.insights.dismiss(idle)()).message).to.equal(
        "Failed to update suggestion status",
      );
      isAsBefore();
    });

    it("is restored when it was applied, and its action is done", async () => {
      await open();
      fakes.server.on("POST", "/ai/insights", { status: 400 });
      expect(valueFrom(await fakes.insights.applyBy(idle, TE.right("done"))())).to.equal("done");
      await settled();
      isAsBefore();
    });
  });

  describe("that is applied", () => {
    const failing: Problem = { message: "No", fields: [], failure: unavailable("no") };
    const statuses = () => sentBodies().map((body) => (body as { status: number }).status);

    it("is sent to the server after its action is done (IN3)", async () => {
      await open();
      const order: string[] = [];
      fakes.server.on("POST", "/ai/insights", () => {
        order.push("said");
        return { json: {} };
      });
      await fakes.insights.applyBy(idle, () => {
        order.push(list()[0]?.applied ? "applied" : "open");
        order.push("done");
        return TE.right(undefined)();
      })();
      await settled();
      expect(order).to.deep.equal(["open", "done", "said"]);
    });

    it("stays applied where the server has it no longer, because its cause is gone", async () => {
      await open();
      fakes.server.on("POST", "/ai/insights", { status: 404, json: { message: "It is gone" } });
      await fakes.insights.applyBy(idle, TE.right("done"))();
      await settled();
      expect(list()[0]).to.include({ actionKey: "idle:a", applied: true });
      expect(fakes.toasts()).to.deep.equal([]);
    });

    it("stays open when the action fails, without a toast, since the form shows the error", async () => {
      await open();
      expect(problemFrom(await fakes.insights.applyBy(idle, TE.left(failing))())).to.equal(failing);
      await settled();
      expect(statuses()).to.deep.equal([]);
      expect(list()[0]).to.include({ actionKey: "idle:a", applied: false });
      expect(fakes.toasts()).to.deep.equal([]);
    });

    it("stays applied when a second press happens during the first", async () => {
      await open();
      await fakes.insights.applyBy(idle, TE.right("done"))();
      await fakes.insights.applyBy(idle, TE.left({ ...failing, failure: busy }))();
      await settled();
      expect(statuses()).to.deep.equal([1]);
      expect(list()[0]).to.include({ actionKey: "idle:a", applied: true });
    });
  });

  it("leaves no data for the next user (D45)", async () => {
    await open();
    await fakes.insights.applyBy(idle, TE.right("done"))();
    await fakes.insights.dismiss(leak)();
    expect(fakes.storage.local.read("appliedSuggestions")).to.contain("idle:a");
    expect(fakes.storage.local.read("dismissedSuggestions")).to.contain("leak:shop.example");
    await fakes.app.session.logOut()();
    await settled();
    expect(fakes.storage.local.read("appliedSuggestions")).to.equal(null);
    expect(fakes.storage.local.read("dismissedSuggestions")).to.equal(null);
  });
});

describe("The name of a suggestion's action", () => {
  for (const [action, step] of [
    ["createMask", "createMask"],
    ["addShoppingMask", "createMask"],
    ["createFilterRule", "createRule"],
    ["setupFilter", "createRule"],
    ["createBlockRule", "createRule"],
    ["switchOff", "switchOff"],
    ["turnOnSpamProtection", "turnOnSpamProtection"],
    ["setUpTwoFactor", "setUpTwoFactor"],
    ["setUpEncryption", "setUpEncryption"],
    ["doSomethingElse", null],
  ] as const)
    it(`${action} means ${step ?? "no known action"} (IN3)`, () => {
      expect(toSuggestionAction(action)).to.equal(step);
    });
});

describe("The rule editor", () => {
  it("is filled with the rule of a suggestion", () => {
    const draft = toRuleDraft(
      createSuggestion("promotions:a", {
        rule: {
          name: "Archive promotions",
          type: "categorization",
          conditions: [{ field: "category", operator: "in_list", value: ["promotional", "newsletter"] }],
          actions: [{ type: "archive", params: { markAsRead: true } }],
        },
      }),
      "UTC",
    );
    expect(draft).to.include({ name: "Archive promotions", type: "categorization", enabled: true });
    expect(draft.conditions[0]).to.include({
      field: "category",
      operator: "in_list",
      value: "promotional, newsletter",
    });
    expect(draft.actions[0]).to.deep.include({ type: "archive", params: { markAsRead: true } });
  });

  it("leaves out what this version cannot read, for its owner to fill in", () => {
    const draft = toRuleDraft(
      createSuggestion("new", {
        rule: {
          name: "Tomorrow's rule",
          type: "quantum",
          conditions: [{ field: "mood", operator: "equals", value: "good" }],
          actions: [{ type: "teleport", params: {} }],
        },
      }),
      "UTC",
    );
    expect(draft).to.deep.include({ name: "Tomorrow's rule", type: "", conditions: [], actions: [] });
  });
});
