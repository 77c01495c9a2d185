import { expect } from "chai";
import { DomainLimits } from "../../../../server/delivery/direct/domainLimits.ts";
import type { DeliveryOutcome } from "../../../../server/delivery/transport.ts";
import { createVirtualClock, settled, type VirtualClock } from "../../../fakes/virtualClock.ts";

const second = 1_000;
const minute = 60 * second;
const delivered: DeliveryOutcome = { kind: "delivered", answer: "250 ok" };
const dead: DeliveryOutcome = { kind: "temporary", answer: "ETIMEDOUT: no answer", isUnreachable: true };

describe("The limits of a domain", () => {
  let clock: VirtualClock;
  let limits: DomainLimits;

  const create = (perMinute = 10_000, maxUnproven = 10): void => {
    limits = new DomainLimits({
      maxInProgress: 6,
      perMinute,
      maxUnproven,
      maxUnprovenBytes: 1_000,
      clock,
      random: { fraction: () => 0 },
    });
  };
  beforeEach(() => {
    clock = createVirtualClock();
    create();
  });

  const now = (domain: string, outcome: DeliveryOutcome): Promise<DeliveryOutcome> =>
    limits.run(domain, 1, async () => outcome);

  /** A mail that stays in progress until it is ended. */
  const hanging = (domain: string, bytes = 1) => {
    let end: (outcome: DeliveryOutcome) => void = () => {};
    let isStarted = false;
    const sent = new Promise<DeliveryOutcome>((resolve) => {
      end = resolve;
    });
    const result = limits.run(domain, bytes, () => {
      isStarted = true;
      return sent;
    });
    return { result, end: (outcome: DeliveryOutcome) => end(outcome), isStarted: () => isStarted };
  };

  it("let a few mails at once pass first, and more after each answer", async () => {
    const first = Array.from({ length: 5 }, () => hanging("a.example"));
    expect(first.map(({ isStarted }) => isStarted())).to.deep.equal([true, true, true, true, false]);
    first[0]?.end(delivered);
    await settled();
    expect(first[4]?.isStarted(), "the next one follows").to.equal(true);
    const another = [hanging("a.example"), hanging("a.example")];
    expect(another.map(({ isStarted }) => isStarted())).to.deep.equal([true, false]);
  });

  it("never let more mails pass at once than their maximum", async () => {
    for (let count = 0; count < 20; count += 1) await now("a.example", delivered);
    const many = Array.from({ length: 20 }, () => hanging("a.example"));
    expect(many.filter(({ isStarted }) => isStarted())).to.have.lengthOf(6);
  });

  const postponedOf = async (mails: readonly ReturnType<typeof hanging>[]): Promise<number> => {
    let postponed = 0;
    for (const { result } of mails)
      void result.then(({ kind }) => {
        if (kind === "postponed") postponed += 1;
      });
    await settled();
    return postponed;
  };

  it("keep as many mails waiting as pass before a postponed one is back", async () => {
    for (let count = 0; count < 20; count += 1) {
      const slow = hanging("slow.example");
      await clock.advance(second);
      slow.end(delivered);
      await settled();
    }
    const many = Array.from({ length: 20 }, () => hanging("slow.example"));
    expect(await postponedOf(many), "the others wait in the store").to.equal(20 - 6 - 12);
  });

  it("keep at most 300 mails waiting, however fast they pass", async () => {
    for (let count = 0; count < 40; count += 1) await now("fast.example", delivered);
    const many = Array.from({ length: 320 }, () => hanging("fast.example"));
    expect(await postponedOf(many)).to.equal(320 - 6 - 300);
  });

  it("give postponed mails turns one after the other", async () => {
    create(60);
    for (let count = 0; count < 60; count += 1) await now("a.example", delivered);
    const waits = [];
    for (let count = 0; count < 3; count += 1) {
      const outcome = await now("a.example", delivered);
      waits.push(outcome.kind === "postponed" ? outcome.retryInMs : 0);
    }
    expect(waits).to.deep.equal([2 * second, 3 * second, 4 * second]);
    await clock.advance(2 * second);
    expect((await now("a.example", delivered)).kind).to.equal("delivered");
  });

  it("pause a domain that does not answer, twice as long each time and at most an hour", async () => {
    const pauses: number[] = [];
    for (let tries = 0; tries < 9; tries += 1) {
      expect(await now("dead.example", dead)).to.equal(dead);
      const blocked = await now("dead.example", delivered);
      expect(blocked).to.include({ kind: "postponed", answer: dead.answer });
      const pause = blocked.kind === "postponed" ? blocked.retryInMs : 0;
      pauses.push(Math.round(pause / second));
      await clock.advance(pause);
    }
    expect(pauses).to.deep.equal([50, 100, 200, 400, 800, 1_600, 3_200, 3_600, 3_600]);
  });

  it("try such a domain with a single mail, and open it again after an answer", async () => {
    await now("dead.example", dead);
    await clock.advance(minute);
    const probe = hanging("dead.example");
    expect(probe.isStarted()).to.equal(true);
    expect((await now("dead.example", delivered)).kind).to.equal("postponed");
    probe.end({ kind: "permanent", answer: "550 5.1.1 unknown" });
    await probe.result;
    expect((await now("dead.example", delivered)).kind).to.equal("delivered");
    expect(limits.figures()).to.deep.equal({ sending: 0, failing: 0 });
  });

  it("send back what waits for a domain that turns out not to answer", async () => {
    const mails = Array.from({ length: 8 }, () => hanging("dead.example"));
    mails[0]?.end(dead);
    await mails[0]?.result;
    for (const { result } of mails.slice(4)) expect((await result).kind).to.equal("postponed");
    expect(limits.figures()).to.deep.equal({ sending: 1, failing: 1 });
  });

  it("count several failures at once as one", async () => {
    const mails = Array.from({ length: 4 }, () => hanging("dead.example"));
    for (const { end } of mails) end(dead);
    await Promise.all(mails.map(({ result }) => result));
    const blocked = await now("dead.example", delivered);
    expect(blocked.kind === "postponed" && Math.round(blocked.retryInMs / second)).to.equal(50);
  });

  it("slow down for a server that asks for it", async () => {
    for (let count = 0; count < 6; count += 1) await now("a.example", delivered);
    await now("a.example", { kind: "temporary", answer: "421 4.7.0 too many connections" });
    expect((await now("a.example", delivered)).kind).to.equal("postponed");
    await clock.advance(31 * second);
    const mails = Array.from({ length: 4 }, () => hanging("a.example"));
    expect(mails.filter(({ isStarted }) => isStarted())).to.have.lengthOf(3);
  });

  it("do not slow down for a mailbox that is full", async () => {
    await now("a.example", { kind: "temporary", answer: "452 4.2.2 mailbox full" });
    expect((await now("a.example", delivered)).kind).to.equal("delivered");
  });

  it("keep room for domains that answer, however many others are slow", async () => {
    await now("good.example", delivered);
    const slow = Array.from({ length: 30 }, (_, index) => hanging(`slow${index}.example`));
    expect(slow.filter(({ isStarted }) => isStarted())).to.have.lengthOf(10);
    expect((await now("good.example", delivered)).kind).to.equal("delivered");
    const waits = await now("new.example", delivered);
    expect(waits).to.include({ kind: "postponed", retryInMs: 5 * second });
    slow[0]?.end(dead);
    await slow[0]?.result;
    expect((await now("new.example", delivered)).kind).to.equal("delivered");
  });

  it("keep room in memory too, and let a single large mail pass", async () => {
    const large = hanging("slow.example", 5_000);
    expect(large.isStarted()).to.equal(true);
    expect((await now("new.example", delivered)).kind).to.equal("postponed");
    large.end(dead);
    await large.result;
    expect((await now("new.example", delivered)).kind).to.equal("delivered");
  });

  it("survive a transport that fails", async () => {
    const outcome = await limits.run("a.example", 1, () => Promise.reject(new Error("broken")));
    expect(outcome.kind).to.equal("temporary");
    expect(limits.figures().sending).to.equal(0);
  });
});
