import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createTransport } from "nodemailer";
import { type Client, copyClient, createClient } from "../server/support/client.ts";
import { databaseUrl, hasPostgresql, runStatement } from "../server/support/postgresql.ts";
import { type Sink, startSink } from "../server/support/sink.ts";
import { isType, openSocket, type SocketClient, settle } from "../server/support/socketClient.ts";
import { until } from "../server/support/until.ts";
import { skipWithout } from "../support/missing.ts";
import { type RunningServer, startServer } from "./support/server.ts";

const owner = "owner@example.org";

describe("three processes on one PostgreSQL", () => {
  let servers: readonly RunningServer[] = [];
  let folder: string;
  let sink: Sink;
  let user: Client;
  let mask: { readonly id: string; readonly maskEmail: string };
  let sockets: readonly SocketClient[] = [];
  let database: string;
  /** SMTP replies to mails that were not accepted. */
  let refusals: readonly number[] = [];

  before(async function () {
    if (!hasPostgresql()) skipWithout(this, "PostgreSQL");
    const url = process.env["TEST_POSTGRESQL"] ?? "";
    const name = `three_${randomBytes(6).toString("hex")}`;
    database = name;
    // The database is empty: the processes that start at the same time must create tables and keys only once.
    await runStatement(url, `create database ${name} template template0`);
    folder = await mkdtemp(join(tmpdir(), "bauta-three-"));
    sink = await startSink();
    const settings = {
      DATABASE_URL: databaseUrl(url, name),
      DATA_DIR: folder,
      NEXT_HOP: `smtp://127.0.0.1:${sink.port}`,
      DNS_SERVER: "127.0.0.1:9",
    };
    servers = await Promise.all([1, 2, 3].map(() => startServer(settings)));
  });
  after(async () => {
    for (const { socket } of sockets) socket.terminate();
    for (const server of servers) {
      await server.stop("SIGKILL");
      await server.removeData();
    }
    await sink?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const urlOf = (index: number): string => servers[index]?.url ?? "";
  const at = (index: number): Client => copyClient(urlOf(index), user);
  const subjects = (): readonly string[] =>
    sink.mails.flatMap(({ content }) => /^Subject: (Mail [\w-]+)/m.exec(content.toString())?.[1] ?? []);

  /** Sends mails to the processes in turn; returns the subjects of those accepted with 250. */
  const send = async (
    subjectsToSend: readonly string[],
    afterEach = (_index: number): void => {},
    first = 0,
  ) => {
    const accepted: string[] = [];
    await Promise.all(
      subjectsToSend.map(async (subject, index) => {
        const port = servers[(first + index) % 3]?.smtpPort ?? 0;
        const transport = createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
        try {
          await transport.sendMail({ from: "shop@shop.example", to: mask.maskEmail, subject, text: subject });
          accepted.push(subject);
        } catch (error) {
          // A killed process does not respond; a real sender would retry with another one.
          const code = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0;
          refusals = [...refusals, code];
        }
        transport.close();
        afterEach(index);
      }),
    );
    return accepted;
  };

  it("create the tables and the keys once, and accept each other's sessions", async () => {
    const first = createClient(urlOf(0));
    await first.call("POST", "/login", { body: { email: owner } });
    const code = () =>
      sink.mails.flatMap(({ content }) => /^Subject: .*?(\d{6})/m.exec(content.toString())?.[1] ?? [])[0];
    await until("the code is mailed", () => code() !== undefined);
    const { json } = await first.call("PUT", "/login", { body: { email: owner, otp: code() } });
    const { tempToken } = json as { tempToken: string };
    const signedUp = await first.call("POST", "/signup", { body: { tempToken, tier: "free" } });
    first.token = (signedUp.json as { token: string }).token;
    user = first;
    const statuses = await Promise.all([0, 1, 2].map((index) => at(index).call("GET", "/account")));
    expect(statuses.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
  });

  it("notify the sockets of a user, on any process, of changes made on another", async () => {
    sockets = await Promise.all(
      [0, 1, 2].map((index) => openSocket(urlOf(index), user, { clientId: `client-${index}-0123456` })),
    );
    await Promise.all(sockets.map((socket) => socket.waitFor(isType("connection_established"))));
    for (const socket of sockets) socket.send("subscribe", { resource: "masks" });
    await Promise.all(sockets.map(settle));
    const created = await at(0).call("POST", "/masks", { body: { description: "Shop", forwardTo: owner } });
    mask = created.json as typeof mask;
    const heard = sockets.slice(1).map((socket) => socket.waitFor(isType("data_update")));
    await Promise.all(heard);
  });

  it("refuse a client whom one of them has refused", async () => {
    const request = async (index: number): Promise<number> => {
      const headers = { "x-forwarded-for": "203.0.113.7" };
      return (await createClient(urlOf(index)).call("POST", "/login", { body: {}, headers })).status;
    };
    for (let n = 0; n < 30; n += 1) expect(await request(0)).to.equal(400);
    expect(await request(0)).to.equal(429);
    for (const other of [1, 2]) {
      let allowed = 0;
      await until("another process refuses it too", async () => {
        const status = await request(other);
        if (status !== 429) allowed += 1;
        return status === 429;
      });
      expect(allowed, "requests that it has allowed of itself").to.be.below(30);
    }
  });

  it("deliver each mail once", async () => {
    const sent = Array.from({ length: 24 }, (_, n) => `Mail once-${n}`);
    expect(await send(sent)).to.have.lengthOf(24);
    await until("all mails have arrived", () => sent.every((subject) => subjects().includes(subject)));
    // One more through each process, which comes after what it has taken up before.
    const last = [1, 2, 3].map((n) => `Mail last-${n}`);
    expect(await send(last)).to.have.lengthOf(3);
    await until("the last have arrived", () => last.every((subject) => subjects().includes(subject)));
    expect(subjects().toSorted()).to.deep.equal([...sent, ...last].toSorted());
  });

  it("lose no mail when PostgreSQL ends all connections and takes none under load, and go on by themselves", async () => {
    const url = process.env["TEST_POSTGRESQL"] ?? "";
    const isReady = async (index: number) => (await fetch(`${urlOf(index)}/healthz`)).status === 200;
    let answered = 0;
    let cutting: Promise<unknown> = Promise.resolve();
    const cutOff = async (): Promise<void> => {
      await runStatement(url, `alter database ${database} allow_connections false`);
      await runStatement(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
      );
    };
    const first = await send(
      Array.from({ length: 18 }, (_, n) => `Mail cut-${n}`),
      () => {
        answered += 1;
        if (answered === 6) cutting = cutOff();
      },
    );
    await cutting;
    refusals = [];
    const meanwhile = await send(Array.from({ length: 6 }, (_, n) => `Mail meanwhile-${n}`));
    expect(meanwhile).to.deep.equal([]);
    expect(refusals).to.have.lengthOf(6);
    for (const code of refusals) expect(code).to.be.within(400, 499);

    await runStatement(url, `alter database ${database} allow_connections true`);
    for (const index of [0, 1, 2]) await until(`process ${index} is ready`, () => isReady(index));
    const after = await send(Array.from({ length: 6 }, (_, n) => `Mail after-${n}`));
    expect(after).to.have.lengthOf(6);
    const accepted = [...first, ...after];
    expect(first.length).to.be.at.least(6);
    await until("every mail has arrived", () => accepted.every((subject) => subjects().includes(subject)));
    const heard = sockets.slice(1).map((socket) => socket.waitFor(isType("data_update")));
    await at(0).call("POST", "/masks", { body: { description: "Later", forwardTo: owner } });
    await Promise.all(heard);
  });

  it("lose no mail, and send none twice, when each is stopped and started anew in turn under load", async () => {
    let isOver = false;
    const accepted: string[] = [];
    const senders = [0, 1, 2, 3].map(async (sender) => {
      for (let n = 0; !isOver; n += 1)
        accepted.push(...(await send([`Mail rolled-${sender}-${n}`], () => {}, sender + n)));
    });
    for (const index of [0, 1, 2]) {
      const before = accepted.length;
      const old = servers[index];
      expect(await old?.stop("SIGTERM")).to.equal(0);
      await until("the others accept mail meanwhile", () => accepted.length > before + 5);
      const started = await old?.restart();
      servers = servers.map((server, at) => (at === index && started ? started : server));
    }
    isOver = true;
    await Promise.all(senders);
    await until("every accepted mail has arrived", () =>
      accepted.every((subject) => subjects().includes(subject)),
    );
    const rolled = subjects().filter((subject) => subject.startsWith("Mail rolled-"));
    expect(rolled.toSorted()).to.deep.equal(accepted.toSorted());
  });

  it("lose no mail when one of them is killed under load; the others take over its mails within 60 s", async () => {
    const sent = Array.from({ length: 30 }, (_, n) => `Mail killed-${n}`);
    let answered = 0;
    let killing: Promise<unknown> = Promise.resolve();
    const accepted = await send(sent, () => {
      answered += 1;
      if (answered === 8) killing = servers[1]?.stop("SIGKILL") ?? killing;
    });
    await killing;
    const missing = () => accepted.filter((subject) => !subjects().includes(subject));
    await until("every accepted mail has arrived", () => missing().length === 0, 90_000);
    expect(accepted.length).to.be.at.least(8);
    expect((await at(0).call("GET", "/account")).status).to.equal(200);
  });
});
