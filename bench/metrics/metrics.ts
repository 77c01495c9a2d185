import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { type RunningServer, startServer } from "../../test/e2e/support/server.ts";
import { runStatement } from "../../test/server/support/postgresql.ts";
import { postgresqlPrograms, startPostgresqlIn } from "../../test/support/postgresqlServer.ts";
import { exchange } from "../http.ts";

const finished = 1_000_000;
const failedEach = 100;
const waiting = 1_000;
const scrapes = 30;
const pauseMs = 200;

/** Rows of mail that is finished, of which a hundredth failed, and of some that waits for tomorrow. */
const fillQueue = (numbers: string, now: number): readonly string[] => {
  const columns = `insert into queue (id, envelope_sender, recipient, size, status, attempts, next_attempt_at,
    leased_until, created_at, finished_at)`;
  const row = (status: string, due: number, end: string): string =>
    `'0' || n, 'bounces@masks.example', 'someone' || n || '@home.example', 4000, ${status}, 1, ${due}, 0, ${now} - n, ${end}`;
  const result = `case when n % ${failedEach} = 0 then 'failed' else 'delivered' end`;
  return [
    `${columns} select ${row(result, now, String(now))} from ${numbers} where n <= ${finished}`,
    `${columns} select ${row("'waiting'", now + 86_400_000, "null")} from ${numbers} where n > ${finished}`,
  ];
};

const fillSqlite = ({ dataDir }: RunningServer): void => {
  const database = new DatabaseSync(join(dataDir, "bauta.db"));
  const numbers = `(with recursive counted(n) as (select 1 union all select n + 1 from counted
    where n < ${finished + waiting}) select n from counted)`;
  for (const statement of fillQueue(numbers, Date.now())) database.exec(statement);
  database.close();
};

const fillPostgresql = async (url: string): Promise<void> => {
  for (const statement of fillQueue(`generate_series(1, ${finished + waiting}) as n`, Date.now()))
    await runStatement(url, statement);
  await runStatement(url, "vacuum analyze queue");
};

const timed = async (url: string): Promise<number> => {
  const began = performance.now();
  await exchange({ url });
  return performance.now() - began;
};

const summary = (times: readonly number[]): string => {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
};

/** Returns the times of other requests while `work` runs. */
const besides = async (url: string, work: () => Promise<unknown>): Promise<readonly number[]> => {
  const times: number[] = [];
  let isOver = false;
  const ask = async (): Promise<void> => {
    while (!isOver) times.push(await timed(`${url}/config.json`));
  };
  const asking = ask();
  await work();
  isOver = true;
  await asking;
  return times;
};

const measure = async (name: string, { url }: RunningServer): Promise<void> => {
  const first = await timed(`${url}/metrics`);
  const alone = await besides(url, () => sleep(scrapes * pauseMs));
  const scraped: number[] = [];
  const meanwhile = await besides(url, async () => {
    for (let n = 0; n < scrapes; n += 1) {
      scraped.push(await timed(`${url}/metrics`));
      await sleep(pauseMs);
    }
  });
  console.log(`${name}
  first scrape                     ${first.toFixed(1)} ms
  further scrapes                  ${summary(scraped)}
  other requests, without scrapes  ${summary(alone)}
  other requests meanwhile         ${summary(meanwhile)}`);
};

/** Measures GET /metrics with a million finished mails in the queue, and what other requests notice of it. */
export const run = async (): Promise<void> => {
  const environment = { LOG_LEVEL: "warn" };
  const empty = await startServer(environment);
  await empty.stop();
  fillSqlite(empty);
  const sqlite = await empty.restart();
  await measure("SQLite", sqlite);
  await sqlite.stop();
  await sqlite.removeData();

  const bin = postgresqlPrograms();
  if (bin === null) return console.log("PostgreSQL is not installed: it is not measured.");
  const database = await startPostgresqlIn(bin);
  const server = await startServer({ ...environment, DATABASE_URL: database.url });
  await fillPostgresql(database.url);
  await measure("PostgreSQL", server);
  await server.stop();
  await server.removeData();
  await database.stop();
};
