import { expect } from "chai";
import type { RulesAndSync } from "../../../../core/app/rulesAndSync.ts";
import { emptyRuleDraft, type RuleDraft } from "../../../../core/rules/editing/ruleDraft.ts";
import { accountListId, allMasks, everyRule } from "../../../../core/rules/model/rulePlace.ts";
import { type AppOnFakes, startApp } from "../../../fakes/appOnFakes.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { settled } from "../../../fakes/virtualClock.ts";

const draft = (name: string): RuleDraft => ({
  ...emptyRuleDraft,
  name,
  type: "content_filter",
  conditions: [
    { id: "c1", field: "subject", operator: "contains", value: "sale", until: "", timeZone: "UTC" },
  ],
  actions: [{ id: "a1", type: "tag", params: { tag: "Sale" } }],
});

const [before, after] = [accountListId("before"), accountListId("after")];

describe("The rules for all masks", () => {
  let on: AppOnFakes;
  let part: Pick<RulesAndSync, "rules" | "sync">;

  beforeEach(async () => {
    on = await startApp({ masks: [createMask("shop"), createMask("news")] });
    on.sockets.latest().accept();
    on.sockets.latest().push({ type: "auth_response", data: { success: true } });
    part = on.app;
    await settled();
    part.rules.select(allMasks);
  });
  afterEach(() => on.stop());

  const names = (): readonly (readonly string[])[] =>
    part.rules.view$.value.lists.map(({ rules }) => rules.map(({ rule }) => rule.name));
  const stored = (place: "before" | "after"): readonly unknown[] => on.product.rules.account()[place].rules;

  it("are two lists, and a mask's own is selected as before", async () => {
    expect(part.rules.view$.value).to.include({ maskId: allMasks });
    expect(part.rules.view$.value.lists.map(({ id }) => id)).to.deep.equal([before, after]);
    part.rules.select("news");
    expect(part.rules.view$.value).to.include({ maskId: "news" });
    part.rules.select(after);
    expect(part.rules.view$.value).to.include({ maskId: allMasks });
  });

  it("are chosen with those of every mask, and changed several at once with one message and an undo", async () => {
    await part.rules.create(draft("One"), before)();
    await part.rules.create(draft("Two"), "shop")();
    await part.rules.create(draft("Three"), "shop")();
    part.rules.select(everyRule);
    expect(part.rules.view$.value).to.include({ maskId: everyRule });
    expect(names().flat()).to.have.members(["One", "Two", "Three"]);
    const refs = [before, "shop"].flatMap((listId) =>
      part.rules
        .rulesOf(listId)
        .filter(({ name }) => name !== "Three")
        .map(({ id }) => ({ listId, id })),
    );
    const texts = (): readonly string[] => on.app.toasts.list$.value.map(({ text }) => text);
    await part.rules.switchAll(refs, false)();
    expect(texts().at(-1)).to.equal("2 rules switched off");
    expect(part.rules.rulesOf("shop").map(({ enabled }) => enabled)).to.deep.equal([false, true]);
    await part.rules.removeAll(refs)();
    expect(names().flat()).to.deep.equal(["Three"]);
    expect(texts().at(-1)).to.equal("2 rules deleted");
    on.app.toasts.list$.value.find(({ text }) => text === "2 rules deleted")?.action?.run();
    await settled();
    expect(part.rules.rulesOf(before).map(({ name }) => name)).to.deep.equal(["One"]);
    expect(part.rules.rulesOf("shop").map(({ name }) => name)).to.deep.equal(["Two", "Three"]);
  });

  it("are created, moved, switched, duplicated and deleted in their list", async () => {
    await part.rules.create(draft("One"), before)();
    await part.rules.create(draft("Two"), before)();
    await part.rules.create(draft("Late"), after)();
    expect(names()).to.deep.equal([["One", "Two"], ["Late"]]);
    expect(stored("before")[0], "they belong to no mask").not.to.have.property("maskId");
    const [one, two] = part.rules.rulesOf(before).map(({ id }) => id);
    await part.rules.move(one ?? "", 1, before)();
    await part.rules.duplicate(two ?? "", before)();
    await part.rules.setEnabled(one ?? "", false, before)();
    await part.rules.remove(part.rules.rulesOf(after)[0]?.id ?? "", after)();
    expect(names()).to.deep.equal([["Two", "Two (copy)", "One"], []]);
    expect(stored("before").map((rule) => (rule as { enabled: boolean }).enabled)).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(part.rules.view$.value.allMasks.before.map(({ name }) => name)).to.deep.equal([
      "Two",
      "Two (copy)",
      "One",
    ]);
  });

  it("without a network are kept here, named in the banner, and sent when it returns", async () => {
    on.online$.set(false);
    await part.rules.create(draft("Sales"), before)();
    await settled();
    expect(part.rules.view$.value.rules[0]).to.include({ isLocal: true });
    expect(part.sync.view$.value.message).to.equal("1 rule(s) for all masks pending sync");
    await part.rules.create(draft("Mine"), "shop")();
    expect(part.sync.view$.value.message).to.equal(
      "1 mask(s) and all masks together with 2 rule(s) pending sync",
    );
    part.sync.discard("shop");
    on.online$.set(true);
    await on.clock.advance(1_000);
    expect(part.sync.view$.value.message).to.equal(null);
    expect(stored("before")).to.have.length(1);
    expect(on.app.toasts.list$.value.map(({ text }) => text)).to.include(
      "Successfully synced rules for all masks",
    );
  });

  it("merge what another device has saved meanwhile", async () => {
    await part.rules.create(draft("One"), before)();
    on.online$.set(false);
    await part.rules.create(draft("Mine"), before)();
    const [one] = stored("before");
    on.product.rules.saveAccount("before", [one, { ...(one as object), id: "theirs", name: "Theirs" }]);
    on.online$.set(true);
    await on.clock.advance(1_000);
    expect(stored("before").map((rule) => (rule as { name: string }).name)).to.have.members([
      "One",
      "Theirs",
      "Mine",
    ]);
    expect(names()[0]).to.have.members(["One", "Theirs", "Mine"]);
  });

  it("follow another device as soon as the socket tells of it", async () => {
    on.product.rules.saveAccount("after", [{ ...draftRule, id: "theirs" }]);
    on.sockets.latest().push({
      type: "data_update",
      data: { resource: "account-rules", action: "updated", entity: on.product.rules.account() },
    });
    await settled();
    expect(names()).to.deep.equal([[], ["Theirs"]]);
    on.product.rules.saveAccount("after", []);
    on.sockets.latest().push({
      type: "data_update",
      data: { resource: "account-rules", action: "updated" },
    });
    await on.clock.advance(1_000);
    expect(names()).to.deep.equal([[], []]);
  });

  it("are shown from this device after a reload without a network, and edited there", async () => {
    await part.rules.create(draft("Sales"), before)();
    await settled();
    const again = await startApp({
      masks: [createMask("shop")],
      before: ({ storage, server, online$ }) => {
        online$.set(false);
        server.cutOff(true);
        for (const key of ["cached_account_rules", "cached_masks"])
          storage.local.write(key, on.storage.local.read(key) ?? "");
      },
    });
    try {
      again.app.rules.select(allMasks);
      expect(again.app.rules.rulesOf(before).map(({ name }) => name)).to.deep.equal(["Sales"]);
    } finally {
      again.stop();
    }
  });
});

const draftRule = {
  name: "Theirs",
  type: "content_filter",
  enabled: true,
  conditions: [{ field: "subject", operator: "contains", value: ["sale"] }],
  actions: [{ type: "tag", params: { tag: "Sale" } }],
};
