import { expect } from "chai";
import {
  createPlannedStrangersLimit,
  createStrangersHourlyLimit,
} from "../../../../server/platform/ops/hourlyLimit.ts";

describe("What strangers cause for a user in an hour", () => {
  it("is limited by network before it is limited for all, and apart for each user", () => {
    let now = 0;
    const may = createStrangersHourlyLimit(() => now, { most: 10, ofNetwork: 4 });
    const allowed = (userId: string, network: string | null, times: number): number =>
      Array.from({ length: times }, () => may(userId, network)).filter(Boolean).length;
    expect(allowed("ada", "203.0.113.1", 1_000), "a flood").to.equal(4);
    expect(allowed("ada", "203.0.113.2", 3), "others meanwhile").to.equal(3);
    expect(allowed("bob", "203.0.113.1", 9)).to.equal(4);
    expect(allowed("ada", null, 9), "without a network").to.equal(3);
    expect(allowed("ada", "203.0.113.3", 9)).to.equal(0);
    now += 3_600_000;
    expect(allowed("ada", "203.0.113.1", 9)).to.equal(4);
  });

  it("is not counted anew because much comes from many networks", () => {
    const planShare = createPlannedStrangersLimit(() => 0, { most: 3, ofNetwork: 1 });
    const may = (userId: string, network: string): boolean => {
      const { plan, count } = planShare();
      const isAllowed = plan(userId, network);
      if (isAllowed) count();
      return isAllowed;
    };
    for (let n = 0; n < 3; n += 1) may("ada", `network ${n}`);
    for (let n = 0; n < 12_000; n += 1) may(`user ${n % 4_000}`, `network ${n}`);
    expect(may("ada", "network 3")).to.equal(false);
  });

  it("counts once a transaction has committed, and is limited within it too", () => {
    const planShare = createPlannedStrangersLimit(() => 0, { most: 5, ofNetwork: 2 });
    const planned = (network: string | null, times: number) => {
      const { plan, count } = planShare();
      return {
        allowed: Array.from({ length: times }, () => plan("ada", network)).filter(Boolean).length,
        count,
      };
    };
    for (let n = 0; n < 9; n += 1) expect(planned("203.0.113.1", 3).allowed, "rolled back").to.equal(2);
    planned("203.0.113.1", 1).count();
    expect(planned("203.0.113.1", 3).allowed).to.equal(1);
    planned(null, 3).count();
    expect(planned("203.0.113.2", 3).allowed, "of all").to.equal(1);
  });
});
