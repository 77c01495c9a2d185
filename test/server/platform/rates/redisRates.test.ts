import { expect } from "chai";
import { pino } from "pino";
import { systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import { SettingError } from "../../../../server/platform/config/settings.ts";
import { createKeyedHash } from "../../../../server/platform/ops/keyedHash.ts";
import { openRates } from "../../../../server/platform/rates/openRates.ts";
import { openRedisRates } from "../../../../server/platform/rates/redisRates.ts";
import { SharedRates } from "../../../../server/platform/rates/sharedRates.ts";
import { usePostgresql, useSqlite } from "../../support/databases.ts";
import { useRedis } from "../../support/redis.ts";
import { until } from "../../support/until.ts";

const hash = createKeyedHash(Buffer.alloc(32, 7));
const silent = pino({ level: "silent" });

describe("Limits that processes share by Redis", () => {
  const redis = useRedis();

  it("are counted alone while Redis is gone, together when it is back, and no log has its password", async () => {
    const lines: string[] = [];
    const log = pino({ level: "trace" }, { write: (line) => void lines.push(line) });
    const open = async () => {
      const exchange = await openRedisRates(redis().url, hash);
      return { exchange, rates: new SharedRates({ exchange, hash, clock: systemClock, log }) };
    };
    const [one, other] = [await open(), await open()];
    const allowance = { burst: 50, perSecond: 0.000_1 };
    const [here, there] = [one.rates.buckets("test", 9), other.rates.buckets("test", 9)];
    here.take("a", allowance, 20);
    await one.rates.exchange();
    await other.rates.exchange();
    expect(there.left("a", allowance)).to.be.closeTo(30, 0.1);
    await redis().stop();
    here.take("a", allowance, 25);
    await one.rates.exchange();
    expect(here.left("a", allowance), "counted here").to.be.closeTo(5, 0.1);
    expect(there.left("a", allowance), "not known there").to.be.closeTo(30, 0.1);
    await redis().start();
    await until("the other process knows", async () => {
      await one.rates.exchange();
      await other.rates.exchange();
      return there.left("a", allowance) < 26;
    });
    for (const { exchange } of [one, other]) await exchange.close();
    expect(lines.join("")).to.contain("by this process alone").and.contain("with the other processes again");
    expect(lines.join("")).to.not.contain(redis().password);
  });

  describe("at the start", () => {
    const { database } = usePostgresql();

    /** Opens the rates with a setting; returns why it is refused. */
    const refusal = async (redisUrl: string): Promise<string> => {
      try {
        await openRates({ redisUrl }, { database: database(), hash, clock: systemClock, log: silent });
      } catch (error) {
        if (error instanceof SettingError) return error.message;
        throw error;
      }
      return "accepted";
    };

    it("are refused with one line that says what to do, without the password", async () => {
      const expected =
        /^REDIS_URL is set; expected a Redis or Valkey server that can be reached with it \(.+\)\.$/;
      const wrongPassword = redis().url.replace(redis().password, "hunter2");
      for (const url of ["redis://:hunter2@127.0.0.1:1", wrongPassword]) {
        const message = await refusal(url);
        expect(message).to.match(expected);
        expect(message).to.not.contain("hunter2");
      }
    });

    it("are taken where it can be reached", async () => {
      const { start } = await openRates(
        { redisUrl: redis().url },
        { database: database(), hash, clock: systemClock, log: silent },
      );
      await start()();
    });
  });

  describe("on SQLite", () => {
    const { database } = useSqlite();

    it("are refused, because there is one process", async () => {
      const opened = openRates(
        { redisUrl: "redis://127.0.0.1" },
        { database: database(), hash, clock: systemClock, log: silent },
      );
      const message = await opened.then(
        () => "accepted",
        (error: unknown) => (error instanceof SettingError ? error.message : String(error)),
      );
      expect(message).to.match(/^REDIS_URL is set; expected DATABASE_URL too/);
    });
  });
});
