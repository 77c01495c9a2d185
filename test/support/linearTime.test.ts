import { expect } from "chai";
import { expectLinear } from "./linearTime.ts";

const count = (steps: number): number => {
  let sum = 0;
  for (let n = 0; n < steps; n += 1) sum += n % 7;
  return sum;
};

describe("The check for linear time", () => {
  it("accepts work that grows with its input", () => {
    expectLinear("one loop", 5_000_000, count);
  });

  it("rejects quadratic work", () => {
    expect(() => expectLinear("a loop in a loop", 15_000, (times) => count(times * times))).to.throw(
      "a loop in a loop",
    );
  });
});
