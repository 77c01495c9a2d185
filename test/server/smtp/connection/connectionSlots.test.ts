import { expect } from "chai";
import { hourMs } from "../../../../core/kernel/durations.ts";
import { isLoopback } from "../../../../server/platform/ops/networkOf.ts";
import { createBuckets } from "../../../../server/platform/rates/buckets.ts";
import { maxConnectingNetworks } from "../../../../server/smtp/connection/connectionRates.ts";
import {
  createConnectionSlots,
  type SlotHolder,
} from "../../../../server/smtp/connection/connectionSlots.ts";
import { createSenderHistory } from "../../../../server/smtp/senderHistory.ts";
import { maxConnections, provenConnections } from "../../../../server/smtp/smtpLimits.ts";

interface Visitor extends SlotHolder {
  readonly address: string;
}

describe("The connection slots", () => {
  let now = 0;
  const refused: Visitor[] = [];

  const createOnes = () => {
    refused.length = 0;
    now = 1_000 * hourMs;
    const slots = createConnectionSlots<Visitor>(
      createSenderHistory(() => now),
      () => now,
      isLoopback,
      createBuckets(() => now, maxConnectingNetworks),
    );
    /** Opens a connection, idle since a time or busy (null); returns null when it is refused. */
    const enter = (address: string, idleSince: number | null = now): Visitor | null => {
      if (slots.admit(address)) return null;
      const visitor: Visitor = {
        address,
        idleMs: (at) => (idleSince === null ? -1 : at - idleSince),
        dismiss: ({ code }) => {
          expect(code).to.equal(421);
          refused.push(visitor);
          slots.remove(visitor);
        },
      };
      slots.add(visitor, address);
      return visitor;
    };
    const prove = (address: string): void => {
      for (let hour = 0; hour < 3; hour += 1) {
        slots.recordAccepted(address);
        now += hourMs;
      }
    };
    return { slots, enter, prove };
  };

  const stranger = (index: number): string => `198.${Math.floor(index / 250)}.${index % 250}.7`;
  const strangersSlots = maxConnections - provenConnections;

  it("are 50 for one address, reused when one is freed, and independent of other addresses", () => {
    const { slots, enter } = createOnes();
    const visitors = Array.from({ length: 50 }, () => enter("192.0.2.7"));
    expect(visitors.every((visitor) => visitor !== null)).to.equal(true);
    expect(enter("192.0.2.7")).to.equal(null);
    expect(enter("192.0.2.8")).to.not.equal(null);
    const [first] = visitors;
    if (first) slots.remove(first);
    expect(enter("192.0.2.7")).to.not.equal(null);
    expect(enter("192.0.2.7")).to.equal(null);
  });

  it("are counted for a whole IPv6 network, whose owner has all of its addresses", () => {
    const { enter } = createOnes();
    for (let index = 0; index < 50; index += 1)
      expect(enter(`2001:db8:0:7::${index.toString(16)}`)).to.not.equal(null);
    for (const address of ["2001:db8:0:7:ffff:1:2:3", "2001:DB8::7:0:0:0:9", "2001:db8:0:7::5%eth0"])
      expect(enter(address), address).to.equal(null);
    expect(enter("2001:db8:0:8::1")).to.not.equal(null);
    expect(enter("::ffff:192.0.2.7")).to.not.equal(null);
  });

  it("are not limited for local programs", () => {
    const { enter } = createOnes();
    for (let index = 0; index < 450; index += 1)
      expect(enter(index % 2 ? "127.0.0.1" : "::1")).to.not.equal(null);
  });

  it("are taken from the longest idle connection when unknown senders use all of theirs", () => {
    const { enter } = createOnes();
    for (let index = 0; index < strangersSlots; index += 1)
      enter(stranger(index), index === 7 ? now - 60_000 : now - 30_000);
    expect(enter("203.0.113.1")).to.not.equal(null);
    expect(refused.map(({ address }) => address)).to.deep.equal([stranger(7)]);
  });

  it("are taken from an address with many connections first", () => {
    const { enter } = createOnes();
    for (let index = 0; index < 20; index += 1) enter("192.0.2.7", now - 5_000);
    for (let index = 0; index < strangersSlots - 20; index += 1) enter(stranger(index), now - 60_000);
    for (let index = 0; index < 19; index += 1) expect(enter(`203.0.113.${index}`)).to.not.equal(null);
    expect(new Set(refused.map(({ address }) => address))).to.deep.equal(new Set(["192.0.2.7"]));
  });

  it("are not taken from a busy connection, nor within its first second", () => {
    const { enter } = createOnes();
    for (let index = 0; index < strangersSlots; index += 1) enter(stranger(index), index % 2 ? null : now);
    expect(enter("203.0.113.1")).to.equal(null);
    now += 1_000;
    expect(enter("203.0.113.1")).to.not.equal(null);
  });

  it("include 100 that are reserved for senders with accepted mail in three different hours", () => {
    const { enter, prove } = createOnes();
    for (const address of ["192.0.2.7", "192.0.2.8", "192.0.2.9"]) prove(address);
    for (let index = 0; index < strangersSlots; index += 1) enter(stranger(index), null);
    expect(enter("203.0.113.1")).to.equal(null);
    const proven = Array.from({ length: provenConnections }, (_, index) =>
      enter(`192.0.2.${7 + (index % 3)}`, now),
    );
    expect(proven.every((visitor) => visitor !== null)).to.equal(true);
    now += 60_000;
    expect(enter("203.0.113.2"), "nor is an idle one of theirs taken for a stranger").to.equal(null);
    expect(refused).to.deep.equal([]);
    expect(enter("192.0.2.7"), "but for one of them").to.not.equal(null);
    expect(refused).to.have.lengthOf(1);
  });

  it("are reserved only after mail in several hours, and no longer after 30 days without mail", () => {
    const history = createSenderHistory(() => now);
    for (let count = 0; count < 10; count += 1) history.record("192.0.2.7");
    expect(history.isProven("192.0.2.7")).to.equal(false);
    for (let hour = 0; hour < 2; hour += 1) {
      now += hourMs;
      history.record("192.0.2.7");
    }
    expect(history.isProven("192.0.2.7")).to.equal(true);
    now += 31 * 24 * hourMs;
    expect(history.isProven("192.0.2.7")).to.equal(false);
  });

  describe("with a rate of connections by network", () => {
    /** Opens connections that close at once; returns how many were let in. */
    const letIn = ({ slots, enter }: ReturnType<typeof createOnes>, addresses: readonly string[]): number =>
      addresses.filter((address) => {
        const visitor = enter(address);
        if (visitor) slots.remove(visitor);
        return visitor !== null;
      }).length;
    const often = (address: string, times: number): readonly string[] => Array(times).fill(address);

    it("let an address in 60 times at once, then once a second, and others meanwhile", () => {
      const ones = createOnes();
      expect(letIn(ones, often("192.0.2.7", 100))).to.equal(60);
      expect(letIn(ones, ["192.0.2.8", "203.0.113.1"])).to.equal(2);
      now += 5_000;
      expect(letIn(ones, often("192.0.2.7", 100))).to.equal(5);
      now += hourMs;
      expect(letIn(ones, often("192.0.2.7", 100))).to.equal(60);
    });

    it("let a /24 and a /56 in 240 times, however many addresses they use", () => {
      const ones = createOnes();
      const all = Array.from({ length: 400 }, (_, n) => n);
      expect(
        letIn(
          ones,
          all.map((n) => `192.0.2.${n % 250}`),
        ),
      ).to.equal(240);
      expect(
        letIn(
          ones,
          all.map((n) => `2001:db8:0:7${(n % 256).toString(16).padStart(2, "0")}::1`),
        ),
      ).to.equal(240);
      expect(letIn(ones, ["192.0.3.1", "2001:db8:0:800::1"])).to.equal(2);
    });

    it("let networks with accepted mail in four times as often, and trusted ones always", () => {
      const ones = createOnes();
      ones.prove("192.0.2.7");
      expect(letIn(ones, often("192.0.2.7", 400))).to.equal(240);
      expect(letIn(ones, often("127.0.0.1", 1_000))).to.equal(1_000);
    });
  });

  it("are 150 for a /24 or a /56", () => {
    const { enter } = createOnes();
    const open = Array.from({ length: 200 }, (_, n) => enter(`192.0.2.${n}`));
    expect(open.filter((visitor) => visitor !== null)).to.have.length(150);
    expect(enter("192.0.3.1")).to.not.equal(null);
  });
});
