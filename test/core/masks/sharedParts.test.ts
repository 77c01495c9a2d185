import { expect } from "chai";
import type { Mask } from "../../../core/masks/mask.ts";
import { createSharing, knownIfEqual } from "../../../core/masks/sharedParts.ts";

const mask = (id: string, more: Partial<Mask> = {}): Mask => ({
  id,
  maskEmail: `${id}@mask.example`,
  forwardTo: "alice@example.org",
  created: "2026-11-22T10:00:00.000Z",
  updated: "2026-11-22T10:00:00.000Z",
  labels: ["Shops"],
  destinations: ["alice@example.org"],
  settings: { spamFilter: true, rules: [] },
  senders: { mode: "all", allow: [], block: [] },
  expiry: null,
  ...more,
});

describe("Many masks in memory", () => {
  it("are what the server sent, with equal parts as one object", () => {
    const share = createSharing();
    const [one, other] = [share(mask("one")), share(mask("other"))];
    expect(one).to.deep.equal(mask("one"));
    expect(other).to.deep.equal(mask("other"));
    expect(other.settings).to.equal(one.settings);
    expect(other.senders).to.equal(one.senders);
    expect(other.labels).to.equal(one.labels);
    expect(other.destinations).to.equal(one.destinations);
  });

  it("keep parts of their own, such as other settings and long rules", () => {
    const share = createSharing();
    const rules = Array.from({ length: 20 }, (_, n) => ({
      id: `rule${n}`,
      name: "Block what is not wanted",
    }));
    const all = [mask("one"), mask("two", { settings: { spamFilter: false, rules: [] }, labels: [] })];
    const long = [mask("three", { settings: { rules } }), mask("four", { settings: { rules } })];
    expect([...all, ...long].map(share)).to.deep.equal([...all, ...long]);
  });

  it("lack what the server left out", () => {
    const bare = { id: "bare", maskEmail: "bare@mask.example", forwardTo: "alice@example.org" };
    expect(createSharing()(bare)).to.deep.equal(bare);
  });

  it("stay the same objects when the list is fetched again, but for those that have changed", () => {
    const share = createSharing();
    const rules = { rules: [{ id: "one", name: "Block what is not wanted" }] };
    const statistics = { totalReceived: 3, totalForwarded: 2, spamBlocked: 1, totalSent: 0 };
    const known = share(mask("one", { settings: rules, statistics }));
    const again = structuredClone(known);
    expect(knownIfEqual(known, again)).to.equal(known);
    for (const more of [
      { description: "Shop" },
      { settings: { rules: [] } },
      { statistics: { ...statistics, totalReceived: 4 } },
      { labels: ["Shops", "Toys"] },
    ])
      expect(knownIfEqual(known, { ...again, ...more })).to.deep.equal({ ...again, ...more });
    expect(knownIfEqual(undefined, again)).to.equal(again);
  });
});
