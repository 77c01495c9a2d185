import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type RunningServer, startServer } from "../../test/e2e/support/server.ts";
import { type Client, createClient } from "../../test/server/support/client.ts";
import { connectSmtp } from "../../test/server/support/smtpClient.ts";
import { openSocket, type SocketClient } from "../../test/server/support/socketClient.ts";
import { expectStatus } from "../http.ts";

const users = 1_000;
const signInMs = 60_000;
const sockets = 1_000;
const socketUsers = 50;
const mails = 500;
const mailsPerSecond = 100;

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
const summary = (times: readonly number[]): string => {
  const sorted = times.toSorted((one, other) => one - other);
  return `p50 ${at(sorted, 0.5).toFixed(1)} ms, p99 ${at(sorted, 0.99).toFixed(1)} ms`;
};

type FindCode = (email: string) => Promise<string>;

/** Returns a function that waits for the code in the mail to an address; each mail is read once. */
const createFindCode = ({ dataDir }: RunningServer): FindCode => {
  const folder = join(dataDir, "outbox");
  const read = new Set<string>();
  const codes = new Map<string, string>();
  const readNew = (): void => {
    for (const name of readdirSync(folder).filter((file) => file.endsWith(".eml") && !read.has(file))) {
      const mail = readFileSync(join(folder, name), "utf8");
      read.add(name);
      codes.set(
        /^X-Outbox-To: (.*?)\r?$/m.exec(mail)?.[1] ?? "",
        /^Subject: .*?(\d{6})/m.exec(mail)?.[1] ?? "",
      );
    }
  };
  return async (email) => {
    for (let tries = 0; tries < 500; tries += 1) {
      const code = codes.get(email);
      if (code !== undefined) return code;
      await sleep(50);
      readNew();
    }
    throw new Error("no code was mailed within 25 s");
  };
};

/** Signs a user in by code, as a browser does; returns the duration of each call. */
const signIn = async (url: string, findCode: FindCode, email: string, times: number[]): Promise<Client> => {
  const client = createClient(url);
  const call = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Readonly<Record<string, string>>> => {
    const began = performance.now();
    const { status, json } = await client.call(method, path, body === undefined ? {} : { body });
    times.push(performance.now() - began);
    expectStatus(`${method} ${path}`, status, 200);
    return json as Readonly<Record<string, string>>;
  };
  await call("GET", "/csrf-token");
  await call("POST", "/login", { email });
  const answer = await call("PUT", "/login", { email, otp: await findCode(email) });
  const token =
    answer["token"] ??
    (await call("POST", "/signup", { tempToken: answer["tempToken"], tier: "free" }))["token"];
  client.token = token ?? null;
  return client;
};

const signInMany = async (server: RunningServer): Promise<void> => {
  const findCode = createFindCode(server);
  const times: number[] = [];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: users }, async (_, n) => {
      await sleep((n * signInMs) / users);
      await signIn(server.url, findCode, `user${n}@example.org`, times);
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  console.log(
    `${users} users sign in within ${seconds.toFixed(0)} s, no call refused: ${summary(times)} a call`,
  );
};

const memoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? Number.NaN);

interface Listener {
  readonly client: Client;
  readonly address: string;
}

const openMany = async (server: RunningServer, listeners: readonly Listener[]): Promise<SocketClient[]> => {
  const open: SocketClient[] = [];
  for (let n = 0; n < sockets; n += 1) {
    const listener = listeners[n % listeners.length];
    if (!listener) throw new Error("there are no users");
    open.push(await openSocket(server.url, listener.client, { clientId: `client${n}` }));
  }
  return open;
};

/** Sends mails at a steady rate; returns how long each took from its 250 to the sockets of its user. */
const sendSteadily = async (
  server: RunningServer,
  listeners: readonly Listener[],
  open: readonly SocketClient[],
): Promise<number[]> => {
  const waits: number[] = [];
  const accepted = new Map<number, number>();
  for (const [n, { socket }] of open.entries())
    socket.on("message", (data) => {
      const since = accepted.get(n % listeners.length);
      if (since !== undefined && String(data).includes('"data_update"'))
        waits.push(performance.now() - since);
    });
  const connection = await connectSmtp(server.smtpPort);
  for (let n = 0; n < mails; n += 1) {
    const index = n % listeners.length;
    const began = performance.now();
    await connection.mail(
      "shop@shop.example",
      [listeners[index]?.address ?? ""],
      "Subject: News\r\n\r\nHello.\r\n",
    );
    accepted.set(index, performance.now());
    await sleep(Math.max(0, 1_000 / mailsPerSecond - (performance.now() - began)));
  }
  connection.destroy();
  await sleep(1_000);
  return waits;
};

const listenMany = async (server: RunningServer): Promise<void> => {
  const findCode = createFindCode(server);
  const listeners = await Promise.all(
    Array.from({ length: socketUsers }, async (_, n): Promise<Listener> => {
      const client = await signIn(server.url, findCode, `listener${n}@example.org`, []);
      const { status, json } = await client.call("POST", "/masks", { body: { description: "News" } });
      expectStatus("POST /masks", status, 201);
      return { client, address: (json as { maskEmail: string }).maskEmail };
    }),
  );
  await sleep(2_000);
  const before = memoryOf(server.pid);
  const open = await openMany(server, listeners);
  await sleep(2_000);
  const each = (memoryOf(server.pid) - before) / sockets;
  const waits = await sendSteadily(server, listeners, open);
  for (const { socket } of open) socket.terminate();
  console.log(`${sockets} sockets of ${socketUsers} users: ${each.toFixed(1)} KiB each`);
  console.log(
    `${waits.length} messages at ${mailsPerSecond} mails/s, from the mail's 250: ${summary(waits)}`,
  );
};

/** Measures sign-in, open sockets and their messages with a thousand users; there is no peer to compare with. */
export const run = async (): Promise<void> => {
  const server = await startServer({ LOG_LEVEL: "silent" });
  try {
    await listenMany(server);
    await signInMany(server);
  } finally {
    await server.stop();
    await server.removeData();
  }
};
