import { expect } from "chai";
import { createInTime } from "../../../../server/platform/ops/inTime.ts";

describe("A question that is answered in time", () => {
  it("has its answer, and its failure", async () => {
    const answers = [Promise.resolve("yes"), Promise.reject(new Error("no"))];
    const ask = createInTime(60_000, () => answers.shift() ?? Promise.resolve("again"), "late");
    expect(await ask()).to.equal("yes");
    expect(await ask().catch(String)).to.equal("Error: no");
    expect(await ask()).to.equal("again");
  });

  it("has the other answer when nobody answers, and is not asked again until somebody does", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    let asked = 0;
    const ask = createInTime(
      1,
      () => {
        asked += 1;
        return promise;
      },
      "late",
    );
    expect(await Promise.all([ask(), ask()])).to.deep.equal(["late", "late"]);
    expect(asked).to.equal(1);
    resolve("at last");
    expect(await ask()).to.equal("at last");
    expect(await ask()).to.equal("at last");
    expect(asked).to.equal(2);
  });
});
