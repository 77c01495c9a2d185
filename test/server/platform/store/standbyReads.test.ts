import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { type Database, openDatabase } from "../../../../server/platform/store/database.ts";
import { type PostgresqlOptions, postgresqlEngine } from "../../../../server/platform/store/postgresql.ts";
import type { ReadPlace } from "../../../../server/platform/store/standbyReads.ts";
import { skipWithout } from "../../../support/missing.ts";
import { type PostgresqlPair, startPostgresqlPair } from "../../../support/postgresqlPair.ts";
import { postgresqlPrograms } from "../../../support/postgresqlServer.ts";
import { bystander } from "../../support/bystander.ts";
import { addMask, addOwner, type Owner } from "../../support/owners.ts";
import { hasPostgresql, newPostgresqlDatabase, runStatement } from "../../support/postgresql.ts";
import { createTestClock, type TestClock } from "../../support/testClock.ts";
import { until } from "../../support/until.ts";

describe("Reads that may run on a standby", () => {
  let pair: PostgresqlPair;
  let database: Database;
  let clock: TestClock;
  let owner: Owner;
  let places: ReadPlace[];
  let reported: string[];

  const open = (url: string, options: PostgresqlOptions): Promise<Database> =>
    openDatabase(
      postgresqlEngine(
        url,
        {
          clock,
          random: cryptoRandom,
          report: (line) => reported.push(line),
          onReadAside: (place) => places.push(place),
        },
        options,
      ),
    );
  const masks = ({ db }: Pick<Database, "db">) =>
    db.selectFrom("masks").where("user_id", "!=", bystander.id).select("id").execute();
  const countNow = (): Promise<number> =>
    database.readAside("now", async (db) => (await masks({ db })).length);

  before(async function () {
    const bin = postgresqlPrograms();
    if (bin === null || !hasPostgresql()) return skipWithout(this, "PostgreSQL");
    pair = await startPostgresqlPair(bin);
    return undefined;
  });
  beforeEach(async () => {
    clock = createTestClock();
    [places, reported] = [[], []];
    database = await open(pair.url, { readUrl: pair.standbyUrl });
    owner = await addOwner(database.db);
  });
  afterEach(async () => {
    await runStatement(pair.standbyUrl, "select pg_wal_replay_resume()");
    await database.db.deleteFrom("users").where("id", "!=", bystander.id).execute();
    await database.close();
  });
  after(() => pair?.stop());

  it("see what was committed before them, and run on the standby as soon as it has that", async () => {
    for (let count = 1; count <= 20; count += 1) {
      await addMask(database.db, owner);
      expect(await countNow()).to.equal(count);
    }
    await until("one ran on the standby", async () => {
      await countNow();
      return places.at(-1) === "standby";
    });
    expect(reported).to.deep.equal([]);
  });

  it("run on the primary while the standby is behind what they must see, but where older is good enough", async () => {
    await addMask(database.db, owner);
    await until("the standby has it", async () => {
      await countNow();
      return places.at(-1) === "standby";
    });
    await runStatement(pair.standbyUrl, "select pg_wal_replay_pause()");
    await until("it is paused", async () => {
      const [row] = await runStatement(pair.standbyUrl, "select pg_get_wal_replay_pause_state() as state");
      return (row as { readonly state: string }).state === "paused";
    });
    await addMask(database.db, owner);
    expect([await countNow(), places.at(-1)]).to.deep.equal([2, "primary"]);
    const older = await database.readAside("recent", async (db) => (await masks({ db })).length);
    expect([older, places.at(-1)]).to.deep.equal([1, "standby"]);
  });

  it("run on the primary while the standby is gone, and on it again when it is back, which the operator is told once each", async () => {
    const start = await pair.stopStandby();
    expect([await countNow(), await countNow()]).to.deep.equal([0, 0]);
    expect(places).to.deep.equal(["primary", "primary"]);
    expect(reported).to.have.lengthOf(1);
    await start();
    await until("it is read again", async () => {
      clock.advance(5_001);
      await countNow();
      return places.at(-1) === "standby";
    });
    expect(reported.at(-1)).to.contain("answers again");
  });

  it("are refused on the primary too when the work refuses, which is no fault of the standby", async () => {
    class Refusal extends Error {}
    const refuse = () =>
      database.readAside("recent", async () => {
        throw new Refusal("no such mask");
      });
    for (let n = 0; n < 2; n += 1)
      expect(await refuse().then(String, (error) => error.constructor)).to.equal(Refusal);
    await until("the standby is read", async () => {
      await countNow();
      return places.at(-1) === "standby";
    });
    expect(reported).to.deep.equal([]);
  });

  it("never change anything on the standby", async () => {
    const change = (db: Database["db"]) =>
      db.deleteFrom("masks").where("user_id", "!=", bystander.id).execute();
    await addMask(database.db, owner);
    await database.readAside("recent", change, () => change(database.db));
    expect(await masks(database)).to.deep.equal([]);
  });

  describe("the addresses of a database", () => {
    const refusal = (options: PostgresqlOptions): Promise<string> =>
      open(pair.url, options).then(
        async (opened) => {
          await opened.close();
          return "opened";
        },
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );

    it("are refused in one line when they lead to different ones, or to a standby for writes", async () => {
      const other = await newPostgresqlDatabase();
      expect(await refusal({ readUrl: other })).to.match(
        /^DATABASE_READ_URL leads to another database .+standby of it$/,
      );
      expect(await refusal({ directUrl: other })).to.match(
        /^DATABASE_DIRECT_URL leads to another database .+pooler$/,
      );
      expect(await refusal({ directUrl: pair.standbyUrl })).to.match(
        /^DATABASE_DIRECT_URL leads to a standby.+pooler$/,
      );
    });

    it("are good when the standby does not answer, or has become the primary", async () => {
      expect(await refusal({ readUrl: "postgresql://bauta@127.0.0.1:9/postgres" })).to.equal("opened");
      expect(await refusal({ readUrl: pair.url })).to.equal("opened");
    });
  });
});
