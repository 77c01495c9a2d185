import { expect } from "chai";
import { startIdleCollection, thisProcess } from "../../../../server/platform/ops/idleMemory.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";

describe("The memory of a burst", () => {
  const run = async (shares: readonly number[]): Promise<number[]> => {
    const clock = createVirtualClock();
    const left = [...shares];
    const collectedAt: number[] = [];
    const stop = startIdleCollection(
      { busyShare: () => left.shift() ?? 0, collect: () => collectedAt.push(clock.now()) },
      clock,
    );
    const began = clock.now();
    await clock.advance(shares.length * 5_000);
    stop();
    await clock.advance(60_000);
    return collectedAt.map((at) => (at - began) / 1_000);
  };

  it("is freed within 15 s after the work, and never during it", async () => {
    expect(await run([0.9, 0.4, 0.01, 0, 0, 0, 0])).to.deep.equal([15, 20, 25]);
  });

  it("is freed again after the next work", async () => {
    expect(await run([0.9, 0, 0.5, 0, 0, 0, 0])).to.deep.equal([10, 20, 25, 30]);
  });

  it("is looked at for free while the process does little", async () => {
    expect(await run([0, 0, 0, 0.02, 0.04, 0.01])).to.deep.equal([5, 10, 15]);
  });

  it("is what the real process gives back", () => {
    const { busyShare, collect } = thisProcess();
    let garbage: Buffer[] | null = Array.from({ length: 64 }, () => Buffer.alloc(1024 * 1024, 1));
    const before = process.memoryUsage().arrayBuffers;
    expect(garbage.length).to.equal(64);
    garbage = null;
    collect();
    collect();
    expect(before - process.memoryUsage().arrayBuffers).to.be.at.least(60 * 1024 * 1024);
    expect(busyShare()).to.be.within(0, 1);
  });
});
