import { expect } from "chai";
import { left, right } from "fp-ts/lib/Either.js";
import { refused, unavailable } from "../../../../core/kernel/failure.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { localOnlyIds } from "../../../../core/rules/sync/pendingRecord.ts";
import { createVirtualClock, settled, type VirtualClock } from "../../../fakes/virtualClock.ts";
import { createRuleServer, type RuleServer } from "./ruleServer.ts";
import { type Browser, createBrowser, openTab, type Tab } from "./tabOnFakes.ts";

const rule = (id: string, name = id): Rule => ({
  id,
  name,
  type: "content_filter",
  enabled: true,
  conditions: [{ field: "subject", operator: "contains", value: [name] }],
  actions: [{ type: "tag", params: { tag: name } }],
});
const adding =
  (id: string) =>
  (rules: readonly Rule[]): readonly Rule[] => [...rules, rule(id)];
const without =
  (id: string) =>
  (rules: readonly Rule[]): readonly Rule[] =>
    rules.filter((one) => one.id !== id);
const names = (rules: readonly Rule[]): readonly string[] => rules.map(({ name }) => name);

describe("Changed rules", () => {
  let clock: VirtualClock;
  let server: RuleServer;
  let browser: Browser;
  let tab: Tab;

  beforeEach(() => {
    clock = createVirtualClock();
    server = createRuleServer(clock);
    browser = createBrowser(clock);
    tab = openTab(clock, server, browser);
  });

  const offline = (): void => browser.online$.set(false);
  const online = async (): Promise<void> => {
    browser.online$.set(true);
    await clock.advance(1_000);
  };

  it("are stored before they are sent, and removed when the server has accepted them", async () => {
    const saved = tab.change("m", adding("a"));
    expect(tab.record("m")?.rules).to.have.lengthOf(1);
    await settled();
    expect(tab.record("m")?.sent?.requestId).to.equal(server.arrived[0]?.requestId);
    await clock.advance(1_000);
    expect(await saved).to.deep.equal(right("saved"));
    expect(tab.record("m")).to.equal(null);
    expect(browser.storage.local.read("pendingRulesSync")).to.equal(null);
    expect(names(server.read("m").rules)).to.deep.equal(["a"]);
    expect(tab.sync.view$.value).to.deep.include({ masks: 0, message: null, progress: null });
  });

  it("show no banner during their first save", async () => {
    const messages: (string | null)[] = [];
    const watching = tab.sync.view$.subscribe(({ message }) => messages.push(message));
    void tab.change("m", adding("a"));
    await settled();
    expect(tab.record("m")?.sent, "is being sent").to.not.equal(undefined);
    expect(tab.sync.view$.value).to.deep.include({ masks: 1, message: null });
    await clock.advance(1_000);
    watching.unsubscribe();
    expect(tab.record("m")).to.equal(null);
    expect(tab.sync.view$.value.message).to.equal(null);
  });

  it("are stored without a network, shown as local, and not sent", async () => {
    offline();
    expect(await tab.change("m", adding("a"))).to.deep.equal(right("kept"));
    await tab.change("m", adding("b"));
    await tab.change("n", adding("c"));
    expect(names(tab.shown("m"))).to.deep.equal(["a", "b"]);
    expect([...localOnlyIds(tab.record("m"))]).to.deep.equal(["a", "b"]);
    expect(tab.sync.view$.value.message).to.equal("2 mask(s) with 3 rule(s) pending sync");
    await clock.advance(600_000);
    expect(server.arrived).to.have.lengthOf(0);
  });

  it("survive a reload, and are sent automatically when the network is back", async () => {
    offline();
    await tab.change("m", adding("a"));
    await tab.change("n", adding("b"));
    tab.kill();
    tab = openTab(clock, server, browser);
    expect(names(tab.shown("m"))).to.deep.equal(["a"]);
    expect(tab.sync.view$.value.message).to.equal("2 mask(s) with 2 rule(s) pending sync");
    await online();
    expect(names(server.read("m").rules)).to.deep.equal(["a"]);
    expect(names(server.read("n").rules)).to.deep.equal(["b"]);
    expect(tab.sync.view$.value.message).to.equal(null);
    expect(tab.toasts).to.deep.equal(["success: Successfully synced rules for 2 mask(s)"]);
  });

  it("are stored when no answer comes, and retried after 2 s, 4 s, 8 s, 16 s and then at each check", async () => {
    server.fate = () => "unreached";
    const saved = tab.change("m", adding("a"));
    await clock.advance(150);
    expect(await saved).to.deep.equal(right("kept"));
    const tries = [clock.now()];
    while (tries.length < 8) {
      await clock.advance(100);
      if (server.arrived.length > tries.length) tries.push(clock.now());
    }
    await clock.advance(150);
    const waits = tries.slice(1).map((at, n) => (at - (tries[n] ?? 0)) / 1_000);
    for (const [n, wait] of [2, 4, 8, 16, 30, 30, 30].entries())
      expect(waits[n], `wait ${n} of ${waits.join(", ")}`).to.be.within(
        wait * 0.8 - 0.3,
        Math.min(wait * 1.2, 30) + 0.4,
      );
    expect(tab.record("m")?.attempts).to.equal(server.arrived.length);
    expect(tab.record("m")?.lastError).to.be.a("string");
    expect(tab.toasts).to.deep.equal([]);
  });

  it("are checked every 120 s where the rules tab is not open", async () => {
    tab.checkEachMs$.set(120_000);
    server.fate = () => "unreached";
    void tab.change("m", adding("a"));
    await clock.advance(1_200_000);
    const before = server.arrived.length;
    await clock.advance(1_200_000);
    expect(server.arrived.length - before).to.be.within(9, 13);
  });

  it("are sent again with the same id when the answer was lost, and saved once", async () => {
    server.fate = () => (server.arrived.length === 1 ? "lost" : "answered");
    const saved = tab.change("m", adding("a"));
    await clock.advance(10_000);
    expect(await saved).to.deep.equal(right("kept"));
    expect(new Set(server.arrived.map(({ requestId }) => requestId)).size).to.equal(1);
    expect(server.arrived).to.have.lengthOf(2);
    expect(names(server.read("m").rules)).to.deep.equal(["a"]);
    expect(tab.record("m")).to.equal(null);
  });

  it("stay deleted when the answer to their creation was lost", async () => {
    server.fate = () => "lost";
    void tab.change("m", adding("a"));
    await clock.advance(500);
    offline();
    await tab.change("m", without("a"));
    server.fate = () => "answered";
    await online();
    await clock.advance(60_000);
    expect(server.read("m").rules).to.deep.equal([]);
    expect(tab.record("m")).to.equal(null);
    expect(tab.shown("m")).to.deep.equal([]);
  });

  it("are also sent when they are made while others are being sent", async () => {
    const first = tab.change("m", adding("a"));
    await clock.advance(50);
    const second = tab.change("m", adding("b"));
    await clock.advance(1_000);
    expect([await first, await second]).to.deep.equal([right("saved"), right("saved")]);
    expect(names(server.read("m").rules)).to.deep.equal(["a", "b"]);
    expect(server.arrived).to.have.lengthOf(2);
  });

  it("are stored and shown when the server refuses them, and not sent again and again", async () => {
    server.fate = () => "400";
    const saved = tab.change("m", adding("a"));
    await clock.advance(1_000);
    expect(await saved).to.deep.equal(left(refused(400, "A mask can have at most 100 rules.")));
    await clock.advance(3_600_000);
    await online();
    expect(server.arrived).to.have.lengthOf(1);
    expect(tab.sync.view$.value.refused).to.deep.equal([
      { maskId: "m", reason: "A mask can have at most 100 rules." },
    ]);
    expect(names(tab.shown("m"))).to.deep.equal(["a"]);
    const result = tab.sync.syncNow();
    await clock.advance(1_000);
    expect(await result).to.deep.equal({ synced: 0, remaining: 1, failed: 1 });
    expect(server.arrived).to.have.lengthOf(2);
    expect(tab.toasts).to.deep.equal(["error: Failed to sync rules: A mask can have at most 100 rules."]);
  });

  it("are retried when the user changes them after a refusal, or discarded at the user's request", async () => {
    server.fate = () => "400";
    void tab.change("m", adding("a"));
    void tab.change("n", adding("b"));
    await clock.advance(1_000);
    server.fate = () => "answered";
    const saved = tab.change("m", adding("c"));
    tab.sync.discard("n");
    await clock.advance(1_000);
    expect(await saved).to.deep.equal(right("saved"));
    expect(names(server.read("m").rules)).to.deep.equal(["a", "c"]);
    expect(server.read("n").rules).to.deep.equal([]);
    expect(tab.sync.view$.value.masks).to.equal(0);
  });

  it("show the result of a manual sync, in the words of the specification", async () => {
    offline();
    await tab.change("m", adding("a"));
    await tab.change("n", adding("b"));
    server.fate = () => "unreached";
    browser.online$.set(true);
    await clock.advance(1_000);
    const failing = tab.sync.syncNow();
    await settled();
    expect(tab.sync.view$.value.progress).to.equal("Syncing pending rules...");
    await clock.advance(1_000);
    expect(await failing).to.deep.equal({ synced: 0, remaining: 2, failed: 1 });
    let count = 0;
    server.fate = () => {
      count += 1;
      return count === 1 ? "answered" : "503 before";
    };
    const half = tab.sync.syncNow();
    await clock.advance(500);
    expect(await half).to.deep.equal({ synced: 1, remaining: 1, failed: 1 });
    server.fate = () => "answered";
    const all = tab.sync.syncNow();
    await clock.advance(1_000);
    expect(await all).to.deep.equal({ synced: 1, remaining: 0, failed: 0 });
    expect(tab.toasts).to.deep.equal([
      "warning: Sync failed. Will retry when online.",
      "warning: 1 mask(s) still pending sync",
      "success: Successfully synced rules for 1 mask(s)",
    ]);
    expect(tab.sync.view$.value.progress).to.equal(null);
  });

  it("are merged with another device's changes", async () => {
    server.put("m", [rule("x"), rule("y")]);
    tab.reload("m");
    offline();
    await tab.change("m", (rules) => [rule("a"), ...rules.slice(1)]);
    server.put("m", [rule("x"), { ...rule("y"), enabled: false }, rule("z")]);
    await online();
    expect(names(server.read("m").rules)).to.deep.equal(["a", "y", "z"]);
    expect(server.read("m").rules[1]?.enabled).to.equal(false);
    expect(tab.shown("m")).to.deep.equal(server.read("m").rules);
  });

  it("are shown together with another device's changes", async () => {
    server.put("m", [rule("x")]);
    tab.reload("m");
    server.fate = () => "400";
    void tab.change("m", adding("a"));
    await clock.advance(1_000);
    server.put("m", [rule("x"), rule("z")]);
    tab.reload("m");
    expect(names(tab.shown("m"))).to.deep.equal(["x", "a", "z"]);
  });

  it("are not sent when a further change undoes them", async () => {
    offline();
    await tab.change("m", adding("a"));
    expect(await tab.change("m", without("a"))).to.deep.equal(right("saved"));
    expect(tab.record("m")).to.equal(null);
    await online();
    expect(server.arrived).to.have.lengthOf(0);
  });

  it("are refused when the browser's storage is full", async () => {
    browser = createBrowser(clock, { capacity: 100 });
    tab = openTab(clock, server, browser);
    expect(await tab.change("m", adding("a"))).to.deep.equal(
      left(unavailable("This browser has no room to keep the change. Free some space, then try again.")),
    );
  });

  it("are neither sent nor touched for another user", async () => {
    offline();
    await tab.change("m", adding("a"));
    tab.kill();
    const other = openTab(clock, server, browser, "bob@example.org");
    await online();
    expect(other.record("m")).to.equal(null);
    expect(server.arrived).to.have.lengthOf(0);
    expect(other.sync.view$.value.message).to.equal(null);
  });

  describe("in two tabs", () => {
    it("are stored in the same record, and neither tab overwrites the other", async () => {
      const second = openTab(clock, server, browser);
      offline();
      await tab.change("m", adding("a"));
      const seen = second.known("m");
      await second.sync.save("m", seen, { before: [], rules: [rule("b")] })();
      expect(names(tab.shown("m")).toSorted()).to.deep.equal(["a", "b"]);
      await online();
      expect(names(server.read("m").rules).toSorted()).to.deep.equal(["a", "b"]);
    });

    it("are sent by one of the tabs", async () => {
      const second = openTab(clock, server, browser);
      offline();
      await tab.change("m", adding("a"));
      await second.change("n", adding("b"));
      await online();
      await clock.advance(60_000);
      expect(server.arrived.map(({ maskId }) => maskId).toSorted()).to.deep.equal(["m", "n"]);
      expect(tab.sync.view$.value.message ?? second.sync.view$.value.message).to.equal(null);
    });

    it("are sent by the other tab, with the same id, when the sending tab is closed before the answer", async () => {
      const second = openTab(clock, server, browser);
      void tab.change("m", adding("a"));
      await clock.advance(50);
      tab.kill();
      await clock.advance(120_000);
      expect(second.record("m")).to.equal(null);
      expect(names(server.read("m").rules)).to.deep.equal(["a"]);
      expect(new Set(server.arrived.map(({ requestId }) => requestId)).size).to.equal(1);
    });

    it("are sent by the other tab when one is suspended while sending", async () => {
      const second = openTab(clock, server, browser);
      server.fate = () => (server.arrived.length === 1 ? "never" : "answered");
      void tab.change("m", adding("a"));
      await clock.advance(50);
      void second.change("n", adding("b"));
      await clock.advance(120_000);
      expect(names(server.read("m").rules)).to.deep.equal(["a"]);
      expect(names(server.read("n").rules)).to.deep.equal(["b"]);
    });
  });
});
