import { expect } from "chai";
import { backOnline, failedBackOnline } from "../../../core/kernel/backOnline.ts";
import { createState } from "../../../core/kernel/state.ts";
import { createVirtualClock } from "../../fakes/virtualClock.ts";

const setUp = (isOnline: boolean) => {
  const clock = createVirtualClock();
  const online$ = createState(isOnline);
  const isFailed$ = createState(false);
  let returned = 0;
  let retried = 0;
  backOnline(online$).subscribe(() => {
    returned += 1;
  });
  failedBackOnline(online$, isFailed$, clock.scheduler).subscribe(() => {
    retried += 1;
  });
  return { clock, online$, isFailed$, returned: () => returned, retried: () => retried };
};

describe("A connection that is back", () => {
  it("is announced each time, but not when it was there at first", () => {
    const { online$, returned } = setUp(true);
    expect(returned()).to.equal(0);
    for (const isOnline of [false, true, false, true]) online$.set(isOnline);
    expect(returned()).to.equal(2);
  });

  it("is announced when there was none at first", () => {
    const { online$, returned } = setUp(false);
    online$.set(true);
    expect(returned()).to.equal(1);
  });

  it("retries what has failed, once", () => {
    const { online$, isFailed$, retried } = setUp(true);
    online$.set(false);
    isFailed$.set(true);
    expect(retried()).to.equal(0);
    online$.set(true);
    isFailed$.set(false);
    isFailed$.set(true);
    expect(retried()).to.equal(1);
  });

  it("retries what fails within 10 s, because it was sent without the connection", async () => {
    const { clock, online$, isFailed$, retried } = setUp(true);
    online$.set(false);
    online$.set(true);
    await clock.advance(9_999);
    isFailed$.set(true);
    expect(retried()).to.equal(1);
  });

  it("does not retry what fails later, or without a connection again", async () => {
    const { clock, online$, isFailed$, retried } = setUp(true);
    online$.set(false);
    online$.set(true);
    await clock.advance(10_000);
    isFailed$.set(true);
    expect(retried()).to.equal(0);
    isFailed$.set(false);
    for (const isOnline of [false, true, false]) online$.set(isOnline);
    isFailed$.set(true);
    expect(retried()).to.equal(0);
  });
});
