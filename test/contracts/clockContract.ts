import { expect } from "chai";
import type { Clock } from "../../core/ports/clock.ts";
import { until } from "../server/support/until.ts";

export interface ClockSubject {
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
}

/** The tests that every clock must pass. */
export const clockContract = (make: () => ClockSubject): void => {
  it("counts milliseconds since 1970, and never backwards", async () => {
    const { clock, wait } = make();
    const before = clock.now();
    expect(before).to.be.within(Date.UTC(2025, 0, 1), Date.UTC(2100, 0, 1));
    await wait(30);
    expect(clock.now() - before).to.be.at.least(29);
  });

  it("runs due callbacks in the order of their times, and not earlier", async () => {
    const { clock, wait } = make();
    const done: string[] = [];
    clock.scheduler.schedule(() => done.push("later"), 60);
    clock.scheduler.schedule(() => done.push("sooner"), 20);
    expect(done).to.deep.equal([]);
    await wait(200);
    expect(done).to.deep.equal(["sooner", "later"]);
  });

  it("does not run canceled callbacks", async () => {
    const { clock, wait } = make();
    const done: string[] = [];
    clock.scheduler.schedule(() => done.push("never"), 20).unsubscribe();
    await wait(60);
    expect(done).to.deep.equal([]);
  });

  it("runs repeated callbacks again", async () => {
    const { clock, wait } = make();
    let times = 0;
    clock.scheduler.schedule(function () {
      times += 1;
      if (times < 3) this.schedule(undefined, 10);
    }, 10);
    await until("it has run three times", async () => {
      await wait(60);
      return times >= 3;
    });
    await wait(60);
    expect(times).to.equal(3);
  });
};
