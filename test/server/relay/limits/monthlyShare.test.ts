import { expect } from "chai";
import { findShareToAnnounce } from "../../../../server/relay/limits/monthlyQuota.ts";

describe("The share of the monthly limit that is announced", () => {
  it("is 80 % from the 80th of 100 mails on, and 100 % at the last one", () => {
    expect([79, 80, 99, 100, 101].map((received) => findShareToAnnounce(received, 100))).to.deep.equal([
      null,
      80,
      80,
      100,
      100,
    ]);
  });

  it("is exact for limits that are not divisible by 5", () => {
    expect([2, 3, 4].map((received) => findShareToAnnounce(received, 4))).to.deep.equal([null, null, 100]);
    expect([5, 6, 7].map((received) => findShareToAnnounce(received, 7))).to.deep.equal([null, 80, 100]);
  });
});
