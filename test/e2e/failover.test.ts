import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createClient } from "../server/support/client.ts";
import { signUpByMail } from "../server/support/signUpByMail.ts";
import { type Sink, startSink } from "../server/support/sink.ts";
import { until } from "../server/support/until.ts";
import { skipWithout } from "../support/missing.ts";
import { type PostgresqlPair, startPostgresqlPair } from "../support/postgresqlPair.ts";
import { postgresqlPrograms } from "../support/postgresqlServer.ts";
import { type MailLoad, startMailLoad } from "./support/mailLoad.ts";
import { type RunningServer, startServer } from "./support/server.ts";

const owner = "owner@example.org";
/** How long the processes may take to notice a fault and to go on. */
const failoverMs = 100_000;

describe("two processes on a PostgreSQL with a standby", () => {
  let pair: PostgresqlPair | undefined;
  let servers: readonly RunningServer[] = [];
  let folder: string | undefined;
  let sink: Sink;
  let load: MailLoad | undefined;
  let mask: string;

  before(async function () {
    const bin = postgresqlPrograms();
    if (bin === null) return skipWithout(this, "PostgreSQL");
    pair = await startPostgresqlPair(bin);
    folder = await mkdtemp(join(tmpdir(), "bauta-failover-"));
    sink = await startSink();
    const settings = {
      DATABASE_URL: pair.url,
      DATA_DIR: folder,
      NEXT_HOP: `smtp://127.0.0.1:${sink.port}`,
      DNS_SERVER: "127.0.0.1:9",
      SENDER_MAILS_PER_MINUTE: "100000",
      SENDER_MAILS_PER_HOUR: "1000000",
    };
    servers = await Promise.all([1, 2].map(() => startServer(settings)));
    mask = await signUpByMail(createClient(servers[0]?.url ?? ""), sink, owner);
    return undefined;
  });
  afterEach(async () => {
    await load?.stop();
    load = undefined;
  });
  after(async () => {
    for (const server of servers) {
      await server.stop("SIGKILL");
      await server.removeData();
    }
    await pair?.stop();
    await sink?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const subjects = (): ReadonlySet<string> =>
    new Set(
      sink.mails.flatMap(({ content }) => /^Subject: (Mail [\w-]+)/m.exec(content.toString())?.[1] ?? []),
    );

  /** What the processes lack to be ready; empty when they are. */
  const findProblems = async (): Promise<string> => {
    const problems = await Promise.all(
      servers.map(async ({ url }) => {
        const answer = await fetch(`${url}/healthz`);
        return answer.status === 200 ? "" : `${answer.status} ${await answer.text()}`;
      }),
    );
    return problems.filter((problem) => problem !== "").join("; ");
  };
  const untilReady = async (): Promise<void> => {
    let problems = "";
    await until(
      () => `all processes are ready, which said ${problems}`,
      async () => {
        problems = await findProblems();
        return problems === "";
      },
      failoverMs,
    );
  };

  /** Sends mail before, during and after a fault; every accepted mail must arrive, and others be answered 4xx. */
  const keepMailThrough = async (fault: () => Promise<void>): Promise<void> => {
    load = startMailLoad(
      servers.map(({ smtpPort }) => smtpPort),
      mask,
    );
    const { accepted, refusals } = load;
    await until("mails are accepted", () => accepted.length >= 20, failoverMs);
    await fault();
    const before = accepted.length;
    await until("mails are accepted afterwards", () => accepted.length >= before + 20, failoverMs);
    await load.stop();
    await untilReady();
    await until(
      "every accepted mail has arrived",
      () => accepted.every((subject) => subjects().has(subject)),
      failoverMs,
    );
    for (const code of refusals) expect(code).to.be.within(400, 499);
  };

  it("lose no mail when the primary restarts under load, answer 4xx meanwhile, and go on by themselves", () =>
    keepMailThrough(async () => pair?.restart()));

  it("lose no mail when PostgreSQL cannot be reached under load", () =>
    keepMailThrough(async () => {
      const reach = pair?.cutOff();
      await until("mails are refused", () => (load?.refusals.length ?? 0) >= 4);
      reach?.();
    }));

  it("lose no mail when the primary dies under load and the standby takes its place", () =>
    keepMailThrough(async () => pair?.failOver()));
});
