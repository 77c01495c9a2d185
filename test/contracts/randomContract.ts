import { expect } from "chai";
import { type Random, randomHex } from "../../core/ports/random.ts";

/** The tests that every random source must pass. */
export const randomContract = (make: () => Random): void => {
  it("returns as many bytes as requested, all values equally often", () => {
    const random = make();
    expect(random.bytes(0)).to.have.length(0);
    const bytes = random.bytes(50_000);
    expect(bytes).to.have.length(50_000);
    const counts = new Array<number>(256).fill(0);
    for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
    expect(Math.min(...counts)).to.be.greaterThan(100);
    expect(Math.max(...counts)).to.be.lessThan(320);
  });

  it("returns fractions in [0, 1), evenly distributed", () => {
    const random = make();
    const drawn = Array.from({ length: 10_000 }, random.fraction);
    expect(Math.min(...drawn)).to.be.at.least(0);
    expect(Math.max(...drawn)).to.be.below(1);
    expect(drawn.reduce((sum, one) => sum + one, 0) / drawn.length).to.be.within(0.48, 0.52);
  });

  it("never returns the same id twice", () => {
    const random = make();
    const names = Array.from({ length: 1_000 }, () => randomHex(random, 16));
    expect(new Set(names)).to.have.property("size", 1_000);
    expect(names.every((name) => /^[0-9a-f]{32}$/.test(name))).to.equal(true);
  });
};
