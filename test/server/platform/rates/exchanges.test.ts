import { expect } from "chai";
import { pino } from "pino";
import { createKeyedHash } from "../../../../server/platform/ops/keyedHash.ts";
import { SharedRates, type TakenAmount } from "../../../../server/platform/rates/sharedRates.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";

const allowance = { burst: 50, perSecond: 1 };

describe("A process that shares limits", () => {
  const run = (answer: () => Promise<readonly []> = async () => []) => {
    const clock = createVirtualClock();
    const told: (readonly TakenAmount[])[] = [];
    const rates = new SharedRates({
      exchange: (taken) => {
        told.push(taken);
        return answer();
      },
      hash: createKeyedHash(Buffer.alloc(32, 7)),
      clock,
      log: pino({ level: "silent" }),
    });
    return { clock, told, counted: rates.buckets("test", 20_000), stop: rates.start() };
  };

  it("exchanges once a second, however much is taken of many keys, and no more once it has stopped", async () => {
    const { clock, told, counted, stop } = run();
    await clock.advance(0);
    for (let n = 0; n < 300; n += 1) {
      for (let key = 0; key < 10; key += 1) counted.take(`${n} ${key}`, { burst: 1_000, perSecond: 9 }, 10);
      await clock.advance(100);
    }
    expect(told).to.have.lengthOf(31);
    expect(told.flat()).to.have.lengthOf(3_000);
    stop();
    await clock.advance(10_000);
    expect(told).to.have.lengthOf(31);
  });

  it("exchanges some ten times a second while a key comes near its limit, until a second after", async () => {
    const { clock, told, counted, stop } = run();
    await clock.advance(0);
    for (let n = 0; n < 100; n += 1) {
      counted.take("a", allowance, 1);
      await clock.advance(20);
    }
    expect(told.length).to.be.within(15, 24);
    await clock.advance(2_000);
    const before = told.length;
    await clock.advance(10_000);
    expect(told.length - before).to.equal(10);
    stop();
  });

  it("tells of 1,100 keys a second at most in a flood, first of those near their limit", async () => {
    const { clock, told, counted, stop } = run();
    await clock.advance(0);
    for (let n = 0; n < 5_000; n += 1) counted.take(`far ${n}`, { burst: 60, perSecond: 1 }, 2);
    for (let n = 0; n < 40; n += 1) counted.take(`near ${n}`, allowance, 40);
    await clock.advance(100);
    // The first take is told of at once, alone.
    expect(told[2]?.filter(({ amount }) => amount === 40)).to.have.lengthOf(40);
    expect(told[2]).to.have.lengthOf(50);
    for (let n = 0; n < 100; n += 1) {
      for (let key = 0; key < 50; key += 1) counted.take(`more ${n} ${key}`, allowance, 40);
      await clock.advance(20);
    }
    expect(told.flat().length).to.be.within(1_000, 2_300);
    stop();
  });

  it("decides without waiting for an exchange that hangs, and begins no other meanwhile", async () => {
    const { clock, told, counted } = run(() => new Promise(() => {}));
    await clock.advance(0);
    for (let n = 0; n < 60; n += 1) counted.take("a", allowance, counted.left("a", allowance) >= 1 ? 1 : 0);
    expect(counted.left("a", allowance)).to.be.below(1);
    await clock.advance(10_000);
    expect(told).to.have.lengthOf(1);
    expect(counted.left("a", allowance)).to.be.closeTo(10, 0.1);
  });
});
