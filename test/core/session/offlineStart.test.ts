import { expect } from "chai";
import { createState } from "../../../core/kernel/state.ts";
import { emptyRuleDraft } from "../../../core/rules/editing/ruleDraft.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import { createMask } from "../../fakes/productServer.ts";

const draft = {
  ...emptyRuleDraft,
  name: "Sales",
  type: "content_filter" as const,
  conditions: [
    {
      id: "condition_1",
      field: "subject" as const,
      operator: "contains" as const,
      value: "sale",
      until: "",
      timeZone: "UTC",
    },
  ],
  actions: [{ id: "action_1", type: "tag" as const, params: { tag: "Sale" } }],
};

describe("The app when it is opened without a network", () => {
  let before: AppOnFakes;
  let on: AppOnFakes;

  /** The app was open with a network, a rule was saved without one, and the app is opened again after this time. */
  const openAgain = async (laterMs: number, thenMs = 20_000): Promise<void> => {
    before = await startApp({ masks: [createMask("shop")] });
    await before.clock.advance(1_000);
    before.server.cutOff(true);
    before.online$.set(false);
    await before.app.rules.create(draft, "shop")();
    before.stop();
    await before.clock.advance(laterMs);
    const { clock, server, storage, product } = before;
    on = await startApp({ clock, server, storage, product, online$: createState(false), isSignedIn: false });
    await clock.advance(thenMs);
  };
  afterEach(() => on.stop());

  it("shows its user, the masks, the account and the rules from an hour ago, with their age", async () => {
    await openAgain(3_600_000);
    const { app } = on;
    expect(app.session.state$.value.kind).to.equal("signed-in");
    expect(app.masks.view$.value).to.include({
      status: "stale",
      warning: "Using cached mask data. Refresh when online.",
    });
    expect(app.masks.view$.value.all.map(({ id }) => id)).to.deep.equal(["shop"]);
    expect(app.account.warning$.value).to.equal("Using cached account data. Refresh when online.");
    expect(on.app.rules.view$.value.rules).to.have.length(1);
    expect(on.app.rules.view$.value.rules[0]).to.include({ isLocal: true });
    expect(on.app.sync.view$.value.message).to.equal("1 mask(s) with 1 rule(s) pending sync");
  });

  it("shows them after six days too, and sends unsent rules when there is a network", async () => {
    await openAgain(6 * 86_400_000);
    expect(on.app.session.state$.value.kind).to.equal("signed-in");
    on.server.cutOff(false);
    on.online$.set(true);
    await on.clock.advance(60_000);
    expect(on.product.masks()[0]?.settings?.rules).to.have.length(1);
    expect(on.app.sync.view$.value.message).to.equal(null);
    expect(on.app.masks.view$.value.status).to.equal("ready");
  });

  it("shows one message about the missing connection, not one for each part", async () => {
    await openAgain(3_600_000, 2_000);
    const toastTexts = on.app.toasts.list$.value.map(({ text }) => text);
    expect(toastTexts).to.deep.equal(["Connection issue. Please try again later."]);
  });
});
