import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type Client, copyClient, createClient } from "../server/support/client.ts";
import { databaseUrl, hasPostgresql, runStatement } from "../server/support/postgresql.ts";
import { until } from "../server/support/until.ts";
import {
  isSignedWith,
  type ReceivedMessage,
  startWebhookReceiver,
  type WebhookReceiver,
} from "../server/support/webhookReceiver.ts";
import { longTestMs } from "../support/limits.ts";
import { skipWithout } from "../support/missing.ts";
import { codeMailedTo, type RunningServer, startServer } from "./support/server.ts";

const owner = "owner@example.org";
const settings = { WEBHOOK_NETWORKS: "loopback", DNS_SERVER: "127.0.0.1:9" };

/** Signs up at a server whose outbox is in `dataDir`. */
const signUp = async (url: string, dataDir: string): Promise<Client> => {
  const client = createClient(url);
  await client.call("POST", "/login", { body: { email: owner } });
  const otp = await codeMailedTo({ dataDir }, owner);
  const { json } = await client.call("PUT", "/login", { body: { email: owner, otp } });
  const { tempToken } = json as { tempToken: string };
  const signedUp = await client.call("POST", "/signup", { body: { tempToken, tier: "free" } });
  client.token = (signedUp.json as { token: string }).token;
  return client;
};

/** Adds a webhook that is told of changed masks; returns its secret. */
const addWebhook = async (user: Client, url: string): Promise<string> => {
  const body = { url, events: ["mask.changed"], labels: [], includesContent: false };
  const { status, json } = await user.call("POST", "/account/webhooks", { body });
  expect(status).to.equal(201);
  return (json as { secret: string }).secret;
};

const makeMask = async (user: Client): Promise<string> => {
  const { json } = await user.call("POST", "/masks", { body: { description: "Shop", forwardTo: owner } });
  return (json as { id: string }).id;
};

/** Changes a mask, so that the event can be told from others by its label. */
const change = async (user: Client, mask: string, label: string): Promise<void> => {
  const { status } = await user.call("PUT", `/masks/${mask}`, { body: { labels: [label] } });
  expect(status).to.equal(200);
};

const labelOf = ({ json }: ReceivedMessage): string =>
  (json.data["mask"] as { readonly labels: readonly string[] }).labels[0] ?? "";
const idOf = ({ headers }: ReceivedMessage): string => String(headers["webhook-id"]);
const labelsOf = ({ messages }: WebhookReceiver): readonly string[] => messages.map(labelOf);
const hasAll = (receiver: WebhookReceiver, labels: readonly string[]): boolean =>
  labels.every((label) => labelsOf(receiver).includes(label));

describe("Webhooks of a server that is killed", () => {
  let server: RunningServer | undefined;
  let receiver: WebhookReceiver | undefined;
  afterEach(async () => {
    await receiver?.close();
    await server?.stop("SIGKILL");
    await server?.removeData();
  });

  it("are told of every event after it starts again, with the same id where it was killed while sending", async () => {
    server = await startServer(settings);
    receiver = await startWebhookReceiver();
    const hanging = receiver;
    const user = await signUp(server.url, server.dataDir);
    const secret = await addWebhook(user, receiver.url);
    const mask = await makeMask(user);
    // No answer: some messages are being sent when the server is killed, and the others wait for their first attempt.
    receiver.answer = () => {};
    const labels = Array.from({ length: 10 }, (_, n) => `event-${n}`);
    for (const label of labels) await change(user, mask, label);
    await until("some are being sent", () => hanging.messages.length > 0);
    await server.stop("SIGKILL");
    const before = [...hanging.messages];
    expect(before.length).to.be.lessThan(labels.length);

    receiver.answer = (response) => response.writeHead(204).end();
    hanging.messages.length = 0;
    server = await server.restart();
    await until("all have arrived", () => hasAll(hanging, labels));
    expect(labelsOf(hanging).toSorted()).to.deep.equal(labels.toSorted());
    const idsByLabel = new Map(hanging.messages.map((message) => [labelOf(message), idOf(message)]));
    expect(new Set(idsByLabel.values()).size).to.equal(labels.length);
    for (const message of before) expect(idsByLabel.get(labelOf(message))).to.equal(idOf(message));
    for (const message of hanging.messages) expect(isSignedWith(secret, message)).to.equal(true);
  });
});

describe("Webhooks of two processes on one PostgreSQL", () => {
  let servers: readonly RunningServer[] = [];
  let folder: string | undefined;
  let receivers: readonly WebhookReceiver[] = [];
  let user: Client;
  let mask: string;

  before(async function () {
    if (!hasPostgresql()) skipWithout(this, "PostgreSQL");
    const url = process.env["TEST_POSTGRESQL"] ?? "";
    const name = `hooks_${randomBytes(6).toString("hex")}`;
    await runStatement(url, `create database ${name} template template0`);
    folder = await mkdtemp(join(tmpdir(), "bauta-hooks-"));
    const shared = { ...settings, DATABASE_URL: databaseUrl(url, name), DATA_DIR: folder };
    servers = await Promise.all([1, 2].map(() => startServer(shared)));
    user = await signUp(servers[0]?.url ?? "", folder);
    receivers = [await startWebhookReceiver(), await startWebhookReceiver()];
    for (const { url: to } of receivers) await addWebhook(user, to);
    mask = await makeMask(user);
  });
  after(async () => {
    for (const receiver of receivers) await receiver.close();
    for (const server of servers) {
      await server.stop("SIGKILL");
      await server.removeData();
    }
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const at = (index: number): Client => copyClient(servers[index % 2]?.url ?? "", user);

  it("are told of each event once, whichever process it happened on", async () => {
    const labels = Array.from({ length: 30 }, (_, n) => `once-${n}`);
    for (const [n, label] of labels.entries()) await change(at(n), mask, label);
    for (const receiver of receivers) await until("all have arrived", () => hasAll(receiver, labels));
    // One more through each process, which comes after what it has taken up before.
    const last = ["last-0", "last-1"];
    for (const [n, label] of last.entries()) await change(at(n), mask, label);
    for (const receiver of receivers) {
      await until("the last have arrived", () => hasAll(receiver, last));
      expect(labelsOf(receiver).toSorted()).to.deep.equal([...labels, ...last].toSorted());
      expect(new Set(receiver.messages.map(idOf)).size).to.equal(labels.length + last.length);
    }
  });

  it("are told of every event when one process is killed while sending; the other takes over", async function () {
    this.timeout(longTestMs);
    const [receiver] = receivers;
    if (!receiver) throw new Error("There is no receiver");
    for (const one of receivers) {
      one.messages.length = 0;
      one.answer = () => {};
    }
    const labels = Array.from({ length: 20 }, (_, n) => `killed-${n}`);
    for (const [n, label] of labels.entries()) await change(at(n), mask, label);
    await until("some are being sent", () => receiver.messages.length > 0);
    await servers[1]?.stop("SIGKILL");
    const before = [...receiver.messages];
    for (const one of receivers) one.answer = (response) => response.writeHead(204).end();
    // What the killed process was sending is free when its lease of a minute ends.
    for (const one of receivers) await until("all have arrived", () => hasAll(one, labels), longTestMs);
    for (const message of before) {
      const same = receiver.messages.filter((one) => labelOf(one) === labelOf(message));
      expect(new Set(same.map(idOf)).size).to.equal(1);
    }
    await until(
      "what was being sent has come again",
      () =>
        before.every((message) => receiver.messages.filter((one) => idOf(one) === idOf(message)).length > 1),
      longTestMs,
    );
  });
});
