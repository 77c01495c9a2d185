import { expect } from "chai";
import type { Tabs } from "../../core/ports/tabs.ts";
import { until } from "../server/support/until.ts";

export interface TabsSubject {
  /** Another tab of the same browser. */
  readonly open: () => Promise<Tabs>;
  readonly wait: (ms: number) => Promise<void>;
}

/** Long enough that a busy browser does not make a tab look suspended to another. */
const patience = { maxWaitMs: 2_000 };

/** A task that ends when the test decides. */
const task = <A>(answer: A) => {
  let end: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const hadToWait: boolean[] = [];
  const work = (waited: boolean): Promise<A> => {
    hadToWait.push(waited);
    return over.then(() => answer);
  };
  return { work, end: () => end(), hadToWait };
};

/** The tests that the tabs of every browser must pass. */
export const tabsContract = (make: () => Promise<TabsSubject>): void => {
  let subject: TabsSubject;
  let count = 0;
  let name = "";
  beforeEach(async () => {
    subject = await make();
    count += 1;
    name = `turn${count}`;
  });

  const begun = async ({ hadToWait }: { readonly hadToWait: readonly boolean[] }): Promise<void> => {
    await until("the work has begun", async () => {
      if (hadToWait.length === 0) await subject.wait(20);
      return hadToWait.length > 0;
    });
    expect(hadToWait).to.have.length(1);
  };

  it("hold a lock one after the other, and each learns whether it had to wait", async () => {
    const [first, second] = [await subject.open(), await subject.open()];
    const [one, two] = [task("one"), task("two")];
    const firstAnswer = first.runExclusive(name, patience, one.work);
    await begun(one);
    const secondAnswer = second.runExclusive(name, patience, two.work);
    await subject.wait(200);
    expect(two.hadToWait).to.deep.equal([]);
    one.end();
    expect(await firstAnswer).to.equal("one");
    await begun(two);
    two.end();
    expect(await secondAnswer).to.equal("two");
    expect([...one.hadToWait, ...two.hadToWait]).to.deep.equal([false, true]);
  });

  it("do not wait for locks of another name", async () => {
    const [first, second] = [await subject.open(), await subject.open()];
    const [one, two] = [task(1), task(2)];
    const answers = [
      first.runExclusive(name, patience, one.work),
      second.runExclusive(`${name} other`, patience, two.work),
    ];
    await begun(one);
    await begun(two);
    one.end();
    two.end();
    expect(await Promise.all(answers)).to.deep.equal([1, 2]);
    expect([...one.hadToWait, ...two.hadToWait]).to.deep.equal([false, false]);
  });

  it("take the lock from a tab that does not release it, and both get their answers", async () => {
    const [asleep, awake] = [await subject.open(), await subject.open()];
    const [one, two] = [task("late"), task("in time")];
    const lateAnswer = asleep.runExclusive(name, patience, one.work);
    await begun(one);
    const answer = awake.runExclusive(name, patience, two.work);
    await subject.wait(patience.maxWaitMs / 2);
    expect(two.hadToWait).to.deep.equal([]);
    await subject.wait(patience.maxWaitMs);
    await begun(two);
    two.end();
    expect(await answer).to.equal("in time");
    one.end();
    expect(await lateAnswer).to.equal("late");
    const three = task("after");
    const after = asleep.runExclusive(name, patience, three.work);
    await begun(three);
    three.end();
    expect(await after).to.equal("after");
  });

  it("do not take the lock from a tab that has only just got it", async () => {
    const [first, second, third] = [await subject.open(), await subject.open(), await subject.open()];
    const [one, two, three] = [task(1), task(2), task(3)];
    const answers = [first.runExclusive(name, patience, one.work)];
    await begun(one);
    answers.push(second.runExclusive(name, patience, two.work));
    await subject.wait(100);
    answers.push(third.runExclusive(name, patience, three.work));
    await subject.wait(patience.maxWaitMs * 0.7);
    one.end();
    await subject.wait(patience.maxWaitMs * 0.5);
    expect([two.hadToWait.length, three.hadToWait.length].toSorted()).to.deep.equal([0, 1]);
    two.end();
    three.end();
    expect(await Promise.all(answers)).to.deep.equal([1, 2, 3]);
  });

  it("receive messages of the other tabs on a channel, and not their own", async () => {
    const [first, second, third] = [await subject.open(), await subject.open(), await subject.open()];
    const received: string[] = [];
    const listening = [first, second, third].map((tab, at) =>
      tab.messages(name).subscribe((text) => received.push(`${at} hears ${text}`)),
    );
    await until("all tabs listen, which takes a busy browser its time", async () => {
      for (const tab of [first, third]) tab.broadcast(name, "ready");
      await subject.wait(50);
      return new Set(received).size === 3;
    });
    const heard = (): readonly string[] => received.filter((text) => !text.endsWith("ready")).toSorted();
    first.broadcast(name, "hello");
    second.broadcast(`${name} other`, "nobody listens");
    await until("both other tabs hear it", async () => {
      await subject.wait(200);
      return heard().length >= 2;
    });
    expect(heard()).to.deep.equal(["1 hears hello", "2 hears hello"]);
    for (const one of listening) one.unsubscribe();
    await subject.wait(200);
    third.broadcast(name, "gone");
    await subject.wait(200);
    expect(heard()).to.have.length(2);
  });
};
