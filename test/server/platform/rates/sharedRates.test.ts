import { expect } from "chai";
import { sql } from "kysely";
import { pino } from "pino";
import { createRequestCounts } from "../../../../server/platform/http/requestCounts.ts";
import { createKeyedHash } from "../../../../server/platform/ops/keyedHash.ts";
import { createPostgresqlRates } from "../../../../server/platform/rates/postgresqlRates.ts";
import { createOwnRates, type Rates } from "../../../../server/platform/rates/rates.ts";
import {
  exchangeEachMs,
  SharedRates,
  urgentExchangeEachMs,
} from "../../../../server/platform/rates/sharedRates.ts";
import { createSenderRates } from "../../../../server/relay/limits/senderRates.ts";
import {
  createUnknownRecipients,
  unknownOfNetwork,
} from "../../../../server/relay/limits/unknownRecipients.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { longTestMs } from "../../../support/limits.ts";
import { usePostgresql } from "../../support/databases.ts";

const hash = createKeyedHash(Buffer.alloc(32, 7));
const processes = 10;

/** Tries one use of a limit at a process; returns whether it was allowed. */
type Try = () => boolean;
type CreateLimit = (rates: Rates, now: () => number) => Try;

const buckets =
  (burst: number, perSecond: number): CreateLimit =>
  (rates) => {
    const counted = rates.buckets("test", 100);
    return () => {
      if (counted.left("192.0.2.7", { burst, perSecond }) < 1) return false;
      counted.take("192.0.2.7", { burst, perSecond }, 1);
      return true;
    };
  };

const requests =
  (max: number): CreateLimit =>
  (rates, now) => {
    const count = createRequestCounts(rates, now);
    return () => count("192.0.2.7", max) === 0;
  };

const mails: CreateLimit = (rates, now) => {
  const counted = createSenderRates({ perMinute: 60, perHour: 600 }, { now }, rates);
  return () => counted.count("owner", { domain: "shop.example", network: "192.0.2.7" }) !== null;
};

const unknown: CreateLimit = (rates) => {
  const limits = createUnknownRecipients({ rates, isUnlimited: () => false });
  return () => {
    if (limits.refusalFor("192.0.2.7")) return false;
    limits.record("192.0.2.7");
    return true;
  };
};

describe("Ten processes that share limits", () => {
  expect(unknownOfNetwork.burst).to.equal(50);
  const { database } = usePostgresql();
  let now = 0;

  const openExchange = (maxKeys?: number) =>
    createPostgresqlRates(
      database(),
      { now: () => now },
      { now: () => now, ...(maxKeys !== undefined && { maxKeys }) },
    );
  const open = (maxKeys?: number): SharedRates => {
    const clock = { ...createVirtualClock(), now: () => now };
    return new SharedRates({ exchange: openExchange(maxKeys), hash, clock, log: pino({ level: "silent" }) });
  };
  const openAll = (): readonly SharedRates[] => Array.from({ length: processes }, () => open());
  const keys = async (): Promise<readonly string[]> => {
    const { rows } = await sql<{ key: string }>`select key from shared_rates`.execute(database().db);
    return rows.map(({ key }) => key);
  };

  beforeEach(() => {
    now = Date.UTC(2026, 10, 20, 9, 0, 0);
  });

  /** Exchanges as each process does: once a second, at different moments, and soon when much was taken. */
  const exchangeDue = async (all: readonly SharedRates[], step: number): Promise<void> => {
    await Promise.all(
      all
        .filter((one, n) => one.isUrgent() || step % (exchangeEachMs / urgentExchangeEachMs) === (n * 7) % 10)
        .map((one) => one.exchange()),
    );
  };

  /** Tries `perSecond` uses during some time, one process after the other; returns how many were allowed. */
  const pour = async (
    create: CreateLimit,
    shared: readonly SharedRates[],
    { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  ): Promise<{ readonly one: number; readonly many: number }> => {
    const own = create(
      createOwnRates(() => now),
      () => now,
    );
    const tries = shared.map((rates) => create(rates, () => now));
    let [one, many, tried] = [0, 0, 0];
    for (let step = 0; step < (seconds * 1_000) / urgentExchangeEachMs; step += 1) {
      for (; tried < ((step + 1) * urgentExchangeEachMs * perSecond) / 1_000; tried += 1) {
        if (own()) one += 1;
        if (tries[tried % processes]?.()) many += 1;
      }
      await exchangeDue(shared, step);
      now += urgentExchangeEachMs;
    }
    return { one, many };
  };

  const limits: Readonly<Record<string, CreateLimit>> = {
    "connections of a network": buckets(60, 1),
    "requests of an API token": buckets(300, 5),
    "requests of a client": requests(300),
    "sign-ins of a client": requests(30),
    "mails of a sender": mails,
    "unknown recipients": unknown,
  };
  for (const [name, create] of Object.entries(limits)) {
    const most = { "requests of an API token": 300, "requests of a client": 300 }[name] ?? 60;

    it(`allow what one process does of ${name}, in a burst`, async () => {
      const { one, many } = await pour(create, openAll(), { perSecond: most / 4, seconds: 12 });
      expect(many, `${one} by one process`).to.be.within(one * 0.9, one * 1.1);
    });

    it(`allow what one process does of ${name}, in a steady stream`, async function () {
      this.timeout(longTestMs);
      const { one, many } = await pour(create, openAll(), { perSecond: most / 30, seconds: 120 });
      expect(many, `${one} by one process`).to.be.within(one * 0.9, one * 1.1);
    });
  }

  it("refuse everywhere within a second whom one of them refuses", async () => {
    const all = openAll();
    const [first, ...others] = all.map((rates) => ({ rates, isAllowed: unknown(rates, () => now) }));
    while (first?.isAllowed());
    // Each exchanges once a second; the first may be the last.
    await first?.rates.exchange();
    for (const { rates } of others) await rates.exchange();
    expect(others.map(({ isAllowed }) => isAllowed())).to.deep.equal(others.map(() => false));
  });

  it("give back to all what one of them gives back", async () => {
    const [one, other] = openAll();
    if (!one || !other) throw new Error("there are ten");
    const [here, there] = [one.buckets("test", 9), other.buckets("test", 9)];
    const allowance = { burst: 50, perSecond: 0.01 };
    here.take("a", allowance, 40);
    await one.exchange();
    await other.exchange();
    expect(there.left("a", allowance)).to.be.closeTo(10, 0.1);
    here.take("a", allowance, -20);
    await one.exchange();
    there.take("a", allowance, 2);
    await other.exchange();
    expect(there.left("a", allowance)).to.be.closeTo(28, 0.1);
  });

  it("count alone, without waiting, while the exchange fails, and together again afterwards", async () => {
    const other = open();
    let fails = true;
    const inner = openExchange();
    const lines: string[] = [];
    const lost = new SharedRates({
      exchange: (taken) => (fails ? Promise.reject(new Error("lost")) : inner(taken)),
      hash,
      clock: { ...createVirtualClock(), now: () => now },
      log: pino({}, { write: (line) => void lines.push(line) }),
    });
    const isAllowed = buckets(50, 0.1)(lost, () => now);
    await lost.exchange();
    let allowed = 0;
    for (let n = 0; n < 200; n += 1) {
      if (isAllowed()) allowed += 1;
      if (n % 20 === 0) await lost.exchange();
    }
    expect(allowed).to.equal(50);
    now += 100_000;
    await lost.exchange();
    fails = false;
    await lost.exchange();
    await other.exchange();
    expect(lines).to.have.lengthOf(2);
    expect(lines.join("")).to.contain("by this process alone").and.contain("with the other processes again");
    // What has come back while it was alone is not told.
    const left = other.buckets("test", 9).left("192.0.2.7", { burst: 50, perSecond: 0.1 });
    expect(left).to.be.closeTo(10, 1);
  });

  it("remember a bounded number of keys, also in a flood of networks, and not the ones least used", async () => {
    const flooded = open(1_000);
    const counted = flooded.buckets("test", 20_000);
    const exchangeLater = (ms: number): Promise<void> => {
      now += ms;
      return flooded.exchange();
    };
    const allowance = { burst: 50, perSecond: 1 / 60 };
    counted.take("192.0.2.7", allowance, 50);
    await flooded.exchange();
    const [refused] = await keys();
    for (let n = 0; n < 20_000; n += 1) {
      counted.take(`198.${n >> 8}.${n & 255}.1`, allowance, 8);
      if (n % 500 === 499) await exchangeLater(1_000);
    }
    for (let round = 0; round < 4; round += 1) await exchangeLater(61_000);
    const kept = await keys();
    expect(kept.length).to.be.within(500, 1_500);
    expect(kept).to.include(refused);
    for (let round = 0; round < 60; round += 1) await exchangeLater(61_000);
    expect((await keys()).length).to.equal(0);
  });

  it("tell nothing of a client who is far from every limit", async () => {
    const quiet = open();
    const allowance = { burst: 1_200, perSecond: 20 };
    const counted = quiet.buckets("test", 9);
    for (let n = 0; n < 10; n += 1) counted.take("192.0.2.7", allowance, 1);
    await quiet.exchange();
    expect(await keys()).to.deep.equal([]);
    for (let n = 0; n < 10; n += 1) counted.take("192.0.2.7", allowance, 1);
    await quiet.exchange();
    expect(await keys()).to.have.lengthOf(1);
    expect(String(await keys())).to.not.contain("192.0.2.7");
  });
});
